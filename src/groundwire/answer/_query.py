"""A question as a query over what documents state of themselves: states, people, days, order."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.answer._library import Place
from groundwire.evidence import STILL_HOLDS, same_state, same_wording, state_of, statuses_in
from groundwire.model import DocumentField, DocumentState, FieldRole
from groundwire.text import unaccented, word_list, words_of
from groundwire.values import Period, values_in

Order = Literal["newest", "oldest"]

# such as "latest", "most recent", "newest"
_NEWEST = lazy_pattern(
    r"\b(?:most recent(?:ly)?|latest|newest"
    r"|last(?! (?:changed|updated|modified|revised|edited|amended)))\b",
    re.IGNORECASE,
)
# such as "the oldest", "the first"
_OLDEST = lazy_pattern(r"\b(?:oldest|earliest|first)\b", re.IGNORECASE)
# what bounds a day and is no preposition: "older than 2010"
_BEFORE = lazy_pattern(r"\b(?:older|earlier) than $", re.IGNORECASE)
# such as "later than" before "May 2020"
_AFTER = lazy_pattern(r"\b(?:newer|later|younger) than $", re.IGNORECASE)
# such as "no later than" before "2011"
_NO_LATER = lazy_pattern(r"\b(?:no later than|by the end of|in or before) $", re.IGNORECASE)
# such as "in or after" before "2019"
_NO_EARLIER = lazy_pattern(r"\b(?:no earlier than|in or after) $", re.IGNORECASE)
_NAME = r"[A-ZÀ-ÞĀ-Ž][\w.'’-]*"
# such as "from" before "2020": of that year, not since then
_FROM = lazy_pattern(r"\bfrom $", re.IGNORECASE)
# a name that nobody in the corpus bears: "by Ada Lovelace", "did Ada Lovelace write"
_BY_NAME = lazy_pattern(
    r"\b(?:by|did|does|do|has|have|belongs? to)\s+(?:the\s+)?"
    rf"(?P<name>{_NAME}(?:\s+(?:(?:van|von|de|der)\s+)?{_NAME})+)|\bby\s+(?P<one>{_NAME})$"
)
# such as "in part" beside "superseded": of any degree
_OF_ANY_DEGREE = lazy_pattern(r"\b(?:partly|partially|in part|wholly|fully)\b", re.IGNORECASE)
# such as "in their own front matter", "according to the registry", "in the ADR itself"
_WHERE_STATED = lazy_pattern(
    r"\b(?:in|by|on|from|according to) (?:(?:its|their|the|each) )?(?P<own>own )?"
    r"(?P<place>approval records?|front matter|headers?|metadata|registry|registries|index|records?"
    r"|(?:\w+ )?\w+(?= (?:itself|themselves)\b))"
    r"(?P<itself>(?: of (?:the |each )?\w+)? (?:itself|themselves))?\b",
    re.IGNORECASE,
)
_PLACES: dict[str, Place] = {
    "approval record": "approval",
    "front matter": "own",
    "header": "own",
    "metadata": "own",
    "registry": "registry",
    "registrie": "registry",
    "index": "registry",
}
# such as "decision owner", "PEP delegate": what a person is to a document, and no document
_ROLE_LABEL = lazy_pattern(
    r"\b(?!(?:no|without|lacks?|lacking|missing|an?|any|some)\b)\w+[ -]"
    r"(?=(?:owner|maker|delegate|sponsor|author|approver|decider)s?\b)",
    re.IGNORECASE,
)
# such as "in this collection", "of the whole corpus", "here": every document is meant
_OF_ALL = lazy_pattern(
    r"\b(?:in|of|within|from|across|throughout) (?:this|the|our|these|that)"
    r"(?: (?:whole|entire|present|given))?"
    r" (?:collection|corpus|repository|repo|set|library|archive|knowledge base|document base)\b"
    r"|\bhere\b",
    re.IGNORECASE,
)
# such as "not yet", "neither", "other than" before a status
_NOT = lazy_pattern(
    r"\b(?:not|neither|nor|never|aren['’]t|isn['’]t|other than|rather than|except)"
    r"(?: (?:yet|been|currently|or|the))* $",
    re.IGNORECASE,
)
# such as "nor" or "or" between two statuses of which the first is not wanted
_NOR = lazy_pattern(r"^ (?:nor|or) $", re.IGNORECASE)
# such as "proposed for Python 3.9": what was done, not a status
_DONE = lazy_pattern(r"\bproposed(?= (?:for|by|to)\b)", re.IGNORECASE)
_STATED: dict[str, FieldRole] = {
    "status": "status",
    "state": "status",
    "date": "dated",
    "owner": "owner",
    "author": "author",
    "approver": "decider",
    "decider": "decider",
    "sponsor": "sponsor",
}
# such as "have no status", "without an owner", "do not name an author"
_LACKS = lazy_pattern(
    r"\b(?:no|without|lacks?|lacking|missing"
    r"|(?:do|does)(?: not|n['’]t) (?:have|state|name|give|bear))"
    rf"(?: an?| any)? (?P<what>{'|'.join(_STATED)})s?\b",
    re.IGNORECASE,
)
# such as "have an author", "with a date", "that state any owner"
_HAS = lazy_pattern(
    r"\b(?:have|has|having|with|states?|names?|gives?|bears?) (?:an?|any|some)"
    rf" (?P<what>{'|'.join(_STATED)})s?\b",
    re.IGNORECASE,
)
_MEANT: dict[str, tuple[DocumentState, ...]] = {
    "undecided": ("proposed", "draft"),
    "no longer valid": ("superseded", "deprecated", "archived", "abandoned"),
    "never accepted": ("proposed", "draft", "rejected", "abandoned"),
}
"""What a question calls by no status: the states that are meant."""
_HOLDING = "valid|in force|in effect|current|active|effective|accepted|approved|applicable"
_SAID_OF_STATES = {
    # such as "not yet decided", "have not been decided", "undecided", "awaiting a decision"
    "undecided": r"(?:not|n['’]t)(?: yet)?(?: been)? decided(?: (?:up)?on)?(?: yet)?|undecided"
    r"|(?:pending|awaiting|waiting for) a decision|yet to be decided|still open",
    # such as "no longer in force", "not valid any more"
    "no longer valid": rf"no longer (?:{_HOLDING})"
    rf"|(?:not|n['’]t) (?:{_HOLDING}) any ?(?:more|longer)",
    # such as "never accepted", "never been approved"
    "never accepted": r"never(?: been)? (?:accepted|approved|adopted|agreed|decided)",
}
# such as "are decided", "have already been decided" at the end: not by whom or when
_IS_DECIDED = lazy_pattern(
    r"\b(?:are|is|were|was|been|already|now) decided(?: (?:up)?on)?$", re.IGNORECASE
)
_NUMBERS = word_list("one two three four five six seven eight nine ten")
_NUMBER = rf"(?:{'|'.join(_NUMBERS)}|[0-9]{{1,3}})"
# such as "two" of "the two latest", "3" of "the last 3"; "the last 3 years" counts no documents
_HOW_MANY = lazy_pattern(
    rf"\b{_NUMBER}(?= (?:most recent|latest|newest|last|oldest|earliest|first)\b)"
    r"|(?:(?<=latest )|(?<=newest )|(?<=recent )|(?<=last )|(?<=oldest )|(?<=earliest )"
    rf"|(?<=first )){_NUMBER}\b(?! (?:year|month|week|day)s?\b)",
    re.IGNORECASE,
)
_NEGATIONS = frozenset(
    word_list(
        "not no never without neither nor nobody except don't doesn't didn't aren't isn't weren't"
        " wasn't haven't hasn't"
    )
)
_ROLE_WORDS: dict[FieldRole, Sequence[str]] = {
    "author": word_list("author authors authored wrote write written writes propose"),
    "owner": word_list(
        "own owns owned owner owners belong belongs responsible maintain maintains drive drives"
    ),
    "decider": word_list("approver approvers decider deciders delegate delegates"),
    "sponsor": word_list("sponsor sponsors sponsored sponsoring champion championed"),
}
# such as "approved by" before a name, "did approve" and "has decided" around one that is left out
_DECIDED_BY = lazy_pattern(
    r"\b(?:approved|accepted|decided|agreed|signed off) by\b"
    r"|\b(?:did|does|do|has|have|had)\s+(?:the\s+)?"
    r"(?:approve|accept|decide|agree|sign(?:ed)? off)d?\b",
    re.IGNORECASE,
)
# such as "did make" around a name that is left out: "Which decisions did Ada make"
_DID_MAKE = lazy_pattern(
    r"\b(?:did|does|do|has|have|had)\s+(?:make|made|take|taken|reach(?:ed)?)\b"
)
# such as "did attend" at the end, around a name that is left out
_DID = lazy_pattern(r"\b(?:did|does|do|has|have|had)\s+(?P<deed>[a-z]+)$")
_DATE_WORDS: dict[FieldRole, Sequence[str]] = {
    "created": word_list("created create written wrote made started"),
    "decided": word_list("decided approved accepted adopted agreed"),
    "changed": word_list("changed updated modified revised edited amended"),
    "dated": word_list("dated date dates issued issue published"),
}
QUERY_WORDS = frozenset(
    word for words in (*_ROLE_WORDS.values(), *_DATE_WORDS.values()) for word in words
) | frozenset(
    word_list(
        "bear bears carry carries status state states still older newer earlier later recent"
        " recently latest newest last oldest earliest first currently yet named names name people"
        " person since until together another other others one neither nor later by creation"
        " approval co coauthor coauthored list lists listed given among amongst include includes"
        " including rather publish publishes total altogether overall count marked flagged shown"
        " called approve approves decide decides accept agree sign signed ended ends became"
    )
)
"""Words that say how documents are chosen, not what they are about."""


_HARMLESS = frozenset(word_list("own made create created decided"))
"""Of those words, the ones that say no more than that there are such documents."""
SHORTEST_ENDING = 2
_GROUPS = frozenset(word_list("office team group board committee council department unit"))


@dataclass(frozen=True)
class Query:
    """What of a collection is wanted. Everything that is given must hold."""

    statuses: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    unknown_name: str | None = None
    people_roles: tuple[FieldRole, ...] = ()
    by_alone: bool = False
    """Whether "by" alone tells the role: an author, or where none is named whoever is."""
    periods: tuple[Period, ...] = ()
    date_roles: tuple[FieldRole, ...] = ()
    order: Order | None = None
    unwanted: tuple[str, ...] = ()
    """Statuses that must not hold: "not yet accepted"."""
    lacking: FieldRole | None = None
    """What a document must not state: "without an owner"."""
    having: FieldRole | None = None
    """What it must state, whatever that is: "with an owner"."""
    count: int = 1
    """How many are wanted of an order: "the two latest"."""
    unused: tuple[str, ...] = ()
    """Words that set a condition, but not one that was understood."""
    of_any_degree: bool = False
    """Whether what is partly superseded is superseded."""
    stated_in: Place | None = None
    """Where it must be stated; anywhere, unless a question says so."""
    rest: str = field(default="", compare=False)
    """The question without the words that were understood."""

    @property
    def is_empty(self) -> bool:
        return not (self.chooses or self.unknown_name or self.order)

    @property
    def chooses(self) -> bool:
        """Whether it says which documents, by what they state."""
        stated = self.lacking or self.having
        return bool(self.statuses or self.names or self.periods or self.unwanted or stated)

    @property
    def is_negated(self) -> bool:
        """Whether something is ruled out that was not understood: the contrary would be listed."""
        return not _NEGATIONS.isdisjoint(self.unused)

    def names_fit(self, said: Iterable[str]) -> bool:
        """A group may be called by the end of its name: "Sales - Data Office" is the latter too."""
        folded = [f" {_folded(one)} " for one in said]
        return all(any(f" {_folded(name)} " in one for one in folded) for name in self.names)


def query_of(question: str, known_names: Iterable[str]) -> Query:
    """What of a question is about states, people, days and order."""
    words = set(words_of(question))
    question, place = without_places(question)
    rest = question
    periods = [
        _bounded(value, question[: value.start])
        for value in values_in(question)
        if isinstance(value, Period) and value.frame == "calendar"
    ]
    for period in reversed(periods):
        rest = f"{rest[: period.start]} {rest[period.end :]}"
    names = tuple(_names_in(question, known_names))
    for name in names:
        rest = _without(rest, name)
    unknown = None if names else _BY_NAME.search(rest)
    nobody = (unknown["name"] or unknown["one"]) if unknown else None
    if nobody:
        rest = rest.replace(nobody, " ")
    order: Order | None = (
        "newest" if _NEWEST.search(rest) else "oldest" if _OLDEST.search(rest) else None
    )
    is_of_any_degree = _OF_ANY_DEGREE.search(rest) is not None
    rest = _OF_ANY_DEGREE.sub(" ", rest)
    counted = _HOW_MANY.search(rest)
    rest, lacking = _stated(_LACKS, rest)
    rest, having = _stated(_HAS, rest)
    roles = _people_roles(rest, words)
    rest, meant = _states_meant(rest)
    asked = _DONE.sub(" ", rest)
    undone: tuple[str, ...] = ()
    if names or nobody:
        asked = _DECIDED_BY.sub(" ", asked)  # "approved by Ada" asks for no status
        rest, undone = _deed(_DID_MAKE.sub(" ", rest))
    wanted, unwanted = _statuses(asked)
    if _IS_DECIDED.search(rest.strip()):
        unwanted = (*unwanted, "undecided")
    query = Query(
        statuses=(*wanted, *meant),
        unwanted=unwanted,
        lacking=lacking,
        having=having,
        count=_count(counted[0]) if counted else 1,
        of_any_degree=is_of_any_degree,
        names=names,
        unknown_name=nobody,
        people_roles=roles or (("author",) if "by" in words else ()),
        by_alone=not roles and "by" in words,
        stated_in=place,
        periods=tuple(periods),
        date_roles=_roles(words, _DATE_WORDS),
        order=order,
        rest=_HOW_MANY.sub(" ", rest),
    )
    return replace(query, unused=(*undone, *_unused(query)))


def _deed(rest: str) -> tuple[str, tuple[str, ...]]:
    """What somebody is said to have done, where that tells no role: "attend" of "Which minutes did
    Ada attend" is a condition that was not understood, and no topic."""
    found = _DID.search(rest)
    known = QUERY_WORDS | {"propose"}
    if found is None or found["deed"].lower() in known or _DECIDED_BY.search(rest):
        return rest, ()
    return rest[: found.start()], (found["deed"],)


