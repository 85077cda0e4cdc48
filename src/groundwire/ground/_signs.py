"""Whether something brings a thing about or lessens it, asked of the support head.

No list holds all verbs that lessen: `cushioned the surge`, `softened the dip`. The judge that reads
"A reduces B" against the sentence tells them apart; it had no part in the draft.
"""

from functools import cache

from groundwire.encoder import PairScorer, judge_calibration
from groundwire.errors import MissingExtra
from groundwire.ground._lexicon import Relation
from groundwire.ground._types import worded


class SignReader:
    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer

    def relation(self, cause: str, thing: str, sentence: str) -> Relation:
        """What the sentence says the cause does to what goes on."""
        raised, lowered, prevented = (
            one.support
            for one in self._scorer.score(
                [
                    (worded(cause, "raises", thing), sentence),
                    (worded(cause, "lowers", thing), sentence),
                    (worded(cause, "prevents", thing), sentence),
                ]
            )
        )
        against = max(lowered, prevented)
        if against < judge_calibration().spans.least_support or against <= raised:
            return "causes"
        return "lowers" if lowered >= prevented else "prevents"


@cache
def sign_reader() -> SignReader | None:
    """Where what it runs on is installed."""
    scorer = PairScorer()
    try:
        scorer.score([(".", ".")])
    except MissingExtra:
        return None
    return SignReader(scorer)
