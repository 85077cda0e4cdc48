"""From files to a graph."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.config import Config, load_config
from groundwire.errors import InputError, UnreadableSource
from groundwire.graph import load_graph, save_graph
from groundwire.ground import GroundingReport, GroundingSession, VerificationVerdict
from groundwire.ground._extract import WordingExtractor
from groundwire.ground._session import EdgeParts
from groundwire.ground._types import AdversarialVerdict, Hypothesis, LoopState, Passage
from groundwire.observe import AuditTrail
from tests.ground.make import write_reports

pytestmark = pytest.mark.anyio


def settings(**overrides: object) -> Config:
    return load_config(overrides={"evidence.embedder": "off", **overrides}).config


async def grounded(folder: Path, config: Config, **given: object) -> GroundingReport:
    async with GroundingSession(config, [folder], **given) as session:  # type: ignore[arg-type]
        report = await session.run()
        session.finish()
    return report


async def test_documents_become_a_graph_of_tested_edges(tmp_path: Path, own_home: Path) -> None:
    folder = write_reports(tmp_path / "docs")
    report = await grounded(folder, settings())
    graph = report.graph
    by_id = {edge.id: edge for edge in graph.edges}
    assert set(by_id) == {
        "full_disk->write_error",
        "missing_readings->late_settlement",
        "stopped_archive_job->full_disk",
        "write_error->missing_readings",
    }
    assert {edge.edge_status for edge in graph.edges} == {"grounded"}
    assert len(by_id["full_disk->write_error"].evidence) == 2
    assert report.set_aside == {"correlation": 1, "hypothetical": 1, "negated": 1}
    assert graph.run.documents == 3
    assert graph.run.canaries > 0
    assert graph.run.canaries_accepted == 0
    assert graph.fixes[0].fix == "The archive job was started again."
    assert list((own_home / "grounding").iterdir()) == []


async def test_every_quote_stands_in_its_document_where_it_says(tmp_path: Path) -> None:
    folder = write_reports(tmp_path / "docs")
    graph = (await grounded(folder, settings())).graph
    quotes = [one.quote for edge in graph.edges for one in (*edge.evidence, *edge.refutations)]
    assert quotes
    for quote in quotes:
        text = (tmp_path / quote.doc_id).read_text(encoding="utf-8")
        assert text[quote.start : quote.end] == quote.quote


async def test_the_graph_can_be_loaded_without_a_problem(tmp_path: Path) -> None:
    graph = (await grounded(write_reports(tmp_path / "docs"), settings())).graph
    save_graph(graph, tmp_path / "graph.json")
    loaded = load_graph(tmp_path / "graph.json")
    assert loaded.problems == ()
    assert loaded.file == graph


async def test_every_verdict_is_in_the_audit_trail_with_its_searches(
    tmp_path: Path, own_home: Path
) -> None:
    """[S1 step 4, S1 step 7] Grounded or rejected, each edge can be looked up with its loop."""
    config = settings()
    trail = AuditTrail(
        own_home / "audit.sqlite", retention=config.audit.retention, max_rows=config.audit.max_rows
    )
    report = await grounded(write_reports(tmp_path / "docs"), config, audit=trail)
    rows = trail.query(operation="edge")
    assert len(rows) == report.graph.run.drafted
    assert all(row.detail["edge"]["attempted_queries"] for row in rows)
    assert all(row.detail["verdicts"] for row in rows)
    assert trail.query(operation="edge_canary", status="rejected")
    assert trail.query(operation="edge", source="docs/one.md")
    trail.close()


async def test_a_document_without_causes_gives_an_empty_graph(tmp_path: Path) -> None:
    (tmp_path / "calm.md").write_text("The sky is blue.\n", encoding="utf-8")
    report = await grounded(tmp_path / "calm.md", settings())
    assert report.graph.edges == ()
    assert report.graph.run.acceptance_rate is None


async def test_an_empty_document_alone_is_bad_input_and_among_others_is_named(
    tmp_path: Path,
) -> None:
    (tmp_path / "empty.md").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no document to ground") as refused:
        await grounded(tmp_path / "empty.md", settings())
    assert "is empty" in str(refused.value)
    folder = write_reports(tmp_path / "docs")
    (folder / "empty.md").write_text("", encoding="utf-8")
    report = await grounded(folder, settings())
    assert [Path(one.path).name for one in report.refused] == ["empty.md"]
    assert report.graph.run.documents == 3
    with pytest.raises(UnreadableSource):
        await grounded(tmp_path / "nowhere.md", settings())


class YesJudge:
    """Grounds whatever it is shown, quoting the first passage whole."""

    name = "yes"

    async def judge(self, hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict:
        quote = next(iter(state.passages.values())).bundle.content
        return VerificationVerdict(
            is_grounded=True, support_type="direct_causal", supporting_quote=quote, confidence=1.0
        )

    async def attack(
        self, hypothesis: Hypothesis, passages: Sequence[Passage]
    ) -> AdversarialVerdict:
        raise NotImplementedError


async def test_a_judge_that_accepts_planted_edges_is_called_broken(tmp_path: Path) -> None:
    """Its quotes name both variables and deny nothing, so only the canaries show it."""
    (tmp_path / "one.md").write_text(
        "A leak caused a crash. The crash moved on. The night was dark; rain led to floods.\n",
        encoding="utf-8",
    )
    parts = EdgeParts(WordingExtractor(), lambda _reader: YesJudge(), "yes")
    config = settings(**{"verification.enable_adversarial_pass": False})
    run = (await grounded(tmp_path / "one.md", config, parts=parts)).graph.run
    assert run.canaries_accepted > 0
    assert any(warning.startswith("judge_broken") for warning in run.warnings)


class Stopped(Exception):
    pass


async def test_a_run_that_was_stopped_goes_on_and_ends_the_same(
    tmp_path: Path, own_home: Path
) -> None:
    folder = write_reports(tmp_path / "docs")
    whole = (await grounded(folder, settings())).graph

    def stop_after_two(doing: str, done: int, _of: int) -> None:
        if doing == "Grounding" and done == 2:
            raise Stopped

    with pytest.raises(Stopped):
        async with GroundingSession(settings(), [folder], progress=stop_after_two) as session:
            await session.run()
    (ledger,) = (own_home / "grounding").glob("????????????????.sqlite")
    with closing(sqlite3.connect(ledger)) as connection, connection:
        assert connection.execute("SELECT count(*) FROM outcome").fetchone()[0] >= 1
    resumed = await grounded(folder, settings())
    assert resumed.resumed >= 1
    assert resumed.graph == whole


async def test_changed_documents_begin_anew(tmp_path: Path) -> None:
    folder = write_reports(tmp_path / "docs")
    async with GroundingSession(settings(), [folder]) as session:
        await session.run()
    (folder / "three.md").write_text("A storm led to floods.\n", encoding="utf-8")
    report = await grounded(folder, settings())
    assert report.resumed == 0
    assert "storm->flood" in {edge.id for edge in report.graph.edges}


async def test_evidence_may_come_from_another_index(tmp_path: Path) -> None:
    from groundwire.evidence import Index, Indexer

    folder = write_reports(tmp_path / "docs")
    other = tmp_path / "other"
    other.mkdir()
    (other / "report.md").write_text("The full disk caused write errors.\n", encoding="utf-8")
    config = settings()
    with Index(tmp_path / "other.sqlite") as index:
        Indexer(index, config.evidence, config.limits).run([other])
    report = await grounded(folder, config, evidence_index=tmp_path / "other.sqlite")
    grounded_ids = {edge.id for edge in report.graph.edges if edge.edge_status == "grounded"}
    assert grounded_ids == {"full_disk->write_error"}
