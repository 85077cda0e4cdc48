"""WordPiece, as BERT cuts words: small, exact, and with no package behind it.

Text is cut at white space, each chunk is normalised and cut into the longest known pieces, and
chunks are remembered, because most of them come again.
"""

import unicodedata
from collections.abc import Sequence

from groundwire._kept import kept

UNKNOWN, START, SEPARATOR = "[UNK]", "[CLS]", "[SEP]"
_MAX_WORD_CHARS = 100
_CJK_RANGES = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    def __init__(self, pieces: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(pieces) if piece}
        self._chunk_ids = kept(50_000, _MAX_WORD_CHARS)(self._cut_chunk)
        self.start = self._ids[START]
        self.separator = self._ids[SEPARATOR]

    def __len__(self) -> int:
        return len(self._ids)

    def ids(self, text: str, limit: int | None = None) -> list[int]:
        """The pieces of a text as numbers; reading stops where `limit` is reached."""
        found: list[int] = []
        for chunk in text.split():
            found.extend(self._chunk_ids(chunk))
            if limit is not None and len(found) >= limit:
                return found[:limit]
        return found

    def _cut_chunk(self, chunk: str) -> tuple[int, ...]:
        return tuple(number for word in _words(chunk) for number in self._cut_word(word))

    def _cut_word(self, word: str) -> list[int]:
        if len(word) > _MAX_WORD_CHARS:
            return [self._ids[UNKNOWN]]
        numbers: list[int] = []
        start = 0
        while start < len(word):
            number, start = self._longest(word, start)
            if number is None:
                return [self._ids[UNKNOWN]]
            numbers.append(number)
        return numbers

    def _longest(self, word: str, start: int) -> tuple[int | None, int]:
        prefix = "##" if start else ""
        for end in range(len(word), start, -1):
            number = self._ids.get(prefix + word[start:end])
            if number is not None:
                return number, end
        return None, start


def _words(chunk: str) -> list[str]:
    """Lower case without accents or control characters, punctuation and ideographs apart."""
    spaced = "".join(f" {char} " if _is_cjk(char) else char for char in chunk if _is_kept(char))
    decomposed = unicodedata.normalize("NFD", spaced.lower())
    words: list[str] = []
    current = ""
    for char in decomposed:
        if unicodedata.category(char) == "Mn":
            continue
        if char.isspace() or _is_punctuation(char):
            words += [current] if current else []
            words += [char] if not char.isspace() else []
            current = ""
        else:
            current += char
    return [*words, current] if current else words


def _is_kept(char: str) -> bool:
    return char not in "\x00�" and unicodedata.category(char) not in ("Cc", "Cf", "Cn", "Co", "Cs")


def _is_punctuation(char: str) -> bool:
    if char.isascii():
        return not char.isalnum() and not char.isspace()
    return unicodedata.category(char).startswith("P")


def _is_cjk(char: str) -> bool:
    code = ord(char)
    return any(low <= code <= high for low, high in _CJK_RANGES)
