"""What a document says of itself: status, date, and what took its place."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice
from pathlib import PurePosixPath

from groundwire.evidence._labels import Labels, leading_number
from groundwire.evidence._markdown import heading, lines, plain
from groundwire.model import Document, DocumentKey

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
