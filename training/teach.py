"""The teacher: a decoder with LoRA adapters that says Yes, No or Maybe to a claim.

It is trained on labelled groups and labels others softly for the student. Its adapter is also what
the deep tier ships.
"""

import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from tokenizers import Tokenizer
from torch import Tensor

from training.decoder import (
    Decoder,
    Pack,
    Tree,
    fill_rows,
    pack_rows,
    split_tree,
    tree_mask,
)
from training.groups import Example

MAX_BRANCH_TOKENS = 220
ROW_TOKENS = 1024


class Form(NamedTuple):
    """How a teacher is asked: the shared prefix, each branch, and the tokens it answers with."""

    prefix: str
    branch: str
    answers: tuple[str, str, str]
    prefix_tokens: int


PLAIN = {
    "claim": Form(
        "Evidence:\n{context}\n\n", "Claim: {claim}\nSupported:", (" Yes", " No", " Maybe"), 640
    )
}
_TURN_END = "<|im_end|>\n<|im_start|>assistant\n"
# after the turn's line break the answer comes without a blank
_SAID = ("Yes", "No", "Maybe")
CHAT = {
    "claim": Form(
        "<|im_start|>user\nEvidence: {context}\n\n",
        "Claim: {claim}\n\nIs the claim fully supported by the evidence? Answer Yes or No."
        + _TURN_END,
        _SAID,
        800,
    ),
    "answers": Form(
        "<|im_start|>user\nPassage: {context}\n\n",
        "Question: {claim}\n\nDoes the passage answer the question? Answer Yes or No." + _TURN_END,
        _SAID,
        800,
    ),
}
Forms = Mapping[str, Form]


def plant(examples: Iterable[Example], tokenizer: Tokenizer, forms: Forms) -> list[Tree]:
    """Examples that share a context become one tree (or several, when they are many)."""
    by_context: dict[tuple[str, str], list[Example]] = defaultdict(list)
    for example in examples:
        by_context[example.task, example.context].append(example)
    ordered = [example for members in by_context.values() for example in members]
    prefixes = tokenizer.encode_batch(
        [forms[task].prefix.format(context=text) for task, text in by_context]
    )
    branches = iter(
        tokenizer.encode_batch([forms[one.task].branch.format(claim=one.claim) for one in ordered])
    )
    trees: list[Tree] = []
    for (task, _), members, prefix in zip(by_context, by_context.values(), prefixes, strict=True):
        tree = Tree(
            _clipped(prefix.ids, forms[task].prefix_tokens),
            [_clipped(next(branches).ids, MAX_BRANCH_TOKENS) for _ in members],
            [item.number for item in members],
        )
        trees.extend(split_tree(tree, ROW_TOKENS))
    return trees


def _clipped(ids: list[int], limit: int) -> list[int]:
    """The middle goes: both ends of a prompt carry its form."""
    half = limit // 2
    return ids if len(ids) <= limit else ids[:half] + ids[-half:]


def plan(
    examples: Iterable[Example], tokenizer: Tokenizer, rows: int, seed: int, forms: Forms = PLAIN
) -> list[Pack]:
    """Batches of one shape, so that the device compiles once; made ahead, while it is busy."""
    filled = fill_rows(plant(examples, tokenizer, forms), ROW_TOKENS)
    random.Random(seed).shuffle(filled)
    filled += [[] for _ in range(-len(filled) % rows)]
    starts = range(0, len(filled), rows)
    return [pack_rows(filled[start : start + rows], ROW_TOKENS) for start in starts]


class Masters:
    """What is learnt, in full precision beside the model's: small steps are not rounded away."""

    def __init__(self, small: Sequence[Tensor], rate: float) -> None:
        self.small = list(small)
        self.whole = [p.detach().float().clone() for p in small]
        fused = self.small[0].device.type == "cuda"
        self._optimiser = torch.optim.AdamW(
            self.whole, lr=rate, betas=(0.9, 0.98), weight_decay=0.01, fused=fused
        )

    def step(self, rate: float) -> None:
        for settings in self._optimiser.param_groups:
            settings["lr"] = rate
        for whole, small in zip(self.whole, self.small, strict=True):
            whole.grad = None if small.grad is None else small.grad.float()
            small.grad = None
        torch.nn.utils.clip_grad_norm_(self.whole, 1.0)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self.write(self.whole)

    @torch.no_grad()
    def write(self, values: Sequence[Tensor]) -> None:
        """Into the model."""
        for small, value in zip(self.small, values, strict=True):
            small.copy_(value)


