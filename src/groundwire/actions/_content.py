"""A file's bytes as a person sees them, and whether an edit stands in them."""

import os
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from hashlib import sha256

from groundwire.actions._claims import Anchor

# such as "\\xff", as git writes a byte that is no text
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


@dataclass(eq=False, kw_only=True)
class Content:
    """What stands in a file, or stood in it once.

    `complete` is false for a state rebuilt from part of what was shown of it: what is found there
    is there, what is not found proves nothing. Without `texts` only hashes are known: the file is
    binary, or too large to search.
    """

    hashes: frozenset[str]
    size_bytes: int
    texts: tuple[str, ...] = ()
    complete: bool = True
    encoding_is_sure: bool = True

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

    @cached_property
    def same_forms(self) -> tuple[str, ...]:
        """The text as it is, and with its letters composed: nobody can tell them apart."""
        return tuple(dict.fromkeys(form for text in self.texts for form in (text, composed(text))))

    @cached_property
    def visible_forms(self) -> tuple[str, ...]:
        """With less white space, as far as it differs from the others."""
        found = dict.fromkeys(form for text in self.texts for form in visible_forms(text))
        return tuple(form for form in found if form not in self.same_forms)

    @cached_property
    def squeezed(self) -> tuple[str, ...]:
        """Without any white space."""
        return tuple(squeeze(text) for text in self.texts)

    def has_visible_hash(self, wanted: str) -> bool:
        """Whether less white space would make it the content that was hashed."""
        return any(wanted in _same_to_a_person(form) for form in self.visible_forms)

    @cached_property
    def _other_hashes(self) -> frozenset[str]:
        return frozenset(digest for text in self.texts for digest in _same_to_a_person(text))


def normal(text: str) -> str:
    """Line feeds only, and no byte order mark."""
    return text.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")


def visible_forms(text: str) -> Iterator[str]:
    """Without trailing blanks, with composed letters, with tabs as the blanks they show as."""
    letters = composed(text)
    yield _strip_line_ends(letters)
    if "\t" in letters:
        for width in _TAB_WIDTHS:
            yield _strip_line_ends(letters.expandtabs(width))


def composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def squeeze(text: str) -> str:
    return "".join(composed(text).split())


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
        return ((), True) if marked else (_legacy_texts(data), False)


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


def _legacy_texts(data: bytes) -> tuple[str, ...]:
    texts: dict[str, None] = {}
    for name in _LEGACY:
        with suppress(UnicodeDecodeError):
            texts[normal(data.decode(name))] = None
    return tuple(texts)


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


MAX_OCCURRENCES = 20_000
MAX_PAIRS = 50_000
MAX_HASHED_CHARS = 64_000_000


class Match(Enum):
    HOLDS = "holds"
    NO_ANCHOR = "no anchor"
    OTHER_TEXT = "other text"
    TOO_COMMON = "too common"
    WHITESPACE = "white space"


_BY_STRENGTH = [Match.NO_ANCHOR, Match.OTHER_TEXT, Match.TOO_COMMON]


def match_edit(content: Content, anchor: Anchor) -> Match:
    """Try the text as it is, then views with less white space; the best answer counts."""
    best = Match.NO_ANCHOR
    before, after = normal(anchor.before_snippet), normal(anchor.after_snippet)
    exact = {(before, after), (composed(before), composed(after))}
    for form in (*content.same_forms, *content.visible_forms):
        for pair in _anchor_forms(anchor):
            found = _match(form, *pair, anchor.content_hash)
            if found is Match.HOLDS:
                is_same = pair in exact and form in content.same_forms
                return Match.HOLDS if is_same else Match.WHITESPACE
            best = max(best, found, key=_BY_STRENGTH.index)
    return best


def _anchor_forms(anchor: Anchor) -> Iterator[tuple[str, str]]:
    before, after = normal(anchor.before_snippet), normal(anchor.after_snippet)
    yield before, after
    seen = {(before, after)}
    befores = [composed(before), *visible_forms(before)]
    afters = [composed(after), *visible_forms(after)]
    for pair in zip(_filled(befores), _filled(afters), strict=True):
        # an anchor of nothing but blanks would turn into "edge of the file"
        if pair not in seen and bool(pair[0]) == bool(before) and bool(pair[1]) == bool(after):
            seen.add(pair)
            yield pair


def _filled(forms: list[str]) -> list[str]:
    """As many forms as an anchor with tabs has: the last one again."""
    return (forms + forms[-1:] * 4)[:4]


def _match(text: str, before: str, after: str, wanted: str) -> Match:
    starts = [0] if not before else [at + len(before) for at in _occurrences(text, before)]
    stops = [len(text)] if not after else list(_occurrences(text, after))
    if not starts or not stops:
        return Match.NO_ANCHOR
    pairs = hashed_chars = 0
    any_pair = False
    # "a" and "b" on neighbouring lines have nothing between them; "a\n" and "b" have a blank line
    bare = not before.endswith("\n") and not after.startswith("\n")
    for start in starts:
        later = stops[bisect_left(stops, start) :]
        for digest, length in _between(text, start, later, bare=bare):
            any_pair = True
            if digest == wanted:
                return Match.HOLDS
            pairs += 1
            hashed_chars += length
            if pairs > MAX_PAIRS or hashed_chars > MAX_HASHED_CHARS:
                return Match.TOO_COMMON
    if len(starts) >= MAX_OCCURRENCES or len(stops) >= MAX_OCCURRENCES:
        return Match.TOO_COMMON
    return Match.OTHER_TEXT if any_pair else Match.NO_ANCHOR


def _occurrences(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    for _ in range(MAX_OCCURRENCES):
        if at < 0:
            return
        yield at
        at = text.find(part, at + 1)


def _between(text: str, start: int, stops: list[int], *, bare: bool) -> Iterator[tuple[str, int]]:
    """Hashes of the text from `start` to each stop, with the number of characters each cost.

    A person who names whole lines as anchors may or may not count the line feed next to them as
    part of the text, and may have hashed it with either kind of line ending. `bare` anchors have no
    line feed of their own there, so that one line feed alone may count as nothing.
    """
    for line_end in ("\n", "\r\n"):
        for skip in (0, 1) if text.startswith("\n", start) else (0,):
            yield from _growing(text, start, skip, stops, line_end, bare=bare)


def _growing(
    text: str, start: int, skip: int, stops: list[int], line_end: str, *, bare: bool
) -> Iterator[tuple[str, int]]:
    hasher = sha256()
    at = start + skip
    has_break = False
    for stop in stops:
        if stop < start + skip:
            continue
        piece = text[at:stop]
        at = stop
        has_break = has_break or "\n" in piece
        if line_end == "\r\n" and not has_break:
            hasher.update(piece.encode("utf-8", "surrogatepass"))
            continue
        ends_line = piece.endswith("\n")
        body = piece[:-1] if ends_line else piece
        hasher.update(body.replace("\n", line_end).encode("utf-8", "surrogatepass"))
        kept = stop - start - skip - ends_line
        # trimming must not turn an empty line into no line
        may_trim = kept > 0 or (bare and skip + ends_line == 1)
        if ends_line and may_trim:
            yield hasher.hexdigest(), 0
        if ends_line:
            hasher.update(line_end.encode())
        if not skip or may_trim or ends_line:
            yield hasher.hexdigest(), len(piece)
