"""What the deep judge reads: the evidence, then the claim, in the form it was taught.

The evidence comes first, so that it is read once for all claims about it. Nothing in evidence or
claim may look like a part of this form: the words that name its parts lose their colon, and what
a model takes for a control token is broken up.
"""

import re
import unicodedata

from groundwire.judge._addressed import without_addressed
from groundwire.judge._scrub import EVIDENCE_REMOVED

PREFIX = "Evidence:\n{context}\n\n"
BRANCH = "Claim: {claim}\nSupported:"
ANSWERS = SUPPORTED, REFUTED, NEUTRAL = (" Yes", " No", " Maybe")

MAX_EVIDENCE_BYTES = 3_000
MAX_CLAIM_BYTES = 900
CONTEXT_TOKENS = 4_096
"""A byte is at most one token, so that whatever is asked fits."""

_PARTS = re.compile(r"\b(evidence|claim|supported)(\s*)[:：]", re.IGNORECASE)
_CONTROL_TOKEN = re.compile(r"<(?=[|｜]|/?(?:think|tool_call|tool_response)\b)", re.IGNORECASE)
_LINE_BREAKS = re.compile(r"\n{3,}")
_GAP = " ... "


def deep_prompt(claim: str, context: str) -> str:
    asserted = cut_middle(" ".join(harmless(claim).split()), MAX_CLAIM_BYTES)
    return evidence_part(context) + BRANCH.format(claim=asserted)


def evidence_part(context: str) -> str:
    # the marker is a word to people; to the model it would be a sign that says "unsupported"
    readable = without_addressed(visible(context)).replace(EVIDENCE_REMOVED, "...")
    shown = _LINE_BREAKS.sub("\n\n", harmless(readable)).strip()
    return PREFIX.format(context=cut_middle(shown, MAX_EVIDENCE_BYTES))


def harmless(text: str) -> str:
    """The text without invisible characters, names of the form's parts and control tokens."""
    return _CONTROL_TOKEN.sub("< ", _PARTS.sub(r"\1\2 -", visible(text)))


def visible(text: str) -> str:
    return "".join(char for char in text if _is_visible(char))


def cut_middle(text: str, limit_bytes: int) -> str:
    """Both ends stay: what a text is about and what it comes to."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= limit_bytes:
        return encoded.decode()
    half = (limit_bytes - len(_GAP)) // 2
    start, end = encoded[:half], encoded[-half:]
    return start.decode("utf-8", "ignore") + _GAP + end.decode("utf-8", "ignore")


def _is_visible(char: str) -> bool:
    return char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cn", "Co", "Cs")
