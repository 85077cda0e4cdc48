"""What the words of a status mean, whoever wrote the template."""

from functools import cache

from groundwire._patterns import lazy_pattern
from groundwire.model import DocumentState
from groundwire.text import unmarked, words_of

_MEANINGS: tuple[tuple[DocumentState, str], ...] = (
    (
        "accepted",
        (
            "accepted, approved, agreed, adopted, ratified, endorsed, decided, geaccepteerd,"
            " goedgekeurd, vastgesteld, akzeptiert, angenommen, beschlossen, genehmigt,"
            " freigegeben, entschieden"
        ),
    ),
    (
        "accepted",
        "final, implemented, done, complete, completed, published, enacted, standard, umgesetzt",
    ),
    (
        "accepted",
        (
            "active, in force, effective, in effect, current, live, valid, supported, stable,"
            " gültig, in kraft"
        ),
    ),
    ("accepted", "implementable"),
    ("proposed", "proposed, proposal, voorgesteld, vorgeschlagen, vorschlag"),
    ("proposed", "pending, open, submitted, offen"),
    ("proposed", "candidate, provisional"),
    (
        "proposed",
        (
            "in review, under review, review, under discussion, ready for review, in prüfung,"
            " in diskussion"
        ),
    ),
    ("proposed", "ready for acceptance, final comment period"),
    ("proposed", "deferred, postponed, on hold, zurückgestellt"),
    (
        "draft",
        (
            "draft, drafts, wip, work in progress, in progress, incomplete, idea, concept, entwurf,"
            " in arbeit"
        ),
    ),
    (
        "rejected",
        (
            "rejected, declined, refused, denied, not accepted, turned down, afgewezen, abgelehnt,"
            " verworfen"
        ),
    ),
    ("abandoned", "withdrawn, retracted, ingetrokken, zurückgezogen"),
    ("abandoned", "abandoned, dropped, cancelled, canceled, discontinued, stalled, vervallen"),
    (
        "deprecated",
        (
            "deprecated, obsolete, retired, outdated, historical, historic, end of life, veraltet,"
            " überholt, außer kraft"
        ),
    ),
    (
        "superseded",
        "superseded, superceded, replaced, obsoleted, vervangen, ersetzt, abgelöst",
    ),
    ("archived", "archived, archive, gearchiveerd"),
)
"""One entry is one wording in its variants and languages; several may be one state."""
STILL_HOLDS = ("in force", "in effect", "valid", "current")
"""Whoever asks with these words means the state, not its wording."""
_EVERYDAY = frozenset(
    "decided open standard review idea live done complete completed published concept candidate"
    " archive supported implemented proposal".split()
)
"""Wordings of a status that, in a question, are words like any other."""
# unless all that is asked is whether documents are so: "Which ADRs are still open?"
_ALONE = lazy_pattern(
    r"\b(?:are|is|were|been|be|marked)(?: (?:still|now|already|not|yet|currently|as))*"
    r" (?P<status>open|implemented|done|completed?|published)\W*$"
)
# where a remark begins: "accepted (see 19)", "superseded by ADR.33"
_REMARK = lazy_pattern(r"[(\[;,.:|]|(?<=\w) (?:by|in|on|see|since|durch|am|siehe)\b")
# "superseded in part" is partly superseded
_IN_PART = lazy_pattern(r"\b(?P<word>\w+) (?:in part|partly|partially)\b")
# such as "2022-05-01: " of "2022-05-01: proposed", "1 May 2022 - " of "1 May 2022 - accepted"
_LEADING_DAY = lazy_pattern(
    r"^[\W_]*(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2} [a-z]{3,9} \d{4})[\W_]+"
)
# between what was and what is: "accepted -> deprecated", "approved, then withdrawn"
_THEN = lazy_pattern(r"->|=>|→|⇒|[,;.]? (?:and )?(?:then|now|later)\b")
_MAX_STATUS_WORDS = 4
_WITH_PREPOSITION = "work in progress"
"""The one wording in which a preposition begins no remark, but for the first word."""


@cache
def _lines() -> dict[str, tuple[int, DocumentState]]:
    return {
        wording: (line, state)
        for line, (state, words) in enumerate(_MEANINGS)
        for wording in words.split(", ")
    }


def normal_status(words: str) -> str | None:
    """`✅ Accepted (see 019)` and `accepted` are one: letters, lower case, before any remark; of
    several in turn, `2022-05-01: accepted -> deprecated`, the last that means a state."""
    lowered = _IN_PART.sub(r"partly \g<word>", unmarked(words.lower()))
    first, *later = map(_wording, _THEN.split(_LEADING_DAY.sub("", lowered)))
    return next((one for one in reversed(later) if state_of(one) != "unknown"), first)


def _wording(words: str) -> str | None:
    bare = words.strip()
    if bare.startswith(_WITH_PREPOSITION):
        return _WITH_PREPOSITION
    before_remark = _REMARK.split(bare, maxsplit=1)[0]
    kept = "".join(char if char.isalpha() or char == "-" else " " for char in before_remark)
    said = [word.strip("-") for word in kept.split() if word.strip("-")]
    return " ".join(said) if 0 < len(said) <= _MAX_STATUS_WORDS else None


def state_of(status: str | None) -> DocumentState:
    """Of a normal wording; unknown where the words are not known to mean one."""
    found = _known(status or "")
    return found[1] if found else "unknown"


def is_wording(status: str | None) -> bool:
    """Known as a whole: "open", not "open data"."""
    return status in _lines()


def is_decision(status: str | None) -> bool:
    """ "accepted" and "declined" are made on one day; "final", "in force" are how it stands."""
    decisions = (_lines()[one][0] for one in ("accepted", "rejected"))
    return is_wording(status) and _lines()[status or ""][0] in decisions


def same_wording(one: str, other: str) -> bool:
    """`approved` and `accepted` are one; `final` and `accepted` are the same state only."""
    if one == other:
        return True
    left, right = _known(one), _known(other)
    return left is not None and right is not None and left[0] == right[0]


def same_state(one: str, other: str) -> bool:
    """ "Final" is accepted and "pending" proposed; "provisional" and "deferred" are only both not
    decided, so that neither stands for the other."""
    state = state_of(one)
    if state == "unknown" or state != state_of(other):
        return False
    return one in STILL_HOLDS or any(same_wording(said, state) for said in (one, other))


def statuses_in(question: str) -> tuple[str, ...]:
    """The wordings a question asks for, longest first where one holds another."""
    said = f" {' '.join(words_of(question))} "
    alone = _ALONE.search(said)
    found: list[str] = []
    for wording in sorted(_lines(), key=len, reverse=True):
        is_meant = wording not in _EVERYDAY or (alone is not None and alone["status"] == wording)
        if f" {wording} " in said and is_meant:
            said = said.replace(f" {wording} ", " ")
            found.append(wording)
    return tuple(sorted(found, key=question.lower().find))


def _known(status: str) -> tuple[int, DocumentState] | None:
    """ "accepted with changes" is accepted; "partly superseded" is neither."""
    lines = _lines()
    return lines.get(status) or lines.get(status.partition(" ")[0])
