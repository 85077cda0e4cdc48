"""Labels such as ADR.27, adr-0012 or PCP.10D, in documents and in questions."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from groundwire.evidence._sections import body
from groundwire.model import Document, DocumentKey
from groundwire.text import heading_words, links_in, unmarked
from groundwire.values import Period, values_in

APPROVAL_SUFFIX = "D"
APPROVAL_TYPE_SUFFIX = "_approval"
# such as "ADR.27", "adr-0012", "PCP.10D", "policy no. 3"
_NAMED = re.compile(
    r"(?<![A-Za-z0-9])(?P<word>[A-Za-z]{2,20})[ \t]?[.#_-]?[ \t]?(?:no\.?[ \t]?)?#?"
    r"(?P<number>\d{1,6})(?P<suffix>[A-Za-z]?)(?![A-Za-z0-9])"
)
# such as "0027D" of "0027D-use-tls.md"
_BARE = re.compile(r"(?P<number>\d{1,6})(?P<suffix>[A-Z]?)(?![A-Za-z0-9])")


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

    def left_out(self, text: str) -> str:
        """The text without its labels: "ADR.27 on TLS" is " on TLS"."""
        return _NAMED.sub(lambda match: " " if self._label(match) else match[0], text)

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


_STATUS_KEYS = ("status", "dct.isversionof")
_DATE_KEYS = ("date", "dct.issued", "issued", "decided", "created")
# such as "Decision date" of "Decision date: 5 May 2024"
_FIELD_NAME = re.compile(r"[A-Za-z][A-Za-z ()]{0,40}")
# such as "Date 2024-05-04"
_BARE_DATE = re.compile(r"[Dd]ate[ \t]+(?P<value>\d.*)")
# where a remark begins: "accepted (see 19)", "superseded by ADR.33"
_REMARK = re.compile(r"[(\[;,.:|]|(?<=\w) (?:by|in|on|see|since)\b")
_MAX_STATUS_WORDS = 4
_SEARCHED_LINES = 200
_FIELD_CELLS = 2


class Statements:
    """The fields at the beginning of one document, and what follows from them."""

    def __init__(self, document: Document) -> None:
        self._metadata = document.metadata
        self._fields = list(_fields(document))

    def status(self) -> str | None:
        stated = (self._metadata.get(key, "") for key in _STATUS_KEYS)
        found = map(normal_status, (*stated, self._status_line()))
        return next(filter(None, found), None)

    def date(self) -> date | None:
        stated = (self._metadata.get(key, "") for key in _DATE_KEYS)
        fields = (self._field("date"), self._field("decision date"))
        return next(filter(None, map(parse_date, (*stated, *fields))), None)

    def superseded_by(self, doc_type: str, labels: Labels) -> tuple[DocumentKey, ...]:
        """The successors a status line names, by label or by the file name of a link."""
        named = self._metadata.get("superseded_by") or self._metadata.get("superseded-by") or ""
        line = " ".join((self._metadata.get("status", ""), self._status_line()))
        if "supersed" in line.lower() or "replaced" in line.lower():
            named = f"{named} {line}"
        found = [label.key for label in labels.find(unmarked(named))]
        for link in links_in(named):
            number = leading_number(PurePosixPath(link.target).name)
            if number is not None:
                found.append(DocumentKey(doc_type=doc_type, number=number[0]))
        return tuple(dict.fromkeys(found))

    def _field(self, wanted: str) -> str:
        return next((value for name, value in self._fields if name == wanted), "")

    def _status_line(self) -> str:
        return self._field("status") or self._newest_decision()

    def _newest_decision(self) -> str:
        """Approval records hold one table per meeting; the one with the latest date counts."""
        decisions = [(date.min, "")]
        for name, value in self._fields:
            if name == "decision":
                decisions.append((date.min, value))
            elif name == "decision date" and decisions[-1][0] == date.min:
                decisions[-1] = (parse_date(value) or date.min, decisions[-1][1])
        return max(decisions)[1]


def normal_status(words: str) -> str | None:
    """`✅ Accepted (see 019)` and `accepted` are one: letters, lower case, before any remark."""
    before_remark = _REMARK.split(unmarked(words.lower()), maxsplit=1)[0]
    kept = "".join(char if "a" <= char <= "z" or char == "-" else " " for char in before_remark)
    said = kept.split()
    return " ".join(said) if 0 < len(said) <= _MAX_STATUS_WORDS else None


def parse_date(text: str) -> date | None:
    """The first day named, if it can be read in one way only: 03/04/2018 is two days, so none."""
    for value in values_in(text):
        if isinstance(value, Period) and value.frame == "calendar":
            (first, last), *others = value.readings
            if first == last:
                return None if others else date(*first)
    return None


def _fields(document: Document) -> Iterator[tuple[str, str]]:
    """`Status: x`, `| Status | x |`, and the first line under a heading `Status`."""
    return filter(None, map(_field_of, islice(_lines(document), _SEARCHED_LINES)))


def _lines(document: Document) -> Iterator[tuple[str, ...]]:
    """The lines a reader sees, rows as their cells; what stands under `Status` as such a row."""
    text = document.text
    under = ""
    for block in body(document):
        if block.kind == "heading":
            under = heading_words(text, block).lower()
        elif block.kind == "row":
            yield tuple(text[cell.start : cell.end] for cell in block.cells)
        elif not block.is_hidden:
            for line in "\n".join(text[slice(*piece)] for piece in block.pieces).splitlines():
                yield ("status", line.strip()) if under == "status" else (line.strip(),)
                under = ""


def _field_of(line: tuple[str, ...]) -> tuple[str, str] | None:
    if len(line) > 1:
        name, value = line[0], line[1]
        is_field = len(line) == _FIELD_CELLS and bool(value)
        return (unmarked(name).lower(), value) if is_field else None
    name, _, value = line[0].partition(":")
    name = unmarked(name.lstrip("-*+ \t"))
    if value.strip() and _FIELD_NAME.fullmatch(name):
        return name.lower().strip(), value.strip()
    bare_date = _BARE_DATE.fullmatch(unmarked(line[0]))
    return ("date", bare_date["value"]) if bare_date else None
