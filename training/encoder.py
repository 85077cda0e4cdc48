"""A BERT encoder small enough to read: what the judge and the embedder are made of."""

from collections.abc import Collection

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn


class Layer(nn.Module):
    def __init__(self, width: int, heads: int, expanded: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.attention_out = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=1e-12)
        self.expand = nn.Linear(width, expanded)
        self.contract = nn.Linear(expanded, width)
        self.output_norm = nn.LayerNorm(width, eps=1e-12)

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
        vocabulary: int = 30522,
        width: int = 384,
        layers: int = 12,
        heads: int = 12,
        expanded: int = 1536,
        positions: int = 512,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(positions, width)
        self.segments = nn.Embedding(2, width)
        self.embedding_norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(width, heads, expanded) for _ in range(layers))

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor, dropout: float = 0.0) -> Tensor:
        """`mask` is true where a token stands."""
        places = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.words(ids) + self.positions(places) + self.segments(segments)
        hidden = F.dropout(self.embedding_norm(hidden), dropout, self.training)
        attend = mask[:, None, None, :]
        for layer in self.layers:
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
    return (*pooled, *(("tags.", "causal.") if "spans" in heads else ()))


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
        for head, (pool, size) in POOLED.items():
            self.add_module(pool, nn.Linear(width, width))
            self.add_module(head, nn.Linear(width, size))
        self.tags = nn.Linear(width, 3)
        self.causal = nn.Linear(width, 1)

    def forward(
        self,
        ids: Tensor,
        segments: Tensor,
        mask: Tensor,
        dropout: float = 0.0,
        head: str = "verdict",
    ) -> Tensor:
        hidden = self.encoder(ids, segments, mask, dropout)
        if head == "vector":
            return F.normalize(hidden[:, 0].float(), dim=-1)
        if head == "spans":
            whole = self.causal(hidden[:, 0])[:, None].expand(-1, hidden.shape[1], -1)
            return torch.cat((self.tags(hidden), whole), -1)
        pool, _ = POOLED[head]
        pooled = torch.tanh(self.get_submodule(pool)(hidden[:, 0]))
        logits: Tensor = self.get_submodule(head)(F.dropout(pooled, dropout, self.training))
        return logits
