"""Prompts of judges: evidence fenced as data, what addresses the judge taken out."""

import hmac
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from secrets import token_bytes
from typing import Literal

from groundwire.text import segment_ranges


class Fence:
    """Marks around material in a prompt that nobody can guess who wrote the material.

    A keyed hash of the content, under a key that never leaves the process. The same content is
    fenced the same way again, so that a provider's prompt cache still works.
    """

    def __init__(self) -> None:
        self._key = token_bytes(32)

    def around(self, *content: str) -> str:
        digest = hmac.new(self._key, digestmod=sha256)
        for part in content:
            digest.update(sha256(part.encode("utf-8", "surrogatepass")).digest())
        return f"data-{digest.hexdigest()[:24]}"


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


Answers = Literal["yes_no", "yes_no_unsure"]
VERSION = "v1"


@cache
def prompt_text(name: str) -> str:
    file = files("groundwire.judge") / "_prompts" / f"{name}.{VERSION}.txt"
    return file.read_text(encoding="utf-8")


class Prompts:
    """The prompts for one set of allowed answers.

    Evidence and claims stand between marks that nobody can guess who wrote the evidence.
    """

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.prompt_id = f"{answers}.{VERSION}"
        texts = prompt_text(answers) + prompt_text(f"{answers}_batch")
        self.prompt_hash = sha256(texts.encode()).hexdigest()
        self._fence = Fence()

    def single(self, claim: str, context: str) -> str:
        return prompt_text(self.answers).format(
            fence=self._fence.around(claim, context), claim=claim, context=context
        )

    def batch(self, claims: dict[str, str], context: str) -> str:
        """`claims` by the id under which each is to be answered, in the order they are shown."""
        shown = "\n".join(f"{id_}: {claim}" for id_, claim in claims.items())
        return prompt_text(f"{self.answers}_batch").format(
            fence=self._fence.around(shown, context), claims=shown, context=context
        )
