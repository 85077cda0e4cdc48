"""How a judge is asked, and how its answer is read."""

import hmac
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from secrets import token_bytes
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.errors import BackendMalformed
from groundwire.judge._protocol import Estimate
from groundwire.llm import TokenPosition
from groundwire.model import Interval
from groundwire.text import segment_ranges


class Fence:
    """Marks around material in a prompt that nobody can guess who wrote the material.

    A keyed hash of the content, under a key that never leaves the process. The same content is
    fenced the same way again, so that a provider's prompt cache still works.
    """

    def __init__(self) -> None:
        self._key = token_bytes(32)

    def around(self, *content: str) -> str:
        digest = hmac.new(self._key, digestmod=sha256)
        for part in content:
            digest.update(sha256(part.encode("utf-8", "surrogatepass")).digest())
        return f"data-{digest.hexdigest()[:24]}"


_MAX_SENTENCE_WORDS = 60
_VERDICT = (
    r"(?:not |fully |clearly )?(?:supported|unsupported|entailed|contradicted|true|false|correct|"
    r"incorrect|accurate|verified|confirmed|grounded|refuted|yes|no|maybe)"
)
_TO_THE_JUDGE = lazy_pattern(
    r"\b(?:this|every|each|the above|the following) (?:claim|statement|assertion)s? "
    rf"(?:is|are|was|has been|must be|should be) (?:\w+ )?{_VERDICT}\b"
    rf"|\b(?:mark|label|rate|judge) (?:this|the|all|every) (?:claim|statement)s? as {_VERDICT}\b"
    r"|\bnotes? (?:to|for) the (?:verifier|judge|checker|model)\b"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the |your |everything )*"
    r"(?:evidence|instructions?|rules|previous|prior|above)\b"
    r"|\b(?:answer|reply|respond|output)(?: with| only)? "
    r"[\"'“]?(?:yes|no|maybe|supported|true|false)\b"
    r"|\b(?:supported|verdict|label|judge?ment|verification)(?: result)?[\"']?\s*[-:=：]+\s*"
    rf"[\"'“]?{_VERDICT}\b"
    r"|<\s*\|[a-z_]{2,30}\|>"
    r"|^\s*(?:claim|supported)\s*[:：]",  # a restated claim is not evidence for it
    re.IGNORECASE | re.MULTILINE,
)


def without_addressed(text: str) -> str:
    """The text without the sentences that speak to the judge."""
    if not _TO_THE_JUDGE.search(text):
        return text
    kept: list[str] = []
    end_of_last = 0
    for start, end in segment_ranges(text, _MAX_SENTENCE_WORDS):
        if not _TO_THE_JUDGE.search(text[start:end]):
            kept.append(text[end_of_last:end])
        end_of_last = end
    return "".join(kept)


Answers = Literal["yes_no", "yes_no_unsure"]
VERSION = "v1"


@cache
def prompt_text(name: str) -> str:
    file = files("groundwire.judge") / "_prompts" / f"{name}.{VERSION}.txt"
    return file.read_text(encoding="utf-8")


class Prompts:
    """The prompts for one set of allowed answers.

    Evidence and claims stand between marks that nobody can guess who wrote the evidence.
    """

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.prompt_id = f"{answers}.{VERSION}"
        texts = prompt_text(answers) + prompt_text(f"{answers}_batch")
        self.prompt_hash = sha256(texts.encode()).hexdigest()
        self._fence = Fence()

    def single(self, claim: str, context: str) -> str:
        return prompt_text(self.answers).format(
            fence=self._fence.around(claim, context), claim=claim, context=context
        )

    def batch(self, claims: dict[str, str], context: str) -> str:
        """`claims` by the id under which each is to be answered, in the order they are shown."""
        shown = "\n".join(f"{id_}: {claim}" for id_, claim in claims.items())
        return prompt_text(f"{self.answers}_batch").format(
            fence=self._fence.around(shown, context), claims=shown, context=context
        )


Word = Literal["YES", "NO", "UNSURE"]
WORDS: tuple[Word, ...] = ("YES", "NO", "UNSURE")
_WRAPPING = lazy_pattern(r"^[\W_Ġ]+|[\W_]+$")  # some tokenizers show a leading space as Ġ or ▁
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


# such as "answer": "YES", as a model writes it
_ANSWER = lazy_pattern(r'"answer"\s*:\s*"')


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
