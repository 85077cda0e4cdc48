"""What the words of a question are called elsewhere in the corpus: abbreviations and their meaning.

"ADR (architecture decision record)" or "architecture decision record (ADR)" in any passage says
so; whoever asks for the one is shown passages that have the other, too.
"""

import re
from collections.abc import Iterator

from groundwire._patterns import lazy_pattern
from groundwire.evidence._index import Index
from groundwire.evidence._tables import stems
from groundwire.guard import Cache
from groundwire.text import STOP_WORDS, words_of

MOST_LETTERS = 6
LOOKED_AT = 40
"""Passages with the abbreviation that are looked through."""
KEPT, KEPT_S = 512, 600.0
# such as "ADR", "IdP"
_SHORT = lazy_pattern(rf"\b[A-Z][A-Za-z]?[A-Z][A-Za-z]{{0,{MOST_LETTERS - 3}}}s?\b")
_FIRST_SHORT = r"\b{short}s?\s+\((?P<long>[^()\n]{{4,80}})\)"
_FIRST_LONG = r"(?P<long>(?:[\w'’-]+[ \n]+){{1,7}}?[\w'’-]+)\s+\({short}s?\)"
_DEFINING = """
    SELECT p.content FROM passage_words w JOIN passage p ON p.id = w.rowid
    WHERE passage_words MATCH ? AND (instr(p.content, ?) OR instr(p.content, ?)) LIMIT ?"""


class Abbreviations:
    """Looked up in the passages when they are asked for, so that nothing is done before."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: Cache[tuple[str, ...]] = Cache(max_entries=KEPT, ttl_s=KEPT_S)

    def also(self, question: str) -> tuple[str, ...]:
        """Other names of what a question names, each once."""
        found = [
            long for short in _SHORT.findall(question) for long in self._long(short.rstrip("s"))
        ]
        found += self._short(question)
        return tuple(dict.fromkeys(found))

    def _long(self, short: str) -> tuple[str, ...]:
        key = (str(self._index.generation()), short)
        known = self._known.get(key)
        if known is None:
            known = tuple(dict.fromkeys(self._defined(short)))
            self._known.put(key, known)
        return known

    def _short(self, question: str) -> Iterator[str]:
        """Of several words that stand in a row: their first letters, where a passage says so."""
        words = [word for word in words_of(question) if word.isalpha()]
        for size in range(MOST_LETTERS, 1, -1):
            for at in range(len(words) - size + 1):
                phrase = words[at : at + size]
                if STOP_WORDS.isdisjoint((phrase[0], phrase[-1])):
                    letters = "".join(word[0] for word in phrase).upper()
                    if " ".join(stems(" ".join(phrase))) in self._stemmed(letters):
                        yield letters

    def _stemmed(self, letters: str) -> set[str]:
        return {" ".join(stems(long)) for long in self._long(letters)}

    def _defined(self, short: str) -> Iterator[str]:
        stem = stems(short)
        if len(stem) != 1:
            return
        rows = self._index.database.read(
            _DEFINING, (f'content:"{stem[0]}"', f"({short}", f"{short} (", LOOKED_AT)
        )
        for row in rows:
            for form in (_FIRST_SHORT, _FIRST_LONG):
                pattern = form.format(short=re.escape(short))
                for match in re.finditer(pattern, row["content"]):
                    long = _meant(short, match["long"])
                    if long:
                        yield long


def _meant(short: str, text: str) -> str | None:
    """The words whose first letters are the abbreviation's; small words may stand between."""
    words = text.split()
    letters = short.upper()
    for first in range(len(words)):
        rest = words[first:]
        if rest[0].lower() in STOP_WORDS:
            continue
        told = [word for word in rest if word.lower() not in STOP_WORDS]
        for initials in (_initials(rest), _initials(told)):
            if initials == letters:
                return " ".join(rest).lower()
    return None


def _initials(words: list[str]) -> str:
    return "".join(piece[0] for word in words for piece in re.split(r"[-/]", word) if piece).upper()
