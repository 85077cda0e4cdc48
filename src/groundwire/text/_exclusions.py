"""Which sentences of a checked text assert nothing to verify, and where an assertion begins."""

import re
from itertools import pairwise

from groundwire._patterns import lazy_pattern
from groundwire.model import ExclusionReason
from groundwire.text._cues import GUESS
from groundwire.text._grammar import PREPOSITIONS, first_finite, is_base
from groundwire.text._status import (
    BEFORE_A_NOUN,
    OPENING_WORDS,
    OPENS_CLAUSE,
    clause_around,
    is_instruction,
)
from groundwire.text._words import plain, tokens_of, word_set

_AFTER_AN_ORDER = word_set("to for with from into by")
"""Prepositions that may follow an order: "Switch to TLS"; "Staff at the quay" opens otherwise."""


def _any_of(*alternatives: str) -> str:
    return "(?:" + "|".join(alternatives) + ")"


def _pattern(*alternatives: str, start: bool = False) -> re.Pattern[str]:
    """A pattern of whole words, anywhere or at the start."""
    return re.compile(("^" if start else r"\b") + _any_of(*alternatives) + r"\b", re.IGNORECASE)


# such as "Hello!", "Great question."
_GREETING = lazy_pattern(
    _any_of(
        r"hello|hi|hey|dear \w+|good (?:morning|afternoon|evening)|welcome back",
        r"thanks|thank you|you're welcome|no problem|best regards|kind regards|cheers",
        r"sure|of course|absolutely|certainly|great question|good question",
    )
    + r"\b[^.]{0,40}[!,.]?",
    re.IGNORECASE,
)
# such as "Here are the facts:", "Let me know if ..."
_META = lazy_pattern(
    _any_of(
        r"i hope (?:this|that)|let me know|feel free|happy to help|here you go|as an ai",
        r"(?:i'm|i am) (?:happy|glad|sorry)|i apologi[sz]e",
        r"(?:here|below)(?:'s| is| are)\b.*:$",
        r"(?:here|below)(?:'s| is| are) (?:the|a|an|my|your|some|all the)"
        r" (?:\w+ )?(?:summary|details|answers?|overview|results?|list|breakdown|steps?)\W*$",
        r"there are (?:a few|some|several) (?:things|points) to (?:note|consider|mention)\W*$",
        r"in (?:summary|conclusion|short)\W*$",
        r"(?:sources?|references?|notes?|summary|answer|conclusion)\s*:?$",
    ),
    re.IGNORECASE,
)
_EVIDENCE_WORD = r"(?:documents?|contexts?|evidence|texts?|sources?|passages?|information)"
# such as "The documents do not mention it."; "There is no evidence that it leaks" is a claim
_ABSTENTION = _pattern(
    r"i (?:do not|don't|cannot|can't|could not|couldn't)"
    r" (?:know|find|determine|verify|say|tell|answer)",
    rf"{_EVIDENCE_WORD}\b[^.]{{0,30}}\b(?:do(?:es)? not|doesn't|don't|did not)"
    r" (?:mention|say|state|specify|contain|provide|include|give|describe|indicate|cover)",
    r"(?:there is|there's) no (?:mention|information)",
    rf"(?:there is|there's) no (?:evidence|indication) in the (?:given )?{_EVIDENCE_WORD}",
    rf"is not (?:mentioned|specified|stated|given) in the (?:provided |given )?{_EVIDENCE_WORD}",
)
# such as "In my view ...", "I love it."
_OPINION = _pattern(
    r"in my (?:opinion|view)|personally,?|i (?:love|like|hate|prefer|recommend|suggest)",
    r"i would (?:recommend|suggest|prefer|say)|we (?:recommend|suggest)",
    start=True,
)
# such as "It is really beautiful.": nothing but praise or blame is said
_PRAISE = lazy_pattern(
    r"^[^,;]*\b(?:is|are|was|were|looks?|feels?) (?:(?:really|very|so|quite|truly|simply) )?"
    r"(?:beautiful|amazing|wonderful|awesome|fantastic|interesting|fascinating|exciting|lovely"
    r"|impressive|terrible|awful|ugly|boring|delicious|inspiring|a must|worth (?:it|visiting))"
    r"[.!]?$",
    re.IGNORECASE,
)
# such as "Please restart it", "You may want to ..."; "You must apply by May" is a requirement
_ADVICE = _pattern(
    r"please|let's|let us|make sure|be sure|remember to|don't|do not|try to|consider \w+ing",
    r"you (?:may want to|might want to|'ll want to|could try)",
    start=True,
)
# such as "Note that" in "Note that the bridge is long."
_ANNOUNCEMENT = lazy_pattern(
    "^"
    + _any_of(
        r"(?:please )?note(?: that|:)|keep in mind that|remember that|in other words,|in fact,",
        r"(?:answer|summary|conclusion|result|fact|important):",
        r"it(?: is|'s) (?:important|worth|interesting)(?: to note| noting)? that",
        r"as (?:mentioned|noted|stated)(?: above| earlier)?,",
        rf"(?:based on|according to) the (?:provided |given |above )?{_EVIDENCE_WORD}"
        r"(?: provided| given)?,",
        r"in (?:summary|conclusion|short),|to (?:summari[sz]e|conclude),|overall,",
        r"(?:yes|no|sure|certainly|additionally|furthermore|moreover|however|also|therefore|thus"
        r"|consequently),",
    )
    + r"\s*",
    re.IGNORECASE,
)
# such as "Staff: " in "Staff: 999 employees"
_LABEL = lazy_pattern(r"[^:.!?]{1,60}:\s+(?=\S)")
# such as "Yes, it does.", "We think so.", "Not really.", "That makes sense."
_FILLERS = word_set(
    "i we you it that this is are was am be do does did not no nor yes yeah so too as well and or"
    " but of course all both really quite very indeed exactly precisely true right correct fine"
    " okay ok sure think hope guess believe suppose agree agreed makes make sense depends helps"
    " help happy to just only anyway now then here it's that's i'm don't doesn't isn't can see"
)
_CONTRACTED = ("it's", "'re", "'m", "n't", "there's", "that's")
_SUBORDINATES = word_set("which who that what because as whether where after when while although")
_MIN_LETTERS = 2
_LABEL_WORDS = 2
_TITLE_WORDS = 4


