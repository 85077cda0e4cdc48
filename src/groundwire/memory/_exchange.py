"""Memory as a file that can be read, kept and taken elsewhere: a JSON object a line."""

import json
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Row
from typing import Any, Literal

from groundwire.config import LimitsSection
from groundwire.errors import InputError
from groundwire.evidence import read_plain
from groundwire.memory._sources import Source, has_changed
from groundwire.memory._store import MemoryStore, NewFact, Placed, fact_id
from groundwire.memory._tables import FACTS, LINKS, SOURCES, marks
from groundwire.model import (
    ClaimResult,
    EvidenceBundle,
    FactStatus,
    MemoryKind,
    MemoryTier,
    Model,
)
from groundwire.store import write_whole

_AT_ONCE = 500


class _Head(Model):
    groundwire_memory: Literal[1]


class _Source(Model):
    doc_id: str
    title: str | None = None
    path: str | None = None
    file_sha256: str | None = None
    start: int = 0
    content: str


class _Node(Model):
    id: str
    kind: MemoryKind
    content: str
    tier: MemoryTier
    status: FactStatus
    reason: str
    confidence: float
    stated: float | None = None
    wanted_tier: MemoryTier = "longterm"
    said_by: str = ""
    said_at: float
    request_id: str = ""
    session: str = ""
    result: ClaimResult | None = None
    sources: tuple[_Source, ...] = ()


class _Edge(Model):
    relation: str
    members: tuple[tuple[str, str], ...]


def export_lines(store: MemoryStore, path: Path) -> int:
    """Everything but the log of refused facts; the file is there whole or not at all."""
    rows = store.read(f"{FACTS} ORDER BY n.key")
    write_whole(path, _lines(store, rows))
    return sum(row["kind"] != "entity" for row in rows)


def _lines(store: MemoryStore, rows: list[Row]) -> Iterator[bytes]:
    yield _line({"groundwire_memory": 1})
    edges: dict[int, dict[str, Any]] = {}
    for at in range(0, len(rows), _AT_ONCE):
        some = rows[at : at + _AT_ONCE]
        keys = marks(row["key"] for row in some)
        sources: dict[int, list[dict[str, Any]]] = {}
        for one in store.read(SOURCES, (keys,)):
            kept = {name: one[name] for name in _Source.model_fields}
            sources.setdefault(one["node_key"], []).append(kept)
        for row in some:
            node = {name: row[name] for name in _Node.model_fields if name != "sources"}
            node["status"] = "verified" if row["status"] == "contested" else row["status"]
            node["result"] = json.loads(row["result"]) if row["result"] else None
            yield _line({"node": node | {"sources": sources.get(row["key"], [])}})
        for one in store.read(LINKS, (keys,)):
            edge = edges.setdefault(one["edge"], {"relation": one["relation"], "members": []})
            if [one["role"], one["id"]] not in edge["members"]:
                edge["members"].append([one["role"], one["id"]])
    for edge in edges.values():
        yield _line({"edge": edge})


def _line(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def import_lines(store: MemoryStore, path: Path, limits: LimitsSection, *, trust: bool) -> int:
    """All of a file or nothing. What it calls verified is so only where the file is trusted."""
    nodes, edges = _read(path, limits)
    known = {one.id: fact_id(one.kind, one.content) for one in nodes}
    count = 0
    with store.transaction():
        for node in nodes:
            here = store.row(known[node.id])
            if here is not None and here["status"] in ("verified", "contested"):
                continue
            store.put_in_transaction(*_as_new(node, trust=trust))
            count += node.kind != "entity"
        for edge in edges:
            members = [(role, known.get(one, "")) for role, one in edge.members]
            if len(members) > 1 and all(one and store.row(one) for _, one in members):
                store.relate_in_transaction(edge.relation, members)
    return count


def _as_new(node: _Node, *, trust: bool) -> tuple[NewFact, Placed]:
    new = NewFact(
        kind=node.kind,
        content=node.content,
        wanted_tier=node.wanted_tier if node.tier == "task" else node.tier,
        stated=node.stated,
        said_by=node.said_by,
        said_at=node.said_at,
        request_id=node.request_id,
        session=node.session,
        sources=tuple(_source(one) for one in node.sources),
    )
    believed = trust or node.kind == "entity"
    if believed:
        return new, Placed(
            node.tier,
            node.status,
            node.confidence,
            node.reason,
            result=node.result,
            waits=node.status == "unverified" and bool(node.sources),
        )
    confidence = node.confidence if node.status == "unverified" else node.confidence / 2
    waits = bool(node.sources)
    return new, Placed("task", "unverified", confidence, "imported", waits=waits)


def _source(given: _Source) -> Source:
    """A file that is not here, or another one here, is no source: the text that came along is."""
    bundle = EvidenceBundle.of(given.content, given.doc_id, title=given.title, start=given.start)
    if has_changed(given.path, given.file_sha256, None):
        return Source(bundle)
    return Source(bundle, given.path, given.file_sha256)


def _read(path: Path, limits: LimitsSection) -> tuple[list[_Node], list[_Edge]]:
    nodes: list[_Node] = []
    edges: list[_Edge] = []
    # other marks that end a line in some texts may stand in a string of JSON
    lines = read_plain(path, limits).removesuffix("\n").split("\n")
    for number, line in enumerate(lines, start=1):
        try:
            document = json.loads(line)
            if number == 1:
                _Head.model_validate(document)
            elif "node" in document:
                nodes.append(_Node.model_validate(document["node"]))
            else:
                edges.append(_Edge.model_validate(document["edge"]))
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
            problem = "it is no export" if number == 1 else str(error).splitlines()[0]
            raise InputError(
                f"{path}:{number} cannot be imported: {problem}.",
                hint="Import what `gw memory export` wrote. Nothing was changed.",
            ) from error
    return nodes, edges
