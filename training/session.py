"""The whole training on one device, step by step; every step leaves files for the next.

    python -m training.session plan   --data DIR --name train|dev|open|label
    python -m training.session teach  --data DIR --seconds 420
    python -m training.session distil --data DIR --base msmarco --seconds 420
    python -m training.session embed  --data DIR --base msmarco --seconds 60

`DIR` holds what `training.ship` put together: prepared groups, passages, tokenizers and bases.
"""

import argparse
import json
import lzma
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from training import distil, embed
from training.bases import load_blocks
from training.decoder import Pack, Shape, load_decoder
from training.encoder import Encoder
from training.groups import Example, examples, sample_epoch
from training.measure import by_set
from training.teach import Teacher, plan

ATTENTION_RANK = 8
EXPAND_RANK = 6
EMBEDDER_LAYERS = 4
MAX_EMBEDDED_TOKENS = 160
STARTED = time.monotonic()


def report(line: str) -> None:
    print(f"[{time.monotonic() - STARTED:6.1f}s] {line}", flush=True)


def device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def plan_step(data: Path, arguments: argparse.Namespace) -> None:
    """Batches for the teacher, made on the processor while the device does something else."""
    tokenizer = Tokenizer.from_file(str(data / "decoder_tokenizer.json"))
    found = examples(data / "train.jsonl.xz")
    if arguments.name == "train":
        rng = random.Random(1)
        packs = []
        for seed in range(arguments.epochs):
            drawn = [e for e in sample_epoch(found, rng) if e.hard >= 0 or rng.random() < 0.5]
            packs += plan(drawn, tokenizer, arguments.rows, seed)
        _save_packs(data, "train", packs)
        return
    named = data / f"{arguments.name}.jsonl.xz"
    chosen = found if arguments.name == "label" else examples(named)
    _save_packs(data, arguments.name, plan(chosen, tokenizer, arguments.rows, 0))


def _save_packs(data: Path, name: str, packs: list[Pack]) -> None:
    partial = data / f"packs_{name}.part"
    torch.save([vars(pack) for pack in packs], partial)
    partial.rename(data / f"packs_{name}.pt")
    report(f"{name}: {len(packs)} batches planned")


def _load_packs(data: Path, name: str) -> list[Pack]:
    _wait_for(data / f"packs_{name}.pt")
    return [Pack(**fields) for fields in torch.load(data / f"packs_{name}.pt")]


def _wait_for(path: Path) -> None:
    while not path.exists():
        time.sleep(0.5)


def teach(data: Path, arguments: argparse.Namespace) -> None:
    shape = Shape(**json.loads((data / "shape.json").read_text()))
    state = load_blocks(data, device())
    report("blocks loaded")
    model = load_decoder(state, shape, attention_rank=ATTENTION_RANK, expand_rank=EXPAND_RANK).to(
        device()
    )
    tokenizer = Tokenizer.from_file(str(data / "decoder_tokenizer.json"))
    teacher = Teacher(model, tokenizer, torch.from_numpy(np.load(data / "answers.npy")))
    torch.set_float32_matmul_precision("high")
    found = examples(data / "train.jsonl.xz")
    report(f"{len(found)} examples")
    if device().type == "cuda":
        for block in model.blk:
            block.compile()
    planned = _load_packs(data, "train")
    teacher.train(planned, found, rate=2e-4, seconds=arguments.seconds, report=report)
    np.savez(
        data / "adapter.npz",
        **{name: p.half().cpu().numpy() for name, p in model.adapter().items()},
    )
    for name in ("dev", "open"):
        held = examples(data / f"{name}.jsonl.xz")
        scores = teacher.label(_load_packs(data, name), held)
        np.save(data / f"teacher_{name}.npy", scores)
        _show(f"teacher {name}", held, scores[:, 0])
    if arguments.label:
        np.save(data / "labels.npy", teacher.label(_load_packs(data, "label"), found))


def _show(title: str, held: list[Example], scores: np.ndarray) -> None:
    labels = np.array([1 if example.hard == 0 else 0 for example in held])
    table = by_set([example.source for example in held], scores, labels, 0.5)
    for name, (area, accuracy, count) in table.items():
        report(f"{title} {name:42s} {area:.3f} {accuracy:.3f} {count}")


def distil_step(data: Path, arguments: argparse.Namespace) -> None:
    tokenizer = Tokenizer.from_file(str(data / "tokenizer.json"))
    found = examples(data / "train.jsonl.xz")
    if (data / "labels.npy").exists():
        _retarget(found, np.load(data / "labels.npy")[:, 0])
    pairs = _pairs(found, tokenizer)
    report(f"{len(found)} pairs tokenised, {np.mean([len(i) for i in pairs.ids]):.0f} tokens each")
    base = dict(np.load(data / f"{arguments.base}.npz"))
    torch.manual_seed(arguments.seed)
    judge = distil.make_judge(base, 12, tokenizer.get_vocab_size()).to(device())
    torch.set_float32_matmul_precision("high")
    if device().type == "cuda" and not arguments.eager:
        for layer in judge.encoder.layers:
            layer.compile(dynamic=True)
    distil.train(
        judge,
        pairs,
        _epochs(found, arguments.seed),
        tokens=arguments.tokens,
        rate=arguments.rate,
        seconds=arguments.seconds,
        device=device(),
        report=report,
        seed=arguments.seed,
    )
    state = {name: p.detach().half().cpu().numpy() for name, p in judge.state_dict().items()}
    np.savez(data / f"judge_{arguments.name}.npz", **state)
    for name in ("dev", "open"):
        held = examples(data / f"{name}.jsonl.xz")
        scores = distil.score(judge, _pairs(held, tokenizer), device())
        np.save(data / f"judge_{arguments.name}_{name}.npy", scores)
        _show(f"{arguments.name} {name}", held, scores[:, 0])


