"""Claims edited by rule, so that they say something else than they did.

Each function returns a new claim or None where the rule does not apply. They are deliberately
plain: a wrong label costs more than a missed example.
"""

import random
import re
from collections.abc import Iterator

EDITED_SHARE = 0.25
"""Of the written claims that a rule could edit, by each rule."""

_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w,]*\d)")
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'’-]+(?: (?:of |de |van |the )?[A-Z][\w'’-]+){0,3}")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|will|would|could|should|must|does|did)\b(?! not|n't)",
    re.IGNORECASE,
)
_YEARS = range(1500, 2100)

_OPPOSITES = """\
increase decrease|increased decreased|increases decreases|rise fall|rose fell|rises falls|
rising falling|higher lower|highest lowest|more less|most least|before after|above below|
over under|first last|north south|northern southern|east west|eastern western|won lost|win lose|
positive negative|open closed|opened closed|buy sell|bought sold|up down|always never|all none|
early late|earlier later|old new|older younger|large small|larger smaller|allow forbid|
allowed forbidden|accept reject|accepted rejected|include exclude|includes excludes|begin end|
began ended|success failure|successful unsuccessful|maximum minimum|male female|men women|
man woman|boy girl|father mother|son daughter|brother sister|husband wife|better worse|
best worst|strong weak|stronger weaker|fast slow|faster slower|near far|inside outside|
safe dangerous|common rare|public private|major minor|long short|longer shorter|
approved rejected|gained lost|gain lose|improve worsen|improved worsened|effective ineffective|
agree disagree|agreed disagreed|support oppose|supported opposed|left right|top bottom|
day night|hot cold|cheap expensive|rich poor|full empty|enabled disabled|enable disable|
required optional|mandatory voluntary|encrypted unencrypted|internal external|
synchronous asynchronous|upper lower|input output|before after|million billion|thousand million|
hours minutes|days weeks|months years|weeks months|kilometres miles|mg g|kg tonnes"""
OPPOSITES: dict[str, str] = {}
for _pair in _OPPOSITES.replace("\n", "").split("|"):
    _one, _other = _pair.split(" ")
    OPPOSITES.setdefault(_one, _other)
    OPPOSITES.setdefault(_other, _one)


def edit_number(claim: str, rng: random.Random) -> str | None:
    """Another number of the same form in place of one."""
    found = list(_NUMBER.finditer(claim))
    if not found:
        return None
    match = rng.choice(found)
    text = match.group()
    digits = text.replace(",", "")
    value = float(digits)
    for _ in range(8):
        changed = _another(value, rng)
        places = len(digits.split(".")[1]) if "." in digits else 0
        written = f"{changed:,.{places}f}" if "," in text else f"{changed:.{places}f}"
        if written != text:
            return claim[: match.start()] + written + claim[match.end() :]
    return None


def _another(value: float, rng: random.Random) -> float:
    if value == int(value) and int(value) in _YEARS:
        return value + rng.choice([-1, 1]) * rng.choice([1, 2, 3, 5, 10, 20])
    if value < 20:
        return abs(value + rng.choice([-1, 1]) * rng.choice([1, 2, 3]))
    return value * rng.choice([0.5, 0.8, 0.9, 1.1, 1.25, 1.5, 2, 10, 0.1])


def edit_opposite(claim: str, rng: random.Random) -> str | None:
    places = [
        match for match in re.finditer(r"\b\w+\b", claim) if match.group().lower() in OPPOSITES
    ]
    if not places:
        return None
    match = rng.choice(places)
    word = match.group()
    opposite = OPPOSITES[word.lower()]
    opposite = opposite.capitalize() if word[0].isupper() else opposite
    return claim[: match.start()] + opposite + claim[match.end() :]


def negate(claim: str) -> str | None:
    if re.search(r"\bnot\b|n't\b|\bno\b|\bnever\b", claim, re.IGNORECASE):
        return None
    match = _AUXILIARY.search(claim)
    if match is None or match.start() == 0:
        return None
    return claim[: match.end()] + " not" + claim[match.end() :]


def names_in(text: str) -> list[str]:
    return [match.group() for match in _NAME.finditer(text)]


def swap_name(claim: str, evidence: str, rng: random.Random) -> str | None:
    """A name of the claim replaced by another name of the same evidence."""
    mine = [name for name in names_in(claim) if name in evidence]
    others = [name for name in set(names_in(evidence)) if name not in claim and len(name) > 3]
    if not mine or not others:
        return None
    name = rng.choice(mine)
    return claim.replace(name, rng.choice(sorted(others)), 1)


def swap_roles(claim: str) -> str | None:
    """The two names of a claim in each other's place."""
    names = list(dict.fromkeys(names_in(" " + claim)))
    if len(names) != 2 or names[0] in names[1] or names[1] in names[0]:
        return None
    first, second = names
    return claim.replace(first, "\0").replace(second, first).replace("\0", second)


def edited_claims(claim: str, context: str, rng: random.Random) -> Iterator[str]:
    """The claim with a small change here and there; what that does to it the teacher will say."""
    made = (
        edit_number(claim, rng),
        swap_name(claim, context, rng),
        edit_opposite(claim, rng),
        negate(claim),
    )
    yield from (edited for edited in made if edited and rng.random() < EDITED_SHARE)
