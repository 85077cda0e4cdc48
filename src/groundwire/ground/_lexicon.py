"""The words with which English says that one thing brings about another.

Each cue says who stands before it and who after it. A passive turns a verb round, so passives are
looked for first: `caused by` is no `caused`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from groundwire.text import VERB_NEGATION

Direction = Literal["forward", "backward"]
Relation = Literal["causes", "lowers", "prevents", "correlates"]
Form = Literal["verb", "participle", "link"]
"""How a cue takes its neighbours: a verb has a subject and an object, a link joins clauses."""


@dataclass(frozen=True)
class Cue:
    direction: Direction
    relation: Relation
    form: Form


class _Verb(NamedTuple):
    base: str
    third: str
    past: str
    gerund: str
    participle: str


_REGULAR_CAUSES = """cause trigger produce induce provoke precipitate spark prompt generate force
affect influence determine impact increase raise elevate boost worsen
aggravate amplify accelerate delay slow degrade disrupt shape govern overload saturate exhaust
activate stimulate corrupt explain"""
_REGULAR_LOWERS = "reduce lower decrease lessen diminish limit shorten ease"
_IRREGULAR_LOWERS = """
bring down|brings down|brought down|bringing down|brought down
cut down|cuts down|cut down|cutting down|cut down
"""
STATE_VERBS = frozenset(
    """increase raise elevate boost worsen aggravate amplify accelerate delay slow degrade disrupt
    overload saturate exhaust corrupt break activate drive slow""".split()
)
"""These say what became of their object: `exhausted the memory` names the memory exhausted."""
_IRREGULAR_CAUSES = """
drive up|drives up|drove up|driving up|driven up
slow down|slows down|slowed down|slowing down|slowed down
drive|drives|drove|driving|driven
break|breaks|broke|breaking|broken
set off|sets off|set off|setting off|set off
bring about|brings about|brought about|bringing about|brought about
bring on|brings on|brought on|bringing on|brought on
take down|takes down|took down|taking down|taken down
give rise to|gives rise to|gave rise to|giving rise to|
make for|makes for|made for|making for|
lead to|leads to|led to|leading to|
result in|results in|resulted in|resulting in|
end in|ends in|ended in|ending in|
culminate in|culminates in|culminated in|culminating in|
contribute to|contributes to|contributed to|contributing to|
propagate to|propagates to|propagated to|propagating to|
propagate into|propagates into|propagated into|propagating into|
spill over into|spills over into|spilled over into|spilling over into|
account for|accounts for|accounted for|accounting for|accounted for
mean that|means that|meant that|meaning that|
"""
_REGULAR_PREVENTS = "prevent inhibit suppress avert avoid mitigate"
_IRREGULAR_PREVENTS = """
put an end to|puts an end to|put an end to|putting an end to|
put a stop to|puts a stop to|put a stop to|putting a stop to|
put paid to|puts paid to|put paid to|putting paid to|
bring an end to|brings an end to|brought an end to|bringing an end to|
get rid of|gets rid of|got rid of|getting rid of|
do away with|does away with|did away with|doing away with|done away with
hold back|holds back|held back|holding back|held back
keep out|keeps out|kept out|keeping out|kept out
ward off|wards off|warded off|warding off|warded off
head off|heads off|headed off|heading off|headed off
stave off|staves off|staved off|staving off|staved off
"""
BASE_FORMS = frozenset(
    f"{_REGULAR_CAUSES} {_REGULAR_LOWERS} {_REGULAR_PREVENTS} drive break".split()
)
"""Verbs that look like nouns; they are verbs only after a plural or an auxiliary."""

# such as "mainly" in "caused mainly by"
_ADVERB = (
    r"(?:\s+(?:\w+ly|in (?:large )?part|at least (?:in part|partly)|in turn|most often|often))?"
)
# such as "due mainly to", "as a result of"
_BACKWARD_LINKS = r"""
because\ of | due(?:\ \w+ly)?\ to | owing\ to | thanks\ to | on\ account\ of
| as\ (?:a|the)(?:\ direct|\ immediate)?\ (?:result|consequence)\ of
| in\ consequence\ of | for\ the\ reason\ that | because
"""
# such as "Since the disk was full,"
_SINCE = (
    r"(?:(?<=^)|(?<=\A\s)|(?<=[.;]\s))Since(?=\s)(?!\s+(?:then|\d|last|yesterday|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|its\b|the\s+(?:start|beginning|end|upgrade|release|incident)))"
)
"""At the head of a sentence and not followed by a time."""
# such as "stems from", "was traced back to"
_BACKWARD_VERBS = rf"""
(?:stems?|arises?|originates?|results?|comes?|derives?|stemmed|arose|arisen|originated|resulted
|resulting|stemming|arising|came|derived|follows?|followed|springs?|sprang)
  \ (?:directly\ |mainly\ |partly\ )?from
