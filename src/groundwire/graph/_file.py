"""A graph in a file: written whole or not at all, read part by part.

What is damaged in a file is left out and named; only a file of which nothing is left is refused.
"""

import json
import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from groundwire.errors import InputError, UnreadableSource
from groundwire.model import (
    GRAPH_SCHEMA_VERSION,
    CausalEdge,
    CausalGraphFile,
    EdgeEvidence,
    EvidenceBundle,
    GraphRun,
    GraphSource,
    HistoricalFix,
    Model,
    Variable,
    bytes_hash,
)
from groundwire.store import write_whole
from groundwire.text import find_quote

_BYTES_PER_MB = 1_000_000

ProblemKind = Literal[
    "dangling_edge",
    "duplicate",
    "evidence_changed",
    "evidence_missing",
    "invalid",
    "quote_not_found",
    "source_changed",
    "source_missing",
]


class GraphProblem(Model):
    """Something in a graph file that cannot be used as it stands, and what became of it."""

    kind: ProblemKind
    subject: str
    message: str


@dataclass(frozen=True)
class LoadedGraph:
    file: CausalGraphFile
    problems: tuple[GraphProblem, ...] = ()


def save_graph(graph: CausalGraphFile, path: Path) -> None:
    write_whole(path, graph.model_dump_json(indent=1, exclude_none=True) + "\n")


def load_graph(path: Path, *, max_mb: float = 200) -> LoadedGraph:
    return _Reading(_read(path, max_mb), path).result()


def changed_sources(graph: CausalGraphFile, base: Path) -> tuple[GraphProblem, ...]:
    """Which of its documents are no longer what the graph was made from.

    They are looked for beside the graph, above it, where one works, and by their names under the
    graph's folder: a graph that was moved with its documents, or without them, finds them again.
    """
    here = base.resolve()
    places = list(dict.fromkeys([here, *list(here.parents)[:_FOLDERS_UP], Path.cwd()]))
    by_name = _ByName(here)
    found = (_changed(source, places, by_name) for source in graph.sources)
    return tuple(one for one in found if one is not None)


_FOLDERS_UP = 3
_MAX_FILES = 5_000


