"""A BERT encoder small enough to read: what the judge and the embedder are made of."""

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


class Judge(nn.Module):
    """Scores (evidence, claim) pairs: logits of supported, refuted, neutral."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.words.embedding_dim
        self.pool = nn.Linear(width, width)
        self.verdict = nn.Linear(width, 3)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor, dropout: float = 0.0) -> Tensor:
        first = self.encoder(ids, segments, mask, dropout)[:, 0]
        pooled = torch.tanh(self.pool(first))
        return self.verdict(F.dropout(pooled, dropout, self.training))
