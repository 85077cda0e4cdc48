"""Vectors of texts: what a teacher makes of them, and how a student learns to make the same."""

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training.encoder import Encoder


@torch.no_grad()
def vectors(encoder: Encoder, ids: list[np.ndarray], device: torch.device) -> Tensor:
    """Unit vectors of a teacher: those of its first token."""
    order = np.argsort([len(item) for item in ids], kind="stable")
    made = torch.empty(len(ids), encoder.words.embedding_dim, dtype=torch.float16, device=device)
    for start in range(0, len(order), 1024):
        rows = order[start : start + 1024]
        table, mask = pad(ids, rows, device)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
            hidden = encoder(table, torch.zeros_like(table), mask).float()
        made[torch.from_numpy(rows).to(device)] = F.normalize(hidden[:, 0], dim=-1).half()
    return made


def opened(vectors: Tensor) -> Tensor:
    """A search encoder's vectors lie in a narrow cone: without their mean, unlike texts are far."""
    return F.normalize(vectors.float() - vectors.float().mean(0), dim=-1).half()


def pad(ids: list[np.ndarray], rows: np.ndarray, device: torch.device) -> tuple[Tensor, Tensor]:
    longest = 8 * -(-max(len(ids[row]) for row in rows) // 8)
    table = np.zeros((len(rows), longest), dtype=np.int64)
    lengths = np.array([len(ids[row]) for row in rows])
    for place, row in enumerate(rows):
        table[place, : lengths[place]] = ids[row]
    columns = torch.arange(longest, device=device)[None]
    mask = columns < torch.from_numpy(lengths).to(device)[:, None]
    return torch.from_numpy(table).to(device), mask


def likeness_loss(
    made: Tensor, target: Tensor, others: Tensor, temperature: float = 0.05
) -> Tensor:
    """`others` are vectors to be learnt too: a batch holds texts of one length."""
    near = 1 - (made * target).sum(-1).mean()
    off = ~torch.eye(len(made), dtype=torch.bool, device=made.device)
    ours = (made @ made.T / temperature).masked_fill(~off, -1e4)
    theirs = (target @ target.T / temperature).masked_fill(~off, -1e4)
    within = _divergence(ours, theirs)
    return (
        near
        + 0.5 * within
        + 0.5 * _divergence(made @ others.T / temperature, target @ others.T / temperature)
    )


def _divergence(ours: Tensor, theirs: Tensor) -> Tensor:
    return F.kl_div(ours.log_softmax(-1), theirs.softmax(-1), reduction="batchmean")


def search_loss(
    questions: Tensor, passages: Tensor, same: Tensor, temperature: float = 0.04
) -> Tensor:
    """Each question nearest to its own passage; `same` is true where two rows share a passage."""
    near = questions @ passages.T / temperature
    apart = same & ~torch.eye(len(near), dtype=torch.bool, device=near.device)
    near = near.masked_fill(apart, -1e4)
    own = torch.arange(len(near), device=near.device)
    return (F.cross_entropy(near, own) + F.cross_entropy(near.T, own)) / 2
