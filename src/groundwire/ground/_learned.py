"""What the learned reader finds in sentences that no construction is known of.

`Two windows were not tight; through them the water ran in` has no causal word. The span head tags
both ends all the same. What it drafts it does not judge: that is asked of the support head alone.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.encoder import SpanReader, judge_calibration
from groundwire.errors import MissingExtra
from groundwire.ground._decode import Pair, decoded, words_apart
from groundwire.ground._joints import has_verb
from groundwire.ground._open import brings_nothing, resulting
from groundwire.text import is_finite, is_negation, marks_in, tokens_of, word_set, words_of

_LEAST_WORDS, _MOST_WORDS = 6, 45
_MOST_KEPT = 20_000
_LEAST_END_WORDS = 2
# who acts or is asked to: what people do is no effect of the kind that is looked for
_PERSONAL = word_set("we i you he she they there who it this please our")
_NOT_TOLD = frozenset({"hedged", "conditional", "asked", "planned", "ordered"})
# such as "when", "as": what happened at that time, or in that place
_TIME = lazy_pattern(
    r"\b(?:when|while|as|where|whenever|after|before|until|during|than|although|though|despite|even)\b",
    re.IGNORECASE,
)


class Drafted(NamedTuple):
    """Cause and effect as they are named, and where the effect stands."""

    cause: str
    effect: str
    place: int


class LearnedDrafter:
    def __init__(self, reader: SpanReader) -> None:
        self._reader = reader
        self._known: dict[str, list[Drafted]] = {}

    def prepare(self, sentences: Iterable[str]) -> None:
        """Many at once: the learned reader goes through all of them in one go."""
        new = [one for one in dict.fromkeys(sentences) if one not in self._known and _may_tell(one)]
        if not new:
            return
        if len(self._known) + len(new) > _MOST_KEPT:
            self._known.clear()
        self._known.update((one, []) for one in new)
        least = judge_calibration().spans.least_if_open
        likely = dict(zip(new, self._reader.causal(new), strict=True))
        telling = [one for one in new if likely[one] >= least]
        words = [[one[a:b] for a, b in words_apart(one)] for one in telling]
        for one, logits in zip(telling, self._reader.logits(words), strict=True):
            self._known[one] = [
                draft for pair in decoded(one, logits) if (draft := _drafted(one, pair)) is not None
            ]

    def drafts(self, sentence: str) -> list[Drafted]:
        return self._known.get(sentence, [])


def _may_tell(sentence: str) -> bool:
    words = words_of(sentence)
    return (
        _LEAST_WORDS <= len(words) <= _MOST_WORDS
        and words[0] not in _PERSONAL
        and has_verb(sentence)
        and not any(mark.label in _NOT_TOLD for mark in marks_in(sentence))
    )


def _drafted(sentence: str, pair: Pair) -> Drafted | None:
    """Two clauses, or what something did to something; nothing of what only came at a time."""
    (cause_start, cause_end), (effect_start, effect_end) = pair
    cause, effect = sentence[cause_start:cause_end], sentence[effect_start:effect_end]
    between = sentence[min(cause_end, effect_end) : max(cause_start, effect_start)]
    if _TIME.search(between) or any(map(is_negation, words_of(effect))):
        return None
    if min(len(words_of(cause)), len(words_of(effect))) < _LEAST_END_WORDS:
        return None
    if has_verb(cause) and has_verb(effect):
        return Drafted(cause, effect, effect_start)
    is_subject = cause_end < effect_start and not any(mark in between for mark in ",;:")
    return _acted(cause, sentence[cause_end:effect_end], effect_start) if is_subject else None


def _acted(cause: str, predicate: str, place: int) -> Drafted | None:
    """`Cold wort puts yeast to sleep`: a verb, and what it acts on."""
    tokens = [one for one in tokens_of(predicate) if one.text[0].isalnum()]
    verb = next((one for one in tokens if is_finite(one.low) or one.low.endswith("ed")), None)
    if verb is None or verb is not tokens[0] or len(tokens) < _LEAST_END_WORDS + 1:
        return None
    said = predicate[verb.end :].strip()
    if brings_nothing(verb.low) or any(map(is_negation, words_of(predicate))):
        return None
    return Drafted(cause, resulting(said, verb.low), place)


@cache
def learned_drafter() -> LearnedDrafter | None:
    """Where what it runs on is installed."""
    reader = SpanReader()
    try:
        reader.causal(["."])
    except MissingExtra:
        return None
    return LearnedDrafter(reader)
