"""The patterns of `_prose`. A blank in a phrase is any white space; case does not matter."""

import re

from groundwire.traces import CheckName


def phrase(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts).replace(" ", r"\s+"), re.IGNORECASE | re.DOTALL)


CREATED = "created|added|wrote|generated|introduced|scaffolded"
CHANGED = (
    "updated|modified|edited|changed|refactored|rewrote|adjusted|extended|improved|patched"
    "|corrected|simplified|bumped|reformatted|formatted|cleaned up|tweaked|reworked|expanded"
)
FIXED = "fixed|resolved|implemented|addressed|handled|replaced|documented|migrated"
"""Verbs whose place may be where the trouble was seen rather than where it was mended."""
DELETED = "removed|deleted|dropped"
RAN = "ran|re-?ran|executed"

_STARTER = (
    "^(?:(?:and|also|then|now|finally|first|second|lastly|next|additionally|in addition|so|done"
    "|yes|great|okay|ok|as requested|as asked)\\b[,:\\s]*)*"
    "(?:(?:i|we)(?:'ve| have| had)? )?"
    "(?:(?:also|just|then|now|successfully|manually|already|carefully|fully) )*"
)
ACTIVE = phrase(
    _STARTER,
    f"(?P<verb>{CREATED}|{CHANGED}|{FIXED}|{DELETED}|moved|renamed|{RAN}|committed|pushed)\\b",
    "(?P<rest>.*)$",
)
THING = r"(?:the (?:file )?)?(?P<thing>`[^`]+`|\S+)(?: file)?"
PASSIVE = phrase(
    f"^{THING} (?:(?:has|have) (?:also |now )?been|(?P<past>was|were|is|are))",
    f" (?:now |also |successfully )*(?P<verb>{CREATED}|{CHANGED}|{DELETED})\\s*$",
)
MODULE = phrase(
    r"\s+(?:the|an?|our) (?:old |new )?(?P<name>[\w-]+) (?:module|script|file|package)\b"
)
"""A file called by its name without path or extension: "the legacy module"."""
NOT_MEANT = phrase(r"[^,]*\b(?:would|should|must|needs?)\b")
"""What follows a verb that only looked like a statement: "Updated docs would help"."""

NOT_DONE = phrase(
    r"\b(?:would|should|could|will|might|may|must|cannot|can't|if|unless|until|once|when|whether",
    r"|to make|so that|ensure[sd]?|make sure|making sure|expect\w*|hope\w*|goal|need\w*|want\w*",
    r"|try|tries|tried|attempt\w*|plan\w*|todo|instead of|rather than|not|never|no longer|isn't",
    r"|aren't|don't|doesn't|didn't|won't|fail\w*|unable|almost|nearly|most|some|few|only|except",
    r"|apart from|originally|previously|before|you|your|they|their|user)\b",
)
SUCCESS = phrase(r"\b(?:success\w*|pass(?:es|ed|ing)?|green|no errors?|clean(?:ly)?|succeed\w*)\b")
FAILURE = phrase(r"\b(?:fail\w*|(?<!no\s)errors?|errored|broken?|crash\w*)\b")
THE_TESTS = phrase(r"\s+(?:(?:all|the|full|our|existing|unit|whole|entire|new|relevant) )*tests?\b")
WHOLE = phrase(r"\b(?:all|full|whole|entire|every|complete|suite)\b")

CHECK_NOUNS: dict[CheckName, str] = {
    "tests": r"(?:(?:\d+|unit|integration|existing|new) )*(?:tests?(?: suite| cases)?|specs?)",
    "build": "(?:build|compilation)",
    "lint": "(?:lint(?:er|ing)?|linters)(?: checks?)?",
    "types": "(?:type[- ]?check(?:s|er|ing)?|mypy|pyright|tsc)",
}  # fmt: skip
_ENDS_WELL = (
    r" (?:all )?(?:now )?(?:still )?(?:pass(?:es|ed)?"
    r"|(?:is|are) (?:now |all )?(?:passing|green|clean)"
    r"|succeed(?:s|ed)?|run clean(?:ly)?|went through)\b"
)
PASSES = {check: phrase(rf"\b{noun}{_ENDS_WELL}") for check, noun in CHECK_NOUNS.items()}

_TOUCH = r"(?:chang|modif|touch|edit|alter|updat)\w*"
UNTOUCHED = (
    phrase(rf"\b(?:did not|didn't|have not|haven't|without|never) {_TOUCH} (?P<thing>.+)"),
    phrase(rf"^(?:there (?:were|are) )?no (?P<thing>.+?) (?:were|was|have been|has been) {_TOUCH}"),
    phrase(r"\bno changes? (?:were made |was made )?(?:to|in) (?P<thing>.+)"),
    phrase(r"\bleft (?P<thing>.+?) (?:unchanged|untouched|alone|as is|as they (?:are|were))\b"),
    phrase(
        r"^(?:the )?(?P<thing>.+?) (?:is|are|was|were|remain(?:s|ed)?|stay(?:s|ed)?)",
        r" (?:unchanged|untouched|unmodified)\b",
    ),
)
TESTS = phrase(
    r"(?:(?:any|the|of the|existing|a|single|unit) )*tests?(?: (?:files?|cases?|code|suite))?\s*$"
)
HEDGED = phrase(r"\b(?:will|should|would|can|could|if|please|must|to)\b")

ABSENT = (
    phrase(f"^{THING} (?:does not|doesn't) (?:yet )?exist"),
    phrase(r"^there (?:is|are) no (?P<thing>`[^`]+`|\S+)(?: file)?(?: in\b|\s*$)"),
)
EXISTS = (phrase(rf"^{THING} (?:now |already )?exists\b"),)
