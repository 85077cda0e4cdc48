"""Prompts of the grounding loop: files with a version in their name."""

import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files

from groundwire.encoder import judge_calibration
from groundwire.ground._evidence import EdgeReader, of_kind, readings_of
from groundwire.ground._types import AdversarialVerdict, Hypothesis, Passage
from groundwire.ground._variables import label_of
from groundwire.judge import Fence

VERSION = "v1"


@cache
def _text(name: str) -> str:
    file = files("groundwire.ground") / "_prompts" / f"{name}.{VERSION}.txt"
    return file.read_text(encoding="utf-8")


class EdgePrompts:
    """What comes from documents stands between marks that no document can forge."""

    def __init__(self) -> None:
        self._fence = Fence()
        texts = "".join(_text(name) for name in ("judge", "adversary", "extract"))
        self.prompt_id = f"edges.{VERSION}"
        self.prompt_hash = sha256(texts.encode()).hexdigest()

    def judge(
        self, hypothesis: Hypothesis, passages: Sequence[Passage], attempted: Sequence[str]
    ) -> str:
        shown = _shown(passages)
        return _text("judge").format(
            fence=self._fence.around(hypothesis.statement, shown),
            cause=_names(hypothesis.cause.names),
            effect=_names(hypothesis.effect.names),
            mechanism=hypothesis.edge.mechanism or "not known",
            passages=shown,
            attempted="; ".join(attempted) or "none",
        )

    def adversary(self, hypothesis: Hypothesis, passages: Sequence[Passage]) -> str:
        shown = _shown(passages)
        return _text("adversary").format(
            fence=self._fence.around(hypothesis.statement, shown),
            cause=_names(hypothesis.cause.names),
            effect=_names(hypothesis.effect.names),
            passages=shown,
        )

    def extract(self, text: str) -> str:
        return _text("extract").format(fence=self._fence.around(text), text=text)


def _names(names: Sequence[str]) -> str:
    label, *aliases = names
    return f"{label} (also: {', '.join(aliases[:5])})" if aliases else label


def _shown(passages: Sequence[Passage]) -> str:
    return "\n\n".join(
        f"[{number}] {passage.bundle.source.title or passage.bundle.source.doc_id}\n"
        f"{passage.bundle.content}"
        for number, passage in enumerate(passages, start=1)
    )


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
        confidence=judge_calibration().edges.attack_confidence,
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
