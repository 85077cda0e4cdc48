"""The student: a small encoder that learns the teacher's judgement of every pair.

Its other heads learn beside: each batch is of one task, drawn by the share of the task.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from training.encoder import HEAD_NAMES, VECTOR_WIDTH, Encoder, Judge

MAX_TOKENS = 400

CONSISTENT_SHARE = 0.25
"""Of the verdict's batches, so many are also seen with irrelevant passages around."""
CONSISTENT_WEIGHT = 0.5
LEAST_ROOM_TOKENS = 24


@dataclass
class Pairs:
    """Tokenised pairs: their ids, and how many of them stand before the second text."""

    ids: list[np.ndarray]
    claim_tokens: np.ndarray


@dataclass
class Task:
    """What one head learns from: `loss` takes its output and the rows it is of."""

    head: str
    pairs: Pairs
    epochs: Iterator[np.ndarray]
    loss: Callable[[Tensor, np.ndarray], Tensor]

    def batches(self, tokens: int, rng: random.Random) -> Iterator[np.ndarray]:
        for epoch in self.epochs:
            yield from token_batches(self.pairs, epoch, tokens, rng)


def tokenise(
    tokenizer: Tokenizer, claims: list[str], contexts: list[str]
) -> tuple[list, np.ndarray]:
    """[CLS] claim [SEP] context [SEP], the context cut at its end where it is too long."""
    tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
    encoded = tokenizer.encode_batch(list(zip(claims, contexts, strict=True)))
    ids = [np.array(item.ids, dtype=np.uint16) for item in encoded]
    first = np.array(
        [item.type_ids.index(1) if 1 in item.type_ids else len(item.ids) for item in encoded]
    )
    return ids, first


def token_batches(
    pairs: Pairs, rows: np.ndarray, tokens: int, rng: random.Random
) -> list[np.ndarray]:
    """Rows of similar length together, so that little is padding; batches in random order."""
    lengths = np.array([len(pairs.ids[row]) for row in rows])
    jitter = np.array([rng.random() for _ in rows])
    order = rows[np.argsort(lengths + 8 * jitter)]
    batches: list[np.ndarray] = []
    start = 0
    while start < len(order):
        size = max(
            16,
            tokens
            // (8 * -(-max(len(pairs.ids[order[min(start + 256, len(order) - 1)]]), 1) // 8)),
        )
        batches.append(order[start : start + size])
        start += size
    rng.shuffle(batches)
    return batches


