"""Draft edges of a text: what its constructions assert, without a citation [S1 step 2]."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from groundwire.ground._labels import label_of, variable_names
from groundwire.ground._read import CausalReading, read_causal
from groundwire.ground._roots import roots
from groundwire.model import DraftEdge

_DONE_BY_PEOPLE = re.compile(
    r"^(?:increas|rais|elevat|boost|reduc|lower|decreas|worsen|amplif|accelerat|delay|slow|degrad"
    r"|generat|produc|block|mitigat|avoid|suppress|forc|prompt|determin|activat|allow|enabl|explain)"
    r"\w*(?:ed|ing)$"
)
"""In reports these mostly say what somebody did: they are evidence, but draft nothing."""
_WEAK_CUES = ("contribut", "affect", "influenc", "allow", "enabl", "depend", "attribut")
_TOO_GENERAL = {"issue", "problem", "incident", "situation", "event", "disruption", "change"}
MAX_DRAFTS_PER_DOCUMENT = 500


@dataclass(frozen=True)
class CausalDrafts:
    """`set_aside` counts what was read and makes no edge: denied, supposed, only correlated."""

    edges: tuple[DraftEdge, ...] = ()
    set_aside: Counter[str] = field(default_factory=Counter)


def draft_edges(text: str, title: str | None = None) -> CausalDrafts:
    """Each pair of variables once, in the order in which the text first joins them."""
    readings = read_causal(text, title)
    drafts: dict[tuple[frozenset[str], frozenset[str]], DraftEdge] = {}
    for reading in readings:
        is_drafted = reading.is_asserted_cause and not _DONE_BY_PEOPLE.match(reading.cue.lower())
        if is_drafted and len(drafts) < MAX_DRAFTS_PER_DOCUMENT:
            for draft in _drafts(reading):
                drafts.setdefault((roots(draft.from_var), roots(draft.to_var)), draft)
    return CausalDrafts(tuple(drafts.values()), Counter(_set_aside(readings)))


def _drafts(reading: CausalReading) -> Iterable[DraftEdge]:
    cue = " ".join(reading.cue.lower().split())
    verb = "prevents" if reading.relation == "prevents" else "causes"
    for cause in variable_names(reading.cause):
        for effect in variable_names(reading.effect):
            is_about = roots(cause) and roots(effect) and not {cause, effect} & _TOO_GENERAL
            if is_about and roots(cause) != roots(effect):
                yield DraftEdge(
                    from_var=cause,
                    to_var=effect,
                    mechanism=f"{label_of(reading.cause)} {verb} {label_of(reading.effect)}",
                    strength="moderate" if cue.startswith(_WEAK_CUES) else "strong",
                    chain_of_thought=f"The text joins them by {cue!r}.",
                )


def _set_aside(readings: Iterable[CausalReading]) -> Iterable[str]:
    for reading in readings:
        if reading.mood != "asserted":
            yield reading.mood
        elif reading.relation == "correlates":
            yield "correlation"
