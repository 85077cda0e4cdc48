"""Causal networks as prose: known edges stated in many ways, beside sentences that mislead."""

import random
import re
from dataclasses import dataclass, field
from pathlib import Path

STATED = (
    "{a} causes {b}.",
    "{A} led to {b}.",
    "{B} was caused by {a}.",
    "{B} is due to {a}.",
    "Because of {a}, {b} was observed.",
    "{A} results in {b}.",
    "{B} results from {a}.",
    "{A} triggers {b} within minutes.",
    "{B} is triggered by {a}.",
    "A change in {a} brings about a change in {b}.",
    "{A} has a direct effect on {b}.",
    "{A} directly influences {b}.",
    "{B} is strongly influenced by {a}.",
    "{B} depends on {a}.",
    "{A} affects {b}, as every engineer here knows.",
    "{A} gives rise to {b}.",
    "The main cause of {b} is {a}.",
    "{A} is one of the causes of {b}.",
    "The reason for {b} was {a}.",
    "{A} contributes to {b}.",
    "{B} stems from {a}.",
    "As a result of {a}, {b} appeared.",
    "When the team looked closer, they found that {a} drives {b}.",
    "Investigations confirmed that {b} was brought about by {a}.",
    "{A} was present, and as a consequence {b} followed.",
    "{A} was present. This led to {b}.",
    "{A} came first; therefore {b} had to follow.",
    "{B} occurred because {a} had occurred.",
    "Since {a} was abnormal, {b} was abnormal too.",
    "{A} is responsible for {b}.",
    "{A} produced {b} in every trial.",
    "It was {a} that caused {b}.",
    "{B} arises from {a} in most cases.",
    "{B} can be traced back to {a}.",
    "{B} is a consequence of {a}.",
    "{A} determines {b}.",
    "{A}, in turn, provokes {b}.",
    "Owing to {a}, the plant saw {b}.",
    "{A} increases {b}.",
    "{A} → {b}.",
    "What we saw was {b}, caused by {a}.",
    "Changes of {a} propagate to {b}.",
    "{B} owes its state to {a}.",
    "Switch {a} off and {b} disappears.",
)
"""The last one is said without any causal word: nothing here reads it."""
CORRELATED = (
    "{A} and {b} were seen at the same time.",
    "{A} is correlated with {b}.",
    "{A} coincided with {b}.",
    "{B} often occurs together with {a}.",
    "{A} is associated with {b} in our records.",
    "{B} was recorded alongside {a}.",
    "{A} and {b} rose together during the week.",
    "{B} was observed after {a}.",
    "{A} goes hand in hand with {b}.",
    "Whenever the chart shows {a}, it also shows {b}.",
)
NEGATED = (
    "{A} did not cause {b}.",
    "{B} was not caused by {a}.",
    "There is no evidence that {a} leads to {b}.",
    "{A} was ruled out as a cause of {b}.",
    "{A} has nothing to do with {b}.",
)
SUPPOSED = (
    "{A} may have caused {b}.",
    "If {a} persists, it could lead to {b}.",
    "It is unclear whether {a} causes {b}.",
    "Some suspect that {a} triggers {b}.",
    "{B} might be due to {a}.",
)
FILLER = (
    "The readings were taken every hour.",
    "Two colleagues reviewed the record.",
    "Nothing else was noted on that day.",
    "The table is kept in the archive.",
    "A second measurement is planned.",
)


@dataclass(frozen=True)
class Pair:
    kind: str
    cause: str
    effect: str
    template: str = ""


@dataclass
class Rendered:
    name: str
    variables: list[str]
    pairs: list[Pair] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)


def read_bif(path: Path) -> tuple[list[str], list[tuple[str, str]]]:
    text = path.read_text(encoding="utf-8", errors="replace")
    variables = re.findall(r"^variable\s+(\S+)", text, re.MULTILINE)
    edges = [
        (parent.strip(), child.strip())
        for child, parents in re.findall(
            r"^probability\s*\(\s*(\S+)\s*\|([^)]*)\)", text, re.MULTILINE
        )
        for parent in parents.split(",")
    ]
    return variables, edges


def render(path: Path, seed: int, sentences_each: int = 8) -> Rendered:
    """Every true edge is stated once; misleading sentences stand between them."""
    chance = random.Random(f"{path.stem}{seed}")
    variables, edges = read_bif(path)
    rendered = Rendered(path.stem, variables)
    free = _unrelated(variables, edges, chance)
    lines = [_stated(rendered, "true", STATED, edge, chance) for edge in edges]
    for kind, templates in (
        ("correlation_only", CORRELATED),
        ("negated", NEGATED),
        ("hypothetical", SUPPOSED),
    ):
        share = [free.pop() for _ in range(min(len(free), max(2, len(edges) // 3)))]
        lines += [_stated(rendered, kind, templates, edge, chance) for edge in share]
    rendered.pairs += [Pair("reversed", child, parent) for parent, child in edges]
    rendered.pairs += [Pair("invented", *edge) for edge in free[: len(edges)]]
    lines += [chance.choice(FILLER) for _ in range(len(lines) // 4)]
    chance.shuffle(lines)
    for start in range(0, len(lines), sentences_each):
        body = " ".join(lines[start : start + sentences_each])
        number = start // sentences_each + 1
        rendered.documents.append(f"# Notes {number} on {path.stem}\n\n{body}\n")
    return rendered


def _unrelated(
    variables: list[str], edges: list[tuple[str, str]], chance: random.Random
) -> list[tuple[str, str]]:
    joined = set(edges) | {(child, parent) for parent, child in edges}
    pairs = [(a, b) for a in variables for b in variables if a < b and (a, b) not in joined]
    chance.shuffle(pairs)
    return [pair if chance.random() < 0.5 else (pair[1], pair[0]) for pair in pairs]


def _stated(
    rendered: Rendered,
    kind: str,
    templates: tuple[str, ...],
    edge: tuple[str, str],
    chance: random.Random,
) -> str:
    template = chance.choice(templates)
    rendered.pairs.append(Pair(kind, *edge, template))
    a, b = (_written(name, chance) for name in edge)
    return template.format(a=a, b=b, A=a[:1].upper() + a[1:], B=b[:1].upper() + b[1:])


def _written(name: str, chance: random.Random) -> str:
    """As it is spelled, or taken apart as people would write it."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)
    return chance.choice([name, apart, f"the {apart}"])
