"""The student's steps of a session: learning from the teacher, and the embedder beside it."""

import argparse
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from training import distil, embed, heads
from training.bases import load_base, load_bert, load_reranker
from training.encoder import Encoder
from training.groups import Example, examples, read_lines
from training.held import measure
from training.running import LABELS_END, device, report, wait_for

EMBEDDER_LAYERS = 5
MAX_EMBEDDED_TOKENS = 160
ASKED_AS = "Represent this sentence for searching relevant passages: "
"""What the search encoder expects before a question; the student is to do without."""
SHARES = {"verdict": 0.6, "answers": 0.18, "spans": 0.08, "rank": 0.05}
SHARES |= {"status": 0.05, "open": 0.04}
"""Of the batches, by what they teach."""
RANKS = "ranks.npy"
MEASURING_SECONDS = 45
OWN_NUMBERS = 5_000_000
"""The first number of the rows written for the purpose."""


def distil_step(data: Path, arguments: argparse.Namespace) -> None:
    tokenizer = Tokenizer.from_file(str(data / "tokenizer.json"))
    claims = [e for e in examples(data / "train.jsonl.xz") if not _is_held_back(e)]
    claims += examples(data / "own_train.jsonl.xz", first_number=OWN_NUMBERS)
    pairs = heads.pairs_of(claims, tokenizer)
    asked = examples(data / "answers.jsonl.xz")
    status = heads.read_statuses(data / "status_train.jsonl.xz", tokenizer, part=False)
    spans = heads.read_spans(data / "spans_train.jsonl.xz", tokenizer, part=False)
    report(f"{len(claims)} pairs tokenised, {np.mean([len(i) for i in pairs.ids]):.0f} tokens each")
    moods = heads.read_moods(data / "moods_train.jsonl.xz", tokenizer, part=False)
    tasks = {"status": heads.status_task(status), "spans": heads.spans_task(spans)}
    tasks["open"] = heads.moods_task(moods)
    if (data / RANKS).exists():
        tasks["rank"] = heads.rank_task(np.load(data / RANKS), asked, tokenizer)
    kept = [example for example in asked if not heads.is_slice(example.context)]
    if arguments.written:
        wait_for(data / LABELS_END)
        _take_labels(data, "train", claims)
        _take_labels(data, "answers", kept)
        written = _written(data)
        more = [example for example in written if example.task == "claim"]
        added = heads.pairs_of(more, tokenizer)
        pairs.ids += added.ids
        pairs.claim_tokens = np.concatenate([pairs.claim_tokens, added.claim_tokens])
        claims += more
        kept += [example for example in written if example.task == "answers"]
    kept += heads.off_topic(kept, random.Random(arguments.seed))
    tasks["verdict"] = heads.verdict_task(claims, pairs, arguments.seed)
    tasks["answers"] = heads.answers_task(kept, heads.pairs_of(kept, tokenizer), arguments.seed)
    report(f"to learn from: {len(claims)} claims, {len(kept)} questions")
    judge = _student(data, arguments, tokenizer)
    distil.train(
        judge,
        tasks,
        _shares(arguments.shares),
        tokens=arguments.tokens,
        rate=arguments.rate,
        seconds=_seconds(arguments),
        device=device(),
        report=report,
        seed=arguments.seed,
    )
    state = {name: p.detach().half().cpu().numpy() for name, p in judge.state_dict().items()}
    if arguments.keep_words:
        # they are in the package already, and they are a quarter of the file
        del state["encoder.words.weight"]
    np.savez(data / f"judge_{arguments.name}.npz", **state)
    report("weights saved")
    measure(data, judge, tokenizer, arguments.name)


def _student(data: Path, arguments: argparse.Namespace, tokenizer: Tokenizer) -> distil.Judge:
    base = load_base(data / arguments.base)
    if "encoder.words.weight" not in base and "words.weight" not in base:
        base["words.weight"] = load_base(data / "shipped")["words.weight"]
    if "rank.weight" not in base and (data / "reranker_model.onnx").exists():
        reranker = load_reranker(data / "reranker_model.onnx")
        base |= {name: array for name, array in reranker.items() if name.startswith("rank")}
    torch.manual_seed(arguments.seed)
    judge = distil.make_judge(base, 12, tokenizer.get_vocab_size()).to(device())
    judge.encoder.words.requires_grad_(requires_grad=not arguments.keep_words)
    torch.set_float32_matmul_precision("high")
    if device().type == "cuda" and not arguments.eager:
        for layer in judge.encoder.layers:
            layer.compile(dynamic=True)
    return judge


def _seconds(arguments: argparse.Namespace) -> float:
    """As long as was asked for, and no longer than the device may be held."""
    if not arguments.until:
        return float(arguments.seconds)
    return max(30.0, min(arguments.seconds, arguments.until - time.time() - MEASURING_SECONDS))


def _shares(given: str) -> dict[str, float]:
    changed = (one.partition("=") for one in given.split(",") if one)
    return SHARES | {name: float(share) for name, _, share in changed}


def _is_held_back(example: Example) -> bool:
    """Contrast to choose by."""
    return example.kind == "contrast" and heads.is_slice(example.context)


