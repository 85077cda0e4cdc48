"""Lists: complete, and in the same order every time [S3, Phase 4 invariants]."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath
from typing import NamedTuple

from groundwire.answer._facts import LOOKED_AT
from groundwire.answer._library import (
    NOT_APART,
    Finding,
    Library,
    Place,
    bare_title,
    cited,
    document_name,
    key_name,
    notes,
    plural,
    short_name,
    stated_apart,
    with_markers,
)
from groundwire.answer._parts import title_line
from groundwire.answer._query import (
    Query,
    asks_what_holds,
    has_status,
    is_unwanted,
    is_within,
    last_day,
)
from groundwire.answer._route import Plan
from groundwire.answer._semantic import suggestion
from groundwire.encoder import reader_calibration
from groundwire.evidence import PEOPLE, IndexedDocument, Searcher
from groundwire.model import AnswerSource, DocumentField, FieldRole, RegistryEntry
from groundwire.text import stem, topic_words, word_set, words_of
from groundwire.values import Period

ALL_WORDS = 2
"""Topics of up to so many words must occur whole; of longer ones most of the words."""
_AIMED = word_set("target targets targeted targeting aimed tagged tag tags label labelled kind")
"""Words before the value of a field: "tagged X", "targeting X"."""
_NAMED = word_set("mention mentions mentioned mentioning name names named")
_LONGEST_KIND_CHARS = 200
MOST_NAMED = 5
MOST_APART = 12
SUGGESTED = 3
_CONDITION_LEFT_OUT = 0.5
"""How sure a list is whose question had a condition that was not understood."""
_DAYS: dict[FieldRole, tuple[FieldRole, ...]] = {
    "created": ("created", "dated"),
    "decided": ("decided", "dated"),
    "changed": ("changed",),
    "dated": ("dated", "created"),
}
_NO_DAY = "day that can be told"
_LACKED: dict[FieldRole, str] = {"dated": "date", "decider": "approver"}


class _Untold(NamedTuple):
    document: IndexedDocument
    lacks: tuple[str, ...]


@dataclass
class _Sorted:
    """Documents that fit, and those of which it cannot be told, each with what is missing."""

    held: list[IndexedDocument]
    unknown: list[_Untold]


class Lists:
    def __init__(self, library: Library, searcher: Searcher) -> None:
        self._library = library
        self._searcher = searcher

    def answer(self, plan: Plan) -> Finding:
        if plan.query.is_negated:
            return _not_understood(plan.query)
        asked = [
            one
            for one in self._library.documents
            if one.identity.doc_type in plan.collections
            and (plan.series is None or plan.series.has(one))
        ]
        if not asked and not set(plan.collections) & set(self._library.collections()):
            return self._only_registered(plan) or self._none_of_type(plan)
        of_kind = self._of_kind(plan, asked)
        about = of_kind or self._about(plan, asked)
        found = self._chosen(plan.query, about, asked)
        held = found.held
        counted = _counted(plan.collections, asked)
        if plan.query.order:
            undated = [one for one in held if self._day(one, plan.query) is None]
            found.unknown.extend(_Untold(one, (_NO_DAY,)) for one in undated)
            held = self._at_the_end(held, plan.query)
        if not held:
            registered = self._only_registered(plan)
            return registered or self._nothing(plan, counted, found.unknown)
        head = _head(plan, len(held), counted, of_kind=bool(of_kind))
        is_dated = bool(plan.query.order or plan.query.periods)
        lines = [self._line(one, plan.query, dated=is_dated) for one in held]
        return Finding(
            mode="ANSWER",
            message=f"{head}.",
            base_score=round(_share_used(plan) * (1 - len(found.unknown) / max(len(about), 1)), 3),
            text=f"{head}:\n{with_markers(lines)}",
            sources=tuple(self._cited(one) for one in held),
            observations=tuple(self._remarks(plan, asked, held, found.unknown)),
            coverage={
                "listed": len(held),
                "documents": len(asked),
                "unclassified": len(found.unknown),
            },
            is_stated=True,
        )

    def _line(self, document: IndexedDocument, query: Query, *, dated: bool) -> str:
        identity = document.identity
        day = str(identity.date) if dated and identity.date else None
        said = identity.status
        if query.statuses and not (said and has_status(query, [said], [said])):
            said = ", ".join(filter(None, [said, self._status_elsewhere(document, query)]))
        facts = ", ".join(filter(None, [_own_label(document), said, day]))
        return f"- {document_name(document)}{f' ({facts})' if facts else ''}"

    def _status_elsewhere(self, document: IndexedDocument, query: Query) -> str | None:
        """What has it listed where its own status does not: what another says of it."""
        for one in self._library.statuses(document, query.stated_in):
            is_own = one.doc_id == document.doc_id
            if not is_own and has_status(query, [one.status], [one.status]):
                return f"{one.status} in {PurePosixPath(one.doc_id).name}"
        return None

    def _none_of_type(self, plan: Plan) -> Finding:
        kinds = " or ".join(plural(name, 1).removeprefix("1 ") for name in plan.collections)
        several = [one for one in self._library.documents if one.identity.records]
        return Finding(
            mode="ABSTAIN",
            reason="no_results",
            message=f"No document here was read as {kinds}.",
            missing=(f"documents that are {kinds}",),
            observations=tuple(
                f"{one.doc_id} holds {', '.join(f'“{name}”' for name in one.identity.records)}."
                f" {NOT_APART}"
                for one in several[:MOST_NAMED]
            ),
            next_step="REPHRASE_OR_ADD_DOCUMENTS",
        )

    def _chosen(
        self,
        query: Query,
        documents: Sequence[IndexedDocument],
        asked: Sequence[IndexedDocument],
    ) -> _Sorted:
        """Each document by all that is asked of it: it fits, does not, or cannot be told. Which
        wordings of a status are in use is told by all that were asked for."""
        by_status = bool(query.statuses or query.unwanted)
        used = {
            stated
            for one in (asked if by_status else ())
            for stated in self._own_statuses(one, query.stated_in)
        }
        held: list[IndexedDocument] = []
        unknown: list[_Untold] = []
        for one in documents:
            outcomes = {
                "status that is known": self._by_status(query, one, used),
                f"{_person(query)} that is named": self._by_people(query, one),
                _NO_DAY: self._by_day(query, one),
                "": self._by_presence(query, one),
            }
            if any(False in found for found in outcomes.values()):
                continue
            lacks = tuple(what for what, found in outcomes.items() if None in found)
            if lacks:
                unknown.append(_Untold(one, lacks))
            else:
                held.append(one)
        return _Sorted(held, unknown)

    def _by_status(self, query: Query, one: IndexedDocument, used: set[str]) -> list[bool | None]:
        if not query.statuses and not query.unwanted:
            return []
        said = self._statuses_for(query, one)
        if not said:
            return [None]
        return [has_status(query, said, used) and not is_unwanted(query, said, used)]

    def _by_presence(self, query: Query, document: IndexedDocument) -> list[bool | None]:
        wanted = [(query.having, True), (query.lacking, False)]
        return [self._states(role, query, document) is is_so for role, is_so in wanted if role]

    def _states(self, role: FieldRole, query: Query, document: IndexedDocument) -> bool:
        """Whether it or its approval record, or of a status a registry, states a thing."""
        if role == "status":
            return bool(self._own_statuses(document, query.stated_in))
        roles = _DAYS["dated"] + ("decided",) if role == "dated" else (role,)
        family = self._library.family(document, query.stated_in)
        return any(one.identity.stated(*roles) for one in family)

    def _statuses_for(self, query: Query, document: IndexedDocument) -> list[str]:
        """What it says and what became of it: whether it still holds is told by the latter alone.
        Where it says itself what became of it, as "partly superseded" does, that is its status."""
        said = self._own_statuses(document, query.stated_in)
        tells = bool(said) and document.identity.state == "unknown"
        if query.stated_in or tells or not self._library.is_superseded(document):
            return said
        return ["superseded"] if asks_what_holds(query) else [*said, "superseded"]

    def _own_statuses(self, document: IndexedDocument, place: Place | None) -> list[str]:
        """What it or its approval record says; a registry's word where they say nothing."""
        own = [one.identity.status for one in self._library.family(document, place)]
        said = [one for one in own if one]
        return said or [one.status for one in self._library.statuses(document, place)]

    def _by_people(self, query: Query, document: IndexedDocument) -> list[bool | None]:
        if not query.names and not query.unknown_name:
            return []
        roles = query.people_roles or PEOPLE
        family = self._library.family(document, query.stated_in)
        named = _people_in(family, roles)
        if query.by_alone and not named:
            named = _people_in(family, PEOPLE)
        if "owner" in roles and not named:
            named = [e.owner for _, e in self._library.entries(document) if e.owner]
        # "did attend" and "mention" ask of no role: whoever stands in the text is named
        is_open = not query.people_roles and (query.unused or _NAMED & set(words_of(query.rest)))
        if query.names and is_open:
            return [self._is_mentioned(query, document)]
        if not named:
            return [None]
        return [not query.unknown_name and query.names_fit(named)]

    def _is_mentioned(self, query: Query, document: IndexedDocument) -> bool:
        """Whether its text has the names."""
        text = self._library.text(document)
        return text is not None and query.names_fit([text.text])

    def _by_day(self, query: Query, document: IndexedDocument) -> list[bool | None]:
        days = self.days(document, query) if query.periods else []
        outcomes: list[bool | None] = []
        for period in query.periods:
            fits = [is_within(period, one) for one in days]
            outcomes.append(True if True in fits else None if None in fits or not fits else False)
        return outcomes

    def days(self, document: IndexedDocument, query: Query) -> list[DocumentField]:
        """The fields that say when: the first kind of them that the document has."""
        family = self._library.family(document, query.stated_in)
        for asked in query.date_roles or ("dated",):
            for role in _DAYS[asked]:
                members = family if role == "decided" or query.stated_in else [document]
                found = [one for member in members for one in member.identity.stated(role)]
                dated = [one for one in found if any(map(str.isdigit, one.value))]
                if dated:
                    return dated[:1] if role in ("dated", "created") else dated
        return []

    def _at_the_end(
        self, documents: Sequence[IndexedDocument], query: Query
    ) -> list[IndexedDocument]:
        """The latest or earliest by the day that is asked for: "most recently updated". All that
        share the last of these days are among them."""
        told = ((one.doc_id, self._day(one, query)) for one in documents)
        days = {doc_id: day for doc_id, day in told if day is not None}
        wanted = sorted(days.values(), reverse=query.order == "newest")[: query.count]
        found = [one for one in documents if days.get(one.doc_id) in wanted]
        return sorted(found, key=lambda one: wanted.index(days[one.doc_id]))

    def _day(self, document: IndexedDocument, query: Query) -> date | None:
        stated = self.days(document, query) if query.date_roles else []
        known = [day for one in stated if (day := last_day(one)) is not None]
        roughly = (last_day(one) for one in document.identity.stated(*_DAYS["dated"]))
        own = document.identity.date or next(filter(None, roughly), None)
        return max(known, default=None) or own

    def _of_kind(self, plan: Plan, documents: Sequence[IndexedDocument]) -> list[IndexedDocument]:
        """Those marked with the topic, by a field or by the heading of a registry."""
        if not plan.topic:
            return []
        marked = [one for one in documents if is_of_kind(plan.topic, one)]
        if marked or plan.query.stated_in != "registry":
            return marked
        return [one for one in documents if self._is_listed_under(plan.topic, one)]

    def _about(self, plan: Plan, documents: Sequence[IndexedDocument]) -> Sequence[IndexedDocument]:
        """Every document is read, so that the list is complete; the order is that of numbers."""
        if not plan.topic or not documents:
            return documents
        if plan.titled:
            return [one for one in documents if has_in_title(plan.topic, one)]
        texts = [self._words_of(one) for one in documents]
        shares = self._searcher.coverage(plan.topic, texts, [""] * len(texts))
        all_of_it = len(plan.topic) <= ALL_WORDS
        least = 0.999 if all_of_it else reader_calibration().answers.list_share
        return [one for one, (share, _) in zip(documents, shares, strict=True) if share >= least]

    def _is_listed_under(self, words: Sequence[str], document: IndexedDocument) -> bool:
        """Whether a registry has it beneath a heading of these words: "Safety (ADR.10-19)"."""
        asked = [stem(word) for word in words]
        return any(
            asked == [stem(word) for word in topic_words((entry.section or "").split("(")[0])]
            for _, entry in self._library.entries(document)
        )

    def _words_of(self, document: IndexedDocument) -> str:
        text = self._library.text(document)
        return f"{document.title}\n{text.text[text.body_start :]}" if text else document.title

    def _near(self, plan: Plan, listed: Sequence[IndexedDocument]) -> list[IndexedDocument]:
        """Documents that do not have the words but may be about the topic all the same."""
        known = {one.doc_id for one in listed}
        least = reader_calibration().answers.near_topic
        near = self._searcher.near_documents(" ".join(plan.topic), plan.collections, least)
        documents = (self._library.by_id(doc_id) for doc_id, _ in near if doc_id not in known)
        found = [document for document in documents if document is not None]
        order = {one.doc_id: place for place, one in enumerate(self._library.documents)}
        return sorted(found[:MOST_NAMED], key=lambda one: order[one.doc_id])

    def _cited(self, document: IndexedDocument) -> AnswerSource:
        text = self._library.text(document)
        return cited(document, *(title_line(text, document.title) if text else ("", 0)))

    def _nothing(self, plan: Plan, counted: str, unknown: Sequence[_Untold]) -> Finding:
        near = self._near(plan, ()) if plan.topic else []
        return Finding(
            mode="ABSTAIN",
            reason="no_results",
            message=_none(plan, counted),
            missing=(f"documents that mention: {', '.join(plan.topic)}",) if plan.topic else (),
            suggestions=tuple(suggestion(one) for one in near[:SUGGESTED]),
            observations=tuple(_apart(unknown)),
            next_step="REPHRASE_OR_ADD_DOCUMENTS",
        )

    def _remarks(
        self,
        plan: Plan,
        asked: Sequence[IndexedDocument],
        listed: Sequence[IndexedDocument],
        unknown: Sequence[_Untold],
    ) -> list[str]:
        remarks = [plan.series.note] if plan.series and plan.series.note else []
        if plan.query.unused:
            remarks.append(f"Not used to choose, for it was not understood: {_unused(plan.query)}.")
        remarks += _apart(unknown)
        if plan.topic and not plan.titled and (near := self._near(plan, listed)):
            names = ", ".join(map(document_name, near))
            remarks.append(f"Without these words, but near in meaning: {names}.")
        absent = [
            f"A registry also lists {_entry_name(entry)}, but the document is not there."
            for _, entry in self._absent(plan)
        ]
        replaced = [one for one in listed if one.identity.state != "superseded"]
        remarks += notes(self._library, filter(self._library.is_superseded, replaced))
        return [*remarks, *self._disagreements(plan, asked, listed), *absent]

    def _absent(self, plan: Plan) -> list[tuple[str, RegistryEntry]]:
        """What a registry lists that fits the question and is not there itself."""
        query = plan.query
        if plan.series or plan.topic or query.order or query.unknown_name:
            return []
        if query.lacking or query.having:
            return []
        is_owned = not query.people_roles or "owner" in query.people_roles
        if query.stated_in not in (None, "registry") or (query.names and not is_owned):
            return []
        return [
            (registry, entry)
            for registry, entry in self._library.absent(plan.collections)
            if has_status(query, [entry.status or ""], [])
            and not is_unwanted(query, [entry.status or ""], [])
            and (not query.names or query.names_fit([entry.owner or ""]))
            and all(_is_dated(entry, period) for period in query.periods)
        ]

    def _only_registered(self, plan: Plan) -> Finding | None:
        """A list of what only a registry knows."""
        found = self._absent(plan) if plan.query.chooses else []
        sources = [self._library.cited_row(registry, entry) for registry, entry in found]
        if not sources:
            return None
        lines = [f"- {_entry_name(entry)}" for _, entry in found]
        head = f"{len(found)} that a registry lists, none of which is here"
        return Finding(
            mode="ANSWER",
            message=f"{head}.",
            base_score=1.0,
            text=f"{head}:\n{with_markers(lines)}",
            sources=tuple(sources),
            coverage={"listed": len(found), "documents": 0, "unclassified": 0},
            is_stated=True,
        )

    def _disagreements(
        self,
        plan: Plan,
        asked: Sequence[IndexedDocument],
        listed: Sequence[IndexedDocument],
    ) -> list[str]:
        """Of those listed, and of those that only another source would have had listed."""
        remarks = []
        known = {one.doc_id for one in listed}
        for one in asked:
            said = self._library.disagreement(one)
            differs = [stated.status for stated in said]
            is_meant = bool(plan.query.statuses) and has_status(plan.query, differs, differs)
            if said and (one.doc_id in known or is_meant):
                remarks.append(
                    f"The status of {short_name(one)} is stated differently: {stated_apart(said)}."
                )
        return remarks


