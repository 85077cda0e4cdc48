"""What a sentence or clause does with what it says: assert it, deny it, ask, order, plan, suppose.

A cue ("not", "if", "may", "said") marks the stretch of text it governs; the status of a stretch
is what the marks over it say. Several labels hold where several marks do.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

<<<<<<< HEAD
=======
from groundwire._patterns import lazy_pattern
from groundwire.model import ExclusionReason
>>>>>>> hookspeed
from groundwire.text import _cues as cues
from groundwire.text._blocks import Block, Range
from groundwire.text._grammar import AUXILIARIES, first_finite, is_base
from groundwire.text._words import plain, tokens_of, word_set

Label = Literal[
    "asserted",
    "asked",
    "ordered",
    "planned",
    "conditional",
    "hedged",
    "negated",
    "reported",
    "example",
    "hidden",
]
Mode = Literal[
    "asserted",
    "denied",
    "required",
    "planned",
    "decided",
    "assumed",
    "reported",
    "asked",
    "conditional",
    "example",
    "hidden",
]
_MODES: tuple[tuple[Label, Mode], ...] = (
    ("hidden", "hidden"),
    ("asked", "asked"),
    ("example", "example"),
    ("conditional", "conditional"),
    ("reported", "reported"),
    ("hedged", "assumed"),
    ("planned", "planned"),
    ("ordered", "required"),
)
"""What most takes a statement from its writer comes first."""
_SUSPENDING: frozenset[Label] = frozenset(
    {"asked", "ordered", "planned", "conditional", "hedged", "reported", "example", "hidden"}
)
"""With one of these the text itself does not stand behind what it says."""

# where what a cue governs ends: "x; y", "x, but y", "x although y"
_BREAK = lazy_pattern(
    r"[;:()]|,\s+(?:but|and|while|whereas|although|though|so|yet|which|who|then|it|the|we|they|he|she)\b"
    r"|\s+(?:but|whereas|although|though|because)\s|\s-\s|[.!?]\s",
    re.IGNORECASE,
)
# such as `Is it red?"`
_QUESTION_END = lazy_pattern(r"[?？][\"'”’)\]*_\s]*$")
# four words or more: fewer are a name or an emphasis
_QUOTED = lazy_pattern(r"\"(?:[^\"\s]+\s+){3}[^\"]*\"|“(?:[^”\s]+\s+){3}[^”]*”")
# such as "Then " in "Then open the valve."
<<<<<<< HEAD
OPENING_WORDS = re.compile(
=======
_OPENING_WORDS = lazy_pattern(
>>>>>>> hookspeed
    r"^(?:then|next|first|second|third|finally|also|now|alternatively),?\s+", re.IGNORECASE
)
_IMPERATIVE_REACH = 7
_CLAUSE_REACH = 12
_CLAUSE_CHARS = 300
_WORD_CHARS = 40
OPENS_CLAUSE = word_set("when if where what how which who until before after once so")
BEFORE_A_NOUN = word_set("the a his her their my your our free good ill last at this that")
# headings that lend their status: "Open questions", "Next steps", "Examples"
_SECTIONS: tuple[tuple[Label, re.Pattern[str]], ...] = (
    ("asked", lazy_pattern(r"\bquestions?\b|\bFAQ\b", re.IGNORECASE)),
    (
        "planned",
        lazy_pattern(
            r"\bto.?do\b|\bnext steps\b|\baction items\b|\broadmap\b|\bplans?\b|\bfuture\b",
            re.IGNORECASE,
        ),
    ),
    ("example", lazy_pattern(r"\bexamples?\b|\bscenarios?\b", re.IGNORECASE)),
)


# headings of what is decided or laid down: "Decision", "Decision outcome", "Password policy"
_DECIDES = lazy_pattern(
    r"\b(?:decisions?|resolutions?|polic(?:y|ies)|standards?|rules?)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A cue, and the stretch it governs. `by` is who is reported, `is_distanced` that the text
    leaves it to them: "claims", "believes", "denied"."""

    label: Label
    cue: Range
    scope: Range
    by: str = ""
    is_distanced: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """`asserted` alone: the text says that it is so. With `negated`: it says that it is not."""

    labels: frozenset[Label]
    marks: tuple[Mark, ...] = ()
    is_decision: bool = False
    """ "We will use Kafka" under a heading such as "Decision" or "Policy", or "decided to"."""

    @property
    def mode(self) -> Mode:
        """What one thing a source does with it: only `asserted` shows that it is so, only
        `denied` that it is not; the others support a claim of the same mode."""
        for label, mode in _MODES:
            if label in self.labels:
                decided = self.is_decision and mode in ("planned", "required")
                return "decided" if decided else mode
        return "denied" if self.is_negated else "asserted"

    @property
    def is_negated(self) -> bool:
        """Whether what is asserted, decided, required and so on is that it is not so."""
        return "negated" in self.labels

    @property
    def asserts(self) -> bool:
        return "asserted" in self.labels and "negated" not in self.labels

    @property
    def denies(self) -> bool:
        return "asserted" in self.labels and "negated" in self.labels

    @property
    def withheld(self) -> frozenset[Label]:
        """The labels under which a source does not stand behind what it passes on.

        A rule ("must") and a decision hold as such, and what somebody is said to have *said* is
        passed on as true; what somebody claims, believes or denies is not.
        """
        kept = self.labels & _SUSPENDING - {"ordered"}
        reports = [mark for mark in self.marks if mark.label == "reported"]
        if reports and not any(mark.is_distanced for mark in reports):
            kept -= {"reported"}
        return kept - {"planned"} if self.is_decision else kept

    @property
    def reporter(self) -> str:
        return next((mark.by for mark in self.marks if mark.label == "reported"), "")


