"""Labels such as ADR.27, adr-0012 or PCP.10D, in documents and in questions."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.model import DocumentKey

APPROVAL_SUFFIX = "D"
APPROVAL_TYPE_SUFFIX = "_approval"
# such as "ADR.27", "adr-0012", "PCP.10D", "policy no. 3"
_NAMED = lazy_pattern(
    r"(?<![A-Za-z0-9])(?P<word>[A-Za-z]{2,20})[ \t]?[.#_-]?[ \t]?(?:no\.?[ \t]?)?#?"
    r"(?P<number>\d{1,6})(?P<suffix>[A-Za-z]?)(?![A-Za-z0-9])"
)
# such as "0027D" of "0027D-use-tls.md"
_BARE = lazy_pattern(r"(?P<number>\d{1,6})(?P<suffix>[A-Z]?)(?![A-Za-z0-9])")


class Label(NamedTuple):
    doc_type: str
    number: int
    is_approval: bool

    @property
    def key(self) -> DocumentKey:
        """ADR.27D records who approved ADR.27: a document of its own, with the same number."""
        suffix = APPROVAL_TYPE_SUFFIX if self.is_approval else ""
        return DocumentKey(doc_type=self.doc_type + suffix, number=self.number)


class Labels:
    """Knows which letters before a number mean which type."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._types = {prefix.lower(): doc_type for prefix, doc_type in prefixes.items()}
        for doc_type in prefixes.values():
            self._types.setdefault(doc_type.lower(), doc_type)

    def find(self, text: str) -> Iterator[Label]:
        """Every label in a text, in order: `ADR.27`, `adr-0012`, `principle 10`."""
        yield from filter(None, map(self._label, _NAMED.finditer(text)))

    def first(self, text: str) -> Label | None:
        return next(self.find(text), None)

    def leading(self, text: str) -> Label | None:
        """The label a text begins with."""
        match = _NAMED.match(text)
        return self._label(match) if match else None

    def left_out(self, text: str, mark: str = " ") -> str:
        """The text without its labels: "ADR.27 on TLS" is " on TLS"; or with a mark for each."""
        return _NAMED.sub(lambda match: mark if self._label(match) else match[0], text)

    def _label(self, match: re.Match[str]) -> Label | None:
        word = match["word"].lower()
        doc_type = self._types.get(word) or self._types.get(word.removesuffix("s"))
        suffix = match["suffix"].upper()
        if doc_type is None or suffix not in {"", APPROVAL_SUFFIX}:
            return None
        return Label(doc_type, int(match["number"]), suffix == APPROVAL_SUFFIX)


def leading_number(text: str) -> tuple[int, bool] | None:
    """The number a file name or heading begins with, and whether it is an approval record's."""
    match = _BARE.match(text)
    if match is None or match["suffix"] not in {"", APPROVAL_SUFFIX}:
        return None
    return int(match["number"]), match["suffix"] == APPROVAL_SUFFIX
