"""What a document states of itself, wherever in it: its status, dates, people and successors.

Front matter, headers such as `Author: Ada`, tables of names and values, headings such as `Status`,
and change logs are read in the whole file; each statement keeps its place.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import PurePosixPath
from typing import NamedTuple

from groundwire.evidence._labels import Labels, leading_number
from groundwire.evidence._sections import body
from groundwire.evidence._states import normal_status, state_of
from groundwire.model import Document, DocumentField, DocumentKey, FieldRole
from groundwire.text import Block, heading_words, links_in, unmarked, words_of
from groundwire.values import Period, values_in

_NAMES: dict[FieldRole, str] = {
    "status": "status, state, document status, decision status, isversionof",
    "dated": "date, issued, issue date, date issued, published, publication date, datum",
    "created": "created, date created, creation date, created on",
    "decided": "decided, decision date, date decided, approved, approval date, date approved,"
    " accepted, adopted, resolution, approved on, decided on",
    "changed": "updated, last updated, modified, last modified, changed, revised, lastmod,"
    " last changed, revision date",
    "author": "author, authors, written by, auteur, auteurs",
    "decider": "decider, deciders, decision makers, decision maker, approver, approvers,"
    " approved by, decided by",
    "owner": "owner, owners, driver, decision owner, document owner, policy owner, maintainer,"
    " maintainers, owning sig, eigenaar",
    "sponsor": "sponsor, sponsors, sponsored by, champion, shepherd",
    "supersedes": "supersedes, replaces, obsoletes",
    "superseded_by": "superseded by, replaced by, obsoleted by",
    "requires": "requires, depends on",
}
PEOPLE: tuple[FieldRole, ...] = ("author", "decider", "owner", "sponsor")
DATES: tuple[FieldRole, ...] = ("dated", "created", "decided", "changed")
_UNDER_HEADINGS: tuple[FieldRole, ...] = ("status", "dated", *PEOPLE, "supersedes", "superseded_by")
_DESCRIBING = "status metadata information control approval details"
"""Words of headings under which a document describes itself."""
# such as "Change log", "Revision history"
_CHANGES = re.compile(
    r"change ?log|changes|revisions|(?:(?:change|revision|version|document) )?history"
    r"|implementation history",
    re.IGNORECASE,
)
_FIRST_WORDS = {"initial", "created", "creation", "first"}
# such as "Decision date" of "Decision date: 5 May 2024"
_FIELD_NAME = re.compile(r"[A-Za-z][A-Za-z() _-]{0,40}")
# such as "Date 2024-05-04"
_BARE_DATE = re.compile(r"[Dd]ate[ \t]+(?P<value>\d.*)")
# such as "<ada@example.org>", "(she/her)", "[email removed]", "ada@example.org"
_ADDRESS = re.compile(r"<[^<>]*>|\([^()]*\)|\[[^\[\]]*\]|\S+@\S+|\bat \S+\.\w{2,}\b")
# between names: "Ada, Grace and Alan; Barbara"; not in "the core team and community"
_BETWEEN_NAMES = re.compile(r"[,;&\n]|\b(?:and|en)\b(?=\s+[A-ZÀ-Þ])")
# such as "This record supersedes ADR 3", "This ADR has been replaced by ADR.12"
_IN_PROSE = re.compile(
    r"\bthis (?:adr|pep|rfc|record|decision|document|policy|proposal|standard|principle)"
    r" (?P<verb>supersedes|replaces|obsoletes"
    r"|(?:is|was|has been) (?:superseded|replaced|obsoleted) by)\b(?P<named>[^.]{0,80})",
    re.IGNORECASE,
)
# a list of nothing but numbers: "649, 749"
_NUMBERS = re.compile(r"[#\d,; ]+|(?:\d+ and )+\d+")
_LONGEST_VALUE_CHARS = 600
_FIELD_CELLS = 2
_MOST_NAME_WORDS = 8
_MOST_STATUS_WORDS = 4
_MOST_DELEGATE_WORDS = 2
_MOST_FIELDS = 120


class _Line(NamedTuple):
    text: str
    start: int


def fields_of(document: Document) -> tuple[DocumentField, ...]:
    """In the order of the document, those of its front matter first."""
    found = [*_of_metadata(document), *_of_body(document)]
    return tuple(_with_dates(found))[:_MOST_FIELDS]


def role_of(name: str) -> FieldRole:
    """ "Author(s)" and "authors" are one; what is not known is other."""
    bare = re.sub(r"\([^()]*\)", "", unmarked(name)).strip(" :*").lower()
    words = bare.replace("_", " ").replace("-", " ").split()
    # whoever a series lets decide has its name before it: "PEP-Delegate", "BDFL-Delegate"
    if words[-1:] == ["delegate"] and len(words) <= _MOST_DELEGATE_WORDS:
        return "decider"
    return _roles().get(" ".join(words), "other")


@cache
def _roles() -> dict[str, FieldRole]:
    return {name: role for role, names in _NAMES.items() for name in names.split(", ")}


def parse_date(text: str) -> date | None:
    """The first day named, if it can be read in one way only: 03/04/2018 is two days, so none."""
    for value in values_in(text):
        if isinstance(value, Period) and value.frame == "calendar":
            (first, last), *others = value.readings
            if first == last:
                return None if others else date(*first)
    return None


def names_in(value: str) -> tuple[str, ...]:
    """ "Ada Lovelace <ada@example.org>, Grace Hopper" names two."""
    bare = _ADDRESS.sub(" ", unmarked(value))
    parts = (" ".join(part.split()).strip(" ,-*|\\") for part in _BETWEEN_NAMES.split(bare))
    return tuple(part for part in parts if any(map(str.isalpha, part)))


def keys_in(value: str, doc_type: str, labels: Labels) -> list[DocumentKey]:
    """Documents a text names: by label, by the file name of a link, or by number alone."""
    found = [label.key for label in labels.find(unmarked(value))]
    for link in links_in(value):
        number = leading_number(PurePosixPath(link.target).name)
        if number is not None:
            found.append(DocumentKey(doc_type=doc_type, number=number[0]))
    if not found and _NUMBERS.fullmatch(value.strip()):
        numbers = (word for word in words_of(value) if word.isdigit())
        found = [DocumentKey(doc_type=doc_type, number=int(number)) for number in numbers]
    return found


def successions(
    document: Document, fields: Sequence[DocumentField], doc_type: str, labels: Labels
) -> dict[FieldRole, tuple[DocumentKey, ...]]:
    """What it replaces, what replaces it, what it needs."""
    said: list[tuple[FieldRole, str]] = [
        (one.role, one.value)
        for one in fields
        if one.role in ("supersedes", "superseded_by", "requires")
    ]
    for one in fields:
        lowered = one.value.lower()
        replaced = one.role == "status" and ("supersed" in lowered or "replaced" in lowered)
        if replaced and not lowered.lstrip(" *-").startswith(("supersedes", "replaces", "part")):
            said.append(("superseded_by", one.value))
    for match in _IN_PROSE.finditer(document.text, document.body_start):
        by = match["verb"].lower().endswith("by")
        said.append(("superseded_by" if by else "supersedes", match["named"]))
    return {
        role: tuple(
            dict.fromkeys(
                k for r, value in said if r == role for k in keys_in(value, doc_type, labels)
            )
        )
        for role in ("supersedes", "superseded_by", "requires")
    }


def _field(name: str, role: FieldRole, value: str, start: int) -> DocumentField | None:
    bare = value.strip()
    if not bare or len(bare) > _LONGEST_VALUE_CHARS or bare[0] + bare[-1] in ("{}", "<>"):
        return None
    names = names_in(bare) if role in PEOPLE else ()
    if role in PEOPLE and not (names and all(map(_may_be_name, names))):
        return None
    return DocumentField(
        name=" ".join(unmarked(name).lower().split()).strip(" :"),
        role=role,
        value=bare,
        start=start,
        end=start + len(value.rstrip()),
        date=parse_date(bare) if role in DATES else None,
        names=names,
    )


def _may_be_name(words: str) -> bool:
    """ "Ada Lovelace", "the data office"; not "A string that holds the author's name"."""
    return len(words.split()) <= _MOST_NAME_WORDS


def _of_metadata(document: Document) -> Iterator[DocumentField]:
    head = document.text[: document.body_start]
    for key, value in document.metadata.items():
        outer, _, name = key.rpartition(".")
        if "." in outer:
            continue
        first = value.split(", ", 1)[0].split("\n", 1)[0]
        at = _place_of(head, name, first)
        found = _field(name or key, role_of(name or key), value, max(at, 0))
        if found is not None:
            yield found.model_copy(update={"end": _end_of(head, found.start)})


def _place_of(head: str, name: str, value: str) -> int:
    """Where a value stands: after its name, where that can be found."""
    named = re.search(rf"(?im)^[ \t]*{re.escape(name)}[ \t]*:", head)
    after = head.find(value, named.end()) if named else -1
    return after if after >= 0 else head.find(value)


def _end_of(head: str, start: int) -> int:
    """Of a value that may go on over indented lines."""
    end = head.find("\n", start)
    while 0 <= end < len(head) - 1 and head[end + 1] in " \t":
        end = head.find("\n", end + 1)
    return end if end >= 0 else len(head)


def _of_body(document: Document) -> Iterator[DocumentField]:
    text = document.text
    heading = ""
    headings = 0
    first_under = False
    for block in body(document):
        if block.kind == "heading":
            heading = heading_words(text, block).strip(" :")
            # a title opens the preamble; anything beneath it ends that
            headings += 1
            first_under = True
            continue
        if block.is_hidden or block.kind in ("code", "front_matter"):
            continue
        role = role_of(heading)
        if block.kind == "row":
            describes = not block.is_header and (headings <= 1 or _describes(heading))
            yield from _of_row(
                text, block, "other" if block.is_header else role, describes=describes
            )
        else:
            lines = list(_lines(text, block))
            is_item = block.kind == "item" and role in PEOPLE
            if _CHANGES.fullmatch(heading):
                yield from _of_change(heading, lines)
            elif role in _UNDER_HEADINGS and (first_under or role == "status" or is_item):
                yield from filter(None, (_field(heading, role, *line) for line in lines[:1]))
            elif headings <= 1 or _describes(heading):
                known_only = headings > 1
                yield from _of_lines(lines, known_only=known_only)
        first_under = False


def _describes(heading: str) -> bool:
    return any(word in _DESCRIBING.split() for word in heading.lower().split())


def _lines(text: str, block: Block) -> Iterator[_Line]:
    for start, end in block.pieces:
        at = start
        for line in text[start:end].split("\n"):
            bare = line.strip()
            if bare:
                yield _Line(bare, at + line.index(bare))
            at += len(line) + 1


def _of_lines(lines: Sequence[_Line], *, known_only: bool) -> Iterator[DocumentField]:
    """`Status: x`, each on a line of its own."""
    for line, start in lines:
        name, _, value = line.partition(":")
        name = name.lstrip("-*+ \t").replace("**", "").replace("__", "")
        bare_date = _BARE_DATE.fullmatch(unmarked(line))
        role = role_of(name)
        is_named = role != "other" or (name[:1].isupper() and value[:1] in " \t*")
        if value.strip("* ") and is_named and _FIELD_NAME.fullmatch(name.strip()):
            kept = value.lstrip("* ")
            found = _field(name, role, kept, start + len(line) - len(kept))
        elif bare_date:
            role = "dated"
            found = _field("date", role, bare_date["value"], start + line.find(bare_date["value"]))
        else:
            continue
        if found is not None and not (known_only and role == "other"):
            yield found


def _of_row(
    text: str, block: Block, under: FieldRole, *, describes: bool
) -> Iterator[DocumentField]:
    cells = [(text[cell.start : cell.end], cell) for cell in block.cells]
    filled = [(words, cell) for words, cell in cells if words.strip()]
    if under in PEOPLE and filled:
        words, cell = filled[0]
        yield from filter(None, [_field(under, under, words, cell.start)])
        return
    if len(cells) == _FIELD_CELLS and len(filled) == _FIELD_CELLS:
        name = cells[0][0]
        bare = unmarked(name).lower().strip(" :")
        role: FieldRole = "status" if bare == "decision" else role_of(name)
        if role != "other" or describes:
            yield from filter(None, [_field(name, role, cells[1][0], cells[1][1].start)])
        return
    # a table of one row: its columns name what the row states
    if describes:
        for words, cell in filled:
            role = role_of(cell.column)
            if role != "other":
                yield from filter(None, [_field(cell.column, role, words, cell.start)])


def _of_change(heading: str, lines: Sequence[_Line]) -> Iterator[DocumentField]:
    """`- 2024-05-01: first draft` says when a document was made or changed."""
    for line, start in lines:
        moment = parse_date(line)
        if moment is not None:
            is_first = not _FIRST_WORDS.isdisjoint(words_of(line))
            found = _field(heading, "created" if is_first else "changed", line, start)
            if found is not None:
                yield found


def _with_dates(fields: Sequence[DocumentField]) -> Iterator[DocumentField]:
    """A decision is of the day that stands in the same table after it."""
    for place, one in enumerate(fields):
        after = fields[place + 1] if place + 1 < len(fields) else None
        is_dated = one.role == "status" and after is not None and after.role == "decided"
        yield one.model_copy(update={"date": after.date}) if is_dated and after else one


def stated_status(fields: Sequence[DocumentField]) -> DocumentField | None:
    """The latest where statements are dated, else the first; what is no status is none."""
    stated = [one for one in fields if one.role == "status" and _may_be_status(one.value)]
    replaced = [one for one in stated if normal_status(one.value) == "superseded"]
    dated = [one for one in stated if one.date is not None]
    if replaced:
        return replaced[0]
    return max(dated, key=lambda one: one.date or date.min) if dated else next(iter(stated), None)


def _may_be_status(value: str) -> bool:
    """A known wording, or a few words; a sentence under a heading "Status" is no status."""
    wording = normal_status(value)
    is_short = len(unmarked(value).split()) <= _MOST_STATUS_WORDS
    return wording is not None and (is_short or state_of(wording) != "unknown")


def stated_date(fields: Sequence[DocumentField]) -> date | None:
    """The day a document bears: its own date, else that it was made, decided or last changed."""
    for role in ("dated", "created", "decided"):
        for one in fields:
            if one.role == role and one.date is not None:
                return one.date
    return max((one.date for one in fields if one.role == "changed" and one.date), default=None)
