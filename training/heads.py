"""What each head of the student learns from: tokenised pairs, targets and losses.

A twenty-fifth of every labelled file, by its texts, is kept back to choose by.
"""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from tokenizers import Tokenizer
from torch import Tensor

from training.distil import MAX_TOKENS, Pairs, Task, token_batches, tokenise
from training.embed import likeness_loss, search_loss
from training.encoder import STATUSES
from training.groups import Example, read_lines, sample_epoch
from training.running import device
from training.teach import Targets, mixed_loss

HARD_SHARE = 0.5
WHOLE_SOURCES = {"pairs": 0.5, "written": 1.0, "quotes": 1.0}
"""Sources of unlabelled pairs, and the share of each that an epoch sees."""
OWN_TIMES = 3
"""An epoch sees questions and causes written for the purpose so often: they are few, and exact."""
OFF_TOPIC_SHARE = 0.1
SURE = 0.9
"""What the teacher finds so likely to be answered is learnt as answered."""
IGNORED = -100
NONE, CAUSE, EFFECT = range(3)
RANK_SCALE = 4.0
UNSURE_STATUS_WEIGHT = 0.5
"""Of rows whose source says "uncertain": they are counted as hedged."""


def is_slice(text: str) -> bool:
    return crc32(text.encode()) % 25 == 0


def pairs_of(found: list[Example], tokenizer: Tokenizer) -> Pairs:
    return Pairs(*tokenise(tokenizer, [e.claim for e in found], [e.context for e in found]))


def verdict_task(found: list[Example], pairs: Pairs, seed: int) -> Task:
    targets = Targets.of(found, device())

    def loss(logits: Tensor, rows: np.ndarray) -> Tensor:
        chosen = targets.rows(torch.from_numpy(rows).to(device()))
        return mixed_loss(torch.log_softmax(logits, -1), chosen, hard_share=HARD_SHARE)

    return Task("verdict", pairs, _epochs(found, seed), loss)


def answers_task(found: list[Example], pairs: Pairs, seed: int) -> Task:
    """Towards the label, the teacher's probability, or both."""
    targets = Targets.of(found, device())

    def loss(logits: Tensor, rows: np.ndarray) -> Tensor:
        hard, soft, _, weight = targets.rows(torch.from_numpy(rows).to(device()))
        known, taught = hard >= 0, soft >= 0
        label = (hard == 0).float()
        share = torch.where(known & taught, HARD_SHARE, known.float())
        wanted = share * label + (1 - share) * soft.clamp(min=0)
        each = F.binary_cross_entropy_with_logits(logits[:, 0], wanted, reduction="none")
        weight = torch.where(known, weight, 1.0)
        return (weight * each).sum() / weight.sum().clamp(min=1)

    return Task("answers", pairs, _epochs(found, seed, own_times=OWN_TIMES), loss)


def off_topic(found: list[Example], rng: random.Random) -> list[Example]:
    """Questions asked of passages that have nothing to do with them."""
    made: list[Example] = []
    for example in rng.sample(found, int(OFF_TOPIC_SHARE * len(found))):
        other = rng.choice(found)
        if other.context != example.context and other.claim != example.claim:
            fields = vars(example) | {"context": other.context, "hard": 1, "soft": -1.0}
            made.append(Example(**(fields | {"source": "off_topic", "kind": "off_topic"})))
    return made


def _epochs(found: list[Example], seed: int, own_times: int = 1) -> Iterator[np.ndarray]:
    rng = random.Random(seed)
    places = {id(example): place for place, example in enumerate(found)}
    usable = [example for example in found if example.hard >= 0 or example.soft >= 0]
    labelled = [example for example in usable if example.source not in WHOLE_SOURCES]
    while True:
        drawn = sample_epoch(labelled, rng)
        drawn += (own_times - 1) * [one for one in labelled if one.source.startswith("own.")]
        for source, share in WHOLE_SOURCES.items():
            taught = [example for example in usable if example.source == source]
            drawn += rng.sample(taught, int(share * len(taught)))
        yield np.array([places[id(example)] for example in drawn])


def _all_rows(count: int) -> Iterator[np.ndarray]:
    while True:
        yield np.arange(count)


class Statuses(NamedTuple):
    pairs: Pairs
    labels: np.ndarray
    unsure: np.ndarray
    sets: list[str]