def _stated(pattern: re.Pattern[str], rest: str) -> tuple[str, FieldRole | None]:
    found = pattern.search(rest)
    if found is None:
        return rest, None
    return rest.replace(found[0], " "), _STATED[found["what"].lower()]


def _states_meant(rest: str) -> tuple[str, list[str]]:
    found = []
    for name, said in _SAID_OF_STATES.items():
        pattern = re.compile(rf"(?:\b|(?=n['’]t))(?:{said})\b", re.IGNORECASE)
        if pattern.search(rest):
            found.append(name)
            rest = pattern.sub(" ", rest)
    return rest, found


def _count(said: str) -> int:
    return int(said) if said.isdigit() else _NUMBERS.index(said.lower()) + 1


def _unused(query: Query) -> tuple[str, ...]:
    """Of the words that choose by people, by days or by what is not so, those that did not."""
    roles = frozenset(word for words in _ROLE_WORDS.values() for word in words)
    days = frozenset(word for words in _DATE_WORDS.values() for word in words)
    used = _HARMLESS.union(*(one.split() for one in (*query.statuses, *query.unwanted)))
    if query.names or query.unknown_name:
        used |= roles | days  # "written by Ada Lund"
    if query.periods or query.order:
        used |= days | frozenset(_ROLE_WORDS["author"])
    if query.unwanted:
        used |= _NEGATIONS
    meant = (roles | days | _NEGATIONS) - used
    return tuple(word for word in dict.fromkeys(words_of(query.rest)) if word in meant)


