"""Cuts a sentence at its conjunctions into clauses that assert something each.

    A founded B in 1990 and sold it in 2001.   →   A founded B in 1990 · A sold B in 2001

A cut is made only where both sides have a verb and the second's subject is certain.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.text._grammar import (
    AUXILIARIES,
    BE_FORMS,
    INTRANSITIVE,
    MODALS,
    MONTH,
    PREPOSITIONS,
    first_finite,
    is_base,
    is_finite,
    is_past,
    is_present,
    may_be_participle,
    needs_object,
)
from groundwire.text._words import Token, plain, tokens_of

_RELATIVES = frozenset({"which", "who"})
_JOINERS = frozenset({"and", "but", "while", "whereas", ";"})
_BINDERS = frozenset(
    """that which who whom whose if unless when whether because although though until once where
    either neither both between only or""".split()
)
_REPORTING = frozenset(
    """said says say claimed claims believed believes argued argues reported reports stated states
    announced announces denied denies suggested suggests thought thinks told tells warned warns
    wrote writes added adds confirmed confirms explained explains""".split()
)
_SUBJECT_OPENERS = frozenset(
    """the a an this that these those its his her their our my he she it they we i there each every
    all some many most no""".split()
)
_ADVERBS = frozenset(
    """later then also subsequently eventually finally now still never always thereby thus
    consequently currently soon often usually only just""".split()
)
# such as ", and ", "; ", ": ", " but then ", " - ", and the blank of "188 A. Then"
_COORDINATOR = r"(?:and|but|while|whereas|so|then)"
# such as ". The", ", and then ", " but ", " - "
_JOINT = lazy_pattern(
    r"(?<=\.)(?P<stop>\s+)(?=(?-i:[A-Z]))"
    rf"|\s*(?P<mark>[,;:])\s+(?P<after>(?:{_COORDINATOR}\s+)*)"
    rf"|\s+(?P<word>(?:{_COORDINATOR}\s+)+)|\s+(?P<dash>-)-?\s+",
    re.IGNORECASE,
)
# such as "`rm a.py, b.py`"
_CODE = lazy_pattern(r"`[^`]*`")
_MAX_SUBJECT_TOKENS = 14
_SUBJECT_REACH = 9


@dataclass(frozen=True)
class Clause:
    """`text[start:end]` of the sentence; `lead` is what it borrows from the clause before it."""

    start: int
    end: int
    lead: str = ""
    replaced: tuple[int, int, str] | None = None

    def content(self, sentence: str) -> str:
        body = sentence[self.start : self.end]
        if self.replaced is not None:
            start, end, text = self.replaced
            body = body[: start - self.start] + text + body[end - self.start :]
        return f"{self.lead} {body}" if self.lead else body


class Joint(NamedTuple):
    """A place where a sentence might be cut: its mark, and the conjunction in lower case.

    A full stop belongs to what stands before the joint.
    """

    start: int
    end: int
    mark: str
    word: str


def coordinations(text: str, start: int = 0, end: int | None = None) -> Iterator[Joint]:
    """Every place that might join two statements; which of them do, the caller decides.

    "A is up, and B is down": one with the mark "," and the word "and". Code is one word.
    """
    bare = plain(text[start:end])
    code = [match.span() for match in _CODE.finditer(bare)]
    for match in _JOINT.finditer(bare):
        if not any(first < match.start() < last for first, last in code):
            mark = match["mark"] or match["dash"] or ("." if match["stop"] else "")
            word = " ".join((match["after"] or match["word"] or "").lower().split())
            yield Joint(start + match.start(), start + match.end(), mark, word)


def split_clauses(sentence: str) -> list[Clause]:
    """The statements a sentence joins; of a sentence without a word none."""
    tokens = tokens_of(sentence)
    if not tokens:
        return []
    return _with_relative(sentence, tokens) or _coordinated(sentence, tokens)


def _with_relative(sentence: str, tokens: list[Token]) -> list[Clause] | None:
    """ "The bridge, which opened in 1932, has 8 lanes." says two things of the bridge.

    Only where the subject is all that stands before the comma, and both clauses have their verb.
    """
    place = next(
        (
            at
            for at, (mark, word) in enumerate(pairwise(tokens))
            if mark.text == "," and word.low in _RELATIVES
        ),
        None,
    )
    if place is None or place == 0 or place > _MAX_SUBJECT_TOKENS or any(_depths(tokens)):
        return None
    subject, relative = tokens[:place], place + 1
    stop = next((at for at in range(relative, len(tokens)) if tokens[at].text == ","), None)
    if any(is_finite(one.low) or one.text == "," for one in subject) or stop is None:
        return None
    inner, rest = tokens[relative + 1 : stop], tokens[stop + 1 :]
    if len(rest) <= 1 or not inner or not is_finite(inner[0].low) or not is_finite(rest[0].low):
        return None
    who = sentence[subject[0].start : subject[-1].end]
    joint = (subject[-1].end, tokens[relative + 1].start, " ")
    return [
        Clause(subject[0].start, tokens[stop - 1].end, replaced=joint),
        Clause(rest[0].start, tokens[-1].end, lead=who),
    ]


def _coordinated(sentence: str, tokens: list[Token]) -> list[Clause]:
    depths = _depths(tokens)
    clauses: list[Clause] = []
    first, lead = 0, ""
    replaced: tuple[int, int, str] | None = None
    for place, token in enumerate(tokens):
        if token.low not in _JOINERS or depths[place] or place <= first + 1:
            continue
        borrowed = _borrowed(tokens, first, place, sentence, lead)
        if borrowed is None:
            continue
        clauses.append(_clause(tokens, first, place, lead, replaced))
        replaced = _object_for_it(tokens, first, place, sentence)
        first, lead = place + 1, borrowed
    clauses.append(_clause(tokens, first, len(tokens), lead, replaced))
    return clauses


def _clause(
    tokens: list[Token],
    first: int,
    stop: int,
    lead: str,
    replaced: tuple[int, int, str] | None,
) -> Clause:
    last = stop - 1
    while last > first and tokens[last].text in ",;:":
        last -= 1
    return Clause(tokens[first].start, tokens[last].end, lead, replaced)


def _depths(tokens: list[Token]) -> list[bool]:
    """Whether each token stands inside brackets or quotation marks."""
    inside: list[bool] = []
    brackets, quoted = 0, False
    for token in tokens:
        if token.text in "([{":
            brackets += 1
        elif token.text in ")]}":
            brackets = max(0, brackets - 1)
        elif token.text in '"“”':
            quoted = not quoted
        inside.append(brackets > 0 or quoted)
    return inside


def _borrowed(tokens: list[Token], first: int, place: int, sentence: str, lead: str) -> str | None:
    """What the clause after the conjunction lacks: "" when it stands alone, None for no cut."""
    left, right = tokens[first:place], tokens[place + 1 :]
    if not right or any(token.low in _BINDERS for token in left):
        return None
    verb = _main_verb(left, has_lead=bool(lead))
    if verb is None or any(token.low in _REPORTING for token in left):
        return None
    if _stands_alone(right, after_comma=left[-1].text == ","):
        return None if _is_joint_subject(left[verb], right) else ""
    if tokens[place].low not in {"and", "but"}:
        return None
    return _shared_subject(left, verb, right, sentence, lead)


def _main_verb(left: list[Token], *, has_lead: bool) -> int | None:
    if has_lead:
        return 0
    verb = _own_verb(left)
    return verb if verb is not None and verb <= _MAX_SUBJECT_TOKENS else None


def _own_verb(tokens: list[Token]) -> int | None:
    """Where the first finite verb stands that is neither in brackets nor a bare participle."""
    inside = _depths(tokens)
    verb = first_finite(tokens)
    while verb is not None and (inside[verb] or _is_bare_participle(tokens, verb)):
        verb = first_finite(tokens, verb)
    return verb


def _is_bare_participle(tokens: list[Token], place: int) -> bool:
    """ "built" in "the ferry built in 1990", "rated" in "the fan rated 3 kW failed".

    It lacks the object it needs, or the verb comes after it.
    """
    if not may_be_participle(tokens[place].low) or tokens[place].low in AUXILIARIES:
        return False
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is None or not (following.low in PREPOSITIONS or following.text[0].isdigit()):
        return False
    # "decided to sell": what is done, no place
    lacks_object = following.low in PREPOSITIONS - {"to"} and needs_object(tokens[place].low)
    return lacks_object or _verb_follows(tokens[place + 1 :])


def _verb_follows(tokens: list[Token]) -> bool:
    """Whether the same clause goes on to a verb: "in 2001 sank"; not "in 2001, when it sank"."""
    for place, token in enumerate(tokens):
        if token.low in _BINDERS | _JOINERS | _SUBJECT_OPENERS or token.text in ",:()":
            return False
        is_verb = token.low in AUXILIARIES or is_past(token.low)
        if place and is_verb and token.text != MONTH:
            return not _is_bare_participle(tokens, place)
    return False


def _is_joint_subject(verb: Token, right: list[Token]) -> bool:
    """Whether the participle of the second subject is the form that was the first's verb: "the gate
    opened in May and the gate opened in June leak"."""
    own = _own_verb(right[: _SUBJECT_REACH + 1])
    return any(token.low == verb.low for token in right[:own]) and may_be_participle(verb.low)