def read_statuses(path: Path, tokenizer: Tokenizer, *, part: bool | None = None) -> Statuses:
    """`part` true reads only the slice to choose by, false all but it."""
    rows = [row for row in read_lines(path) if part is None or is_slice(row["text"]) == part]
    ids, first = tokenise(tokenizer, [r["mention"] for r in rows], [r["text"] for r in rows])
    labels = np.array([STATUSES.index(row["status"]) for row in rows], dtype=np.int64)
    unsure = np.array([row["raw"] == "uncertain" for row in rows], dtype=bool)
    return Statuses(Pairs(ids, first), labels, unsure, [row["set"] for row in rows])


def status_task(read: Statuses) -> Task:
    counts = np.bincount(read.labels, minlength=len(STATUSES))
    balance = np.sqrt(counts.max() / np.maximum(counts, 1)).clip(max=4.0)
    weight = balance[read.labels] * np.where(read.unsure, UNSURE_STATUS_WEIGHT, 1.0)
    labels = torch.from_numpy(read.labels).to(device())
    weights = torch.from_numpy(weight).float().to(device())

    def loss(logits: Tensor, rows: np.ndarray) -> Tensor:
        chosen = torch.from_numpy(rows).to(device())
        each = F.cross_entropy(logits, labels[chosen], reduction="none", label_smoothing=0.02)
        return (weights[chosen] * each).sum() / weights[chosen].sum()

    return Task("status", read.pairs, _all_rows(len(read.labels)), loss)


class Moods(NamedTuple):
    pairs: Pairs
    is_open: np.ndarray
    sets: list[str]


def read_moods(path: Path, tokenizer: Tokenizer, *, part: bool) -> Moods:
    """Sentences, and whether each leaves open what it speaks of."""
    rows = [row for row in read_lines(path) if is_slice(row["text"]) == part]
    ids, first = tokenise(tokenizer, [""] * len(rows), [row["text"] for row in rows])
    is_open = np.array([row["open"] for row in rows], dtype=np.float32)
    return Moods(Pairs(ids, first), is_open, [row["set"] for row in rows])


def moods_task(read: Moods) -> Task:
    own = np.array([name == "own" for name in read.sets])
    wanted = torch.from_numpy(read.is_open).to(device())

    def epochs() -> Iterator[np.ndarray]:
        while True:
            yield np.concatenate((np.arange(len(own)), *(OWN_TIMES - 1) * [np.flatnonzero(own)]))

    def loss(logits: Tensor, rows: np.ndarray) -> Tensor:
        chosen = wanted[torch.from_numpy(rows).to(device())] * 0.96 + 0.02
        return F.binary_cross_entropy_with_logits(logits[:, 0], chosen)

    return Task("open", read.pairs, epochs(), loss)


class Spans(NamedTuple):
    pairs: Pairs
    tags: list[np.ndarray]
    causal: np.ndarray
    """1 causal, 0 not, -1 not known."""
    sets: list[str]


def read_spans(path: Path, tokenizer: Tokenizer, *, part: bool | None = None) -> Spans:
    """Tags of the tokens of each text; zeros that say little of the text are left out."""
    rows = [row for row in read_lines(path) if part is None or is_slice(row["text"]) == part]
    rows = [row for row in rows if _tells(row)]
    tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
    encoded = tokenizer.encode_batch([("", row["text"]) for row in rows])
    tags: list[np.ndarray] = []
    for row, one in zip(rows, encoded, strict=True):
        marked = np.full(len(one.ids), IGNORED, dtype=np.int64)
        if row["relations"] is not None:
            for place, (start, end) in enumerate(one.offsets):
                if one.type_ids[place] == 1 and end > start:
                    marked[place] = _tag(row["relations"], start, end)
        tags.append(marked)
    ids = [np.array(one.ids, dtype=np.uint16) for one in encoded]
    first = np.array([one.type_ids.index(1) for one in encoded], dtype=np.int64)
    causal = np.array([row["label"] for row in rows], dtype=np.int64)
    return Spans(Pairs(ids, first), tags, causal, [row["set"] for row in rows])


def _tells(row: dict[str, object]) -> bool:
    """A zero is kept where annotators looked at the whole text, or nearly so."""
    return bool(row["label"]) or row["zero"] == "text" or row["set"] in {"fincausal", "bionlp_cg"}


def _tag(relations: list[list[list[int]]], start: int, end: int) -> int:
    for kind, side in ((CAUSE, 0), (EFFECT, 1)):
        if any(start < pair[side][1] and end > pair[side][0] for pair in relations):
            return kind
    return NONE


