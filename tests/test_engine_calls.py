"""Every command is one call of the engine, with parts made by the settings or given."""

import inspect
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

import groundwire
from groundwire import Engine
from groundwire.config import Config, load_config
from groundwire.errors import BackendError, ConfigError, InputError, SignatureRefused
from groundwire.judge import Backend, Estimate, Question
from groundwire.llm import LLMClient
from groundwire.model import Abstention
from groundwire.observe import AuditTrail
from groundwire.testing import Answer, HashingEmbedder, ScriptedModel
from groundwire.traces import ToolTrace
from tests.actions.helpers import output, write, wrote
from tests.diagnose.make import GRAPH, HOT
from tests.vocabularies import HALDEN

EVIDENCE = "The mast is 40 m high. It stands in Vik."


class Agreeing(Backend):
    name = "agreeing"
    context_words = 300
    threshold = 0.5

    def __init__(self) -> None:
        self.closed = False

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return [Estimate(p=0.9) for _ in questions]

    async def aclose(self) -> None:
        self.closed = True


def settings(**overrides: object) -> Config:
    return load_config(
        overrides={"evidence.embedder": "off"}
        | {key.replace("__", "."): value for key, value in overrides.items()}
    ).config


def test_every_call_has_a_twin_that_waits() -> None:
    """`name` is awaited and `name_sync` waits; both take the same arguments."""
    calls = {
        name: call
        for name, call in inspect.getmembers(Engine)
        if inspect.iscoroutinefunction(call) and not name.startswith("_") and name != "aclose"
    }
    assert {"ask", "check_signature", "ground", "index", "snapshot", "term"} <= calls.keys()
    for name, call in calls.items():
        twin = getattr(Engine, f"{name}_sync")
        assert twin.__name__ == f"{name}_sync"
        assert inspect.signature(twin) == inspect.signature(call)


@pytest.mark.anyio
async def test_an_engine_is_used_with_async_with_from_any_loop() -> None:
    """It closes what it opened, and opens again when it is used."""
    async with Engine(settings(), judge=Agreeing()) as engine:
        report = await engine.verify_claims("The mast is 40 m high.", EVIDENCE)
    assert report.claims[0].verifier.backend == "agreeing"
    assert not engine.loop.is_running
    assert (await engine.verify_claim("It stands in Vik.", EVIDENCE)).status == "grounded"
    await engine.aclose()


def test_a_given_judge_is_asked_and_left_open() -> None:
    """Whoever gave a judge closes it."""
    judge = Agreeing()
    with Engine(settings(hallucination__backend__type="self"), judge=judge) as engine:
        assert engine.verify_claim_sync("It stands in Vik.", EVIDENCE).status == "grounded"
        assert engine.parts.edge_parts.fingerprint == "agreeing"
    assert not judge.closed


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_given_language_model_stands_in_for_the_configured_one(wrapped: bool) -> None:  # noqa: FBT001
    """A provider or a client is used wherever the settings would make one."""
    model = ScriptedModel(Answer("YES", logprobs=({"YES": -0.01, "NO": -5.0},)))
    config = settings(hallucination__backend__type="haiku", llm__canaries=False)
    with Engine(config, llm=LLMClient(model) if wrapped else model) as engine:
        result = engine.verify_claim_sync("It stands in Vik.", EVIDENCE)
    assert (result.status, result.verifier.backend) == ("grounded", "haiku")
    assert len(model.asked) >= 2


def test_a_given_clock_dates_what_is_written_down(own_home: Path, tmp_path: Path) -> None:
    """Audit trail and snapshots have the time of the engine's clock."""
    moment = datetime(2031, 5, 6, tzinfo=UTC)
    with Engine(settings(), judge=Agreeing(), clock=moment.timestamp) as engine:
        engine.verify_claim_sync("It stands in Vik.", EVIDENCE)
        taken, path = engine.snapshot_sync(tmp_path, out=own_home / "s.json")
        trail = AuditTrail.of(engine.config)
        (row,) = trail.query()
        trail.close()
    assert row.moment.startswith("2031-05-06T00:00")
    assert taken.taken_at.startswith("2031-05-06T00:00")
    assert path.is_file()