def _people_in(family: Iterable[IndexedDocument], roles: Sequence[FieldRole]) -> list[str]:
    return [name for one in family for said in one.identity.stated(*roles) for name in said.names]


def _not_understood(query: Query) -> Finding:
    """A list in spite of a "not" would be of the contrary."""
    return Finding(
        mode="ABSTAIN",
        reason="not_answered",
        message=f"What is ruled out was not understood: {_unused(query)}. Nothing is listed.",
        missing=("a condition that documents state: a status, a person, a day, a topic",),
        next_step="REPHRASE_OR_ADD_DOCUMENTS",
    )


def _unused(query: Query) -> str:
    return ", ".join(f"“{word}”" for word in query.unused)


def _share_used(plan: Plan) -> float:
    """A list that leaves out a condition is not surely the one that was asked for."""
    return _CONDITION_LEFT_OUT if plan.query.unused else 1.0


def _entry_name(entry: RegistryEntry) -> str:
    return f"{key_name(entry.key)} “{bare_title(entry.title, entry.key.number)}”"


def _is_dated(entry: RegistryEntry, period: Period) -> bool:
    day = entry.date
    stated = DocumentField(name="date", value=str(day or ""), start=0, end=0, date=day)
    return day is not None and is_within(period, stated) is True


def is_of_kind(words: Sequence[str], document: IndexedDocument) -> bool:
    """Whether a field has just these words for a value, with or without its name: "Type: Process",
    "tagged Ways of working" where the tags are "Security, Ways of working"."""
    asked = [stem(word) for word in words if word not in _AIMED]
    for one in document.identity.fields:
        if one.role == "other" and len(one.value) <= _LONGEST_KIND_CHARS:
            name = {stem(word) for word in words_of(one.name.replace("_", " "))}
            bare = [word for word in asked if word not in name]
            if bare and bare in _values(one.value):
                return True
    return False


