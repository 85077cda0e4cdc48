"""Questions as words to search for."""

import re
import sqlite3
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from groundwire.evidence._schema import TOKENIZER

MAX_QUERY_WORDS = 64
"""More distinct words than this add time, not precision."""

_WORD = re.compile(r"\w{1,64}")
_ENGLISH = """a about all an and any are as at be been by can could did do does for from had has
have how i if in into is it its me my no not of on or our shall should so that the their them there
these they this those to us was we were what when where which who whom why will with would you your
tell show give explain describe please list
decide decided define ensure handle happen happens long many much often quickly"""
_DUTCH = """aan als bij dat de deze die dit door een en er geen het hoe hun ik in is je kan kunnen
maar met mijn naar niet of om omdat ons onze ook op over te tot uit van voor waar waarom wanneer wat
welke wie wij worden wordt ze zich zij zijn zou"""
_STOP_WORDS = frozenset(f"{_ENGLISH} {_DUTCH}".split())


def content_words(question: str) -> list[str]:
    """The words that carry the question, each once; all of them if there are only small ones."""
    words = list(dict.fromkeys(match[0].lower() for match in _WORD.finditer(question)))
    content = [word for word in words if word not in _STOP_WORDS]
    return (content or words)[:MAX_QUERY_WORDS]


def topic_words(question: str) -> list[str]:
    """The same without the way out: a question of small words only is about nothing."""
    return [word for word in content_words(question) if word not in _STOP_WORDS]


def any_of(words: Sequence[str]) -> str:
    """An FTS5 expression. Quoted words are words, whatever they mean to FTS5 otherwise."""
    return " OR ".join(f'"{word}"' for word in words)


class Stemmer:
    """Stems as the index makes them, since the same tokenizer makes both."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.execute(
            f"CREATE VIRTUAL TABLE words USING fts5(content, tokenize='{TOKENIZER}')"
        )
        self._connection.execute("CREATE VIRTUAL TABLE stems USING fts5vocab(words, instance)")
        weakref.finalize(self, self._connection.close)

    def stems(self, texts: Sequence[str]) -> list[set[str]]:
        """Of each text, usually a word, its stems."""
        found: list[set[str]] = [set() for _ in texts]
        with self._holding(texts):
            for place, stem in self._connection.execute("SELECT doc, term FROM stems"):
                found[place].add(stem)
        return found

    def occurring(self, stems: Sequence[str], texts: Sequence[str]) -> list[set[str]]:
        """Which of the stems occur in each text."""
        found: list[set[str]] = [set() for _ in texts]
        with self._holding(texts):
            for stem in stems:
                rows = self._connection.execute("SELECT doc FROM stems WHERE term = ?", (stem,))
                for (place,) in rows:
                    found[place].add(stem)
        return found

    @contextmanager
    def _holding(self, texts: Sequence[str]) -> Iterator[None]:
        with self._lock:
            self._connection.execute("BEGIN")
            self._connection.executemany(
                "INSERT INTO words (rowid, content) VALUES (?, ?)", enumerate(texts)
            )
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")
