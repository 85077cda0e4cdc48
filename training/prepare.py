"""Turns labelled rows into the groups that teacher and student learn from.

A group is one context and the claims judged by it. Contexts are what the judge will really see:
short evidence whole, long evidence narrowed by `groundwire.judge`, some with distractors, forged
verdicts or their support scrubbed.

    python -m training.prepare --rows DIR --out DIR
"""

import argparse
import json
import lzma
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from groundwire.judge import EVIDENCE_REMOVED, MAX_QUOTED, Evidence, with_and_without
from groundwire.model import EvidenceBundle
from groundwire.text import sentence_ranges
from training import augment, edits

FULL_WORDS = 180
"""As many as the judge is shown."""
LONG_CLAIM_WORDS = 55
MAX_CLAIM_WORDS = 110
TABLE_MARK = " | "


@dataclass
class Item:
    """A claim, what is known of it, and how it came about.

    `label` 1 supported, 0 not, None unknown; `label3` tells refuted from neutral where known;
    `teacher` is an earlier teacher's probability of support; `partial` says that the context is
    only part of what the label was given for.
    """

    claim: str
    label: int | None
    label3: str | None
    source: str
    kind: str
    teacher: float | None = None
    partial: bool = False


@dataclass
class Group:
    context: str
    items: list[Item] = field(default_factory=list)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


class Groups:
    """Groups by context: claims that share one are read together."""

    def __init__(self) -> None:
        self._by_context: dict[str, Group] = {}

    def add(self, context: str, item: Item) -> None:
        self._by_context.setdefault(context, Group(context)).items.append(item)

    def __iter__(self) -> Iterator[Group]:
        return iter(self._by_context.values())


class Contexts:
    """The context of a claim: what the judge would choose of the evidence, and would show of it."""

    def __init__(self) -> None:
        self._cache: dict[str, Evidence] = {}

    def of(self, evidence: str, claim: str, words: int) -> tuple[str, bool]:
        """The context and whether anything was left out for its length."""
        size = len(evidence.split())
        if size <= words and TABLE_MARK not in evidence:
            return evidence, False
        parts = self._parts(evidence)
        chosen = parts.text(parts.narrow(claim, words))
        return chosen or " ".join(evidence.split()[:words]), size > words

    def quotes(self, evidence: str, claim: str) -> Iterator[str]:
        """The best sentence alone and the best three, each with what it refers back to."""
        parts = self._parts(evidence)
        near = parts.matches(claim)
        ranked = sorted(near, key=lambda place: (-sum(near[place].values()), place))
        for count in (1, MAX_QUOTED):
            if len(ranked) >= count and len(parts.sentences) > count:
                yield parts.text(parts.with_references(tuple(sorted(ranked[:count]))))

    def sentences(self, evidence: str) -> list[str]:
        """Those long enough to say something, and asserted."""
        return [
            sentence.text
            for sentence in self._parts(evidence).sentences
            if 6 <= sentence.words <= 40 and not sentence.read_as.held_back
        ]

    def _parts(self, evidence: str) -> Evidence:
        if evidence not in self._cache:
            if len(self._cache) > 2000:
                self._cache.clear()
            self._cache[evidence] = Evidence([EvidenceBundle.of(evidence, "d")])
        return self._cache[evidence]


def clip(claim: str) -> str:
    return " ".join(claim.split()[:MAX_CLAIM_WORDS])


def item_of(row: dict[str, Any], teacher: dict[str, float], kind: str = "row") -> Item:
    return Item(
        claim=clip(row["claim"]),
        label=row["label"],
        label3=row.get("label3"),
        source=row["set"],
        kind=kind,
        teacher=teacher.get(row["id"]),
    )


def add_row(
    groups: Groups, contexts: Contexts, row: dict[str, Any], item: Item, words: int
) -> None:
    context, partial = contexts.of(row["evidence"], row["claim"], words)
    groups.add(context, Item(**{**asdict(item), "partial": partial}))


