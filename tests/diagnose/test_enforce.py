"""A draft may say anything; what comes out says nothing the report and the graph do not."""

import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from groundwire.diagnose import DiagnosisAgent, Retriever, enforce, to_markdown
from groundwire.graph import coverage_of
from groundwire.model import (
    Conclusion,
    CoverageReport,
    Diagnosis,
    DiagnosisContext,
    DiagnosisReport,
    FixTaken,
    GroundedFact,
    Hypothesis,
    Observation,
)
from tests.diagnose.make import CKG, DRAW_ONLY, FIX, GRAPH, HOT

pytestmark = pytest.mark.anyio

RETRIEVER = Retriever(CKG)
CONTEXT = RETRIEVER.retrieve(HOT)


def enforced(report: str = HOT, **parts: Any) -> tuple[Diagnosis, list[tuple[str, str]]]:
    context = RETRIEVER.retrieve(report)
    held, problems = enforce(Diagnosis(**parts), context, coverage_of(context))
    return held, [(problem.type, problem.fix) for problem in problems]


def test_an_observation_must_stand_in_the_report_word_for_word() -> None:
    given = ("VCORE  725mV\nusage is 29.32 %.", "VCORE 725mV usage is 92.32 %.")
    held, problems = enforced(observations=tuple(Observation(text=one) for one in given))
    assert [one.text for one in held.observations] == ["VCORE 725mV usage is 29.32 %."]
    assert problems == [("OBSERVATION_NOT_VERBATIM", "remove")]


def test_when_no_observation_is_left_the_report_is_quoted() -> None:
    held, _ = enforced(observations=(Observation(text="It was hot."),))
    assert [one.text for one in held.observations] == [
        "VCORE 725mV usage is 29.32 %.",
        "SoC power draw is 5.7 W.",
    ]


def test_a_fact_is_worded_by_its_evidence_not_by_the_draft() -> None:
    lie = GroundedFact(
        text="SoC power draw of 99 W causes CM voting",
        nodes=("raised VCORE ceiling", "CM voting"),
    )
    held, problems = enforced(ckg_grounded_facts=(lie,))
    (fact,) = held.ckg_grounded_facts
    assert fact.nodes == ("CM voting", "raised VCORE ceiling")
    assert fact.text == (
        "CM voting → raised VCORE ceiling: “CM voting caused the raised VCORE ceiling.”"
    )
    assert [quote.doc_id for quote in fact.evidence] == ["report-0"]
    assert problems == []


@pytest.mark.parametrize(
    ("nodes", "problem"),
    [
        ((), "FACT_WITHOUT_NODES"),
        (("CM voting", "the weather"), "UNKNOWN_NODE"),
        (("CM voting", "high SoC power draw"), "UNGROUNDED_LINK"),
        (("CM voting",), "UNGROUNDED_LINK"),
    ],
)
def test_a_fact_without_an_edge_is_at_most_a_hypothesis(
    nodes: tuple[str, ...], problem: str
) -> None:
    """[S0 2] CKG-grounded facts must include `nodes` references."""
    held, problems = enforced(
        ckg_grounded_facts=(GroundedFact(text="The ceiling stays.", nodes=nodes),)
    )
    assert problems == [(problem, "downgrade_to_hypothesis")]
    assert "The ceiling stays." in [one.text for one in held.hypotheses]
    assert all(fact.nodes and fact.evidence for fact in held.ckg_grounded_facts)


def test_a_hypothesis_brings_no_new_number() -> None:
    """[S0 2, RULINGS] by value and unit: 0.725 V is the 725 mV of the report."""
    texts = (
        "At 0.725 V it is used.",
        "At 0.726 V it is used.",
        "It draws 5700 mW.",
        "It is 6.1 W.",
    )
    held, problems = enforced(hypotheses=tuple(Hypothesis(text=one) for one in texts))
    assert [one.text for one in held.hypotheses] == [texts[0], texts[2]]
    assert problems == [("UNSUPPORTED_METRIC", "remove")] * 2


