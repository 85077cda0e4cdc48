"""The embedded networks: the judge, and the reader that searches and answers beside it."""

import math
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from groundwire._patterns import lazy_pattern
from groundwire.encoder._calibration import judge_calibration
from groundwire.encoder._weights import MAX_TOKENS, card, open_session, tables, word_piece

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime


Sequenced = tuple[list[int], int]
"""Token ids, and the length of the first segment."""


class Runner:
    """One encoder: each sequence is read alone, by one thread; several at a time."""

    def __init__(self, part: str, threads: int) -> None:
        self._part = part
        self._threads = threads

    def run(self, sequences: Sequence[Sequenced], head: str) -> "list[np.ndarray[Any, Any]]":
        """What a head says of each sequence."""
        return [row for (row,) in self.run_heads(sequences, (head,))]

    def run_heads(
        self, sequences: Sequence[Sequenced], heads: Sequence[str]
    ) -> "list[list[np.ndarray[Any, Any]]]":
        """What several heads say of each sequence, read once."""
        return [row.result() for row in self.start(sequences, heads)]

    def start(
        self, sequences: Sequence[Sequenced], heads: Sequence[str]
    ) -> "list[Future[list[np.ndarray[Any, Any]]]]":
        """The same, to be waited for: another encoder may read meanwhile."""
        session, pool = _session(self._part), _workers(self._threads)
        # the longest first, so that no thread is left alone with one at the end
        order = sorted(range(len(sequences)), key=lambda place: -len(sequences[place][0]))
        begun = {place: pool.submit(self._one, session, sequences[place], heads) for place in order}
        return [begun[place] for place in range(len(sequences))]

    def _one(
        self,
        session: "onnxruntime.InferenceSession",
        sequence: Sequenced,
        heads: Sequence[str],
    ) -> "list[np.ndarray[Any, Any]]":
        ids, first_segment = sequence
        hidden = tables(self._part).summed(ids, first_segment)
        outputs = session.run(list(heads), {"hidden": hidden}, only_what_is_asked())
        return [output[0] for output in outputs]


_opening = Lock()


def _session(part: str) -> "onnxruntime.InferenceSession":
    """Opened once in a process: the weights are in memory once."""
    with _opening:
        return _opened(part)


@cache
def _opened(part: str) -> "onnxruntime.InferenceSession":
    return open_session(part)


@cache
def _workers(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "groundwire-encoder")


@cache
def only_what_is_asked() -> "onnxruntime.RunOptions":
    """The other heads are not computed."""
    import onnxruntime

    options = onnxruntime.RunOptions()
    options.only_execute_path_to_fetches = True
    return options


MAX_CLAIM_TOKENS = 160


class Scores(NamedTuple):
    """The model's raw opinion of a pair, before calibration; the three sum to one."""

    support: float
    refute: float
    neutral: float


class PairScorer:
    """Scores (claim, evidence) pairs with both encoders.

    They learnt the same from different beginnings, so that each knows what the other misses.
    """

    def __init__(self, threads: int = 2) -> None:
        self._judge, self._reader = Runner("judge", threads), Runner("reader", threads)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
        sequences = [pair_sequence(*pair) for pair in pairs]
        share = judge_calibration().support.judge_share
        judged = self._judge.start(sequences, ("verdict",))
        read = self._reader.start(sequences, ("verdict",))
        rows = [
            share * one.result()[0] + (1 - share) * other.result()[0]
            for one, other in zip(judged, read, strict=True)
        ]
        return [_softmax(*row.tolist()) for row in rows]


def pair_sequence(claim: str, context: str) -> tuple[list[int], int]:
    """[CLS] claim [SEP] context [SEP]; what is too long is cut, the claim last."""
    pieces = word_piece()
    first = [pieces.start, *pieces.ids(claim, MAX_CLAIM_TOKENS), pieces.separator]
    room = MAX_TOKENS - len(first) - 1
    return [*first, *pieces.ids(context, room), pieces.separator], len(first)


def _softmax(support: float, refute: float, neutral: float) -> Scores:
    top = max(support, refute, neutral)
    weights = [math.exp(value - top) for value in (support, refute, neutral)]
    total = sum(weights)
    return Scores(*(weight / total for weight in weights))


class Answering(NamedTuple):
    """What is thought of a question and a passage."""

    answers: float
    """The log odds that the passage answers the question."""
    rank: float
    """Where a search engine would put it: only the order means anything."""

    def with_judge(self, judged: float, share: float) -> "Answering":
        """Beside what the judge says: the two learnt it from different beginnings."""
        return self._replace(answers=(1 - share) * self.answers + share * judged)


