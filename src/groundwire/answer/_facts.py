"""Single facts of one document: its status, a day, its people, what replaces it, any field."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.answer._library import (
    Finding,
    Library,
    Place,
    cited,
    document_name,
    key_name,
    notes,
    short_name,
    stated_apart,
    with_markers,
)
from groundwire.answer._parts import stating_line, title_line
from groundwire.answer._query import Query, is_within
from groundwire.evidence import IndexedDocument, StatedStatus, parse_date
from groundwire.model import AnswerSource, DocumentField, DocumentKey, FieldRole
from groundwire.text import has_phrase, word_list, word_set, words_of

Relation = Literal["successors", "predecessors", "requires", "required_by"]

# such as "superseded by", "was replaced by"
_REPLACED_BY = lazy_pattern(r"\b(?:superseded|replaced|obsoleted|succeeded)\s+by\b", re.IGNORECASE)
# such as "supersedes", "replaced", "the successor of"
_REPLACES = lazy_pattern(
    r"\b(?:supersedes?|superseded|replaces?|replaced|obsoletes?|obsoleted|succeeds?"
    r"|succeeded|successors?|replacement)\b",
    re.IGNORECASE,
)
# such as "predecessor of"
_PREDECESSOR = lazy_pattern(r"\bpredecessors?\b", re.IGNORECASE)
# such as "requires", "depend on"
_REQUIRES = lazy_pattern(r"\b(?:requires?|required|depends? (?:up)?on)\b", re.IGNORECASE)
# such as "Is ADR 12 superseded", "has it been replaced"
_YES_OR_NO = lazy_pattern(r"(?:is|was|are|were|has|have|did|does)\b", re.IGNORECASE)
_DATE_ASKED = (
    "when, date, what year, which year, what day, which day, wanneer, datum, wann, in welchem jahr"
).split(", ")
_STATUS_ASKED = (
    "status, still valid, in force, still valid, obsolete, what state, which state, current status"
).split(", ")
_PEOPLE_ASKED: dict[FieldRole, Sequence[str]] = {
    "author": "author, authors, wrote, written by, who is behind, authored, auteur, autor,"
    " geschrieben, verfasst, erstellt".split(", "),
    "owner": "owner, owners, owns, own, owned, responsible for, driver, eigenaar".split(", "),
    "decider": "approver, approvers, approved, decided, decider, deciders, accepted, delegate,"
    " approved by, delegates, entschieden, genehmigt, beschlossen".split(", "),
    "sponsor": "sponsor, sponsors, sponsored".split(", "),
}
_DAY_OF: dict[FieldRole, Sequence[str]] = {
    "created": word_list(
        "created create written wrote started made creation proposed geschrieben erstellt verfasst"
    ),
    "decided": word_list(
        "decided approved accepted adopted agreed rejected approval decision entschieden"
        " beschlossen angenommen abgelehnt genehmigt"
    ),
    "changed": word_list("changed updated modified revised edited amended last"),
}
_DAYS: dict[FieldRole, tuple[FieldRole, ...]] = {
    "created": ("created", "dated"),
    "decided": ("decided", "dated"),
    "changed": ("changed",),
    "dated": ("dated", "created", "decided"),
}
_SAID_OF_DAY: dict[FieldRole, str] = {
    "created": "was created on",
    "decided": "was decided on",
    "changed": "was last changed on",
    "dated": "is dated",
}
_ROLE_NAMES: dict[FieldRole, str] = {
    "author": "author",
    "owner": "owner",
    "decider": "approver",
    "sponsor": "sponsor",
}
_MODALS = word_set("must shall should will would can could may might need needs")
DATING_WORDS = frozenset(word for words in _DAY_OF.values() for word in words) | word_set(
    "date dated issued issue published creation"
)
"""Words for what is done with documents on a day."""
FACT_WORDS = word_set(
    "when date year day dated created create creation written wrote started made issued issue"
    " decided approved accepted adopted agreed rejected approval changed updated modified revised"
    " status state valid force current currently still obsolete who whose whom author authors"
    " authored owner owners owns own owned responsible driver approver approvers decider deciders"
    " delegate supersede supersedes superseded superseding replace replaces replaced replacing"
    " replacement obsoletes obsoleted succeeds succeeded successor successors predecessor"
    " predecessors requires require required depends depend record document name people wanneer"
    " datum wie auteur eigenaar which by official officially proposal proposals last first one"
    " other another turn team group department person board committee council office unit"
    " organisation organization sponsor sponsors sponsored delegates bear bears carry carries"
    " approval listed given how many published publish publication target targets"
    " targeted wann wer ist der die das von vom hat"
    " wurde zustand geschrieben verfasst erstellt autor entschieden beschlossen genehmigt"
    " angenommen abgelehnt"
)
"""Words a question about a fact may have besides the name of the document."""


@dataclass(frozen=True)
class Ask:
    """What of a document is wanted. `name` is a field's own, where no role covers it."""

    kind: Literal["status", "date", "people", "relation", "field"]
    roles: tuple[FieldRole, ...] = ()
    relation: Relation | None = None
    name: str = ""
    also: "Ask | None" = None
    """What is asked as well: "Who decided it, and when"."""


