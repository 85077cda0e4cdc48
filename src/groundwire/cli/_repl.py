import sys
from typing import Any

import typer

from groundwire.cli._shared import load_settings, observed

_BANNER = """Groundwire: verify_claim(claim, evidence, confidence), verify_claims(text, context).
Evidence is a text, a list of texts, or a dict of texts by id. Leave with exit() or Ctrl-D."""


def repl(context: typer.Context) -> None:
    """An interactive Python with the verifying functions loaded [SPEC-08.31]."""
    import code

    from groundwire.engine import Engine

    loaded = load_settings(context)
    with observed(loaded), Engine(loaded.config) as engine:
        names: dict[str, Any] = {
            "engine": engine,
            "verify_claim": engine.verify_claim_sync,
            "verify_claims": engine.verify_claims_sync,
        }
        if sys.stdin.isatty():
            code.interact(banner=_BANNER, local=names, exitmsg="")
        else:
            _run_lines(names)


def _run_lines(names: dict[str, Any]) -> None:
    """Lines from a pipe, as if they were typed, without prompts."""
    import code

    code.interact(banner="", readfunc=_read_line, local=names, exitmsg="")


def _read_line(_prompt: str) -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
