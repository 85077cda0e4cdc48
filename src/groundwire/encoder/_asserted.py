"""Whether a sentence puts forward what it says as being so: a reading of the sentence alone."""

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.encoder._models import judge_runner, text_sequence
from groundwire.encoder._weights import FOLDER, checked

if TYPE_CHECKING:
    import numpy as np

WEIGHTS = FOLDER / "asserted.npz"
"""One number for each feature of the middle layer, fitted by `training.asserted`."""


class Asserting(NamedTuple):
    weight: "np.ndarray[Any, Any]"
    bias: float
    claim_share: float
    """So much of a claim's own score is taken off: what it supposes too, its source may suppose."""


@cache
def asserting() -> Asserting:
    import numpy as np

    with np.load(BytesIO(checked(WEIGHTS))) as stored:
        numbers = {name: stored[name].astype(np.float32) for name in stored}
    return Asserting(numbers["weight"], float(numbers["bias"]), float(numbers["claim_share"]))


class AssertionReader:
    """What a question, a plan, a wish, a rumour or a condition does not do."""

    def __init__(self, threads: int = 2) -> None:
        self._runner = judge_runner(threads)

    def features(self, texts: Sequence[str]) -> "list[np.ndarray[Any, Any]]":
        """Of each text a row for each of its tokens, from the middle of the judge."""
        rows = self._runner.run([text_sequence(text) for text in texts], "middle")
        return [row[1:-1] for row in rows]

    def withholds(self, pairs: Sequence[tuple[str, str]]) -> list[bool]:
        """Of each (claim, sentence), whether the sentence leaves open what the claim states.

        Never where the claim leaves as much open: it may say what its source says.
        """
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        fitted = asserting()
        scores = {
            text: float(row.mean(0) @ fitted.weight) + fitted.bias if len(row) else 0.0
            for text, row in zip(texts, self.features(texts), strict=True)
        }
        return [
            scores[sentence] > max(fitted.claim_share * scores[claim], scores[claim])
            for claim, sentence in pairs
        ]