| (?:go|goes|went|gone|dates?|dated|traces?|traced|harks?|harked)\ back\ to
  (?!\ \d)(?!\ (?:normal|work|one|two|none|zero|nothing|half|about|below|under|its|their|being
  |the\ (?:old|start|previous|usual))\b)
| (?:grew|grown|grows?)\ out\ of | (?:boils?|boiled|comes?|came)\ down\ to
| (?:is|was|are|were|been|be|being){VERB_NEGATION}?\ (?:directly\ |mainly\ |largely\ |partly\ )?
  (?:down\ to|attributable\ to|traced\ (?:back\ )?to|attributed\ to|blamed\ on|rooted\ in)
| (?:is|was|are|were|be){VERB_NEGATION}?\ (?:the|a|an)\ (?:\w+\ )?
  (?:result|consequence|effect|outcome|product)\ of
| (?:depend|depends|depended)\ (?:\w+ly\ )?on
| (?:has|have|had)\ (?:its|their)\ (?:origins?|roots?|causes?|source)\ in
| (?:owes?|owed)\ (?:its|their|much\ of\ its)\ (?:\w+\ ){{1,2}}to
"""
# such as "as a result", ", so"
_FORWARD_LINKS = r"""
as\ an?(?:\ direct|\ immediate)?\ (?:result|consequence)(?!\ of)
| consequently | therefore | thus(?!\ far) | hence | accordingly | for\ (?:this|that)\ reason
| (?:that|this|which)\ (?:is|was)\ (?:also\ )?
  (?:why|how|the\ reason(?:\ why)?(?!\ (?:for|of|behind)))
| (?:(?<=[,;]\s)|(?<=\band\s))so(?:\ that)?(?!\ (?:that|far|much|many|long|as|called|on|forth)\b)
| so\ \w+\ that
"""
# such as "trigger"
_CAUSE_NOUN = r"(?:causes?|reasons?|triggers?|drivers?|culprits?|factors?|explanations?)"
# such as "was one of the main causes of"
_FORWARD_NOUNS = rf"""
(?:is|was|are|were|be|been|being|as|became|remains?|proved\ to\ be|turned\ out\ to\ be)
{VERB_NEGATION}?\ (?:also\ |indeed\ |clearly\ |itself\ )?
(?:one\ of\ the\ |the\ |an?\ |one\ |another\ |its\ |their\ )?
(?:[\w-]+\ ){{0,3}}?{_CAUSE_NOUN}\ (?:of|for|behind|why|in|that(?=\ the\b))
| (?:is|was|are|were){VERB_NEGATION}?\ the\ reason(?=\ (?:the|a|an|our|its|their|no|every|all)\b)
| (?:is|was|are|were|be|lies|lay|stands|stood){VERB_NEGATION}?\ (?:\w+ly\ )?
  at\ the\ (?:very\ )?(?:root|bottom|heart|origin|source)\ of
| (?:is|was|are|were|be){VERB_NEGATION}?\ (?:\w+ly\ |also\ )?
  (?:responsible\ for|to\ blame\ for|behind|what\ (?:caused|triggered|led\ to))
