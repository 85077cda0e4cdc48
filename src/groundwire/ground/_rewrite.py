"""Turns of phrase put the plain way round: `What stopped the belt was a bent roller`.

Each becomes a construction that `_lexicon` knows, in the sentence's own words.
"""

import re

from groundwire._patterns import lazy_pattern
from groundwire.ground._joints import boundaries, has_verb, looks_past
from groundwire.ground._order import Ordered, ordered
from groundwire.ground._phrases import subject_of
from groundwire.text import is_auxiliary, is_finite, is_negation, tokens_of, word_set

_BE = r"(?:is|was|were|are|lay|lies|stood|stands)"
_DETERMINED = r"(?:the|an?|its|their|our|his|her|this|that|these|those|no|every|all|some|one)"
# such as "It was a bent roller that stopped the belt"
_CLEFT = lazy_pattern(
    rf"^(?P<lead>.*?\b)it\s+(?:is|was)\s+(?P<cause>{_DETERMINED}\s[^,;]{{2,80}}?)\s+(?:that|which)"
    r"\s+(?P<rest>\w+.*)$",
    re.IGNORECASE,
)
# such as "And" before "it was a bent roller that"
_AND = lazy_pattern(r"^(?:and|but|so|then)\s+$", re.IGNORECASE)
# such as "What stopped the belt was a bent roller"
_WHAT = lazy_pattern(
    rf"^what\s+(?!happen|follow|(?:we|i|you|they|he|she|people|users?|nobody)\b)(?P<rest>\w+\s[^,;]{{2,80}}?)\s+{_BE}\s+"
    rf"(?P<cause>(?:{_DETERMINED}|\w+ing)\s[^;]+?)(?P<stop>[.;]|$)",
    re.IGNORECASE,
)
# such as "A bent roller is what stopped the belt"; "that is what" points back and is read as such
_IS_WHAT = lazy_pattern(
    r"(?<!\bthat)(?<!\bthis)(?<!\bit)(?<!\bwhich)\s+(?:is|was|are|were)\s+what\s+(?=\w)",
    re.IGNORECASE,
)
# such as "and that was what halted it": that halted it
_THAT_IS_WHAT = lazy_pattern(
    r"\b(?P<that>that|this)\s+(?:is|was)\s+what\s+(?!happen|(?:we|i|you|they|he|she|the|a|it)\b)(?=\w)",
    re.IGNORECASE,
)
# such as "The sheets were damp, the low pressure being the reason"
_BEING_WHY = lazy_pattern(
    r",\s+(?P<cause>[^,;:]{3,90}?)\s+being\s+(?:the\s+(?:\w+\s+)?(?:reason|cause|culprit)"
    r"|to\s+blame|responsible)(?=[.;!]|$)",
    re.IGNORECASE,
)
# such as "Behind the delay was a lost bag"
_BEHIND = lazy_pattern(
    rf"^behind\s+(?P<effect>[^,;]{{2,80}}?)\s+{_BE}\s+(?P<cause>{_DETERMINED}\s[^;]+?)(?P<stop>[.;]|$)",
    re.IGNORECASE,
)
# such as "low voltage, for which the trip was responsible"
_FOR_WHICH = lazy_pattern(
    r",?\s+(?:for\s+which\s+(?P<cause>[^,;]{2,80}?)\s+(?:is|was|were|are)\s+"
    r"(?:responsible|to\s+blame|the\s+(?:cause|reason)))\b",
    re.IGNORECASE,
)
# such as "The upshot of the strike was a week without bread"
_OUTCOME = lazy_pattern(
    r"^(?P<lead>(?:.*[,;:]\s+)?)(?:the|an?|one|its)?\s*(?:\w+\s+)?"
    r"(?:upshot|consequence|outcome|effect|result)\s+of\s+(?P<cause>[^,;]{2,80}?)\s+"
    r"(?:is|was|were|are)\s+(?!not\b|that\b)(?P<effect>.+)$",
    re.IGNORECASE,
)
# such as "for want of a nail"
_FOR_WANT = lazy_pattern(
    r"\b(?:for|through|from)\s+(?:sheer\s+)?(?:want|lack)\s+of\b", re.IGNORECASE
)
# such as "Without that index, every lookup"; "the fan, without power, stopped"
_WITHOUT = lazy_pattern(
    r"(?:^|(?<=[;.]\s)|(?<=\band\s))without\s+(?:(?:the|an?|this|that|these|those|any)\s+)?"
    r"(?=[\w-]+(?:\s[\w-]+){0,6},\s)",
    re.IGNORECASE,
)
# such as "As the argon was used up, the meter stood idle"
_AS = lazy_pattern(
    r"^(?:as|seeing\s+that|given\s+that|now\s+that)\s+(?P<first>[^,;]{4,120}),\s+(?=\w)",
    re.IGNORECASE,
)
# such as "Once the seal had failed, water reached the windings": later, and perhaps because of it
_ONCE = lazy_pattern(r"^(?:once|when|after)\s+(?P<first>[^,;]{4,120}),\s+(?=\w)", re.IGNORECASE)
# such as "they found that": what follows is what was seen, not what came of it
_FOUND = lazy_pattern(
    r"(?:we|they|he|she|i|it|the\s+team)\s+(?:\w+\s+)?(?:found|saw|noticed|discovered|learned|realised|realized"
    r"|turned\s+out|became\s+clear)\b",
    re.IGNORECASE,
)
# such as "What we saw was": what was seen follows
_SEEN = lazy_pattern(
    r"^what\s+(?:we|i|they)\s+(?:saw|found|noticed|observed|had)\s+(?:is|was|were)\s+",
    re.IGNORECASE,
)
# such as "By skipping the rinse, the robot"
_BY = lazy_pattern(r"^by\s+(?=\w+ing\s[^,;]{2,120},\s+\w)", re.IGNORECASE)
# such as "…, since the key had snapped"
_SINCE = lazy_pattern(
    rf",\s+since\s+(?={_DETERMINED}\s|it\b|they\b|there\b|nobody\b|nothing\b|\w+\s+(?:was|were|is|are|had)\b)",
    re.IGNORECASE,
)
# such as ", the result of a loose bolt"
_RESULT_OF = lazy_pattern(
    r",\s+(?:the|an?)\s+(?:\w+\s+)?(?:result|consequence|effect|outcome)\s+of\b",
    re.IGNORECASE,
)
# such as "led customers to press", "had the crew start"
_LED_TO_DO = lazy_pattern(
    r"\b(?:led|leads|lead|drove|drives|got|gets|obliged|obliges|compelled|compels|prompted|prompts)"
    r"(?=\s+(?!to\b|up\b|down\b|back\b|\w+ly\b)(?:[\w'-]+\s+){1,5}?to\s+\w+)",
    re.IGNORECASE,
)
# such as "makes it necessary to repeat"
_MADE_IT = lazy_pattern(
    r"\b(?:makes|made|make|making)\s+it\s+(?P<how>necessary|impossible|possible|hard|difficult)"
    r"\s+(?:for\s+(?P<who>[\w\s-]{2,40}?)\s+)?to\b",
    re.IGNORECASE,
)
# such as "The bags hung in the loft, and they kept the moths out of the wool"
_THEY = lazy_pattern(r"^(?P<first>[^,;:]{8,120})(?P<joint>,\s+and\s+)they\s+(?=\w)", re.IGNORECASE)
_ASIDES = word_set("usual always before expected planned well soon described shown noted mentioned")


