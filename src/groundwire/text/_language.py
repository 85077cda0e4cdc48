"""Which language a text is in: by its script, by English words, else by a detector (py3langid).

English is never named another language on thin evidence: where a text is short or the detector is
not sure, the answer is None, which refuses nothing. Whole answers and whole documents are to be
asked about, not single claims.
"""

import unicodedata
from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from groundwire._patterns import lazy_pattern
from groundwire.text._words import word_set

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# letters of any script
_WORD = lazy_pattern(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_SAMPLE_CHARS = 5_000
_MIN_WORDS = 8
"""Fewer are names and numbers as often as words of a language."""
_LIKELY_PERCENT = 60
_ENGLISH_EXCLUDED_PERCENT = 1
_ENGLISH = word_set(
    """the and that with are this from which were been has have their they what would but not you
    who is was be by it of on his her its than when there after first two also only one other into
    over between during where while about had did does how why an as at for or if more most some"""
)
_ENGLISH_WORDS_PER_HIT = 8
"""Of running English about every third word is one of these; of German, Dutch, French and Spanish
about one in thirty ("was", "is", "on", "of")."""
_TELLING = word_set("the and that with are this from which were been has have their they you")
"""No word of the languages English is mistaken for."""
_NAMES = {
    "de": "German",
    "nl": "Dutch",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "sv": "Swedish",
    "da": "Danish",
    "no": "Norwegian",
    "fi": "Finnish",
    "pl": "Polish",
    "cy": "Welsh",
    "cs": "Czech",
    "tr": "Turkish",
    "ru": "Russian",
    "uk": "Ukrainian",
    "el": "Greek",
    "ar": "Arabic",
    "he": "Hebrew",
    "ja": "Japanese",
    "ko": "Korean",
    "zh": "Chinese",
    "th": "Thai",
    "hi": "Hindi",
    "en": "English",
}
_SCRIPTS = {
    "CYRILLIC": "ru",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "CJK": "zh",
    "THAI": "th",
    "DEVANAGARI": "hi",
}


def language_name(code: str) -> str:
    """ "Dutch" for "nl"; the code itself where it is a rare one."""
    return _NAMES.get(code, f"“{code}”")


def detect_language(text: str) -> str | None:
    """A two-letter code, or None when there is too little to tell."""
    return _language_of(text[:_SAMPLE_CHARS])


@lru_cache(maxsize=1_024)
def _language_of(sample: str) -> str | None:
    by_script = _by_script(sample)
    if by_script is not None:
        return by_script
    words = [word.lower() for word in _WORD.findall(sample)]
    hits = sum(word in _ENGLISH for word in words)
    telling = sum(word in _TELLING for word in words)
    if telling and hits * _ENGLISH_WORDS_PER_HIT >= len(words):
        return "en"
    # names and numbers in a table are of no language
    prose = "\n".join(line for line in sample.splitlines() if "|" not in line)
    return _by_detector(prose) if len(_WORD.findall(prose)) >= _MIN_WORDS else None


def _by_script(sample: str) -> str | None:
    letters = [char for char in sample if char.isalpha()]
    foreign = [char for char in letters if not char.isascii()]
    scripts = Counter(unicodedata.name(char, "").split(" ")[0].split("-")[0] for char in foreign)
    for script, language in _SCRIPTS.items():
        if scripts[script] > len(letters) / 2:
            return "ja" if language == "zh" and scripts["HIRAGANA"] else language
    return None


def _by_detector(sample: str) -> str | None:
    """Its first choice, where that is more likely than not and English almost excluded."""
    try:
        identifier = _identifier()
    except ModuleNotFoundError:
        # it comes with the embedded judge; judges that ask a model refuse no language
        return None
    ranked = dict(identifier.rank(sample))
    language = max(ranked, key=lambda one: ranked[one])
    likely = ranked[language] * 100 >= _LIKELY_PERCENT
    if language == "en" or not likely or language not in _NAMES:
        return None
    return language if ranked["en"] * 100 <= _ENGLISH_EXCLUDED_PERCENT else None


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