def ask_of(question: str, names: Sequence[str] = ()) -> Ask | None:
    """Which fact a question asks for; none where it asks for what a document says."""
    words = set(words_of(question))
    relation = _relation(question)
    if relation is not None:
        return Ask("relation", relation=relation)
    for name in sorted(names, key=len, reverse=True):
        # "version of the record" is its version
        spoken = " ".join(words_of(name.replace("-", " ").replace("_", " "))).split(" of ")[0]
        if spoken and has_phrase(question, [spoken]) and not _is_given(spoken, question):
            return Ask("field", name=name)
    if has_phrase(question, _DATE_ASKED):
        if not words.isdisjoint(_MODALS):
            return None  # "By when must it be closed" asks for no day of the document
        roles = tuple(role for role, said in _DAY_OF.items() if not words.isdisjoint(said))
        who = _people(question) if words & _WHO else None
        return Ask("date", roles or ("dated",), also=who)
    people = _people(question)
    if people and (words & _PERSON_WORDS or _WHICH_PERSON.match(question)):
        return people
    is_stated = _YES_OR_NO.match(question) and not words.isdisjoint(_STATE_WORDS)
    return Ask("status") if is_stated or has_phrase(question, _STATUS_ASKED) else None


def _is_given(name: str, question: str) -> bool:
    """ "What changed in version 2.1" says which version and asks for something else."""
    return re.search(rf"\b{re.escape(name)} v?\d", question, re.IGNORECASE) is not None


def _people(question: str) -> Ask | None:
    roles = tuple(role for role, said in _PEOPLE_ASKED.items() if has_phrase(question, said))
    return Ask("people", roles) if roles else None


# such as "Which team owns", "What person wrote"
_WHICH_PERSON = lazy_pattern(
    r"(?:which|what) (?:team|group|department|person|board|committee|council|office|unit"
    r"|organi[sz]ation)s?\b",
    re.IGNORECASE,
)
_WHO = word_set("who whom wer")
_PERSON_WORDS = word_set(
    "who whose whom wie wer author authors owner owners approver approvers deciders name sponsor"
    " sponsors delegate delegates"
)
_STATE_WORDS = word_set(
    "accepted approved rejected withdrawn deferred final active draft proposed superseded"
    " deprecated obsolete valid abandoned archived"
)


def _relation(question: str) -> Relation | None:
    """ "What replaced it" asks forward, "what does it replace" and "replaced by it" back.

    The document stands where its label or title was left: as `§`.
    """
    place = question.find("§")
    if _PREDECESSOR.search(question):
        return "predecessors"
    by = _REPLACED_BY.search(question)
    if by is not None:
        return "predecessors" if place > by.start() else "successors"
    verb = _REPLACES.search(question)
    if verb is not None and place >= 0:
        if _YES_OR_NO.match(question):
            return None
        passive = verb[0].lower() in ("superseded", "obsoleted") and place < verb.start()
        return "successors" if passive or place > verb.start() else "predecessors"
    needs = _REQUIRES.search(question)
    if needs is not None and place >= 0:
        return "required_by" if place > needs.start() else "requires"
    return None


