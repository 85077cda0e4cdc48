import sys
import time
from pathlib import Path

import pytest
from training.whole import ENDED, PROCESS, Steps, look, run

# stands for `training.session`: writes what it was asked, and fails where the test says so
STEP = """
import pathlib, sys, time
step, data = sys.argv[1], pathlib.Path(sys.argv[sys.argv.index("--data") + 1])
with (data / "asked").open("a") as asked:
    asked.write(" ".join(sys.argv[1:]) + "\\n")
if step in (data / "fails").read_text().split():
    sys.exit(3)
if step == "distil":
    while "--written" in sys.argv and not (data / "labels_end").exists():
        time.sleep(0.05)
    if int(sys.argv[sys.argv.index("--tokens") + 1]) > int((data / "most_tokens").read_text()):
        sys.exit("torch.OutOfMemoryError: CUDA out of memory")
if step == "label-chat":
    (data / "labels_end").touch()
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "step.py").write_text(STEP)
    (tmp_path / "fails").write_text("")
    (tmp_path / "most_tokens").write_text("100000")
    (tmp_path / "blocks.bin").touch()
    return tmp_path


def ended(data: Path) -> int:
    with Steps(data, [sys.executable, str(data / "step.py")]) as steps:
        return run(steps, data, until=time.time() + 60, tokens=40_000, written_seconds=1)


def asked(data: Path, step: str) -> list[str]:
    lines = (data / "asked").read_text().splitlines()
    return [line for line in lines if line.split()[0] == step]


def test_the_student_learns_from_what_the_teacher_said(data: Path) -> None:
    """Every step is asked for once, and the student for what was written."""
    assert ended(data) == 0
    assert len(asked(data, "plan")) == 3
    (student,) = asked(data, "distil")
    assert "--written" in student


def test_nothing_is_waited_for_that_is_not_coming(data: Path) -> None:
    """A teacher that dies leaves a student that learns from labels; a first step that fails ends
    the run."""
    (data / "fails").write_text("label-chat write")
    assert ended(data) == 0
    (data / "fails").write_text("rerank")
    assert ended(data) == 1
    assert len(asked(data, "distil")) == 1


def test_a_student_that_runs_out_of_memory_begins_again_smaller(data: Path) -> None:
    """With half the tokens, until it fits."""
    (data / "most_tokens").write_text("10000")
    assert ended(data) == 0
    sizes = [line.split("--tokens ")[1].split()[0] for line in asked(data, "distil")]
    assert sizes == ["40000", "20000", "10000"]


def test_another_fault_is_not_tried_again(data: Path) -> None:
    """Only memory is a reason to begin again."""
    (data / "fails").write_text("distil")
    assert ended(data) == 3
    assert len(asked(data, "distil")) == 1


def test_without_a_decoder_there_is_no_teacher(data: Path) -> None:
    """The student then learns from labels alone."""
    (data / "blocks.bin").unlink()
    assert ended(data) == 0
    assert not asked(data, "write")
    assert "--written" not in asked(data, "distil")[0]


def test_what_is_there_is_not_made_again(data: Path) -> None:
    """Ranks and opinions of an earlier session are learnt from as they are."""
    (data / "ranks.npy").touch()
    (data / "labels_end").touch()
    assert ended(data) == 0
    assert not asked(data, "rerank")
    assert not asked(data, "label-chat")
    assert "--written" in asked(data, "distil")[0]


def test_a_look_returns_at_once_where_nothing_runs(data: Path) -> None:
    """Whether the run ended, died or was never begun: looking costs no time."""
    (data / "logs").mkdir()
    (data / "logs" / "student.log").write_text("one\ntwo\nthree\nfour\n")
    begun = time.monotonic()
    assert look(data, 60) == "running: False\n== student\ntwo\nthree\nfour"
    (data / PROCESS).write_text("999999999")
    assert look(data, 60).startswith("running: False")
    (data / ENDED).touch()
    assert look(data, 60).startswith("running: False")
    assert time.monotonic() - begun < 30
