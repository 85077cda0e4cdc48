"""Singulars and plurals of a word, in the languages vocabularies are written in.

A stem says that two forms are one word; a vocabulary must also know in which language they are.
"""

from collections.abc import Iterator

from groundwire._patterns import lazy_pattern
from groundwire.text._words import word_set

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
_NOT_PLURALS = word_set("news lens means series species mass loss gas")
_FROM_F = word_set("shelves halves loaves calves wolves thieves scarves hooves leaves")
_SINGULAR_ENDINGS = ("ss", "us", "is")
# such as "restarts"; not "loss", "status", "analysis", "DNS"
_PLURAL = lazy_pattern(r"(?<=\w{3})(?<![sui'])(?<!ing)s$")
# such as "netten", "net" · "bomen", "boom" · "net", "netten" · "boom", "bomen"
_DUTCH = (
    (lazy_pattern(r"([bdfgklmnprst])\1en$"), r"\1"),
    (lazy_pattern(r"(?<![aeiou])([aeou])([bdfgklmnprst])en$"), r"\1\1\2"),
    (lazy_pattern(r"((?<![aeiou])[aeiou])([bdfgklmnprst])$"), r"\1\2\2en"),
    (lazy_pattern(r"([aeou])\1([bdfgklmnprst])$"), r"\1\2en"),
)


def inflections(phrase: str) -> dict[str, set[str]]:
    """Other numbers of a phrase's last word, each with its languages: "nets" for "net", in "en"."""
    head, _, word = phrase.rpartition(" ")
    found: dict[str, set[str]] = {}
    if word in _NOT_PLURALS:
        return found
    for language, form in _forms(word):
        if form != word and len(form) >= _MIN_WORD_CHARS and form not in _NOT_PLURALS:
            found.setdefault(f"{head} {form}".strip(), set()).add(language)
    return found


def singular(word: str) -> str:
    """Of an English word: "policies" is "policy", "switches" is "switch", "status" itself."""
    if not _PLURAL.search(word):
        return word
    if word in _FROM_F:
        return f"{word[:-3]}f"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return word[:-2]
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]


def plural(word: str) -> str:
    """Of a regular English word: "policies" of "policy", "field guides" of "field guide"."""
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _forms(word: str) -> Iterator[tuple[str, str]]:
    for language, pairs in _PLURALS.items():
        for many, ending in pairs:
            root = word.removesuffix(many)
            is_plural = len(root) >= _MIN_WORD_CHARS and not word.endswith(_SINGULAR_ENDINGS)
            if root != word and is_plural:
                yield language, root + ending
            root = word.removesuffix(ending)
            if word.endswith(ending) and len(root) >= _MIN_WORD_CHARS - bool(ending):
                yield language, root + many
    for pattern, replacement in _DUTCH:
        yield "nl", pattern.sub(replacement, word)
