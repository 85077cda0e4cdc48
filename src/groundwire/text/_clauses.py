"""Cuts a sentence at its conjunctions into clauses that assert something each.

    A founded B in 1990 and sold it in 2001.   →   A founded B in 1990 · A sold B in 2001

A cut is made only where both sides have a verb and the second's subject is certain.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.text._grammar import (
    AUXILIARIES,
    BE_FORMS,
    INTRANSITIVE,
    MODALS,
    PREPOSITIONS,
    first_finite,
    is_base,
    is_finite,
    is_past,
    is_present,
)
from groundwire.text._words import Token, plain, tokens_of

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
_JOINT = re.compile(
    r"(?<=\.)(?P<stop>\s+)(?=(?-i:[A-Z]))"
    rf"|\s*(?P<mark>[,;:])\s+(?P<after>(?:{_COORDINATOR}\s+)*)"
    rf"|\s+(?P<word>(?:{_COORDINATOR}\s+)+)|\s+(?P<dash>-)-?\s+",
    re.IGNORECASE,
)
# such as "`rm a.py, b.py`"
_CODE = re.compile(r"`[^`]*`")
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
    tokens = tokens_of(sentence)
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
    if first < len(tokens):
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
        return ""
    if tokens[place].low not in {"and", "but"}:
        return None
    return _shared_subject(left, verb, right, sentence, lead)


def _main_verb(left: list[Token], *, has_lead: bool) -> int | None:
    if has_lead:
        return 0
    verb = first_finite(left)
    return verb if verb is not None and verb <= _MAX_SUBJECT_TOKENS else None


def _stands_alone(right: list[Token], *, after_comma: bool) -> bool:
    opener = right[0]
    plain = opener.low not in _SUBJECT_OPENERS and not opener.is_capitalised
    if plain and (not after_comma or opener.low in PREPOSITIONS or is_finite(opener.low)):
        return False
    verb = first_finite(right[: _SUBJECT_REACH + 1])
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
    verb = first_finite(tokens[first:place])
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


# such as "It" in "It opened in 1990"; not "It's"
_PRONOUN = re.compile(r"(He|She|It|They|His|Her|Its|Their)\b(?!')", re.IGNORECASE)
# such as "This" in "This failed", "Both" in "Both were replaced"
_POINTER = re.compile(
    r"(?:this|that|these|those|both|such|there|the (?:latter|former|same))\b", re.IGNORECASE
)
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


def refers_back(sentence: str) -> bool:
    """Whether it opens with a word for something said before: "It", "They", "This valve"."""
    return _PRONOUN.match(sentence) is not None or _POINTER.match(sentence) is not None


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
