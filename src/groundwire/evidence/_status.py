"""Labels such as ADR.27, adr-0012 or PCP.10D, in documents and in questions."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from groundwire.evidence._markdown import heading, lines, plain
from groundwire.model import Document, DocumentKey

APPROVAL_SUFFIX = "D"
APPROVAL_TYPE_SUFFIX = "_approval"
_NAMED = re.compile(
    r"(?<![A-Za-z0-9])(?P<word>[A-Za-z]{2,20})[ \t]?[.#_-]?[ \t]?(?:no\.?[ \t]?)?#?"
    r"(?P<number>\d{1,6})(?P<suffix>[A-Za-z]?)(?![A-Za-z0-9])"
)
_BARE = re.compile(r"(?P<number>\d{1,6})(?P<suffix>[A-Z]?)(?![A-Za-z0-9])")


class Label(NamedTuple):
    doc_type: str
    number: int
    is_approval: bool

    @property
    def key(self) -> DocumentKey:
        return DocumentKey(doc_type=approval_type(self), number=self.number)


def approval_type(label: Label) -> str:
    """ADR.27D records who approved ADR.27: a document of its own, with the same number."""
    return label.doc_type + (APPROVAL_TYPE_SUFFIX if label.is_approval else "")


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
_FIELD = re.compile(r"[-*+ \t]*(?P<name>[A-Za-z][A-Za-z ()]{0,40}):[ \t]*(?P<value>\S.*)")
_BARE_DATE = re.compile(r"(?P<name>[Dd]ate)[ \t]+(?P<value>\d.*)")
_REMARK = re.compile(r"[(\[;,.:|]|(?<=\w) (?:by|in|on|see|since)\b")
_MONTHS = "january february march april may june july august september october november december"
_MONTH_NUMBERS = {name[:3]: number for number, name in enumerate(_MONTHS.split(), start=1)}
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?!\d)")
_WRITTEN = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)? ([A-Za-z]{3,9}),? (\d{4})(?!\d)")
_LINK_TARGET = re.compile(r"\]\(([^()\s]{1,500})\)")
_MAX_STATUS_WORDS = 4
_LARGEST_MONTH = 12
_SEARCHED_LINES = 200


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
        found = [label.key for label in labels.find(_LINK_TARGET.sub("]", named))]
        for target in _LINK_TARGET.findall(named):
            number = leading_number(PurePosixPath(target).name)
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
    kept = re.sub(r"[^a-z -]+", " ", _REMARK.split(plain(words.lower()), maxsplit=1)[0]).split()
    return " ".join(kept) if 0 < len(kept) <= _MAX_STATUS_WORDS else None


def parse_date(text: str) -> date | None:
    """A date that can be read in one way only: 03/04/2018 is two dates, so it is none."""
    if match := _ISO.search(text):
        return _valid(int(match[1]), int(match[2]), int(match[3]))
    if match := _SLASHED.search(text):
        day, month, year = int(match[1]), int(match[2]), int(match[3])
        return _valid(year, month, day) if day > _LARGEST_MONTH or day == month else None
    if match := _WRITTEN.search(text):
        return _valid(int(match[3]), _MONTH_NUMBERS.get(match[2][:3].lower(), 0), int(match[1]))
    return None


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _fields(document: Document) -> Iterator[tuple[str, str]]:
    """`Status: x`, `| Status | x |`, and the first line under a heading `Status`."""
    under = ""
    for line in islice(lines(document.text, document.body_start), _SEARCHED_LINES):
        text = line.text.strip()
        title = heading(text)
        if not text or text.startswith("<!--"):
            continue
        if title is not None:
            under = title[1].lower()
        elif under == "status":
            under = ""
            yield "status", text
        else:
            yield from _field_of(text)


def _field_of(line: str) -> Iterator[tuple[str, str]]:
    if line.startswith("|"):
        name, _, value = line.strip("| \t").partition("|")
        if value.strip() and "|" not in value:
            yield plain(name).lower(), value.strip()
        return
    bare = line.replace("**", "").replace("__", "")
    match = _FIELD.fullmatch(bare) or _BARE_DATE.fullmatch(bare)
    if match:
        yield match["name"].strip().lower(), match["value"]