def test_the_parts_of_a_hypothesis_are_held_to_the_same() -> None:
    given = Hypothesis(
        text="The vote stays.",
        why=("It was at 29.32 %.", "It was at 31 %."),
        what_would_confirm=("Read the usage.", "Wait 40 minutes."),
    )
    held, _ = enforced(hypotheses=(given,))
    assert held.hypotheses[0].why == ("It was at 29.32 %.",)
    assert held.hypotheses[0].what_would_confirm == ("Read the usage.",)


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ("Ask Berlin about the usage.", "UNKNOWN_NAME"),
        ("Restart `etcd` and look at the usage.", "UNKNOWN_NAME"),
        ("Drink tea.", "BOUND_TO_NOTHING"),
        ("Run rm -rf /var on the SoC.", "DANGEROUS_STEP"),
    ],
)
def test_next_steps_name_nobody_new_and_destroy_nothing(step: str, problem: str) -> None:
    """[RULINGS, second edition, S0]"""
    held, problems = enforced(next_steps=(step, "Look at the usage."))
    assert held.next_steps == ("Look at the usage.",)
    assert problems == [(problem, "remove")]


def test_next_steps_bring_no_new_number_either() -> None:
    held, _ = enforced(next_steps=("Cool it to 20 °C.", "Look at the votes."))
    assert held.next_steps == ("Look at the votes.",)


@pytest.mark.parametrize("claimed", ["PowerHal boost", "the moon", "high SoC power draw"])
def test_a_root_cause_the_graph_does_not_single_out_is_a_hypothesis(claimed: str) -> None:
    given = Conclusion(root_cause=claimed, confidence="high", justification=("I know it.",))
    held, problems = enforced(conclusion=given)
    assert held.conclusion.root_cause == "CM voting"
    assert ("UNGROUNDED_ROOT_CAUSE", "downgrade_to_hypothesis") in problems
    assert held.hypotheses[-1].text == f"The root cause may be: {claimed}."
    assert held.hypotheses[-1].confidence == "low"


def test_tied_causes_leave_the_root_cause_unknown() -> None:
    given = Conclusion(root_cause="CM voting", confidence="high")
    held, _ = enforced(DRAW_ONLY, conclusion=given)
    assert (held.conclusion.root_cause, held.conclusion.confidence) == ("UNKNOWN", "low")


def test_confidence_has_a_ceiling_and_may_be_lower() -> None:
    noisy = f"{HOT} The fan noise is 60 dB."
    sure = Conclusion(root_cause="cm voting", confidence="high")
    held, problems = enforced(noisy, conclusion=sure)
    assert (held.conclusion.root_cause, held.conclusion.confidence) == ("CM voting", "low")
    assert ("CONFIDENCE_TOO_HIGH", "lower") in problems
    unsure = Conclusion(root_cause="SW_REQ2", confidence="low")
    assert enforced(conclusion=unsure)[0].conclusion.confidence == "low"
    assert enforced(conclusion=sure)[0].conclusion.confidence == "high"


def test_no_coverage_is_never_high() -> None:
    """[S0 2] Conclusion cannot be high-confidence unless there are root causes and chains."""
    empty = DiagnosisContext(input_text=HOT)
    given = Diagnosis(conclusion=Conclusion(root_cause="CM voting", confidence="high"))
    held, _ = enforce(given, empty, CoverageReport())
    assert (held.conclusion.root_cause, held.conclusion.confidence) == ("UNKNOWN", "low")


def test_a_justification_cites_what_was_seen_or_what_is_known() -> None:
    reasons = (
        "The draw is what it is.",
        "CM voting leads to the usage.",
        "It is 29.32 % at 900 mV.",
    )
    given = Conclusion(root_cause="CM voting", confidence="low", justification=reasons)
    held, problems = enforced(conclusion=given)
    assert held.conclusion.justification == ("CM voting leads to the usage.",)
    assert ("UNSUPPORTED_JUSTIFICATION", "remove") in problems
    assert ("UNSUPPORTED_METRIC", "remove") in problems


def test_fixes_are_chosen_from_the_graph_and_never_worded() -> None:
    given = (FixTaken(case_id="fix_7", fix="Reboot 9 times."), FixTaken(case_id="fix_8", fix="x"))
    held, problems = enforced(historical_fixes=given)
    assert held.historical_fixes == (FixTaken(case_id="fix_7", fix=FIX.fix),)
    assert problems == [("UNKNOWN_FIX", "remove")]


def test_a_draft_that_keeps_to_the_rules_comes_out_as_it_went_in() -> None:
    held, _ = enforced()
    again, problems = enforced(**dict(held))
    assert again == held
    assert problems == []


def test_a_huge_draft_is_cut() -> None:
    words = "It may be so. " * 10_000
    held, _ = enforced(hypotheses=tuple(Hypothesis(text=f"{words}{one}") for one in "abc" * 50))
    assert sum(len(one.text) for one in held.hypotheses) < 100_000