def status_of(sentence: str, block: Block | None = None) -> Status:
    """Of a whole sentence without markup."""
    return status_in(sentence, 0, len(sentence), block)


def status_in(sentence: str, start: int, end: int, block: Block | None = None) -> Status:
    """Of a stretch of a sentence: what the marks say that stand in it or reach over it."""
    marks = tuple(mark for mark in marks_in(sentence) if _governs(mark, start, end))
    labels: set[Label] = {mark.label for mark in marks}
    if block is not None:
        labels |= _by_block(block)
    if not labels & _SUSPENDING:
        labels.add("asserted")
    text = plain(sentence)
    decided = any(cues.DECISION.fullmatch(text, *mark.cue) for mark in marks)
    is_decision = decided or (block is not None and any(map(_DECIDES.search, block.section)))
    return Status(frozenset(labels), marks, is_decision)


@lru_cache(maxsize=4_096)
def marks_in(sentence: str) -> tuple[Mark, ...]:
    text = plain(sentence)
    whole = (0, len(text))
    found: list[Mark] = []
    if is_question(text):
        found.append(Mark("asked", (len(text) - 1, len(text)), whole))
    if is_instruction(text):
        found.append(Mark("ordered", (0, 1), whole))
    found += [
        Mark("negated", match.span(), clause_around(text, match.start()))
        for match in _except(cues.NO_NEGATION, cues.NEGATION, text)
    ]
    found += _reports(text)
    found += [
        Mark("conditional", match.span(), whole)
        for match in _except(cues.NO_CONDITION, cues.CONDITION, text)
    ]
    for label, pattern, reach in (
        ("hedged", cues.HEDGE, "clause"),
        ("asked", cues.INDIRECT_QUESTION, "after"),
        ("ordered", cues.ORDER, "clause"),
        ("planned", cues.PLAN, "clause"),
        ("example", cues.EXAMPLE, "whole"),
    ):
        for match in pattern.finditer(text):
            if not _is_other_word(text, match):
                scope = whole if reach == "whole" else clause_around(text, match.start())
                if reach == "after":
                    scope = match.start(), scope[1]
                found.append(Mark(label, match.span(), scope))  # type: ignore[arg-type]
    return tuple(found)


