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

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.text import _cues as cues
from groundwire.text._blocks import Block, Range
from groundwire.text._grammar import AUXILIARIES, first_finite, has_plural_subject, is_base
from groundwire.text._labels import states_value
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
_PROPOSING: frozenset[Label] = frozenset({"asked", "planned", "hedged"})

# where what a cue governs ends: "x; y", "x, but y", "x although y", "x so that y"
_BREAK = lazy_pattern(
    r"[;:()]|,\s+(?:but|and|while|whereas|although|though|so|yet|which|who|then|it|the|we|they|he|she)\b"
    r"|\s+(?:but|whereas|although|though|because|so that)\s|\s-\s|[.!?]\s",
    re.IGNORECASE,
)
# such as `Is it red?"`
_QUESTION_END = lazy_pattern(r"[?？][\"'”’)\]*_\s]*$")
# four words or more: fewer are a name or an emphasis
_QUOTED = lazy_pattern(r"\"(?:[^\"\s]+\s+){3}[^\"]*\"|“(?:[^”\s]+\s+){3}[^”]*”")
# such as "Then " in "Then open the valve."
OPENING_WORDS = lazy_pattern(
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
    # "Open questions", not "Frequently asked questions" or "Questions and answers"
    (
        "asked",
        lazy_pattern(r"(?<!\basked )\bquestions?\b(?! (?:and|&) answers?\b)", re.IGNORECASE),
    ),
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
        passed on as true; what somebody claims, believes or denies is not. How far "may" and
        "appears" carry is for the judge to say, which reads the words.
        """
        kept = self.labels & _SUSPENDING - {"ordered", "hedged"}
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
        labels |= by_block(block)
    if not labels & _SUSPENDING:
        labels.add("asserted")
    text = plain(sentence)
    decided = any(cues.DECISION.fullmatch(text, *mark.cue) for mark in marks)
    is_decision = decided or (block is not None and any(map(_DECIDES.search, block.section)))
    return Status(frozenset(labels), marks, is_decision)


@kept(4_096)
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
        harmless = cues.NO_PLAN if label == "planned" else cues.NOTHING
        for match in _except(harmless, pattern, text):
            if not _is_other_word(text, match):
                scope = whole if reach == "whole" else clause_around(text, match.start())
                if reach == "after":
                    scope = match.start(), scope[1]
                found.append(Mark(label, match.span(), scope))  # type: ignore[arg-type]
    return tuple(found)


def same_mode(claim: str, sentence: str) -> bool:
    """Whether both put it in the same way: as a plan, a condition, a report, a duty. What a source
    plans supports that it is planned; a duty that is only proposed is none."""
    ours, theirs = status_of(claim).labels & _SUSPENDING, status_of(sentence).labels & _SUSPENDING
    is_duty = all(cues.DUTY.search(plain(text)) for text in (claim, sentence))
    return (bool(ours & theirs) or is_duty) and (theirs - ours).isdisjoint(_PROPOSING)


def denial_before(sentence: str, place: int) -> Range | None:
    """The cue of the nearest denial before a place: of "did not" in "It did not leak" at "leak".

    How far it may stand off to count is for the caller to say.
    """
    before = [mark.cue for mark in marks_in(sentence) if mark.label == "negated"]
    return max((cue for cue in before if cue[1] <= place), default=None)


def does_not_work(sentence: str) -> bool:
    """ "The app does not start": a symptom, and no denial of one."""
    return cues.NOT_WORKING.search(plain(sentence)) is not None


def is_to_do(sentence: str) -> bool:
    """ "TODO grease the sheaves"."""
    return cues.TO_DO.match(sentence) is not None


def is_ticked(sentence: str) -> bool:
    """ "[x] replace the lamp": whoever ticks a task says that it is done."""
    return cues.TICKED.match(sentence) is not None


def is_question(sentence: str) -> bool:
    """ "Is it red?", whatever else it says; indirect questions are marks of a status."""
    return _QUESTION_END.search(sentence) is not None


def is_instruction(sentence: str) -> bool:
    """ "Open the valve.", "Then check the seal."; in doubt it is none: "Access keys expire." """
    tokens = tokens_of(OPENING_WORDS.sub("", sentence))
    if not tokens or not is_base(tokens[0].low) or tokens[0].low in AUXILIARIES - {"do", "don't"}:
        return tokens[:1] != [] and tokens[0].low in {"please", "don't", "let's"}
    if states_value(sentence) or tokens[0].low == _ARTICLE:
        return False
    opening = tokens[:_IMPERATIVE_REACH]
    for place, token in enumerate(opening):
        if token.low in OPENS_CLAUSE:
            opening = opening[:place]
            break
    if tokens[0].low in {"do", "don't"}:
        return True
    return first_finite(opening) is None and not has_plural_subject(opening)


_ARTICLE = "die"
"""Nobody orders it; "Die Pumpe war defekt." opens with an article."""


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


def by_block(block: Block) -> set[Label]:
    """What the block lends its sentences: an open task, a section of questions, plans, examples."""
    found: set[Label] = set()
    if block.is_hidden:
        found.add("hidden")
    if block.is_open_task:
        found.add("planned")
    if block.kind in ("item", "paragraph") and block.section:
        found |= {label for label, pattern in _SECTIONS if pattern.search(block.section[-1])}
    return found