# a drafting model that lies on purpose: numbers of every shape, anywhere a draft has room

_UNITS = st.sampled_from(
    ["", " V", "mV", " %", "%", " °C", " W", " ms", " times", "x", " MHz", "k"]
)
_SPELT = st.sampled_from(["ninety-one", "forty-four thousand", "two hundred and six"])
_NUMBERS = st.one_of(
    st.integers(10, 10**9).map(str),
    st.floats(0.01, 1e6).map(lambda value: f"{value:.3f}"),
    st.integers(1000, 10**7).map(lambda value: f"{value:,}"),
)
_NUMERIC = st.builds(lambda number, unit: number + unit, _NUMBERS, _UNITS)
_LIES = st.one_of(_NUMERIC, _SPELT)
_SENTENCES = st.builds(
    lambda before, lie, after: f"{before} {lie} {after}",
    st.sampled_from(["VCORE 725mV usage is", "CM voting at", "Between 29.32 % and", "It is"]),
    _LIES,
    st.sampled_from(["now.", "in the night, so it is CM voting.", "", "or 5.7 W."]),
)
_TEXTS = st.lists(_SENTENCES, max_size=2).map(tuple)
_NODES = st.lists(st.sampled_from([one.label for one in GRAPH.variables]), max_size=3).map(tuple)
_CONFIDENCE = st.sampled_from(["low", "medium", "high"])
_LYING_DRAFTS = st.builds(
    Diagnosis,
    observations=_TEXTS.map(lambda texts: tuple(Observation(text=one) for one in texts)),
    ckg_grounded_facts=st.lists(
        st.builds(GroundedFact, text=_SENTENCES, nodes=_NODES), max_size=2
    ).map(tuple),
    hypotheses=st.lists(
        st.builds(
            Hypothesis,
            text=_SENTENCES,
            confidence=_CONFIDENCE,
            why=_TEXTS,
            what_would_confirm=_TEXTS,
        ),
        max_size=2,
    ).map(tuple),
    conclusion=st.builds(
        Conclusion,
        root_cause=st.one_of(_SENTENCES, st.sampled_from(["CM voting", "PowerHal boost"])),
        confidence=_CONFIDENCE,
        justification=_TEXTS,
    ),
    next_steps=_TEXTS,
    historical_fixes=st.lists(
        st.builds(FixTaken, case_id=st.sampled_from(["fix_7", "fix_9"]), fix=_SENTENCES), max_size=2
    ).map(tuple),
)
_SOURCES = " ".join(
    [HOT, FIX.fix, FIX.case_id]
    + [f"{one.source.doc_id} {one.content}" for one in GRAPH.evidence.values()]
    + [name for one in GRAPH.variables for name in one.names]
)
_DIGITS = re.compile(r"\d[\d.,]*")


def _digits(text: str) -> set[str]:
    return {found.rstrip(".,") for found in _DIGITS.findall(text)}


class _Liar:
    name = "liar"

    def __init__(self, draft: Diagnosis) -> None:
        self._draft = draft

    async def draft(self, context: DiagnosisContext, coverage: CoverageReport) -> Diagnosis:
        return self._draft


@settings(deadline=None, max_examples=60)
@given(draft=_LYING_DRAFTS)
async def test_an_invented_number_never_survives(draft: Diagnosis) -> None:
    """Looked for by its bare digits, not by what enforcement itself reads as a number."""
    outcome = await DiagnosisAgent(RETRIEVER, drafter=_Liar(draft)).diagnose(HOT)
    assert isinstance(outcome, DiagnosisReport)
    written = to_markdown(outcome).replace("\\", "")
    assert _digits(written) <= _digits(_SOURCES)
    for spelt in ("ninety-one", "forty-four", "two hundred"):
        assert spelt not in written
    found = outcome.diagnosis
    assert all(one.text in HOT for one in found.observations)
    assert all(fact.nodes and fact.evidence for fact in found.ckg_grounded_facts)
    assert found.conclusion.root_cause in ("CM voting", "UNKNOWN")


@settings(deadline=None, max_examples=60)
@given(draft=_LYING_DRAFTS)
def test_what_was_enforced_once_needs_no_second_time(draft: Diagnosis) -> None:
    coverage = coverage_of(CONTEXT)
    held, _ = enforce(draft, CONTEXT, coverage)
    again, problems = enforce(held, CONTEXT, coverage)
    assert again == held
    assert problems == ()
