"""What a student is worth: shown where it may choose, only written down where it is held."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from training import distil, heads
from training.encoder import STATUSES, Judge
from training.groups import Example, examples
from training.measure import auroc, by_set, threshold_without
from training.running import device, report

MAX_TOKENS = 160

Table = dict[str, Any]
ANSWERED_OF_UNANSWERABLE = 0.1


def measure(data: Path, judge: Judge, tokenizer: Tokenizer, part: str, name: str) -> None:
    """Claims dev and slices of the training files are shown; the held parts go into a file."""
    found = examples(data / "train.jsonl.xz")
    contrast = [e for e in found if e.kind == "contrast" and heads.is_slice(e.context)]
    read = (judge, tokenizer)
    begin = data / f"{part}_{name}"
    chosen: Table = {
        "dev": verdicts(examples(data / "dev.jsonl.xz"), *read, Path(f"{begin}_dev.npy")),
        "offtopic": off_topic(examples(data / "offtopic.jsonl.xz"), *read),
        "contrast": verdicts(contrast, *read, None, families=True),
        "own": verdicts(examples(data / "own_dev.jsonl.xz"), *read, Path(f"{begin}_own.npy")),
    }
    held: Table = {
        "open": verdicts(examples(data / "open.jsonl.xz"), *read, Path(f"{begin}_open.npy")),
        "contrast": verdicts(
            examples(data / "contrast_dev.jsonl.xz"),
            *read,
            Path(f"{begin}_contrast.npy"),
            families=True,
        ),
    }
    if part != "judge":
        asked = [e for e in examples(data / "answers.jsonl.xz") if heads.is_slice(e.context)]
        mine = examples(data / "own_answers_dev.jsonl.xz")
        chosen["own answers"] = answers(mine, *read, None)
        chosen["answers"] = answers(asked, *read, None)
        chosen["search"] = found_first(mine, *read)
        public = examples(data / "answers_dev.jsonl.xz")
        held["answers"] = answers(public, *read, Path(f"{begin}_answers.npy"))
    if part != "reader":
        chosen["status"] = statuses(data / "status_train.jsonl.xz", *read, part=True)
        chosen["spans"] = spans(data / "spans_train.jsonl.xz", *read, part=True)
        chosen["open"] = moods(data / "moods_train.jsonl.xz", *read)
        held["status"] = statuses(data / "status_dev.jsonl.xz", *read, part=None)
        held["spans"] = spans(data / "spans_dev.jsonl.xz", *read, part=None)
    for title, table in chosen.items():
        for key, value in table.items():
            report(f"{name} {title} {key} {value}")
    (data / f"chosen_{part}_{name}.json").write_text(json.dumps(chosen, indent=1))
    (data / f"held_{part}_{name}.json").write_text(json.dumps(held, indent=1))
    report("held parts scored")


def found_first(found: list[Example], judge: Judge, tokenizer: Tokenizer) -> Table:
    """Of the questions that a passage answers, how often it is the nearest, and among eight."""
    answered = [example for example in found if example.hard == 0]
    passages = sorted({example.context for example in found})
    asked = heads.texts_of([example.claim for example in answered], tokenizer, MAX_TOKENS)
    told = heads.texts_of(passages, tokenizer, MAX_TOKENS)
    near = distil.score(judge, asked, device(), "vector") @ (
        distil.score(judge, told, device(), "vector").T
    )
    own = np.array([passages.index(example.context) for example in answered])
    place = (near > near[np.arange(len(own)), own][:, None]).sum(1)
    return {"passages": len(passages)} | {
        f"among {most}": round(float((place < most).mean()), 4) for most in (1, 8)
    }


def softmax(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(weights / weights.sum(-1, keepdims=True))


def verdicts(
    found: list[Example],
    judge: Judge,
    tokenizer: Tokenizer,
    out: Path | None,
    *,
    families: bool = False,
) -> Table:
    p = softmax(distil.score(judge, heads.pairs_of(found, tokenizer), device()))
    if out:
        np.save(out, p)
    labels = np.array([int(example.hard == 0) for example in found])
    sets = [example.source for example in found]
    named = [one.split(".")[0] for one in sets] if families else sets
    table: Table = {key: _rounded(row) for key, row in by_set(named, p[:, 0], labels, 0.5).items()}
    apart = threshold_without(sets, p[:, 0], labels)
    table["threshold of others, accuracy"] = {key: _rounded(row) for key, row in apart.items()}
    table["mean accuracy at the threshold of others"] = round(
        float(np.mean([row[1] for row in apart.values()])) if apart else 0.0, 4
    )
    refuted = p[:, 1] >= 0.6
    table["called refuted: supported, others"] = _rounded(
        (refuted[labels == 1].mean(), refuted[labels == 0].mean())
    )
    return table


def off_topic(found: list[Example], judge: Judge, tokenizer: Tokenizer) -> Table:
    p = softmax(distil.score(judge, heads.pairs_of(found, tokenizer), device()))
    return {
        "supported at 0.5": round(float((p[:, 0] >= 0.5).mean()), 4),
        "refuted at 0.6": round(float((p[:, 1] >= 0.6).mean()), 4),
    }


def answers(found: list[Example], judge: Judge, tokenizer: Tokenizer, out: Path | None) -> Table:
    pairs = heads.pairs_of(found, tokenizer)
    scores = distil.score(judge, pairs, device(), "answers")[:, 0]
    ranks = distil.score(judge, pairs, device(), "rank")[:, 0]
    if out:
        np.save(out, np.stack([scores, ranks]))
    labels = np.array([int(example.hard == 0) for example in found])
    sets = [example.source.split(".")[0] for example in found]
    rest = np.array([name != "condaqa" for name in sets])
    table: Table = {
        key: _rounded(row[:1] + row[2:]) for key, row in by_set(sets, scores, labels, 0.0).items()
    }
    others = by_set(
        [n for n, r in zip(sets, rest, strict=True) if r], scores[rest], labels[rest], 0
    )
    table["macro without condaqa"] = round(others["macro"][0], 4)
    table["all without condaqa"] = round(auroc(scores[rest], labels[rest]), 4)
    if (labels == 0).any():
        limit = np.quantile(scores[labels == 0], 1 - ANSWERED_OF_UNANSWERABLE)
        table["answered at 10 % of the unanswerable"] = round(
            float((scores[labels == 1] > limit).mean()), 4
        )
    table["by rank, macro"] = round(by_set(sets, ranks, labels, 0)["macro"][0], 4)
    return table


def statuses(path: Path, judge: Judge, tokenizer: Tokenizer, *, part: bool | None) -> Table:
    read = heads.read_statuses(path, tokenizer, part=part)
    said = distil.score(judge, read.pairs, device(), "status").argmax(-1)
    table: Table = {}
    for title, kept in (("all", np.ones(len(said), bool)), ("without uncertain", ~read.unsure)):
        scores = {
            label: _f1(said[kept] == number, read.labels[kept] == number)
            for number, label in enumerate(STATUSES)
            if (read.labels[kept] == number).any()
        }
        table[title] = {label: round(value, 4) for label, value in scores.items()}
        table[f"macro F1, {title}"] = round(float(np.mean(list(scores.values()))), 4)
    return table


def moods(path: Path, judge: Judge, tokenizer: Tokenizer) -> Table:
    """Area under the curve, by where the sentences are from."""
    read = heads.read_moods(path, tokenizer, part=True)
    said = distil.score(judge, read.pairs, device(), "open")[:, 0]
    names = np.array(read.sets)
    return {
        name: round(auroc(said[names == name], read.is_open[names == name]), 4)
        for name in sorted(set(read.sets))
    }


def spans(path: Path, judge: Judge, tokenizer: Tokenizer, *, part: bool | None) -> Table:
    read = heads.read_spans(path, tokenizer, part=part)
    logits = distil.score_tokens(judge, read.pairs, device())
    table: Table = {}
    names = np.array(read.sets)
    for name in sorted(set(read.sets)):
        counts = np.zeros(3)
        for row in np.flatnonzero(names == name):
            known = read.tags[row] != heads.IGNORED
            said, wanted = logits[row][known, :3].argmax(-1), read.tags[row][known]
            for kind in (heads.CAUSE, heads.EFFECT):
                counts += (
                    ((said == kind) & (wanted == kind)).sum(),
                    (said == kind).sum(),
                    (wanted == kind).sum(),
                )
        if counts[2]:
            table[name] = round(float(2 * counts[0] / max(counts[1] + counts[2], 1)), 4)
    whole = np.array([row[0, 3] for row in logits])
    table["says whether causal"] = round(auroc(whole, read.causal), 4)
    return table


def _f1(said: np.ndarray, wanted: np.ndarray) -> float:
    return float(2 * (said & wanted).sum() / max(said.sum() + wanted.sum(), 1))


def _rounded(row: tuple[float, ...]) -> list[float]:
    return [round(float(value), 4) for value in row]
