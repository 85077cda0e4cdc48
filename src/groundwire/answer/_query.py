"""A question as a query over what documents state of themselves: states, people, days, order."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from groundwire.answer._library import Place
from groundwire.evidence import STILL_HOLDS, same_state, same_wording, state_of, statuses_in
from groundwire.model import DocumentField, FieldRole
from groundwire.text import unaccented, word_list, words_of
from groundwire.values import Period, values_in

Order = Literal["newest", "oldest"]

# such as "latest", "most recent", "newest"
_NEWEST = re.compile(
    r"\b(?:most recent(?:ly)?|latest|newest"
    r"|last(?! (?:changed|updated|modified|revised|edited|amended)))\b",
    re.IGNORECASE,
)
# such as "the oldest", "the first"
_OLDEST = re.compile(r"\b(?:oldest|earliest|first)\b", re.IGNORECASE)
# what bounds a day and is no preposition: "older than 2010"
_BEFORE = re.compile(r"\b(?:older|earlier) than $", re.IGNORECASE)
# such as "later than" before "May 2020"
_AFTER = re.compile(r"\b(?:newer|later|younger) than $", re.IGNORECASE)
# such as "no later than" before "2011"
_NO_LATER = re.compile(r"\b(?:no later than|by the end of|in or before) $", re.IGNORECASE)
# such as "in or after" before "2019"
_NO_EARLIER = re.compile(r"\b(?:no earlier than|in or after) $", re.IGNORECASE)
_NAME = r"[A-ZÀ-ÞĀ-Ž][\w.'’-]*"
# such as "from" before "2020": of that year, not since then
_FROM = re.compile(r"\bfrom $", re.IGNORECASE)
# a name that nobody in the corpus bears: "by Ada Lovelace", "did Ada Lovelace write"
_BY_NAME = re.compile(
    r"\b(?:by|did|does|do|has|have|belongs? to)\s+(?:the\s+)?"
    rf"(?P<name>{_NAME}(?:\s+(?:(?:van|von|de|der)\s+)?{_NAME})+)|\bby\s+(?P<one>{_NAME})$"
)
# such as "in part" beside "superseded": of any degree
_OF_ANY_DEGREE = re.compile(r"\b(?:partly|partially|in part|wholly|fully)\b", re.IGNORECASE)
# such as "in their own front matter", "according to the registry", "in the ADR itself"
_WHERE_STATED = re.compile(
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
_ROLE_LABEL = re.compile(
    r"\b(?!(?:no|without|lacks?|lacking|missing)\b)\w+[ -]"
    r"(?=(?:owner|maker|delegate|sponsor|author|approver|decider)s?\b)",
    re.IGNORECASE,
)
# such as "in this collection", "of the whole corpus", "here": every document is meant
_OF_ALL = re.compile(
    r"\b(?:in|of|within|from|across|throughout) (?:this|the|our|these|that)"
    r"(?: (?:whole|entire|present|given))?"
    r" (?:collection|corpus|repository|repo|set|library|archive|knowledge base|document base)\b"
    r"|\bhere\b",
    re.IGNORECASE,
)
# such as "not yet", "neither", "other than" before a status
_NOT = re.compile(
    r"\b(?:not|neither|nor|never|aren['’]t|isn['’]t|other than|rather than|except)"
    r"(?: (?:yet|been|currently|or|the))* $",
    re.IGNORECASE,
)
# such as "nor" or "or" between two statuses of which the first is not wanted
_NOR = re.compile(r"^ (?:nor|or) $", re.IGNORECASE)
# such as "proposed for Python 3.9": what was done, not a status
_DONE = re.compile(r"\bproposed(?= (?:for|by|to)\b)", re.IGNORECASE)
# such as "have no status", "without an owner", "do not name an author"
_LACKS = re.compile(
    r"\b(?:no|without|lacks?|lacking|missing|(?:do|does) not (?:have|state|name|give|bear))"
    r"(?: an?| any)? (?P<what>status|state|date|owner|author|approver)s?\b",
    re.IGNORECASE,
)
_LACKED: dict[str, FieldRole] = {
    "status": "status",
    "state": "status",
    "date": "dated",
    "owner": "owner",
    "author": "author",
    "approver": "decider",
}
_ROLE_WORDS: dict[FieldRole, Sequence[str]] = {
    "author": word_list("author authors authored wrote write written writes"),
    "owner": word_list("own owns owned owner owners belong belongs responsible maintain maintains"),
    "decider": word_list("approver approvers decider deciders delegate delegates"),
    "sponsor": word_list("sponsor sponsors sponsored sponsoring champion championed"),
}
# such as "approved by" before a name
_DECIDED_BY = re.compile(r"\b(?:approved|accepted|decided|agreed) by\b", re.IGNORECASE)
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
        " called"
    )
)
"""Words that say how documents are chosen, not what they are about."""


SHORTEST_ENDING = 2
_GROUPS = frozenset(word_list("office team group board committee council department unit"))


@dataclass(frozen=True)
class Query:
    """What of a collection is wanted. Everything that is given must hold."""

    statuses: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    unknown_name: str | None = None
    people_roles: tuple[FieldRole, ...] = ()
    periods: tuple[Period, ...] = ()
    date_roles: tuple[FieldRole, ...] = ()
    order: Order | None = None
    unwanted: tuple[str, ...] = ()
    """Statuses that must not hold: "not yet accepted"."""
    lacking: FieldRole | None = None
    """What a document must not state: "without an owner"."""
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
        return bool(self.statuses or self.names or self.periods or self.unwanted or self.lacking)

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
    lacks = _LACKS.search(rest)
    if lacks:
        rest = rest.replace(lacks[0], " ")
    wanted, unwanted = _statuses(_DONE.sub(" ", rest))
    return Query(
        statuses=wanted,
        unwanted=unwanted,
        lacking=_LACKED[lacks["what"].lower()] if lacks else None,
        of_any_degree=is_of_any_degree,
        names=names,
        unknown_name=nobody,
        people_roles=_people_roles(question, words),
        stated_in=place,
        periods=tuple(periods),
        date_roles=_roles(words, _DATE_WORDS),
        order=order,
        rest=rest,
    )


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


def _people_roles(question: str, words: set[str]) -> tuple[FieldRole, ...]:
    """ "By" alone tells an author."""
    if _DECIDED_BY.search(question):
        return ("decider",)
    found = _roles(words, _ROLE_WORDS)
    return found or (("author",) if "by" in words else ())


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


def _means(wanted: str, said: str, used: Sequence[str], query: Query) -> bool:
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
            return [(date(*first), date(*last)) for first, last in one.readings]
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
