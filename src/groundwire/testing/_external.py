"""A reference server for the `external` contract: what another service has to speak."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from groundwire.judge import Estimate
from groundwire.testing._script import Answer, Asked, Fault, Responder, always
from groundwire.testing._server import Body, LoopbackServer

Judge = Callable[[str, str], Estimate | None]
"""Claim and context to an estimate, or to `None` where there is none."""


class ExternalJudgeServer(LoopbackServer):
    """Answers `POST /v1/estimate` by a function of yours; `faults` may fail requests first."""

    def __init__(
        self, judge: Judge, *, faults: Responder | Fault | None = None, key: str | None = None
    ) -> None:
        respond = faults if callable(faults) else always(faults or Answer(""))
        super().__init__(respond, key=key)
        self._judge = judge

    def read(self, path: str, body: Body, headers: Mapping[str, str]) -> Asked:
        return Asked(prompt=path, output_schema=body, headers=headers)

    def write(self, asked: Asked, answer: Answer) -> Body:
        del answer
        questions = (asked.output_schema or {}).get("questions", [])
        return {"version": 1, "estimates": [self._estimated(question) for question in questions]}

    def write_events(self, asked: Asked, answer: Answer) -> Iterator[str]:
        raise NotImplementedError

    def write_fault(self, asked: Asked, fault: Fault) -> tuple[int, Body]:
        del asked
        status = {"rate_limited": 429, "wrong_key": 401, "overloaded": 503}.get(fault.kind, 500)
        return status, {"error": {"code": fault.kind, "message": "Failing on purpose."}}

    def _estimated(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        estimate = self._judge(question["claim"], question["context"])
        if estimate is None:
            return {"id": question["id"], "error": {"code": "no_estimate", "message": "Unknown."}}
        return {"id": question["id"], **estimate.model_dump(exclude_none=True)}
