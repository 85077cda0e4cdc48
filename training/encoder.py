"""An encoder small enough to read: what the judge is made of, and what it learns from.

Wide ones know distances between words (a bias of each attention head) and compute with rounded
matrices from their first step; narrow ones, of which the teachers of ranks and of vectors are made,
do neither.
"""

import math
from collections.abc import Collection

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

STEP_SHARE = 0.55
"""A step of a rounded matrix, in usual sizes (root mean square) of the numbers of a row."""
MOST_STEPS = 63
"""Seven bits: processors without VNNI add two products of eight bits into sixteen, and overflow
beyond that."""
DISTANCES, FARTHEST = 32, 128
VECTOR_LAYERS, VECTOR_WIDTH = 6, 384
"""A text's vector is taken after so many layers of a wide encoder: a longer way finds no more."""


def rounded(rows: Tensor) -> Tensor:
    """What ships of a matrix: whole steps, one size of step a row. It is learnt as if it were not
    rounded."""
    kept = rows.detach()
    step = STEP_SHARE * kept.square().mean(-1, keepdim=True).sqrt().clamp(min=1e-8)
    return rows + ((kept / step).round().clamp(-MOST_STEPS, MOST_STEPS) * step - kept)


class RoundedLinear(nn.Linear):
    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, rounded(self.weight), self.bias)


def distance_classes(apart: Tensor) -> Tensor:
    """Which bias a distance (key less query) has: near ones each their own, far ones by octaves."""
    half, near = DISTANCES // 2, DISTANCES // 4
    far = apart.abs().clamp(min=1).float()
    wide = near + (torch.log(far / near) / math.log(FARTHEST / near) * (half - near)).long()
    near_or_far = torch.where(apart.abs() < near, apart.abs(), wide.clamp(max=half - 1))
    return near_or_far + half * (apart > 0).long()


