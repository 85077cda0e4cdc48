import pytest

from groundwire.traces import TraceEvent, with_exit_code
from groundwire.traces._results import outcome_of


@pytest.mark.parametrize(
    "text",
    [
        "Error: file not found",
        "error: patch failed: a.py:3",
        "<tool_use_error>File has not been read yet</tool_use_error>",
        "String to replace not found in file.",
        "No replacement was performed, old_str `x` did not appear verbatim in a.py.",
        "The user doesn't want to proceed with this tool use.",
        "Your proposed edit has introduced new syntax error(s).",
        "shown\nYour changes have NOT been applied. Please fix your edit command",
        "Permission denied: 'a.py'",
    ],
)
def test_a_refusal_in_words_is_a_refusal(text: str) -> None:
    assert outcome_of(TraceEvent(tool="Edit", result=text)) == "error"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The file a.py has been updated.",
        "Error handling was added to a.py.",
        "Failed logins are now counted. File written.",
        "1:raise ValueError('cannot open')\n2:# Error: not here",
        "Invalid inputs are rejected now.",
        "wrote 20 lines\nerror: these words stand in the file",
    ],
)
def test_words_about_errors_are_no_refusal(text: str) -> None:
    """Taking a success for a refusal would accuse an honest agent."""
    assert outcome_of(TraceEvent(tool="Edit", result=text)) == "ok"


def test_a_flag_beats_the_words() -> None:
    fine = TraceEvent.model_validate({"tool": "Edit", "result": "Error: x", "is_error": False})
    assert outcome_of(fine) == "ok"
    bad = TraceEvent.model_validate({"tool": "Edit", "result": "done", "success": False})
    assert outcome_of(bad) == "error"


def test_text_is_found_in_every_shape_of_answer() -> None:
    for result in ("Error: x", [{"type": "text", "text": "Error: x"}], {"stdout": "Error: x"}):
        assert outcome_of(TraceEvent(tool="Edit", result=result)) == "error"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Exit code 1\nfailed", 1),
        ("built\nexit code: 0", 0),
        ("<returncode>2</returncode>\n<output>x</output>", 2),
        ("ok\n[Command finished with exit code 3]", 3),
        ("Process exited with code 4\nx", 4),
        ("the log says: exit code 5", None),
        ("exit code 6 was expected here", None),
        ("see 'exited with status 7' in the log", None),
    ],
)
def test_an_exit_code_in_words_is_a_line_of_its_own(text: str, code: int | None) -> None:
    """A runner's own line tells it; a sentence about one does not."""
    assert with_exit_code(TraceEvent(tool="Bash", result=text)).exit_code == code
