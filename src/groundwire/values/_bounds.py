"""What limits a number: "at least", "under", "about", "or more"."""

from dataclasses import replace
from itertools import product
from typing import Literal, NamedTuple

from groundwire.values._quantity import INFINITY, Measure
from groundwire.values._scan import Token, glued, lower_at, word_list

Side = Literal["", "over", "under"]


class Bound(NamedTuple):
    side: Side = ""
    about: bool = False

    def and_also(self, other: "Bound") -> "Bound":
        return Bound(other.side or self.side, self.about or other.about)

    def of(self, measure: Measure) -> Measure:
        if self.side == "over":
            return replace(measure, high=INFINITY)
        return replace(measure, low=-INFINITY) if self.side == "under" else measure


_OVER, _UNDER, _ABOUT = Bound("over"), Bound("under"), Bound(about=True)
_MORE = word_list("more greater higher larger longer older")
_LESS = word_list("less fewer lower smaller shorter younger")
_NOT = word_list("no not")

_BEFORE: dict[tuple[str, ...], Bound] = {
    **{(word, "than"): _OVER for word in _MORE},
    **{(word, "than"): _UNDER for word in _LESS},
    **{(negation, word, "than"): _UNDER for negation, word in product(_NOT, _MORE)},
    **{(negation, word, "than"): _OVER for negation, word in product(_NOT, _LESS)},
    **{(word,): _OVER for word in word_list("over above exceeding exceeded exceeds > \u2265")},
    **{(word,): _UNDER for word in word_list("under below within top < \u2264")},
    **{
        (word,): _ABOUT
        for word in word_list(
            "about around approximately approx roughly some circa ~ \u223c \u2248 estimated nearly"
            " almost ca near"
        )
    },
    ("at", "least"): _OVER,
    ("minimum", "of"): _OVER,
    ("upwards", "of"): _OVER,
    ("excess", "of"): _OVER,
    (">", "="): _OVER,
    ("at", "most"): _UNDER,
    ("up", "to"): _UNDER,
    ("maximum", "of"): _UNDER,
    ("<", "="): _UNDER,
    ("close", "to"): _ABOUT,
    ("approx", "."): _ABOUT,
    ("ca", "."): _ABOUT,
}
_AFTER: dict[tuple[str, ...], Bound] = {
    **{("or", word): _OVER for word in (*_MORE, "above", "over")},
    **{("or", word): _UNDER for word in (*_LESS, "below", "under")},
    ("or", "so"): _ABOUT,
}
_LONGEST = 3


def bound_before(tokens: list[Token], begin: int, free_from: int) -> tuple[Bound, int]:
    """What limits the number that begins at a token, and where those words begin."""
    bound = Bound()
    while not bound.side:
        size, found = _phrase_before(tokens, begin, free_from)
        if not size:
            break
        bound, begin = bound.and_also(found), begin - size
    return bound, begin


def _phrase_before(tokens: list[Token], begin: int, free_from: int) -> tuple[int, Bound]:
    for size in range(min(_LONGEST, begin - free_from), 0, -1):
        found = _BEFORE.get(tuple(token.lower for token in tokens[begin - size : begin]))
        if found is not None:
            return size, found
    return 0, Bound()


def bound_after(tokens: list[Token], after: int) -> tuple[Bound, int]:
    """What limits the number that ends before a token, and the index after those words."""
    found = _AFTER.get((lower_at(tokens, after), lower_at(tokens, after + 1)))
    if found is not None:
        return found, after + 2
    if lower_at(tokens, after) == "+" and glued(tokens, after):
        return _OVER, after + 1
    return Bound(), after
