"""Everything a session reads, put together from labelled rows, texts and rules.

    python -m training.gather --data SHARED --out DIR [--limit N]

`SHARED` has the folders claims, answers, contrast, status, causal/spans and texts. Contexts are cut
as the judge cuts them: 180 words for the student, 400 for the teacher. Sets whose licence forbids
commercial use are measured on, never learnt from. `--limit` takes every n-th row, for a trial.
"""

import argparse
import json
import lzma
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from groundwire.judge import EVIDENCE_REMOVED
from training import asserted, augment, contexts, edits, made, own
from training.prepare import (
    FULL_WORDS,
    TABLE_MARK,
    Contexts,
    Group,
    Groups,
    Item,
    Variants,
    clip,
    item_of,
    own_sentences,
    read_rows,
    write,
)

TEACHER_WORDS = 400
TEACH_CLAIMS, TEACH_ANSWERS, TEACH_CONTRAST = 95_000, 26_000, 13_000
NON_COMMERCIAL = ("imppres", "sick", "gum_nc")
GIVEN_AWAY = {"dnc": 0.5, "fragments": 0.4, "subjqa": 0.6}
"""Sets whose claim alone tells the label, and the share of them that is kept."""
QUOTED_ROWS = 26_000
MADE_ROWS = 60_000
EVIDENCE_TEXTS = 8_000
STATUSES = {"uncertain": "hedged", "not_counterfactual": "asserted"}
KNOWN_STATUSES = (
    "asserted", "negated", "hedged", "reported", "questioned", "directive", "counterfactual",
)  # fmt: skip
Row = dict[str, Any]


class Sources(NamedTuple):
    """Where to read and write, and the rows that more than one file is made of."""

    shared: Path
    out: Path
    limit: int
    claims: list[Row]
    answers: list[Row]
    contrast: list[Row]
    rng: random.Random


def family(row: Row) -> str:
    return str(row["set"]).split(".")[0]


def of_rows(path: Path, limit: int) -> list[Row]:
    return [row for number, row in enumerate(read_rows(path)) if number % limit == 0]


def spread(rows: list[Row], wanted: int, rng: random.Random) -> list[Row]:
    """Sets by size^0.65, both labels of each alike as far as there are rows."""
    classes: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        classes[row["set"], row["label"]].append(row)
    sizes = Counter(row["set"] for row in rows)
    scale = wanted / sum(size**0.65 for size in sizes.values())
    for _ in range(6):
        taken = {
            key: min(len(members), round(scale * sizes[key[0]] ** 0.65 / 2))
            for key, members in classes.items()
        }
        scale *= wanted / max(1, sum(taken.values()))
    return [row for key, members in classes.items() for row in rng.sample(members, taken[key])]


def teaching(
    claims: list[Row], answers: list[Row], contrast: list[Row], rng: random.Random
) -> list[Group | Row]:
    """What the teacher learns: claims, questions and contrast, seven to two to one."""
    groups, asked, cut = Groups(), Groups(), Contexts()
    share = min(1.0, len(claims) / 100_000)
    rows = spread(claims, int(TEACH_CLAIMS * share), rng)
    rows += spread(contrast, int(TEACH_CONTRAST * share), rng)
    rows += own.claims(kept=False)
    for row in rows:
        context, partial = cut.of(row["evidence"], row["claim"], TEACHER_WORDS)
        if rng.random() < 0.03:
            context = augment.forge(context, rng, supporting=rng.random() < 0.5)
        groups.add(context, Item(**{**vars(item_of(row, {})), "partial": partial}))
    for row in [*spread(answers, int(TEACH_ANSWERS * share), rng), *own.answers(kept=False)]:
        asked.add(row["passage"], asked_item(row))
    return [*groups, *as_answers(asked)]


def asked_item(row: Row) -> Item:
    label3 = "supported" if row["label"] else "refuted"
    return Item(clip(row["question"]), row["label"], label3, row["set"], row["id"])


def as_answers(groups: Iterable[Group]) -> Iterator[Row]:
    for group in groups:
        yield {"task": "answers", "context": group.context, "items": [vars(i) for i in group.items]}


