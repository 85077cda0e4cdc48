"""What a sentence of an answer is for: to assert, or to greet, ask, instruct, guess, opine."""

import re

from groundwire.model import ExclusionReason
from groundwire.text._cues import GUESS
from groundwire.text._grammar import first_finite
from groundwire.text._status import is_instruction
from groundwire.text._words import plain, tokens_of


def _any_of(*alternatives: str) -> str:
    return "(?:" + "|".join(alternatives) + ")"


def _pattern(*alternatives: str, start: bool = False) -> re.Pattern[str]:
    """A pattern of whole words, anywhere or at the start."""
    return re.compile(("^" if start else r"\b") + _any_of(*alternatives) + r"\b", re.IGNORECASE)


_GREETING = re.compile(
    _any_of(
        r"hello|hi|hey|dear \w+|good (?:morning|afternoon|evening)|welcome back",
        r"thanks|thank you|you're welcome|no problem|best regards|kind regards|cheers",
        r"sure|of course|absolutely|certainly|great question|good question",
    )
    + r"\b[^.]{0,40}[!,.]?",
    re.IGNORECASE,
)
_META = re.compile(
    _any_of(
        r"i hope (?:this|that)|let me know|feel free|happy to help|here you go|as an ai",
        r"(?:i'm|i am) (?:happy|glad|sorry)|i apologi[sz]e",
        r"(?:here|below)(?:'s| is| are)\b.*:$",
        r"in (?:summary|conclusion|short)\W*$",
        r"(?:sources?|references?|notes?|summary|answer|conclusion)\s*:?$",
    ),
    re.IGNORECASE,
)
_EVIDENCE_WORD = r"(?:documents?|contexts?|evidence|texts?|sources?|passages?|information)"
_ABSTENTION = _pattern(
    r"i (?:do not|don't|cannot|can't|could not|couldn't)"
    r" (?:know|find|determine|verify|say|tell|answer)",
    rf"{_EVIDENCE_WORD}\b[^.]{{0,30}}\b(?:do(?:es)? not|doesn't|don't|did not)"
    r" (?:mention|say|state|specify|contain|provide|include|give|describe|indicate|cover)",
    r"(?:there is|there's) no (?:mention|information|evidence|indication)",
    rf"is not (?:mentioned|specified|stated|given) in the (?:provided |given )?{_EVIDENCE_WORD}",
)
_OPINION = _pattern(
    r"in my (?:opinion|view)|personally|i (?:love|like|hate|prefer|recommend|suggest|would)",
    r"we (?:recommend|suggest)",
    r"(?:is|are|was|were|looks?|feels?) (?:(?:really|very|so|quite|truly|simply) )?"
    r"(?:beautiful|amazing|wonderful|awesome|fantastic|interesting|fascinating|exciting|lovely"
    r"|impressive|terrible|awful|ugly|boring|delicious|inspiring|a must|worth (?:it|visiting))",
)
_ADVICE = _pattern(
    r"please|let's|let us|make sure|be sure|remember to|don't|do not|try to|consider \w+ing",
    r"you (?:should|need to|may want to|might want to|'ll want to|ought to|could try)",
    start=True,
)
_ANNOUNCEMENT = re.compile(
    "^"
    + _any_of(
        r"(?:please )?note that|keep in mind that|remember that|in other words,|in fact,",
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
_MIN_LETTERS = 2
_TITLE_WORDS = 3


def assertion_start(sentence: str) -> int:
    """Where the assertion begins, after words that only announce it ("Note that …")."""
    start = 0
    while match := _ANNOUNCEMENT.match(sentence[start:]):
        start += match.end()
    return start if start < len(sentence) else 0


def exclusion(sentence: str) -> ExclusionReason | None:
    """Why a sentence asserts nothing that can be verified, or None when it does."""
    bare = plain(sentence).strip().rstrip("\"'”)]*_ ")
    if sum(char.isalpha() for char in bare) < _MIN_LETTERS:
        return "fragment"
    if bare.endswith(("?", "？")):
        return "question"
    reasons: list[tuple[ExclusionReason, bool]] = [
        ("greeting", _GREETING.fullmatch(bare) is not None and not _has_verb(bare)),
        ("meta", _META.match(bare) is not None),
        ("abstention", _ABSTENTION.search(bare) is not None),
        ("instruction", _is_instruction(bare)),
        ("hedged", GUESS.search(bare) is not None),
        ("opinion", _OPINION.search(bare) is not None),
    ]
    return next((reason for reason, holds in reasons if holds), None)


def is_fragment(text: str) -> bool:
    """No verb, no value and no "label: value": a title, a bare noun phrase."""
    if ":" in text.rstrip(": ") or any(char.isdigit() for char in text):
        return False
    is_title = len(text.split()) <= _TITLE_WORDS and text[-1].isalnum()
    return is_title or not _has_verb(text)


def _has_verb(text: str) -> bool:
    return first_finite(tokens_of(text)) is not None


def _is_instruction(bare: str) -> bool:
    return _ADVICE.match(bare) is not None or is_instruction(bare)
