"""Phrases as names of variables: short, without articles, times and asides; typed."""

import re
from collections.abc import Iterator

from groundwire.model import VariableType

MAX_WORDS = 8
_DETERMINER = re.compile(
    r"^(?:the|an?|this|that|these|those|its|their|our|his|her|some|any|such|another|each|every|all"
    r"|both|either|various|several|certain|one of (?:the|our)|a number of|a lot of|the fact that"
    r"|in|on|at)\s+",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\b(?:was|were|is|are|had|has|have|been|being|be|did|does|do|will|would)\b\s*(?!not\b)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?:,|\s+(?:which|that|who|where|when|while|whenever|as|if|so|since|after|before|until|during"
    r"|because|despite|within|in order|at (?:about |around )?\d|on (?:\d|mon|tue|wed|thu|fri|sat"
    r"|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|for (?:\d|about|around|several|at least|the)"
    r"|between \d|since \d|from \d|over the))\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER_WORD = "one|two|three|four|five|six|seven|eight|nine|ten|several|some|many"
_QUANTITY = re.compile(
    r"\s+(?:of|for|from|at|by|on|in|above|below|after|over|up\s+to)\s+(?:about\s+|around\s+)?"
    rf"(?:\d[\d.,:]*|(?:{_NUMBER_WORD})\s+(?:times?|days?|nights?|hours?|minutes?|weeks?|months?))"
    r"(?:\s+\S+){0,2}(?:\s+(?:from|on|in|at|to|each|of)\b.*)?$"
    r"|\s+\d[\d.,:]*\s+\w{1,4}(?:\s+from\b.*)?$"
    rf"|\s+(?:{_NUMBER_WORD})\s+times?$",
    re.IGNORECASE,
)
"""How much, how long or when: `missing readings for 213 minutes` are missing readings."""
_TAIL = re.compile(
    r"\s+(?:on|in|at|for|with|by|from|into|across|of|via|under|through|over)\s+\S[^,]*?$"
)
_LAST_PLACE = re.compile(
    r"\s+(?:on|in|at|for|from|during|under|with|across|over|within|of)\s+(?:(?!\s(?:on|in|at|for|from"
    r"|during|under|with|across|over|within|of)\s).)+$"
)
_LIST = re.compile(r"\s*,\s*(?:and|or)\s+|\s*,\s*|\s+(?:and|or|as well as)\s+", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:to|not|was|were|had|could|can|cannot|did|is|are|has|have)\b|\w(?:ed|ing)$", re.IGNORECASE
)
_PLURAL = re.compile(r"(?<![sui'])(?<!ing)s$")
_WORD = re.compile(r"\w")
_NO_NAME = re.compile(
    r"(?:i|we|you|he|she|it|they|them|etc|of|for|by|via|when|there|which|who|with|to|then|try|ideally|see"
    r"|introduced|\d[\d:.-]*)(?:\b|$)",
    re.IGNORECASE,
)
_MAX_LISTED_WORDS = 5

_SETTINGS = """config configuration setting flag parameter threshold limit quota policy rule option
timeout version"""
_METRICS = """latency rate usage utilisation utilization load temperature voltage pressure level
count throughput cpu memory traffic time speed size frequency current power percent ratio depth
length score risk demand volume price cost"""
_EVENTS = """crash failure outage restart deployment deploy upgrade change error fault incident
reboot rollout rollback storm spike leak expiry loss burst rotation release update reset alert
migration failover attack disconnection trip shutdown exhaustion saturation eviction"""
_STATES = """missing low high full slow stuck down unavailable degraded unable stale outdated broken
overloaded wrong insufficient expired invalid unreachable blocked empty not no lack"""
_COMPONENTS = """server node pod cluster database disk cache queue controller service network host
router sensor pump valve driver regulator scheduler api gateway certificate"""
_TYPES: dict[VariableType, frozenset[str]] = {
    "setting": frozenset(_SETTINGS.split()),
    "metric": frozenset(_METRICS.split()),
    "event": frozenset(_EVENTS.split()),
    "state": frozenset(_STATES.split()),
    "component": frozenset(_COMPONENTS.split()),
}
_SHORTEST_PLURAL = 5


def variable_names(phrase: str) -> list[str]:
    """The variables that a phrase names: `timeouts and data loss` are two."""
    whole = label_of(phrase)
    listed = _LIST.split(phrase)
    parts = [label_of(part) for part in listed]
    is_list = len(parts) > 1 and all(
        label and len(label.split()) <= _MAX_LISTED_WORDS and not _CLAUSE.search(part.strip())
        for part, label in zip(listed, parts, strict=True)
    )
    names = parts if is_list else [whole]
    return [
        name for name in dict.fromkeys(names) if _WORD.search(name) and not _NO_NAME.match(name)
    ]


def label_of(phrase: str) -> str:
    """A name for what a phrase says, or nothing when nothing is left of it."""
    text = " ".join(phrase.split()).strip(" ,.;:!?\"'“”‘’`*_")
    text = re.sub(r"[()\[\]{}<>\"“”]", "", text)
    text = _without_determiners(_ASIDE.sub("", text))
    text = " ".join(_AUXILIARY.sub("", text).split())
    text = _QUANTITY.sub("", text) or text
    text = " ".join(_shortened(text)[:MAX_WORDS])
    return _singular(_lowered(text)).strip(" ,.;:-\"'")


def bases_of(label: str) -> Iterator[str]:
    """The label without its last place or circumstance, and again: `full disk on the historian`."""
    while (tail := _LAST_PLACE.search(label)) is not None:
        label = label[: tail.start()]
        yield label


def variable_type(label: str) -> VariableType:
    """By the words it is made of, the last one first: `memory leak` is an event."""
    words = re.findall(r"\w+", label.lower())
    for word in reversed(words):
        for kind, known in _TYPES.items():
            if word in known or word.removesuffix("s") in known:
                return kind
    return "event" if _CLAUSE.search(label) else "other"


def _without_determiners(text: str) -> str:
    while (shorter := _DETERMINER.sub("", text)) != text:
        text = shorter
    return text


def _shortened(text: str) -> list[str]:
    while len(text.split()) > MAX_WORDS and (tail := _TAIL.search(text)):
        text = text[: tail.start()]
    return text.split()


def _lowered(text: str) -> str:
    return " ".join(_lowered_words(text))


def _lowered_words(text: str) -> Iterator[str]:
    for word in text.split():
        is_plain = word[:1].isupper() and word[1:].islower() and word.isalpha()
        yield word.lower() if is_plain else word


def _singular(text: str) -> str:
    """Of a noun phrase the last word; a clause stays as it is."""
    if not text or _CLAUSE.search(text):
        return text
    *others, last = text.split()
    if last.islower() and len(last) >= _SHORTEST_PLURAL and _PLURAL.search(last):
        last = last[:-3] + "y" if last.endswith("ies") else last[:-1]
    return " ".join([*others, last])
