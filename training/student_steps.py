"""The student's steps of a session: learning from the teacher, and the embedder beside it."""

import argparse
import json
import lzma
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from training import distil, embed
from training.encoder import Encoder
from training.groups import Example, examples, sample_epoch
from training.running import device, report, show, wait_for
from training.teach import Targets

EMBEDDER_LAYERS = 4
MAX_EMBEDDED_TOKENS = 160
WHOLE_SOURCES = {"pairs": 0.5, "written": 1.0}
"""Sources of unlabelled pairs, and the share of each that an epoch sees."""


def distil_step(data: Path, arguments: argparse.Namespace) -> None:
    tokenizer = Tokenizer.from_file(str(data / "tokenizer.json"))
    found = examples(data / "train.jsonl.xz")
    pairs = _pairs(found, tokenizer)
    if arguments.written:
        written = examples(wait_for(data / "written.jsonl.xz"), first_number=len(found))
        pairs = pairs.with_more(_pairs(written, tokenizer))
        found += written
    report(f"{len(found)} pairs tokenised, {np.mean([len(i) for i in pairs.ids]):.0f} tokens each")
    base = dict(np.load(data / f"{arguments.base}.npz"))
    torch.manual_seed(arguments.seed)
    judge = distil.make_judge(base, 12, tokenizer.get_vocab_size()).to(device())
    judge.encoder.words.requires_grad_(requires_grad=not arguments.keep_words)
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
        show(f"{arguments.name} {name}", held, scores[:, 0])


def _pairs(found: list[Example], tokenizer: Tokenizer) -> distil.Pairs:
    ids, first = distil.tokenise(
        tokenizer, [item.claim for item in found], [item.context for item in found]
    )
    return distil.Pairs(ids=ids, claim_tokens=first, targets=Targets.of(found, device()))


def _epochs(found: list[Example], seed: int) -> Iterator[np.ndarray]:
    rng = random.Random(seed)
    places = {example.number: place for place, example in enumerate(found)}
    usable = [example for example in found if example.hard >= 0 or example.soft >= 0]
    labelled = [example for example in usable if example.source not in WHOLE_SOURCES]
    while True:
        drawn = sample_epoch(labelled, rng)
        for source, share in WHOLE_SOURCES.items():
            taught = [example for example in usable if example.source == source]
            drawn += rng.sample(taught, int(share * len(taught)))
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
