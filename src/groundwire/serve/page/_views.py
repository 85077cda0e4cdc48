"""The views: what was filled in goes to the engine, what comes back to a template."""

import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from anyio.to_thread import run_sync
from markupsafe import Markup
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from groundwire.errors import GroundwireError, InputError
from groundwire.evidence import read_document
from groundwire.graph import to_svg
from groundwire.model import CausalGraphFile, Document, Unread
from groundwire.serve._bodies import (
    AskBody,
    AuditBody,
    DiagnoseBody,
    MemoryBody,
    ReviewBody,
)
from groundwire.serve._health import health_of
from groundwire.serve._problems import Problem, as_json, invalid, problem_of
from groundwire.serve._records import add_review, graph_names
from groundwire.serve._reviews import CLAIM_STATUSES
from groundwire.serve._service import Service, plain
from groundwire.serve._verbs import VERBS, graphs_folder, kept_graph, scratch
from groundwire.serve.page._shown import edges_near, history_of, pieces_of

Found = dict[str, Any]
View = Callable[[Service, Request], Awaitable[Found | Response]]
_MAX_DRAWN = 80
_SHOWN_CHECKS = 8
_SHOWN_ROWS = 100
_TO_REVIEW = 10
_MAX_FILES = 50
_MAX_PART_BYTES = 50_000_000
_PASTED = "pasted evidence"
_STATUSES = (*CLAIM_STATUSES, "verified", "superseded", "failed", "unverified", "rejected")
_OPERATIONS = ("check", "verify_claim", "edge", "diagnose", "verify-output", "memory", "audit")


def told(view: View) -> View:
    """What went wrong is shown where the result would be, beside what was filled in."""

    async def show(service: Service, request: Request) -> Found | Response:
        try:
            return await view(service, request)
        except Problem as problem:
            return {**await _filled_in(service, request), "problem": problem}
        except ValidationError as error:
            return {**await _filled_in(service, request), "problem": invalid(error.errors())}
        except GroundwireError as error:
            return {**await _filled_in(service, request), "problem": problem_of(error)}

    return show


async def _filled_in(service: Service, request: Request) -> Found:
    form = await request.form() if request.method == "POST" else request.query_params
    given = {name: value for name, value in form.items() if isinstance(value, str)}
    return {**_EMPTY, "names": graph_names(service.engine), **given}


_EMPTY: Found = {
    **dict.fromkeys(("found", "pending", "rejected", "stored")),
    "chosen": {},
    "statuses": _STATUSES,
    "operations": _OPERATIONS,
    "rows": [],
}


def _form(request: Request) -> AbstractAsyncContextManager[FormData]:
    """What was filled in; files that came with it are closed at the end."""
    return request.form(max_files=_MAX_FILES, max_part_size=_MAX_PART_BYTES)


def _text(form: Any, name: str) -> str:
    value = form.get(name, "")
    # a browser sends every line end as two characters
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else ""


async def check_form(service: Service, _: Request) -> Found:
    if service.engine.parts.records.audit is None:
        return {}
    rows = await run_sync(lambda: service.trail.query(operation="check", limit=_SHOWN_ROWS))
    return {"history": history_of(rows, _SHOWN_CHECKS)}


async def check_done(service: Service, request: Request) -> Found:
    async with _form(request) as form:
        text, evidence = _text(form, "text"), _text(form, "evidence")
        with scratch() as folder:
            uploads = [one for one in form.getlist("files") if isinstance(one, UploadFile)]
            documents, unread = await _documents(service, folder(), uploads)
    given: list[str | Document] = [*documents]
    if evidence:
        pasted = {"doc_id": _PASTED, "title": _PASTED, "text": evidence, "format": "text"}
        given.insert(0, Document(**pasted, sha256=""))
    if not given:
        raise InputError("There is no evidence.", hint="Paste some, or choose a file.")
    report = await service.engine.verify_claims(text, given)
    sources = {one.doc_id: one.text for one in given if isinstance(one, Document)}
    return {
        "text": text,
        "evidence": evidence,
        "report": report,
        "sources": sources,
        "marked": pieces_of(text, report),
        "unread": unread,
    }


async def _documents(
    service: Service, folder: Path, uploads: list[UploadFile]
) -> tuple[list[Document], list[Unread]]:
    """Files as they would be read from disk, each under its own name."""
    documents: list[Document] = []
    unread: list[Unread] = []
    for number, upload in enumerate(one for one in uploads if one.filename):
        name = Path(str(upload.filename).replace("\\", "/")).name[:200] or f"file {number}"
        ending = Path(name).suffix.lower()
        path = folder / f"{number}{ending if ending[1:].isalnum() else ''}"
        path.write_bytes(await upload.read())
        try:
            read = await run_sync(read_document, path, service.engine.config.limits)
            documents.append(read.model_copy(update={"doc_id": name}))
        except GroundwireError as error:
            unread.append(Unread(path=name, reason=str(error).replace(str(path), name)))
    return documents, unread