"""
# such as "coincided with", "goes hand in hand with"
_CORRELATION = rf"""
(?:(?:is|was|are|were|be|been){VERB_NEGATION}?\ )?(?:\w+ly\ )?
  (?:correlated|associated|linked|connected|related|in\ step|concurrent|coincident)\ (?:with|to)
| correlat(?:es?|ed|ing)\ (?:\w+ly\ )?with | coincid(?:es?|ed|ing)\ with
| co-?occur(?:s|red|ring)?\ (?:\w+ly\ )?(?:with|alongside)
| (?:goes|go|went|comes|came)\ (?:hand\ in\ hand|along|together)\ with
| (?:comes?|came|happen(?:s|ed)?|occurr?(?:s|ed)?)\ (?:shortly\ |soon\ |just\ )?
  (?:after|before)
| var(?:y|ies|ied)\ (?:together\ )?with
| (?:is|was|are|were)\ (?:often\ |usually\ |always\ )?
  (?:accompanied|followed|preceded|paralleled)\ by
| accompan(?:y|ies|ied) | preced(?:es?|ed) | parallel(?:s|ed) | predict(?:s|ed)
| at\ (?:about\ |around\ |roughly\ )?the\ same\ time\ as | in\ parallel\ with | alongside
| tend(?:s|ed)?\ to\ (?:occur|appear|rise|move|happen)\ (?:together\ )?with
| (?:is|was|are|were)\ (?:more\ |most\ )?(?:common|frequent|prevalent|likely|often\ seen)
  \ (?:in|among|with|when|whenever|(?:on|at|during)\ (?:the\ )?\w+\ when)
| (?:appears?|appeared|occurs?|occurred|observed|seen|reported|recorded|noted|rose|fell|moves?
  |moved|rises?)\ (?:\w+ly\ )?(?:together\ |in\ step\ )?(?:with|alongside)