def _stands_alone(right: list[Token], *, after_comma: bool) -> bool:
    opener = right[0]
    plain = opener.low not in _SUBJECT_OPENERS and not opener.is_capitalised
    if plain and (not after_comma or opener.low in PREPOSITIONS or is_finite(opener.low)):
        return False
    verb = _own_verb(right[: _SUBJECT_REACH + 1])
    if verb is None or any(token.text in ",;" for token in right[:verb]):
        return False
    return not any(token.low in {"and", "or"} for token in right[:verb])


def _shared_subject(
    left: list[Token], verb: int, right: list[Token], sentence: str, lead: str
) -> str | None:
    """The subject (and auxiliary) that "and sold it" takes from "A founded B"."""
    start = 1 if right[0].low in _ADVERBS and len(right) > 1 else 0
    subject = lead or _subject_text(left, verb, sentence)
    if not subject or verb >= len(left) - 1:
        return None
    main, word = left[verb].low, right[start].low
    if word in AUXILIARIES:
        return subject
    if main in AUXILIARIES:
        return _after_auxiliary(left, verb, right[start:], sentence, subject)
    same_past = is_past(main) and is_past(word)
    same_present = is_present(main) and is_present(word)
    return subject if same_past or same_present else None


def _after_auxiliary(
    left: list[Token], verb: int, right: list[Token], sentence: str, subject: str
) -> str | None:
    """`was founded … and sold`: the second verb may share the auxiliary too."""
    main, word = left[verb].low, right[0].low
    end = _auxiliary_end(left, verb)
    if end >= len(left) - 1:
        return None
    shared = f"{subject} {sentence[left[verb].start : left[end - 1].end]}"
    first = left[end].low
    if main in MODALS:
        return shared if is_base(word) and is_base(first) else None
    if is_past(word) and is_past(first):
        return shared if _reads_passive(right) else subject
    return subject if main in BE_FORMS and is_present(word) else None


