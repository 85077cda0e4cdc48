"""What the conclusion rests on: the leading chain, and what the report itself says of it."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from groundwire.encoder import embedder_calibration
from groundwire.gate import the_root_cause
from groundwire.graph import belief_of
from groundwire.model import CoverageReport, DiagnosisConfidence, DiagnosisContext, RootCause
from groundwire.values import Identifier, Period, Quantity, Value, same_value, values_in

_DIGITS = re.compile(r"\d+")


class KnownNumbers:
    """The values of some texts. `725 mV` is known where `0.725 V` is."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._values: list[Value] = []
        self._signs: set[str] = set()
        for text in dict.fromkeys(texts):
            self._values += _numbers(text)
            self._signs.update(sign for sign, _ in _signs(text))

    def strangers_in(self, text: str) -> list[str]:
        """What a text says in numbers, dates and codes that none of the known texts says."""
        numbers = _numbers(text)
        strangers = [one.text for one in numbers if not self._knows(one)]
        for sign, place in _signs(text):
            is_read = any(one.start <= place < one.end for one in numbers)
            if not is_read and sign not in self._signs:
                strangers.append(sign)
        return strangers

    def _knows(self, value: Value) -> bool:
        return any(same_value(value, one) for one in self._values)


def _numbers(text: str) -> list[Value]:
    return [
        one
        for one in values_in(text)
        if isinstance(one, Period | Identifier) or (isinstance(one, Quantity) and not one.weak)
    ]


def _signs(text: str) -> Iterator[tuple[str, int]]:
    """Runs of digits, and single characters that are a number, such as ½ and Ⅷ."""
    for digits in _DIGITS.finditer(text):
        yield digits.group(), digits.start()
    for place, character in enumerate(text):
        is_other = not character.isascii() and not character.isdecimal()
        if is_other and unicodedata.numeric(character, None) is not None:
            yield character, place


_CORROBORATED = 2
LEVELS: tuple[DiagnosisConfidence, ...] = ("low", "medium", "high")


def ceiling(context: DiagnosisContext, coverage: CoverageReport) -> DiagnosisConfidence:
    """The most confidence a conclusion may have, whoever drafted it [S0 2]."""
    root = the_root_cause(context)
    if root is None or not coverage.causal_chains_count:
        return "low"
    present = {one.id for one in context.matched_entities if not one.is_absent}
    weakest = _weakest_link(context, root)
    tuned = embedder_calibration().diagnosis
    explains_all = present <= set(root.explains)
    if (
        explains_all
        and len(root.explains) >= _CORROBORATED
        and coverage.input_coverage >= tuned.high_coverage
        and weakest >= tuned.high_belief
    ):
        return "high"
    is_known = coverage.input_coverage >= tuned.medium_coverage and weakest >= tuned.medium_belief
    return "medium" if is_known else "low"


def at_most(level: DiagnosisConfidence, limit: DiagnosisConfidence) -> DiagnosisConfidence:
    return min(level, limit, key=LEVELS.index)


def _weakest_link(context: DiagnosisContext, root: RootCause) -> float:
    used = {
        edge for chain in context.causal_chains if chain.nodes[0] == root.id for edge in chain.edges
    }
    return min((belief_of(edge) for edge in context.subgraph.edges if edge.id in used), default=0.0)


def unseen(context: DiagnosisContext, root: RootCause) -> tuple[str, ...]:
    """What lies on the ways from a root and was not observed, the root itself first."""
    seen = {one.id for one in context.matched_entities}
    nodes = dict.fromkeys(
        node
        for chain in context.causal_chains
        if chain.nodes[0] == root.id
        for node in chain.nodes
        if node not in seen
    )
    return tuple(context.label(node) for node in nodes)
