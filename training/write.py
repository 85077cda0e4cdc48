"""The writer: the teacher's decoder, without its adapter, goes on after many prompts at once."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training.decoder import Decoder

STOP = "<|im_end|>"
MAX_PROMPT_TOKENS = 520
NEW_TOKENS = 176
TEMPERATURE = 1.0
LEAST_LIKELY = 0.04
"""Tokens less likely than this share of the likeliest one are never drawn."""
READ_ROWS = 48
LOOK_EVERY_STEPS = 16


@dataclass
class _Written:
    """What is known of the rows still being written."""

    rows: Tensor
    """Which prompt each is."""
    lengths: Tensor
    keep: Tensor
    """Which columns of the cache hold a token."""
    cache: list[tuple[Tensor, Tensor]]
    last: Tensor
    """The hidden state after the newest token."""

    def only(self, kept: Tensor) -> "_Written":
        return _Written(
            rows=self.rows[kept],
            lengths=self.lengths[kept],
            keep=self.keep[kept],
            cache=[(keys[kept], values[kept]) for keys, values in self.cache],
            last=self.last[kept],
        )


@torch.no_grad()
def write(
    model: Decoder, head: Tensor, prompts: Sequence[list[int]], stop: int
) -> list[tuple[list[int], bool]]:
    """What the model writes after each prompt, and whether it came to an end by itself."""
    device = head.device
    tokens = torch.full((len(prompts), NEW_TOKENS), stop, device=device)
    written = _read(model, prompts, device)
    start = written.keep.shape[1] - NEW_TOKENS
    alive = torch.ones(len(prompts), dtype=torch.bool, device=device)
    for step in range(NEW_TOKENS):
        drawn = _draw(F.linear(written.last, head))
        tokens[written.rows, step] = torch.where(alive, drawn, stop)
        alive = alive & (drawn != stop)
        if step % LOOK_EVERY_STEPS == 0 and float(alive.float().mean()) < 0.75:
            if not bool(alive.any()):
                break
            written, drawn, alive = written.only(alive), drawn[alive], alive[alive]
        _step(model, written, drawn, step, start + step + 1)
    return [_until(row, stop) for row in tokens.tolist()]


def _until(row: list[int], stop: int) -> tuple[list[int], bool]:
    end = row.index(stop) if stop in row else len(row)
    return row[:end], end < len(row)


def _read(model: Decoder, prompts: Sequence[list[int]], device: torch.device) -> _Written:
    """All prompts read at once, ending in the same column, their keys and values kept."""
    shape, rows = model.shape, len(prompts)
    longest = max(map(len, prompts))
    ids = torch.zeros(rows, longest, dtype=torch.long)
    for row, one in enumerate(prompts):
        ids[row, longest - len(one) :] = torch.tensor(one)
    lengths = torch.tensor([len(one) for one in prompts], device=device)
    columns = torch.arange(longest, device=device)[None]
    keep = torch.ones(rows, longest + NEW_TOKENS, dtype=torch.bool, device=device)
    keep[:, :longest] = columns >= longest - lengths[:, None]
    size = (rows, shape.key_heads, longest + NEW_TOKENS, shape.head_width)
    dtype = model.token_embd.weight.dtype
    both = (2, *size)
    cache = [tuple(torch.empty(both, dtype=dtype, device=device)) for _ in model.blk]
    last = torch.empty(rows, shape.width, dtype=dtype, device=device)
    backwards = torch.ones(longest, longest, dtype=torch.bool, device=device).tril()
    itself = torch.eye(longest, dtype=torch.bool, device=device)
    for start in range(0, rows, READ_ROWS):
        part = slice(start, start + READ_ROWS)
        seen = keep[part, None, None, :longest]
        # what stands before a prompt sees itself alone: a row that sees nothing is not a number
        mask = (backwards & seen) | itself
        positions = (columns - (longest - lengths[part, None])).clamp(min=0)
        x = model.token_embd(ids[part].to(device))
        cos, sin = model.angles(positions)
        for block, (keys, values) in zip(model.blk, cache, strict=True):
            x, key, value = block(x, cos, sin, mask)
            keys[part, :, :longest], values[part, :, :longest] = key, value
        last[part] = model.output_norm(x[:, -1])
    return _Written(torch.arange(rows, device=device), lengths, keep, cache, last)


def _step(model: Decoder, written: _Written, drawn: Tensor, step: int, end: int) -> None:
    x = model.token_embd(drawn)[:, None]
    cos, sin = model.angles(written.lengths[:, None] + step)
    keep = written.keep[:, :end]
    for block, (keys, values) in zip(model.blk, written.cache, strict=True):
        x = block.step(x, cos, sin, keep, keys[:, :, :end], values[:, :, :end])
    written.last = model.output_norm(x[:, 0])


def _draw(logits: Tensor) -> Tensor:
    """A token by its probability, the unlikely ones left out."""
    scaled = logits.float() / TEMPERATURE
    floor = scaled.amax(-1, keepdim=True) + math.log(LEAST_LIKELY)
    noise = -torch.log(torch.empty_like(scaled).exponential_())
    return torch.where(scaled >= floor, scaled + noise, float("-inf")).argmax(-1)


def batches(lengths: Sequence[int], rows: int) -> Iterator[list[int]]:
    """Prompts of like length together, the few very long ones left out."""
    usable = [place for place, length in enumerate(lengths) if length <= MAX_PROMPT_TOKENS]
    order = sorted(usable, key=lambda place: lengths[place])
    for start in range(0, len(order), rows):
        yield order[start : start + rows]
