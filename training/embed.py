"""How a student learns to make a teacher's vectors of texts, and to find what answers."""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor


def opened(vectors: Tensor) -> Tensor:
    """A search encoder's vectors lie in a narrow cone: without their mean, unlike texts are far."""
    return F.normalize(vectors.float() - vectors.float().mean(0), dim=-1).half()


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