def _take_labels(data: Path, name: str, found: list[Example]) -> None:
    """The chat teacher's opinion, with the plain teacher's where that is known: mean log odds."""
    by_number = {example.number: example for example in found}
    taken: Counter[str] = Counter()
    for path in sorted(data.glob(f"labels_{name}_*.npz")):
        with np.load(path) as stored:
            numbers, scores = stored["numbers"].tolist(), stored["scores"].astype(float).tolist()
        for number, (yes, no, maybe) in zip(numbers, scores, strict=True):
            example = by_number.get(number)
            if example is None or example.source.startswith("own."):
                continue  # those who wrote our own rows know better
            taken["both" if example.soft >= 0 else "one"] += 1
            example.soft = mean_odds(yes, example.soft) if example.soft >= 0 else yes
            example.soft_refuted = (1 - example.soft) * no / max(no + maybe, 1e-6)
    report(f"{name}: labels of the chat teacher alone {taken['one']}, of both {taken['both']}")


def mean_odds(one: float, other: float) -> float:
    odds = [np.log(p) - np.log1p(-p) for p in np.clip((one, other), 1e-4, 1 - 1e-4)]
    return float(1 / (1 + np.exp(-np.mean(odds))))


def _written(data: Path) -> list[Example]:
    found: list[Example] = []
    for path in sorted(data.glob("labelled_*.jsonl.xz")):
        found += examples(path, first_number=10_000_000 + len(found))
    return found


def rerank_step(data: Path, arguments: argparse.Namespace) -> None:
    """How the ms-marco model, as it was, ranks the pairs that its head is to rank the same way."""
    tokenizer = Tokenizer.from_file(str(data / "reranker_tokenizer.json"))
    tokenizer.no_padding()
    base = load_reranker(data / "reranker_model.onnx")
    model = distil.make_judge(base, 12, len(base["words.weight"])).to(device())
    pairs = distil.Pairs(
        *distil.tokenise(tokenizer, *heads.rank_pairs(examples(data / "answers.jsonl.xz")))
    )
    scores = distil.score(model, pairs, device(), "rank", arguments.tokens)
    np.save(data / RANKS, scores[:, 0].astype(np.float16))
    report(f"{len(scores)} pairs ranked, mean {scores.mean():.2f}, deviation {scores.std():.2f}")


def embed_step(data: Path, arguments: argparse.Namespace) -> None:
    """A deeper embedder that agrees with the one that ships and with a search encoder, evenly."""
    tokenizer = Tokenizer.from_file(str(data / "tokenizer.json"))
    texts, is_question = _texts(data, arguments.texts)
    tokenizer.enable_truncation(MAX_EMBEDDED_TOKENS)
    ids = [np.array(item.ids, dtype=np.uint16) for item in tokenizer.encode_batch(texts)]
    base = load_base(data / "shipped")
    shipped = {"words.weight": base["words.weight"]} | load_base(data / "embedder_shipped")
    targets = embed.joined(
        embed.vectors(_encoder(shipped), ids, device(), first_token=False),
        _search_vectors(data, texts, is_question),
        width=384,
    )
    report(f"{len(texts)} texts embedded by two teachers")
    embedder = embed.Embedder(_encoder(base | shipped, EMBEDDER_LAYERS))
    embed.train(
        embedder, ids, targets, rate=4e-4, seconds=arguments.seconds, device=device(), report=report
    )
    state = {
        name: p.detach().half().cpu().numpy()
        for name, p in embedder.encoder.state_dict().items()
        if name != "words.weight"
    }
    np.savez(data / f"embedder_{arguments.name}.npz", **state)
    sample = np.arange(min(500, len(ids)))
    with torch.no_grad():
        made = embedder(*embed.pad(ids, sample, device()))
    agreement = (made * targets[: len(sample)].float()).sum(-1).mean()
    report(f"embedder agrees with its teachers: mean cosine {float(agreement):.3f}")


def _encoder(state: dict[str, np.ndarray], layers: int = 0) -> Encoder:
    """With as many layers as the state has, or as are asked for."""
    count = layers or 1 + max(int(n.split(".")[1]) for n in state if n.startswith("layers."))
    encoder = Encoder(layers=count, vocabulary=len(state["words.weight"]))
    known = encoder.state_dict().keys()
    encoder.load_state_dict({name: torch.from_numpy(state[name]).float() for name in known})
    return encoder.to(device())


def _texts(data: Path, limit: int) -> tuple[list[str], list[bool]]:
    """Claims, passages, pieces of passages, and questions, of which it is said that they are."""
    rng = random.Random(3)
    found = examples(data / "train.jsonl.xz") + examples(data / "own_train.jsonl.xz")
    asked = examples(data / "answers.jsonl.xz")
    questions = {example.claim for example in asked}
    texts = {example.claim for example in found}
    contexts = {example.context for example in found + asked}
    contexts |= {row["context"] for row in read_lines(data / "contexts.jsonl.xz")}
    for context in sorted(contexts):
        texts.add(context)
        words = context.split()
        if len(words) > 40:
            start = rng.randrange(len(words) - 20)
            texts.add(" ".join(words[start : start + rng.randint(8, 60)]))
    ordered = [(text, False) for text in sorted(texts - questions)]
    rng.shuffle(ordered)
    ordered = ordered[:limit] + [(question, True) for question in sorted(questions)]
    rng.shuffle(ordered)
    return [text for text, _ in ordered], [is_question for _, is_question in ordered]


def _search_vectors(data: Path, texts: list[str], is_question: list[bool]) -> torch.Tensor:
    tokenizer = Tokenizer.from_file(str(data / "search_tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_EMBEDDED_TOKENS + 10)
    given = [ASKED_AS * asked + text for text, asked in zip(texts, is_question, strict=True)]
    ids = [np.array(item.ids, dtype=np.uint16) for item in tokenizer.encode_batch(given)]
    encoder = _encoder(load_bert(data / "search_model.onnx"))
    return embed.vectors(encoder, ids, device(), first_token=True)