class Facts:
    def __init__(self, library: Library) -> None:
        self._library = library

    def names(self, document: IndexedDocument) -> list[str]:
        """Of the fields that no role covers."""
        family = self._library.family(document)
        return [
            one.name
            for member in family
            for one in member.identity.fields
            if one.role == "other"
            and _is_seen(one)
            and one.name not in {*_NO_FACTS, document.identity.doc_type}
        ]

    def answer(self, document: IndexedDocument, ask: Ask, query: Query) -> Finding:
        if ask.kind == "status":
            return self._status(document, query.stated_in)
        if ask.kind == "relation" and ask.relation:
            return self._relation(document, ask.relation)
        if ask.kind == "date":
            return self._date(document, ask.roles, query.stated_in)
        if ask.kind == "people":
            return self._people(document, ask.roles, query.stated_in)
        return self._field(document, ask.name, query)

    def _status(self, document: IndexedDocument, place: Place | None) -> Finding:
        stated = self._library.statuses(document, place)
        if not stated:
            return self._silent(document, "status")
        said = list(dict.fromkeys(one.status for one in stated))
        sources: list[AnswerSource] = []
        for one in stated:
            where = self._library.by_id(one.doc_id) or document
            sources += self._status_sources(where, document)
        if not sources:
            return self._silent(document, "status", self._unseen(document, "status"))
        if document.identity.status is None and place is None:
            name = document_name(document)
            head = f"No status was found in {name} itself; elsewhere it is {said[0]}."
        else:
            head = f"The status of {document_name(document)} is {', or '.join(said)}."
        return self._found(document, sources, head)

    def _status_sources(
        self, where: IndexedDocument, document: IndexedDocument
    ) -> Iterator[AnswerSource]:
        wanted = where.identity.status
        text = self._library.text(where)
        if text is None:
            return
        for registry, entry in self._library.entries(document):
            if registry == where.doc_id:
                yield self._library.cited_row(registry, entry)
                return
        for one in where.identity.stated("status"):
            if wanted and wanted.split()[0] in one.value.lower() and _is_seen(one):
                yield cited(where, *_stating(text.text, one))
                return

    def _date(
        self, document: IndexedDocument, roles: Sequence[FieldRole], place: Place | None
    ) -> Finding:
        wanted = _DAYS[roles[0]]
        for role in wanted:
            found = [
                (member, one)
                for member in self._library.family(document, place)
                for one in member.identity.stated(role)
                if _is_seen(one) and (one.date is not None or any(map(str.isdigit, one.value)))
            ]
            if found:
                where, one = max(found, key=lambda pair: str(pair[1].date or ""))
                if role in ("created", "dated"):
                    where, one = found[0]
                day = one.date or one.value
                head = f"{document_name(document)} {_SAID_OF_DAY[role]} {day}."
                stated = self._found(document, [self._cite(where, one)], head)
                apart = self._other_date(document, where, one) if place is None else ()
                return replace(stated, observations=(*apart, *stated.observations))
        asked = _SAID_OF_DAY[roles[0]].removesuffix(" on")
        what = "date" if roles[0] == "dated" else f"day on which it {asked}"
        return self._silent(document, what, self._other_days(document, wanted))

    def _other_date(
        self, document: IndexedDocument, where: IndexedDocument, one: DocumentField
    ) -> tuple[str, ...]:
        """What a registry says, where that is another day; it gives the one that counts, not those
        on which a record was begun or changed."""
        rows = self._library.entries(document) if one.role in ("decided", "dated") else []
        said = [
            StatedStatus(doc_id=registry, status=str(entry.date))
            for registry, entry in rows
            if entry.date and one.date and entry.date != one.date
        ]
        own = StatedStatus(doc_id=where.doc_id, status=str(one.date))
        name = short_name(document)
        note = f"The date of {name} is stated differently: {stated_apart([own, *said])}."
        return (note,) if said else ()

    def _other_days(self, document: IndexedDocument, wanted: Sequence[FieldRole]) -> str:
        """What days it does give, each under its own name."""
        days = [
            f"{one.name}: {one.value}"
            for one in document.identity.fields
            if one.role not in wanted
            and _is_seen(one)
            and len(one.value) <= _LONGEST_DAY_CHARS
            and parse_date(one.value) is not None
        ]
        given = f"It gives {'; '.join(days[:_MOST_SOURCES])}." if days else ""
        return given or self._unseen(document, *wanted)

    def _unseen(self, document: IndexedDocument, *roles: FieldRole) -> str:
        """What only the head of a web page says is told, but no answer: it cannot be quoted."""
        hidden = [one for one in document.identity.stated(*roles) if not _is_seen(one)]
        told = "; ".join(f"{one.name}: {one.value}" for one in hidden)
        return f"Its hidden page data say {told}, which no reader sees." if hidden else ""

    def _people(
        self, document: IndexedDocument, roles: Sequence[FieldRole], place: Place | None
    ) -> Finding:
        for role in roles:
            found = [
                (member, one)
                for member in self._library.family(document, place)
                for one in member.identity.stated(role)
                if _is_seen(one)
            ]
            if found:
                names = list(dict.fromkeys(name for _, one in found for name in one.names))
                sources = _apart([self._cite(where, one) for where, one in found])
                sources = sources[:_MOST_SOURCES]
                title = _ROLE_NAMES[role] + ("s" if len(names) > 1 else "")
                verb = "are" if len(names) > 1 else "is"
                head = f"The {title} of {document_name(document)} {verb} {', '.join(names)}."
                return self._found(document, sources, head)
            if role == "owner":
                for registry, entry in self._library.entries(document):
                    if entry.owner:
                        head = f"The owner of {document_name(document)} is {entry.owner}."
                        row = self._library.cited_row(registry, entry)
                        return self._found(document, [row], head)
        asked = " or ".join(_ROLE_NAMES[role] for role in roles)
        beside = self._unseen(document, *roles) or self._logged(document)
        return self._silent(document, asked, beside)

    def _logged(self, document: IndexedDocument) -> str:
        """Whom a change log names: each for a change, none for the document."""
        logged = [one for one in document.identity.stated("other") if one.names and _is_seen(one)]
        told = "; ".join(f"{one.name}: {one.value}" for one in logged[:_MOST_SOURCES])
        return f"Of its changes it names {told}." if told else ""

    def _relation(self, document: IndexedDocument, relation: Relation) -> Finding:
        key = document.identity.key
        if relation == "successors":
            keys = self._library.successors(document)
        elif relation == "predecessors":
            keys = self._library.predecessors(document)
        elif relation == "requires":
            keys = list(document.identity.requires)
        else:
            keys = _keys(self._library.naming(key, "requires")) if key else []
        verb = _VERBS[relation]
        if not keys:
            return self._silent(document, f"document that it {verb}")
        named = ", ".join(self._named(one, document) for one in keys)
        later = self._later(document) if relation == "successors" else []
        after = "".join(f", then by {self._named(one, document)}" for one in later)
        sources = self._saying(document, [*keys, *later], relation)
        head = f"{document_name(document)} {verb} {_how_many(keys)}{named}{after}."
        return self._found(document, sources, head)

    def of_absent(self, key: DocumentKey, relation: Relation) -> Finding | None:
        """What the documents that are here say of one that is not."""
        if relation == "requires":
            return None  # only the document itself would say
        others = self._library.naming(key, _STATED_BY_OTHERS[relation])
        if not others:
            return None
        named = ", ".join(map(document_name, others))
        verb = _VERBS[relation]
        roles = _SAID_BY_OTHERS[relation]
        sources = [self._cite_field(one, _field_on(one, roles, {key.number})) for one in others]
        found = self._found(
            others[0], sources, f"{key_name(key)} {verb} {_how_many(others)}{named}."
        )
        return replace(
            found,
            message=f"Stated by {', '.join(map(document_name, others))}.",
            observations=(f"No {key_name(key)} was found here.",),
        )

    def _later(self, document: IndexedDocument) -> list[DocumentKey]:
        """What replaced the successors in their turn, to the living end."""
        seen = [document.identity.key, *self._library.successors(document)]
        first = len(seen)
        for key in seen:
            for one in self._library.find(key, document)[:1] if key and key != seen[0] else []:
                seen += [new for new in self._library.successors(one) if new not in seen]
        return [key for key in seen[first:] if key]

    def _named(self, key: DocumentKey, document: IndexedDocument) -> str:
        found = self._library.find(key, document)
        return document_name(found[0]) if found else f"{key_name(key)}, which is not here"

    def _saying(
        self, document: IndexedDocument, keys: Sequence[DocumentKey], relation: Relation
    ) -> list[AnswerSource]:
        """The fields that state it, in the others that are listed and, unless all of these say so
        themselves, in this document; else the sentences."""
        others = [one for key in keys for one in self._library.find(key, document)[:1]]
        numbers = {one.number for one in (*keys, document.identity.key) if one}
        said = [_field_on(one, _SAID_BY_OTHERS[relation], numbers) for one in others]
        found = [self._cite(one, by) for one, by in zip(others, said, strict=True) if by]
        if relation in ("predecessors", "required_by") and len(found) == len(keys):
            return found
        own = _field_on(document, _SAID_BY_ITSELF[relation], numbers)
        found = [*([self._cite(document, own)] if own else []), *found]
        return found or list(self._said_in_prose((document, *others)))

    def _said_in_prose(self, documents: Sequence[IndexedDocument]) -> Iterator[AnswerSource]:
        """The sentence of one that names another: "This record replaces ADR 3"."""
        for one in documents:
            text = self._library.text(one)
            numbers = [str(other.identity.number) for other in documents if other is not one]
            lines = (
                stating_line(text, verb, number) if text else None
                for verb, number in product(_SUCCEEDING, numbers)
            )
            yield from (cited(one, *said) for said in [next(filter(None, lines), None)] if said)

    def _cite_field(self, document: IndexedDocument, one: DocumentField | None) -> AnswerSource:
        return self._cite(document, one) if one else self._cite_title(document)

    def _cite_title(self, document: IndexedDocument) -> AnswerSource:
        text = self._library.text(document)
        return cited(document, *(title_line(text, document.title) if text else ("", 0)))

    def _field(self, document: IndexedDocument, name: str, query: Query) -> Finding:
        found = [
            (member, one)
            for member in self._library.family(document)
            for one in member.identity.fields
            if one.name == name and _is_seen(one)
        ]
        if query.periods and len(found) > 1:
            within = [pair for pair in found if is_within(query.periods[0], pair[1])]
            found = within or found
        where, one = found[0]
        head = f"{document_name(document)}, {one.name}: {one.value}"
        return self._found(document, [self._cite(where, one)], head)

    def _cite(self, where: IndexedDocument, one: DocumentField) -> AnswerSource:
        text = self._library.text(where)
        if text is None:
            return cited(where, one.value, one.start)
        return cited(where, *_stating(text.text, one))

    def _found(
        self, document: IndexedDocument, sources: Sequence[AnswerSource], head: str
    ) -> Finding:
        shown = [one for one in sources if one.quote.strip()] or [self._cite_title(document)]
        return Finding(
            mode="ANSWER",
            message=f"Stated by {document_name(document)}.",
            base_score=1.0,
            text=f"{head}\n{with_markers([one.quote for one in shown])}",
            sources=tuple(shown),
            observations=tuple(notes(self._library, [document])),
            is_stated=True,
        )

    def _silent(self, document: IndexedDocument, what: str, beside: str = "") -> Finding:
        """That a thing is missing is said only of what was looked at [S3]."""
        others = [one.doc_id for one in self._library.family(document)[1:]]
        others += [registry for registry, _ in self._library.entries(document)]
        also = f", and {', '.join(others)}" if others else ""
        message = f"No {what} was found in {document_name(document)} ({LOOKED_AT}{also})."
        return Finding(
            mode="ABSTAIN",
            reason="not_in_evidence",
            message=f"{message} {beside}".rstrip(),
            observations=tuple(notes(self._library, [document])),
            missing=(f"the answer in {short_name(document)}",),
            next_step="READ_THE_DOCUMENT_OR_REPHRASE",
        )