class QuestionReader:
    """Reads questions with passages: does it answer, and how well does it fit?"""

    def __init__(self, threads: int = 2) -> None:
        self._judge, self._reader = Runner("judge", threads), Runner("reader", threads)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Answering]:
        rows = self._reader.run_heads([pair_sequence(*pair) for pair in pairs], ("answers", "rank"))
        return [Answering(float(answers[0]), float(rank[0])) for answers, rank in rows]

    def second_opinion(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The log odds that each passage answers, by the judge."""
        rows = self._judge.run([pair_sequence(*pair) for pair in pairs], "answers")
        return [float(row[0]) for row in rows]


class Span(NamedTuple):
    start: int
    end: int
    kind: str
    """`cause` or `effect`."""


class Told(NamedTuple):
    """What three heads make of a text."""

    causal: float
    """How likely it tells of cause and effect."""
    spans: list[Span]
    """Which words name them."""
    left_open: float
    """The log odds that it leaves open what it speaks of."""


_TAGS = ("", "cause", "effect")


class SpanReader:
    """Which words of a text name a cause and which an effect."""

    def __init__(self, threads: int = 2) -> None:
        self._runner = Runner("judge", threads)

    def read(self, texts: Sequence[str]) -> list[list[Span]]:
        """Spans of whole words: a word is what its pieces say together."""
        rows = self._runner.run([pair_sequence("", text) for text in texts], "tags")
        return [_spans(text, row) for text, row in zip(texts, rows, strict=True)]

    def logits(self, words: Sequence[Sequence[str]]) -> "list[np.ndarray[Any, Any]]":
        """What each word of each text is called: a row of (nothing, cause, effect) for each."""
        rows = self._runner.run([pair_sequence("", " ".join(text)) for text in words], "tags")
        return [_by_word(text, row) for text, row in zip(words, rows, strict=True)]

    def told(self, texts: Sequence[str]) -> list[Told]:
        """All at once, in one pass through the model."""
        rows = self._runner.run_heads(
            [pair_sequence("", text) for text in texts], ("causal", "tags", "open")
        )
        return [
            Told(_likely(causal), _spans(text, tags), float(left_open[0]))
            for text, (causal, tags, left_open) in zip(texts, rows, strict=True)
        ]

    def causal(self, texts: Sequence[str]) -> list[float]:
        """How likely each text tells of cause and effect at all."""
        rows = self._runner.run([pair_sequence("", text) for text in texts], "causal")
        return [_likely(row) for row in rows]


def _likely(row: "np.ndarray[Any, Any]") -> float:
    return 1 / (1 + math.exp(-float(row[0])))


_TOKEN = lazy_pattern(r"\w+|[^\w\s]")
"""As word pieces are cut at first: `the pool's limit.` → the, pool, ', s, limit, ."""


def _by_word(words: Sequence[str], logits: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """The mean over a word's pieces; of words beyond the longest text that they are nothing."""
    import numpy as np

    rows = np.zeros((len(words), len(_TAGS)), dtype=np.float32)
    rows[:, 0] = 1
    place = 2  # after [CLS] [SEP]
    for number, word in enumerate(words):
        pieces = len(word_piece().ids(word))
        if place + pieces < len(logits) and pieces:
            rows[number] = logits[place : place + pieces].mean(0)
        place += pieces
    return rows


def _spans(text: str, logits: "np.ndarray[Any, Any]") -> list[Span]:
    spans: list[Span] = []
    last = len(logits) - 1  # before the closing [SEP]
    place = 2  # after [CLS] [SEP]
    for token in _TOKEN.finditer(text):
        pieces = len(word_piece().ids(token.group()))
        said = logits[place : min(place + pieces, last)]
        place += pieces
        kind = _TAGS[int(said.sum(0).argmax())] if len(said) else ""
        start, end = token.span()
        if kind and spans and spans[-1].kind == kind and not text[spans[-1].end : start].strip():
            spans[-1] = spans[-1]._replace(end=end)
        elif kind and token.group().isalnum():
            spans.append(Span(start, end, kind))
    return spans


MAX_EMBEDDED_TOKENS = 256


class Embedder(Protocol):
    """Turns texts into unit vectors, one row each."""

    name: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]": ...


class EmbeddedEmbedder:
    """The sentence embedder that ships with the package."""

    dimension = 384

    def __init__(self, threads: int = 2) -> None:
        self.name = f"embedded-{card()['version']}"
        self._runner = Runner("reader", threads)

    def embed(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack(self._runner.run([text_sequence(text) for text in texts], "vector"))


def text_sequence(text: str) -> tuple[list[int], int]:
    pieces = word_piece()
    ids = [pieces.start, *pieces.ids(text, MAX_EMBEDDED_TOKENS - 2), pieces.separator]
    return ids, len(ids)
