from typing import Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


def _one_is_a_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


OneIsAList = BeforeValidator(_one_is_a_list)
"""For lists that mostly have one member: `languages: en` means `languages: [en]`."""
