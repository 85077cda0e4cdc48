"""A client of the service: the calls of an Engine, answered from elsewhere."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, ClassVar, Self, TypeVar

import httpx2
from pydantic import BaseModel

from groundwire.actions import VerificationResult
from groundwire.errors import GroundwireError
from groundwire.guard import LoopThread, on_own_loop, sync_twin
from groundwire.model import Abstention, Answer, CheckReport, DiagnosisReport, TermReport
from groundwire.serve._jobs import Job

Kind = TypeVar("Kind", bound=BaseModel)
GivenText = str | dict[str, str]
"""A text, or `{"doc_id": …, "content": …}`."""


class ServiceError(GroundwireError):
    """What the service answered instead: its problem document, with its code and its hint."""

    code: ClassVar[str] = "service"

    def __init__(
        self, status: int, problem: dict[str, Any], retry_after_s: float | None = None
    ) -> None:
        detail = str(problem.get("detail") or f"The service answered with {status}.")
        super().__init__(detail, hint=problem.get("hint"))
        self.status = status
        self.problem = problem
        self.problem_code = str(problem.get("code", "http"))
        self.retry_after_s = retry_after_s


class Client:
    """`Client("http://127.0.0.1:8765", token=…)`: every call has a twin that waits, as Engine's."""

    def __init__(
        self,
        address: str = "http://127.0.0.1:8765",
        token: str | None = None,
        *,
        timeout_s: float = 60,
    ) -> None:
        self.loop = LoopThread("groundwire-client")
        self._address = address.rstrip("/")
        self._headers = {"Accept": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._timeout_s = timeout_s
        self._opened: httpx2.AsyncClient | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._opened is not None:
            self.loop.submit(self._opened.aclose()).result()
            self._opened = None
        self.loop.close()

    @on_own_loop
    async def check(self, text: str, evidence: GivenText | Sequence[GivenText]) -> CheckReport:
        """Find what a text asserts and test each assertion."""
        body = {"text": text, "evidence": _listed(evidence)}
        return CheckReport.model_validate(await self._post("check", body))

    @on_own_loop
    async def ask(self, question: str, *, choice: str | None = None) -> Answer:
        """Answer from documents and the vocabulary."""
        return _read(Answer, await self._post("ask", {"question": question, "choice": choice}))

    @on_own_loop
    async def term(self, term: str, *, choice: str | None = None) -> TermReport:
        """What the vocabulary says a term means."""
        return _read(TermReport, await self._post("term", {"term": term, "choice": choice}))

    @on_own_loop
    async def diagnose(
        self, report: str, graph: str | dict[str, Any]
    ) -> DiagnosisReport | Abstention:
        """What may have caused what a report observes, by a graph or the name of one."""
        found = await self._post("diagnose", {"report": report, "graph": graph})
        kind = Abstention if found["mode"] == "ABSTAIN" else DiagnosisReport
        return kind.model_validate(found)

    @on_own_loop
    async def verify_edge(
        self, cause: str, effect: str, *, graph: str | dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Test one causal edge."""
        return await self._post("edges", {"cause": cause, "effect": effect, "graph": graph})

    @on_own_loop
    async def verify_output(
        self, output: dict[str, Any], trace: Sequence[Any] = (), base_path: str | None = None
    ) -> VerificationResult:
        """Check what an agent says it did."""
        body = {"output": output, "trace": list(trace), "base_path": base_path}
        return _read(VerificationResult, await self._post("verify-output", body))

    @on_own_loop
    async def audit_trace(
        self, steps: Sequence[str], context: str | None = None, answer: str | None = None
    ) -> dict[str, Any]:
        """Audit the steps of a reasoning."""
        body = {"steps": list(steps), "context": context, "answer": answer}
        return await self._post("audit", body)

    @on_own_loop
    async def remember(
        self, text: str, evidence: GivenText | Sequence[GivenText], confidence: float | None = None
    ) -> dict[str, Any]:
        """Remember a fact, if its evidence supports it."""
        body = {"text": text, "evidence": _listed(evidence), "confidence": confidence}
        return await self._post("memory", body)

    @on_own_loop
    async def recall(self, query: str) -> dict[str, Any]:
        """Search what is remembered."""
        found: dict[str, Any] = await self._send("GET", "/v1/memory", params={"query": query})
        return found

    @on_own_loop
    async def start(self, verb: str, body: dict[str, Any]) -> Job:
        """Have something done as a job: `client.start("ground", {"documents": […]})`."""
        headers = {"Prefer": "respond-async"}
        return _read(Job, await self._send("POST", f"/v1/{verb}", json=body, headers=headers))

    @on_own_loop
    async def job(self, job_id: str) -> Job:
        """How far a job is, and what it came to."""
        return _read(Job, await self._send("GET", f"/v1/jobs/{job_id}"))

    @on_own_loop
    async def cancel(self, job_id: str) -> Job:
        """Stop a job."""
        return _read(Job, await self._send("DELETE", f"/v1/jobs/{job_id}"))

    @on_own_loop
    async def wait(self, job_id: str, progress: Callable[[Job], None] | None = None) -> Job:
        """Follow a job to its end."""
        while True:
            async for job in self._events(job_id):
                if job.ended_at is not None:
                    return job
                if progress is not None:
                    progress(job)
            # the service was stopped: the job goes on when it is there again
            job = await self.job(job_id)
            if job.ended_at is not None:
                return job

    async def _events(self, job_id: str) -> AsyncIterator[Job]:
        address = f"/v1/jobs/{job_id}/events"
        async with self._client().stream("GET", address, timeout=None) as response:
            if response.is_error:
                await response.aread()
                raise _error(response)
            async for line in response.aiter_lines():
                name, _, data = line.partition(": ")
                if name == "data" and data != "{}":
                    yield Job.model_validate_json(data)

    async def _post(self, verb: str, body: dict[str, Any]) -> dict[str, Any]:
        given = {name: value for name, value in body.items() if value is not None}
        found: dict[str, Any] = await self._send("POST", f"/v1/{verb}", json=given)
        return found

    async def _send(self, method: str, path: str, **options: Any) -> Any:
        try:
            response = await self._client().request(method, path, **options)
        except httpx2.HTTPError as error:
            told = {"code": "unreachable", "detail": f"{self._address} does not answer: {error!r}."}
            raise ServiceError(0, {**told, "hint": "Is `gw serve` running there?"}) from error
        if response.is_error:
            raise _error(response)
        return response.json()

    def _client(self) -> httpx2.AsyncClient:
        if self._opened is None:
            self._opened = httpx2.AsyncClient(
                base_url=self._address, headers=self._headers, timeout=self._timeout_s
            )
        return self._opened

    check_sync = sync_twin(check)
    ask_sync = sync_twin(ask)
    term_sync = sync_twin(term)
    diagnose_sync = sync_twin(diagnose)
    verify_edge_sync = sync_twin(verify_edge)
    verify_output_sync = sync_twin(verify_output)
    audit_trace_sync = sync_twin(audit_trace)
    remember_sync = sync_twin(remember)
    recall_sync = sync_twin(recall)
    start_sync = sync_twin(start)
    job_sync = sync_twin(job)
    cancel_sync = sync_twin(cancel)
    wait_sync = sync_twin(wait)


def _listed(evidence: GivenText | Sequence[GivenText]) -> list[GivenText]:
    return [evidence] if isinstance(evidence, str | dict) else list(evidence)


def _read(kind: type[Kind], found: Any) -> Kind:
    """Fields that are worked out from others come along, and are worked out again here."""
    if isinstance(found, dict):
        found = _without_computed(kind, found)
    return kind.model_validate(found)


def _without_computed(kind: type[BaseModel], found: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in found.items() if name not in kind.model_computed_fields}
    for name, field in kind.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel) and name in kept:
            kept[name] = _without_computed(inner, kept[name])
    return kept


def _error(response: httpx2.Response) -> ServiceError:
    try:
        problem = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        problem = {}
    wait = response.headers.get("retry-after", "")
    found = problem if isinstance(problem, dict) else {}
    return ServiceError(response.status_code, found, float(wait) if wait.isdigit() else None)
