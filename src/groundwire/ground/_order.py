"""What opens or ends a sentence put where the plain reading looks for it.

`Owing to the fog the ferry waited` gets its comma, `the ferry waited as a result` its link in
front, and `No sooner had the lid closed than it burst` becomes a reason and what followed.
"""

import re
from typing import NamedTuple

from groundwire.ground._joints import DETERMINERS, boundaries, has_verb, looks_past
from groundwire.ground._lexicon import find_cues
from groundwire.ground._open import open_clauses
from groundwire.text import Token, is_auxiliary, is_finite, is_preposition, marks_in, tokens_of

# such as ", in turn," between a subject and its verb
_INSERTED = re.compile(
    r",\s+(?:in\s+(?:turn|fact|effect|the\s+end)|of\s+course|however|too|as\s+well|then|\w+ly)\s*,\s+",
    re.IGNORECASE,
)
# such as "… as a result", "… because of it": what it results from was said before
_AT_END = re.compile(
    r"[\s,]+(?:as\s+an?\s+(?:direct\s+)?(?:result|consequence)|in\s+(?:consequence|response|this\s+way)"
    r"|for\s+(?:this|that)\s+reason|(?:because\s+of|on\s+account\s+of|owing\s+to|due\s+to|through)"
    r"\s+(?:it|this|that))\s*(?=[.;:!]|$)",
    re.IGNORECASE,
)
# such as "Owing to", "As a consequence of", "With": what follows it is the reason
_FRONTED = re.compile(
    r"^(?:because\s+of|owing\s+to|due\s+to|thanks\s+to|on\s+account\s+of|in\s+consequence\s+of"
    r"|as\s+(?:a|the)\s+(?:\w+\s+)?(?:result|consequence)\s+of|with|without)\s+",
    re.IGNORECASE,
)
# such as "With the motors dead, the vents stayed shut"
_WITH = re.compile(
    r"^with\s+(?!(?:regard|respect|reference|effect|the\s+(?:exception|help|aim|intention|benefit))\b)"
    r"(?P<state>[^,;]{4,90}),\s+(?=\w)",
    re.IGNORECASE,
)
# such as "No sooner had the lid closed than it burst"
_NO_SOONER = re.compile(
    r"^(?:no\s+sooner|hardly|scarcely)\s+had\s+(?P<first>[^,;]{4,90}?),?\s+(?:than|when)\s+(?=\w)",
    re.IGNORECASE,
)
# such as "The ferry lost steering when sea water shorted the controller"
_WHEN = re.compile(
    r"^(?P<effect>(?:[^,;:]|:(?=\d)){8,120}?),?\s+(?:when|(?=as\s[^,;]{4,60}\shad\s)as)\s+"
    r"(?P<cause>[^,;:]{8,120}?)(?=[.;:]|$)",
    re.IGNORECASE,
)
# such as "The auditors traced the loss to a second payment", "puts this down to the frost"
_TRACED = re.compile(
    r"^.{2,60}?(?<!\bwas)(?<!\bwere)(?<!\bbeen)(?<!\bbe)\s"
    r"(?:(?:traces?|traced|attributes?|attributed|ascribes?|ascribed)\s+(?!back\b|to\b)"
    r"(?P<traced>[^,;:]{3,90}?)\s+(?:back\s+)?to|puts?\s+(?P<put>[^,;:]{3,90}?)\s+down\s+to)\s+"
    r"(?P<cause>[^,;:]{3,120}?)(?=[.,;:]|$)",
    re.IGNORECASE,
)


_NOT_TOLD = frozenset({"asked", "conditional", "hedged", "ordered", "negated"})


class Ordered(NamedTuple):
    """`is_open`: the wording tells of time or of circumstance; the learned reader decides."""

    text: str
    is_open: bool = False


def ordered(sentence: str) -> Ordered:
    text = _fronted(_at_front(_INSERTED.sub(" ", sentence)))
    soon = _NO_SOONER.match(text)
    if soon:
        return Ordered(f"Because {soon['first']}, {text[soon.end() :]}", is_open=True)
    given = _WITH.match(text)
    if given and has_verb(text[given.end() :]):
        return Ordered(f"Because {given['state']}, {text[given.end() :]}", is_open=True)
    traced = _TRACED.match(text)
    if traced:
        effect = traced["traced"] or traced["put"]
        return Ordered(f"{effect} was due to {traced['cause']}{text[traced.end() :]}")
    when = _WHEN.match(text)
    if (
        when
        and all(map(_tells, (when["effect"], when["cause"])))
        and not any(mark.label in _NOT_TOLD for mark in marks_in(text))
        and not _is_read(text)
    ):
        after = text[when.end() :]
        return Ordered(f"Because {when['cause']}, {when['effect']}{after}", is_open=True)
    return Ordered(text)


def _is_read(sentence: str) -> bool:
    """What says by itself what caused what: `when` then only tells of the circumstances."""
    return bool(find_cues(sentence)) or next(open_clauses(sentence), None) is not None


def _tells(clause: str) -> bool:
    """Whether a clause tells what happened: `sea water shorted the controller`."""
    tokens = [one for one in tokens_of(clause) if one.text[0].isalnum()]
    return any(_is_verb(tokens, place) for place in range(1, len(tokens)))


def _is_verb(tokens: list[Token], place: int) -> bool:
    before = tokens[place - 1].low
    if before in DETERMINERS or is_preposition(before):
        return False
    low = tokens[place].low
    return is_auxiliary(low) or is_finite(low) or looks_past(low)


def _at_front(sentence: str) -> str:
    """`the belt tore, and sorting stopped as a result`: the belt tore, so sorting stopped."""
    found = _AT_END.search(sentence)
    if found is None:
        return sentence
    head, rest = sentence[: found.start()], sentence[found.end() :]
    joints = [one for one in boundaries(head) if not one.shares]
    if not joints:
        return f"As a result, {head}{rest}"
    last = joints[-1]
    return f"{head[: last.start]}, so {head[last.end :]}{rest}"


def _fronted(sentence: str) -> str:
    """A comma between `Owing to the fog` and `the ferry waited`."""
    cue = _FRONTED.match(sentence)
    if cue is None:
        return sentence
    tokens = tokens_of(sentence[cue.end() :])
    words = [one for one in tokens if one.text[0].isalnum() or one.text in ",;:"]
    for place in range(2, len(words)):
        if words[place].text in ",;:":
            return sentence
        opens = words[place].low in DETERMINERS and words[place - 1].low not in DETERMINERS
        if opens and not is_preposition(words[place - 1].low):
            at = cue.end() + words[place].start
            is_clause = _tells(sentence[at:].split(",", maxsplit=1)[0])
            return f"{sentence[:at].rstrip()}, {sentence[at:]}" if is_clause else sentence
    return sentence