def rewritten(sentence: str) -> Ordered:
    plainly = ordered(_turned(_SEEN.sub("", sentence)))
    if plainly.is_open:
        return plainly
    text = plainly.text
    text = _FOR_WANT.sub("because of lack of", text)
    text = _WITHOUT.sub("Because of lack of the ", text)
    text = _BY.sub("Because of ", text)
    text = _SINCE.sub(", because ", text)
    text = _RESULT_OF.sub(" because of", text)
    text = _LED_TO_DO.sub("caused", text)
    text = _MADE_IT.sub(_made_it, text)
    text = _THEY.sub(_they, text)
    reason = _AS.match(text)
    if reason and _is_clause(reason["first"]):
        return Ordered(f"Because {text[reason.start('first') :]}")
    later = _ONCE.match(text)
    if later and _is_clause(later["first"]) and not _FOUND.match(text, later.end()):
        return Ordered(f"Because {text[later.start('first') :]}", is_open=True)
    return Ordered(text)


# such as "The dust, which had been stirred up by the drill, choked the filter"
_RELATIVE = lazy_pattern(
    r"^(?P<who>[^,;]{3,90}),\s+(?:which|who)\s+(?P<inner>[^,;]+),\s+(?P<rest>[a-z]\w*\s.*)$"
)
# such as "The shortage, itself a result of the strike, emptied the museum"
_ITSELF = lazy_pattern(
    r"^(?P<who>[^,;]{3,90}),\s+(?:itself|themselves)\s+(?P<inner>(?:the|an?)\s[^,;]+),\s+"
    r"(?P<rest>[a-z]\w*\s.*)$"
)


