"""Planted false edges: a judge that accepts them is broken, whatever else it says [RULINGS, S1]."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.ground._types import EdgeOutcome, Hypothesis
from groundwire.model import EvidenceBundle, edge_id

CanaryKind = Literal["reversed", "invented", "correlation"]
_PLANTED = (
    "{first} and {second} were seen at the same time.",
    "{first} was correlated with {second}.",
    "{first} coincided with {second}.",
)
_SHARE = 10
"""One canary of each kind for so many edges."""
_LEAST = 2


@dataclass(frozen=True)
class Canary:
    """`evidence` is what a canary brings along instead of searching: its own planted sentence."""

    kind: CanaryKind
    hypothesis: Hypothesis
    evidence: tuple[EvidenceBundle, ...] = ()


def plant(
    drafted: Sequence[Hypothesis], outcomes: Sequence[EdgeOutcome], *, most: int
) -> list[Canary]:
    """The same edges give the same canaries, so that a resumed run sees the same ones."""
    each = max(1, min(most // 3, max(_LEAST, len(drafted) // _SHARE)))
    grounded = {one.edge.id for one in outcomes if one.edge.edge_status == "grounded"}
    known = {hypothesis.edge.id for hypothesis in drafted}
    ordered = sorted(drafted, key=lambda one: one.edge.id)
    kinds = (
        _reversed([one for one in ordered if one.edge.id in grounded], known),
        _invented(ordered, known),
        _correlated(ordered),
    )
    return [canary for kind in kinds for canary, _ in zip(kind, range(each), strict=False)]


def _reversed(grounded: Sequence[Hypothesis], known: set[str]) -> Iterator[Canary]:
    for one in grounded:
        if edge_id(one.effect.id, one.cause.id) not in known:
            yield Canary("reversed", Hypothesis.of(one.effect, one.cause))


def _invented(drafted: Sequence[Hypothesis], known: set[str]) -> Iterator[Canary]:
    """The cause of one edge and the effect of another that no draft joins, either way round."""
    half = max(1, len(drafted) // 2)
    for place, one in enumerate(drafted):
        other = drafted[(place + half) % len(drafted)]
        ends = (one.cause.id, other.effect.id)
        joined = {edge_id(*ends), edge_id(*reversed(ends))} & known
        if ends[0] != ends[1] and not joined:
            yield Canary("invented", Hypothesis.of(one.cause, other.effect))


def _correlated(drafted: Sequence[Hypothesis]) -> Iterator[Canary]:
    for place, one in enumerate(drafted):
        first, second = one.cause.label, one.effect.label
        sentence = _PLANTED[place % len(_PLANTED)].format(first=first, second=second)
        bundle = EvidenceBundle.of(sentence, f"canary-{place}")
        edge = one.edge.model_copy(update={"id": f"correlation:{one.edge.id}"})
        yield Canary("correlation", replace(one, edge=edge), (bundle,))
