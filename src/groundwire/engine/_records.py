"""What is written down of the verdicts: the counts, the audit trail, and what waits for later."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from groundwire.config import Config
from groundwire.errors import StoreError
from groundwire.observe import AuditTrail, Log

if TYPE_CHECKING:
    from groundwire.guard import DurableQueue
    from groundwire.judge import VerifierBackend
    from groundwire.model import ClaimResult, EvidenceBundle
    from groundwire.observe import AuditEntry

_log = Log("engine")


class Records:
    """A record that cannot be written does not cost the verdict: `tell` is told instead."""

    def __init__(
        self,
        config: Config,
        *,
        clock: Callable[[], float] = time.time,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._config = config
        self._clock = clock
        self._tell = tell

    @cached_property
    def audit(self) -> AuditTrail | None:
        if not self._config.audit.enabled:
            return None
        return AuditTrail.of(self._config, clock=self._clock)

    def close(self) -> None:
        """The trail opens again when something is written."""
        audit = self.__dict__.pop("audit", None)
        if audit is not None:
            audit.close()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)

    def queue(self) -> DurableQueue:
        from groundwire.guard import DurableQueue
        from groundwire.verify import QUEUE_NAME

        path = self._config.home.expanduser() / QUEUE_NAME
        return DurableQueue(path, clock=self._clock)

    def add(
        self,
        operation: str,
        request_id: str,
        results: Sequence[ClaimResult],
        bundles: Sequence[EvidenceBundle],
        backend: VerifierBackend,
    ) -> None:
        """Count and write down verdicts; what met a rate limit waits in the queue."""
        from groundwire.verify import count_verdicts, defer

        count_verdicts(results)
        prompts = {
            key: value
            for key in ("prompt_id", "prompt_hash")
            if (value := getattr(backend, key, None)) is not None
        }
        with self._or_told(len(results)):
            self._audit(operation, request_id, results, bundles, **prompts)
            if any(result.reason == "backend_rate_limited" for result in results):
                with self.queue() as queue:
                    defer(queue, results, bundles, backend.context_words)

    def add_fact(
        self,
        operation: str,
        request_id: str,
        result: ClaimResult,
        bundles: Sequence[EvidenceBundle],
    ) -> None:
        """As `add`; what met a rate limit waits as a fact, not as a claim."""
        from groundwire.verify import count_verdicts

        count_verdicts([result])
        with self._or_told(1):
            self._audit(operation, request_id, [result], bundles)

    def write_down(self, operation: str, request_id: str, entries: list[AuditEntry]) -> None:
        """Entries as they are, into the audit trail."""
        with self._or_told(len(entries)):
            if self.audit is not None and entries:
                self.audit.write(operation, request_id, entries)

    def _audit(
        self,
        operation: str,
        request_id: str,
        results: Sequence[ClaimResult],
        bundles: Sequence[EvidenceBundle],
        **prompts: str,
    ) -> None:
        if self.audit is not None:
            doc_ids = {bundle.source.doc_id for bundle in bundles}
            self.audit.record(operation, request_id, results, doc_ids, **prompts)

    @contextmanager
    def _or_told(self, verdicts: int) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            _log.error("audit_not_written", error=str(error), verdicts=verdicts)
            if self._tell is not None:
                self._tell(f"The verdicts were not kept: {error}")