async def ask_form(_: Service, request: Request) -> Found:
    return {"question": request.query_params.get("question", "")}


async def ask_done(service: Service, request: Request) -> Found:
    async with _form(request) as form:
        body = AskBody(question=_text(form, "question"), choice=_text(form, "choice") or None)
    answer = await service.engine.ask(body.question, choice=body.choice)
    return {"question": body.question, "answer": answer}


async def graph_page(service: Service, request: Request) -> Found:
    names = graph_names(service.engine)
    folder = graphs_folder(service.engine)
    if not names:
        return {"names": names, "folder": folder}
    wanted = request.query_params
    name = wanted.get("name") or names[0]
    if name not in names:
        raise InputError(f"There is no graph {name!r}.")
    graph = await run_sync(kept_graph, folder, name)
    query, focus, status = (wanted.get(one, "") for one in ("query", "focus", "status"))
    edges = edges_near(graph, focus=focus, query=query.strip(), every=status == "all")
    labels = {one.id: one.label for one in graph.variables}
    shown = edges[:_MAX_DRAWN]
    used = {end for one in edges for end in (one.from_var, one.to_var)}
    return {
        "names": names,
        "name": name,
        "query": query,
        "status": status or "grounded",
        "focus": focus,
        "focus_label": labels.get(focus, focus),
        "labels": labels,
        "shown": shown,
        "total": len(graph.edges),
        "hidden": len(edges) - len(shown),
        "variables": sorted(
            (one for one in graph.variables if one.id in used), key=lambda one: one.label
        ),
        "picture": await run_sync(_drawn, graph, shown) if shown else "",
    }


def _drawn(graph: CausalGraphFile, edges: list[Any]) -> Markup:
    part = graph.model_copy(update={"edges": tuple(edges)})
    # `to_svg` escapes every word of the graph; the page's own sheet gives it its colours
    return Markup(to_svg(part, all_statuses=True, is_styled=False))  # noqa: S704


async def diagnose_form(service: Service, _: Request) -> Found:
    return {"names": graph_names(service.engine)}


async def diagnose_done(service: Service, request: Request) -> Found:
    async with _form(request) as form:
        upload = form.get("file")
        graph: Any = _text(form, "graph")
        if isinstance(upload, UploadFile) and upload.filename:
            try:
                graph = json.loads(await upload.read())
            except (ValueError, RecursionError) as error:
                raise InputError("The file is no graph: it is not JSON.") from error
        if not graph:
            raise InputError("There is no graph.", hint="Choose one that is kept, or a file.")
        body = DiagnoseBody(report=_text(form, "report"), graph=graph)
    outcome = await service.run(VERBS["diagnose"], body)
    return {"outcome": outcome, "report": body.report, "names": graph_names(service.engine)}


async def audit_form(_: Service, __: Request) -> Found:
    return {}


async def audit_done(service: Service, request: Request) -> Found:
    async with _form(request) as form:
        steps = [line.strip() for line in _text(form, "steps").split("\n") if line.strip()]
        context, answer = _text(form, "context"), _text(form, "answer")
    body = AuditBody(steps=steps, context=context or None, answer=answer or None)
    found = plain(await service.run(VERBS["audit"], body))
    return {"context": context, "steps": "\n".join(steps), "answer": answer, "audit": found}


async def memory_page(service: Service, request: Request) -> Found:
    query = request.query_params.get("query", "").strip()
    return {**await _remembered(service, query), "query": query}


async def _remembered(service: Service, query: str = "") -> Found:
    engine = service.engine
    return {
        **_EMPTY,
        "found": plain(await engine.recall(query))["facts"] if query else None,
        "pending": plain(await engine.memory.pending())["facts"],
        "rejected": plain(await engine.memory.rejected())["facts"],
    }


async def memory_added(service: Service, request: Request) -> Found:
    async with _form(request) as form:
        body = MemoryBody(text=_text(form, "text"), evidence=[_text(form, "evidence")])
    stored = plain(await service.run(VERBS["memory"], body))
    return {**await _remembered(service), "stored": stored}


async def memory_forgotten(service: Service, request: Request) -> Found:
    async with _form(request) as form:
        await service.engine.memory.forget(_text(form, "fact_id"))
    return await _remembered(service)


async def memory_verified(service: Service, _: Request) -> Found:
    await service.engine.verify_queued()
    return await _remembered(service)


