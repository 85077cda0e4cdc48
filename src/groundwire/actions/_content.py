"""Names that are not text: shown with escapes, and found again by them."""

import os
import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256

_ESCAPED = re.compile(rb"\\x([0-9a-f]{2})")


def printable(text: str) -> str:
    """The text without halves of characters: odd bytes of a file name as `\\xff`, say."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        try:
            return os.fsencode(text).decode("utf-8", "backslashreplace")
        except UnicodeEncodeError:
            return text.encode("utf-8", "backslashreplace").decode()
    return text


def file_name(shown: str) -> str:
    """The file name that was shown in this way."""
    if "\\x" not in shown:
        return shown
    raw = _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), shown.encode())
    return os.fsdecode(raw)


BOM = "\ufeff"
_MARKED = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_LEGACY = ("cp1252", "shift_jis", "gb18030", "euc_kr", "big5", "cp1251", "latin-1")
"""Tried in turn for bytes that are not UTF-8. Only a claim that then holds counts."""
_TAB_WIDTHS = (4, 8)


class Content:
    """What stands in a file, or stood in it once.

    `complete` is false for a state rebuilt from part of what was shown of it: what is found there
    is there, what is not found proves nothing. Without `texts` only hashes are known: the file is
    binary, or too large to search.
    """

    def __init__(
        self,
        *,
        hashes: frozenset[str],
        size_bytes: int,
        texts: tuple[str, ...] = (),
        complete: bool = True,
        encoding_is_sure: bool = True,
    ) -> None:
        self.hashes = hashes
        self.size_bytes = size_bytes
        self.texts = texts
        self.complete = complete
        self.encoding_is_sure = encoding_is_sure

    @classmethod
    def of_bytes(cls, data: bytes) -> "Content":
        texts, is_sure = decode(data)
        return cls(
            hashes=frozenset({sha256(data).hexdigest()}),
            size_bytes=len(data),
            texts=texts,
            encoding_is_sure=is_sure,
        )

    @classmethod
    def of_text(cls, text: str, *, complete: bool = True) -> "Content":
        data = text.encode("utf-8", "surrogatepass")
        return cls(
            hashes=frozenset({sha256(data).hexdigest()}),
            size_bytes=len(data),
            texts=(normal(text),),
            complete=complete,
        )

    def has_hash(self, wanted: str) -> bool:
        """Whether a person would call it the content that was hashed."""
        return wanted in self.hashes or wanted in self._other_hashes

    @property
    def forms(self) -> Iterator[str]:
        """The text as it is, then with ever less of what cannot be seen."""
        yield from self.texts
        yield from self._visible_forms

    @cached_property
    def _visible_forms(self) -> tuple[str, ...]:
        found = dict.fromkeys(form for text in self.texts for form in visible_forms(text))
        return tuple(form for form in found if form not in self.texts)

    @cached_property
    def _other_hashes(self) -> frozenset[str]:
        return frozenset(digest for text in self.texts for digest in _same_to_a_person(text))


def normal(text: str) -> str:
    """Line feeds only, and no byte order mark."""
    return text.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")


def visible_forms(text: str) -> Iterator[str]:
    """Without trailing blanks, with composed letters, with tabs as the blanks they show as."""
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    yield _strip_line_ends(composed)
    if "\t" in composed:
        for width in _TAB_WIDTHS:
            yield _strip_line_ends(composed.expandtabs(width))


def hash_of(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def decode(data: bytes) -> tuple[tuple[str, ...], bool]:
    """The texts these bytes may be, normalised, and whether there is no doubt about them."""
    marked = next((name for mark, name in _MARKED if data.startswith(mark)), None)
    if marked is None and b"\0" in data:
        marked = _unmarked_utf16(data)
        if marked is None:
            return (), True
    try:
        return (normal(data.decode(marked or "utf-8")),), True
    except UnicodeDecodeError:
        return ((), True) if marked else (tuple(_legacy_texts(data)), False)


def _unmarked_utf16(data: bytes) -> str | None:
    """Mostly Latin text has its zero bytes all in odd, or all in even, places."""
    sample = data[:4096]
    if len(data) % 2:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > len(sample) // 4 and not even:
        return "utf-16-le"
    if even > len(sample) // 4 and not odd:
        return "utf-16-be"
    return None


def _legacy_texts(data: bytes) -> Iterator[str]:
    seen = set()
    for name in _LEGACY:
        try:
            text = normal(data.decode(name))
        except UnicodeDecodeError:
            continue
        if text not in seen:
            seen.add(text)
            yield text


def _same_to_a_person(text: str) -> Iterator[str]:
    """Hashes of the same text with other line endings, with and without a last line feed."""
    body = text.removesuffix("\n")
    for line_end in ("\n", "\r\n"):
        hasher = sha256(body.replace("\n", line_end).encode("utf-8", "surrogatepass"))
        yield hasher.hexdigest()
        hasher.update(line_end.encode())
        yield hasher.hexdigest()


def _strip_line_ends(text: str) -> str:
    return "\n".join([line.rstrip(" \t") for line in text.split("\n")])
