"""A language model's draft, and what is left of it once every sentence has been verified."""

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from secrets import token_bytes
from typing import Literal, Protocol

from groundwire._patterns import lazy_pattern
from groundwire.llm import LLMClient
from groundwire.model import CheckReport, ClaimResult, EvidenceBundle, Quote, Span
from groundwire.text import sentence_ranges

PROMPT = "answer.v1.txt"
NO_ANSWER = "NO ANSWER"
MARK = "[unsupported]"
# such as " [1, 3]"
_MARKERS = lazy_pattern(r"\s*\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]")


class Drafter(Protocol):
    """Writes an answer from passages; none when it finds none in them."""

    @property
    def model(self) -> str: ...

    async def draft(self, question: str, evidence: Sequence[EvidenceBundle]) -> str | None: ...


class DraftVerifier(Protocol):
    """Tests every claim of a text against evidence."""

    async def __call__(self, text: str, bundles: Sequence[EvidenceBundle], /) -> CheckReport: ...


class LLMDrafter:
    """Passages and question stand between marks nobody can guess who wrote them."""

    def __init__(self, client: LLMClient, *, context_words: int) -> None:
        self._client = client
        self._context_words = context_words
        self._key = token_bytes(32)

    @property
    def model(self) -> str:
        return self._client.model

    async def aclose(self) -> None:
        await self._client.aclose()

    async def draft(self, question: str, evidence: Sequence[EvidenceBundle]) -> str | None:
        shown = "\n\n".join(_shown(evidence, self._context_words))
        digest = hmac.new(self._key, f"{question}\0{shown}".encode("utf-8", "replace"), sha256)
        prompt = _prompt().format(
            fence=f"data-{digest.hexdigest()[:24]}",
            question=question,
            passages=shown,
            no_answer=NO_ANSWER,
        )
        completion = await self._client.generate(prompt, temperature=0.0)
        text = completion.text.strip()
        return None if not text or NO_ANSWER in text.upper() else text


@dataclass(frozen=True)
class Verified:
    """What may be shown: `kept` counts supported sentences, `refused` all others."""

    text: str
    quotes: tuple[Quote, ...]
    kept: int
    refused: int


def supported_part(
    draft: str, report: CheckReport, unsupported: Literal["cut", "mark"]
) -> Verified:
    """A sentence stays when it makes a claim and all its claims are grounded.

    What it cited is replaced by what it was verified with: `[2]` is the second quote.
    """
    shown: list[str] = []
    quotes: list[Quote] = []
    kept = 0
    for start, end in sentence_ranges(draft):
        claims = _claims_in(report.claims, Span(start=start, end=end))
        sentence = _MARKERS.sub("", draft[start:end]).strip()
        if claims and all(one.status == "grounded" for one in claims):
            kept += 1
            shown.append(f"{sentence}{_numbered(claims, quotes)}")
        elif unsupported == "mark" and any(map(str.isalnum, sentence)):
            shown.append(f"{sentence} {MARK}")
    refused = len(sentence_ranges(draft)) - kept
    return Verified(" ".join(shown), tuple(quotes), kept, refused)


def _numbered(claims: Sequence[ClaimResult], quotes: list[Quote]) -> str:
    numbers = []
    for quote in dict.fromkeys(quote for one in claims for quote in one.evidence):
        if quote not in quotes:
            quotes.append(quote)
        numbers.append(quotes.index(quote) + 1)
    return "".join(f" [{number}]" for number in sorted(set(numbers)))


def _claims_in(claims: Sequence[ClaimResult], sentence: Span) -> list[ClaimResult]:
    return [one for one in claims if one.span is not None and one.span.overlaps(sentence)]


def _shown(evidence: Sequence[EvidenceBundle], context_words: int) -> Iterator[str]:
    """As many passages as fit, the best ones first."""
    left = context_words
    numbers: dict[str, int] = {}
    for bundle in evidence:
        number = numbers.setdefault(bundle.source.doc_id, len(numbers) + 1)
        words = bundle.content.split()
        if left <= 0:
            return
        body = bundle.content if len(words) <= left else " ".join(words[:left])
        left -= len(words)
        yield f"[{number}] {bundle.source.title or bundle.source.doc_id}\n{body}"


@cache
def _prompt() -> str:
    file = files("groundwire.answer") / "_prompts" / PROMPT
    return file.read_text(encoding="utf-8")