async def trail_page(service: Service, request: Request) -> Found:
    names = ("status", "operation", "contains", "source", "request_id")
    chosen = {name: request.query_params.get(name, "").strip() for name in names}
    words: Any = {name: value or None for name, value in chosen.items()}
    rows = await run_sync(lambda: service.trail.query(**words, limit=_SHOWN_ROWS))
    return {**_EMPTY, "chosen": chosen, "rows": rows}


async def trail_verdict(service: Service, request: Request) -> Found:
    (row,) = await run_sync(_verdict, service, request.path_params["verdict_id"])
    reviews = await run_sync(service.reviews.all, row.id)
    facts = [
        *(("request", row.request_id), ("kind", row.operation), ("reason", row.reason)),
        *(("judge", row.backend), ("moment", row.moment)),
        *(
            (name, _told_value(value))
            for name, value in row.detail.items()
            if value not in (None, [])
        ),
    ]
    return {
        "row": row,
        "facts": facts,
        "reviewable": row.status in CLAIM_STATUSES,
        "review": reviews[0] if reviews else None,
    }


def _verdict(service: Service, given: str) -> list[Any]:
    rows = []
    if given.isascii() and given.isdigit() and len(given) < 19:  # noqa: PLR2004 -- fits SQLite
        rows = service.trail.query(verdict_id=int(given), limit=1)
    if not rows:
        raise Problem(404, "not_found", "There is no such verdict.")
    return rows


def _told_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


async def review_page(service: Service, request: Request) -> Found:
    return await run_sync(_to_review, service, request.query_params.get("verdict_id", ""))


def _to_review(service: Service, wanted: str = "") -> Found:
    reviews = service.reviews.all(limit=_SHOWN_ROWS)
    if wanted:
        return {"rows": _verdict(service, wanted), "claim_statuses": CLAIM_STATUSES}
    done = service.reviews.reviewed()
    rows = [
        row
        for row in service.trail.query(limit=1_000)
        if row.id not in done and row.status in CLAIM_STATUSES
    ]
    # what accuses comes first: a wrong accusation costs most
    rows.sort(key=lambda row: (row.status == "grounded", -row.id))
    shown = {"rows": rows[:_TO_REVIEW], "claim_statuses": CLAIM_STATUSES}
    return {**shown, "reviews": reviews[:_SHOWN_CHECKS]}


async def review_done(service: Service, request: Request) -> Found:
    async with _form(request) as form:
        decision = _text(form, "decision")
        body = ReviewBody.model_validate(
            {
                "verdict_id": _text(form, "verdict_id"),
                "decision": decision,
                "status": _text(form, "status") if decision == "overturn" else None,
                "note": _text(form, "note"),
                "reviewer": request.state.caller.id.replace("open", ""),
            }
        )
    done = await run_sync(add_review, service, body)
    return {**await run_sync(_to_review, service), "done": done}


async def review_cases(service: Service, _: Request) -> Response:
    rows = await run_sync(service.reviews.cases)
    lines = b"".join(as_json(row) + b"\n" for row in rows)
    return Response(lines, media_type="application/jsonl")


async def health_page(service: Service, _: Request) -> Found:
    health = await run_sync(health_of, service.engine)
    return {"health": health, "not_ready": service.not_ready}


VIEWS: tuple[tuple[str, str, str, View], ...] = (
    ("/", "GET", "check.html", check_form),
    ("/check", "GET", "check.html", check_form),
    ("/check", "POST", "check.html", told(check_done)),
    ("/ask", "GET", "ask.html", ask_form),
    ("/ask", "POST", "ask.html", told(ask_done)),
    ("/graph", "GET", "graph.html", told(graph_page)),
    ("/diagnose", "GET", "diagnose.html", diagnose_form),
    ("/diagnose", "POST", "diagnose.html", told(diagnose_done)),
    ("/audit", "GET", "audit.html", audit_form),
    ("/audit", "POST", "audit.html", told(audit_done)),
    ("/memory", "GET", "memory.html", told(memory_page)),
    ("/memory", "POST", "memory.html", told(memory_added)),
    ("/memory/verify", "POST", "memory.html", told(memory_verified)),
    ("/memory/forget", "POST", "memory.html", told(memory_forgotten)),
    ("/trail", "GET", "trail.html", told(trail_page)),
    ("/trail/{verdict_id}", "GET", "verdict.html", trail_verdict),
    ("/review", "GET", "review.html", told(review_page)),
    ("/review", "POST", "review.html", told(review_done)),
    ("/review/cases.jsonl", "GET", "", review_cases),
    ("/health", "GET", "health.html", health_page),
)
"""Path, method, template, view."""