def _is_seen(one: DocumentField) -> bool:
    """Whether it stands in the text, to be quoted."""
    return one.end > one.start


# such as "Superceded by ADR 4", "Replaced (ADR 7)", "ersetzt durch ADR 3"
_OF_SUCCESSION = lazy_pattern(r"super[sc]ed|replac|obsolet|ersetzt|abgel\u00f6st", re.IGNORECASE)


def _field_on(
    document: IndexedDocument, roles: Sequence[FieldRole], numbers: set[int]
) -> DocumentField | None:
    """The first of its fields that names one of these numbers, or a document without a number:
    neither the "31" of another document nor a dash."""
    for one in document.identity.stated(*roles):
        is_other = one.role == "status" and _OF_SUCCESSION.search(one.value) is None
        named = set(map(int, re.findall("[0-9]+", one.value)))
        is_named = bool(named & numbers) if named else any(map(str.isalpha, one.value))
        if _is_seen(one) and is_named and not is_other:
            return one
    return None


def _apart(sources: Sequence[AnswerSource]) -> list[AnswerSource]:
    """Without those that stand within another: a page's head and its byline name one author."""
    kept: list[AnswerSource] = []
    for one in sorted(sources, key=lambda source: source.start - source.end):
        if not any(
            other.doc_id == one.doc_id and other.start <= one.start and one.end <= other.end
            for other in kept
        ):
            kept.append(one)
    return [one for one in sources if one in kept]