class Variants:
    """What the rules make of one row. Each is drawn rarely enough to stay a minority."""

    def __init__(
        self, groups: Groups, contexts: Contexts, row: dict[str, Any], rng: random.Random
    ) -> None:
        self._groups, self._contexts, self._row, self._rng = groups, contexts, row, rng
        self._context, self._partial = contexts.of(row["evidence"], row["claim"], FULL_WORDS)
        self._claim, self._label = clip(row["claim"]), row["label"]
        self._size = len(self._context.split())
        self._is_table = TABLE_MARK in self._context
        self._is_causal = row["set"].startswith("causal")

    def add_all(self, others: list[dict[str, Any]], teacher: float | None) -> None:
        if self._label == 1 and not self._partial and not self._is_causal:
            self._add_edited()
        self._add_forged()
        self._add_scrubbed()
        self._add_distracted(others)
        self._add_narrower(teacher)
        if self._label == 1 and len(self._claim.split()) > LONG_CLAIM_WORDS:
            self._add_parts()

    def _add(
        self, claim: str | None, label: int | None, label3: str | None, kind: str, context: str
    ) -> None:
        if (claim and claim != self._claim) or context != self._context:
            text, source = clip(claim or self._claim), self._row["set"]
            self._groups.add(
                context, Item(text, label, label3, source, kind, partial=self._partial)
            )

    def _add_unsupported(self, claim: str | None, kind: str, label3: str | None = None) -> None:
        self._add(claim, 0, label3, kind, self._context)

    def _add_edited(self) -> None:
        claim, rng = self._claim, self._rng
        numbers_shown = not self._is_table and any(c.isdigit() for c in claim)
        if numbers_shown and rng.random() < 0.6:
            self._add_unsupported(edits.edit_number(claim, rng), "number")
        if rng.random() < 0.25:
            self._add_unsupported(edits.negate(claim), "negation", "refuted")
        if rng.random() < 0.25:
            self._add_unsupported(edits.edit_opposite(claim, rng), "opposite")
        if rng.random() < 0.3:
            self._add_unsupported(edits.swap_name(claim, self._context, rng), "name")
        if rng.random() < 0.3:
            self._add_unsupported(edits.swap_roles(claim), "roles")

    def _add_forged(self) -> None:
        if self._rng.random() < 0.06:
            # both kinds for both labels: a verdict in the evidence must tell nothing either way
            forged = augment.forge(self._context, self._rng, supporting=self._rng.random() < 0.5)
            self._add(self._claim, self._label, self._row.get("label3"), "forged", forged)

    def _add_scrubbed(self) -> None:
        usable = self._label == 1 and self._size >= 25 and not self._is_table
        if usable and self._rng.random() < 0.25:
            scrubbed = augment.scrub_support(self._context, self._claim, EVIDENCE_REMOVED)
            if scrubbed:
                self._add(self._claim, 0, None, "scrubbed", scrubbed)

    def _add_distracted(self, others: list[dict[str, Any]]) -> None:
        if self._size <= 60 and not self._is_causal and self._rng.random() < 0.35:
            context = distracted(self._context, others, self._rng)
            self._add(self._claim, self._label, self._row.get("label3"), "distracted", context)

    def _add_narrower(self, teacher: float | None) -> None:
        if self._size < 80 or self._rng.random() >= 0.6:
            return
        words = self._rng.randint(50, min(150, self._size))
        narrower, cut = self._contexts.of(self._row["evidence"], self._row["claim"], words)
        if cut:
            keeps = self._label if self._label == 0 else None
            made = Item(self._claim, keeps, None, self._row["set"], "narrow", teacher, partial=True)
            self._groups.add(narrower, made)

    def _add_parts(self) -> None:
        for start, end in sentence_ranges(self._row["claim"]):
            part = self._row["claim"][start:end]
            if len(part.split()) >= 5:
                where, cut = self._contexts.of(self._row["evidence"], part, FULL_WORDS)
                made = Item(clip(part), 1, None, self._row["set"], "part", partial=cut)
                self._groups.add(where, made)