class Teacher:
    def __init__(
        self,
        model: Decoder,
        tokenizer: Tokenizer,
        answer_rows: Tensor,
        answers: Sequence[str] = PLAIN["claim"].answers,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.device = next(model.parameters()).device
        self.head = model.token_embd.weight.detach().clone()
        self.answers = [tokenizer.encode(answer).ids[0] for answer in answers]
        self.head[self.answers] = answer_rows.to(self.head)

    def log_probabilities(self, pack: Pack) -> Tensor:
        """log P(Yes), log P(No), log P(Maybe) among all tokens, for every branch."""
        ids, positions = pack.ids.to(self.device), pack.positions.to(self.device)
        mask = tree_mask(pack.group.to(self.device), pack.branch.to(self.device))
        hidden = self.model(ids, positions, mask)[
            pack.rows.to(self.device), pack.columns.to(self.device)
        ]
        logits = F.linear(hidden, self.head).float()
        return logits[:, self.answers] - torch.logsumexp(logits, -1, keepdim=True)

    def train(
        self,
        planned: Sequence[Pack],
        examples: Sequence[Example],
        *,
        rate: float,
        seconds: float,
        report: Callable[[str], None],
    ) -> None:
        parameters = [p for p in self.model.parameters() if p.requires_grad]
        optimiser = torch.optim.AdamW(parameters, lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
        wanted = {example.number: example for example in examples}
        started = time.monotonic()
        seen, tokens, running = 0, 0, 0.0
        for step, pack in enumerate(planned):
            progress = max(step / len(planned), (time.monotonic() - started) / seconds)
            if progress >= 1:
                break
            for settings in optimiser.param_groups:
                settings["lr"] = rate * min(1.0, (step + 1) / 40) * max(0.02, 1 - progress)
            items = pack.items.tolist()
            chosen = Targets.of([wanted[item] for item in items], self.device)
            loss = mixed_loss(self.log_probabilities(pack), chosen, hard_share=0.6)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            seen += len(items)
            tokens += int((pack.group > 0).sum())
            running = 0.98 * running + 0.02 * float(loss.detach()) if step % 10 == 0 else running
            if step % 50 == 0:
                took = time.monotonic() - started
                loss_now = running / (1 - 0.98 ** (step // 10 + 1))
                report(
                    f"teacher step {step}/{len(planned)} loss {loss_now:.3f} "
                    f"{seen / took:.0f} claims/s {tokens / took:.0f} tokens/s {took:.0f}s"
                )

    def train_whole(
        self,
        planned: Sequence[Pack],
        examples: Sequence[Example],
        *,
        rate: float,
        seconds: float,
        report: Callable[[str], None],
    ) -> Masters:
        """Every weight learns, gently: labels smoothed, the rate falls along a cosine."""
        masters = Masters(list(self.model.learn_whole().values()), rate)
        wanted = {example.number: example for example in examples}
        started = time.monotonic()
        seen, running = 0, 0.0
        for step, pack in enumerate(planned):
            took = time.monotonic() - started
            progress = max(step / len(planned), took / seconds)
            if progress >= 1:
                break
            items = pack.items.tolist()
            if not items:
                continue
            chosen = Targets.of([wanted[item] for item in items], self.device)
            loss = smoothed_loss(self.log_probabilities(pack), chosen)
            loss.backward()
            masters.step(rate * min(1.0, (step + 1) / 40) * (1 + math.cos(math.pi * progress)) / 2)
            seen += len(items)
            if step % 25 == 0:
                running = float(loss.detach()) if step == 0 else running
                running = 0.8 * running + 0.2 * float(loss.detach())
                report(
                    f"teacher step {step}/{len(planned)} loss {running:.3f} "
                    f"{seen / max(took, 1e-9):.0f} claims/s {took:.0f}s"
                )
        report(f"teacher done: {seen} claims in {time.monotonic() - started:.0f}s")
        return masters

    def follow(
        self,
        other: "Teacher",
        planned: Sequence[Pack],
        examples: Sequence[Example],
        *,
        rate: float,
        seconds: float,
        report: Callable[[str], None],
    ) -> None:
        """The adapter learns what another teacher says of the same batches, and the labels."""
        learnt = [p for p in self.model.parameters() if p.requires_grad]
        optimiser = torch.optim.AdamW(learnt, lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
        wanted = {example.number: example for example in examples}
        started = time.monotonic()
        seen = 0
        for step, pack in enumerate(planned):
            progress = (time.monotonic() - started) / seconds
            if progress >= 1:
                break
            items = pack.items.tolist()
            if not items:
                continue
            for settings in optimiser.param_groups:
                settings["lr"] = rate * min(1.0, (step + 1) / 40) * max(0.02, 1 - progress)
            chosen = Targets.of([wanted[item] for item in items], self.device)
            with torch.no_grad():
                said = torch.softmax(other.log_probabilities(pack), -1)
            chosen = chosen._replace(soft=said[:, 0], soft_refuted=said[:, 1])
            loss = mixed_loss(self.log_probabilities(pack), chosen, hard_share=FOLLOWED_LABELS)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learnt, 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            seen += len(items)
            if step % 50 == 0:
                took = max(time.monotonic() - started, 1e-9)
                loss_now = float(loss.detach())
                report(f"adapter step {step} loss {loss_now:.3f} {seen / took:.0f} claims/s")
        report(f"adapter done: {seen} claims in {time.monotonic() - started:.0f}s")

    @torch.no_grad()
    def label(
        self,
        planned: Iterable[Pack],
        examples: Sequence[Example],
        until: float = math.inf,
    ) -> np.ndarray:
        """P(supported), P(refuted), P(neutral) for each example, in the order given.

        What was not reached `until` then (of the monotonic clock) is not a number.
        """
        place = {example.number: index for index, example in enumerate(examples)}
        found = np.full((len(examples), 3), np.nan, dtype=np.float32)
        for pack in planned:
            if time.monotonic() > until:
                break
            p = torch.softmax(self.log_probabilities(pack), -1).cpu().numpy()
            for item, row in zip(pack.items.tolist(), p, strict=True):
                found[place[item]] = row
        return found


def partial_loss(log_p: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy; label 3 means "refuted or neutral, it is not known which"."""
    either = torch.logaddexp(log_p[:, 1], log_p[:, 2])
    exact = log_p.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    return -torch.where(labels == 3, either, exact)


SMOOTHING = 0.04
FOLLOWED_LABELS = 0.25
"""What the label counts beside the followed teacher's opinion."""


def smoothed_loss(log_p: Tensor, targets: "Targets") -> Tensor:
    """Cross entropy by the weights of the examples, a little of it spread over all answers."""
    exact = partial_loss(log_p, targets.hard.clamp(min=0))
    loss = (1 - SMOOTHING) * exact - SMOOTHING * log_p.mean(-1)
    return (targets.weight * loss).sum() / targets.weight.sum().clamp(min=1)


class Targets(NamedTuple):
    """What a batch should be judged as: see `groups.Example`."""

    hard: Tensor
    soft: Tensor
    soft_refuted: Tensor
    weight: Tensor

    @classmethod
    def of(cls, examples: Sequence[Example], device: torch.device) -> Self:
        return cls(
            hard=torch.tensor([example.hard for example in examples], device=device),
            soft=torch.tensor([example.soft for example in examples], device=device),
            soft_refuted=torch.tensor([one.soft_refuted for one in examples], device=device),
            weight=torch.tensor([example.weight for example in examples], device=device),
        )

    def rows(self, chosen: Tensor) -> Self:
        return type(self)(*(column[chosen] for column in self))


def mixed_loss(log_p: Tensor, targets: Targets, *, hard_share: float) -> Tensor:
    """Towards the label, a teacher's probabilities, or both where both are known."""
    hard, soft, refuted, weight = targets
    labelled, taught = hard >= 0, soft >= 0
    towards_label = weight * partial_loss(log_p, hard.clamp(min=0))
    against = torch.where(
        refuted >= 0,
        refuted * log_p[:, 1] + (1 - soft - refuted) * log_p[:, 2],
        (1 - soft) * torch.logaddexp(log_p[:, 1], log_p[:, 2]),
    )
    towards_teacher = -(soft * log_p[:, 0] + against)
    share = torch.where(taught, hard_share, 1.0) * labelled
    pulled = torch.where(labelled, share * towards_label, 0.0)
    pulled = pulled + torch.where(taught, (1 - share) * towards_teacher, 0.0)
    return pulled.sum() / (labelled | taught).sum().clamp(min=1)
