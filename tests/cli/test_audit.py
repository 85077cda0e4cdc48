"""`gw audit` and `gw check --conversation` as a user runs them."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from groundwire.cli._main import app

TRACE = {
    "context": "The depot has 12 pumps. Each pump costs EUR 40.",
    "steps": ["The depot has 12 pumps.", "12 × 40 = 500."],
    "answer": "EUR 500",
}


def run(home: Path, *arguments: str) -> Any:
    return CliRunner().invoke(app, ["--set", f"home={home}", *arguments])


@pytest.mark.parametrize(
    ("steps", "answer", "status", "code"),
    [
        (["The depot has 12 pumps.", "12 × 40 = 480."], "480", "VALID", 0),
        (["12 × 40 = 500."], "500", "INVALID", 1),
        (["Let's see."], None, "UNAUDITABLE", 3),
    ],
)
def test_the_exit_code_says_what_came_of_it(
    tmp_path: Path, steps: list[str], answer: str | None, status: str, code: int
) -> None:
    """0 valid, 1 something fails, 3 not determined."""
    file = tmp_path / "trace.json"
    file.write_text(json.dumps({**TRACE, "steps": steps, "answer": answer}))
    ran = run(tmp_path, "audit", str(file), "--json")
    assert (json.loads(ran.stdout)["status"], ran.exit_code) == (status, code)


def test_the_page_stands_alone_and_escapes_everything(tmp_path: Path) -> None:
    """No script, no address from elsewhere, no markup of the trace."""
    evil = "<script>alert(1)</script> 3 + 4 = 8."
    file, html = tmp_path / "trace.json", tmp_path / "page.html"
    file.write_text(json.dumps({**TRACE, "steps": [*TRACE["steps"], evil]}))
    ran = run(tmp_path, "audit", str(file), "--html", str(html))
    assert ran.exit_code == 1
    page = html.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page
    assert "CONTRADICTED" in page


def test_bad_input_is_told_without_a_traceback(tmp_path: Path) -> None:
    """It says which form is understood."""
    file = tmp_path / "trace.json"
    file.write_text('{"steps": []}')
    ran = run(tmp_path, "audit", str(file))
    assert type(ran.exception).__name__ == "InputError"


def test_a_response_is_checked_against_its_conversation(tmp_path: Path) -> None:
    """With notes, and rewritten where that is asked for."""
    answer, said = tmp_path / "answer.txt", tmp_path / "chat.json"
    answer.write_text("The mast is 70 m high.")
    said.write_text(json.dumps([{"role": "user", "content": "The mast is 40 m high."}]))
    arguments = ["check", str(answer), "--conversation", str(said), "--rewrite", "correct"]
    ran = run(tmp_path, *arguments, "--json")
    shown = json.loads(ran.stdout)
    assert ran.exit_code == 1
    assert shown["notes"][0]["replacement"] == shown["rewritten"] == "The mast is 40 m high."
    assert {"mode", "claims", "summary", "request_id", "coverage"} <= shown.keys()
    assert "correct" in run(tmp_path, *arguments).stdout


def test_conversation_and_documents_are_not_mixed(tmp_path: Path) -> None:
    """One kind of evidence at a time, and at least one."""
    answer = tmp_path / "answer.txt"
    answer.write_text("The mast is 70 m high.")
    both = run(tmp_path, "check", str(answer), "--conversation", "x", "--against", str(answer))
    assert type(both.exception).__name__ == "InputError"
    none = run(tmp_path, "check", str(answer))
    assert type(none.exception).__name__ == "InputError"


def test_steps_are_benchmarked_by_set(tmp_path: Path) -> None:
    """False alarms, wrong steps caught and areas, for each set and over all."""
    rows = [
        {
            "id": f"{label}",
            "set": "s",
            "context": TRACE["context"],
            "answer": "480",
            "answer_label": label,
            "steps": [{"text": text, "label": label}],
        }
        for label, text in ((1, "12 × 40 = 480."), (0, "12 × 40 = 490."))
    ]
    data = tmp_path / "data.jsonl"
    data.write_text("\n".join(map(json.dumps, rows)))
    ran = run(tmp_path, "bench", "steps", str(data), "--json")
    shown = json.loads(ran.stdout)
    assert ran.exit_code == 0
    (one,) = shown["sets"]
    assert (one["rows"], one["caught"][0], one["false_alarms"][0]) == (2, 1.0, 0.0)
    assert one["auroc"][0] == 1.0
    assert "macro" in shown
    assert run(tmp_path, "bench", "steps", str(data), "--limit", "1").exit_code == 0