def distracted(context: str, others: list[dict[str, Any]], rng: random.Random) -> str:
    """The context among sentences of other evidence of its kind."""
    around = [context]
    for _ in range(rng.randint(1, 4)):
        other = rng.choice(others)["evidence"]
        piece = " ".join(other.split()[:60])
        around.insert(rng.randint(0, len(around)), piece)
    return " ".join(around)


def own_sentences(groups: Groups, evidences: Iterable[str], rng: random.Random) -> None:
    """Sentences of long evidence: supported as they stand, not when edited."""
    for evidence in evidences:
        words = len(evidence.split())
        if words < 60 or words > FULL_WORDS or TABLE_MARK in evidence or rng.random() > 0.5:
            continue
        sentences = [evidence[start:end] for start, end in sentence_ranges(evidence)]
        usable = [s for s in sentences if 6 <= len(s.split()) <= 40]
        if not usable:
            continue
        sentence = rng.choice(usable)
        groups.add(evidence, Item(sentence, 1, "supported", "own", "own"))
        edited = edits.edit_number(sentence, rng) or edits.negate(sentence)
        if edited:
            groups.add(evidence, Item(edited, 0, None, "own", "own_edit"))
        other = rng.choice(usable)
        rest = " ".join(s for s in sentences if s != other)
        groups.add(rest, Item(other, 0, None, "own", "own_removed"))


def build(rows_dir: Path, seed: int) -> list[Group]:
    rng = random.Random(seed)
    teacher = {row["id"]: row["p"] for row in read_rows(rows_dir / "teacher_train.jsonl.xz")}
    rows = list(read_rows(rows_dir / "train.jsonl.xz"))
    by_set: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_set[row["set"]].append(row)
    groups, contexts = Groups(), Contexts()
    for row in rows:
        add_row(groups, contexts, row, item_of(row, teacher), FULL_WORDS)
        variants = Variants(groups, contexts, row, rng)
        variants.add_all(by_set[row["set"]], teacher.get(row["id"]))
    own_sentences(groups, {row["evidence"] for row in rows}, rng)
    for pair in read_rows(rows_dir / "teacher_pairs.jsonl.xz"):
        row = {**pair, "set": "pairs", "label": None}
        item = Item(clip(pair["claim"]), None, None, "pairs", pair["kind"], pair["p"])
        add_row(groups, contexts, row, item, FULL_WORDS)
    return list(groups)


def evaluation(rows_dir: Path, name: str) -> list[Group]:
    """Rows of a held-out part with the context the judge would see; `kind` keeps their id."""
    groups, contexts = Groups(), Contexts()
    for row in read_rows(rows_dir / f"{name}.jsonl.xz"):
        add_row(groups, contexts, row, item_of(row, {}, kind=row["id"]), FULL_WORDS)
    return list(groups)


def scrubbed(rows_dir: Path) -> list[Group]:
    """The rows of dev with the context that p0 is judged by."""
    groups = Groups()
    for row in read_rows(rows_dir / "dev.jsonl.xz"):
        evidence = Evidence([EvidenceBundle.of(row["evidence"], "d")])
        _, without = with_and_without(evidence, row["claim"], FULL_WORDS)
        groups.add(without.replace(EVIDENCE_REMOVED, "..."), item_of(row, {}, kind=row["id"]))
    return list(groups)


def write(groups: Iterable[Group], path: Path) -> None:
    with lzma.open(path, "wt", encoding="utf-8", preset=6) as out:
        for group in groups:
            out.write(json.dumps(asdict(group), ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    write(build(arguments.rows, arguments.seed), arguments.out / "train.jsonl.xz")
    for name in ("dev", "open"):
        write(evaluation(arguments.rows, name), arguments.out / f"{name}.jsonl.xz")
    write(scrubbed(arguments.rows), arguments.out / "scrubbed.jsonl.xz")


if __name__ == "__main__":
    main()