# such as "One thing was clear: the valve, left open since noon, flooded the hold"
_REDUCED = lazy_pattern(
    r"^(?:[^,;:]+:\s+)?(?P<who>(?:the|an?|its|their|our)\s[^,;:]{2,60}),\s+(?P<verb>[a-z]+)(?P<inner>\s[^,;:]{2,60}),\s+"
    r"(?P<rest>[a-z]\w*\s.*)$",
    re.IGNORECASE,
)
# such as "Starved of sleep, the watch", "With the motors dead, the vents"
_OPENING = lazy_pattern(
    r"^(?:(?:with|\w+(?:ed|en|ing))\s[^,;:]{2,90},|(?:at|under|by|from)\s+(?:that|this|such)\b)\s+",
    re.IGNORECASE,
)
# such as ", and the jams"; ", so that" says how the two hang together
_JOINS = lazy_pattern(r"\s*(?:[,;]\s*)?(?:and|but)\b|\s*;", re.IGNORECASE)
# such as "The list was short, and as a result of the gaps forty parcels stayed behind"
_AND_WHY = lazy_pattern(
    r",?\s+and\s+(?=(?:because\s+of|owing\s+to|due\s+to|thanks\s+to|on\s+account\s+of"
    r"|as\s+an?\s+(?:\w+\s+)?(?:result|consequence)\s+of)\s)",
    re.IGNORECASE,
)


def parts_of(sentence: str) -> list[str]:
    """What stands between commas says something of its own of what stands before them."""
    joint = _AND_WHY.search(sentence)
    if joint and has_verb(sentence[: joint.start()]):
        return _parted(sentence, joint.start(), joint.end())
    opening = _OPENING.match(sentence)
    if opening:
        # what opens a sentence explains the clause that follows it, not the one after that
        later = (
            one for one in boundaries(sentence) if one.start > opening.end() and not one.shares
        )
        one = next(later, None)
        if one is not None and _JOINS.match(sentence, one.start):
            return _parted(sentence, one.start, one.end)
    reduced = _REDUCED.match(sentence)
    if reduced and looks_past(reduced["verb"]) and _is_predicate(reduced["rest"]):
        return [f"{reduced['who']} {reduced['verb']}{reduced['inner']} {reduced['rest']}"]
    for pattern, verb in ((_RELATIVE, ""), (_ITSELF, "was ")):
        match = pattern.match(sentence)
        if match and _is_predicate(match["rest"]) and not has_verb(match["who"]):
            inner = f"{match['who']} {verb}{match['inner']}."
            return [inner, f"{match['who']} {match['rest']}"]
    return [sentence]


def _parted(sentence: str, start: int, end: int) -> list[str]:
    second = sentence[end:]
    return [f"{sentence[:start]}.", f"{second[0].upper()}{second[1:]}"]


def _is_predicate(text: str) -> bool:
    first = text.split(maxsplit=1)[0].lower()
    return is_auxiliary(first) or is_finite(first) or looks_past(first)


def _turned(sentence: str) -> str:
    """What stands the other way round: clefts, `behind`, `for which`."""
    cleft = _CLEFT.match(sentence)
    if cleft and not _denies(cleft["cause"]):
        lead = _AND.sub("", cleft["lead"])
        return f"{lead}{cleft['cause']} {cleft['rest']}"
    asked = _WHAT.match(sentence)
    if asked and not _denies(asked["cause"]) and not sentence.rstrip().endswith("?"):
        return f"{asked['cause']} {asked['rest']}{sentence[asked.end('cause') :]}"
    behind = _BEHIND.match(sentence)
    if behind:
        after = sentence[behind.end("cause") :]
        return f"{behind['cause']} was behind {behind['effect']}{after}"
    outcome = _OUTCOME.match(sentence)
    if outcome:
        return f"{outcome['lead']}{outcome['cause']} led to {outcome['effect']}"
    text = _THAT_IS_WHAT.sub(r"\g<that> ", _IS_WHAT.sub(" ", sentence))
    text = _BEING_WHY.sub(lambda match: f" because of {match['cause']}", text)
    return _FOR_WHICH.sub(lambda match: f" because of {match['cause']}", text)


def _they(match: re.Match[str]) -> str:
    """What they are was said in the clause before; where that is not clear they stay they."""
    who = subject_of(match["first"])
    return f"{match['first']}{match['joint']}{who or 'they'} "


def _made_it(match: re.Match[str]) -> str:
    """`makes it necessary to repeat` brings it about, `made it impossible to reach` does not."""
    who = f"{match['who']} " if match["who"] else ""
    if match["how"].lower() in ("necessary", "possible"):
        return f"causes {who or 'people '}to"
    return f"causes {who or 'people '}to be unable to"


def _denies(text: str) -> bool:
    return any(is_negation(token.low) for token in tokens_of(text))


def _is_clause(text: str) -> bool:
    """`the argon was used up`; not `the engineer, as usual`, nor `a precaution`."""
    return text.split(maxsplit=1)[0].lower() not in _ASIDES and has_verb(text)