def _auxiliary_end(left: list[Token], verb: int) -> int:
    place = verb
    while place < len(left) and (
        left[place].low in AUXILIARIES or left[place].low in BE_FORMS or left[place].low == "not"
    ):
        place += 1
    return place


def _reads_passive(right: list[Token]) -> bool:
    """`and sold in 2001` is passive, `and won three prizes` and `and died in 2001` are not."""
    if right[0].low in INTRANSITIVE:
        return False
    if len(right) == 1:
        return True
    following = right[1].low
    return following in PREPOSITIONS or following.endswith("ly") or following in ".,;"


def _subject_text(left: list[Token], verb: int, sentence: str) -> str:
    """The words before the verb, without an opening phrase that ends in a comma."""
    start = 0
    for place in range(verb):
        if left[place].text == ",":
            start = place + 1
    if start >= verb:
        return ""
    if left[verb - 1].low in _ADVERBS and verb - 1 > start:
        verb -= 1
    return sentence[left[start].start : left[verb - 1].end]


def _object_for_it(
    tokens: list[Token], first: int, place: int, sentence: str
) -> tuple[int, int, str] | None:
    """`it` right after the second verb means the named object of the first."""
    right = tokens[place + 1 : place + 4]
    spot = next((token for token in right if token.low == "it"), None)
    verb = _own_verb(tokens[first:place])
    if spot is None or verb is None or not (is_past(right[0].low) or is_present(right[0].low)):
        return None
    named: list[Token] = []
    for token in tokens[first + verb + 1 : place]:
        if not (token.is_capitalised or (not named and token.low == "the")):
            break
        named.append(token)
    if not any(token.is_capitalised for token in named):
        return None
    return spot.start, spot.end, sentence[named[0].start : named[-1].end]
