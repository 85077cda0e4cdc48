"""The teacher: a decoder with LoRA adapters that says Yes, No or Maybe to a claim.

It is trained on labelled groups and labels others softly for the student. Its adapter is also what
the deep tier ships.
"""

import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
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

PREFIX = "Evidence:\n{context}\n\n"
BRANCH = "Claim: {claim}\nSupported:"
ANSWERS = (" Yes", " No", " Maybe")
MAX_PREFIX_TOKENS = 640
MAX_BRANCH_TOKENS = 220
ROW_TOKENS = 1024
MAX_BRANCHES = 12


def plant(examples: Iterable[Example], tokenizer: Tokenizer) -> list[Tree]:
    """Examples that share a context become one tree (or several, when they are many)."""
    by_context: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        by_context[example.context].append(example)
    ordered = [example for members in by_context.values() for example in members]
    prefixes = tokenizer.encode_batch([PREFIX.format(context=text) for text in by_context])
    branches = iter(tokenizer.encode_batch([BRANCH.format(claim=item.claim) for item in ordered]))
    trees: list[Tree] = []
    for members, prefix in zip(by_context.values(), prefixes, strict=True):
        tree = Tree(
            _clipped(prefix.ids, MAX_PREFIX_TOKENS),
            [_clipped(next(branches).ids, MAX_BRANCH_TOKENS) for _ in members],
            [item.number for item in members],
        )
        trees.extend(split_tree(tree, ROW_TOKENS))
    return trees


def _clipped(ids: list[int], limit: int) -> list[int]:
    """The middle goes: both ends of a prompt carry its form."""
    half = limit // 2
    return ids if len(ids) <= limit else ids[:half] + ids[-half:]


def plan(examples: Iterable[Example], tokenizer: Tokenizer, rows: int, seed: int) -> list[Pack]:
    """Batches of one shape, so that the device compiles once; made ahead, while it is busy."""
    filled = fill_rows(plant(examples, tokenizer), ROW_TOKENS)
    random.Random(seed).shuffle(filled)
    filled += [[] for _ in range(-len(filled) % rows)]
    starts = range(0, len(filled), rows)
    return [pack_rows(filled[start : start + rows], ROW_TOKENS) for start in starts]


class Teacher:
    def __init__(self, model: Decoder, tokenizer: Tokenizer, answer_rows: Tensor) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.device = next(model.parameters()).device
        self.head = model.token_embd.weight.detach().clone()
        self.answers = [tokenizer.encode(answer).ids[0] for answer in ANSWERS]
        self.head[self.answers] = answer_rows.to(self.head)

    def _log_probabilities(self, pack: Pack) -> Tensor:
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
            loss = mixed_loss(self._log_probabilities(pack), chosen, hard_share=0.6)
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

    @torch.no_grad()
    def label(self, planned: Iterable[Pack], examples: Sequence[Example]) -> np.ndarray:
        """P(supported), P(refuted), P(neutral) for each example, in the order given."""
        place = {example.number: index for index, example in enumerate(examples)}
        found = np.full((len(examples), 3), np.nan, dtype=np.float32)
        for pack in planned:
            p = torch.softmax(self._log_probabilities(pack), -1).cpu().numpy()
            for item, row in zip(pack.items.tolist(), p, strict=True):
                found[place[item]] = row
        return found


def partial_loss(log_p: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy; label 3 means "refuted or neutral, it is not known which"."""
    either = torch.logaddexp(log_p[:, 1], log_p[:, 2])
    exact = log_p.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    return -torch.where(labels == 3, either, exact)


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