def collate(pairs: Pairs, rows: np.ndarray, device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    longest = 8 * -(-max(len(pairs.ids[row]) for row in rows) // 8)
    ids = np.zeros((len(rows), longest), dtype=np.int64)
    lengths = np.array([len(pairs.ids[row]) for row in rows])
    for place, row in enumerate(rows):
        ids[place, : lengths[place]] = pairs.ids[row]
    columns = torch.arange(longest, device=device)[None]
    ids_tensor = torch.from_numpy(ids).to(device, non_blocking=True)
    claim = torch.from_numpy(pairs.claim_tokens[rows]).to(device)[:, None]
    mask = columns < torch.from_numpy(lengths).to(device)[:, None]
    return ids_tensor, ((columns >= claim) & mask).long(), mask


def make_judge(base: dict[str, np.ndarray]) -> Judge:
    """As large as its base; heads that the base has not are new."""
    state = {
        name if name.startswith(("encoder.", *HEAD_NAMES)) else f"encoder.{name}": torch.from_numpy(
            array
        ).float()
        for name, array in base.items()
    }
    vocabulary, width = state["encoder.words.weight"].shape
    encoder = Encoder(
        vocabulary=vocabulary,
        width=width,
        layers=sum(name.endswith(".expand.bias") for name in state),
        expanded=len(state["encoder.layers.0.expand.bias"]),
        wide="encoder.distances.weight" in state,
    )
    judge = Judge(encoder)
    missing = judge.load_state_dict(state, strict=False)
    if missing.unexpected_keys:
        raise ValueError(f"unknown weights: {missing.unexpected_keys}")
    return judge


class Average:
    """A slow copy of the weights: steadier than the last step's."""

    def __init__(self, model: torch.nn.Module, decay: float) -> None:
        self.decay = decay
        self.slow = [parameter.detach().clone() for parameter in model.parameters()]
        self.steps = 0

    @torch.no_grad()
    def update(self, model: torch.nn.Module) -> None:
        self.steps += 1
        decay = min(self.decay, self.steps / (self.steps + 10))
        torch._foreach_lerp_(self.slow, [p.detach() for p in model.parameters()], 1 - decay)

    @torch.no_grad()
    def write_to(self, model: torch.nn.Module) -> None:
        for parameter, slow in zip(model.parameters(), self.slow, strict=True):
            parameter.copy_(slow)


def surrounded(pairs: Pairs, rows: np.ndarray, rng: random.Random) -> tuple[Pairs, np.ndarray]:
    """The same pairs with tokens of other evidence around theirs, and which of the rows had room.

    What surrounds is taken from a random pair: it has nothing to do with the claim.
    """
    ids: list[np.ndarray] = []
    first: list[int] = []
    kept: list[int] = []
    for place, row in enumerate(rows):
        own, start = pairs.ids[row], int(pairs.claim_tokens[row])
        room = MAX_TOKENS - len(own)
        other = rng.randrange(len(pairs.ids))
        piece = pairs.ids[other][int(pairs.claim_tokens[other]) : -1]
        piece = piece[: min(room, rng.randint(20, 140))]
        if room < LEAST_ROOM_TOKENS or len(piece) < 8 or start >= len(own):
            continue
        cut = rng.choice((0, len(piece), len(piece) // 2))
        parts = (own[:start], piece[:cut], own[start:-1], piece[cut:], own[-1:])
        ids.append(np.concatenate(parts))
        first.append(start)
        kept.append(place)
    return Pairs(ids, np.array(first, dtype=np.int64)), np.array(kept, dtype=np.int64)


def disagreement(one: Tensor, other: Tensor) -> Tensor:
    """Symmetric divergence of two opinions of the same pairs."""
    p, q = torch.log_softmax(one.float(), -1), torch.log_softmax(other.float(), -1)
    return ((p.exp() - q.exp()) * (p - q)).sum(-1).mean()


def train(
    judge: Judge,
    tasks: Mapping[str, Task],
    shares: Mapping[str, float],
    *,
    tokens: int,
    rate: float,
    seconds: float,
    device: torch.device,
    report: Callable[[str], None],
    dropout: float = 0.1,
    seed: int = 0,
) -> None:
    """Learn until the time is over; the rate falls to nothing at its end."""
    rng = random.Random(seed)
    learnt = [p for p in judge.parameters() if p.requires_grad]
    decayed = [p for p in learnt if p.dim() > 1]
    others = [p for p in learnt if p.dim() <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}],
        lr=rate,
        betas=(0.9, 0.98),
        fused=device.type == "cuda",
    )
    average = Average(judge, 0.999)
    batches = {name: task.batches(tokens, rng) for name, task in tasks.items()}
    names, weights = list(tasks), [shares[name] for name in tasks]
    judge.train()
    started = time.monotonic()
    step, seen = 0, 0
    last: dict[str, float] = {}

    def opinion(pairs: Pairs, rows: np.ndarray, head: str) -> Tensor:
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
            logits: Tensor = judge(*collate(pairs, rows, device), dropout, head)
        return logits.float()

    while (progress := (time.monotonic() - started) / seconds) < 1:
        for settings in optimiser.param_groups:
            settings["lr"] = rate * min(1.0, (step + 1) / 200) * max(0.005, 1 - progress)
        name = rng.choices(names, weights)[0]
        task = tasks[name]
        rows = next(batches[name])
        consistent = task.head == "verdict" and rng.random() < CONSISTENT_SHARE
        rows = rows[: max(8, len(rows) // 2)] if consistent else rows
        logits = opinion(task.pairs, rows, task.head)
        loss = task.loss(logits, rows)
        if consistent:
            around, kept = surrounded(task.pairs, rows, rng)
            if len(kept):
                noisy = opinion(around, np.arange(len(kept)), task.head)
                chosen = torch.from_numpy(kept).to(device)
                loss = loss + CONSISTENT_WEIGHT * disagreement(logits[chosen], noisy)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        average.update(judge)
        step += 1
        seen += len(rows)
        if step % 20 == 0:
            last[name] = float(loss.detach())
        if step % 100 == 0:
            losses = " ".join(f"{task} {value:.3f}" for task, value in sorted(last.items()))
            speed = seen / (time.monotonic() - started)
            report(f"student step {step} {speed:.0f} examples/s {progress:.2f} loss: {losses}")
    average.write_to(judge)
    judge.eval()
    report(f"student done: {step} steps, {seen} examples, {seen / seconds:.0f} examples/s")


@torch.no_grad()
def score(
    judge: Judge, pairs: Pairs, device: torch.device, head: str = "verdict", tokens: int = 65536
) -> np.ndarray:
    """The logits of a head for each pair."""
    judge.eval()
    size = VECTOR_WIDTH if head == "vector" else judge.get_submodule(head).out_features
    found = np.zeros((len(pairs.ids), size), dtype=np.float32)
    for rows in token_batches(pairs, np.arange(len(pairs.ids)), tokens, random.Random(0)):
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
            logits = judge(*collate(pairs, rows, device), 0.0, head)
        found[rows] = logits.float().cpu().numpy()
    return found


@torch.no_grad()
def score_tokens(
    judge: Judge, pairs: Pairs, device: torch.device, tokens: int = 65536
) -> list[np.ndarray]:
    """For each text the logits of its tokens: none, cause, effect, and (each the same) causal."""
    judge.eval()
    found: list[np.ndarray] = [np.zeros((0, 4))] * len(pairs.ids)
    for rows in token_batches(pairs, np.arange(len(pairs.ids)), tokens, random.Random(0)):
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
            logits = judge(*collate(pairs, rows, device), 0.0, "spans").float().cpu().numpy()
        for place, row in enumerate(rows):
            found[row] = logits[place, : len(pairs.ids[row])]
    return found