class Layer(nn.Module):
    def __init__(self, width: int, heads: int, expanded: int, *, wide: bool) -> None:
        super().__init__()
        self.heads = heads
        linear, epsilon = (RoundedLinear, 1e-5) if wide else (nn.Linear, 1e-12)
        self.query = linear(width, width)
        self.key = linear(width, width)
        self.value = linear(width, width)
        self.attention_out = linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=epsilon)
        self.expand = linear(width, expanded)
        self.contract = linear(expanded, width)
        self.output_norm = nn.LayerNorm(width, eps=epsilon)

    def forward(self, hidden: Tensor, mask: Tensor, dropout: float) -> Tensor:
        batch, length, width = hidden.shape
        split = (batch, length, self.heads, width // self.heads)
        query = self.query(hidden).view(split).transpose(1, 2)
        key = self.key(hidden).view(split).transpose(1, 2)
        value = self.value(hidden).view(split).transpose(1, 2)
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = mixed.transpose(1, 2).reshape(batch, length, width)
        mixed = F.dropout(self.attention_out(mixed), dropout, self.training)
        hidden = self.attention_norm(hidden + mixed)
        expanded = self.contract(F.gelu(self.expand(hidden)))
        return self.output_norm(hidden + F.dropout(expanded, dropout, self.training))


class Encoder(nn.Module):
    def __init__(
        self,
        *,
        vocabulary: int,
        width: int,
        layers: int,
        expanded: int,
        wide: bool,
        heads: int = 12,
        positions: int = 512,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(positions, width)
        self.segments = nn.Embedding(2, width)
        self.embedding_norm = nn.LayerNorm(width, eps=1e-5 if wide else 1e-12)
        self.layers = nn.ModuleList(Layer(width, heads, expanded, wide=wide) for _ in range(layers))
        self.distances = nn.Embedding(DISTANCES, heads) if wide else None
        if self.distances is not None:
            # its gradient costs more than it teaches
            self.distances.requires_grad_(requires_grad=False)

    def forward(
        self,
        ids: Tensor,
        segments: Tensor,
        mask: Tensor,
        dropout: float = 0.0,
        layers: int | None = None,
    ) -> Tensor:
        """`mask` is true where a token stands; `layers` says after how many to stop."""
        places = torch.arange(ids.shape[1], device=ids.device)
        words = self.words(ids) if self.distances is None else rounded(self.words(ids))
        hidden = words + self.positions(places) + self.segments(segments)
        hidden = F.dropout(self.embedding_norm(hidden), dropout, self.training)
        attend = mask[:, None, None, :]
        if self.distances is not None:
            apart = places[None] - places[:, None]
            bias = self.distances(distance_classes(apart)).permute(2, 0, 1)[None]
            kind = torch.get_autocast_dtype(ids.device.type)
            kind = kind if torch.is_autocast_enabled(ids.device.type) else hidden.dtype
            attend = torch.where(attend, bias, -1e4).to(kind)
        for layer in self.layers[:layers]:
            hidden = layer(hidden, attend, dropout)
        return hidden


STATUSES = (
    "asserted",
    "negated",
    "hedged",
    "reported",
    "questioned",
    "directive",
    "counterfactual",
)
POOLED = {"verdict": ("pool", 3), "answers": ("answers_pool", 1), "rank": ("rank_pool", 1)}
POOLED |= {"status": ("status_pool", len(STATUSES)), "open": ("open_pool", 1)}
"""Heads on the first token: the layer before each, and how many logits it has."""


def names_of(heads: Collection[str]) -> tuple[str, ...]:
    """How the weights of heads begin."""
    pooled = [f"{name}." for head in heads if head in POOLED for name in (head, POOLED[head][0])]
    return (*pooled, *(("tags.", "causal.") if "spans" in heads else ()), "vector.")


HEAD_NAMES = names_of([*POOLED, "spans"])


class Judge(nn.Module):
    """One encoder, many heads. A pair is (claim, evidence), (question, passage) or (mention, text).

    verdict: logits of supported, refuted, neutral. answers: whether the passage answers. status:
    what the text does with the mention. open: whether a text leaves open what it speaks of. rank:
    how a search engine would rank the passage. spans: for each token none, cause or effect, and
    whether the text is causal at all. vector: a text by itself, as a unit vector.
    """

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.words.embedding_dim
        self.is_wide = encoder.distances is not None
        linear = RoundedLinear if self.is_wide else nn.Linear
        for head, (pool, size) in POOLED.items():
            self.add_module(pool, linear(width, width))
            self.add_module(head, nn.Linear(width, size))
        self.tags = nn.Linear(width, 3)
        self.causal = nn.Linear(width, 1)
        self.vector = linear(width, VECTOR_WIDTH) if self.is_wide else nn.Identity()

    def forward(
        self,
        ids: Tensor,
        segments: Tensor,
        mask: Tensor,
        dropout: float = 0.0,
        head: str = "verdict",
    ) -> Tensor:
        if head == "vector":
            return self._vector(ids, segments, mask, dropout)
        hidden = self.encoder(ids, segments, mask, dropout)
        if head == "spans":
            whole = self.causal(hidden[:, 0])[:, None].expand(-1, hidden.shape[1], -1)
            return torch.cat((self.tags(hidden), whole), -1)
        pool, _ = POOLED[head]
        pooled = torch.tanh(self.get_submodule(pool)(hidden[:, 0]))
        logits: Tensor = self.get_submodule(head)(F.dropout(pooled, dropout, self.training))
        return logits

    def _vector(self, ids: Tensor, segments: Tensor, mask: Tensor, dropout: float) -> Tensor:
        """The mean of a text's tokens, seen by few layers; of a narrow encoder its first token."""
        if not self.is_wide:
            return F.normalize(self.encoder(ids, segments, mask, dropout)[:, 0].float(), dim=-1)
        hidden = self.encoder(ids, segments, mask, dropout, VECTOR_LAYERS)
        tokens = mask[..., None]
        mean = (hidden * tokens).sum(1) / tokens.sum(1)
        return F.normalize(self.vector(mean).float(), dim=-1)
