"""What all adapters share."""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groundwire.agents._toolbox import ToolFunction, engine_tools
from groundwire.engine import Engine
from groundwire.errors import GroundwireError, InputError
from groundwire.model import ResponseReport


def told_tools(
    engine: Engine, only: Sequence[str] | None, files: Path | None
) -> list[ToolFunction]:
    """The tools as functions that answer JSON; what we refuse on purpose is told to the model."""
    functions = {one.__name__: one for one in engine_tools(engine, files=files)}
    unknown = sorted(set(only or ()) - set(functions))
    if unknown:
        raise InputError(
            f"There is no tool {', '.join(unknown)}.", hint=f"There are {', '.join(functions)}."
        )
    return [_told(functions[name]) for name in only or functions]


def _told(function: ToolFunction) -> Any:
    @functools.wraps(function)
    async def call(*given: Any, **named: Any) -> Any:
        try:
            return (await function(*given, **named)).model_dump(mode="json")
        except GroundwireError as error:
            return {"error": str(error)}

    # frameworks that read the result's type would describe a model that does not come
    call.__annotations__ = {**function.__annotations__, "return": dict[str, Any]}
    return call


def is_wrong(report: ResponseReport) -> bool:
    return any(note.status in ("contradicted", "unsupported") for note in report.notes)
