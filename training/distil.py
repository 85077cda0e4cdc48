"""The student: a small encoder that learns the teacher's judgement of every pair."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from training.encoder import Encoder, Judge
from training.teach import Targets, mixed_loss

MAX_TOKENS = 400
HARD_SHARE = 0.5


@dataclass
class Pairs:
    """Tokenised pairs with their targets, soft and hard (see `groups`)."""

    ids: list[np.ndarray]
    claim_tokens: np.ndarray
    targets: Targets

    def with_more(self, others: Self) -> Self:
        columns = zip(self.targets, others.targets, strict=True)
        return type(self)(
            ids=self.ids + others.ids,
            claim_tokens=np.concatenate([self.claim_tokens, others.claim_tokens]),
            targets=Targets(*(torch.cat(column) for column in columns)),
        )


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


def make_judge(base: dict[str, np.ndarray], layers: int, vocabulary: int) -> Judge:
    encoder = Encoder(layers=layers, vocabulary=vocabulary)
    judge = Judge(encoder)
    ours = ("encoder.", "pool.", "verdict.")
    state = {
        name if name.startswith(ours) else f"encoder.{name}": torch.from_numpy(array).float()
        for name, array in base.items()
    }
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


def train(
    judge: Judge,
    pairs: Pairs,
    epochs: Iterator[np.ndarray],
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
    judge.train()
    started = time.monotonic()
    step, seen, running = 0, 0, 0.0
    for epoch in epochs:
        for rows in token_batches(pairs, epoch, tokens, rng):
            progress = (time.monotonic() - started) / seconds
            if progress >= 1:
                average.write_to(judge)
                judge.eval()
                report(
                    f"student done: {step} steps, {seen} examples, {seen / seconds:.0f} examples/s"
                )
                return
            for settings in optimiser.param_groups:
                settings["lr"] = rate * min(1.0, (step + 1) / 200) * max(0.005, 1 - progress)
            chosen = torch.from_numpy(rows).to(device)
            with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
                logits = judge(*collate(pairs, rows, device), dropout)
            loss = mixed_loss(
                torch.log_softmax(logits.float(), -1),
                pairs.targets.rows(chosen),
                hard_share=HARD_SHARE,
            )
            loss.backward()
            torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            average.update(judge)
            step += 1
            seen += len(rows)
            if step % 100 == 0:
                running = float(loss.detach())
                speed = seen / (time.monotonic() - started)
                report(
                    f"student step {step} loss {running:.3f} {speed:.0f} examples/s {progress:.2f}"
                )


@torch.no_grad()
def score(judge: Judge, pairs: Pairs, device: torch.device, tokens: int = 65536) -> np.ndarray:
    judge.eval()
    found = np.zeros((len(pairs.ids), 3), dtype=np.float32)
    for rows in token_batches(pairs, np.arange(len(pairs.ids)), tokens, random.Random(0)):
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
            logits = judge(*collate(pairs, rows, device))
        found[rows] = torch.softmax(logits.float(), -1).cpu().numpy()
    return found