def denial_before(sentence: str, place: int) -> Range | None:
    """The cue of the nearest denial before a place: of "did not" in "It did not leak" at "leak".

    How far it may stand off to count is for the caller to say.
    """
    before = [mark.cue for mark in marks_in(sentence) if mark.label == "negated"]
    return max((cue for cue in before if cue[1] <= place), default=None)


def is_question(sentence: str) -> bool:
    """ "Is it red?", whatever else it says; indirect questions are marks of a status."""
    return _QUESTION_END.search(sentence) is not None


def is_instruction(sentence: str) -> bool:
    """ "Open the valve.", "Then check the seal." """
    tokens = tokens_of(OPENING_WORDS.sub("", sentence))
    if not tokens or not is_base(tokens[0].low) or tokens[0].low in AUXILIARIES - {"do", "don't"}:
        return tokens[:1] != [] and tokens[0].low in {"please", "don't", "let's"}
    opening = tokens[:_IMPERATIVE_REACH]
    for place, token in enumerate(opening):
        if token.low in OPENS_CLAUSE:
            opening = opening[:place]
            break
    return first_finite(opening) is None or tokens[0].low in {"do", "don't"}


def _except(harmless: re.Pattern[str], cue: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Where a cue stands that does not begin in a phrase without its force: "not only"."""
    others = [match.span() for match in harmless.finditer(text)]
    starts = [start for start, _ in others]
    for match in cue.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        if before < 0 or match.start() >= others[before][1]:
            yield match


def _reports(text: str) -> Iterator[Mark]:
    """The vendor said (that) X. "X", said the vendor. According to the vendor, X."""
    for match in cues.ACCORDING.finditer(text):
        stop = text.find(",", match.end())
        by = text[match.end() : stop if stop > 0 else len(text)][:_CLAUSE_CHARS].strip(" .")
        yield Mark("reported", match.span(), (0, len(text)), by)
    said = list(cues.SAID.finditer(text))
    quotes = [match.span() for match in _QUOTED.finditer(text)]
    who = _speaker(text, said[0].start()) if said else ""
    comma = text.find(",")
    for quote in quotes:
        yield Mark("reported", quote, quote, who)
    for match in said:
        who = _speaker(text, match.start())
        if who.lower() in cues.SPEAKER:
            continue
        after = text[match.end() : match.end() + _CLAUSE_CHARS].lstrip()
        distanced = cues.DISTANCED.fullmatch(match.group()) is not None
        is_denial = match.group().lower().startswith("den") and bool(who)
        if is_denial or _has_content(after, match.group()):
            yield Mark("reported", match.span(), (match.end(), len(text)), who, distanced)
        elif cues.SAYS.fullmatch(match.group()) and -1 < comma < match.start() and not quotes:
            # "The leak is closed, the vendor said."
            scope = 0, text.rfind(",", 0, match.start())
            yield Mark("reported", match.span(), scope, who, distanced)


def _has_content(after: str, verb: str) -> bool:
    """ "said that it leaks", "said: it leaks", "said it leaks"; not "added the valve"."""
    if after.lower().startswith(("that ", ":")):
        return True
    return (
        bool(cues.SAYS.fullmatch(verb))
        and first_finite(tokens_of(after)[:_CLAUSE_REACH]) is not None
    )


def _speaker(text: str, place: int) -> str:
    """The words before a verb of saying, back to the last break."""
    start = max(clause_around(text, max(0, place - 1))[0], place - _CLAUSE_CHARS)
    comma = text.rfind(",", start, place)
    return text[max(start, comma + 1) : place].strip(" \"'“”")


def clause_around(text: str, place: int) -> Range:
    starts, ends = _breaks(text)
    before = bisect_right(ends, place)
    after = bisect_right(starts, place)
    return (
        ends[before - 1] if before else 0,
        starts[after] if after < len(starts) else len(text),
    )


@lru_cache(maxsize=16)
def _breaks(text: str) -> tuple[list[int], list[int]]:
    """Where the breaks of a sentence start and where they end."""
    found = [match.span() for match in _BREAK.finditer(text)]
    return [start for start, _ in found], [end for _, end in found]


def _governs(mark: Mark, start: int, end: int) -> bool:
    """Its cue stands in the stretch, or the stretch stands (mostly) in its scope."""
    if start <= mark.cue[0] and mark.cue[1] <= end:
        return True
    shared = min(mark.scope[1], end) - max(mark.scope[0], start)
    return shared * 2 > end - start


def _is_other_word(text: str, match: re.Match[str]) -> bool:
    """ "In May 2024" names a month, "the will of the founder" a document."""
    word = match.group()
    if word == "May":
        return match.start() > 0
    before = text[max(0, match.start() - _WORD_CHARS) : match.start()].rsplit(maxsplit=1)[-1:]
    return word.lower() == "will" and bool(before) and before[0].lower() in BEFORE_A_NOUN


def _by_block(block: Block) -> set[Label]:
    found: set[Label] = set()
    if block.is_hidden:
        found.add("hidden")
    if block.is_open_task:
        found.add("planned")
    if block.kind in ("item", "paragraph") and block.section:
        found |= {label for label, pattern in _SECTIONS if pattern.search(block.section[-1])}
    return found
<<<<<<< HEAD
=======


def _any_of(*alternatives: str) -> str:
    return "(?:" + "|".join(alternatives) + ")"


def _pattern(*alternatives: str, start: bool = False) -> re.Pattern[str]:
    """A pattern of whole words, anywhere or at the start."""
    return lazy_pattern(("^" if start else r"\b") + _any_of(*alternatives) + r"\b", re.IGNORECASE)


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
        ("meta", _META.match(bare) is not None),
        ("abstention", _ABSTENTION.search(said) is not None),
        ("instruction", _ADVICE.match(said) is not None or _orders(said)),
        ("hedged", _is_guess(said)),
        ("opinion", _OPINION.match(said) is not None or _is_praise(said)),
    ]
    return next((reason for reason, holds in reasons if holds), None)


def _orders(sentence: str) -> bool:
    """ "Step 2: open the valve"; not "Staff: 999 employees"."""
    label = _LABEL.match(sentence)
    said = sentence[label.end() :] if label else sentence
    if label and len(said.split()) == 1:
        return False
    return is_instruction(said) and not _opens_with_subject(said)


def _opens_with_subject(sentence: str) -> bool:
    """ "Staff at the quay were robbed", "Mark Gurman, in a letter, says": a noun, then its verb."""
    tokens = tokens_of(_OPENING_WORDS.sub("", sentence))
    if tokens[0].low in {"do", "don't", "please", "let's"}:
        return False
    following = tokens[1].low if len(tokens) > 1 else ""
    is_name = len(tokens) > 1 and tokens[1].is_capitalised and tokens[1].text.isalpha()
    if tokens[0].low == "like" or (is_name and first_finite(tokens) is not None):
        return True
    ends = (
        place
        for place, token in enumerate(tokens)
        if place and (token.low in _OPENS_CLAUSE or token.text in ",;:")
    )
    before_a_clause = tokens[: next(ends, len(tokens))]
    return following in PREPOSITIONS - _AFTER_AN_ORDER or first_finite(before_a_clause) is not None


def _is_guess(sentence: str) -> bool:
    """Whether all it says is a guess; one beside an assertion, or in a relative clause, is not."""
    for guess in GUESS.finditer(sentence):
        start, end = _clause_around(sentence, guess.start())
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
        is_noun = before.low in _BEFORE_A_NOUN or before.low in PREPOSITIONS | {"an", "to", "and"}
        if token.low.endswith(_CONTRACTED) or before.low.endswith(_CONTRACTED):
            return True
        if not is_noun and token.text.islower() and is_base(token.low):
            return True
    return False


def _has_verb(text: str) -> bool:
    return first_finite(tokens_of(text)) is not None
>>>>>>> hookspeed
