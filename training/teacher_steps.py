"""The teacher's steps of a session: planning its batches, training, writing claims, labelling."""

import argparse
import json
import lzma
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import torch
from tokenizers import Tokenizer

from training import edits, prompts, write
from training.bases import load_blocks
from training.decoder import Decoder, Pack, Shape, load_decoder
from training.groups import Example, examples, sample_epoch
from training.running import device, report, show, wait_for
from training.teach import CHAT, PLAIN, Forms, Teacher, plan

ATTENTION_RANK = 8
EXPAND_RANK = 6
HELD = ("dev", "open", "scrubbed")
WRITTEN_ROWS = 1536
"""Prompts written to at once."""
LAST_PART = "written_end"
PART_EXAMPLES = 30_000


def plan_step(data: Path, arguments: argparse.Namespace) -> None:
    """Batches for the teacher, made on the processor while the device does something else."""
    tokenizer = tokenizer_of(data)
    if arguments.name == "written":
        _plan_written(data, tokenizer, arguments.rows, CHAT if arguments.chat else PLAIN)
        return
    if arguments.chat:
        _plan_chat(data, tokenizer, arguments)
        return
    found = examples(data / "train.jsonl.xz")
    if arguments.name == "train":
        rng = random.Random(1)
        packs = []
        for seed in range(arguments.epochs):
            drawn = [e for e in sample_epoch(found, rng) if e.hard >= 0 or rng.random() < 0.5]
            packs += plan(drawn, tokenizer, arguments.rows, seed)
        save_packs(data, "train", packs)
        return
    named = data / f"{arguments.name}.jsonl.xz"
    save_packs(data, arguments.name, plan(examples(named), tokenizer, arguments.rows, 0))


def _plan_chat(data: Path, tokenizer: Tokenizer, arguments: argparse.Namespace) -> None:
    """A file in parts: quotes, which have no label, then what no teacher has seen yet; time may
    run out while labelling."""
    found = examples(data / f"{arguments.name}.jsonl.xz")
    found.sort(key=lambda example: (example.kind != "quote", example.soft >= 0))
    size = len(found) if arguments.name == "teach" else PART_EXAMPLES
    for part, start in enumerate(range(0, len(found), size)):
        packs = plan(found[start : start + size], tokenizer, arguments.rows, part, CHAT)
        save_packs(data, f"{arguments.name}_{part:02d}", packs)
    (data / f"packs_{arguments.name}_end").touch()


def teach_step(data: Path, arguments: argparse.Namespace) -> None:
    model = decoder_of(data)
    teacher = teacher_of(data, model)
    found = examples(data / "train.jsonl.xz")
    report(f"{len(found)} examples")
    compile_blocks(model)
    planned = load_packs(data, "train")
    teacher.train(planned, found, rate=2e-4, seconds=arguments.seconds, report=report)
    np.savez(
        data / "adapter.npz",
        **{name: p.half().cpu().numpy() for name, p in model.adapter().items()},
    )
    _label_held(data, teacher)


