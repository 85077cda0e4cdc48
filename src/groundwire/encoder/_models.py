"""The embedded networks: one session, run as scorer of pairs or as embedder."""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from groundwire._patterns import lazy_pattern
from groundwire.encoder._weights import MAX_TOKENS, card, open_session, tables, word_piece

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime


class Runner:
    def __init__(self, part: str, threads: int) -> None:
        self._part = part
        self._threads = threads
        self._sessions: dict[int, onnxruntime.InferenceSession] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._lock = Lock()

    def run(
        self, sequences: Sequence[tuple[list[int], int]], head: str | None = None
    ) -> "list[np.ndarray[Any, Any]]":
        """One output per (token ids, length of the first segment): of a head, or the first."""
        return [row for (row,) in self.run_heads(sequences, (head,))]

    def run_heads(
        self, sequences: Sequence[tuple[list[int], int]], heads: Sequence[str | None]
    ) -> "list[list[np.ndarray[Any, Any]]]":
        """What several heads say of each sequence, read once."""
        if len(sequences) == 1 or self._threads == 1:
            session = self._session(self._threads)
            return [self._one(session, sequence, heads) for sequence in sequences]
        session, pool = self._session(1), self._workers()
        # the longest first, so that no thread is left alone with one at the end
        order = sorted(range(len(sequences)), key=lambda place: -len(sequences[place][0]))
        rows = list(pool.map(lambda place: self._one(session, sequences[place], heads), order))
        return [row for _, row in sorted(zip(order, rows, strict=True), key=lambda pair: pair[0])]

    def _session(self, threads: int) -> "onnxruntime.InferenceSession":
        with self._lock:
            if threads not in self._sessions:
                self._sessions[threads] = open_session(self._part, threads)
            return self._sessions[threads]

    def _workers(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, "groundwire-encoder")
            return self._pool

    def _one(
        self,
        session: "onnxruntime.InferenceSession",
        sequence: tuple[list[int], int],
        heads: Sequence[str | None],
    ) -> "list[np.ndarray[Any, Any]]":
        ids, first_segment = sequence
        hidden = tables(self._part).summed(ids, first_segment)
        wanted = [head or session.get_outputs()[0].name for head in heads]
        outputs = session.run(wanted, {"hidden": hidden}, only_what_is_asked())
        return [output[0] for output in outputs]


@cache
def only_what_is_asked() -> "onnxruntime.RunOptions":
    """The other heads are not computed."""
    import onnxruntime

    options = onnxruntime.RunOptions()
    options.only_execute_path_to_fetches = True
    return options


@cache
def judge_runner(threads: int) -> Runner:
    """All heads share one session: the weights are in memory once."""
    return Runner("judge", threads)


MAX_CLAIM_TOKENS = 160


class Scores(NamedTuple):
    """The model's raw opinion of a pair, before calibration; the three sum to one."""

    support: float
    refute: float
    neutral: float


class PairScorer:
    """Scores (claim, evidence) pairs with the embedded cross-encoder."""

    def __init__(self, threads: int = 2) -> None:
        self._runner = judge_runner(threads)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
        rows = self._runner.run([pair_sequence(*pair) for pair in pairs], "verdict")
        return [_softmax(row[0], row[1], row[2]) for row in rows]


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


class AnswerScorer:
    """How likely a passage answers a question."""

    def __init__(self, threads: int = 2) -> None:
        self._runner = judge_runner(threads)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        rows = self._runner.run([pair_sequence(*pair) for pair in pairs], "answers")
        return [1 / (1 + math.exp(-float(row[0]))) for row in rows]


class Answering(NamedTuple):
    """What two heads think of a question and a passage, in one pass."""

    answers: float
    """The log odds that the passage answers the question."""
    rank: float
    """Where a search engine would put it: only the order means anything."""


class QuestionReader:
    """Reads questions with passages: does it answer, and how well does it fit?"""

    def __init__(self, threads: int = 2) -> None:
        self._runner = judge_runner(threads)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Answering]:
        rows = self._runner.run_heads([pair_sequence(*pair) for pair in pairs], ("answers", "rank"))
        return [Answering(float(answers[0]), float(rank[0])) for answers, rank in rows]


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
        self._runner = judge_runner(threads)

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
        self._runner = Runner("embedder", threads)

    def embed(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack(self._runner.run([text_sequence(text) for text in texts]))


def text_sequence(text: str) -> tuple[list[int], int]:
    pieces = word_piece()
    ids = [pieces.start, *pieces.ids(text, MAX_EMBEDDED_TOKENS - 2), pieces.separator]
    return ids, len(ids)
