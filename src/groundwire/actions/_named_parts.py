"""Names in a text, and what recorded changes did to them."""

import re
from collections import Counter
from collections.abc import Sequence

from groundwire.actions._replay import Change


def lines_naming(text: str, name: str) -> Counter[str]:
    """The lines that have a name as a word of its own, without their indentation."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return Counter(line.strip() for line in text.splitlines() if word.search(line))


def is_nowhere_in(text: str, name: str) -> bool:
    """Whether a text has a name in no spelling: "`dry_run`" may be "dry-run" or "DryRun"."""
    return _spelled(name) not in _spelled(text)


def _spelled(text: str) -> str:
    return text.replace("_", "").replace("-", "").lower()


def was_put(changes: Sequence[Change], name: str) -> bool:
    """Whether some change wrote a name, even if a later one took it out again."""
    return any(not is_nowhere_in(text, name) for one in changes for text in _written(one))


def was_taken(changes: Sequence[Change], name: str) -> bool:
    """Whether some change may have taken a name out, even if a later one put it back."""
    return any(_takes(change, name) for change in changes)


def is_named(changes: Sequence[Change], name: str) -> bool:
    """Whether something that was written, or replaced, has a name or piece of code in it."""
    replaced = (one.old for change in changes for one in change.effect.replacements)
    written = (text for change in changes for text in _written(change))
    return any(name in text for text in (*replaced, *written))


def _takes(change: Change, name: str) -> bool:
    effect = change.effect
    if effect.action != "edit" or not effect.replacements:
        return effect.content is None or not lines_naming(effect.content, name)
    return any(
        lines_naming(one.old, name) - lines_naming(one.new, name) for one in effect.replacements
    )


def _written(change: Change) -> list[str]:
    effect = change.effect
    return [effect.content or "", *(one.new for one in effect.replacements)]