def _keys(documents: Sequence[IndexedDocument]) -> list[DocumentKey]:
    return [one.identity.key for one in documents if one.identity.key]


def _how_many(listed: Sequence[object]) -> str:
    """Whoever asks how many need not count."""
    return f"{len(listed)}: " if len(listed) > 1 else ""


def _stating(text: str, one: DocumentField) -> tuple[str, int]:
    """The field with its name where that stands on the same line: "date: 2022-03-14"."""
    start = text.rfind("\n", 0, one.start) + 1
    line = text[start : one.end]
    kept = line.lstrip("|-*+ \t")
    return kept, one.end - len(kept)


_VERBS: dict[Relation, str] = {
    "successors": "is superseded by",
    "predecessors": "supersedes",
    "requires": "requires",
    "required_by": "is required by",
}
_STATED_BY_OTHERS: dict[Relation, FieldRole] = {
    "successors": "supersedes",
    "predecessors": "superseded_by",
    "required_by": "requires",
}
"""What the others state where a document is in a relation to them."""
_SAID_BY_OTHERS: dict[Relation, tuple[FieldRole, ...]] = {
    # of several that follow each other, each may name the one before or the one after it
    "successors": ("supersedes", "superseded_by", "status"),
    "predecessors": ("superseded_by", "status"),
    "requires": (),
    "required_by": ("requires",),
}
_SAID_BY_ITSELF: dict[Relation, tuple[FieldRole, ...]] = {
    "successors": ("superseded_by", "status"),
    "predecessors": ("supersedes",),
    "requires": ("requires",),
    "required_by": (),
}
_MOST_SOURCES = 4
_LONGEST_DAY_CHARS = 60
_SUCCEEDING = ("supersed", "replac", "obsolet")
LOOKED_AT = "its header, fields, tables and change log were looked at"
_NO_FACTS = word_set("title name content description order layout summary note notes")
