"""What a question is about, and in which language it is asked."""

import re

from groundwire._patterns import lazy_pattern
from groundwire.text._language import detect_language
from groundwire.text._words import STOP_WORDS, word_set, words_of

MAX_QUESTION_WORDS = 64
"""More distinct words than this add time, not precision."""
_ENOUGH_WORDS = 20
"""In shorter questions common words of one language are chance in another."""
_COMPARED_WORDS = 30

_ASKING = word_set(
    """us tell show give explain describe please list decide decided define ensure handle happen
    happens long many much often quickly"""
)
_DUTCH = word_set(
    """aan als bij dat de deze die dit door een en er geen het hoe hun ik in is je kan kunnen maar
    met mijn naar niet of om omdat ons onze ook op over te tot uit van voor waar waarom wanneer wat
    welke wie wij worden wordt ze zich zij zijn zou"""
)
_SMALL_WORDS = STOP_WORDS | _ASKING | _DUTCH
_OPENING = {
    "nl": "hoe wat wie waar wanneer waarom welke welk hoeveel wordt worden is zijn een het de",
    "de": "wie was wer wo wann warum welche welcher wieviel wird werden ist sind ein eine der die",
    "fr": "comment quoi qui où quand pourquoi quel quelle quels combien est sont un une le la les",
    "es": "cómo qué quién dónde cuándo por cuál cuáles cuánto es son un una el la los las",
}

# such as "We still need to find out how many", "it is unclear whether"
_UNKNOWN = lazy_pattern(
    r"\b(?:(?:we|i)(?: (?:need|have|still|will|should|must|want|also|to|yet|then)){1,4}"
    r" (?:find out|look into|figure out|work out|investigate|explore|determine|decide|agree)"
    r"|(?:is|are|remains?) (?:still )?(?:unclear|unknown|uncertain|undecided|an open question"
    r"|not (?:yet )?(?:known|clear|decided|certain)))\b[^.;]*?"
    r"\b(?:what|which|how|whether|who|when|where|why|if)\b",
    re.IGNORECASE,
)
# such as "We need to come up with a list of types", "we still have to agree on a period"
_TO_BE_MADE = lazy_pattern(
    r"\b(?:we|they|teams?)(?: (?:still|will|also|yet|then)){0,2} (?:need|have|has|needs) to"
    r" (?:come up with|draw up|agree (?:up)?on|decide (?:up)?on|settle on|work out|compile)\b",
    re.IGNORECASE,
)
# such as "is to be determined", "TBD", "has yet to be decided"
_UNDECIDED = lazy_pattern(
    r"\bTB[ADC]\b|\b(?:(?:yet|still|remains|is|are) to be|has not (?:yet )?been|not yet been)"
    r" (?:determined|decided|defined|confirmed|agreed|announced|specified)\b"
)


def leaves_open(sentence: str) -> bool:
    """Whether it says that something is still to be found out: "We need to find out how many"."""
    patterns = (_UNKNOWN, _TO_BE_MADE, _UNDECIDED)
    return any(pattern.search(sentence) for pattern in patterns)


def topic_words(question: str) -> list[str]:
    """The words that carry a question, each once: "What is decided about TLS?" is about "tls"."""
    words = dict.fromkeys(words_of(question))
    return [word for word in words if word not in _SMALL_WORDS][:MAX_QUESTION_WORDS]


def query_words(question: str) -> list[str]:
    """The same, or all of them where there are only small ones: "What is it?"."""
    return topic_words(question) or list(dict.fromkeys(words_of(question)))[:MAX_QUESTION_WORDS]


def question_language(question: str) -> str | None:
    """Questions are short: their first word tells more than the commonest words of a language."""
    words = words_of(question)[:_COMPARED_WORDS]
    counts = {
        language: sum(word in opening.split() for word in words)
        for language, opening in _OPENING.items()
        if words and words[0] in opening.split()
    }
    best = max(counts, key=lambda language: counts[language], default=None)
    if best is not None and counts[best] > 1:
        return best
    return detect_language(question) if len(words) >= _ENOUGH_WORDS else None
