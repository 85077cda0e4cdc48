"""What opens or ends a sentence put where the plain reading looks for it.

`Owing to the fog the ferry waited` gets its comma, `the ferry waited as a result` its link in
front, and `No sooner had the lid closed than it burst` becomes a reason and what followed.
"""

import re
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.ground._joints import DETERMINERS, boundaries, has_verb, looks_past
from groundwire.ground._lexicon import find_cues
from groundwire.ground._open import open_clauses, participle_of
from groundwire.text import (
    Token,
    is_auxiliary,
    is_base,
    is_finite,
    is_preposition,
    marks_in,
    tokens_of,
    word_set,
)

# such as ", in turn," between a subject and its verb
_INSERTED = lazy_pattern(
    r",\s+(?:in\s+(?:turn|fact|effect|the\s+end)|of\s+course|however|too|as\s+well|then|\w+ly)\s*,\s+",
    re.IGNORECASE,
)
# such as "also" in "The crashes also left", "in this way" in "led in this way to"
_BESIDE_VERB = lazy_pattern(r"(?<=\w)\s+(?:also|in\s+this\s+way)(?=\s+(?!as\b)\w)", re.IGNORECASE)
# such as "… as a result", "… because of it": what it results from was said before
_AT_END = lazy_pattern(
    r"[\s,]+(?:as\s+an?\s+(?:direct\s+)?(?:result|consequence)|in\s+(?:consequence|response|this\s+way)"
    r"|for\s+(?:this|that)\s+reason|(?:because\s+of|on\s+account\s+of|owing\s+to|due\s+to|through)"
    r"\s+(?:it|this|that))\s*(?=[.;:!]|$)",
    re.IGNORECASE,
)
# such as "first, second"; not "39,000 parcels"
_COMMA = lazy_pattern(r",(?!\d)")
# such as ", and the clocks drift"
_AND = lazy_pattern(r",\s+and\s+")
# such as "Owing to", "As a consequence of", "With": what follows it is the reason
_FRONTED = lazy_pattern(
    r"^(?:because\s+of|owing\s+to|due\s+to|thanks\s+to|on\s+account\s+of|in\s+consequence\s+of"
    r"|as\s+(?:a|the)\s+(?:\w+\s+)?(?:result|consequence)\s+of|with|without)\s+",
    re.IGNORECASE,
)
# such as "Owing to a damp breaker, says the electrician": what it explains was said before
_REASON_ALONE = lazy_pattern(
    r"^(?:because\s+of|owing\s+to|due\s+to|on\s+account\s+of"
    r"|as\s+(?:a|the)\s+(?:\w+\s+)?(?:result|consequence)\s+of)\s+(?P<cause>[^,;:]{3,90}?)"
    r"(?:,\s+(?:(?:as\s+)?\w+\s+)?(?:says?|said|thinks?|according\s+to|reports?|reported|writes?|wrote)\s.*)?"
    r"[.;!]?$",
    re.IGNORECASE,
)
# such as "At that warmth the frost melted"; a time or place is no reason
_AT_THAT = lazy_pattern(
    r"^(?:at|under|with|by|from|through)\s+(?P<what>(?:that|this|those|these|such(?:\s+an?)?)\s+"
    r"(?!(?:day|week|month|year|night|morning|evening|afternoon|hour|minute|point|time|moment|case|way|place"
    r"|spot|stage|respect|regard|context|document|report|section|instance|incident|room|site|area)s?\b)"
    r"[\w-]+)(?=,?\s+(?P<main>\w.*))",
    re.IGNORECASE,
)
# such as "Starved of sleep, the watch missed the light", "Hanging low, the sail hid the lamp"
_PARTICIPLE = lazy_pattern(r"^(?P<verb>\w+)\s[^,;:]{2,70}(?=,\s+(?P<main>\w[^;:]*))")
# such as "the folios there"
_HERE = lazy_pattern(r"\s+(?:there|here|then|now|also|soon)$", re.IGNORECASE)
# what opens a sentence and tells nothing of its subject: "Based on this, the crew"
_NO_PARTICIPLE = word_set(
    """based compared asked given using including regarding following according depending judging
    considering assuming concerning excluding speaking"""
)
# such as "The crew slept badly, kept awake by the pump"
_DONE_BY = lazy_pattern(
    r"^(?P<effect>[^,;:]{8,120}),\s+(?P<verb>\w+)\s+(?:\w+\s+)?by\s+(?P<cause>[^,;:]{3,90}?)(?=[.;]|$)"
)
# what comes before or beside something does not bring it about: "…, followed by a bang"
_BESIDE = word_set("followed accompanied preceded joined attended")
# such as "With the motors dead, the vents stayed shut"
_WITH = lazy_pattern(
    r"^with\s+(?!(?:regard|respect|reference|effect|the\s+(?:exception|help|aim|intention|benefit))\b)"
    r"(?P<state>[^,;]{4,90}),\s+(?=\w)",
    re.IGNORECASE,
)
# such as "two pumps running", "the valve jammed"
_RUNNING = lazy_pattern(r"\w{3}(?:ing|ed)$")
# such as "No sooner had the lid closed than it burst"
_NO_SOONER = lazy_pattern(
    r"^(?:no\s+sooner|hardly|scarcely)\s+had\s+(?P<first>[^,;]{4,90}?),?\s+(?:than|when)\s+(?=\w)",
    re.IGNORECASE,
)
# such as "The ferry lost steering when sea water shorted the controller"
_WHEN = lazy_pattern(
    r"^(?P<effect>(?:[^,;:]|:(?=\d)){8,120}?),?\s+(?:when|(?=as\s[^,;]{4,60}\shad\s)as)\s+"
    r"(?P<cause>[^,;:]{8,120}?)(?=[.;:]|$)",
    re.IGNORECASE,
)
# such as "The auditors traced the loss to a second payment", "puts this down to the frost"
_TRACED = lazy_pattern(
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
    text = _fronted(_at_front(_BESIDE_VERB.sub("", _INSERTED.sub(" ", sentence))))
    soon = _NO_SOONER.match(text)
    if soon:
        return Ordered(f"Because {soon['first']}, {text[soon.end() :]}", is_open=True)
    described = _described(text)
    if described:
        return described
    given = _WITH.match(text)
    if given and (has_verb(text[given.end() :]) or _RUNNING.search(given["state"])):
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


def _described(text: str) -> Ordered | None:
    """A reason without what it explains, what a participle tells of the subject, or who brought the
    clause before it about."""
    alone = _REASON_ALONE.match(text)
    if alone and not has_verb(alone["cause"]):
        return Ordered(f"This was due to {alone['cause']}.")
    fronted = _PARTICIPLE.match(text)
    if fronted and _is_participle(fronted["verb"].lower()):
        who = _HERE.sub("", _subject_of(fronted["main"]))
        # "Starting so early, it wrote out half a file": who it is was said before
        if who and who.split()[0].lower() in DETERMINERS:
            how = fronted[0][0].lower() + fronted[0][1:]
            be = "were" if who.endswith("s") else "was"
            main = text[fronted.start("main") :]
            return Ordered(f"Because {who} {be} {how}, {main}", is_open=True)
    pointing = _AT_THAT.match(text)
    if (
        pointing
        and _tells(_COMMA.split(pointing["main"], maxsplit=1)[0])
        and not find_cues(pointing["main"])
    ):
        return Ordered(f"Because of {pointing['what']}, {pointing['main']}", is_open=True)
    done = _DONE_BY.match(text)
    if done and looks_past(done["verb"].lower()) and done["verb"].lower() not in _BESIDE:
        return Ordered(f"Because of {done['cause']}, {done['effect']}.", is_open=True)
    return None


def _subject_of(clause: str) -> str:
    tokens = [one for one in tokens_of(clause) if one.text[0].isalnum()]
    verb = next((at for at in range(1, len(tokens)) if _is_verb(tokens, at)), None)
    return clause[: tokens[verb].start].strip() if verb is not None else ""


def _is_participle(word: str) -> bool:
    if word in _NO_PARTICIPLE:
        return False
    return bool(participle_of(word)) if word.endswith("ing") else looks_past(word)


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
    is_plural = before.endswith("s") and is_base(low)
    return is_auxiliary(low) or is_finite(low) or looks_past(low) or is_plural


def _at_front(sentence: str) -> str:
    """`the belt tore, and sorting stopped as a result`: the belt tore, so sorting stopped."""
    found = _AT_END.search(sentence)
    if found is None:
        return sentence
    head, rest = sentence[: found.start()], sentence[found.end() :]
    joints = [(one.start, one.end) for one in boundaries(head) if not one.shares]
    joints = joints or [match.span() for match in _AND.finditer(head)]
    if not joints:
        return f"As a result, {head}{rest}"
    start, end = joints[-1]
    return f"{head[:start]}, so {head[end:]}{rest}"


_SUBJECTS = word_set("it they he she nobody everybody everyone everything nothing")


def _fronted(sentence: str) -> str:
    """A comma between `Owing to the fog` and `the ferry waited`."""
    cue = _FRONTED.match(sentence)
    if cue is None:
        return sentence
    tokens = tokens_of(sentence[cue.end() :])
    words = [one for one in tokens if one.text[0].isalnum() or one.text in ",;:"]
    for place in range(1, len(words)):
        if words[place].text in ",;:":
            return sentence
        low = words[place].low
        is_new = low in DETERMINERS or low in _SUBJECTS or words[place].text[0].isdigit()
        opens = is_new and words[place - 1].low not in DETERMINERS
        if opens and not is_preposition(words[place - 1].low):
            at = cue.end() + words[place].start
            is_clause = _tells(_COMMA.split(sentence[at:], maxsplit=1)[0])
            return f"{sentence[:at].rstrip()}, {sentence[at:]}" if is_clause else sentence
    return sentence
