"""A small vocabulary as a Skosmos server tells it: what its REST calls answer from."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.errors import MissingExtra

if TYPE_CHECKING:
    from pyoxigraph import Store

_PREFIXES = {
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "isothes": "http://purl.org/iso25964/skos-thes#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "dct": "http://purl.org/dc/terms/",
    "dc11": "http://purl.org/dc/elements/1.1/",
}
_SKOS = _PREFIXES["skos"]
_LINKS = ("broader", "narrower", "related")
_LABELS = ("prefLabel", "altLabel", "hiddenLabel")
_MATCHES = ("exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch")
_ALIASES = (*_LABELS, *_LINKS, "inScheme", *_MATCHES)
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
CONTEXT: dict[str, str] = {
    **_PREFIXES,
    "uri": "@id",
    "type": "@type",
    "lang": "@language",
    "value": "@value",
    "graph": "@graph",
    "label": "rdfs:label",
    **{name: f"skos:{name}" for name in _ALIASES},
}


class SkosmosData:
    """Answers about the concepts of some SKOS files."""

    def __init__(self, files: Iterable[Path], *, vocabulary: str, default_language: str) -> None:
        try:
            import pyoxigraph
        except ImportError as error:
            raise MissingExtra("skos", needed_for="The Skosmos stand-in") from error
        self._rdf = pyoxigraph
        self._store: Store = pyoxigraph.Store()
        self._vocabulary = vocabulary
        self._default_language = default_language
        for path in files:
            self._store.bulk_load(path=path, base_iri=path.absolute().as_uri(), lenient=True)
        concept = pyoxigraph.NamedNode(_SKOS + "Concept")
        typed = self._store.quads_for_pattern(None, pyoxigraph.NamedNode(_TYPE), concept)
        self._labels = {
            uri: self._labels_of(uri) for uri in sorted({_name(q.subject) for q in typed})
        }

    def lookup(self, label: str, lang: str | None) -> list[dict[str, Any]]:
        """Preferred labels before others, exact before any case; case means ASCII, as in PHP."""
        hits = list(self._hits(lambda text: _lower(text) == _lower(label), lang))
        fields = ["prefLabel", *([] if lang else ["matchedPrefLabel"]), "altLabel"]
        for field in fields:
            for folded in (str, _lower):
                found = [hit for hit in hits if folded(hit.get(field, "")) == folded(label)]
                if found:
                    return [_named(hit, field) for hit in found]
        return []

    def search(self, query: str, lang: str | None, limit: int) -> list[dict[str, Any]]:
        parts = [re.escape(_lower(part)) for part in query.split("*")]
        pattern = re.compile(".*".join(parts), re.DOTALL)
        hits = self._hits(lambda text: pattern.fullmatch(_lower(text)) is not None, lang)
        return list(hits)[:limit]

    def graph(self, uri: str) -> list[dict[str, Any]]:
        """The concept in full, what its values point to, and its neighbours by name."""
        node = self._rdf.NamedNode(uri)
        own = list(self._store.quads_for_pattern(node, None, None))
        if not own:
            return []
        around: set[Any] = {quad.object for quad in own if not _is_literal(quad.object)}
        for name in _LINKS:
            incoming = self._store.quads_for_pattern(None, self._rdf.NamedNode(_SKOS + name), node)
            around |= {quad.subject for quad in incoming}
        described = [_compact(node, own)]
        for other in sorted(around - {node}, key=str):
            statements = list(self._store.quads_for_pattern(other, None, None))
            if _name(other) in self._labels:
                wanted = (_TYPE, _SKOS + "prefLabel")
                statements = [quad for quad in statements if quad.predicate.value in wanted]
            if statements:
                described.append(_compact(other, statements))
        return described

    def _hits(self, fits: Callable[[str], bool], lang: str | None) -> Iterator[dict[str, Any]]:
        for uri, labels in self._labels.items():
            fitting = [item for item in labels if fits(item[1]) and lang in (None, item[2])]
            if fitting:
                yield self._hit(uri, fitting[0], lang or self._default_language)

    def _hit(self, uri: str, match: tuple[str, str, str], shown_in: str) -> dict[str, Any]:
        field, text, tag = match
        preferred = [
            (label, lang) for kind, label, lang in self._labels[uri] if kind == "prefLabel"
        ]
        shown = [label for label, lang in preferred if lang == shown_in]
        shown += [label for label, _ in preferred]
        hit: dict[str, Any] = {
            "uri": uri,
            "type": ["skos:Concept"],
            "prefLabel": shown[0] if shown else text,
            "lang": tag or shown_in,
            "vocab": self._vocabulary,
        }
        if field != "prefLabel":
            hit[field] = text
        elif text != hit["prefLabel"]:
            hit["matchedPrefLabel"] = text
        return hit

    def _labels_of(self, uri: str) -> list[tuple[str, str, str]]:
        node = self._rdf.NamedNode(uri)
        return [
            (kind, quad.object.value, quad.object.language or "")
            for kind in _LABELS
            for quad in sorted(
                self._store.quads_for_pattern(node, self._rdf.NamedNode(_SKOS + kind), None),
                key=str,
            )
            if isinstance(quad.object, self._rdf.Literal)
        ]


def _named(hit: dict[str, Any], field: str) -> dict[str, Any]:
    if field == "matchedPrefLabel":
        hit = {**hit, "prefLabel": hit["matchedPrefLabel"]}
        del hit["matchedPrefLabel"]
    return hit


def _compact(node: Any, statements: Iterable[Any]) -> dict[str, Any]:
    """A node as a JSON-LD processor compacts it with the context above."""
    values: dict[str, list[Any]] = {}
    for statement in sorted(statements, key=str):
        if statement.predicate.value == _TYPE:
            values.setdefault("type", []).append(_shortened(statement.object.value))
        else:
            key = _shortened(statement.predicate.value)
            alias = key.removeprefix("skos:")
            values.setdefault(alias if alias in _ALIASES else key, []).append(
                _value(statement.object)
            )
    single = {key: several[0] if len(several) == 1 else several for key, several in values.items()}
    return {"uri": _name(node), **single}


def _value(term: Any) -> Any:
    if not _is_literal(term):
        return {"uri": _name(term)}
    if term.language:
        return {"lang": term.language, "value": term.value}
    if term.datatype.value == _STRING:
        return term.value
    return {"type": term.datatype.value, "value": term.value}


def _is_literal(term: Any) -> bool:
    return hasattr(term, "language")


def _name(node: Any) -> str:
    text = str(node)
    return text[1:-1] if text.startswith("<") else text


def _shortened(iri: str) -> str:
    for prefix, root in _PREFIXES.items():
        if iri.startswith(root):
            return f"{prefix}:{iri.removeprefix(root)}"
    return iri


def _lower(text: str) -> str:
    return "".join(char.lower() if char.isascii() else char for char in text)