def _pairs(found: list[Example], tokenizer: Tokenizer) -> distil.Pairs:
    ids, first = distil.tokenise(
        tokenizer, [item.claim for item in found], [item.context for item in found]
    )
    return distil.Pairs(
        ids=ids,
        claim_tokens=first,
        soft=np.array([example.soft for example in found], dtype=np.float32),
        hard=np.array([example.hard for example in found]),
        weight=np.array([example.weight for example in found], dtype=np.float32),
    )


def _retarget(found: list[Example], support: np.ndarray) -> None:
    """A newer teacher's opinion; an earlier one counts half where there is one."""
    for example, p in zip(found, support, strict=True):
        example.soft = float(p) if example.soft < 0 else (example.soft + float(p)) / 2


def _epochs(found: list[Example], seed: int) -> Iterator[np.ndarray]:
    rng = random.Random(seed)
    places = {example.number: place for place, example in enumerate(found)}
    usable = [example for example in found if example.hard >= 0 or example.soft >= 0]
    pairs = [example for example in usable if example.source == "pairs"]
    others = [example for example in usable if example.source != "pairs"]
    while True:
        drawn = sample_epoch(others, rng) + rng.sample(pairs, int(0.5 * len(pairs)))
        yield np.array([places[example.number] for example in drawn])


def embed_step(data: Path, arguments: argparse.Namespace) -> None:
    tokenizer = Tokenizer.from_file(str(data / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_EMBEDDED_TOKENS)
    texts = _texts(data, arguments.texts)
    targets = _teacher_vectors(data, texts)
    directions = embed.principal(targets.float(), 384)
    reduced = torch.nn.functional.normalize(targets.float() @ directions, dim=-1).half()
    report(f"{len(texts)} texts embedded by the teacher")
    ids = [np.array(item.ids, dtype=np.uint16) for item in tokenizer.encode_batch(texts)]
    judge = np.load(data / f"judge_{arguments.name}.npz")
    encoder = Encoder(layers=EMBEDDER_LAYERS, vocabulary=tokenizer.get_vocab_size())
    known = encoder.state_dict().keys()
    encoder.load_state_dict(
        {name: torch.from_numpy(judge[f"encoder.{name}"]).float() for name in known}
    )
    embedder = embed.Embedder(encoder).to(device())
    embed.train(
        embedder, ids, reduced, rate=6e-4, seconds=arguments.seconds, device=device(), report=report
    )
    state = {
        name: p.detach().half().cpu().numpy()
        for name, p in encoder.state_dict().items()
        if name != "words.weight"
    }
    np.savez(data / f"embedder_{arguments.name}.npz", **state)
    sample = np.arange(min(500, len(ids)))
    with torch.no_grad():
        made = embedder(*embed.pad(ids, sample, device()))
    agreement = (made * reduced[: len(sample)].float()).sum(-1).mean()
    report(f"embedder agrees with its teacher: mean cosine {float(agreement):.3f}")


def _texts(data: Path, limit: int) -> list[str]:
    rng = random.Random(3)
    found = examples(data / "train.jsonl.xz")
    texts = {example.claim for example in found}
    contexts = {example.context for example in found}
    with lzma.open(data / "passages.json.xz", "rt") as passages:
        contexts |= {text for _, text in json.load(passages)}
    for context in sorted(contexts):
        texts.add(context)
        words = context.split()
        if len(words) > 40:
            start = rng.randrange(len(words) - 20)
            texts.add(" ".join(words[start : start + rng.randint(8, 60)]))
    ordered = sorted(texts)
    rng.shuffle(ordered)
    return ordered[:limit]


@torch.no_grad()
def _teacher_vectors(data: Path, texts: list[str]) -> torch.Tensor:
    from transformers import AutoModel, AutoTokenizer

    folder = str(data / "mpnet")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    precision = torch.float16 if device().type == "cuda" else torch.float32
    model = AutoModel.from_pretrained(folder, dtype=precision).to(device()).eval()
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    vectors = torch.empty(len(texts), 768, dtype=torch.float16, device=device())
    for start in range(0, len(order), 512):
        rows = order[start : start + 512]
        batch = tokenizer(
            [texts[row] for row in rows],
            padding=True,
            truncation=True,
            max_length=MAX_EMBEDDED_TOKENS,
            return_tensors="pt",
        ).to(device())
        hidden = model(**batch).last_hidden_state.float()
        mask = batch["attention_mask"][..., None]
        mean = (hidden * mask).sum(1) / mask.sum(1)
        vectors[rows] = torch.nn.functional.normalize(mean, dim=-1).half()
    return vectors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("plan", "teach", "distil", "embed"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--label", action="store_true")
    parser.add_argument("--eager", action="store_true")
    parser.add_argument("--base", default="msmarco")
    parser.add_argument("--name", default="msmarco")
    parser.add_argument("--tokens", type=int, default=65536)
    parser.add_argument("--texts", type=int, default=600_000)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    steps = {"plan": plan_step, "teach": teach, "distil": distil_step, "embed": embed_step}
    steps[arguments.step](arguments.data, arguments)


if __name__ == "__main__":
    sys.exit(main())
