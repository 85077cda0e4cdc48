"""Pairs made for the purpose: what small judges confuse, one thing at a time.

Each function yields (kind, evidence, claim, label3). A rule speaks only where it is nearly sure of
its label; where it cannot be, the label is None and the teacher says.
"""

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from training import edits


class Made(NamedTuple):
    kind: str
    evidence: str
    claim: str
    label3: str | None


_FACTORS = {
    ("km", "m"): 1000, ("kg", "g"): 1000, ("g", "mg"): 1000, ("hours", "minutes"): 60,
    ("minutes", "seconds"): 60, ("days", "hours"): 24, ("weeks", "days"): 7, ("years", "months"): 12,  # noqa: E501
    ("litres", "millilitres"): 1000, ("metres", "centimetres"): 100, ("feet", "inches"): 12,
}  # fmt: skip
_UNITS = (
    ("km", "miles", "m", "metres", "feet"), ("kg", "g", "mg", "tonnes", "pounds"),
    ("hours", "minutes", "seconds", "days", "weeks", "months", "years"),
    ("million", "billion", "thousand"), ("percent", "percentage points"), ("MB", "GB", "KB", "TB"),
    ("MW", "kW", "GW"), ("dollars", "euros", "pounds"), ("litres", "gallons", "millilitres"),
)  # fmt: skip
# such as "12 km", "3.5 million", "90 minutes"
_QUANTITY = re.compile(
    r"(?<![\w.])(\d[\d,]*(?:\.\d+)?) ("
    + "|".join(sorted({u for units in _UNITS for u in units}, key=len, reverse=True))
    + r")\b"
)
# such as "may be", "might cause"
_MAY = re.compile(r"\b(?:may|might|could) (?!not\b)(be|have|\w+)\b(?! not)")
_INDICATIVE = {"be": "is", "have": "has"}
# such as "The north is colder than the south."
_THAN = re.compile(
    r"^(.{3,60}?) (is|are|was|were) (more|less|\w+er)((?: \w+)?) than ([^,.;]{3,60})\.?$"
)
# such as "Sales fell after the factory closed."
_BESIDE = re.compile(r"^([^,;]{15,120}?),? (?:after|when|while|before) ([^,;]{15,120}?)\.?$")
_SAID_SO = re.compile(r"\b(?:because|caused|due to|led to|resulted|therefore|so that)\b")

NOT_ASSERTED = (
    "Is it true that {s}?", "Could it be that {s}?", "We plan to find out whether {s}.",
    "The next meeting will discuss whether {s}.", "Suppose that {s}.",
    "If {s}, much would have to change.", "Nobody has shown so far that {s}.",
    "Our hypothesis is that {s}; it has not been tested.", "It is an open question whether {s}.",
    "An earlier draft, since withdrawn, said that {s}.", "Some had hoped that {s}.",
    "Example of a wrong answer: {s}.", "Please check whether {s}.",
)  # fmt: skip
DENIED = (
    "It is not true that {s}.", "It is false that {s}.", "The report denies that {s}.",
    "Contrary to what was said, it is not the case that {s}.", "No, it was never the case that {s}.",  # noqa: E501
)  # fmt: skip
ASSERTED = (
    "It is confirmed that {s}.", "As was shown, {s}.", "In short, {s}.", "It is a fact that {s}.",
    "The report establishes that {s}.",
)  # fmt: skip


def quantities(evidence: str, claim: str, rng: random.Random) -> Iterator[Made]:
    """The same amount in another unit is still so; the same number of another unit is not."""
    found = list(_QUANTITY.finditer(claim))
    if not found:
        return
    match = rng.choice(found)
    number, unit = match.groups()
    units = next(units for units in _UNITS if unit in units)
    other = rng.choice([one for one in units if one != unit])
    swapped = claim[: match.start(2)] + other + claim[match.end(2) :]
    yield Made("unit", evidence, swapped, "refuted")
    value = float(number.replace(",", ""))
    for (large, small), factor in _FACTORS.items():
        for target, changed in ((small, value * factor), (large, value / factor)):
            source = large if target == small else small
            if unit == source and changed == int(changed) and changed > 0:
                right = f"{int(changed):,} {target}"
                yield Made("converted", evidence, _put(claim, match, right), "supported")
                wrong = f"{int(changed * rng.choice((2, 3, 10))):,} {target}"
                yield Made("converted_wrong", evidence, _put(claim, match, wrong), "refuted")
                return


