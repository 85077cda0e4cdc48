"""Does a question ask what a term means? [S3 Gap A, INTENT-01 … INTENT-07]"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from groundwire.terms._phrases import EXCLUSIONS, LANGUAGES, Language

MAX_QUESTION_CHARS = 400
MAX_TERM_WORDS = 8

_SPACES = re.compile(r"\s+")
_COURTESY = re.compile(
    r"(?:(?:please|hello|hi|hey|can you|could you|would you|kun je|kunt u|alstublieft)\b[\s,!]*)+",
    re.IGNORECASE,
)
_QUOTES = "\"'`\u201c\u201d\u201e\u00ab\u00bb"
_ENDING = "?!.;: "
_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00ab\u00bb]{1,100})[\"\u201d\u00bb]"
)
_QUALIFIED = re.compile(r"(.{1,100}?),?\s+(?:according\s+to|in|within|volgens|binnen|laut)\s+\S")


class Asked(NamedTuple):
    """A phrase in the place of a term, without its article and as it was written.

    `certain` is false when other signs say that the question is about something else: then the
    phrase is a term only if the vocabulary has it as a label. `plural` is true for "What are …?"
    where nothing else speaks against a term: then a label in the singular will do. `within` are
    shorter phrases that are terms if the vocabulary has them: what stands in quotes, and what
    stands before “according to …” or “in …”.
    """

    phrases: tuple[str, ...]
    certain: bool
    plural: bool = False
    within: tuple[str, ...] = ()


def is_terminology_query(
    query: str, is_label: Callable[[str], bool] | None = None
) -> tuple[bool, str | None]:
    """Whether a question asks for a term's meaning, and for which term, in lower case.

    With `is_label`, a phrase that is a label of the vocabulary is a term whatever its words are.
    """
    asked = read_question(query)
    if asked is None:
        return False, None
    if is_label is not None:
        for phrase in asked.phrases:
            if is_label(phrase):
                return True, phrase.lower()
    return (True, asked.phrases[0].lower()) if asked.certain else (False, None)


def read_question(query: str) -> Asked | None:
    """The phrase a question asks the meaning of, if it has the form of such a question."""
    text = _tidied(query)
    if not text or len(text) > MAX_QUESTION_CHARS:
        return None
    for language in LANGUAGES:
        for pattern in language.asks:
            if (match := pattern.fullmatch(text)) is not None:
                return _asked(text, match[1], language)
    for language in LANGUAGES:
        for pattern in language.may_ask:
            if (match := pattern.fullmatch(text)) is not None:
                asked = _asked(text, match[1], language)
                return asked and Asked(asked.phrases, certain=False, plural=asked.certain)
    return None


def _tidied(query: str) -> str:
    text = unicodedata.normalize("NFKC", query[: MAX_QUESTION_CHARS * 2])
    text = _SPACES.sub(" ", text.replace("\u2019", "'")).strip(" \u00bf\u00a1").rstrip(_ENDING)
    courtesy = _COURTESY.match(text)
    return text[courtesy.end() :] if courtesy else text


def _asked(text: str, captured: str, language: Language) -> Asked | None:
    whole = captured.strip(_QUOTES + " ")
    article = language.articles.match(whole)
    bare = (whole[article.end() :] if article else whole).strip(_QUOTES + " ")
    if not bare:
        return None
    phrases = (bare,) if bare == whole else (bare, whole)
    certain = _may_be_a_term(text, whole, language)
    return Asked(phrases, certain=certain, within=tuple(_within(captured, bare)))


def _within(captured: str, bare: str) -> Iterator[str]:
    """A word of the asker's may hide in more words: “Business Actor” in ArchiMate."""
    quoted = _QUOTED.search(captured)
    if quoted is not None and quoted[1].strip() != bare:
        yield quoted[1].strip()
    before = _QUALIFIED.match(bare)
    if before is not None and before[1].strip(_QUOTES + " "):
        yield before[1].strip(_QUOTES + " ")


def _may_be_a_term(text: str, phrase: str, language: Language) -> bool:
    return (
        len(phrase.split()) <= MAX_TERM_WORDS
        and not any(pattern.search(text) for pattern in EXCLUSIONS)
        and not any(pattern.match(phrase) for pattern in language.not_terms)
    )