class Student:
    """Pairs for the judge: rows and what rules make of them, quotes, contrast, pairs of before."""

    def __init__(self, rng: random.Random) -> None:
        self.groups, self._cut, self._rng = Groups(), Contexts(), rng

    def add_rows(self, rows: list[Row], teacher: dict[str, float]) -> None:
        by_set: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_set[row["set"]].append(row)
        for row in rows:
            context, partial = self._cut.of(row["evidence"], row["claim"], FULL_WORDS)
            item = Item(**{**vars(item_of(row, teacher)), "partial": partial})
            self.groups.add(context, item)
            variants = Variants(self.groups, self._cut, row, self._rng)
            variants.add_all(by_set[row["set"]], teacher.get(row["id"]))
        own_sentences(self.groups, sorted({row["evidence"] for row in rows}), self._rng)

    def add_pairs(self, pairs: Iterable[Row]) -> None:
        for pair in pairs:
            context, cut = self._cut.of(pair["evidence"], pair["claim"], FULL_WORDS)
            item = Item(clip(pair["claim"]), None, None, "pairs", pair["kind"], pair["p"], cut)
            self.groups.add(context, item)

    def add_contrast(self, rows: list[Row]) -> None:
        for row in rows:
            if self._rng.random() < GIVEN_AWAY.get(family(row), 1.0):
                context, cut = self._cut.of(row["evidence"], row["claim"], FULL_WORDS)
                made_of = vars(item_of(row, {}, kind="contrast"))
                self.groups.add(context, Item(**{**made_of, "partial": cut}))

    def add_quotes(self, rows: list[Row], wanted: int) -> None:
        """The best sentence alone, and the best three: as a verdict's quotes are judged."""
        long = [row for row in rows if len(row["evidence"].split()) >= 30]
        for row in self._rng.sample(long, min(wanted, len(long))):
            for context in self._cut.quotes(row["evidence"], row["claim"]):
                self.groups.add(context, Item(clip(row["claim"]), None, None, "quotes", "quote"))

    def add_made(self, rows: list[Row], wanted: int) -> None:
        by_evidence: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_evidence[row["evidence"]].append(row)
        counts: Counter[str] = Counter()
        most = wanted // 6
        order = self._rng.sample(rows, len(rows))
        for place, row in enumerate(order):
            for one in self._made(row, by_evidence[row["evidence"]], order[place - 1]):
                if counts[one.kind] < most and 3 <= len(one.claim.split()) <= 110:
                    counts[one.kind] += 1
                    self._put(one)
        print(dict(counts))

    def _put(self, one: made.Made) -> None:
        label = None if one.label3 is None else int(one.label3 == "supported")
        item = Item(clip(one.claim), label, one.label3, f"made_{one.kind}", one.kind)
        self.groups.add(one.evidence, item)

    def _made(  # noqa: C901 - one rule after another
        self, row: Row, beside: list[Row], other: Row
    ) -> Iterator[made.Made]:
        rng, claim = self._rng, clip(row["claim"])
        if row["set"].startswith("causal"):
            return
        context, _ = self._cut.of(row["evidence"], claim, FULL_WORDS)
        table = TABLE_MARK in row["evidence"]
        if row["label"] == 1:
            yield from made.quantities(context, claim, rng)
            yield from made.turned(context, claim)
            if table:
                yield from self._cells(row, claim)
            false = [one for one in beside if one["label"] == 0 and one["claim"] != row["claim"]]
            true = [one for one in beside if one["label"] == 1 and one["claim"] != row["claim"]]
            if len(claim.split()) <= 25 and len(context.split()) <= FULL_WORDS:
                edited = edits.edit_number(claim, rng) or edits.swap_name(claim, context, rng)
                if edited:
                    yield from made.conjoined(context, claim, edited, "refuted")
                if false and false[0].get("label3"):
                    worse = clip(false[0]["claim"])
                    yield from made.conjoined(context, claim, worse, false[0]["label3"])
                if true:
                    yield from made.conjoined(context, claim, clip(true[0]["claim"]), "supported")
            unrelated, _ = self._cut.of(other["evidence"], claim, FULL_WORDS)
            if rng.random() < 0.4 and other["set"] != row["set"]:
                yield made.Made("unrelated", unrelated, claim, "neutral")
        if rng.random() < 0.25 and other["set"] != row["set"]:
            yield self._surrounded(row, claim, context, other)
        if table or rng.random() > 0.5:
            return
        sentences = self._cut.sentences(row["evidence"])
        for sentence in sentences[:8]:
            near = context if sentence in context else sentence
            yield from made.certain(sentence, near)
            yield from made.quantities(near, sentence, rng)
            yield from made.turned(near, sentence)
        yield from made.causes(context, [s for s in sentences if s in context], rng)
        if sentences and rng.random() < 0.5:
            yield from made.framed(rng.choice(sentences), rng)

    def _surrounded(self, row: Row, claim: str, context: str, other: Row) -> made.Made:
        words = other["evidence"].split()
        room = max(20, FULL_WORDS - len(context.split()))
        piece = " ".join(words[: self._rng.randint(20, max(21, min(room, 100)))])
        around = self._rng.choice(
            (f"{piece} {context}", f"{context} {piece}", f"{piece} ... {context} ... {piece[:200]}")
        )
        label3 = row.get("label3") or ("supported" if row["label"] else None)
        return made.Made("surrounded", around, claim, label3)

    def _cells(self, row: Row, claim: str) -> Iterator[made.Made]:
        for one in made.cells(row["evidence"], claim, self._rng):
            context, _ = self._cut.of(row["evidence"], one.claim, FULL_WORDS)
            yield made.Made(one.kind, context, one.claim, one.label3)


