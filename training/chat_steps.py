"""The chat teacher's steps: trained whole, averaged with what it was, and asked for its opinion."""

import argparse
import json
import lzma
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.decoder import AdaptedLinear, Decoder
from training.files import LABELS_END
from training.groups import Example, examples
from training.measure import chosen_without, families
from training.pack import PACKED_STEP, as_shipped
from training.running import device, report, show
from training.teach import CHAT, Masters, Teacher
from training.teacher_steps import (
    ATTENTION_RANK,
    EXPAND_RANK,
    compile_blocks,
    decoder_of,
    labelled_group,
    load_packs,
    planned_parts,
    tokenizer_of,
)

RATE = 1e-5
ADAPTER_RATE = 1e-4
SHARES = (0.75, 0.5)
"""How much of the trained weights the average has; chosen on dev with families left out."""
DEV, OPEN = "dev400", "open400"


def teach_chat_step(data: Path, arguments: argparse.Namespace) -> None:
    model = decoder_of(data)
    teacher = _teacher(data, model)
    learnt = model.learn_whole()
    base = [p.detach().clone() for p in learnt.values()]
    found = examples(data / "teach.jsonl.xz")
    report(f"{len(found)} examples")
    if not arguments.eager:
        compile_blocks(model)
    planned = load_packs(data, "teach_00")
    masters = teacher.train_whole(
        planned, found, rate=RATE, seconds=arguments.seconds, report=report
    )
    trained = dict(zip(learnt, masters.whole, strict=True))
    torch.save(trained, data / "chat_trained.pt")
    report("trained weights saved")
    for parameter in learnt.values():
        parameter.requires_grad_(requires_grad=False)
    share = _choose(data, teacher, masters, base)
    averaged = _averaged(base, masters.whole, share)
    masters.write(averaged)
    torch.save({name: p.detach().clone() for name, p in learnt.items()}, data / "chat.pt")
    report(f"averaged weights saved, share {share}")
    # scored once, at the end: written down, not shown
    held = examples(data / f"{OPEN}.jsonl.xz")
    np.save(data / f"teacher_{OPEN}.npy", _label(data, OPEN, teacher, held))
    changes = low_rank(model, dict(zip(learnt, base, strict=True)), averaged, list(learnt))
    np.savez(
        data / "adapter_chat.npz", **{name: p.half().cpu().numpy() for name, p in changes.items()}
    )
    masters.write(base)
    model.merge(changes)
    _show(data, "low-rank change", teacher)


def adapt_chat_step(data: Path, arguments: argparse.Namespace) -> None:
    """What ships for the deep tier: a small change of the base that says what the average says."""
    averaged = decoder_of(data)
    averaged.use_adapters(active=False)
    _load_averaged(data, averaged)
    for parameter in averaged.parameters():
        parameter.requires_grad_(requires_grad=False)
    model = decoder_of(data)
    with np.load(data / "adapter_chat.npz") as stored, torch.no_grad():
        for name, parameter in model.named_parameters():
            if name in stored:
                parameter.copy_(torch.from_numpy(stored[name]))
    followed, follower = _teacher(data, averaged), _teacher(data, model)
    if not arguments.eager:
        compile_blocks(averaged)
        compile_blocks(model)
    # last first: of these the teacher has seen least
    planned = load_packs(data, "teach_00")[::-1]
    follower.follow(
        followed,
        planned,
        examples(data / "teach.jsonl.xz"),
        rate=ADAPTER_RATE,
        seconds=arguments.seconds,
        report=report,
    )
    adapter = {name: p.half().cpu().numpy() for name, p in model.adapter().items()}
    np.savez(data / "adapter_deep.npz", **adapter)
    report("adapter saved")
    del averaged, followed, follower, model
    shipped = decoder_of(data)
    rounded = as_shipped(adapter, PACKED_STEP)
    shipped.merge({name: torch.from_numpy(array).to(device()) for name, array in rounded.items()})
    reader = _teacher(data, shipped)
    if not arguments.eager:
        compile_blocks(shipped)
    for name in (DEV, OPEN):
        held = examples(data / f"{name}.jsonl.xz")
        scores = _label(data, name, reader, held)
        np.save(data / f"deep_{name}.npy", scores)
        if name == DEV:
            show("adapter as shipped, dev", held, scores[:, 0])


def _choose(data: Path, teacher: Teacher, masters: Masters, base: list[Tensor]) -> float:
    held = examples(data / f"{DEV}.jsonl.xz")
    labels = np.array([int(example.hard == 0) for example in held])
    tables = {}
    for share in SHARES:
        masters.write(_averaged(base, masters.whole, share))
        scores = _label(data, DEV, teacher, held)
        np.save(data / f"teacher_{DEV}_{share}.npy", scores)
        tables[share] = families([example.source for example in held], scores[:, 0], labels)
        show(f"teacher {share} dev", held, scores[:, 0])
    return chosen_without(tables)


def _show(data: Path, title: str, teacher: Teacher) -> None:
    held = examples(data / f"{DEV}.jsonl.xz")
    show(f"{title} dev", held, _label(data, DEV, teacher, held)[:, 0])


