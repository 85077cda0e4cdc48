"""Which language a text is in, by its script and its commonest words."""

import re
import unicodedata
from collections import Counter

# letters of any script
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE_CHARS = 5_000
_MIN_HITS = 2

_COMMON = {
    "en": "the of and to in is was that for it with as on are by this be at from which has were",
    "nl": "de het een van en is dat niet te zijn op voor met aan er om ook naar bij wordt deze",
    "de": "der die das und ist nicht ein eine zu den mit von auf für sich dem auch wird als werden",
    "fr": "le la les des et est une dans que pour qui pas sur au par avec ce sont du il plus",
    "es": "el la los las de que y en un una es por con para se del al como su fue más",
    "it": "il la di che e un una per non sono con del della è si da nel gli come anche",
    "pt": "o a os as de que e em um uma para com não do da no na por mais foi são",
    "sv": "och att det är som en på av för med till den har inte ett om men var",
    "da": "og at det er som en på af for med til den har ikke et om men var de",
    "fi": "ja on ei se että oli hän ovat mutta myös joka kun niin kuin tai sen",
    "pl": "i w nie na się z że do to jest jak po ale od przez są było",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
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


def detect_language(text: str) -> str | None:
    """A two-letter code, or None when there is too little to tell."""
    sample = text[:_SAMPLE_CHARS]
    return _by_script(sample) or _by_words(sample)


def _by_script(sample: str) -> str | None:
    letters = [char for char in sample if char.isalpha()]
    foreign = [char for char in letters if not char.isascii()]
    scripts = Counter(unicodedata.name(char, "").split(" ")[0].split("-")[0] for char in foreign)
    for script, language in _SCRIPTS.items():
        if scripts[script] > len(letters) / 2:
            return "ja" if language == "zh" and scripts["HIRAGANA"] else language
    return None


def _by_words(sample: str) -> str | None:
    words = [word.lower() for word in _WORD.findall(sample)]
    hits = Counter(
        {language: sum(word in known for word in words) for language, known in _WORDS.items()}
    )
    (best, count), (_, second) = hits.most_common(2)
    if count >= _MIN_HITS and count > second:
        return best
    return None
