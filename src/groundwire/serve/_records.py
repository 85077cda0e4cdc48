"""What is there to look at and to say: the trail, graphs, reviews, what is remembered."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import FastAPI, Query, Response

from groundwire.engine import Engine
from groundwire.serve._bodies import Name, ReviewBody
from groundwire.serve._health import Health, health_of
from groundwire.serve._problems import Problem, json_response
from groundwire.serve._reviews import Review
from groundwire.serve._service import Service, plain
from groundwire.serve._verbs import graphs_folder, kept_graph

Limit = Annotated[int, Query(ge=1, le=1_000)]
Word = Annotated[str | None, Query(max_length=300)]


def add_records(app: FastAPI, service: Service) -> None:
    @app.get("/v1/audit-log", response_model=list[dict[str, Any]], tags=["records"])
    async def audit_log(  # noqa: PLR0917 -- they are names in the query
        status: Word = None,
        source: Word = None,
        request_id: Word = None,
        operation: Word = None,
        contains: Word = None,
        limit: Limit = 20,
    ) -> Response:
        """The record of verdicts, newest first."""
        words = {"status": status, "source": source, "request_id": request_id}
        words |= {"operation": operation, "contains": contains}
        rows = await run_sync(lambda: service.trail.query(**words, limit=limit))  # type: ignore[arg-type]
        return json_response([asdict(row) for row in rows])

    @app.get("/v1/health", response_model=Health, tags=["records"])
    async def health() -> Response:
        """Gates, circuits, abstentions by reason, latency."""
        return json_response(plain(await run_sync(health_of, service.engine)))

    @app.get("/v1/graphs", response_model=list[str], tags=["records"])
    async def graphs() -> Response:
        """The names of the causal graphs that are kept."""
        return json_response(graph_names(service.engine))

    @app.get("/v1/graphs/{name}", response_model=dict[str, Any], tags=["records"])
    async def graph(name: Name) -> Response:
        """One causal graph."""
        return json_response(plain(await run_sync(kept_graph, graphs_folder(service.engine), name)))

    @app.post("/v1/reviews", response_model=Review, status_code=201, tags=["records"])
    async def review(body: ReviewBody) -> Response:
        """Confirm a verdict or overturn it; it becomes a labelled case."""
        return json_response(plain(await run_sync(add_review, service, body)), 201)

    @app.get("/v1/reviews", response_model=list[Review], tags=["records"])
    async def reviews() -> Response:
        """What people said of verdicts, newest first."""
        return json_response([plain(one) for one in await run_sync(service.reviews.all)])

    @app.get("/v1/reviews/cases", tags=["records"])
    async def cases() -> Response:
        """The reviews as labelled rows, for `gw bench claims`: lines of JSON."""
        rows = await run_sync(service.reviews.cases)
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        return Response(lines, media_type="application/jsonl")


def add_memory(app: FastAPI, service: Service) -> None:
    def route(path: str, method: str, summary: str) -> Callable[[Any], Any]:
        return app.api_route(
            f"/v1/memory{path}",
            methods=[method],
            summary=summary,
            response_model=dict[str, Any],
            tags=["memory"],
        )

    @route("", "GET", "Search what is remembered")
    async def search(query: Annotated[str, Query(min_length=1, max_length=4_000)]) -> Response:
        return json_response(plain(await service.engine.recall(query)))

    @route("/pending", "GET", "What waits to be verified")
    async def pending() -> Response:
        return json_response(plain(await service.engine.memory.pending()))

    @route("/rejected", "GET", "What was refused, and why")
    async def rejected() -> Response:
        return json_response(plain(await service.engine.memory.rejected()))

    @route("/{fact_id}", "DELETE", "Forget a fact")
    async def forget(fact_id: Name) -> Response:
        if not await service.engine.memory.forget(fact_id):
            raise Problem(404, "not_found", "There is no such fact.")
        return json_response({"forgotten": 1})


def graph_names(engine: Engine) -> list[str]:
    return sorted(path.stem for path in graphs_folder(engine).glob("*.json"))


def add_review(service: Service, body: ReviewBody) -> Review:
    rows = service.trail.query(verdict_id=body.verdict_id, limit=1)
    if not rows:
        raise Problem(404, "not_found", "There is no such verdict.", hint="See GET /v1/audit-log.")
    return service.reviews.add(rows[0], body)
