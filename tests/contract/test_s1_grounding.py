"""S1, the grounding loop: names, defaults and rules as the document writes them."""

import pytest

from groundwire.config import Config, VerificationConfig
from groundwire.errors import EmbeddingFailed
from groundwire.evidence import Index, Indexer, Searcher
from groundwire.ground import (
    AdversarialVerdict,
    GroundingRetriever,
    LoopState,
    VerificationVerdict,
    normal_form,
)
from groundwire.llm import portable_schema
from groundwire.model import CausalEdge, DraftEdge
from groundwire.observe import metrics
from tests.ground.make import hypothesis, write_reports


def test_s1_step_7_every_row_of_the_table_with_its_default() -> None:
    """[S1 step 7] The section's own defaults are the table's."""
    table = {
        "max_judge_iterations": 3,
        "grounding_confidence_threshold": 0.6,
        "enable_adversarial_pass": True,
        "judge_model": "gemini-2.5-pro",
        "llm_semaphore_limit": 8,
        "max_retries": 5,
        "backoff_base": 2,
        "backoff_jitter_max": 5,
    }
    assert VerificationConfig().model_dump(include=set(table)) == table


def test_s1_step_3_the_verdict_has_the_documents_fields() -> None:
    """[S1 step 3, S1 step 5] No field more, and two more for the adversarial pass."""
    fields = {
        "is_grounded",
        "support_type",
        "supporting_quote",
        "rejection_reason",
        "confidence",
        "suggested_refinement_query",
    }
    schema = portable_schema(VerificationVerdict)
    assert set(schema["properties"]) == fields
    assert schema["properties"]["support_type"]["enum"] == [
        "direct_causal",
        "correlation_only",
        "irrelevant",
    ]
    added = set(portable_schema(AdversarialVerdict)["properties"]) - fields
    assert added == {"alternative_explanations", "still_grounded"}


def test_s1_step_3_the_loop_state_has_the_documents_fields() -> None:
    """[S1 step 3] A loop begins with nothing asked and nothing judged."""
    state = LoopState(max_iterations=3)
    assert (state.attempted_queries, state.iteration, state.verdicts) == (set(), 0, [])


def test_s1_step_2_drafts_carry_no_citation_and_edges_begin_as_drafts() -> None:
    """[S1 step 2] Whoever drafts an edge says nothing about its evidence."""
    assert set(DraftEdge.model_fields) == {
        "from_var",
        "to_var",
        "sign",
        "mechanism",
        "strength",
        "chain_of_thought",
    }
    assert CausalEdge(id="a->b", from_var="a", to_var="b").edge_status == "draft"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Effect of X on Y", "effect, of x on Y?"), ("the disk  fills", "Disk fills!")],
)
def test_s1_rulings_queries_are_compared_in_their_normal_form(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)


class DeadEmbedder:
    name = "dead"
    dimension = 4

    def embed(self, texts: object) -> object:
        raise EmbeddingFailed("The service is gone.")


@pytest.mark.anyio
async def test_s1_rulings_without_vectors_evidence_is_found_by_words(tmp_path: object) -> None:
    from pathlib import Path

    folder = write_reports(Path(str(tmp_path)) / "docs")
    config = Config()
    metrics.cache_clear()
    with Index(Path(str(tmp_path)) / "index.sqlite") as index:
        Indexer(index, config.evidence, config.limits).run([folder])
        searcher = Searcher(
            index,
            thresholds=config.evidence.thresholds,
            embedder=DeadEmbedder(),  # type: ignore[arg-type]
        )
        retriever = GroundingRetriever(searcher, passages_per_side=2)
        queries, found = await retriever.retrieve(hypothesis("full disk", "write error"))
    assert queries == [
        "full disk causes write error",
        "write error not caused by full disk",
        "write error causes full disk",
    ]
    assert {passage.bundle.source.doc_id for passage in found} >= {"docs/one.md", "docs/two.md"}
    sides = [
        metrics().value("grounding_queries_total", side=side)
        for side in ("support", "refute", "reversed")
    ]
    assert sides == [1, 1, 1]