def spans_task(read: Spans) -> Task:
    sizes = Counter(read.sets)

    def epochs() -> Iterator[np.ndarray]:
        rng = np.random.default_rng(0)
        keep = np.array([(1500 / max(1500, sizes[name])) ** 0.35 for name in read.sets])
        own = np.array([name.startswith("own.") for name in read.sets])
        while True:
            drawn = np.flatnonzero(rng.random(len(keep)) < keep)
            yield np.concatenate((drawn, *(OWN_TIMES - 1) * [np.flatnonzero(own)]))

    def loss(logits: Tensor, rows: np.ndarray) -> Tensor:
        wanted = torch.full(logits.shape[:2], IGNORED, dtype=torch.long)
        for place, row in enumerate(rows):
            wanted[place, : len(read.tags[row])] = torch.from_numpy(read.tags[row])
        wanted = wanted.to(device())
        known = (wanted != IGNORED).sum().clamp(min=1)
        tagged = F.cross_entropy(
            logits[..., :3].reshape(-1, 3),
            wanted.reshape(-1),
            ignore_index=IGNORED,
            reduction="sum",
        )
        label = torch.from_numpy(read.causal[rows]).float().to(device())
        whole = F.binary_cross_entropy_with_logits(logits[:, 0, 3], label)
        return tagged / known + 0.5 * whole

    return Task("spans", read.pairs, epochs(), loss)


def rank_pairs(found: list[Example]) -> tuple[list[str], list[str]]:
    """Questions with their passages, and each with a passage of another."""
    rng = random.Random(11)
    questions = [example.claim for example in found]
    passages = [example.context for example in found]
    others = [rng.choice(passages) for _ in found]
    return questions + questions, passages + others


def rank_task(scores: np.ndarray, found: list[Example], tokenizer: Tokenizer) -> Task:
    questions, passages = rank_pairs(found)
    if len(questions) != len(scores):
        raise ValueError("the ranks are of other pairs: run the step rerank again")
    wanted = torch.from_numpy(scores.astype(np.float32)).to(device())

    def loss(logits: Tensor, rows: np.ndarray) -> Tensor:
        chosen = torch.from_numpy(rows).to(device())
        return ((logits[:, 0] - wanted[chosen]) / RANK_SCALE).square().mean()

    pairs = Pairs(*tokenise(tokenizer, questions, passages))
    return Task("rank", pairs, _all_rows(len(questions)), loss)


def texts_of(texts: list[str], tokenizer: Tokenizer, most_tokens: int) -> Pairs:
    tokenizer.enable_truncation(most_tokens)
    ids = [np.array(item.ids, dtype=np.uint16) for item in tokenizer.encode_batch(texts)]
    return Pairs(ids, np.array([len(one) for one in ids], dtype=np.int64))


def embed_task(texts: Pairs, wanted: Tensor) -> Task:
    """Towards a teacher's vectors, and towards how near it finds texts to others."""

    def loss(made: Tensor, rows: np.ndarray) -> Tensor:
        others = wanted[torch.randint(len(wanted), (len(rows),), device=wanted.device)]
        target = wanted[torch.from_numpy(rows).to(wanted.device)]
        return likeness_loss(made, target.float(), others.float())

    return Task("vector", texts, _all_rows(len(texts.ids)), loss)


class SearchTask(Task):
    """Rows are questions and, beside each, its passage: both are in one batch."""

    def batches(self, tokens: int, rng: random.Random) -> Iterator[np.ndarray]:
        for epoch in self.epochs:
            for passages in token_batches(self.pairs, epoch, tokens // 2, rng):
                yield np.concatenate((passages - 1, passages))


def search_task(found: list[Example], tokenizer: Tokenizer, most_tokens: int, seed: int) -> Task:
    """Questions near to the passages that answer them, and away from all others of the batch."""
    answered = [one for one in found if one.hard == 0 or (one.hard < 0 and one.soft > SURE)]
    numbers = {context: n for n, context in enumerate({e.context: None for e in answered})}
    passage = np.array([numbers[example.context] for example in answered])
    texts = [text for example in answered for text in (example.claim, example.context)]
    places = {id(example): place for place, example in enumerate(answered)}

    def epochs() -> Iterator[np.ndarray]:
        rng = random.Random(seed)
        while True:
            drawn = sample_epoch(answered, rng)
            drawn += (OWN_TIMES - 1) * [one for one in answered if one.source.startswith("own.")]
            yield np.array([2 * places[id(example)] + 1 for example in drawn])

    def loss(made: Tensor, rows: np.ndarray) -> Tensor:
        half = len(rows) // 2
        told = torch.from_numpy(passage[rows[half:] // 2]).to(made.device)
        return search_loss(made[:half], made[half:], told[:, None] == told[None])

    return SearchTask("vector", texts_of(texts, tokenizer, most_tokens), epochs(), loss)
