"""The devil's advocate without a model: what else the sources give as an explanation."""

import re
from collections.abc import Sequence

from groundwire.ground._findings import EdgeReader, of_kind, readings_of
from groundwire.ground._labels import label_of
from groundwire.ground._types import AdversarialVerdict, Hypothesis, Passage

MAX_ALTERNATIVES = 5
_CONDITION = re.compile(
    r"\b(?P<condition>(?:when|whenever|while|if|unless|under|during|only\s+(?:when|if|at|above|below)"
    r"|as\s+long\s+as|provided\s+that|above|below)\s+[^,.;]{3,80})",
    re.IGNORECASE,
)


def attack_by_wording(
    hypothesis: Hypothesis, reader: EdgeReader, passages: Sequence[Passage]
) -> AdversarialVerdict:
    """Other causes of the effect are alternatives. A denial as plain as the support, or a common
    cause named for both variables in the only source, leaves the edge without ground."""
    findings = reader.findings(hypothesis, passages)
    direct, denied = of_kind(findings, "direct"), of_kind(findings, "negated")
    others = _other_causes(hypothesis, reader, passages)
    common = [cause for cause in others if _causes_both(cause, hypothesis, reader, passages)]
    sources = {finding.quote.doc_id for finding in direct}
    holds = len(sources) > len({finding.quote.doc_id for finding in denied}) and not (
        common and len(sources) == 1
    )
    return AdversarialVerdict(
        is_grounded=holds,
        support_type="direct_causal" if holds else "irrelevant",
        supporting_quote=direct[0].quote.quote if direct else None,
        rejection_reason=None if holds else "denied or explained by a common cause",
        confidence=0.8,
        alternative_explanations=others,
        still_grounded=holds,
    )


def conditions_in(quote: str) -> list[str]:
    """`when the disk is full`: under what circumstances the words say it holds."""
    return [match["condition"].strip() for match in _CONDITION.finditer(quote)]


def assumption_from(alternative: str, hypothesis: Hypothesis) -> str:
    return f"{alternative} does not account for {hypothesis.effect.label} by itself"


def _other_causes(
    hypothesis: Hypothesis, reader: EdgeReader, passages: Sequence[Passage]
) -> list[str]:
    causes: dict[str, None] = {}
    for passage in passages:
        for reading in readings_of(passage.bundle.content, passage.bundle.source.title):
            if reading.is_asserted_cause and reader.names(hypothesis.effect, reading.effect):
                label = label_of(reading.cause)
                if label and not reader.names(hypothesis.cause, reading.cause):
                    causes.setdefault(label)
    return list(causes)[:MAX_ALTERNATIVES]


def _causes_both(
    cause: str, hypothesis: Hypothesis, reader: EdgeReader, passages: Sequence[Passage]
) -> bool:
    """Whether some sentence names this cause for the edge's own cause too."""
    return any(
        reading.is_asserted_cause
        and label_of(reading.cause) == cause
        and reader.names(hypothesis.cause, reading.effect)
        and reader.names(hypothesis.effect, reading.effect)
        for passage in passages
        for reading in readings_of(passage.bundle.content, passage.bundle.source.title)
    )
