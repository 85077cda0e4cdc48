"""The students' steps of a session: the judge and the reader, or one wide encoder for both."""

import argparse
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from training import distil, heads
from training.bases import State, load_base, load_bert, load_reranker
from training.embed import opened
from training.encoder import names_of
from training.files import LABELS_END, RANKS
from training.groups import Example, examples, read_lines
from training.held import measure
from training.running import device, report, wait_for

MAX_EMBEDDED_TOKENS = 160
SHARES = {
    "judge": {"verdict": 0.75, "spans": 0.12, "status": 0.07, "open": 0.06},
    "reader": {"verdict": 0.28, "answers": 0.36, "rank": 0.05, "embed": 0.1, "search": 0.21},
    "wide": {"verdict": 0.52, "answers": 0.18, "search": 0.07, "spans": 0.07, "embed": 0.04}
    | {"status": 0.06, "open": 0.03, "rank": 0.03},
}
"""Of the batches, by what they teach."""
MEASURING_SECONDS = 70
OWN_NUMBERS = 5_000_000
"""The first number of the rows written for the purpose."""


def distil_step(data: Path, arguments: argparse.Namespace) -> None:
    tokenizer = Tokenizer.from_file(str(data / "tokenizer.json"))
    claims = [e for e in examples(data / "train.jsonl.xz") if not _is_held_back(e)]
    claims += examples(data / "own_train.jsonl.xz", first_number=OWN_NUMBERS)
    asked = examples(data / "answers.jsonl.xz")
    kept = [example for example in asked if not heads.is_slice(example.context)]
    # before the wait: most of the time goes into tokenising
    tasks = _judge_tasks(data, tokenizer) if arguments.part != "reader" else {}
    if arguments.part != "judge":
        tasks |= _reader_tasks(data, asked, tokenizer, arguments)
    pairs = heads.pairs_of(claims, tokenizer)
    report(f"{len(claims)} pairs tokenised, {np.mean([len(i) for i in pairs.ids]):.0f} tokens each")
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
    tasks["verdict"] = heads.verdict_task(claims, pairs, arguments.seed)
    shares = _shares(arguments)
    if "search" in shares:
        most = MAX_EMBEDDED_TOKENS
        tasks["search"] = heads.search_task(kept, tokenizer, most, arguments.seed)
    if "answers" in shares:
        kept += heads.off_topic(kept, random.Random(arguments.seed))
        pairs = heads.pairs_of(kept, tokenizer)
        tasks["answers"] = heads.answers_task(kept, pairs, arguments.seed)
    report(f"to learn from: {len(claims)} claims, {len(kept)} questions")
    judge = _student(data, arguments)
    distil.train(
        judge,
        tasks,
        shares,
        tokens=arguments.tokens,
        rate=arguments.rate,
        seconds=_seconds(arguments),
        device=device(),
        report=report,
        seed=arguments.seed,
    )
    taught = ("encoder.", *names_of({task.head for task in tasks.values()}))
    state = {
        name: parameter.detach().half().cpu().numpy()
        for name, parameter in judge.state_dict().items()
        # words that were kept are in the base already, and they are a quarter of the file
        if name.startswith(taught) and not (arguments.keep_words and "words" in name)
    }
    # another step may wait for it: it is there when it is whole
    np.savez(data / "partial.npz", **state)
    (data / "partial.npz").rename(data / f"{arguments.part}_{arguments.name}.npz")
    report("weights saved")
    measure(data, judge, tokenizer, arguments.part, arguments.name)


def _judge_tasks(data: Path, tokenizer: Tokenizer) -> dict[str, distil.Task]:
    status = heads.read_statuses(data / "status_train.jsonl.xz", tokenizer, part=False)
    spans = heads.read_spans(data / "spans_train.jsonl.xz", tokenizer, part=False)
    moods = heads.read_moods(data / "moods_train.jsonl.xz", tokenizer, part=False)
    return {
        "status": heads.status_task(status),
        "spans": heads.spans_task(spans),
        "open": heads.moods_task(moods),
    }


def _reader_tasks(
    data: Path, asked: list[Example], tokenizer: Tokenizer, arguments: argparse.Namespace
) -> dict[str, distil.Task]:
    rank = heads.rank_task(np.load(data / RANKS), asked, tokenizer)
    texts = _texts(data, arguments.texts)
    embedded = heads.texts_of(texts, tokenizer, MAX_EMBEDDED_TOKENS)
    if arguments.part == "wide":
        # the reader's vectors are what search is tuned to
        wanted = _vectors(load_base(data / "reader"), embedded)
    else:
        search = Tokenizer.from_file(str(data / "search_tokenizer.json"))
        search.no_padding()
        theirs = heads.texts_of(texts, search, MAX_EMBEDDED_TOKENS)
        wanted = opened(_vectors(load_bert(data / "search_model.onnx"), theirs))
    report(f"{len(texts)} texts embedded by the teacher")
    return {"rank": rank, "embed": heads.embed_task(embedded, wanted.half())}


def _vectors(base: State, texts: distil.Pairs) -> torch.Tensor:
    teacher = distil.make_judge(base).to(device())
    return torch.from_numpy(distil.score(teacher, texts, device(), "vector")).to(device())


def _student(data: Path, arguments: argparse.Namespace) -> distil.Judge:
    base = load_base(wait_for(data / f"{arguments.base}.npz"))
    if "encoder.words.weight" not in base and "words.weight" not in base:
        base |= {"encoder.words.weight": _words(data, arguments.part)}
    if arguments.part == "reader" and "rank.weight" not in base:
        reranker = load_reranker(data / "reranker_model.onnx")
        base |= {name: array for name, array in reranker.items() if name.startswith("rank")}
    torch.manual_seed(arguments.seed)
    judge = distil.make_judge(base).to(device())
    judge.encoder.words.requires_grad_(requires_grad=not arguments.keep_words)
    torch.set_float32_matmul_precision("high")
    if device().type == "cuda" and not arguments.eager:
        for layer in judge.encoder.layers:
            layer.compile(dynamic=True)
    return judge


def _words(data: Path, part: str) -> np.ndarray:
    """Those that a student began with: they are left as they are from round to round."""
    base = load_base(data / {"judge": "shipped", "reader": "search"}[part])
    return base.get("encoder.words.weight", base.get("words.weight"))


def _seconds(arguments: argparse.Namespace) -> float:
    """As long as was asked for, and no longer than the device may be held."""
    if not arguments.until:
        return float(arguments.seconds)
    return max(30.0, min(arguments.seconds, arguments.until - time.time() - MEASURING_SECONDS))


def _shares(arguments: argparse.Namespace) -> dict[str, float]:
    changed = (one.partition("=") for one in arguments.shares.split(",") if one)
    return SHARES[arguments.part] | {name: float(share) for name, _, share in changed}


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
    model = distil.make_judge(base).to(device())
    pairs = distil.Pairs(
        *distil.tokenise(tokenizer, *heads.rank_pairs(examples(data / "answers.jsonl.xz")))
    )
    scores = distil.score(model, pairs, device(), "rank", arguments.tokens)
    np.save(data / RANKS, scores[:, 0].astype(np.float16))
    report(f"{len(scores)} pairs ranked, mean {scores.mean():.2f}, deviation {scores.std():.2f}")


def _texts(data: Path, limit: int) -> list[str]:
    """Claims, passages, pieces of passages, and questions."""
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
    ordered = sorted(texts - questions)
    rng.shuffle(ordered)
    ordered = ordered[:limit] + sorted(questions)
    rng.shuffle(ordered)
    return ordered