def held(rows: Iterable[Row], words: int) -> list[Group]:
    """Rows to measure on, with the context the judge would see; `kind` keeps their id."""
    groups, cut = Groups(), Contexts()
    for row in rows:
        context, partial = cut.of(row["evidence"], row["claim"], words)
        item = Item(**{**vars(item_of(row, {}, kind=row["id"])), "partial": partial})
        groups.add(context, item)
    return list(groups)


def off_topic(rows: list[Row], rng: random.Random) -> list[Group]:
    """Supported claims against the evidence of a row of another set: neither yes nor no."""
    groups, cut = Groups(), Contexts()
    supported = [row for row in rows if row["label"] == 1]
    for row in rng.sample(supported, min(600, len(supported))):
        other = rng.choice([one for one in rows if family(one) != family(row)])
        context, _ = cut.of(other["evidence"], row["claim"], FULL_WORDS)
        groups.add(context, Item(clip(row["claim"]), 0, "neutral", row["set"], row["id"]))
    return list(groups)


def texts(shared: Path, claims: list[Row], limit: int, rng: random.Random) -> list[Row]:
    """What is written about: passages of many kinds, each with its neighbour and its like."""
    rows = of_rows(shared / "texts" / "passages.jsonl.xz", limit)
    shown = [next(iter(contexts.of_evidence(row["text"], rng))) for row in rows]
    alike = nearest(shown)
    found: list[Row] = []
    for place, (row, text) in enumerate(zip(rows, shown, strict=True)):
        near = [n for n in (place - 1, place + 1) if 0 <= n < len(rows)]
        near = [n for n in near if rows[n]["repo"] == row["repo"]]
        found.append(
            {
                "context": text,
                "source": row["kind"],
                "without": contexts.without_a_sentence(text, rng)[:1],
                "others": [shown[n] for n in (*near[:1], *alike[place]) if shown[n] != text],
            }
        )
    evidences = sorted({row["evidence"] for row in claims if not family(row).startswith("causal")})
    usable = [one for one in evidences if len(one.split()) >= contexts.LEAST_WORDS]
    for evidence in rng.sample(usable, min(EVIDENCE_TEXTS // limit, len(usable))):
        text = next(iter(contexts.of_evidence(evidence, rng)))
        gaps = contexts.without_a_sentence(text, rng)[:1]
        found.append({"context": text, "source": "evidence", "without": gaps, "others": []})
    for text in own.passages():
        gaps = contexts.without_a_sentence(text, rng)[:1]
        found.append({"context": text, "source": "own", "without": gaps, "others": []})
    rng.shuffle(found)
    return found


def nearest(shown: list[str], count: int = 3, width: int = 1024) -> list[list[int]]:
    """The texts that share the rarest words with each, found by hashed words."""
    counts: Counter[str] = Counter()
    words = [set(re.findall(r"[a-z]{3,}", text.lower())) for text in shown]
    for each in words:
        counts.update(each)
    table = np.zeros((len(shown), width), np.float32)
    for place, each in enumerate(words):
        for word in each:
            table[place, hash_of(word) % width] += np.log(len(shown) / counts[word])
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-6)
    found: list[list[int]] = []
    for start in range(0, len(shown), 1024):
        near = table[start : start + 1024] @ table.T
        near[np.arange(len(near)), start + np.arange(len(near))] = -1
        near[near > 0.95] = -1
        best = np.argpartition(-near, min(count, near.shape[1] - 1), axis=1)[:, :count]
        found += best.tolist()
    return found


def hash_of(word: str) -> int:
    value = 0
    for char in word:
        value = (value * 131 + ord(char)) % 1_000_003
    return value


def statuses(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        status = STATUSES.get(row["status"], row["status"])
        if status in KNOWN_STATUSES:
            kept = {name: row[name] for name in ("set", "text") if name in row}
            mention = row.get("mention") or ""
            yield {**kept, "mention": mention, "status": status, "raw": row["status"]}


def spans(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        pairs = row["relations"]
        if pairs is not None:
            pairs = [[relation["cause"], relation["effect"]] for relation in pairs]
        kept = {name: row.get(name) for name in ("set", "text", "label", "zero")}
        yield {**kept, "relations": pairs}


def write_lines(rows: Iterable[Row], path: Path) -> None:
    with lzma.open(path, "wt", encoding="utf-8", preset=6) as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=list(STEPS))
    arguments = parser.parse_args()
    shared, out, limit = arguments.data, arguments.out, arguments.limit
    out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(3)
    claims = of_rows(shared / "claims" / "train.jsonl.xz", limit)
    answers = of_rows(shared / "answers" / "train.jsonl.xz", limit)
    contrast = of_rows(shared / "contrast" / "train.jsonl.xz", limit)
    contrast = [row for row in contrast if family(row) not in NON_COMMERCIAL]
    for step in arguments.only:
        STEPS[step](Sources(shared, out, limit, claims, answers, contrast, rng))
        print(step, "done", flush=True)


def _heads(s: Sources) -> None:
    asked = Groups()
    for row in (*s.answers, *own.answers(kept=False)):
        asked.add(row["passage"], asked_item(row))
    write_lines(as_answers(asked), s.out / "answers.jsonl.xz")
    for part in ("train", "dev"):
        rows = of_rows(s.shared / "status" / f"{part}.jsonl.xz", s.limit)
        if part == "train":
            rows = [row for row in rows if family(row) not in NON_COMMERCIAL]
        write_lines(statuses(rows), s.out / f"status_{part}.jsonl.xz")
        rows = of_rows(s.shared / "causal" / "spans" / f"{part}.jsonl.xz", s.limit)
        if part == "train":
            rows += own.causes()
        write_lines(spans(rows), s.out / f"spans_{part}.jsonl.xz")


def _held(s: Sources) -> None:
    dev = of_rows(s.shared / "claims" / "dev.jsonl.xz", s.limit)
    write(held(dev, FULL_WORDS), s.out / "dev.jsonl.xz")
    write(held(dev, TEACHER_WORDS), s.out / "dev400.jsonl.xz")
    write(off_topic(dev, s.rng), s.out / "offtopic.jsonl.xz")
    for name, words in (("open", FULL_WORDS), ("open400", TEACHER_WORDS)):
        write(
            held(of_rows(s.shared / "claims" / "open.jsonl.xz", s.limit), words),
            s.out / f"{name}.jsonl.xz",
        )
    write(
        held(of_rows(s.shared / "contrast" / "dev.jsonl.xz", s.limit), FULL_WORDS),
        s.out / "contrast_dev.jsonl.xz",
    )
    write(held(own.claims(kept=True), FULL_WORDS), s.out / "own_dev.jsonl.xz")
    asked = Groups()
    for row in own.answers(kept=True):
        asked.add(row["passage"], asked_item(row))
    write_lines(as_answers(asked), s.out / "own_answers_dev.jsonl.xz")
    asked = Groups()
    for row in of_rows(s.shared / "answers" / "dev.jsonl.xz", s.limit):
        asked.add(row["passage"], asked_item(row))
    write_lines(as_answers(asked), s.out / "answers_dev.jsonl.xz")


def _texts(s: Sources) -> None:
    write_lines(texts(s.shared, s.claims, s.limit, s.rng), s.out / "contexts.jsonl.xz")


def _teach(s: Sources) -> None:
    made_of = teaching(s.claims, s.answers, s.contrast, s.rng)
    write_lines(
        (row if isinstance(row, dict) else as_row(row) for row in made_of), s.out / "teach.jsonl.xz"
    )


def as_row(group: Group) -> Row:
    return {"context": group.context, "items": [vars(item) for item in group.items]}


def _train(s: Sources) -> None:
    teacher = {
        row["id"]: row["p"] for row in read_rows(s.shared / "claims" / "teacher_train.jsonl.xz")
    }
    student = Student(s.rng)
    student.add_rows(s.claims, teacher)
    student.add_contrast(s.contrast)
    student.add_quotes(s.claims, QUOTED_ROWS // s.limit)
    student.add_made(s.claims, MADE_ROWS // s.limit)
    student.add_pairs(of_rows(s.shared / "claims" / "teacher_pairs.jsonl.xz", s.limit))
    groups = list(student.groups)
    for group in groups:
        # where the judge shows that a sentence was taken out, it shows dots
        group.context = group.context.replace(EVIDENCE_REMOVED, "...")
    s.rng.shuffle(groups)
    write(groups, s.out / "train.jsonl.xz")


def _own(s: Sources) -> None:
    groups, cut = Groups(), Contexts()
    for row in (*own.claims(kept=False), *own.beside_others(), *own.copies()):
        context, partial = cut.of(row["evidence"], row["claim"], FULL_WORDS)
        groups.add(context, Item(**{**vars(item_of(row, {})), "partial": partial}))
    write(groups, s.out / "own_train.jsonl.xz")


def _moods(s: Sources) -> None:
    write_lines(
        (
            {"set": row.group, "text": row.text, "open": row.is_open}
            for row in asserted.learnt_from(s.shared)
        ),
        s.out / "moods_train.jsonl.xz",
    )


STEPS = {
    "own": _own,
    "moods": _moods,
    "heads": _heads,
    "held": _held,
    "texts": _texts,
    "teach": _teach,
    "train": _train,
}


if __name__ == "__main__":
    main()