def _label(data: Path, name: str, teacher: Teacher, held: list[Example]) -> np.ndarray:
    found = np.full((len(held), 3), np.nan, np.float32)
    for part in parts_of(data, name):
        scores = teacher.label(load_packs(data, part), held)
        found = np.where(np.isnan(found), scores, found)
    return np.nan_to_num(found, nan=1 / 3)


def _averaged(base: list[Tensor], trained: list[Tensor], share: float) -> list[Tensor]:
    return [
        before.float() + share * (after - before.float())
        for before, after in zip(base, trained, strict=True)
    ]


def label_chat_step(data: Path, arguments: argparse.Namespace) -> None:
    """Its opinion of the written claims and questions, then of the files named, as time allows."""
    model = decoder_of(data)
    model.use_adapters(active=False)
    _load_averaged(data, model)
    teacher = _teacher(data, model)
    for parameter in model.parameters():
        parameter.requires_grad_(requires_grad=False)
    if not arguments.eager:
        compile_blocks(model)
    try:
        _label_all(data, teacher, arguments)
    finally:
        (data / LABELS_END).touch()


def _label_all(data: Path, teacher: Teacher, arguments: argparse.Namespace) -> None:
    until = time.monotonic() + arguments.seconds
    for packs in planned_parts(data) if arguments.written else ():
        found = examples(data / f"{packs.stem}.jsonl.xz")
        scores = teacher.label(load_packs(data, packs.stem), found, until)
        _write_labelled(found, scores, data / f"labelled_{packs.stem}.jsonl.xz")
        report(f"{packs.stem}: {_reached(scores)} of {len(found)} labelled")
    for name in arguments.files:
        found = examples(data / f"{name}.jsonl.xz")
        for part in parts_of(data, name):
            if time.monotonic() > until:
                report("the time is over")
                return
            scores = teacher.label(load_packs(data, part), found, until)
            reached = np.flatnonzero(~np.isnan(scores[:, 0]))
            np.savez_compressed(
                data / f"labels_{part}.npz",
                numbers=reached.astype(np.int32),
                scores=scores[reached].astype(np.float16),
            )
            report(f"{part}: {len(reached)} labelled, mean {np.nanmean(scores, 0)}")


def _load_averaged(data: Path, model: Decoder) -> None:
    """What was chosen; where the choice was not reached, the larger share; where no teacher was
    trained, what ships for the deep tier: it says nearly the same."""
    if (data / "chat.pt").exists():
        model.load_state_dict(torch.load(data / "chat.pt", map_location=device()), strict=False)
        return
    if not (data / "chat_trained.pt").exists():
        with np.load(data / "adapter_deep.npz") as stored:
            model.merge({name: torch.from_numpy(stored[name]).to(device()) for name in stored})
        return
    trained = torch.load(data / "chat_trained.pt", map_location=device())
    learnt = {name: p for name, p in model.named_parameters() if name in trained}
    with torch.no_grad():
        for name, p in learnt.items():
            p.copy_(_averaged([p], [trained[name]], SHARES[0])[0])


def _teacher(data: Path, model: Decoder) -> Teacher:
    rows = torch.from_numpy(np.load(data / "answers.npy"))
    return Teacher(model, tokenizer_of(data), rows, CHAT["claim"].answers)


def parts_of(data: Path, name: str) -> Iterator[str]:
    """The planned parts of a file, as they come."""
    number = 0
    while True:
        part = f"{name}_{number:02d}"
        while not (data / f"packs_{part}.pt").exists():
            if (data / f"packs_{name}_end").exists():
                return
            time.sleep(0.2)
        yield part
        number += 1


def _write_labelled(found: list[Example], scores: np.ndarray, path: Path) -> None:
    partial = path.with_suffix(".part")
    with lzma.open(partial, "wt", encoding="utf-8", preset=1) as out:
        for example, row in zip(found, scores.tolist(), strict=True):
            if row[0] == row[0]:
                out.write(json.dumps(labelled_group(example, row), ensure_ascii=False) + "\n")
    partial.rename(path)


def _reached(scores: np.ndarray) -> int:
    return int((~np.isnan(scores[:, 0])).sum())


@torch.no_grad()
def low_rank(
    model: Decoder, base: dict[str, Tensor], averaged: list[Tensor], names: list[str]
) -> dict[str, Tensor]:
    """The change of every matrix in few directions: an adapter that needs no training."""
    after = dict(zip(names, averaged, strict=True))
    changes: dict[str, Tensor] = {}
    for name, module in model.named_modules():
        if not isinstance(module, AdaptedLinear):
            continue
        rank = ATTENTION_RANK if ".attn_" in name else EXPAND_RANK
        change = after[f"{name}.weight"] - base[f"{name}.weight"].float()
        left, values, right = torch.svd_lowrank(change, q=min(rank + 8, *change.shape), niter=4)
        root = values[:rank].sqrt()
        changes[f"{name}.down"] = (right[:, :rank] * root).T.contiguous()
        changes[f"{name}.up"] = (left[:, :rank] * root / module.scale).contiguous()
    return changes
