"""The source of the package, parsed once for all tests that look at how it is written."""

import ast
from functools import cache
from pathlib import Path

import groundwire

SOURCE = Path(groundwire.__file__).parent


@cache
def modules() -> dict[str, ast.Module]:
    """By their path in the package."""
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }
