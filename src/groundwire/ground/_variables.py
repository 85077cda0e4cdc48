"""Phrases as names of variables: short, without articles, times and asides; typed."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.ground._match import NEGATION, roots, spelled_apart
from groundwire.ground._points import COMMA
from groundwire.model import Variable, VariableType
from groundwire.text import (
    denies_verb,
    is_auxiliary,
    is_negation,
    singular,
    stem,
    word_set,
    words_of,
)

MAX_WORDS = 12
MIN_WORDS = 2
MAX_WHOLE_WORDS = 24
_EDGES = " ,.;:!?\"'“”‘’`*_"
# such as "the", "one of our", "in the"
_DETERMINERS = lazy_pattern(
    r"^(?:(?:the|an?|this|that|these|those|its|their|our|his|her|some|any|such|another|each|every|all"
    r"|both|either|various|several|certain|one of (?:the|our)|a number of|a lot of|the fact that"
    r"|in|on|at)\s+)+",
    re.IGNORECASE,
)
# such as "the disk was full"
_AUXILIARY = lazy_pattern(
    r"\b(?:was|were|is|are|had|has|have|been|being|be|did|does|do|will|would)\b\s*",
    re.IGNORECASE,
)
# such as ", that depended on it," in "pods, that depended on it, to crash"
_INSERTION = lazy_pattern(r",\s+(?:that|which|who)\s[^,]{2,80},\s+(?=to\b|\w+ed\b|not\b|un\w+)")
# such as "jobs that needed a project failed"
_RELATIVE_WITH_VERB = lazy_pattern(
    r"^((?:\S+\s+){0,4}?\S+)\s+(?:that|which|who)\s+(?:\S+\s+){2,14}?"
    r"((?:failed|crashed|stopped|broke|died|hung|froze|could\s+not|were\s+(?:not|un)|was\s+(?:not|un)"
    r"|to\s+fail|failing)\b.*)$",
    re.IGNORECASE,
)
# such as "restarts, which we saw; restarts since 09:00"
_ASIDE = lazy_pattern(
    r"(?:,(?!\d)|(?<!\s(?:on|in|at|of|by|to))(?<!\s(?:for))(?<!\s(?:from|with))\s+that|\s+(?:which|who|where|when|while|whenever|as|if|so|since|after|before|until|during"
    r"|because|despite|within|in order|at (?:about |around )?\d|on (?:\d|mon|tue|wed|thu|fri|sat"
    r"|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|for (?:\d|about|around|several|at least|the)"
    r"|between \d|since \d|from \d|over the))\b.*$",
    re.IGNORECASE | re.DOTALL,
)
# such as "two", "twenty-five"
NUMBER_WORDS = (
    r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\s-](?:one|two|three|four|five|six"
    r"|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|several|some|many"
)
# such as "hours", "percent": what an amount is counted in
UNITS = (
    r"times?|seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|o'clock|percent"
    r"|per\s+cent|percentage\s+points?|degrees?|euros?|dollars?|pounds?|metres?|meters?"
    r"|kilometres?|kilometers?|miles?|litres?|liters?|tonnes?|tons?"
)
# such as "a delay of about 5 minutes; tripped two times"
_QUANTITY = lazy_pattern(
    r"\s+(?:of|for|from|at|by|on|in|above|below|after|over|up\s+to)\s+(?:about\s+|around\s+|nearly\s+)?"
    rf"(?:\d[\d.,:]*|(?:an?|{NUMBER_WORDS})\s+(?:{UNITS})\b)"
    r"(?:\s+\S+){0,2}(?:\s+(?:from|on|in|at|to|each|of)\b.*)?$"
    r"|\s+\d[\d.,:]*\s+\w{1,4}(?:\s+from\b.*)?$"
    rf"|\s+(?:{NUMBER_WORDS})\s+times?$",
    re.IGNORECASE,
)
"""How much, how long or when: `missing readings for 213 minutes` are missing readings."""
# such as "of 1,200" in "the loss of 1,200 vaccine doses": how many of what is lost
_HOW_MANY = lazy_pattern(
    r"(?<=\sof)\s+(?:about\s+|around\s+|over\s+)?\d[\d.,]*"
    rf"(?=\s+(?!(?:{UNITS}|per|each|and|or|a|the|in|on|at|of|to)\b)[a-z-]{{3,}}\s+[a-z-]{{3,}}s$)",
    re.IGNORECASE,
)
# such as "full disk on the historian"
_LAST_PLACE = lazy_pattern(
    r"\s+(?:on|in|at|for|from|during|under|with|across|over|within|of)\s+(?:(?!\s(?:on|in|at|for|from"
    r"|during|under|with|across|over|within|of)\s).)+$"
)
# such as "timeouts, errors and data loss", "icy roads, and to crashes"; not "12,000 euros"
_LIST = lazy_pattern(
    rf"\s*{COMMA}\s*(?:and|or)\s+(?:(?:to|by|from)\s+)?|\s*{COMMA}\s*"
    r"|\s+(?:and|or|as\s+well\s+as)\s+(?:(?:to|by|from)\s+)?",
    re.IGNORECASE,
)
# such as "any letter or digit"
_WORD = lazy_pattern(r"\w")
# such as "we; 12:30"
_NO_NAME = lazy_pattern(
    r"(?:i|we|you|he|she|it|they|them|etc|of|for|by|via|when|there|which|who|with|to|then|try|ideally|see"
    r"|introduced|no\s+more|\d[\d:.,-]*$)(?:\b|$)",
    re.IGNORECASE,
)
_MAX_LISTED_WORDS = 5

_TYPES: dict[VariableType, frozenset[str]] = {
    "setting": word_set(
        """config configuration setting flag parameter threshold limit quota policy rule
        option timeout version"""
    ),
    "metric": word_set(
        """latency rate usage utilisation utilization load temperature voltage pressure
        level count throughput cpu memory traffic time speed size frequency current
        power percent ratio depth length score risk demand volume price cost"""
    ),
    "event": word_set(
        """crash failure outage restart deployment deploy upgrade change error fault
        incident reboot rollout rollback storm spike leak expiry loss burst rotation
        release update reset alert migration failover attack disconnection trip shutdown
        exhaustion saturation eviction"""
    ),
    "state": word_set(
        """missing low high full slow stuck down unavailable degraded unable stale outdated
        broken overloaded wrong insufficient expired invalid unreachable blocked empty
        lack"""
    ),
    "component": word_set(
        """server node pod cluster database disk cache queue controller service network
        host router sensor pump valve driver regulator scheduler api gateway certificate"""
    ),
}


def variable_names(phrase: str) -> list[str]:
    """The variables that a phrase names: `timeouts and data loss` are two."""
    names = [label_of(part) for part in _parts_of(phrase)]
    return [name for name in dict.fromkeys(names) if _is_name(name)]


def listed_in(phrase: str) -> list[str]:
    """The members of a list as they are worded; of what names one thing none."""
    named = {name: part for part in _parts_of(phrase) if _is_name(name := label_of(part))}
    return list(named.values()) if len(named) > 1 else []


def _parts_of(phrase: str) -> list[str]:
    listed = _LIST.split(phrase)
    is_list = len(listed) > 1 and all(
        (label := label_of(part))
        and len(label.split()) <= _MAX_LISTED_WORDS
        and not _is_clause(part)
        for part in listed
    )
    return listed if is_list else [phrase]


def _is_name(label: str) -> bool:
    return bool(_WORD.search(label)) and not _NO_NAME.match(label)


@kept(20_000)
def label_of(phrase: str) -> str:
    """A name for what a phrase says, or nothing when nothing is left of it."""
    text = " ".join(phrase.split()).strip(_EDGES)
    text = re.sub(r"[()\[\]{}<>\"“”]", "", text)
    text = _RELATIVE_WITH_VERB.sub(r"\1 \2", _INSERTION.sub(" ", text))
    text = _DETERMINERS.sub("", _ASIDE.sub("", text))
    text = " ".join(_AUXILIARY.sub("", text).split())
    text = _HOW_MANY.sub("", text)
    text = _QUANTITY.sub("", text) or text
    text = " ".join(map(_lowered, _shortened(text)[:MAX_WORDS]))
    return _singular(text).strip(" ,.;:-\"'")


@kept(20_000)
def whole_name(phrase: str) -> str:
    """What a phrase says where its label says less: `margin before the vans leave`."""
    words = _DETERMINERS.sub("", " ".join(phrase.split()).strip(_EDGES)).split()
    if not MIN_WORDS <= len(words) <= MAX_WHOLE_WORDS:
        return ""
    text = " ".join(map(_lowered, words))
    return text if roots(label_of(phrase)) < roots(text) else ""


def _bases_of(label: str) -> Iterator[str]:
    """The label without its last place or circumstance, and again: `full disk on the historian`."""
    while (tail := _LAST_PLACE.search(label)) is not None:
        label = label[: tail.start()]
        yield label


def variable_type(label: str) -> VariableType:
    """By the words it is made of, the last one first: `memory leak` is an event."""
    for word in reversed(words_of(label)):
        if is_negation(word):
            return "state"
        for kind, known in _TYPES.items():
            if word in known or singular(word) in known:
                return kind
    return "event" if _is_clause(label) else "other"


def _is_clause(text: str) -> bool:
    """ "the disk was full", "unable to log in", "data not written", "links dropped"."""
    words = words_of(text)
    return words[-1:] != [] and (
        words[-1].endswith(("ed", "ing"))
        or any(word == "to" or denies_verb(word) or is_auxiliary(word) for word in words)
    )


def _shortened(text: str) -> list[str]:
    while len(text.split()) > MAX_WORDS and (tail := _LAST_PLACE.search(text)):
        text = text[: tail.start()]
    return text.split()


def _lowered(word: str) -> str:
    """ "Disk" is "disk"; "DNS", "PrtStat" and "T2" stay as they are."""
    is_plain = word[:1].isupper() and word[1:].islower() and word.isalpha()
    return word.lower() if is_plain else word


def _singular(text: str) -> str:
    """Of a noun phrase the last word; a clause stays as it is."""
    if not text or _is_clause(text):
        return text
    *others, last = text.split()
    if last.islower():
        last = singular(last)
    return " ".join([*others, last])


_GENERIC = frozenset(
    map(
        stem,
        word_set(
            """failure outage bug issue error problem incident crash alert delay loss change fault
            event disruption downtime interruption trouble situation disturbance damage restart
            timeout latency load traffic deployment release update upgrade rollback patch fix
            service system server user customer request team process data result effect impact
            stop stoppage breakdown malfunction spike leak loop flood queue"""
        ),
    )
)


def is_generic_name(name: str) -> bool:
    """Whether a name could mean another thing in every document: `failure`, `the outage`."""
    own = roots(name) - {NEGATION}
    return len(own) < 2 or own <= _GENERIC  # noqa: PLR2004 - one word never names one thing


# such as "what is no letter, digit or underscore"
_SLUG = lazy_pattern(r"[^\w]+")
_MAX_ID_CHARS = 60
# such as "out of memory (OOM)"
_ACRONYM = lazy_pattern(r"\b((?:[A-Za-z][\w-]*\s+){1,6}?)\(([A-Z][A-Za-z0-9]{1,9})\)")


class Vocabulary:
    """Variables by every name they go under.

    The same names give the same variables in whatever order they come: the commonest spelling is
    the label, the shorter and then the alphabetically first among equals.
    """

    def __init__(
        self,
        names: Iterable[str | tuple[str, str]],
        acronyms: Mapping[str, str] | None = None,
        aliases: Mapping[tuple[str, str], Sequence[str]] | None = None,
    ) -> None:
        """A name that comes with its document (name, doc_id) is that document's own where it could
        mean another thing in every document: "the outage"."""
        self._acronyms = acronyms or {}
        spellings: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)
        self._owners: dict[frozenset[str], str] = {}
        for given in names:
            name, doc_id = (given, None) if isinstance(given, str) else given
            spellings[self._key(name, doc_id)][name] += 1
        self._meaning = _merged(spellings, self._key)
        groups: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)
        for key, counted in spellings.items():
            groups[self._meaning[key]].update(counted)
        for (name, doc_id), others in (aliases or {}).items():
            known = self._meaning.get(self._key(name, doc_id))
            if known is not None:
                groups[known].update(one for one in others if not is_generic_name(one))
        self._by_key = {key: self._variable(key, groups[key], spellings[key]) for key in groups}
        self._make_ids_unique()

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(sorted(self._by_key.values(), key=lambda variable: variable.id))

    def variable(self, name: str, doc_id: str | None = None) -> Variable:
        return self._by_key[self._meaning[self._key(name, doc_id)]]

    def _key(self, name: str, doc_id: str | None = None) -> frozenset[str]:
        words = [self._acronyms.get(word, word) for word in name.split()]
        key = roots(spelled_apart(" ".join(words))) or frozenset([name.casefold()])
        if doc_id is None or not is_generic_name(name):
            return key
        owned = key | {f"@{doc_id}"}
        self._owners[owned] = doc_id
        return owned

    def _variable(self, key: frozenset[str], counted: Counter[str], own: Counter[str]) -> Variable:
        label = min(own, key=lambda name: (-own[name], len(name), name))
        aliases = sorted(set(counted) - {label}, key=lambda name: (len(name), name))
        short = [acronym for acronym, words in self._acronyms.items() if words in label.lower()]
        return Variable(
            id=_slug(label),
            label=label,
            aliases=(*aliases, *short),
            type=variable_type(label),
            doc_id=self._owners.get(key),
        )

    def _make_ids_unique(self) -> None:
        """`disk full` and `full-disk` meet in one key; what differs only in signs does not."""
        taken: Counter[str] = Counter()
        for key, variable in sorted(self._by_key.items(), key=lambda item: item[1].label):
            taken[variable.id] += 1
            if taken[variable.id] > 1:
                numbered = f"{variable.id}_{taken[variable.id]}"
                self._by_key[key] = variable.model_copy(update={"id": numbered})


def _merged(
    spellings: Mapping[frozenset[str], Counter[str]], key_of: Callable[[str], frozenset[str]]
) -> dict[frozenset[str], frozenset[str]]:
    """`full disk on the historian` means `full disk` where that is a name too.

    A base of one root takes in a longer name only if it is the only one: `errors in billing` and
    `errors in routing` are not the same errors.
    """
    base: dict[frozenset[str], frozenset[str]] = {}
    for key, counted in spellings.items():
        shorter = [key_of(one) for name in sorted(counted) for one in _bases_of(name)]
        base[key] = next((one for one in shorter if one in spellings and one < key), key)
    extended = Counter(one for key, one in base.items() if one != key)
    sure = {key: one if len(one) > 1 or extended[one] == 1 else key for key, one in base.items()}
    return {key: _end(key, sure) for key in sure}


def _end(key: frozenset[str], base: Mapping[frozenset[str], frozenset[str]]) -> frozenset[str]:
    while base[key] != key:
        key = base[key]
    return key


def acronyms_in(texts: Sequence[str]) -> dict[str, str]:
    """`out of memory (OOM)`: what short names stand for, where a text says so itself."""
    found: dict[str, str] = {}
    for text in texts:
        for match in _ACRONYM.finditer(text):
            words = match[1].split()[-len(match[2]) :]
            initials = "".join(word[0] for word in words).lower()
            if initials == match[2].lower():
                found.setdefault(match[2], " ".join(words).lower())
    return found


def _slug(label: str) -> str:
    return _SLUG.sub("_", label.lower()).strip("_")[:_MAX_ID_CHARS].strip("_") or "unnamed"
