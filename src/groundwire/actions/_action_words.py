"""The patterns of `_prose`. A blank in a phrase is any white space; case does not matter."""

import re

from groundwire.traces import CheckName


def phrase(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts).replace(" ", r"\s+"), re.IGNORECASE | re.DOTALL)


# such as "created X"
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
# such as "Also, I have updated X and Y"
ACTIVE = phrase(
    _STARTER,
    f"(?P<verb>{CREATED}|{CHANGED}|{FIXED}|{DELETED}|moved|renamed|{RAN}|committed|pushed)\\b",
    "(?P<rest>.*)$",
)
# such as "the file `a.py`"
THING = r"(?:the (?:file )?)?(?P<thing>`[^`]+`|\S+)(?: file)?"
# such as "`a.py` has been updated"
PASSIVE = phrase(
    f"^{THING} (?:(?:has|have) (?:also |now )?been|(?P<past>was|were|is|are))",
    f" (?:now |also |successfully )*(?P<verb>{CREATED}|{CHANGED}|{DELETED})\\s*$",
)
MODULE = phrase(
    r"\s+(?:the|an?|our) (?:old |new )?(?P<name>[\w-]+) (?:module|script|file|package)\b"
)
"""A file called by its name without path or extension: "the legacy module"."""

# such as "so the tests pass", "most tests pass", "once the tests pass", "your tests pass"
NOT_ACHIEVED = phrase(
    r"\b(?:until|once|when|to make|so that|ensure[sd]?|making sure|expect\w*|hope\w*|goal|need\w*",
    r"|want\w*|try|tries|tried|attempt\w*|plan\w*|fail\w*|almost|nearly|most|some|few|only",
    r"|except|apart from|originally|previously|before|you|your|they|their|user)\b",
)
# such as "all green", "exits cleanly"
SUCCESS = phrase(r"\b(?:success\w*|pass(?:es|ed|ing)?|green|clean(?:ly)?|succeed\w*)\b")
# such as "two errors", "it crashed"; "no errors" is a success
FAILURE = phrase(r"\b(?:fail\w*|errors?|errored|broken?|crash\w*)\b")
# such as "ran all the unit tests"
THE_TESTS = phrase(r"\s+(?:(?:all|the|full|our|existing|unit|whole|entire|new|relevant) )*tests?\b")
# such as "the full suite"
WHOLE = phrase(r"\b(?:all|full|whole|entire|every|complete|suite)\b")

# such as "42 unit tests", "the type checker"
CHECK_NOUNS: dict[CheckName, str] = {
    "tests": r"(?:(?:\d+|unit|integration|existing|new) )*(?:tests?(?: suite| cases)?|specs?)",
    "build": "(?:build|compilation)",
    "lint": "(?:lint(?:er|ing)?|linters)(?: checks?)?",
    "types": "(?:type[- ]?check(?:s|er|ing)?|mypy|pyright|tsc)",
}  # fmt: skip
# such as "now all pass", "are green", "went through"
_ENDS_WELL = (
    r" (?:all )?(?:now )?(?:still )?(?:pass(?:es|ed)?"
    r"|(?:is|are) (?:now |all )?(?:passing|green|clean)"
    r"|succeed(?:s|ed)?|run clean(?:ly)?|went through)\b"
)
# such as "all tests pass", "the build is green"
PASSES = {check: phrase(rf"\b{noun}{_ENDS_WELL}") for check, noun in CHECK_NOUNS.items()}

_TOUCH = r"(?:chang|modif|touch|edit|alter|updat)"
_WAS = "(?:were|was|have been|has been)"
# `cue` must be a denial: "did not change X", "without touching X", "no X was edited"
UNTOUCHED_IF_DENIED = (
    phrase(rf"\bdid\s*(?P<cue>\S+) {_TOUCH}\w* (?P<thing>.+)"),
    phrase(rf"(?P<cue>[\w']+) {_TOUCH}\w*(?:ed|ing) (?P<thing>.+)"),
    phrase(rf"^(?:there (?:were|are) )?(?P<cue>\w+) (?P<thing>.+?) {_WAS} {_TOUCH}"),
    phrase(rf"\b(?P<cue>\w+) changes? (?:{_WAS} made )?(?:to|in) (?P<thing>.+)"),
)
# such as "left X alone", "the tests are unchanged"
UNTOUCHED = (
    phrase(r"\bleft (?P<thing>.+?) (?:unchanged|untouched|alone|as is|as they (?:are|were))\b"),
    phrase(
        r"^(?:the )?(?P<thing>.+?) (?:is|are|was|were|remain(?:s|ed)?|stay(?:s|ed)?)",
        r" (?:unchanged|untouched|unmodified)\b",
    ),
)
# such as "any of the existing test files"
TESTS = phrase(
    r"(?:(?:any|the|of the|existing|a|single|unit) )*tests?(?: (?:files?|cases?|code|suite))?\s*$"
)
# such as "can be used without changing X", "to do so without changing X"
IN_GENERAL = phrase(r"\b(?:can|to)\b")

# `cue` must be a denial: "X does not exist", "there is no X"
ABSENT_IF_DENIED = (
    phrase(rf"^{THING} does\s*(?P<cue>\S+) (?:yet )?exist"),
    phrase(r"^there (?:is|are) (?P<cue>\w+) (?P<thing>`[^`]+`|\S+)(?: file)?(?: in\b|\s*$)"),
)
# such as "X already exists"
EXISTS = phrase(rf"^{THING} (?:now |already )?exists\b")
