"""A Qwen2 decoder with LoRA adapters, small enough to read, fast enough to train in minutes.

Sequences are packed as trees: a prefix (the evidence) is read once and any number of branches
(the claims) continue from it, none seeing another. The same layout trains and labels.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn


@dataclass(frozen=True)
class Shape:
    layers: int = 28
    width: int = 1536
    heads: int = 12
    key_heads: int = 2
    expanded: int = 8960
    theta: float = 1_000_000.0
    epsilon: float = 1e-6

    @property
    def head_width(self) -> int:
        return self.width // self.heads


class AdaptedLinear(nn.Module):
    """A frozen matrix and the low-rank change that is learnt."""

    def __init__(self, inputs: int, outputs: int, rank: int, *, bias: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs), requires_grad=False)
        self.bias = nn.Parameter(torch.zeros(outputs), requires_grad=False) if bias else None
        self.down = nn.Parameter(torch.empty(rank, inputs))
        self.up = nn.Parameter(torch.empty(outputs, rank))
        self.scale = 2.0
        self.active = True

    def reset_adapter(self) -> None:
        """An adapter that changes nothing yet, in memory of its own."""
        self.down = nn.Parameter(torch.empty(self.down.shape, device="cpu"))
        self.up = nn.Parameter(torch.zeros(self.up.shape, device="cpu"))
        nn.init.kaiming_uniform_(self.down, a=5**0.5)

    def forward(self, x: Tensor) -> Tensor:
        if not self.active:
            return F.linear(x, self.weight, self.bias)
        change = F.linear(F.linear(x, self.down.to(x.dtype)), self.up.to(x.dtype))
        return F.linear(x, self.weight, self.bias) + self.scale * change


class RMSNorm(nn.Module):
    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width), requires_grad=False)
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, (x.shape[-1],), self.weight, self.epsilon)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


class Block(nn.Module):
    def __init__(self, shape: Shape, attention_rank: int, expand_rank: int) -> None:
        super().__init__()
        self.shape = shape
        narrow = shape.key_heads * shape.head_width
        self.attn_norm = RMSNorm(shape.width, shape.epsilon)
        self.attn_q = AdaptedLinear(shape.width, shape.width, attention_rank, bias=True)
        self.attn_k = AdaptedLinear(shape.width, narrow, attention_rank, bias=True)
        self.attn_v = AdaptedLinear(shape.width, narrow, attention_rank, bias=True)
        self.attn_output = AdaptedLinear(shape.width, shape.width, attention_rank, bias=False)
        self.ffn_norm = RMSNorm(shape.width, shape.epsilon)
        self.ffn_gate = AdaptedLinear(shape.width, shape.expanded, expand_rank, bias=False)
        self.ffn_up = AdaptedLinear(shape.width, shape.expanded, expand_rank, bias=False)
        self.ffn_down = AdaptedLinear(shape.expanded, shape.width, expand_rank, bias=False)

    def forward(
        self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        query, key, value = self._attended(x, cos, sin)
        repeats = self.shape.heads // self.shape.key_heads
        mixed = F.scaled_dot_product_attention(
            query,
            key.repeat_interleave(repeats, 1),
            value.repeat_interleave(repeats, 1),
            attn_mask=mask,
        )
        return self._finish(x, mixed.transpose(1, 2)), key, value

    def step(  # noqa: PLR0917 - as the caches of a decoder come
        self, x: Tensor, cos: Tensor, sin: Tensor, keep: Tensor, keys: Tensor, values: Tensor
    ) -> Tensor:
        """One new token per row; the caches are written at their last column."""
        query, key, value = self._attended(x, cos, sin)
        keys[:, :, -1:], values[:, :, -1:] = key, value
        batch, _, _, width = query.shape
        grouped = query.reshape(batch, self.shape.key_heads, -1, width)
        scores = grouped @ keys.transpose(-1, -2) * width**-0.5
        scores = scores.masked_fill(~keep[:, None, None], float("-inf"))
        mixed = scores.float().softmax(-1).to(values.dtype) @ values
        return self._finish(x, mixed.reshape(batch, 1, self.shape.heads, width))

    def _attended(self, x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        batch, length, _ = x.shape
        split = (batch, length, -1, self.shape.head_width)
        normed = self.attn_norm(x)
        query = self.attn_q(normed).view(split).transpose(1, 2)
        key = self.attn_k(normed).view(split).transpose(1, 2)
        value = self.attn_v(normed).view(split).transpose(1, 2)
        return rotate(query, cos, sin), rotate(key, cos, sin), value

    def _finish(self, x: Tensor, mixed: Tensor) -> Tensor:
        x = x + self.attn_output(mixed.reshape(x.shape))
        normed = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(normed)) * self.ffn_up(normed))


class Decoder(nn.Module):
    def __init__(
        self, shape: Shape, vocabulary: int, attention_rank: int, expand_rank: int
    ) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(vocabulary, shape.width)
        self.token_embd.weight.requires_grad_(requires_grad=False)
        self.blk = nn.ModuleList(
            Block(shape, attention_rank, expand_rank) for _ in range(shape.layers)
        )
        self.output_norm = RMSNorm(shape.width, shape.epsilon)

    def angles(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        half = self.shape.head_width // 2
        steps = torch.arange(half, device=positions.device, dtype=torch.float32) / half
        angle = positions.float()[..., None] * self.shape.theta**-steps
        angle = torch.cat((angle, angle), -1)[:, None]
        dtype = self.token_embd.weight.dtype
        return angle.cos().to(dtype), angle.sin().to(dtype)

    def forward(self, ids: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        x = self.token_embd(ids)
        cos, sin = self.angles(positions)
        for block in self.blk:
            x, _, _ = block(x, cos, sin, mask)
        return self.output_norm(x)

    def use_adapters(self, *, active: bool) -> None:
        for module in self.modules():
            if isinstance(module, AdaptedLinear):
                module.active = active

    @torch.no_grad()
    def merge(self, changes: Mapping[str, Tensor]) -> None:
        """Take a trained adapter's change into the matrices: the same answers, in less time."""
        for name, module in self.named_modules():
            if isinstance(module, AdaptedLinear):
                up, down = (changes[f"{name}.{side}"].to(module.weight) for side in ("up", "down"))
                module.weight += module.scale * (up @ down)
                module.active = False

    def learn_whole(self) -> dict[str, nn.Parameter]:
        """Every matrix, bias and norm of the blocks is learnt; no adapter, and the words stay."""
        self.use_adapters(active=False)
        for name, parameter in self.named_parameters():
            kept = name.startswith("token_embd.") or name.endswith((".down", ".up"))
            parameter.requires_grad_(requires_grad=not kept)
        return {name: p for name, p in self.named_parameters() if p.requires_grad}

    def adapter(self) -> dict[str, Tensor]:
        return {
            name: parameter.detach()
            for name, parameter in self.named_parameters()
            if parameter.requires_grad
        }