def _values(value: str) -> list[list[str]]:
    """ "Security, Build, release and deploy" is several values; a comma may stand within one."""
    parts = [[stem(word) for word in topic_words(part)] for part in re.split("[,;]", value)]
    return [
        [word for part in parts[first:last] for word in part]
        for first in range(len(parts))
        for last in range(first + 1, len(parts) + 1)
    ]


def has_in_title(words: Sequence[str], document: IndexedDocument) -> bool:
    title = {stem(word) for word in words_of(document.title)}
    return all(stem(word) in title for word in words)


def _apart(unknown: Sequence[_Untold]) -> list[str]:
    """What could not be classified is listed apart, by what each lacks [S3]."""
    by_lack: dict[tuple[str, ...], list[IndexedDocument]] = {}
    for one in unknown:
        by_lack.setdefault(one.lacks, []).append(one.document)
    remarks = []
    for lacks, documents in by_lack.items():
        names = ", ".join(short_name(one) for one in documents[:MOST_APART])
        rest = len(documents) - MOST_APART
        more = f" and {rest} more" if rest > 0 else ""
        remarks.append(
            f"Not classified, for no {' and no '.join(lacks)} was found in: {names}{more}."
        )
    return remarks


def _person(query: Query) -> str:
    """Who is looked for, by the role that is asked for."""
    if query.by_alone or len(query.people_roles) != 1:
        return "person"
    return _LACKED.get(query.people_roles[0], query.people_roles[0])


