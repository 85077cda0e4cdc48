"""Whether a construction asserts, denies or only supposes what it says."""

import re
from typing import Literal

Mood = Literal["asserted", "negated", "hypothetical"]

_AUXILIARY = (
    r"(?:do|does|did|is|was|are|were|be|been|being|has|have|had|will|can|could|would|may|might"
    r"|must|should)"
)
_DENIED_BEFORE = re.compile(
    rf"(?:\b{_AUXILIARY}(?:n't|n’t|\s+not|\s+never|\s+no\s+longer)|\bcannot|\bnever|\bnot|\bneither"
    r"|\bnor|\bfrom|\bwithout|\bfail(?:s|ed)?\s+to|\bnothing\s+to|\brather\s+than|\binstead\s+of|\bno)"
    r"(?:\s+(?:\w+ly|have|has|had|be|been|being|in\s+turn|in\s+fact|simply|just|itself|to))*\s*$",
    re.IGNORECASE,
)
_DENIED_CLAUSE = re.compile(
    r"\b(?:no\s+(?:\w+\s+)?(?:evidence|indication|sign|proof|link|relation)|ruled\s+out|rules\s+out"
    r"|excluded|dismissed|eliminated|refuted|disproved|disproven|denied|denies|(?:wrongly|falsely"
    r"|incorrectly|mistakenly)\s+(?:\w+\s+)?|contrary\s+to|a\s+myth|it\s+is\s+not\s+(?:true|the\s+case)"
    r"|it\s+was\s+not|it\s+is\s+false|not\s+true\s+that|not\s+the\s+case|nothing\s+(?:suggests?|shows?)"
    r"|doubts?\s+that)\b",
    re.IGNORECASE,
)
_DENIED_SUBJECT = re.compile(r"^\W*(?:no|neither|nothing|none|nobody)\b", re.IGNORECASE)
_DENIED_AFTER = re.compile(r"^\W*(?:anything\s+but|no|none\s+of|nothing)\b", re.IGNORECASE)
_DENIED_CUE = re.compile(r"\b(?:not|never|n't)\b", re.IGNORECASE)
_SUPPOSED_BEFORE = re.compile(
    r"\b(?:may|might|could|would|should|possibly|perhaps|probably|likely|maybe|presumably|supposedly"
    r"|allegedly|apparently|potentially|conceivably|seems?|seemed|appears?|appeared|expected|meant"
    r"|designed|intended|hoped|feared|able|in\s+order|so\s+as|threatens?|threatened)"
    r"(?:\s+(?:also|well|even|then|have|has|had|been|be|to|\w+ly|in\s+turn))*\s*(?:to\s*)?$",
    re.IGNORECASE,
)
_SUPPOSED_CLAUSE = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|assuming|in\s+case|suspect(?:s|ed)?|believe[sd]?"
    r"|thought|think|thinks|assum(?:e|es|ed)|hypothes\w+|theory|theor(?:ise|ize)[sd]?|speculat\w+"
    r"|unclear|unknown|guess(?:ed)?|rumou?r\w*|claim(?:s|ed)?\s+that|possib(?:le|ility)|conceivable"
    r"|investigat\w+\s+(?:if|whether)|had\s+it|were\s+it|would\s+have|could\s+have|might\s+have"
    r"|may\s+have|probably|possibly|perhaps|maybe)\b",
    re.IGNORECASE,
)
_SUPPOSED_AFTER = re.compile(
    r"^\s*(?:possibly|perhaps|maybe|probably|likely|presumably|potentially|what\s+(?:we|they)"
    r"\s+(?:think|believe|suspect))\b",
    re.IGNORECASE,
)
_MODAL = re.compile(r"\b(?:may|might|could|would|possibly|perhaps|probably)\b", re.IGNORECASE)
_AFFIRMED_INFINITIVE = re.compile(
    r"\b(?:known|shown|found|proven|proved|seen|observed|continued|continues|began|begins|started"
    r"|starts|tends?|tended|went\s+on|goes\s+on|enough|confirmed|demonstrated|used)\s+to"
    r"(?:\s+\w+ly)?\s*$",
    re.IGNORECASE,
)
_INFINITIVE = re.compile(r"\bto(?:\s+\w+ly)?\s*$", re.IGNORECASE)


def mood_of(
    before: str, cue: str, after: str, *, is_question: bool, is_participle: bool = False
) -> Mood:
    """`before` is the clause up to the cue, `after` what follows it.

    A participle has no mood of its own: `could fill the disk, causing ...` only supposes.
    """
    if (
        _DENIED_BEFORE.search(before)
        or _DENIED_CLAUSE.search(before)
        or _DENIED_SUBJECT.match(before)
        or _DENIED_CUE.search(cue)
        or _DENIED_AFTER.match(after)
    ):
        return "negated"
    if is_question or _SUPPOSED_BEFORE.search(before) or _SUPPOSED_AFTER.match(after):
        return "hypothetical"
    if _SUPPOSED_CLAUSE.search(before) or (is_participle and _MODAL.search(before)):
        return "hypothetical"
    if _INFINITIVE.search(before) and not _AFFIRMED_INFINITIVE.search(before):
        return "hypothetical"
    return "asserted"
