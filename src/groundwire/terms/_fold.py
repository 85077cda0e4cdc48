"""When two spellings are the same term: case, width, hyphens, CamelCase, singular and plural."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

MAX_TERM_CHARS = 300
"""Nothing longer is looked up, as a term or as a label."""

_APOSTROPHES = re.compile("[\u2018\u2019\u02bc\uff07]")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_JOINERS = re.compile(r"[-_/]+")
# not within the plural of an acronym: DSOs
_CAMEL_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s\b)")

# suffix of the plural, suffix of the singular; read in both directions
_PLURALS: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        *(("ies", "y"), ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("oes", "o")),
    ),
    "nl": (
        *(("en", ""), ("s", ""), ("'s", ""), ("ën", "")),
        *(("heden", "heid"), ("ven", "f"), ("zen", "s")),
    ),
    "de": (("en", ""), ("n", ""), ("e", "")),
    "fr": (("s", ""), ("x", ""), ("aux", "al")),
    "es": (("s", ""), ("es", ""), ("ces", "z")),
}
_MIN_WORD_CHARS = 3
_NOT_PLURALS = frozenset(("news", "lens", "means", "series", "species", "mass", "loss", "gas"))
_SINGULAR_ENDINGS = ("ss", "us", "is")

# net, netten · boom, bomen
_DUTCH_DOUBLED = re.compile(r"([bdfgklmnprst])\1en$")
_DUTCH_OPEN_VOWEL = re.compile(r"(?<![aeiou])([aeou])([bdfgklmnprst])en$")
_DUTCH_SHORT_VOWEL = re.compile(r"((?<![aeiou])[aeiou])([bdfgklmnprst])$")
_DUTCH_LONG_VOWEL = re.compile(r"([aeou])\1([bdfgklmnprst])$")


def normalize(term: str) -> str:
    """The key under which answers are cached [S3 Gap A]: lower case, trimmed, single spaces."""
    return " ".join(term.split()).lower()


def exact_key(text: str) -> str:
    """Equal for spellings that differ in case, width, spacing or invisible characters only."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(char for char in text if unicodedata.category(char) != "Cf")
        text = _DASHES.sub("-", _APOSTROPHES.sub("'", text))
    text = unicodedata.normalize("NFKC", text.casefold())
    return " ".join(text.split())


def loose_key(text: str) -> str:
    """Equal also for `power-transformer`, `power_transformer` and `PowerTransformer`."""
    return " ".join(_JOINERS.sub(" ", exact_key(_CAMEL_HUMP.sub(" ", text))).split())


def inflections(key: str) -> dict[str, set[str]]:
    """Singulars and plurals a loose key may stand for, each with the languages it does so in."""
    head, _, word = key.rpartition(" ")
    found: dict[str, set[str]] = {}
    if word in _NOT_PLURALS:
        return found
    for language, form in _forms(word):
        if form != word and len(form) >= _MIN_WORD_CHARS and form not in _NOT_PLURALS:
            found.setdefault(f"{head} {form}".strip(), set()).add(language)
    return found


def _forms(word: str) -> Iterator[tuple[str, str]]:
    for language, pairs in _PLURALS.items():
        for plural, singular in pairs:
            stem = word.removesuffix(plural)
            if (
                stem != word
                and len(stem) >= _MIN_WORD_CHARS
                and not word.endswith(("ss", "us", "is"))
            ):
                yield language, stem + singular
            stem = word.removesuffix(singular)
            if word.endswith(singular) and len(stem) >= _MIN_WORD_CHARS - bool(singular):
                yield language, stem + plural
    for pattern, replacement in (
        (_DUTCH_DOUBLED, r"\1"),
        (_DUTCH_OPEN_VOWEL, r"\1\1\2"),
        (_DUTCH_SHORT_VOWEL, r"\1\2\2en"),
        (_DUTCH_LONG_VOWEL, r"\1\2en"),
    ):
        yield "nl", pattern.sub(replacement, word)


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class Text(NamedTuple):
    """A text and its language tag; no tag is the empty string, so that texts can be ordered."""

    text: str
    lang: str = ""


def clean(text: str) -> str:
    """Without control characters, which a terminal would obey, and without space around it."""
    return _CONTROL.sub("", text).strip()


def best(texts: Iterable[Text], languages: Sequence[str]) -> Text | None:
    """The text in the first language there is one in, then an untagged one, then any."""
    return min(texts, key=lambda text: (_rank(text.lang, languages), text), default=None)


def best_together(texts: Iterable[Text], languages: Sequence[str]) -> Text | None:
    """Like `best`, with every text of that language, each on a line of its own."""
    texts = list(texts)
    first = best(texts, languages)
    if first is None:
        return None
    same = sorted({text.text for text in texts if text.lang == first.lang})
    return Text("\n".join(same), first.lang)


def _rank(lang: str, languages: Sequence[str]) -> int:
    primary = lang.lower().split("-")[0]
    wanted = [language.lower().split("-")[0] for language in languages]
    if primary in wanted:
        return wanted.index(primary)
    return len(wanted) + (1 if lang else 0)
