"""What a report denies is never its diagnosis [RULINGS, S0]."""

import pytest

from groundwire.config import Config, DiagnosisSection
from groundwire.diagnose import DiagnosisAgent, Retriever, build_agent, to_markdown
from groundwire.encoder import EmbeddedEmbedder
from groundwire.graph import CausalKnowledgeGraph
from groundwire.model import (
    Abstention,
    CausalEdge,
    CausalGraphFile,
    DiagnosisReport,
    EdgeEvidence,
    EvidenceBundle,
    Variable,
    edge_id,
    evidence_id,
)
from tests.graph.make import graph_of, variable

pytestmark = pytest.mark.anyio

SENTENCE = "The full disk on the log server stopped the nightly reports."
BUNDLE = EvidenceBundle.of(SENTENCE, "incident-7", title="Reports stopped in May")
CAUSE, EFFECT = "full disk on the log server", "nightly reports stopped"


def agent() -> DiagnosisAgent:
    edge = CausalEdge(
        id=edge_id("cause", "effect"),
        from_var="cause",
        to_var="effect",
        edge_status="grounded",
        belief=0.9,
        evidence=(
            EdgeEvidence(
                evidence_id=evidence_id(BUNDLE),
                quote={"doc_id": "incident-7", "quote": SENTENCE, "start": 0, "end": len(SENTENCE)},
            ),
        ),
    )
    graph = CausalGraphFile(
        variables=(Variable(id="cause", label=CAUSE), Variable(id="effect", label=EFFECT)),
        edges=(edge,),
        evidence={evidence_id(BUNDLE): BUNDLE},
    )
    settings = DiagnosisSection()
    return DiagnosisAgent(Retriever(CausalKnowledgeGraph(graph), None, settings), settings)


DENIALS = [
    "The disk on the log server isn\u2019t full.",
    "The disk on the log server is not full.",
    "The disk on the log server hasn't filled up.",
    "The log server has no full disk.",
    "We ruled out a full disk on the log server.",
    "There is no sign of a full disk on the log server.",
    "The disk on the log server is far from full.",
    "It can\u2019t be a full disk on the log server.",
    "The log server runs without a full disk.",
    "The disk on the log server was never full.",
    "The disk on the log server is healthy.",
    "Is the disk on the log server full? No.",
    "A full disk on the log server is unlikely.",
]


@pytest.mark.parametrize("denial", DENIALS)
async def test_a_denied_cause_is_not_named(denial: str) -> None:
    """The only known cause is denied, so there is none to name."""
    outcome = await agent().diagnose(f"The nightly reports stopped. {denial}")
    assert isinstance(outcome, Abstention)


async def test_without_the_denial_it_is_the_furthest_known_cause() -> None:
    """The same report with the cause stated names it, and says that no further cause is known."""
    report = "The nightly reports stopped. There is a full disk on the log server."
    outcome = await agent().diagnose(report)
    assert isinstance(outcome, DiagnosisReport)
    assert outcome.diagnosis.conclusion.root_cause == CAUSE
    assert "Furthest known cause" in to_markdown(outcome)


@pytest.mark.parametrize("report", ["The nightly reports stopped.", "The tomatoes have spots."])
async def test_past_incidents_are_shown_beside_every_outcome(report: str) -> None:
    """Also beside an abstention, labelled as what they are."""
    outcome = await agent().diagnose(report)
    shown = to_markdown(outcome)
    assert "Nearest past incidents" in shown
    assert "Reports stopped in May" in shown


OPPOSITES = [
    "The disk on the log server is empty.",
    "The disk on the log server is nearly empty.",
    "Disk on the log server: empty.",
]


@pytest.mark.parametrize("opposite", OPPOSITES)
async def test_the_opposite_state_is_a_denial(opposite: str) -> None:
    """An empty disk is not a full one: the chain from it is blocked."""
    outcome = await agent().diagnose(f"The nightly reports stopped. {opposite}")
    assert isinstance(outcome, Abstention)


async def test_an_observation_is_not_taken_for_its_opposite() -> None:
    """ "Log rotation is enabled" is no sign of disabled log rotation, nor of what disabled it."""
    said = (
        ("wrong deploy flag", "log rotation disabled", "A wrong deploy flag disabled it."),
        ("log rotation disabled", "full disk", "Disabled log rotation filled the disk."),
        ("full disk", "slow search", "The full disk caused slow search."),
    )
    rotation = variable("log rotation disabled", "disabled log rotation")
    graph = graph_of(*said, variables=(rotation,))
    known = build_agent(Config(), graph, embedder=EmbeddedEmbedder(threads=1))
    for state in ("is enabled", "works like a charm", "keeps running"):
        outcome = await known.diagnose(f"Users report slow search. Log rotation {state}.")
        assert isinstance(outcome, Abstention), state
    for state in ("is disabled", "is not enabled", "is off"):
        outcome = await known.diagnose(f"Users report slow search. Log rotation {state}.")
        assert isinstance(outcome, DiagnosisReport), state
        assert outcome.diagnosis.conclusion.root_cause == "wrong deploy flag"


@pytest.mark.parametrize("denial", ["The disk on the log server is not full.", *OPPOSITES])
async def test_a_known_cause_that_is_denied_is_said_to_be_ruled_out(denial: str) -> None:
    """Nobody says that no cause is known where the report denies the one that is."""
    outcome = await agent().diagnose(f"The nightly reports stopped. {denial}")
    assert isinstance(outcome, Abstention)
    said = f"A known cause of {EFFECT!r}, {CAUSE!r}, is ruled out by the report: “{denial}”"
    assert said in outcome.missing_knowledge
    assert f"No cause of {EFFECT!r} is known." not in outcome.missing_knowledge
    assert "rules out" in outcome.message


async def test_the_nearest_of_the_denied_causes_is_named() -> None:
    """Of a chain that is denied twice, the cause next to what was seen."""
    said = (
        ("log rotation disabled", "full disk", "Disabled log rotation filled the disk."),
        ("full disk", "slow search", "The full disk caused slow search."),
    )
    settings = DiagnosisSection()
    known = Retriever(CausalKnowledgeGraph(graph_of(*said)), None, settings)
    report = "Users report slow search. The disk is not full. Log rotation is not disabled."
    (ruled_out,) = known.retrieve(report).ruled_out
    assert (ruled_out.cause, ruled_out.statement) == ("full disk", "The disk is not full.")


async def test_people_read_of_a_causal_graph() -> None:
    """The page has no abbreviation; the record keeps the sentence of the specification."""
    outcome = await agent().diagnose("The tomatoes have spots and the pump stopped.")
    assert isinstance(outcome, Abstention)
    assert "CKG" not in to_markdown(outcome)
