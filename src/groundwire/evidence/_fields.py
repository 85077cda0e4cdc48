"""What a document states of itself, wherever in it: its status, dates, people and successors.

Front matter, headers such as `Author: Ada`, tables of names and values, headings such as `Status`,
and change logs are read in the whole file; each statement keeps its place.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from groundwire.evidence._sections import body
from groundwire.evidence._states import normal_status, state_of
from groundwire.model import (
    MONTH_NAMES,
    WEEKDAY_NAMES,
    Document,
    DocumentField,
    FieldRole,
)
from groundwire.text import Block, heading_words, unmarked, words_of
from groundwire.values import Period, values_in

_NAMES: dict[FieldRole, str] = {
    "status": "status, state, document status, decision status, isversionof",
    "dated": "date, issued, issue date, date issued, published, publication date, datum,"
    " document date, report date, dated, revdate",
    "created": "created, date created, creation date, created on, written on, prepared on,"
    " date written, date prepared",
    "decided": "decided, decision date, date decided, approved, approval date, date approved,"
    " accepted, adopted, resolution, approved on, decided on",
    "changed": "updated, last updated, modified, last modified, changed, revised, lastmod,"
    " last changed, revision date",
    "author": "author, authors, written by, auteur, auteurs, prepared by, authored by,"
    " drafted by, compiled by, document author, report author",
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
# such as "Author" of ":Author: Ada"
_LISTED_FIELD = re.compile(r":(?P<field>[A-Za-z][A-Za-z() _-]{0,40}:[ \t].*)")
# between the fields of one line: "Severity: 2. Author: Ada", "**Date:** 4 May | **Owner:** Bo"
_NEXT_FIELD = re.compile(
    r"(?P<mark>[.;|·•,])?[ \t]+(?=[*_]{0,2}(?P<name>[A-Z][A-Za-z() -]{0,40}):[*_]{0,2}[ \t]+\S)"
)
# such as "Prepared by Ada and Bo, 7 June 2024.", "This report was written by Ada on 7 June 2024"
_MADE_BY = re.compile(
    r"(?:(?:this|the) (?:adr|document|report|record|note|page|memo|proposal|policy|decision|review"
    r"|summary|analysis|standard|guide|runbook|post-?mortem) (?:was|is|has been) )?"
    r"(?:prepared|written|authored|drafted|compiled) by (?P<who>[^:]{2,200})",
    re.IGNORECASE,
)
# such as "By Ada Lovelace, 15 January 2025"
_BYLINE = re.compile(r"[Bb]y (?P<who>[A-ZÀ-Þ][^:]{2,120}\d{2}.*)")
# between the names and the day of "Ada and Bo, 7 June 2024", "Ada on 2024-06-07", "Ada (7 June)"
_BEFORE_DAY = re.compile(r"(?:\s*[,;|·•(–—-]\s*|\s+)(?:(?:on|in|dated)\s+)?(?=[\w ,./-]*\d)")
_WITHIN_NAMES = "van von der den de di da del della la le el al bin ibn ter ten zu dos y"
_BODIES = "team group board office council committee department unit"
"""What a group that wrote a document is called by: "the storage team"."""
_DAY_WORDS = WEEKDAY_NAMES + MONTH_NAMES
_SHORTENED = "jr sr inc ltd corp co dr"
# such as "<ada@example.org>", "(she/her)", "[email removed]", "ada@example.org"
_ADDRESS = re.compile(r"<[^<>]*>|\([^()]*\)|\[[^\[\]]*\]|\S+@\S+|\bat \S+\.\w{2,}\b")
# between names: "Ada, Grace and Alan; Barbara"; not in "the core team and community"
_BETWEEN_NAMES = re.compile(r"[,;&\n]|\b(?:and|en)\b(?=\s+[A-ZÀ-Þ])")
_LONGEST_VALUE_CHARS = 600
_LONGEST_SEEN_CHARS = 200
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
    return tuple(_unstopped(part) for part in parts if any(map(str.isalpha, part)))


def _unstopped(name: str) -> str:
    """Without the full stop of the sentence: "Ada Lovelace." but "Ada L.", "Acme Inc."."""
    last = name.rpartition(" ")[2]
    is_short = len(last) <= len("L.") or "." in last[:-1] or last[:-1].lower() in _SHORTENED.split()
    return name[:-1] if last.endswith(".") and not is_short else name


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
            start, end = (at, _end_of(head, at)) if at >= 0 else _seen_at(document, found)
            yield found.model_copy(update={"start": start, "end": end})


def _seen_at(document: Document, one: DocumentField) -> tuple[int, int]:
    """Where a reader sees what the head of a web page says: a line near the top that has it; no
    place, from 0 to 0, where none does."""
    for line in _first_lines(document):
        is_day = one.date is not None and parse_date(line.text) == one.date
        if len(line.text) <= _LONGEST_SEEN_CHARS and (is_day or one.value in line.text):
            return line.start, line.start + len(line.text)
    return 0, 0


def _first_lines(document: Document) -> Iterator[_Line]:
    """Up to the second heading."""
    headings = 0
    for block in body(document):
        headings += block.kind == "heading"
        if headings > 1:
            return
        if block.kind not in ("heading", "code", "front_matter") and not block.is_hidden:
            yield from _lines(document.text, block)


def _place_of(head: str, name: str, value: str) -> int:
    """Where a value stands: after its name, where that can be found."""
    named = re.search(rf"(?im)^[ \t]*{re.escape(name)}[ \t]*:", head)
    after = head.find(value, named.end()) if named else -1
    if after < 0 and named:
        return named.end()  # written otherwise than it reads: folded, or with escapes
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
    """`Status: x`, several of them on a line, and who made the document on which day."""
    for line in lines:
        made_by = [] if known_only else list(_of_byline(line))
        yield from made_by or _named_in(line, known_only=known_only)


def _named_in(whole: _Line, *, known_only: bool) -> Iterator[DocumentField]:
    for line, start in _apart(whole):
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


def _apart(line: _Line) -> Iterator[_Line]:
    """ "Severity: 2. Author: Ada." is two fields, ":Date: 4 May" is one; where none is known, the
    line stays whole."""
    listed = _LISTED_FIELD.fullmatch(line.text)
    if listed is not None:
        yield _Line(listed["field"], line.start + 1)
        return
    nexts = [one for one in _NEXT_FIELD.finditer(line.text) if _begins_field(one)]
    labels = [line.text.partition(":")[0].strip("-*+_ "), *(one["name"] for one in nexts)]
    if not nexts or not _FIELD_NAME.fullmatch(labels[0]) or not any(map(_is_known, labels)):
        yield line
        return
    starts = [0, *(one.end() for one in nexts)]
    ends = [*(one.start() for one in nexts), len(line.text)]
    for start, end in zip(starts, ends, strict=True):
        yield _Line(line.text[start:end].rstrip(" .;|·•,"), line.start + start)


def _begins_field(found: re.Match[str]) -> bool:
    """After a comma or a mere gap only a name that is known begins a field."""
    return found["mark"] not in (None, ",") or (_is_known(found["name"]) and bool(found["mark"]))


def _is_known(name: str) -> bool:
    return role_of(name) != "other"


def _of_byline(line: _Line) -> Iterator[DocumentField]:
    """Who made a document, and the day beside the names."""
    text = line.text
    inner = text.strip("*_ ")
    match = _MADE_BY.match(inner) or _BYLINE.fullmatch(inner)
    if match is None:
        return
    who = match["who"].split(". ")[0]
    start = line.start + text.index(inner) + match.start("who")
    cut = next((one for one in _BEFORE_DAY.finditer(who) if _begins_day(who[one.end() :])), None)
    people = (who[: cut.start()] if cut else who).rstrip(" .,;*_")
    if not all(map(_is_name, names_in(people))):
        return
    yield from filter(None, [_field("author", "author", people, start)])
    if cut is not None:
        day = who[cut.end() :].rstrip(" .,;)*_")
        yield from filter(None, [_field("date", "dated", day, start + cut.end())])


def _begins_day(text: str) -> bool:
    first = text[:1]
    is_day = first.isdigit() or text.lower().startswith(_DAY_WORDS)
    return is_day and parse_date(text) is not None


def _is_name(words: str) -> bool:
    """ "Ada de Vries", "the storage team"; not "hand", "Friday"."""
    parts = words.split()
    if parts[-1].lower() in _BODIES.split():
        return len(parts) <= _MOST_NAME_WORDS
    return not any(one.lower() in _DAY_WORDS for one in parts) and all(
        one[:1].isupper() or one.lower() in _WITHIN_NAMES.split() for one in parts
    )


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