def assertion_start(sentence: str) -> int:
    """Where the assertion begins, after words that only announce it ("Note that …")."""
    start = 0
    while match := _ANNOUNCEMENT.match(sentence[start:]):
        start += match.end()
    return start if start < len(sentence) else 0


def exclusion(sentence: str) -> ExclusionReason | None:
    """Why a sentence asserts nothing that can be verified, or None when it does, or may."""
    bare = plain(sentence).strip().rstrip("\"'”)]*_ ")
    if sum(char.isalpha() for char in bare) < _MIN_LETTERS:
        return "fragment"
    if bare.endswith(("?", "？")):
        return "question"
    said = bare[assertion_start(bare) :]
    reasons: list[tuple[ExclusionReason, bool]] = [
        ("greeting", _GREETING.fullmatch(bare) is not None and not _has_verb(bare)),
        ("meta", any(map(_META.match, (bare, said))) or _says_nothing(said)),
        ("abstention", _ABSTENTION.search(said) is not None),
        ("instruction", _ADVICE.match(said) is not None or _orders(said)),
        ("hedged", _is_guess(said)),
        ("opinion", _OPINION.match(said) is not None or _is_praise(said)),
    ]
    return next((reason for reason, holds in reasons if holds), None)


def _says_nothing(sentence: str) -> bool:
    """Whether no word of it has a meaning of its own, and no number stands in it."""
    words = [token.low for token in tokens_of(sentence) if any(map(str.isalnum, token.text))]
    return _FILLERS.issuperset(words)


def _orders(sentence: str) -> bool:
    """ "Step 2: open the valve"; not "Staff: 999 employees"."""
    label = _LABEL.match(sentence)
    said = sentence[label.end() :] if label else sentence
    if label and len(said.split()) == 1:
        return False
    return is_instruction(said) and not _opens_with_subject(said)


def _opens_with_subject(sentence: str) -> bool:
    """ "Staff at the quay were robbed", "Mark Gurman, in a letter, says": a noun, then its verb."""
    tokens = tokens_of(OPENING_WORDS.sub("", sentence))
    if tokens[0].low in {"do", "don't", "please", "let's"}:
        return False
    following = tokens[1].low if len(tokens) > 1 else ""
    is_name = len(tokens) > 1 and tokens[1].is_capitalised and tokens[1].text.isalpha()
    if tokens[0].low == "like" or (is_name and first_finite(tokens) is not None):
        return True
    ends = (
        place
        for place, token in enumerate(tokens)
        if place and (token.low in OPENS_CLAUSE or token.text in ",;:")
    )
    before_a_clause = tokens[: next(ends, len(tokens))]
    return following in PREPOSITIONS - _AFTER_AN_ORDER or first_finite(before_a_clause) is not None


def _is_guess(sentence: str) -> bool:
    """Whether all it says is a guess; one beside an assertion, or in a relative clause, is not."""
    for guess in GUESS.finditer(sentence):
        start, end = clause_around(sentence, guess.start())
        before = tokens_of(sentence[start : guess.start()])
        is_main = start == 0 and not any(token.low in _SUBORDINATES for token in before)
        if is_main and not _has_verb(sentence[end:]):
            return True
    return False


def _is_praise(sentence: str) -> bool:
    match = _PRAISE.match(sentence)
    return match is not None and not {"that", "said", "agree"} & set(match[0].lower().split())


def is_fragment(text: str) -> bool:
    """A title or a label alone: no sentence mark, no value, nothing that could be a verb.

    In doubt it asserts something: "kids play in a building", "An old person dying.".
    """
    if ":" in text.rstrip(": ") or any(char.isdigit() for char in text):
        return False
    if text.endswith((".", "!", "…")):
        return len(text.split()) == 1
    words = len(text.split())
    if words <= _LABEL_WORDS or words > _TITLE_WORDS:
        return words <= _LABEL_WORDS
    return not _has_verb(text) and not _may_have_verb(text)


def _may_have_verb(text: str) -> bool:
    """ "kids play together": a verb's form after what could be its subject."""
    tokens = tokens_of(text)
    for before, token in pairwise(tokens):
        is_noun = before.low in BEFORE_A_NOUN or before.low in PREPOSITIONS | {"an", "to", "and"}
        if token.low.endswith(_CONTRACTED) or before.low.endswith(_CONTRACTED):
            return True
        if not is_noun and token.text.islower() and is_base(token.low):
            return True
    return False


def _has_verb(text: str) -> bool:
    return first_finite(tokens_of(text)) is not None
