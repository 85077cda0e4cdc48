"""Puts the name in place of a pronoun that opens a claim, where it can only mean that name."""

import re
from dataclasses import dataclass

from groundwire.text._grammar import first_finite
from groundwire.text._words import tokens_of

_PRONOUN = re.compile(r"(He|She|It|They|His|Her|Its|Their)\b(?!')", re.IGNORECASE)
_PERSONAL = frozenset({"he", "she", "his"})
_POSSESSIVE = frozenset({"his", "her", "its", "their"})
_THING_WORDS = frozenset(
    """inc corp corporation ltd limited gmbh company group bank university college school
    hospital museum bridge tower river lake mountain city county state republic party council
    committee agency ministry department office institute foundation association union church
    airport station street road park island sea ocean act law treaty project programme program
    system service team club league cup award book film album song journal newspaper magazine
    court board grid network protocol policy standard report gateway server platform database
    api library framework""".split()
)
_GIVEN_NAMES = frozenset(
    """anna anne maria marie mary elizabeth sarah laura emma julia lucy alice jane susan linda
    karen lisa nancy helen sophie clara eva ada grace rosa ingrid astrid john james robert
    michael william david richard thomas charles joseph george peter paul mark daniel henry
    frank edward brian kevin steven andrew simon martin stephen patrick anthony eric erik lars
    jan pieter hans otto max leo oscar hugo carlos juan jose luis pedro miguel antonio marco
    ali omar ahmed mohamed mohammed ivan igor dmitri yuki hiro kenji wei li chen raj priya
    anita sven olaf nils karl kurt klaus jack harry oliver noah liam sam ben tom tim joe bob
    bill jim kate amy beth ruth rachel rebecca hannah olivia sofia isabel carmen teresa monica
    angela barbara margaret dorothy catherine katherine""".split()
)
_SMALL_WORDS = frozenset({"of", "the", "for", "and", "de", "van", "von", "der", "&"})


@dataclass(frozen=True)
class Subject:
    text: str
    is_person: bool
    is_plural: bool


def subject_of(sentence: str) -> Subject | None:
    """The named or definite thing a sentence is about, when it opens with it."""
    tokens = tokens_of(sentence)
    verb = first_finite(tokens)
    if verb is None or verb == 0 or _PRONOUN.match(sentence):
        return None
    before = tokens[:verb]
    if any(token.text in ",;:()" for token in before):
        return None
    text = sentence[before[0].start : before[-1].end]
    words = [token.low for token in before]
    definite = words[0] in {"the", "this", "our"} and len(words) > 1
    named = all(token.is_capitalised or token.low in _SMALL_WORDS for token in before)
    if not definite and not named:
        return None
    is_person = (
        not definite
        and words[0] in _GIVEN_NAMES
        and not any(word in _THING_WORDS for word in words)
    )
    return Subject(text, is_person, is_plural="and" in words)


def resolve(claim: str, subject: Subject | None) -> str:
    """The claim with its opening pronoun replaced, or unchanged where that is not safe."""
    match = _PRONOUN.match(claim)
    if match is None or subject is None:
        return claim
    pronoun = match[1].lower()
    plural = pronoun in {"they", "their"}
    if plural != subject.is_plural:
        return claim
    if not plural and (pronoun in _PERSONAL or pronoun in {"she", "her"}) != subject.is_person:
        return claim
    name = f"{subject.text}'s" if pronoun in _POSSESSIVE else subject.text
    return name + claim[match.end() :]
