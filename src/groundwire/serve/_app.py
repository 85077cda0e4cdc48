"""The routes: `/v1/VERB` for each verb, and what is there to look at."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from anyio.to_thread import run_sync
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from groundwire.engine import Engine
from groundwire.observe import metrics
from groundwire.serve._admission import Admission
from groundwire.serve._bodies import Name
from groundwire.serve._jobs import Job
from groundwire.serve._problems import CONTENT_TYPE, Problem, invalid, json_response
from groundwire.serve._records import add_memory, add_records
from groundwire.serve._service import Service, plain
from groundwire.serve._verbs import VERBS, Verb
from groundwire.serve.page import Page

_PROBLEM_SCHEMA = {
    "description": "A problem document (RFC 9457) with a code and what to do.",
    "content": {
        CONTENT_TYPE: {
            "schema": {
                "type": "object",
                "required": ["type", "title", "status", "detail", "code", "request_id"],
                "properties": {
                    **{name: {"type": "string"} for name in ("type", "title", "detail", "code")},
                    "status": {"type": "integer"},
                    "hint": {"type": ["string", "null"]},
                    "request_id": {"type": "string"},
                    "errors": {"type": "array", "items": {"type": "object"}},
                },
            }
        }
    },
}
_STATUSES = (400, 401, 403, 404, 409, 413, 415, 422, 429, 501, 503)
_PROBLEMS: dict[int | str, dict[str, Any]] = dict.fromkeys(_STATUSES, _PROBLEM_SCHEMA)


def create_app(engine: Engine) -> ASGIApp:
    """The whole service as an ASGI application; whoever gives an engine closes it."""
    return build(Service(engine))


def build(service: Service) -> ASGIApp:
    service.require_safe_address()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        # a second's work, which the first to ask would wait for
        schema = asyncio.create_task(asyncio.to_thread(app.openapi))
        yield
        schema.cancel()
        await service.stop()

    app = FastAPI(
        title="Groundwire",
        version=version("groundwire"),
        description="Tests every statement a language model makes against evidence.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=_PROBLEMS,
        redirect_slashes=False,
    )
    _pass_on_problems(app)
    for verb in VERBS.values():
        _add_verb(app, service, verb)
    add_memory(app, service)
    _add_jobs(app, service)
    add_records(app, service)
    _add_probes(app, service)
    page = Page(service)
    page.add_to(app)
    served: ASGIApp = Admission(app, service.settings, service.access, page.error)
    if service.settings.cors_origins:
        served = CORSMiddleware(
            served,
            allow_origins=service.settings.cors_origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Prefer", "X-Request-ID"],
            expose_headers=["Location", "Retry-After", "X-Request-ID"],
        )
    return served


def _pass_on_problems(app: FastAPI) -> None:
    """Every error goes out through one door, `Admission`."""

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        raise invalid(error.errors())

    @app.exception_handler(StarletteHTTPException)
    async def _http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException | StarletteHTTPException)  # noqa: S101
        known = {404: ("not_found", "There is nothing at this address.")}
        known[405] = ("method", "This address does not take this method.")
        code, detail = known.get(error.status_code, ("http", str(error.detail)))
        headers = dict(error.headers or {})
        raise Problem(error.status_code, code, detail, headers=headers)

    @app.exception_handler(Exception)
    async def _others(_: Request, error: Exception) -> Response:
        raise error


def _add_verb(app: FastAPI, service: Service, verb: Verb) -> None:
    async def call(request: Request, body: Any) -> Response:
        asynchronous = "respond-async" in request.headers.get("prefer", "")
        if not verb.is_job and not asynchronous:
            return json_response(plain(await service.run(verb, body)))
        state = request.state
        job = service.jobs.put(
            *(verb.name, body.model_dump_json()),
            owner=state.caller.id,
            request_id=state.request_id,
        )
        return json_response(plain(job), 202, Location=f"/v1/jobs/{job.id}")

    call.__annotations__["body"] = verb.body
    accepted: dict[int | str, Any] = {202: {"model": Job, "description": "Accepted as a job."}}
    app.post(
        f"/v1/{verb.name}",
        summary=verb.summary,
        description=(verb.body.__doc__ or "").strip(),
        operation_id=verb.name,
        response_model=Job if verb.is_job else verb.answer,
        status_code=202 if verb.is_job else 200,
        responses={} if verb.is_job else accepted,
        tags=["verbs"],
    )(call)


def _add_jobs(app: FastAPI, service: Service) -> None:
    @app.get("/v1/jobs", response_model=list[Job], tags=["jobs"])
    async def jobs(request: Request) -> Response:
        """The jobs of this caller, the newest first, without their results."""
        found = await run_sync(service.jobs.store.of_owner, request.state.caller.id)
        return json_response([plain(job) for job in found])

    @app.get("/v1/jobs/{job_id}", response_model=Job, tags=["jobs"])
    async def job(request: Request, job_id: Name) -> Response:
        """How far a job is, and what it came to."""
        return json_response(
            plain(await run_sync(service.jobs.get, job_id, request.state.caller.id))
        )

    @app.delete("/v1/jobs/{job_id}", response_model=Job, tags=["jobs"])
    async def cancel(request: Request, job_id: Name) -> Response:
        """Stop a job, or take it out of the line."""
        return json_response(plain(service.jobs.cancel(job_id, request.state.caller.id)))

    @app.get("/v1/jobs/{job_id}/events", response_class=StreamingResponse, tags=["jobs"])
    async def events(request: Request, job_id: Name) -> Response:
        """Server-sent events: `progress` as it comes, `end` with the job."""
        owner = request.state.caller.id
        service.jobs.get(job_id, owner)
        stream = service.jobs.events(job_id, owner)
        return StreamingResponse(stream, media_type="text/event-stream")


def _add_probes(app: FastAPI, service: Service) -> None:
    @app.get("/healthz", tags=["probes"])
    async def healthz() -> Response:
        """Whether the process answers."""
        return json_response({"alive": True})

    @app.get("/readyz", tags=["probes"])
    async def readyz() -> Response:
        """Whether it can judge: 503 while it starts, stops, or cannot."""
        reason = service.not_ready
        if reason is None:
            return json_response({"ready": True})
        return json_response({"ready": False, "reason": reason}, 503, **{"Retry-After": "2"})

    @app.get("/metrics", tags=["probes"])
    async def exposition() -> Response:
        """What was counted since the start, as Prometheus reads it."""
        text = await run_sync(metrics().exposition)
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")
