"""From what a model said to a probability, and to how much of it is known. Pure."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.errors import BackendMalformed
from groundwire.judge._protocol import Estimate
from groundwire.llm import TokenPosition
from groundwire.model import Interval

Word = Literal["YES", "NO", "UNSURE"]
WORDS: tuple[Word, ...] = ("YES", "NO", "UNSURE")
_WRAPPING = re.compile(r"^[\W_Ġ]+|[\W_]+$")  # some tokenizers show a leading space as Ġ or ▁
_EVEN = 0.5
_Z_95 = 1.959963984540054


def word_of(text: str) -> Word | None:
    """The answer a text is, whatever its case, quotes and punctuation; `None` if it is another."""
    bare = _WRAPPING.sub("", text).upper()
    return next((word for word in WORDS if word == bare), None)


def _begins(text: str) -> Word | None:
    """The answer a token may be the beginning of, as `Y` of `YES`."""
    bare = _WRAPPING.sub("", text).upper()
    return next((word for word in WORDS if bare and word.startswith(bare)), None)


@dataclass(frozen=True)
class Masses:
    """How a model's probability is spread at the place of its answer.

    `neither` is what lies on other words, or beyond the tokens the server listed.
    """

    yes: float
    no: float
    unsure: float

    @property
    def neither(self) -> float:
        return max(0.0, 1.0 - self.yes - self.no - self.unsure)


def masses(top: Sequence[tuple[str, float]], *, constrained: bool) -> Masses:
    """Sum every spelling. Beginnings count only where nothing but an answer can follow."""
    sums: dict[Word, float] = dict.fromkeys(WORDS, 0.0)
    for token, logprob in top:
        word = word_of(token) or (_begins(token) if constrained else None)
        if word is not None:
            sums[word] += math.exp(min(logprob, 0.0))
    scale = max(1.0, sum(sums.values()))
    return Masses(sums["YES"] / scale, sums["NO"] / scale, sums["UNSURE"] / scale)


def from_masses(found: Masses, *, three_way: bool) -> Estimate:
    """The middle guess is what the model would say if it had to answer; the interval is all that
    is known: UNSURE and what lies on neither answer might belong to either."""
    said = found.yes + found.no + found.unsure
    if said <= 0.0:
        raise BackendMalformed(
            "The model's answer is neither YES nor NO.",
            hint="Use a larger model, or set llm.estimation to sampling.",
        )
    p = (found.yes + _EVEN * found.unsure) / said
    return Estimate(
        p=p,
        interval=_around(p, found.yes, 1.0 - found.no),
        refute=found.no / said if three_way else None,
    )


def from_samples(words: Sequence[Word], *, asked: int, three_way: bool) -> Estimate:
    """The share of YES among the answers received, with its 95 % interval [SPEC-08.14]."""
    if 2 * len(words) < asked or not words:
        raise BackendMalformed(
            f"Only {len(words)} of {asked} samples were answers.",
            hint="Use a larger model, or one with log probabilities.",
        )
    yes, unsure = words.count("YES"), words.count("UNSURE")
    p = (yes + _EVEN * unsure) / len(words)
    return Estimate(
        p=p,
        interval=_around(p, wilson(yes, len(words)).low, wilson(yes + unsure, len(words)).high),
        refute=words.count("NO") / len(words) if three_way else None,
    )


def wilson(successes: int, trials: int) -> Interval:
    """Wilson's score interval at 95 %: honest for few trials and at both ends."""
    share = successes / trials
    square = _Z_95**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = _Z_95 * math.sqrt((share * (1 - share) + square / 4) / trials) / (1 + square)
    return Interval(low=max(0.0, middle - half), high=min(1.0, middle + half))


def _around(p: float, low: float, high: float) -> Interval:
    return Interval(low=max(0.0, min(low, p)), high=min(1.0, max(high, p)))


_ANSWER = re.compile(r'"answer"\s*:\s*"')


def first_word(positions: Sequence[TokenPosition]) -> TokenPosition | None:
    """The first token that is not blank."""
    return next((position for position in positions if position.token.strip()), None)


def masses_at_answers(text: str, positions: Sequence[TokenPosition]) -> list[Masses] | None:
    """The masses at each `"answer": "…"` of an output held to a schema, in order.

    `None` when the tokens do not spell the text, so that no answer gets another's masses. Blanks
    and what a server cuts off around the text, such as thoughts, may stand in the tokens only.
    """
    start = "".join(position.token for position in positions).find(text)
    if start < 0 or not text:
        return None
    found = []
    for match in _ANSWER.finditer(text):
        position = _covering(positions, start + match.end())
        if position is None:
            return None
        found.append(masses(position.top, constrained=True))
    return found


def _covering(positions: Sequence[TokenPosition], offset: int) -> TokenPosition | None:
    """The token in which the character at `offset` stands."""
    end = 0
    for position in positions:
        end += len(position.token)
        if end > offset:
            return position
    return None
