"""Whether a sentence puts forward what it says as being so: a reading of the sentence alone."""

from collections.abc import Sequence

from groundwire.encoder._models import Runner, pair_sequence


class AssertionReader:
    """What a question, a plan, a wish, a rumour or a condition does not do."""

    def __init__(self, threads: int = 2) -> None:
        self._runner = Runner("judge", threads)

    def openness(self, texts: Sequence[str]) -> list[float]:
        """The log odds that a text leaves open what it speaks of."""
        rows = self._runner.run([pair_sequence("", text) for text in texts], "open")
        return [float(row[0]) for row in rows]