def _put(claim: str, match: re.Match[str], instead: str) -> str:
    return claim[: match.start()] + instead + claim[match.end() :]


def certain(sentence: str, evidence: str) -> Iterator[Made]:
    """What may be so, told as if it were."""
    match = _MAY.search(sentence)
    if match and "?" not in sentence:
        verb = match.group(1)
        said = _INDICATIVE.get(verb, f"does {verb}")
        yield Made("certain", evidence, _put(sentence, match, said), "neutral")


def turned(evidence: str, claim: str) -> Iterator[Made]:
    """Who is more than whom."""
    match = _THAN.match(claim)
    if not match:
        return
    first, verb, more, rest, second = match.groups()
    second, first = second.strip(), first.strip()
    swapped = f"{_upper(second)} {verb} {more}{rest} than {_lower(first)}."
    yield Made("turned", evidence, swapped, "refuted")
    opposite = edits.OPPOSITES.get(more)
    if opposite:
        mirrored = f"{_upper(second)} {verb} {opposite}{rest} than {_lower(first)}."
        yield Made("mirrored", evidence, mirrored, "supported")


def causes(evidence: str, sentences: list[str], rng: random.Random) -> Iterator[Made]:
    """Two things told beside each other are not told as cause and effect."""
    if _SAID_SO.search(evidence):
        return
    for sentence in sentences:
        match = _BESIDE.match(sentence)
        if match:
            claim = f"{match.group(1)} because {match.group(2)}."
            yield Made("coincidence", evidence, claim, "neutral")
            return
    if len(sentences) >= 3:
        first, second = rng.sample(sentences, 2)
        claim = f"{first.rstrip('. ')} because {_lower(second.rstrip('. '))}."
        yield Made("coincidence", evidence, claim, "neutral")


def conjoined(evidence: str, true: str, other: str, label3: str) -> Iterator[Made]:
    """One false half makes the whole false."""
    halves = [true.rstrip(". "), other.rstrip(". ")]
    yield Made("conjoined", evidence, f"{halves[0]}, and {_lower(halves[1])}.", label3)
    yield Made("conjoined", evidence, f"{halves[1]}, and {_lower(halves[0])}.", label3)


def cells(evidence: str, claim: str, rng: random.Random) -> Iterator[Made]:
    """A cell of another row of the same column."""
    rows = [line.split(" | ") for line in evidence.splitlines() if " | " in line]
    rows = [[cell.strip(" |") for cell in row] for row in rows]
    if len(rows) < 3:
        return
    for row in rng.sample(rows[1:], len(rows) - 1):
        for column, cell in enumerate(row):
            others = sorted({r[column] for r in rows[1:] if len(r) == len(row)} - {cell, ""})
            if len(cell) > 1 and others and re.search(rf"(?<!\w){re.escape(cell)}(?!\w)", claim):
                swapped = claim.replace(cell, rng.choice(others), 1)
                yield Made("cell", evidence, swapped, None)
                return


def framed(sentence: str, rng: random.Random) -> Iterator[Made]:
    """A sentence asked, planned, supposed, denied or asserted by its evidence."""
    said = _lower(sentence.rstrip(". "))
    yield Made("not_asserted", rng.choice(NOT_ASSERTED).format(s=said), sentence, "neutral")
    if rng.random() < 0.5:
        yield Made("denied", rng.choice(DENIED).format(s=said), sentence, "refuted")
    if rng.random() < 0.6:
        yield Made("asserted", rng.choice(ASSERTED).format(s=said), sentence, "supported")


def _lower(text: str) -> str:
    """A capital at the start goes, unless the word is a name or an acronym, as far as shown."""
    first = text.split(" ", 1)[0]
    plain = first in _OPENING or (first.istitle() and first.lower().endswith(("s", "ed", "ing")))
    return text[:1].lower() + text[1:] if plain else text


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


_OPENING = frozenset(
    "The A An This That These Those It He She They We There In On At For After Before When While "
    "Some Many Most All Each Both Its His Her Their Our One Two Three".split()
)