"""
# such as "kept" in "kept the pump from starting", "kept the damp out of the barley"
_KEPT_FROM = (
    r"(?:keeps?|kept|stops?|stopped|protects?|protected|spares?|spared|saves?|saved|shields?"
    r"|shielded|guards?|guarded|defends?|defended)(?=\s+(?:\S+\s+){1,6}?(?:from|against)\b)"
    r"|(?:keeps?|kept)(?=\s+(?:\S+\s+){1,4}?out\s+of\b)"
)
# such as "With the licence expired,"
_WITH = (
    r"(?:(?<=^)|(?<=\A\s)|(?<=[.;]\s))With(?=\s+(?:the|its|our|their|no)\s[^,]{2,60}?"
    r"(?:ed|en|out|off|down|gone|full|empty|open)(?:\s\w+)?,)"
)
# such as "left" in "left users unable"
_LEFT_UNABLE = r"(?:leaves?|left)(?=\s+(?:\S+\s+){1,5}?(?:unable|without|stuck)\b)"
# such as "meant" in "meant hours without water"
_MEANT = r"(?:means|meant)(?=\s+(?!to\b|for\b|of\b|by\b|in\b|that\b|as\b|it\b|well\b)\w)"
# such as "had a direct effect on"
_HAS_EFFECT = (
    r"(?:have|has|had|having)\s+(?:an?|some)\s+(?:\w+\s+)?(?:effect|impact|influence)\s+(?:up)?on"
)
# such as "made" in "made the site unavailable"
_MADE = (
    r"(?:makes?|made|making)(?!\s+for)(?=\s+(?:\S+\s+){1,5}?(?:unavailable|unable|impossible|unreachable"
    r"|inaccessible|unresponsive|unstable|slow|slower|worse|fail|crash|hang|stop)\b)"
)
# such as "allowed" in "allowed heat to build up"
_ENABLED = r"(?:allowed|enabled)(?=\s+(?:\S+\s+){1,6}?to\b)"


def _verbs(regular: str, irregular: str = "") -> list[_Verb]:
    spelled = [_Verb(*line.split("|")) for line in irregular.strip().splitlines()]
    return [_regular(base) for base in regular.split()] + spelled


def _regular(base: str) -> _Verb:
    stem = base.removesuffix("e")
    past = f"{stem}ed"
    return _Verb(base, f"{base}s", past, f"{stem}ing", past)


def _any(forms: Iterable[str]) -> str:
    longest_first = sorted({form for form in forms if form}, key=lambda form: (-len(form), form))
    return "|".join(_with_room(form) for form in longest_first)


def _with_room(form: str) -> str:
    """`leads to` is also `leads directly to`."""
    *words, last = form.split(" ")
    return r"\s+".join(words) + (rf"(?:\s+\w+ly)?\s+{last}" if words else last)


def _passive(verbs: list[_Verb]) -> str:
    return rf"(?:{_any(verb.participle for verb in verbs)}){_ADVERB}\s+by"


def _finite(verbs: list[_Verb]) -> str:
    return _any(form for verb in verbs for form in (verb.base, verb.third, verb.past))


def _spaced(pattern: str) -> str:
    """A pattern written over several lines; `\\ ` stands for any white space."""
    return re.sub(r"(?<!\\)\s+", "", pattern).replace("\\ ", r"\s+")


@cache
def _table() -> tuple[tuple[str, Cue], ...]:
    """In the order in which they are tried at each place."""
    causes = _verbs(_REGULAR_CAUSES, _IRREGULAR_CAUSES)
    prevents = _verbs(_REGULAR_PREVENTS, _IRREGULAR_PREVENTS)
    lowers = _verbs(_REGULAR_LOWERS, _IRREGULAR_LOWERS)
    return (
        (_spaced(_CORRELATION), Cue("forward", "correlates", "verb")),
        (_spaced(_FORWARD_NOUNS), Cue("forward", "causes", "verb")),
        (_spaced(_BACKWARD_LINKS), Cue("backward", "causes", "link")),
        (_SINCE, Cue("backward", "causes", "link")),
        (_WITH, Cue("backward", "causes", "link")),
        (_spaced(_BACKWARD_VERBS), Cue("backward", "causes", "verb")),
        (_spaced(_FORWARD_LINKS), Cue("forward", "causes", "link")),
        (_passive(causes), Cue("backward", "causes", "verb")),
        (_passive(prevents), Cue("backward", "prevents", "verb")),
        (_passive(lowers), Cue("backward", "lowers", "verb")),
        (_any(verb.gerund for verb in causes), Cue("forward", "causes", "participle")),
        (_any(verb.gerund for verb in prevents), Cue("forward", "prevents", "participle")),
        (_any(verb.gerund for verb in lowers), Cue("forward", "lowers", "participle")),
        (_KEPT_FROM, Cue("forward", "prevents", "verb")),
        (_LEFT_UNABLE, Cue("forward", "causes", "verb")),
        (_HAS_EFFECT, Cue("forward", "causes", "verb")),
        (_MEANT, Cue("forward", "causes", "verb")),
        (_MADE, Cue("forward", "causes", "verb")),
        (_ENABLED, Cue("forward", "causes", "verb")),
        (_finite(prevents), Cue("forward", "prevents", "verb")),
        (_finite(lowers), Cue("forward", "lowers", "verb")),
        (_finite(causes), Cue("forward", "causes", "verb")),
    )


@cache
def _pattern() -> re.Pattern[str]:
    body = "|".join(f"(?P<c{place}>{pattern})" for place, (pattern, _) in enumerate(_table()))
    return re.compile(rf"(?<![\w-])(?:{body})(?![\w-])|(?P<arrow>[→⇒])", re.IGNORECASE)


class FoundCue(NamedTuple):
    start: int
    end: int
    cue: Cue


_ARROW = Cue("forward", "causes", "link")


def find_cues(sentence: str) -> list[FoundCue]:
    """In order, none overlapping another."""
    table = _table()
    return [
        FoundCue(
            match.start(),
            match.end(),
            _ARROW if match.lastgroup == "arrow" else table[int((match.lastgroup or "c0")[1:])][1],
        )
        for match in _pattern().finditer(sentence)
    ]
