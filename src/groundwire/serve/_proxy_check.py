"""What the proxy finds out about an answer, within its budget, and how that is told."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from groundwire.agents import correction_text
from groundwire.engine import Engine
from groundwire.errors import GroundwireError
from groundwire.model import ClaimResult, CorrectionNote, SentenceReport
from groundwire.observe import Log, RequestContext, metrics, request
from groundwire.serve._wire import Conversation, Json

_log = Log("serve.proxy")
_SHOWN = 20


@dataclass(frozen=True)
class Finding:
    """`skipped` says why an answer was not checked, or not to its end."""

    claims: tuple[ClaimResult, ...] = ()
    notes: tuple[CorrectionNote, ...] = ()
    skipped: str | None = None
    unread: tuple[str, ...] = ()
    request_id: str = field(default_factory=lambda: RequestContext().request_id)
    first: "Finding | None" = None
    """What was found in the answer that this one stands in for."""
    choices: tuple["Finding", ...] = ()
    """What was found in each, where several answers came at once."""

    @classmethod
    def of(cls, choices: Sequence["Finding"]) -> "Finding":
        """One for all choices; what was not checked of one was not checked of all."""
        if len(choices) == 1:
            return choices[0]
        return cls(
            tuple(claim for one in choices for claim in one.claims),
            tuple(note for one in choices for note in one.notes),
            next((one.skipped for one in choices if one.skipped), None),
            tuple(dict.fromkeys(name for one in choices for name in one.unread)),
            choices=tuple(choices),
        )

    @property
    def wrong(self) -> list[CorrectionNote]:
        """What does not stand. Where not everything could be read, silence shows nothing."""
        shows = ("contradicted",) if self.unread else ("contradicted", "unsupported")
        return [note for note in self.notes if note.status in shows]

    @property
    def counts(self) -> dict[str, int]:
        found: Counter[str] = Counter(claim.status for claim in self.claims)
        kinds = ("grounded", "unsupported", "contradicted", "unverifiable")
        return {"claims": len(self.claims), **{kind: found[kind] for kind in kinds}}

    def header(self) -> str:
        parts = ["checked" if self.skipped is None else f"skipped={self.skipped}"]
        parts += [f"{name}={count}" for name, count in self.counts.items()]
        return "; ".join([*parts, *(["corrected"] if self.first else [])])

    def field(self) -> Json:
        told: Json = {**self.counts, "request_id": self.request_id}
        if self.skipped:
            told["skipped"] = self.skipped
        if self.unread:
            told["unread"] = list(self.unread)
        if self.first is not None:
            told["corrected_from"] = self.first.field()
        if self.choices:
            told["choices"] = [one.field() for one in self.choices]
        else:
            told["notes"] = [_shown(note) for note in self.notes[:_SHOWN]]
        return told

    def mark(self) -> str:
        """Words for the end of a text; none where nothing is wrong."""
        if not self.wrong:
            return ""
        lines = [f"- “{_line(note.claim)}”: {_line(note.why)}" for note in self.wrong[:_SHOWN]]
        count = f"{len(self.wrong)} of {len(self.claims)}"
        return "\n\n[groundwire] Not borne out by this conversation, " + "\n".join(
            [f"{count}:", *lines]
        )

    def feedback(self) -> str:
        return correction_text(self.wrong)


def _line(text: str) -> str:
    return " ".join(text.replace("```", "'''").split())[:400]


def _shown(note: CorrectionNote) -> Json:
    told: Json = {"claim": note.claim, "status": note.status, "why": note.why}
    if note.quote is not None:
        told |= {"quote": note.quote.quote, "source": note.quote.doc_id}
    return told | {"change": note.change, "replacement": note.replacement}


def skipped(reason: str) -> Finding:
    return Finding(skipped=reason)


class Checker:
    """Verifies by an engine; whatever fails or takes too long is told, and never waited for."""

    def __init__(self, engine: Engine, budget_s: float) -> None:
        self._engine = engine
        self._budget_s = budget_s

    async def check_all(self, texts: Sequence[str | None], conversation: Conversation) -> Finding:
        """All choices of an answer, side by side within the one budget."""
        checks = (
            self._no_text() if text is None else self.check(text, conversation) for text in texts
        )
        return Finding.of(await asyncio.gather(*checks))

    async def _no_text(self) -> Finding:
        return skipped("no_text")

    async def check(self, text: str, conversation: Conversation) -> Finding:
        """A whole answer."""
        found = Finding(unread=tuple(dict.fromkeys(conversation.unread)))
        try:
            with request() as asked:
                found = replace(found, request_id=asked.request_id)
                report = await asyncio.wait_for(
                    self._engine.verify_response(text, conversation.messages), self._budget_s
                )
            reason = None if report.mode == "ANSWER" else report.reason
            return _counted(
                replace(found, claims=report.claims, notes=report.notes, skipped=reason)
            )
        except Exception as error:  # noqa: BLE001  the answer passes, whatever it was
            return _counted(replace(found, skipped=_why(error)))

    def follow(self, conversation: Conversation) -> "Following":
        """An answer that is still being written."""
        return Following(self._engine, conversation, self._budget_s)


class Following:
    """Sentences are judged while others come in; `finish` waits for the rest, for a while."""

    def __init__(self, engine: Engine, conversation: Conversation, budget_s: float) -> None:
        self.text = ""
        self._engine = engine
        self._conversation = conversation
        self._budget_s = budget_s
        self._pieces: asyncio.Queue[str | None] = asyncio.Queue()
        self._reports: list[SentenceReport] = []
        self._context = RequestContext()
        self._task: asyncio.Task[None] | None = None

    def add(self, piece: str) -> None:
        self.text += piece
        self._pieces.put_nowait(piece)
        if self._task is None:
            self._task = asyncio.create_task(self._judge())

    async def finish(self) -> Finding:
        if self._task is None:
            return skipped("no_text")
        self._pieces.put_nowait(None)
        reason = None
        try:
            await asyncio.wait_for(self._task, self._budget_s)
        except Exception as error:  # noqa: BLE001  the answer passes, whatever it was
            reason = _why(error)
        claims = tuple(one for each in self._reports for one in each.claims)
        notes = tuple(one for each in self._reports for one in each.notes)
        if reason is None and not claims:
            reason = "no_claims"
        return _counted(
            Finding(
                claims,
                notes,
                reason,
                tuple(dict.fromkeys(self._conversation.unread)),
                self._context.request_id,
            )
        )

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _judge(self) -> None:
        with request(request_id=self._context.request_id):
            reports = self._engine.verify_stream(self._said(), self._conversation.messages)
            async with aclosing(reports) as each:
                async for report in each:
                    self._reports.append(report)

    async def _said(self) -> AsyncIterator[str]:
        while (piece := await self._pieces.get()) is not None:
            yield piece


def fewer_wrong(second: Finding, first: Finding) -> bool:
    """Whether a corrected answer may stand in for the first."""
    return second.skipped is None and len(second.wrong) < len(first.wrong)


def _why(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "budget"
    reason = error.code if isinstance(error, GroundwireError) else "failed"
    _log.warn("not_verified", reason=reason, error=str(error))
    return reason


def _counted(found: Finding) -> Finding:
    metrics().count("proxy_answers_total", outcome=found.skipped or "checked")
    return found
