"""Quotes: words count as quoted only where they stand in their source [RULINGS, all five]."""

import unicodedata

from groundwire.model import Span


def find_quote(quote: str, text: str) -> Span | None:
    """Where `quote` stands in `text`, after NFKC and white-space normalisation of both."""
    wanted, _ = _folded(quote)
    if not wanted:
        return None
    exact = text.find(quote.strip())
    if exact >= 0:
        return Span(start=exact, end=exact + len(quote.strip()))
    folded, origins = _folded(text)
    at = folded.find(wanted)
    if at < 0:
        return None
    return Span(start=origins[at], end=origins[at + len(wanted) - 1] + 1)


def _folded(text: str) -> tuple[str, list[int]]:
    """The normal form, and for each of its characters the one of `text` it came from."""
    pieces: list[str] = []
    origins: list[int] = []
    in_gap = True
    for index, character in enumerate(text):
        if character.isspace():
            if not in_gap:
                pieces.append(" ")
                origins.append(index)
            in_gap = True
            continue
        in_gap = False
        for piece in unicodedata.normalize("NFKC", character):
            pieces.append(piece)
            origins.append(index)
    if in_gap and pieces:
        pieces.pop()
        origins.pop()
    return "".join(pieces), origins