def without_places(question: str) -> tuple[str, Place | None]:
    """The question without "in this collection" and "in their headers", and where these say that
    a thing must be stated."""
    rest = _OF_ALL.sub(" ", _ROLE_LABEL.sub("", question))
    found = _WHERE_STATED.search(rest)
    if found is None:
        return " ".join(rest.split()), None
    place = _PLACES.get(found["place"].lower().removesuffix("s").removesuffix(" "))
    if place is None and (found["own"] or found["itself"]):
        place = "own"
    return " ".join(rest.replace(found[0], " ").split()), place


def _people_roles(rest: str, words: set[str]) -> tuple[FieldRole, ...]:
    return ("decider",) if _DECIDED_BY.search(rest) else _roles(words, _ROLE_WORDS)


def _statuses(question: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those that are asked for, and those that are ruled out."""
    # "not accepted" is a wording of its own, which means rejected; in a question it does not
    asked = re.sub(r"\bnot accepted\b", "not yet accepted", question, flags=re.IGNORECASE)
    wanted: list[str] = []
    unwanted: list[str] = []
    end, was_unwanted = 0, False
    for status in statuses_in(asked):
        place = re.search(rf"\b{re.escape(status)}\b", question, re.IGNORECASE)
        start = place.start() if place else 0
        follows = was_unwanted and _NOR.match(question[end:start]) is not None
        was_unwanted = follows or _NOT.search(question[:start]) is not None
        (unwanted if was_unwanted else wanted).append(status)
        end = place.end() if place else 0
    return tuple(wanted), tuple(unwanted)


def has_status(query: Query, said: Sequence[str], wordings: Iterable[str]) -> bool:
    """By the wording where the corpus uses it; else whatever means the same state."""
    used = list(wordings)
    for wanted in query.statuses:
        if any(_means(wanted, one, used, query) for one in said):
            return True
    return not query.statuses


def is_unwanted(query: Query, said: Sequence[str], wordings: Iterable[str]) -> bool:
    used = list(wordings)
    return any(_means(status, one, used, query) for status in query.unwanted for one in said)


def asks_what_holds(query: Query) -> bool:
    """Whether it asks what became of documents, rather than what they say of themselves."""
    return any(one in STILL_HOLDS or one in _MEANT for one in (*query.statuses, *query.unwanted))


def _means(wanted: str, said: str, used: Sequence[str], query: Query) -> bool:
    if wanted in _MEANT:
        return state_of(said) in _MEANT[wanted]
    if query.of_any_degree and state_of(said.rsplit(maxsplit=1)[-1]) == state_of(wanted):
        return True
    by_wording = wanted not in STILL_HOLDS and any(same_wording(wanted, one) for one in used)
    return same_wording(wanted, said) if by_wording else same_state(wanted, said)


def is_within(period: Period, one: DocumentField) -> bool | None:
    """Whether a day lies in a period; none where the field's day can be read in several ways
    that differ in this."""
    days = [(one.date, one.date)] if one.date else _days(one.value)
    outcomes = {_fits(period, first, last) for first, last in days}
    return outcomes.pop() if len(outcomes) == 1 else None


def last_day(one: DocumentField) -> date | None:
    """The day a field names, or the last of its month or year; none where it reads in two ways."""
    days = [(one.date, one.date)] if one.date else _days(one.value)
    return days[0][1] if len(days) == 1 else None


def _fits(period: Period, first: date, last: date) -> bool:
    start, end = date(*period.first), date(*period.last)
    if period.edge == "before":
        return last < start
    if period.edge == "after":
        return first > end
    if period.edge == "start" and period.first[:2] == period.last[:2]:
        return first >= start
    if period.edge in ("end", "by"):
        return last <= end
    if period.edge == "start" and not _is_range(period):
        return first >= start
    return start <= first and last <= end


def _is_range(period: Period) -> bool:
    return len([word for word in words_of(period.text) if word.isdigit()]) > 1


def _days(value: str) -> list[tuple[date, date]]:
    for one in values_in(value):
        if isinstance(one, Period) and one.frame == "calendar":
            beside = value[: one.start] + value[one.end :]
            # of a day in another language only the year was read: "3 marzo 2025"
            is_whole = not any(map(str.isdigit, beside))
            return [(date(*first), date(*last)) for first, last in one.readings if is_whole]
    return []


def _bounded(period: Period, before: str) -> Period:
    if _FROM.search(before) and not _is_range(period):
        return replace(period, edge="")
    for pattern, edge in (
        (_NO_LATER, "by"),
        (_NO_EARLIER, "start"),
        (_BEFORE, "before"),
        (_AFTER, "after"),
    ):
        if pattern.search(before):
            return replace(period, edge=edge)  # type: ignore[arg-type]
    return period


def _roles(words: set[str], table: dict[FieldRole, Sequence[str]]) -> tuple[FieldRole, ...]:
    return tuple(role for role, named in table.items() if not words.isdisjoint(named))


def _names_in(question: str, known: Iterable[str]) -> list[str]:
    """The longest names first, so that one within another is not found twice."""
    said = f" {_folded(question)} "
    found = []
    for name in sorted(_with_endings(known), key=lambda one: (-len(one), one)):
        folded = _folded(name)
        # one word alone may be any word, unless it stands where a person must
        places = [folded] if " " in folded else [f"{one} {folded}" for one in ("by", "did")]
        if folded and any(f" {place} " in said for place in places):
            said = said.replace(f" {folded} ", "  ")
            found.append(name)
    return found


def _with_endings(names: Iterable[str]) -> set[str]:
    """A group goes by the end of its name, too: "Sales Data Office" by "Data Office"."""
    found = set(names)
    for name in tuple(found):
        words = name.split()
        if len(words) > SHORTEST_ENDING and words[-1].lower() in _GROUPS:
            found.update(" ".join(words[at:]) for at in range(1, len(words) - 1))
    return found


def _folded(text: str) -> str:
    return " ".join(words_of(unaccented(text.lower())))


def _without(text: str, name: str) -> str:
    pattern = r"\W+".join(map(re.escape, re.findall(r"\w+", name)))
    return re.sub(pattern, " ", text, flags=re.IGNORECASE)
