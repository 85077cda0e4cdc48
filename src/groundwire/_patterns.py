"""Regular expressions that are compiled at their first use: a command pays for those it needs."""

import re
from typing import Any, cast


class _Lazy:
    """Stands for a pattern; a method that was used once is found as fast as the pattern's own."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self._flags)
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, later; functions of `re` take a string or a real pattern, not this one."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
