"""What a document states of itself, wherever in it: its status, dates, people and successors.

Front matter, headers such as `Author: Ada`, tables of names and values, headings such as `Status`,
and change logs are read in the whole file; each statement keeps its place.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.evidence._days import begins_day, day_in, is_no_day, parse_date
from groundwire.evidence._people import is_name, may_be_name, names_in
from groundwire.evidence._sections import body
from groundwire.evidence._states import is_decision, normal_status, state_of
from groundwire.model import Document, DocumentField, FieldRole
from groundwire.text import Block, heading_words, unmarked, words_of

_NAMES: dict[FieldRole, str] = {
    "status": "status, state, document status, decision status, isversionof",
    "dated": "date, issued, issue date, date issued, published, publication date, datum,"
    " document date, report date, dated, revdate",
    "created": "created, date created, creation date, created on, written on, prepared on,"
    " start date, date written, date prepared, erstellt am, erstellt",
    "decided": "decided, decision date, date decided, approved, approval date, date approved,"
    " accepted, adopted, resolution, approved on, decided on",
    "changed": "updated, last updated, modified, last modified, changed, revised, lastmod,"
    " last changed, revision date, geändert am, zuletzt geändert, letzte änderung",
    "author": "author, authors, written by, auteur, auteurs, prepared by, authored by,"
    " drafted by, compiled by, document author, report author, autor, autoren, autorin, verfasser,"
    " verfasserin, erstellt von",
    "decider": "decider, deciders, decision makers, decision maker, approver, approvers,"
    " approved by, decided by, entscheider, freigegeben von, genehmigt von",
    "owner": "owner, owners, driver, decision owner, document owner, policy owner, maintainer,"
    " maintainers, owning sig, eigenaar, verantwortlich, verantwortlicher, eigentümer",
    "sponsor": "sponsor, sponsors, sponsored by, champion, shepherd",
    "supersedes": "supersedes, replaces, obsoletes, ersetzt, vervangt",
    "superseded_by": "superseded by, replaced by, obsoleted by, ersetzt durch, abgelöst durch,"
    " vervangen door",
    "requires": "requires, depends on",
}
PEOPLE: tuple[FieldRole, ...] = ("author", "decider", "owner", "sponsor")
DATES: tuple[FieldRole, ...] = ("dated", "created", "decided", "changed")
_UNDER_HEADINGS: tuple[FieldRole, ...] = ("status", "dated", *PEOPLE, "supersedes", "superseded_by")
_DESCRIBING = "status metadata information control approval details"
"""Words of headings under which a document describes itself."""
# such as "Change log", "Revision history"
_CHANGES = lazy_pattern(
    r"change ?log|changes|revisions|(?:(?:change|revision|version|document|status) )?history"
    r"|implementation history",
    re.IGNORECASE,
)
_EFFECTIVE = (
    "effective date, effective, effective from, effective as of, date effective, in force from,"
    " in force since, valid from"
)
"""Names of the day from which a document holds."""
_CHANGING = {"changed", "updated", "modified", "revised", "amended", "renamed", "corrected"}
_FIRST_WORDS = {"initial", "created", "creation", "first"}
# such as "Decision date" of "Decision date: 5 May 2024"
_FIELD_NAME = lazy_pattern(r"[A-Za-z][A-Za-z() _-]{0,40}")
# such as "Date 2024-05-04"
_BARE_DATE = lazy_pattern(r"[Dd]ate[ \t]+(?P<value>\d.*)")
# such as "Author" of ":Author: Ada"
_LISTED_FIELD = lazy_pattern(r":(?P<field>[A-Za-z][A-Za-z() _-]{0,40}:[ \t].*)")
# between the fields of one line: "Severity: 2. Author: Ada", "**Date:** 4 May | **Owner:** Bo"
_NEXT_FIELD = lazy_pattern(
    r"(?P<mark>[.;|·•,])?(?P<gap>[ \t]+)"
    r"(?=(?P<bold>[*_]{0,2})(?P<name>[A-Z][A-Za-z() -]{0,40})[*_]{0,2}:[*_]{0,2}[ \t]+\S)"
)
# such as "Prepared by Ada and Bo, 7 June 2024.", "This report was written by Ada on 7 June 2024"
_MADE_BY = lazy_pattern(
    r"(?:(?:this|the) (?:adr|document|report|record|note|page|memo|proposal|policy|decision|review"
    r"|summary|analysis|standard|guide|runbook|post-?mortem) (?:was|is|has been) )?"
    r"(?:prepared|written|authored|drafted|compiled) by (?P<who>[^:]{2,200})",
    re.IGNORECASE,
)
# such as "By Ada Lovelace, 15 January 2025"
_BYLINE = lazy_pattern(r"[Bb]y (?P<who>[A-ZÀ-Þ][^:]{2,120}\d{2}.*)")
# between the names and the day of "Ada and Bo, 7 June 2024", "Ada on 2024-06-07", "Ada (7 June)"
_BEFORE_DAY = lazy_pattern(r"(?:\s*[,;|·•(–—-]\s*|\s+)(?:(?:on|in|dated)\s+)?(?=[\w ,./-]*\d)")
# what the heading of a record begins with: "ADR-2: ", "RFC 0012 - "
_RECORD = lazy_pattern(r"[A-Z]{2,10}[-_. #]?\d{1,6}\s*[:–—-]\s")
_LEAST_RECORDS = 2
_LONGEST_VALUE_CHARS = 600
_LONGEST_SEEN_CHARS = 200
_FIELD_CELLS = 2
_MOST_STATUS_WORDS = 4
_MOST_DELEGATE_WORDS = 2
_MOST_FIELDS = 120


class _Line(NamedTuple):
    text: str
    start: int


def fields_of(document: Document) -> tuple[DocumentField, ...]:
    """In the order of the document, those of its front matter first."""
    found = [*_of_metadata(document), *_of_body(document)]
    with_days = [part for one in found for part in _with_day(document.text, one)]
    with_authors = list(_with_logged_authors(with_days))
    with_first = _with_first_change(document.text, with_authors)
    return tuple(_with_dates(list(with_first)))[:_MOST_FIELDS]


def role_of(name: str) -> FieldRole:
    """ "Author(s)" and "authors" are one; what is not known is other."""
    bare = re.sub(r"\([^()]*\)", "", unmarked(name)).strip(" :*").lower()
    words = bare.replace("_", " ").replace("-", " ").split()
    # "Date of issue" is the issue date
    words = [*words[2:], "date"] if words[:2] == ["date", "of"] else words
    # whoever a series lets decide has its name before it: "PEP-Delegate", "BDFL-Delegate"
    if words[-1:] == ["delegate"] and len(words) <= _MOST_DELEGATE_WORDS:
        return "decider"
    return _roles().get(" ".join(words), "other")


@cache
def _roles() -> dict[str, FieldRole]:
    return {name: role for role, names in _NAMES.items() for name in names.split(", ")}


def _field(
    name: str, role: FieldRole, value: str, start: int, *, is_list: bool = False
) -> DocumentField | None:
    bare = value.strip()
    if not bare or len(bare) > _LONGEST_VALUE_CHARS or bare[0] + bare[-1] in ("{}", "<>"):
        return None
    if role in DATES and is_no_day(bare):
        return None
    # "Author: Lund, Ada" is one person, "Owners: Security, Finance" are two
    is_one = unmarked(name).strip(" :*").lower() == "author" and not is_list
    names = names_in(bare, is_one=is_one) if role in PEOPLE else ()
    if role in PEOPLE and not (names and all(map(may_be_name, names))):
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


def _of_metadata(document: Document) -> Iterator[DocumentField]:
    head = document.text[: document.body_start]
    for key, value in document.metadata.items():
        outer, _, name = key.rpartition(".")
        if "." in outer:
            continue
        first = value.split(", ", 1)[0].split("\n", 1)[0]
        at = _place_of(head, name, first)
        is_list = value not in head or f"[{value}" in head
        found = _field(name or key, role_of(name or key), value, max(at, 0), is_list=is_list)
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
    """Of a value that may go on over lines that are indented more than its name is."""
    own = _indented(head, head.rfind("\n", 0, start) + 1)
    end = head.find("\n", start)
    while 0 <= end < len(head) - 1 and _indented(head, end + 1) > own:
        end = head.find("\n", end + 1)
    return end if end >= 0 else len(head)


def _indented(text: str, start: int) -> int:
    line = text[start : text.find("\n", start) % (len(text) + 1)]
    return len(line) - len(line.lstrip(" \t"))


def _of_body(document: Document) -> Iterator[DocumentField]:
    text = document.text
    heading = ""
    headings = 0
    first_under = False
    for block in _without_records(text, body(document)):
        if block.kind == "heading":
            heading = heading_words(text, block).strip(" :")
            # a title opens the preamble; anything beneath it ends that
            headings += 1
            first_under = True
            continue
        if block.is_hidden or block.kind in ("code", "front_matter"):
            continue
        role = role_of(heading)
        if _CHANGES.fullmatch(heading):
            yield from _of_change(heading, _pieces(text, block))
            yield from _who_changed(heading, text, block)
        elif block.kind == "row":
            describes = not block.is_header and (headings <= 1 or _describes(heading))
            yield from _of_row(
                text, block, "other" if block.is_header else role, describes=describes
            )
        else:
            lines = list(_lines(text, block))
            is_item = block.kind == "item" and role in PEOPLE
            if role in _UNDER_HEADINGS and (first_under or role == "status" or is_item):
                # a status may have its history: "2022-05-01 proposed", "2022-06-01 accepted"
                later = [one for one in lines[1:] if role == "status" and begins_day(one.text)]
                yield from filter(None, (_field(heading, role, *one) for one in lines[:1] + later))
            elif headings <= 1 or _describes(heading):
                known_only = headings > 1
                yield from _of_lines(lines, known_only=known_only)
        first_under = False


def records_of(document: Document) -> tuple[str, ...]:
    """The headings of the records that one file holds."""
    found = _records_in(document.text, body(document))
    return tuple(heading_words(document.text, block) for block in found)


def _without_records(text: str, blocks: Sequence[Block]) -> Iterator[Block]:
    """Of a file that holds several records, only what stands beneath none of them."""
    within: int | None = None
    records = _records_in(text, blocks)
    for block in blocks:
        if block.kind == "heading" and (within is None or block.level <= within):
            within = block.level if block in records else None
        if within is None:
            yield block


def _records_in(text: str, blocks: Sequence[Block]) -> list[Block]:
    """The headings of the records that one file holds: "ADR-1: Use X", "ADR-2: Use Y", side by
    side. What a single record says of others beneath its title makes none."""
    found = [
        block
        for block in blocks
        if block.kind == "heading" and _RECORD.match(heading_words(text, block))
    ]
    highest = min((block.level for block in found), default=0)
    beside = [block for block in found if block.level == highest]
    return beside if len(beside) >= _LEAST_RECORDS else []


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
    """After a comma or a wide gap only a name that is known begins a field, and one in bold."""
    is_wide = found["mark"] == "," or len(found["gap"]) > 1
    is_named = found["bold"] or (is_wide and _is_known(found["name"]))
    return found["mark"] not in (None, ",") or bool(is_named)


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
    cut = next((one for one in _BEFORE_DAY.finditer(who) if begins_day(who[one.end() :])), None)
    people = (who[: cut.start()] if cut else who).rstrip(" .,;*_")
    if not all(map(is_name, names_in(people))):
        return
    yield from filter(None, [_field("author", "author", people, start)])
    if cut is not None:
        day = who[cut.end() :].rstrip(" .,;)*_")
        yield from filter(None, [_field("date", "dated", day, start + cut.end())])


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


def _pieces(text: str, block: Block) -> list[list[_Line]]:
    """What a change log says of each change: a line, or the cells of a row."""
    if block.kind != "row":
        return [[line] for line in _lines(text, block)]
    cells = [_Line(text[cell.start : cell.end], cell.start) for cell in block.cells]
    return [] if block.is_header else [cells]


def _of_change(heading: str, changes: Sequence[Sequence[_Line]]) -> Iterator[DocumentField]:
    """`- 2024-05-01: first draft` says when a document was made, decided or changed."""
    for pieces in changes:
        dated = next((one for one in pieces if parse_date(one.text) is not None), None)
        if dated is None:
            continue
        role: FieldRole = "changed"
        if any(is_decision(_beside_day(one.text)) for one in pieces):
            role = "decided"
        elif any(not _FIRST_WORDS.isdisjoint(words_of(one.text)) for one in pieces):
            role = "created"
        yield from filter(None, [_field(heading, role, *dated)])


def _who_changed(heading: str, text: str, block: Block) -> Iterator[DocumentField]:
    """Whom a row of a change log names as its author."""
    for cell in () if block.is_header else block.cells:
        if role_of(cell.column) == "author":
            found = _field(heading, "author", text[cell.start : cell.end], cell.start)
            yield from filter(None, [found])


def _with_logged_authors(fields: Sequence[DocumentField]) -> Iterator[DocumentField]:
    """Who wrote every change of the log wrote the document, where nobody else is said to have."""
    logged = [one for one in fields if one.role == "author" and _CHANGES.fullmatch(one.name)]
    is_stated = any(one.role == "author" and one not in logged for one in fields)
    is_author = not is_stated and len({one.names for one in logged}) == 1
    for one in fields:
        if one not in logged:
            yield one
        elif one.names not in {before.names for before in logged[: logged.index(one)]}:
            yield one if is_author else one.model_copy(update={"role": "other"})


def _beside_day(text: str) -> str | None:
    """The status that a line without its day is: "accepted" of "2023-03-15: accepted"."""
    day = day_in(text)
    words = text[: day.start] + text[day.end :] if day else text
    return normal_status(words.strip(" :,()*–—-"))


def _with_first_change(text: str, fields: Sequence[DocumentField]) -> Iterator[DocumentField]:
    """Of a change log only the earliest entry can have made the document, and it has where nothing
    else says when that was."""
    logged = [one for one in fields if one.role in DATES and _CHANGES.fullmatch(one.name)]
    first = min(logged, key=lambda one: one.date or date.max, default=None)
    is_made = any(one.role in ("dated", "created") and one not in logged for one in fields)
    for one in fields:
        if one not in logged or one.role == "decided":
            yield one
        else:
            may_be_first = len(logged) > 1 and not is_made and not _is_later(text, one)
            is_first = one.role == "created" or may_be_first
            role = "created" if one is first and is_first else "changed"
            yield one.model_copy(update={"role": role})


def _is_later(text: str, change: DocumentField) -> bool:
    """Of what was there before: "3 (May 2022): receipts by app", "4 May: changed the title"."""
    start = text.rfind("\n", 0, change.start) + 1
    line = text[start : text.find("\n", start) % (len(text) + 1)].strip("|-*+ \t")
    day = day_in(line)
    version = line.lower().removeprefix("version").lstrip(" v").split(" ", 1)[0].strip("(|:")
    major, *minor = version.split(".")
    is_version = version.replace(".", "").isdigit() and (day is None or day.start > 0)
    is_numbered = is_version and (major > "1" or any(part.strip("0") for part in minor))
    return (is_numbered and major != "0") or not _CHANGING.isdisjoint(words_of(line))


def _with_day(text: str, one: DocumentField) -> Iterator[DocumentField]:
    """ "Accepted on 2023-05-02" and "Approved by: Ada on 2023-05-02" state a day as well."""
    day = day_in(one.value) if one.role in ("status", "decider") else None
    stated = parse_date(day.text) if day is not None and not day.edge else None
    wording = normal_status(one.value) if one.role == "status" else "approved"
    is_said = one.role == "decider" or (day and _is_of_day(one.value[: day.start], wording))
    if day is None or stated is None or not is_said:
        yield one
        return
    yield one.model_copy(update={"date": stated})
    if is_decision(wording):
        at = text.find(day.text, one.start, one.end)
        start, end = (at, at + len(day.text)) if at >= 0 else (one.start, one.end)
        found = _field(wording or "", "decided", day.text, start)
        yield from (field.model_copy(update={"end": end}) for field in filter(None, [found]))


def _is_of_day(before: str, wording: str | None) -> bool:
    """Nothing, "accepted on" or "accepted by the board on"; not "accepted, for review on"."""
    said = " ".join(words_of(before)).removesuffix(" on")
    return not said or said == wording or said.startswith(f"{wording} by ")


def _with_dates(fields: Sequence[DocumentField]) -> Iterator[DocumentField]:
    """A decision is of the day that stands in the same table after it."""
    for place, one in enumerate(fields):
        after = fields[place + 1] if place + 1 < len(fields) else None
        is_open = one.role == "status" and one.date is None
        is_dated = is_open and after is not None and after.role == "decided"
        yield one.model_copy(update={"date": after.date}) if is_dated and after else one


def stated_status(fields: Sequence[DocumentField]) -> DocumentField | None:
    """The latest where statements are dated, else the first; what is no status is none."""
    stated = [one for one in fields if one.role == "status" and _may_be_status(one.value)]
    latest = max(stated, key=_moment, default=None)
    # what bears no day is of now: "Deprecated", and below it "Accepted on 2020-01-01"
    is_past = latest is not None and _moment(latest) < date.max and parse_date(latest.value)
    return stated[0] if is_past and stated[0].date is None and not _is_replaced(latest) else latest


def _moment(one: DocumentField) -> date:
    """What is superseded stays so, unless that has a day and a later statement follows."""
    return one.date or (date.max if _is_replaced(one) else date.min)


def _is_replaced(one: DocumentField | None) -> bool:
    return one is not None and normal_status(one.value) == "superseded"


def _may_be_status(value: str) -> bool:
    """A known wording, or a few words; a sentence under a heading "Status" is no status."""
    wording = normal_status(value)
    is_short = len(unmarked(value).split()) <= _MOST_STATUS_WORDS
    return wording is not None and (is_short or state_of(wording) != "unknown")


def stated_date(fields: Sequence[DocumentField]) -> date | None:
    """The day a document bears: its own date, else that it holds from, was made, decided or last
    changed."""
    days = [
        *(one.date for one in fields if one.role == "dated"),
        *(parse_date(one.value) for one in fields if one.name in _EFFECTIVE.split(", ")),
        *(one.date for role in ("created", "decided") for one in fields if one.role == role),
    ]
    changes = (one.date for one in fields if one.role == "changed" and one.date)
    return next(filter(None, days), None) or max(changes, default=None)