def load_decoder(
    state: dict[str, Tensor], shape: Shape, *, attention_rank: int, expand_rank: int
) -> Decoder:
    """A decoder over GGUF tensors (their names are its names); adapters start at no change."""
    with torch.device("meta"):
        model = Decoder(shape, state["token_embd.weight"].shape[0], attention_rank, expand_rank)
    model.load_state_dict(state, strict=False, assign=True)
    for module in model.modules():
        if isinstance(module, AdaptedLinear):
            module.reset_adapter()
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name.endswith((".down", ".up")))
    return model


def tree_mask(group: Tensor, branch: Tensor) -> Tensor:
    """What each token may see: its own group's prefix, and its own branch, backwards only.

    `group` is 0 for padding; `branch` is 0 in the prefix.
    """
    length = group.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=group.device).tril()
    same_group = group[:, :, None] == group[:, None, :]
    visible = (branch[:, None, :] == 0) | (branch[:, None, :] == branch[:, :, None])
    return (causal & same_group & visible)[:, None]


@dataclass
class Tree:
    """A prefix and its branches, as token ids; `items` say which claim each branch is."""

    prefix: list[int]
    branches: list[list[int]]
    items: list[int]

    def __len__(self) -> int:
        return len(self.prefix) + sum(map(len, self.branches))


@dataclass
class Pack:
    """Rows of equal length holding whole trees, and where each branch ends."""

    ids: Tensor
    positions: Tensor
    group: Tensor
    branch: Tensor
    rows: Tensor
    columns: Tensor
    items: Tensor


def split_tree(tree: Tree, limit: int) -> list[Tree]:
    """Trees that fit into `limit` tokens, the prefix repeated where branches overflow."""
    room = limit - len(tree.prefix)
    parts: list[Tree] = []
    branches: list[list[int]] = []
    items: list[int] = []
    used = 0
    for branch, item in zip(tree.branches, tree.items, strict=True):
        if used + len(branch) > room and branches:
            parts.append(Tree(tree.prefix, branches, items))
            branches, items, used = [], [], 0
        branches.append(branch)
        items.append(item)
        used += len(branch)
    parts.append(Tree(tree.prefix, branches, items))
    return parts


def fill_rows(trees: list[Tree], limit: int) -> list[list[Tree]]:
    """First fit, longest first: few tokens of padding."""
    rows: list[list[Tree]] = []
    rooms: list[int] = []
    open_rows: list[int] = []
    for tree in sorted(trees, key=len, reverse=True):
        size = len(tree)
        place = next((row for row in open_rows if rooms[row] >= size), None)
        if place is None:
            rows.append([])
            rooms.append(limit)
            place = len(rows) - 1
            open_rows.append(place)
        rows[place].append(tree)
        rooms[place] -= size
        if len(open_rows) > 64:
            open_rows.sort(key=lambda row: -rooms[row])
            open_rows.pop()
    return rows


def pack_rows(rows: list[list[Tree]], limit: int) -> Pack:
    shape = (len(rows), limit)
    ids, positions, group, branch = (torch.zeros(shape, dtype=torch.int32) for _ in range(4))
    ends: list[tuple[int, int, int]] = []
    for row, trees in enumerate(rows):
        at = 0
        for number, tree in enumerate(trees, start=1):
            size = len(tree.prefix)
            ids[row, at : at + size] = torch.tensor(tree.prefix)
            positions[row, at : at + size] = torch.arange(size)
            group[row, at : at + len(tree)] = number
            at += size
            for index, (tokens, item) in enumerate(
                zip(tree.branches, tree.items, strict=True), start=1
            ):
                stop = at + len(tokens)
                ids[row, at:stop] = torch.tensor(tokens)
                positions[row, at:stop] = torch.arange(size, size + len(tokens))
                branch[row, at:stop] = index
                ends.append((row, stop - 1, item))
                at = stop
    table = torch.tensor(ends, dtype=torch.long).reshape(-1, 3)
    return Pack(ids, positions, group, branch, table[:, 0], table[:, 1], table[:, 2])
