"""`gw check` with a language model as judge: the real SDK against servers on this machine."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from groundwire.judge import known_answer
from groundwire.testing import Answer, Asked, Fault, FaultKind, OpenAIServer, Reply
from tests.cli.conftest import Run

pytest.importorskip("openai")

NO_RETRIES = ("--set", "verification.max_retries=0")
QUICK = (*NO_RETRIES, "--set", "llm.canaries=false")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    answer, evidence = tmp_path / "answer.txt", tmp_path / "evidence.txt"
    answer.write_text("The mast is painted red. The mast stands in Moss.")
    evidence.write_text("The mast is painted red. It stands in Vik.")
    return str(answer), str(evidence)


@pytest.fixture
def model() -> Iterator[OpenAIServer]:
    """A model that believes what is red, if the evidence says so."""

    def respond(asked: Asked) -> Answer:
        given = asked.prompt.partition("Claim:")
        believes = "red" in given[2] and "red" in given[0]
        return Answer(
            "YES" if believes else "NO",
            logprobs=({"YES": -0.05, "NO": -3.0},) if believes else ({"NO": -0.05, "YES": -3.0},),
        )

    with OpenAIServer(respond) as server:
        yield server


def check(
    gw: Run,
    files: tuple[str, str],
    base_url: str,
    *before: str,
    given: Sequence[str] = QUICK,
) -> tuple[int, str, str]:
    answer, evidence = files
    done = gw(
        *given, *before, "check", answer, "--against", evidence, "--backend", "self",
        "--provider", "openai", "--base-url", base_url, "--model", "some-model", "--json",
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_a_language_model_judges_by_flags_alone(
    gw_here: Run, files: tuple[str, str], model: OpenAIServer
) -> None:
    code, out, _ = check(gw_here, files, model.base_url, "--set", "hallucination.batch_size=1")
    claims = json.loads(out)["claims"]
    assert [claim["status"] for claim in claims] == ["grounded", "unsupported"]
    assert {claim["verifier"]["backend"] for claim in claims} == {"self"}
    assert code == 1
    row, *_ = json.loads(gw_here("audit-log", "--json").stdout)
    assert row["detail"]["prompt_hash"]


@pytest.mark.parametrize(
    ("kind", "reason", "word"),
    [
        ("wrong_key", "backend_refused", "key"),
        ("unknown_model", "backend_refused", "some-model"),
        ("not_json", "backend_malformed", "JSON"),
        ("rate_limited", "backend_rate_limited", "rate"),
    ],
)
def test_what_fails_says_what_to_set_and_ends_with_three(
    gw_here: Run, files: tuple[str, str], kind: FaultKind, reason: str, word: str
) -> None:
    with OpenAIServer(Fault(kind)) as server:
        code, out, err = check(gw_here, files, server.base_url)
    report = json.loads(out)
    assert (code, report["mode"], report["reason"]) == (3, "ABSTAIN", reason)
    assert word.lower() in report["message"].lower()
    assert "Traceback" not in err
    assert all(claim["p1"] is None for claim in report["claims"])


@pytest.mark.parametrize("word", ["YES", "NO"])
def test_a_server_that_says_the_same_to_all_ends_with_three(
    gw_here: Run, tmp_path: Path, word: str
) -> None:
    """[RULINGS second edition] judge health is a gate, for one claim as for several."""
    evidence = tmp_path / "evidence.txt"
    evidence.write_text("The mast is painted red. It stands in Vik. It was built by Ida.")
    answer = tmp_path / "answer.txt"
    for text in ("The mast is green.", "It is green. It is tall. It is old. Ida painted it."):
        answer.write_text(text)
        given = Answer(word, logprobs=({word: -0.01},))
        with OpenAIServer(given) as server:
            files = (str(answer), str(evidence))
            code, out, _ = check(gw_here, files, server.base_url, given=NO_RETRIES)
        report = json.loads(out)
        assert (code, report["mode"], report["reason"]) == (3, "ABSTAIN", "judge_unhealthy")
        assert {claim["status"] for claim in report["claims"]} == {"unverifiable"}
        assert "known answers" in report["message"]


def answering_known(model: OpenAIServer) -> OpenAIServer:
    """The same model, which knows what every model knows besides."""
    respond = model._responder

    def knowing(asked: Asked) -> Reply:
        shown = re.findall(r"<(data-\w+)>\n(.*?)\n</\1>", asked.prompt, re.DOTALL)
        known = known_answer(shown[1][1], shown[0][1]) if len(shown) > 1 else None
        word = {True: "YES", False: "NO", None: None}[known]
        return respond(asked) if word is None else Answer(word, logprobs=({word: -0.01},))

    model._responder = knowing
    return model


def test_a_healthy_model_is_examined_once_and_not_again_by_the_next_command(
    gw_here: Run, files: tuple[str, str], model: OpenAIServer
) -> None:
    asked = []
    for _ in range(2):
        before = len(model.asked)
        settings = ("--set", "hallucination.batch_size=1", "--set", "hallucination.cache_disk_mb=0")
        code, out, _ = check(
            gw_here, files, answering_known(model).base_url, *settings, given=NO_RETRIES
        )
        assert [one["status"] for one in json.loads(out)["claims"]] == ["grounded", "unsupported"]
        assert code == 1
        asked.append(len(model.asked) - before)
    assert asked[0] - asked[1] == 4


def test_a_model_that_answers_in_prose_is_given_up_with_a_clear_word(
    gw_here: Run, files: tuple[str, str]
) -> None:
    with OpenAIServer("Well, that depends on what you mean by a mast.") as server:
        code, out, _ = check(gw_here, files, server.base_url, given=NO_RETRIES)
        asked = len(server.asked)
    report = json.loads(out)
    assert (code, report["reason"]) == (3, "backend_malformed")
    assert "prose" in report["message"]
    assert asked <= 10


def test_a_host_that_cannot_be_reached_is_named(gw_here: Run, files: tuple[str, str]) -> None:
    code, out, _ = check(gw_here, files, "http://127.0.0.1:9/v1")
    report = json.loads(out)
    assert (code, report["reason"]) == (3, "backend_unavailable")
    assert "127.0.0.1:9" in report["message"]


def test_a_missing_key_is_bad_configuration(gw_here: Run, files: tuple[str, str]) -> None:
    answer, evidence = files
    done = gw_here(
        "check", answer, "--against", evidence, "--backend", "self", "--model", "some-model"
    )
    assert done.returncode == 2
    assert "OPENAI_API_KEY" in done.stderr


def test_spec_08_42_what_met_the_rate_limit_waits_and_is_verified_later(
    gw_here: Run, files: tuple[str, str], model: OpenAIServer
) -> None:
    """[SPEC-08.42] Rate limit: queued, and verified once the model takes claims again."""
    with OpenAIServer(Fault("rate_limited")) as server:
        _, _, err = check(gw_here, files, server.base_url)
    assert "2 claims met the rate limit" in err
    again = gw_here("queue", "--json")
    assert (again.returncode, json.loads(again.stdout)["waiting"]) == (3, 2)
    settings = ("llm.model=some-model", f"llm.base_url={model.base_url}")
    done = gw_here(
        *QUICK,
        *(part for one in settings for part in ("--set", one)),
        *("--set", "hallucination.backend.type=self"),
        "queue",
        "--run",
        "--json",
    )
    assert json.loads(done.stdout) == {
        "verified": 2,
        "waiting": 0,
        "given_up": 0,
        "promoted": 0,
        "evicted": 0,
    }
    rows = json.loads(gw_here("audit-log", "--json").stdout)
    assert sorted(row["status"] for row in rows[:2]) == ["grounded", "unsupported"]