class _ByName:
    """The files under a folder by their names; looked through once, and not without end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, list[Path]] | None = None

    def named(self, name: str) -> list[Path]:
        if self._files is None:
            self._files = {}
            every = (
                Path(folder) / file for folder, _, files in os.walk(self._folder) for file in files
            )
            for path in islice(every, _MAX_FILES):
                self._files.setdefault(path.name, []).append(path)
        return self._files.get(name, [])


def _hash(path: Path) -> str | None:
    try:
        return bytes_hash(path.read_bytes())
    except OSError:
        return None


def _changed(source: GraphSource, places: list[Path], by_name: _ByName) -> GraphProblem | None:
    if source.path is None:
        return None
    hashes = [_hash(place / source.path) for place in places]
    if source.sha256 in hashes:
        return None
    name = Path(source.path).name
    if any(_hash(path) == source.sha256 for path in by_name.named(name)):
        return None
    if not any(hashes):
        message = f"{source.path} is not there; what the graph quotes of it cannot be compared."
        return GraphProblem(kind="source_missing", subject=source.doc_id, message=message)
    message = f"{source.path} has changed since the graph was made from it."
    return GraphProblem(kind="source_changed", subject=source.doc_id, message=message)


def _read(path: Path, max_mb: float) -> dict[str, Any]:
    try:
        if path.stat().st_size > max_mb * _BYTES_PER_MB:
            raise UnreadableSource(f"{path} is larger than {max_mb:g} MB: not a graph.")
        tree = json.loads(path.read_bytes())
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise _not_a_graph(path, str(error)) from error
    if not isinstance(tree, dict) or not {"edges", "variables"} & tree.keys():
        raise _not_a_graph(path, "it holds no edges")
    version = tree.get("schema_version", GRAPH_SCHEMA_VERSION)
    if not isinstance(version, int) or version > GRAPH_SCHEMA_VERSION:
        raise InputError(
            f"{path} is a graph of version {version!r}; this Groundwire reads up to "
            f"{GRAPH_SCHEMA_VERSION}.",
            hint="Upgrade Groundwire, or ground the documents again.",
        )
    return tree


def _not_a_graph(path: Path, problem: str) -> InputError:
    return InputError(
        f"{path} is not a causal graph: {problem}.",
        hint="Make one with: gw ground DOC... --out GRAPH",
    )


_Part = TypeVar("_Part", bound=BaseModel)


class _Reading:
    """One file being read: what could be used so far, and what could not."""

    def __init__(self, tree: dict[str, Any], path: Path) -> None:
        self._tree = tree
        self._path = path
        self._problems: list[GraphProblem] = []

    def result(self) -> LoadedGraph:
        variables = self._unique(self._parts("variables", Variable))
        self._known = {variable.id for variable in variables}
        self._evidence = self._bundles()
        given = self._parts("edges", CausalEdge)
        edges = tuple(
            self._with_evidence(edge) for edge in self._unique(given) if self._stands(edge)
        )
        if self._tree.get("edges") and not edges:
            first = self._problems[0].message if self._problems else "no edge can be read"
            raise _not_a_graph(self._path, f"nothing in it can be used. First problem: {first}")
        graph = CausalGraphFile(
            variables=variables,
            edges=edges,
            evidence=self._evidence,
            fixes=self._parts("fixes", HistoricalFix),
            sources=self._parts("sources", GraphSource),
            run=self._part("run", self._tree.get("run", {}), GraphRun) or GraphRun(),
        )
        return LoadedGraph(graph, tuple(self._problems))

    def _report(self, kind: ProblemKind, subject: str, message: str) -> None:
        self._problems.append(GraphProblem(kind=kind, subject=subject, message=message))

    def _parts(self, name: str, kind: type[_Part]) -> tuple[_Part, ...]:
        given = self._tree.get(name, [])
        if not isinstance(given, list):
            self._report("invalid", name, f"{name} is not a list; it was left out.")
            return ()
        read = (self._part(f"{name}[{index}]", one, kind) for index, one in enumerate(given))
        return tuple(one for one in read if one is not None)

    def _part(self, where: str, value: Any, kind: type[_Part]) -> _Part | None:
        try:
            return kind.model_validate(value)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(str(part) for part in first["loc"])
            name = value.get("id", where) if isinstance(value, dict) else where
            self._report("invalid", str(name), f"{where} {field}: {first['msg']}; it was left out.")
            return None

    def _unique(self, parts: "tuple[_Part, ...]") -> "tuple[_Part, ...]":
        kept: dict[str, _Part] = {}
        for part in parts:
            name = str(getattr(part, "id"))  # noqa: B009 - variables and edges both have one
            if name in kept:
                self._report("duplicate", name, f"{name} stands there twice; the first counts.")
            kept.setdefault(name, part)
        return tuple(kept.values())

    def _bundles(self) -> dict[str, EvidenceBundle]:
        given = self._tree.get("evidence", {})
        if not isinstance(given, dict):
            self._report("invalid", "evidence", "evidence is not a mapping; it was left out.")
            return {}
        bundles: dict[str, EvidenceBundle] = {}
        for name, value in given.items():
            try:
                bundles[name] = EvidenceBundle.model_validate(value)
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                problem = first["msg"].removeprefix("Value error, ")
                self._report("evidence_changed", name, f"{name}: {problem}; it counts no more.")
        return bundles

    def _stands(self, edge: CausalEdge) -> bool:
        missing = [name for name in (edge.from_var, edge.to_var) if name not in self._known]
        if missing:
            names = " and ".join(repr(name) for name in missing)
            message = f"edge {edge.id} names {names}, which is no variable; the edge was left out."
            self._report("dangling_edge", edge.id, message)
        elif edge.from_var == edge.to_var:
            self._report("invalid", edge.id, f"edge {edge.id} leads to itself; it was left out.")
        return not missing and edge.from_var != edge.to_var

    def _with_evidence(self, edge: CausalEdge) -> CausalEdge:
        """An edge that lost its last evidence is no longer grounded: nobody knows, so `draft`."""
        kept = tuple(one for one in edge.evidence if self._holds(edge, one))
        against = tuple(one for one in edge.refutations if self._holds(edge, one))
        update: dict[str, object] = {"evidence": kept, "refutations": against}
        if edge.edge_status == "grounded" and not kept:
            if not edge.evidence:
                message = f"edge {edge.id} is called grounded and quotes nothing; it is a draft."
                self._report("evidence_missing", edge.id, message)
            update |= {
                "edge_status": "draft",
                "reason": "evidence_changed",
                "message": "Its evidence is missing or no longer what it was.",
            }
        return edge.model_copy(update=update)

    def _holds(self, edge: CausalEdge, evidence: EdgeEvidence) -> bool:
        name = evidence.evidence_id
        bundle = self._evidence.get(name)
        if bundle is not None and find_quote(evidence.quote.quote, bundle.content) is not None:
            return True
        kind: ProblemKind = "quote_not_found" if bundle else "evidence_missing"
        problem = (
            f"quotes words that do not stand in {name}"
            if bundle
            else f"rests on {name}, which is not there or has changed"
        )
        self._report(kind, edge.id, f"edge {edge.id} {problem}; that evidence was left out.")
        return False