def write_step(data: Path, arguments: argparse.Namespace) -> None:
    """Claims about texts, a file for every batch, until the time is over."""
    model = decoder_of(data)
    model.use_adapters(active=False)
    compile_blocks(model, dynamic=True)
    tokenizer = tokenizer_of(data)
    head = model.token_embd.weight.detach()
    stop = tokenizer.encode(write.STOP).ids[0]
    torch.manual_seed(arguments.seed)
    rng = random.Random(arguments.seed)
    with lzma.open(data / "contexts.jsonl.xz", "rt", encoding="utf-8") as lines:
        texts = [json.loads(line) for line in lines]
    texts += rng.sample(texts, len(texts) // 2)
    kinds = rng.choices(list(prompts.SHARES), list(prompts.SHARES.values()), k=len(texts))
    asked = [prompts.prompt(text["context"], kind) for text, kind in zip(texts, kinds, strict=True)]
    ids = [encoded.ids for encoded in tokenizer.encode_batch(asked)]
    started = time.monotonic()
    planned = list(write.batches([len(one) for one in ids], arguments.prompts))
    rng.shuffle(planned)
    for pattern in ("written_*", "planned_end", "*examples_*"):
        # of an earlier run
        for left in data.glob(pattern):
            left.unlink()
    for number, places in enumerate(planned):
        if time.monotonic() - started > arguments.seconds:
            break
        made = write.write(model, head, [ids[place] for place in places], stop)
        said = tokenizer.decode_batch([new for new, _ in made])
        _save_lines(
            data / f"written_{number:03d}.jsonl",
            [
                {**texts[place], "kind": kinds[place], "written": text, "finished": finished}
                for place, text, (_, finished) in zip(places, said, made, strict=True)
            ],
        )
        tokens = sum(len(new) for new, _ in made)
        took = time.monotonic() - started
        report(f"written {number}: {len(made)} texts, {tokens} tokens, {took:.0f}s")
    (data / LAST_PART).touch()


def label_step(data: Path, arguments: argparse.Namespace) -> None:
    """What the teacher, with the adapter it was given, thinks of the written claims."""
    model = decoder_of(data)
    with np.load(data / "adapter.npz") as stored:
        model.merge({name: torch.from_numpy(stored[name]).to(device()) for name in stored})
    teacher = teacher_of(data, model)
    compile_blocks(model)
    _label_held(data, teacher)
    started = time.monotonic()
    labelled = 0
    with lzma.open(data / "written.part", "wt", encoding="utf-8", preset=1) as out:
        for packs in planned_parts(data):
            if time.monotonic() - started > arguments.seconds:
                break
            found = examples(packs.with_name(f"{packs.stem}.jsonl.xz"))
            scores = teacher.label(load_packs(data, packs.stem), found)
            for example, row in zip(found, scores.tolist(), strict=True):
                out.write(json.dumps(labelled_group(example, row), ensure_ascii=False) + "\n")
            labelled += len(found)
            took = time.monotonic() - started
            report(f"{labelled} claims labelled, {labelled / took:.0f}/s, {scores.mean(0)}")
    (data / "written.part").rename(data / "written.jsonl.xz")


def _plan_written(data: Path, tokenizer: Tokenizer, rows: int, forms: Forms) -> None:
    """Every written file becomes examples and batches, as soon as it is there."""
    number = 0
    while True:
        path = data / f"written_{number:03d}.jsonl"
        while not path.exists():
            if (data / LAST_PART).exists() and not path.exists():
                (data / "planned_end").touch()
                return
            time.sleep(0.2)
        _write_groups(path, data / f"examples_{number:03d}.jsonl.xz", random.Random(number))
        found = examples(data / f"examples_{number:03d}.jsonl.xz")
        save_packs(data, f"examples_{number:03d}", plan(found, tokenizer, rows, number, forms))
        report(f"written {number}: {len(found)} claims")
        number += 1


def _write_groups(path: Path, out: Path, rng: random.Random) -> None:
    with lzma.open(out, "wt", encoding="utf-8", preset=0) as groups:
        for line in filter(None, path.read_text(encoding="utf-8").split("\n")):
            text = json.loads(line)
            if text["kind"] in prompts.QUESTIONS:
                _write_asked(text, groups)
                continue
            claims = prompts.claims_in(text["kind"], text["written"], finished=text["finished"])
            items = [(text["context"], claim, text["kind"]) for claim in claims]
            for claim in claims:
                items += [
                    (text["context"], edited, "edited")
                    for edited in edits.edited_claims(claim, text["context"], rng)
                ]
            if text["without"] and rng.random() < 0.5:
                gap = rng.choice(text["without"])
                items += [(gap, claim, "gap") for claim in claims]
            for context, claim, kind in items:
                group = {"context": context, "items": [_item(claim, kind, None)]}
                groups.write(json.dumps(group, ensure_ascii=False) + "\n")


def _write_asked(text: dict[str, Any], groups: TextIO) -> None:
    """Each question asked of its text, of its neighbour and of the text that has most of its words.

    Some of its own text without a sentence, which may be the one that answers.
    """
    for question in prompts.questions_in(text["written"], finished=text["finished"]):
        words = set(question.lower().split())
        others = sorted(
            text["others"][1:], key=lambda other: -len(words & set(other.lower().split()))
        )
        asked_of = [text["context"], *text["others"][:1], *others[:1], *text["without"][:1]]
        for context in asked_of:
            item = _item(question, text["kind"], None)
            group = {"task": "answers", "context": context, "items": [item]}
            groups.write(json.dumps(group, ensure_ascii=False) + "\n")


def _item(claim: str, kind: str, teacher: list[float] | None) -> dict[str, object]:
    return {
        "claim": claim,
        "label": None,
        "label3": None,
        "source": "written",
        "kind": kind,
        "teacher": teacher,
    }


def labelled_group(example: Example, scores: list[float]) -> dict[str, object]:
    rounded = [round(score, 4) for score in scores]
    return {
        "task": example.task,
        "context": example.context,
        "items": [_item(example.claim, example.kind, rounded)],
    }


def _label_held(data: Path, teacher: Teacher) -> None:
    for name in HELD:
        held = examples(data / f"{name}.jsonl.xz")
        scores = teacher.label(load_packs(data, name), held)
        np.save(data / f"teacher_{name}.npy", scores)
        show(f"teacher {name}", held, scores[:, 0])


def decoder_of(data: Path) -> Decoder:
    torch.set_float32_matmul_precision("high")
    shape = Shape(**json.loads((data / "shape.json").read_text()))
    state = load_blocks(data, device())
    report("blocks loaded")
    model = load_decoder(state, shape, attention_rank=ATTENTION_RANK, expand_rank=EXPAND_RANK)
    return model.to(device())


def teacher_of(data: Path, model: Decoder) -> Teacher:
    return Teacher(model, tokenizer_of(data), torch.from_numpy(np.load(data / "answers.npy")))


def tokenizer_of(data: Path) -> Tokenizer:
    return Tokenizer.from_file(str(data / "decoder_tokenizer.json"))


def compile_blocks(model: Decoder, *, dynamic: bool | None = None) -> None:
    if device().type == "cuda":
        for block in model.blk:
            block.compile(dynamic=dynamic)


def planned_parts(data: Path) -> Iterator[Path]:
    number = 0
    while True:
        path = data / f"packs_examples_{number:03d}.pt"
        while not path.exists():
            if (data / "planned_end").exists() and not path.exists():
                return
            time.sleep(0.2)
        yield data / f"examples_{number:03d}.pt"
        number += 1


def save_packs(data: Path, name: str, packs: list[Pack]) -> None:
    partial = data / f"packs_{name}.part"
    torch.save([vars(pack) for pack in packs], partial)
    partial.rename(data / f"packs_{name}.pt")
    report(f"{name}: {len(packs)} batches planned")


def load_packs(data: Path, name: str) -> list[Pack]:
    packs = torch.load(wait_for(data / f"packs_{name}.pt"))
    return [Pack(**fields) for fields in packs]


def _save_lines(path: Path, lines: list[dict[str, object]]) -> None:
    partial = path.with_suffix(".part")
    partial.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
    )
    partial.rename(path)
