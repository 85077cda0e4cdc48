"""Which value a report says a name has, by the one line that sets it."""

from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import (
    Directory,
    TaskVerifier,
    claims_from_text,
    history_of,
    take_snapshot,
)
from groundwire.traces import ToolTrace
from tests.actions.helpers import edited, numbered

CONFIG = (
    "DEBUG = True\nTIMEOUT = 5 * 60\nNAME = 'app'\nPORT = 8_080\n\n\ndef load():\n    return PORT\n"
)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "config.py").write_text(CONFIG)
    (tmp_path / "package.json").write_text('{\n  "version": "1.0.0",\n  "retries": 3\n}\n')
    (tmp_path / "notes.txt").write_text("a\n")
    return tmp_path


def settings(base: Path, report: str, *events: dict[str, Any]) -> set[str]:
    """How the claims about values end, after the edits were made."""
    before = take_snapshot(base)
    for event in events:
        given = event["arguments"]
        path = base / given["file_path"]
        path.write_text(path.read_text().replace(given["old_string"], given["new_string"]))
    trace = ToolTrace(numbered(list(events)), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text(report, tree=tree, history=history, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace], base, before=before)
    asked = {at for at, one in enumerate(read.claims) if getattr(one, "deed", "") == "set"}
    return {claim.status for at, claim in enumerate(result.claims) if at in asked}


@pytest.mark.parametrize(
    "report",
    [
        "`DEBUG` is set to `False` in `config.py`.",
        "`DEBUG` is off now.",
        "`DEBUG` is `False` now, and nothing else was touched.",
        "I switched `DEBUG` off in `config.py`.",
        "Set `DEBUG` to `False`.",
        "NAME in config.py is 'tool' now.",
        "`NAME` has been changed to `'tool'`.",
        "`PORT` is now 9090.",
        '`version` in `package.json` is now "1.1.0".',
        "I bumped `retries` to 5 in `package.json`.",
        "`DEBUG` steht jetzt auf `False`.",
    ],
)
def test_a_value_that_was_not_set_is_refuted(base: Path, report: str) -> None:
    """The one line that sets it has another."""
    assert settings(base, report, edited("notes.txt", "a", "b")) == {"failed"}


@pytest.mark.parametrize(
    "report",
    [
        "`DEBUG` is set to `True` in `config.py`.",
        "`DEBUG` is on now.",
        "`NAME` is still `app`.",
        "`PORT` is now 8080.",
        '`version` in `package.json` is "1.0.0".',
        "`retries` is 3 in `package.json`.",
    ],
)
def test_a_value_that_is_set_so_is_verified(base: Path, report: str) -> None:
    """However it is written: `8_080` is 8080, `True` is on."""
    assert settings(base, report, edited("notes.txt", "a", "b")) == {"verified"}


@pytest.mark.parametrize(
    "report",
    [
        "`TIMEOUT` is 300 now.",  # 5 * 60
        "When `DEBUG` is `False`, it prints less.",
        "`DEBUG` is `False` by default elsewhere.",
        "`load` is 3 lines long.",
        "The port of `load` is 9090.",
        "You set `DEBUG` to `False`.",
        "I set `DEBUG` to `False` and then back to `True`.",
        "If you want less output, set `DEBUG` to `False`.",
        "`PORT` is used in 2 places.",
        "`DEBUG` is `False` in the release build.",
    ],
)
def test_what_sets_nothing_is_not_held_against_the_line(base: Path, report: str) -> None:
    """Cases, other people's deeds, what is worked out: none of them is refuted."""
    assert "failed" not in settings(base, report, edited("notes.txt", "a", "b"))


def test_what_was_set_for_a_while_is_not_refuted(base: Path) -> None:
    """ "I set it to 5, which was too few. It is 9 now": the first was so once."""
    told = "I set `retries` to 5. That was too few, so it is 9 in the end."
    first = edited("package.json", '"retries": 3', '"retries": 5')
    second = edited("package.json", '"retries": 5', '"retries": 9')
    assert "failed" not in settings(base, told, first, second)
    assert settings(base, "I set `retries` to 7.", first, second) == {"failed"}