def _own_label(document: IndexedDocument) -> str | None:
    """As the document calls itself, where that is not its type and number: PCP.31."""
    for one in document.identity.fields:
        if one.name in ("nav_order", "id", "label") and any(map(str.isdigit, one.value)):
            return one.value if any(map(str.isalpha, one.value)) else None
    return None


def _counted(collections: Sequence[str], documents: Sequence[IndexedDocument]) -> str:
    counts = Counter(one.identity.doc_type for one in documents)
    return ", ".join(plural(name, counts[name]) for name in collections if counts[name])


def _none(plan: Plan, counted: str) -> str:
    if plan.query.order:
        chosen = _head(replace(plan, query=replace(plan.query, order=None)), 0, counted)
        return f"No day that can be told was found in {chosen.removeprefix('0 of ')}."
    return f"{_head(plan, 0, counted)}.".replace("0 of", "None of", 1)


def _head(plan: Plan, listed: int, counted: str, *, of_kind: bool = False) -> str:
    query = plan.query
    status = f" with status {' or '.join(query.statuses)}" if query.statuses else ""
    status += f" with another status than {' or '.join(query.unwanted)}" if query.unwanted else ""
    if query.having:
        status += f" in which some {_LACKED.get(query.having, query.having)} was found"
    if query.lacking:
        # said of what was looked at: a document may state in prose what no field of it does
        what = _LACKED.get(query.lacking, query.lacking)
        status += f" in which no {what} was found ({LOOKED_AT.replace('its', 'their', 1)})"
    names = query.names or tuple(filter(None, [query.unknown_name]))
    role = _person(query)
    as_what = f" as {role}" if names and role != "person" else ""
    people = f" naming {', '.join(names)}{as_what}" if names else ""
    days = "".join(f" dated {_bound(one.edge)}{one.text}" for one in query.periods)
    chosen = f"{status}{people}{days}"
    if query.order:
        which = "latest" if query.order == "newest" else "earliest"
        many = f"{query.count} " if query.count > 1 else ""
        return f"The {many}{which} by date of {counted}{chosen}"
    if of_kind:
        return f"{listed} of {counted}{chosen} marked “{' '.join(plan.topic)}”"
    if plan.titled:
        return f"{listed} of {counted} on “{' '.join(plan.topic)}”{chosen}"
    verb = "mentions" if listed == 1 else "mention"
    share = "" if len(plan.topic) <= ALL_WORDS else "most of "
    topic = f" {verb} {share}“{' '.join(plan.topic)}”" if plan.topic else ""
    return f"{listed} of {counted}{chosen}{topic}" if chosen or topic else counted


def _bound(edge: str) -> str:
    return {
        "before": "before ",
        "after": "after ",
        "start": "since ",
        "end": "until ",
        "by": "by ",
    }.get(edge, "")
