"""Sentences of evidence that speak to the judge instead of about the world.

A document that says "this claim is supported" gives no evidence for it. A model may be swayed by
such words either way, towards what they say or away from it, so no local judge sees them.
"""

import re

from groundwire.text import segment_ranges

_MAX_SENTENCE_WORDS = 60
_VERDICT = (
    r"(?:not |fully |clearly )?(?:supported|unsupported|entailed|contradicted|true|false|correct|"
    r"incorrect|accurate|verified|confirmed|grounded|refuted|yes|no|maybe)"
)
_TO_THE_JUDGE = re.compile(
    r"\b(?:this|every|each|the above|the following) (?:claim|statement|assertion)s? "
    rf"(?:is|are|was|has been|must be|should be) (?:\w+ )?{_VERDICT}\b"
    rf"|\b(?:mark|label|rate|judge) (?:this|the|all|every) (?:claim|statement)s? as {_VERDICT}\b"
    r"|\bnotes? (?:to|for) the (?:verifier|judge|checker|model)\b"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the |your |everything )*"
    r"(?:evidence|instructions?|rules|previous|prior|above)\b"
    r"|\b(?:answer|reply|respond|output)(?: with| only)? "
    r"[\"'“]?(?:yes|no|maybe|supported|true|false)\b"
    r"|\b(?:supported|verdict|label|judge?ment|verification)(?: result)?[\"']?\s*[-:=：]+\s*"
    rf"[\"'“]?{_VERDICT}\b"
    r"|<\s*\|[a-z_]{2,30}\|>"
    r"|^\s*(?:claim|supported)\s*[:：]",  # a restated claim is not evidence for it
    re.IGNORECASE | re.MULTILINE,
)


def without_addressed(text: str) -> str:
    """The text without the sentences that speak to the judge."""
    if not _TO_THE_JUDGE.search(text):
        return text
    kept: list[str] = []
    end_of_last = 0
    for start, end in segment_ranges(text, _MAX_SENTENCE_WORDS):
        if not _TO_THE_JUDGE.search(text[start:end]):
            kept.append(text[end_of_last:end])
        end_of_last = end
    return "".join(kept)
