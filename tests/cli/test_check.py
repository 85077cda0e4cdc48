"""`gw check` with the embedded judge on the examples and on bad days."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from groundwire.judge import EVIDENCE_REMOVED, Estimate
from groundwire.testing import ExternalJudgeServer
from tests.cli.conftest import Run

EXAMPLES = Path(__file__).parents[2] / "examples" / "check"
EVIDENCE = [str(EXAMPLES / "vik-substation.md"), str(EXAMPLES / "storm-report.md")]
ANSWER = str(EXAMPLES / "answer.md")


@pytest.fixture
def evidence(tmp_path: Path) -> str:
    path = tmp_path / "evidence.txt"
    path.write_text("The mast is 40 m high. It stands in Vik.")
    return str(path)


@pytest.fixture
def judged_by() -> Iterator[list[str]]:
    """Flags for a judge that believes what holds 40."""

    def judge(claim: str, context: str) -> Estimate:
        return Estimate(p=0.9 if "40" in claim and EVIDENCE_REMOVED not in context else 0.1)

    with ExternalJudgeServer(judge) as server:
        yield [
            "--set",
            "hallucination.backend.type=external",
            "--set",
            f"external.url={server.base_url}",
        ]


@pytest.fixture
def check_mast(
    gw_here: Run, tmp_path: Path, evidence: str, judged_by: list[str]
) -> Callable[..., int]:
    """Checks a text about the mast; gives the exit code."""

    def run(text: str, *flags: str) -> int:
        answer = tmp_path / "answer.txt"
        answer.write_text(text)
        done = gw_here(*judged_by, "check", str(answer), "--against", evidence, *flags)
        return done.returncode

    return run


def test_the_examples_planted_errors_are_found_and_nothing_true_is_accused(gw_here: Run) -> None:
    done = gw_here("check", ANSWER, "--against", *EVIDENCE, "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    found = {
        claim["claim"]: (claim["status"], claim["reason"])
        for claim in report["claims"]
        if claim["status"] != "grounded" or claim["reason"] == "phantom_citation"
    }
    planted = ("Jonas Trellevik", "410,000 euros", "prize", "12 February", "underground cable")
    for words in planted:
        assert sum(words in claim for claim in found) == 1
    true = {claim: found[claim][0] for claim in found if not any(one in claim for one in planted)}
    assert true == {}
    statuses = {words: found[claim][0] for claim in found for words in planted if words in claim}
    assert statuses == {
        "Jonas Trellevik": "contradicted",
        "410,000 euros": "contradicted",
        "prize": "unsupported",
        "12 February": "contradicted",
        "underground cable": "grounded",
    }
    text = (EXAMPLES / "answer.md").read_text()
    documents = {path: Path(path).read_text() for path in EVIDENCE}
    for claim in report["claims"]:
        assert text[claim["span"]["start"] : claim["span"]["end"]].strip()
        for quote in claim["evidence"]:
            document = documents[quote["doc_id"]]
            assert document[quote["start"] : quote["end"]] == quote["quote"]


def test_people_see_the_text_the_reasons_and_the_quotes(gw_here: Run) -> None:
    shown = gw_here("check", ANSWER, "--against", *EVIDENCE).stdout
    flat = " ".join(shown.split())
    assert "How did Vik do?" in flat
    assert "Upkeep cost 310,000 euros in 2023." in flat
    assert "Nearest, and no more than that: “Vik is the newest" in flat
    assert re.search(r"\d+ of \d+ claims grounded, 3 contradicted, 1 unsupported\.", flat)


def test_the_page_is_whole_by_itself_and_runs_nothing(
    gw_here: Run, tmp_path: Path, evidence: str, judged_by: list[str]
) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text("The mast is 40 m high. The mast is painted red. <script>alert(1)</script>")
    page = tmp_path / "pages" / "check.html"
    gw_here(*judged_by, "check", str(answer), "--against", evidence, "--html", str(page))
    content = page.read_text()
    tags: list[str] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append(tag)
            assert not any(name in ("src", "onclick") for name, _ in attrs)
            assert all(not (value or "").startswith("http") for name, value in attrs)

    Collector().feed(content)
    assert "script" not in tags
    assert tags.count("section") == 2
    assert "class='claim grounded'" in content
    assert "&lt;script&gt;" in content


def test_the_picture_is_an_svg_of_the_terminal(
    gw_here: Run, tmp_path: Path, evidence: str, judged_by: list[str]
) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text("The mast is 40 m high.")
    picture = tmp_path / "check.svg"
    gw_here(*judged_by, "check", str(answer), "--against", evidence, "--svg", str(picture))
    drawn = picture.read_text()
    assert drawn.startswith("<svg")
    assert "url(" not in drawn.replace("url(#", "")
    assert "40" in drawn


def test_a_text_comes_from_a_pipe(gw: Run, evidence: str, judged_by: list[str]) -> None:
    done = gw(*judged_by, "check", "-", "--against", evidence, stdin="The mast is 40 m high.")
    assert done.returncode == 0
    assert "1 of 1 claim grounded." in done.stdout


@pytest.mark.parametrize(
    ("text", "flags", "code"),
    [
        ("The mast is 40 m high.", [], 0),
        ("The mast is 50 m high.", [], 1),
        ("The mast is painted red.", [], 1),
        ("The mast is painted red.", ["--fail-on", "contradicted"], 0),
        ("The mast is 50 m high.", ["--fail-on", "nothing"], 0),
        ("The mast is 50 m high.", ["--fail-on", "flagged"], 1),
        ("The mast is 40 m high [9].", [], 1),
        ("The mast is 40 m high [9].", ["--fail-on", "unsupported"], 0),
        ("How high is it?", [], 3),
        ("How high is it?", ["--fail-on", "nothing"], 3),
    ],
)
def test_the_exit_code_says_how_it_went(
    check_mast: Callable[..., int], text: str, flags: list[str], code: int
) -> None:
    assert check_mast(text, *flags) == code


def test_what_could_not_be_verified_is_never_fine(
    gw_here: Run, tmp_path: Path, evidence: str
) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text("De mast is veertig meter hoog en staat in Vik, aan de rand van het dorp.")
    done = gw_here("check", str(answer), "--against", evidence, "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["mode"], report["reason"]) == (3, "ABSTAIN", "language")
    assert report["claims"][0]["status"] == "unverifiable"
    judged = gw_here(
        "--set", "judge.languages=any", "check", str(answer), "--against", evidence, "--json"
    )
    assert json.loads(judged.stdout)["mode"] == "ANSWER"


def test_evidence_may_be_a_folder(gw_here: Run, tmp_path: Path, judged_by: list[str]) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "mast.md").write_text("The mast is 40 m high.")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    answer = tmp_path / "answer.txt"
    answer.write_text("The mast is 40 m high.")
    done = gw_here(*judged_by, "check", str(answer), "--against", str(folder), "--json")
    (claim,) = json.loads(done.stdout)["claims"]
    assert claim["evidence"][0]["doc_id"] == "docs/mast.md"
    assert "left out" in done.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"   \n", "is empty"),
        (b"\x00\x01\x02\x03" * 100, "not text"),
        (b"caf\xe9 au lait is a drink", "UTF-8"),
        (b"The mast\x00 is high.", "is binary"),
    ],
)
def test_bad_files_get_a_clear_message_and_no_traceback(
    gw_here: Run, tmp_path: Path, evidence: str, content: bytes, message: str
) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(content)
    for answer, against in ((str(file), evidence), (evidence, str(file))):
        done = gw_here("check", answer, "--against", against)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert str(file) in done.stderr
        assert message.lower() in done.stderr.lower()


def test_a_missing_file_is_named(gw_here: Run, evidence: str) -> None:
    done = gw_here("check", "nowhere.md", "--against", evidence)
    assert done.returncode == 2
    assert "nowhere.md" in done.stderr
    assert "pipe it" in gw_here("check", "The mast is high.", "--against", evidence).stderr


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_huge_file_is_refused_unread(tmp_path: Path, evidence: str) -> None:
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from groundwire.cli import main\n"
        f"sys.argv = ['gw', 'check', {evidence!r}, '--against', {str(huge)!r}]\n"
        "try:\n    main()\n"
        "finally:\n    print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "50 MB" in done.stderr
    peak_kib = int(done.stdout)
    assert peak_kib < 150 * 1024


def test_what_was_not_read_is_named_and_leaves_the_result_open(
    gw_here: Run, tmp_path: Path, evidence: str
) -> None:
    """In the JSON, in the terminal and in the exit code: it might have said otherwise."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "mast.md").write_text(Path(evidence).read_text())
    (folder / "old.doc").write_text("x")
    (folder / "broken.json").write_text("{")
    answer = tmp_path / "answer.txt"
    answer.write_text("The mast is 40 m high. Is it red?")
    done = gw_here("check", str(answer), "--against", str(folder), "--json")
    coverage = json.loads(done.stdout)["coverage"]
    assert [one["path"] for one in coverage["unread"]] == ["papers/broken.json", "papers/old.doc"]
    assert (coverage["checked"], coverage["reasons"]) == (1, {"question": 1})
    assert done.returncode in (1, 3)
    shown = gw_here("check", str(answer), "--against", str(folder))
    assert "1 checked, 1 left out: 1 question; 2 files not read" in shown.stdout
    assert "papers/old.doc" in shown.stdout
