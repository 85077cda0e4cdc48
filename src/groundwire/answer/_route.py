"""What kind of question is this, and which documents does it name? Pure.

Terms are recognised elsewhere, with the vocabulary; everything here is about documents.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from groundwire._patterns import lazy_pattern
from groundwire.answer._query import QUERY_WORDS, Query, query_of, without_places
from groundwire.answer._series import Series
from groundwire.evidence import Labels
from groundwire.model import UNITS, AnswerKind, DocumentKey
from groundwire.text import plural, topic_words, word_set, words_of

DECISION_COLLECTION = "adr"
NOT_ASKED = ("template", "registry")
"""Collections whose documents describe others; they are asked only when they are named."""

_ONE = {
    "adr": "adr architecture-decision architectural-decision decision-record decision besluit"
    " entscheidung architekturentscheidung",
    "principle": "principle principe",
    "policy": "policy beleid beleidsdocument",
}
_MANY = {
    "adr": "adrs architecture-decisions architectural-decisions decision-records decisions"
    " besluiten entscheidungen architekturentscheidungen",
    "principle": "principles principes",
    "policy": "policies beleidsdocumenten",
}
# such as "List all documents"
_EVERYTHING = (
    r"\b(?:documents|documenten|everything|proposals|records|drafts|every (?:record|document))\b"
)
_MAX_LIST_WORDS = 25
# such as "Could you please show me", "I need an overview of"
_LIST_VERB = (
    r"(?:(?:can|could|would) you |i (?:need|want|would like) )?(?:please )?"
    r"(?:list|an? (?:list|overview) of|are there|all|show(?: me)?|give(?: me)?|tell me|name"
    r"|enumerate|count|find|toon|lijst|noem|geef|zeige?(?: mir)?|nenne?(?: mir)?|liste)\b"
)
# such as "Which are all our"
_WHICH = (
    r"(?:what|which|welke|wat|welche)(?: are| zijn| sind)?(?: all| alle)?"
    r"(?: the| our| de| die| unsere)?"
)
_HOW_MANY = r"(?:how many|hoeveel|wie ?viele)"
# such as " are there that are about encryption", " are currently in force"
_LIST_TAIL = (
    r"(?: (?:do we have|have we|are there|there are|exist|are available|zijn er))?"
    r"(?: (?:(?:that |which )?(?:are |is )?(?:about|on|for|regarding|concerning|related to|over"
    r"|with|mention(?:ing)?|cover(?:ing)?|address(?:ing)?|deal(?:ing)? with|talk about)) .+"
    r"| (?:are|zijn|sind) (?:now |currently )?[\w -]+)?"
)
# such as "What was decided on TLS", "did the board decide", "decision was made", "was it chosen"
_DECISION = lazy_pattern(
    r"\b(?:decided|did (?:[\w.'’-]+ ){1,6}decide|decision (?:was |is |has been )?(?:made|taken)"
    r"|decisions? (?:about|on|for)|was (?:\w+ ){0,4}chosen|chosen|besloten|gekozen)\b",
    re.IGNORECASE,
)
# such as "Which", "How many", "Could you list"
_ASKS_MANY = lazy_pattern(
    rf"(?:(?:for|in|of|by) )?(?:what|which|welke|welche|{_HOW_MANY}|{_LIST_VERB})", re.IGNORECASE
)
# such as "ADR" of "Which ADRs are accepted"
_LETTERS = lazy_pattern(r"\b(?P<letters>[A-Z]{2,6})s\b")
# such as "tag Quality engineering", "tagged as Security", "topic Release" before "that are active"
_TAGGED = lazy_pattern(
    r"\b(?:tag(?:s|ged)?|label(?:s|led)?|topics?)(?: (?:as|with|of|is))?"
    r" (?P<value>[\w'-]+(?: (?!(?:that|which|and|or|are|is)\b)[\w'-]+)*)",
    re.IGNORECASE,
)
# before the name of a unit that is none of documents: "per minute", "5 minutes", "how many minutes"
_COUNTED = r"(?<!per )(?<!many )(?<!\d )(?<!\ba )"
# such as "What did they decide on policies", "What must policies say"
_OPEN = lazy_pattern(
    r"what (?:did|does|do|has|have|had|must|should|shall|can|could|may|will|would)\b",
    re.IGNORECASE,
)
# such as "Release schedules that are active"
_THOSE = lazy_pattern(r"[\w' -]+ (?:that|which) (?:are|were|have) .+", re.IGNORECASE)
_ENDING = "?!.;: "
_ROUTING_WORDS = word_set(
    "about all also any available between concerning cover covers decided decision decisions"
    " proposals document documents every record records"
    " exist exists made mention mentions many number overview regarding related"
    " say says taken currently now chosen besluiten besloten gekozen toon alle lijst noem geef"
    " hoeveel welke need want list ones welche viele wieviele sind wurden wurde noch gibt zeige"
    " nenne"
)


@dataclass(frozen=True)
class Plan:
    """How a question is answered. `topic` are the words that say what it is about."""

    question: str
    kind: AnswerKind
    keys: tuple[DocumentKey, ...] = ()
    collections: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()
    query: Query = field(default_factory=Query)
    titled: bool = False
    """Whether the topic must stand in titles; else it may stand anywhere in a document."""
    also: tuple[str, ...] = ()
    """What the vocabulary calls the things that the question names."""
    series: Series | None = None
    """Whose documents are asked for; none where all are."""
    mark: str = ""
    """What the question ended with."""

    @property
    def asked(self) -> str:
        """The question as it was put: the head was taught with the mark where there is one."""
        return f"{self.question.removesuffix(self.mark)}{self.mark}"

    @property
    def words(self) -> tuple[str, ...]:
        """The topic, or whatever words there are to look for."""
        return self.topic or tuple(filter(_has_letters, topic_words(self.question)))

    @property
    def target_route(self) -> str:
        return self.collections[0] if len(self.collections) == 1 else "tree"


class Router:
    """Knows the collections of one corpus and the letters before their numbers."""

    def __init__(
        self,
        collections: Iterable[str],
        labels: Labels,
        *,
        names: Iterable[str] = (),
        titles: Callable[[Sequence[str], Sequence[str]], int] = lambda _words, _where: 0,
        kinds: Callable[[Sequence[str], Sequence[str]], int] = lambda _words, _where: 0,
        series: Callable[[str, str, Sequence[str]], Series | None] = lambda _text, _noun, _in: None,
    ) -> None:
        """`names` are the people of the corpus; `titles` counts those that have some words, and
        `kinds` the documents that are of a kind; `series` tells whose documents are asked for."""
        self._known = tuple(collections)
        self._labels = labels
        self._people = tuple(names)
        self._titles = titles
        self._kinds = kinds
        self._series = series
        self._names = {name: _pattern(_one(name), _many(name)) for name in self._known}
        many = "|".join(_pattern(_many(name)).pattern for name in self._known)
        one = "|".join(_pattern(_one(name)).pattern for name in self._known)
        self._plural = f"{_EVERYTHING}|{many}" if many else _EVERYTHING
        self._noun = "|".join(filter(None, [self._plural, one]))
        # such as "every rejected PEP"
        self._plural += rf"|\bevery (?:[\w'-]+ ){{0,3}}?(?:{one})" if one else ""

    def plan(self, question: str) -> Plan:
        text = " ".join(question.split()).rstrip(_ENDING)
        keys = tuple(dict.fromkeys(label.key for label in self._labels.find(text)))
        if keys:
            collections = tuple(dict.fromkeys(key.doc_type for key in keys))
            return self._of_keys(text, keys, collections)
        named = self._named(without_places(text)[0])
        series = self.series(text, named or self._asked())
        said = series.left_out(text) if series else text
        listed = self._list(said, named) or self._list_of_none(said, named)
        if listed is not None:
            return replace(listed, question=text, series=series)
        topic = self.topic(text)
        query = query_of(said, ())
        if len(named) > 1:
            return Plan(text, "cross", (), named, topic, query, series=series)
        if _DECISION.search(text) and DECISION_COLLECTION in self._known and not named:
            return Plan(text, "decision", (), (DECISION_COLLECTION,), topic, query)
        kind: AnswerKind = "decision" if named and _DECISION.search(text) else "semantic"
        return Plan(text, kind, (), named or self._asked(), topic, query, series=series)

    def _of_keys(
        self, text: str, keys: tuple[DocumentKey, ...], collections: tuple[str, ...]
    ) -> Plan:
        series = self.series(text, collections)
        said = self._labels.left_out(series.left_out(text) if series else text)
        query = query_of(said, self._people)
        return Plan(text, "entity", keys, collections, self.topic(said), query, series=series)

    def _list(self, text: str, named: Sequence[str]) -> Plan | None:
        """A list where only documents, and how to choose among them, are spoken of."""
        query = query_of(text, self._people)
        asked, _ = without_places(text)
        is_long = len(asked.split()) > _MAX_LIST_WORDS
        is_phrase = bool(query.statuses) and _THOSE.fullmatch(asked) is not None
        is_list = is_phrase or _ASKS_MANY.match(asked) or self._is_list(asked)
        if is_long or _OPEN.match(asked) or not is_list:
            return None
        wanted = tuple(named) or self._asked()
        topic = tuple(
            word
            for word in self.topic(query.rest, (*query.statuses, *query.unwanted))
            if word not in QUERY_WORDS
        )
        is_many = re.search(self._plural, asked, re.IGNORECASE) is not None
        tag = _TAGGED.search(query.rest)
        tagged = tuple(topic_words(tag["value"])) if tag else ()
        if tagged and tagged != topic and self._kinds(tagged, wanted):
            beside = (
                word for word in topic if word not in {*tagged, *words_of(tag[0] if tag else "")}
            )
            query = replace(query, unused=(*query.unused, *beside))
            topic = tagged
        if query.order and len(named) == 1 and not topic:
            return Plan(text, "list", (), wanted, (), query)
        if query.order:
            query = replace(query, order=None, unused=(*query.unused, query.order))
        if is_many and (not topic or self._kinds(topic, wanted)):
            return Plan(text, "list", (), wanted, topic, query)
        is_titled = bool(topic) and self._titles(topic, wanted) > 0
        chosen = query.chooses
        if self._is_list(asked) or (is_many and chosen):
            return Plan(text, "list", (), wanted, topic, query, titled=is_titled and chosen)
        is_open = text.lower().startswith("what")
        picks = bool(query.statuses or query.names) and len(topic) > 1 and not is_open
        if picks and self._titles(topic, wanted) > 1:
            return Plan(text, "list", (), wanted, topic, query, titled=True)
        return None

    def _list_of_none(self, text: str, named: Sequence[str]) -> Plan | None:
        """A list of what no document here was read as: a quote would be no such list."""
        asked = _LETTERS.search(text)
        label = self._labels.first(f"{asked['letters']} 1") if asked else None
        if label is None or named or not self._known or not _ASKS_MANY.match(text):
            return None
        if label.doc_type in self._known:
            return None
        return Plan(text, "list", (), (label.doc_type,), (), query_of(text, self._people))

    def series(self, text: str, collections: Sequence[str]) -> Series | None:
        """Whose documents a text speaks of; a person whom they name is no owner of them all."""
        found = self._series(text, self._noun, collections)
        if found is None:
            return None
        asked = query_of(text, ())
        # "did Ada Lund write" asks for a person, whom no field may name
        is_writer = "author" in asked.people_roles and asked.unknown_name == found.words
        return None if is_writer or found.words in self._people else found

    def everywhere(self, plan: Plan) -> Plan:
        return replace(plan, keys=(), collections=self._asked())

    def _asked(self) -> tuple[str, ...]:
        return tuple(name for name in self._known if name not in NOT_ASKED)

    def _named(self, text: str) -> tuple[str, ...]:
        return tuple(name for name, pattern in self._names.items() if pattern.search(text))

    def _is_list(self, text: str) -> bool:
        before = r"(?:[\w'/-]+ ){0,5}?"
        forms = (
            rf"{_LIST_VERB}.*(?:{self._plural}).*",
            rf"{_WHICH} {before}(?:{self._plural}){_LIST_TAIL}",
            rf"{_HOW_MANY} {before}(?:{self._plural}).*",
            rf"(?:all |alle )?(?:the |our |de )?(?:{self._plural}){_LIST_TAIL}",
        )
        return any(re.fullmatch(form, text, re.IGNORECASE) for form in forms)

    def topic(self, text: str, statuses: Sequence[str] = ()) -> tuple[str, ...]:
        """What a text is about: no words that only say where to look, or that a list is wanted."""
        text = self._labels.left_out(text)
        for pattern in self._names.values():
            # "architecture principles" are principles
            named = rf"(?:\barchitectur(?:e|al) )?{pattern.pattern}"
            text = re.sub(named, " ", text, flags=re.IGNORECASE)
        unwanted = _ROUTING_WORDS.union(*(status.split() for status in statuses))
        words = tuple(word for word in topic_words(text) if word not in unwanted)
        # numbers alone say nothing of what they count
        return words if any(map(_has_letters, words)) else ()


def _one(name: str) -> str:
    return _ONE.get(name, name.replace("_", "-"))


def _many(name: str) -> str:
    return _MANY.get(name, plural(name).replace("_", "-"))


def _pattern(*forms: str) -> re.Pattern[str]:
    longest_first = sorted(" ".join(forms).split(), key=len, reverse=True)
    words = [re.escape(form).replace(r"\-", "[ _-]") for form in longest_first]
    counted = _COUNTED if UNITS.keys() & longest_first else ""
    return re.compile(rf"{counted}\b(?:{'|'.join(words)})\b", re.IGNORECASE)


def _has_letters(word: str) -> bool:
    return any(map(str.isalpha, word))