def test_documents_indexed_by_an_engine_answer_it_at_once(tmp_path: Path) -> None:
    """A question before and after: there is no index, then there is an answer."""
    (tmp_path / "mast.md").write_text("# Mast\n\nThe mast is 40 m high.\n")
    with Engine(settings(), embedder=HashingEmbedder()) as engine:
        with pytest.raises(InputError, match="There is no index at"):
            engine.ask_sync("How high is the mast?")
        with pytest.raises(InputError, match="There is no index at"):
            engine.verify_identity_sync()
        with pytest.raises(InputError, match=r"nowhere does not exist"):
            engine.index_sync([tmp_path / "nowhere"])
        stages: set[str] = set()
        outcome = engine.index_sync(
            [tmp_path / "mast.md"], progress=lambda doing, _done, _of: stages.add(doing)
        )
        assert outcome.words.added == 1
        assert outcome.embedding is not None
        assert outcome.embedding.embedder == HashingEmbedder().name
        assert stages == {"Reading", "Embedding"}
        assert engine.verify_identity_sync().documents == 1
        answer = engine.ask_sync("How high is the mast?")
        assert answer.sources[0].quote == "The mast is 40 m high."
        assert engine.index_sync([tmp_path / "mast.md"], rebuild=True).words.added == 1
        assert engine.ask_sync("How high is the mast?").mode == "ANSWER"


def test_terms_come_and_go_with_their_vocabulary() -> None:
    """A vocabulary that is added answers, and one that is removed no longer does."""
    with Engine(settings()) as engine:
        with pytest.raises(ConfigError, match="There is no vocabulary"):
            engine.term_sync("CIMXML")
        engine.add_vocabularies_sync([HALDEN])
        (file,) = engine.vocabularies_sync().files
        report = engine.term_sync("CIMXML")
        assert report.mode == "ANSWER"
        picked = engine.term_sync("CIMXML", choice=report.concepts[0].uri)
        assert picked.definition == report.definition
        engine.remove_vocabulary_sync(Path(file.file).name)
        with pytest.raises(ConfigError, match="There is no vocabulary"):
            engine.term_sync("CIMXML")


def test_what_an_agent_did_is_checked_against_folder_trace_and_snapshot(tmp_path: Path) -> None:
    """Snapshot, claims from prose and trace, verdict, and the changes since."""
    folder = tmp_path / "project"
    folder.mkdir()
    with Engine(settings()) as engine:
        _, before = engine.snapshot_sync(folder, use_git=False)
        (folder / "app.py").write_text("x = 1\n")
        trace = ToolTrace([wrote("app.py", "x = 1\n", id="e1")], trace_id="run", cwd=str(folder))
        derived = engine.claims_from_trace_sync(trace, folder)
        assert [claim.type for claim in derived.claims] == ["file-write"]
        prose = engine.claims_from_text_sync("I created `app.py`.", [trace], folder, before=before)
        assert prose.claims
        result = engine.verify_output_sync(derived, [trace], folder, before=before)
        assert (result.valid, result.claims[0].status) == (True, "verified")
        (change,) = engine.changes_sync(folder, before, [trace])
        assert (change.path, change.change, change.made_by) == ("app.py", "added", ("e1",))


def test_a_verdict_is_signed_and_believed_once(tmp_path: Path) -> None:
    """The signed verdict of one engine is accepted by another, but not twice."""
    key = tmp_path / "key"
    key.write_text("5f" * 32)
    (tmp_path / "app.py").write_text("x = 1\n")
    given = output(write("app.py", "x = 1\n"))
    with Engine(settings()) as engine:
        result = engine.verify_output_sync(given, base_path=tmp_path)
        signed = engine.sign_verdict_sync(result, key, output=given, nonce="question-1")
        document = json.dumps(signed.model_dump(mode="json")).encode()
        asked = {"nonce": "question-1", "output": given}
        assert engine.check_signature_sync(document, key, **asked).valid  # type: ignore[arg-type]
        with pytest.raises(SignatureRefused, match="replay"):
            engine.check_signature_sync(document, key)


def test_a_diagnosis_and_an_edge_need_only_a_graph() -> None:
    """The evidence a graph carries is enough to test its edges again."""
    with Engine(settings()) as engine:
        assert not isinstance(engine.diagnose_sync(HOT, GRAPH), Abstention)
        edge = GRAPH.edges[0]
        outcome = engine.verify_edge_sync(edge.from_var, edge.to_var, graph=GRAPH)
    assert (outcome.edge.from_var, outcome.edge.to_var) == (edge.from_var, edge.to_var)


def test_what_waits_is_counted_without_being_verified() -> None:
    """A queue nobody put anything into is empty."""
    with Engine(settings()) as engine:
        assert engine.queued_sync() == engine.verify_queued_sync()


def test_the_public_names_are_those_of_all() -> None:
    """Everything `__all__` promises is there, the version among it."""
    assert {name for name in groundwire.__all__ if getattr(groundwire, name) is None} == set()
    assert groundwire.__version__[0].isdigit()
