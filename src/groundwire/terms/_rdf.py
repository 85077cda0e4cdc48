"""SKOS files: which format each has, whether it is safe to parse, and the concepts it holds."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundwire._patterns import lazy_pattern
from groundwire.errors import MissingExtra, UnreadableSource
from groundwire.model import LabelKind
from groundwire.terms._fold import Text, best, clean

_FORMATS = {
    ".ttl": "TURTLE",
    ".nt": "N_TRIPLES",
    ".trig": "TRIG",
    ".nq": "N_QUADS",
    ".n3": "N3",
    ".rdf": "RDF_XML",
    ".xml": "RDF_XML",
    ".owl": "RDF_XML",
    ".jsonld": "JSON_LD",
    ".json": "JSON_LD",
}
RDF_SUFFIXES = frozenset(_FORMATS)
MAX_EXPANDED_BYTES = 50_000_000
MAX_DEPTH = 200
"""Of lists and objects in JSON-LD."""

# such as '<!ENTITY owl "http://www.w3.org/2002/07/owl#">', and "&owl;" within another
_ENTITY = re.compile(rb"""<!ENTITY\s+([^\s%]+)\s+(?:"([^"]*)"|'([^']*)')""")
_NESTED = re.compile(rb"&(?!#|amp;|lt;|gt;|quot;|apos;)")

# such as '"a [bracket] in \\"words\\""'
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
# one that opens or closes a list or an object
_BRACKET = re.compile(rb"[\[{}\]]")


def rdf_text(data: bytes, path: Path) -> tuple[bytes, str]:
    """The file as UTF-8, and the name of its format."""
    text = _utf8(data, path)
    name = _FORMATS.get(path.suffix.lower()) or _guessed(text)
    if name == "RDF_XML":
        _check_entities(text, path)
    if name == "JSON_LD":
        _check_nesting(text, path)
    return text, name


def _utf8(data: bytes, path: Path) -> bytes:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode()
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableSource(
            f"{path}:{line} is not UTF-8 text (byte {error.start}).",
            hint="Save the file as UTF-8.",
        ) from error
    return data


def _guessed(text: bytes) -> str:
    start = text.lstrip()[:1000]
    if start.startswith(b"<?xml") or b"<rdf:RDF" in start:
        return "RDF_XML"
    return "JSON_LD" if start.startswith(b"{") else "TURTLE"


def _check_nesting(text: bytes, path: Path) -> None:
    """The parser has no limit of its own, and would take the whole process with it."""
    depth = 0
    for sign in _BRACKET.findall(_STRING.sub(b"", text)):
        depth += 1 if sign in b"[{" else -1
        if depth > MAX_DEPTH:
            raise UnreadableSource(f"{path} cannot be read: it nests too deeply.")


def _check_entities(text: bytes, path: Path) -> None:
    """Entities are abbreviations. The parser expands them without a limit, so one is set here."""
    expanded = len(text)
    for name, double, single in _ENTITY.findall(text):
        value = double or single
        if _NESTED.search(value):
            raise UnreadableSource(f"{path} cannot be read: its XML entities are nested.")
        expanded += len(value) * text.count(b"&" + name + b";")
    if expanded > MAX_EXPANDED_BYTES:
        raise UnreadableSource(f"{path} cannot be read: its XML entities expand too far.")


_SKOS = "http://www.w3.org/2004/02/skos/core#"
_SKOS_XL = "http://www.w3.org/2008/05/skos-xl#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_DCT = "http://purl.org/dc/terms/"
_OWL = "http://www.w3.org/2002/07/owl#"

_PROPERTIES = {
    _RDF + "type": "type",
    _RDF + "value": "value",
    _RDFS + "label": "name",
    _RDFS + "subClassOf": "subclass_of",
    _DCT + "title": "title",
    _DCT + "isReplacedBy": "successor",
    _OWL + "deprecated": "deprecated",
    _SKOS_XL + "literalForm": "value",
    _SKOS_XL + "prefLabel": "preferred",
    _SKOS_XL + "altLabel": "alternative",
    _SKOS_XL + "hiddenLabel": "hidden",
    _SKOS + "prefLabel": "preferred",
    _SKOS + "altLabel": "alternative",
    _SKOS + "hiddenLabel": "hidden",
    _SKOS + "definition": "definition",
    _SKOS + "scopeNote": "scope_note",
    _SKOS + "notation": "notation",
    _SKOS + "inScheme": "scheme",
    _SKOS + "topConceptOf": "scheme",
    _SKOS + "broader": "broader",
    _SKOS + "narrower": "narrower",
    _SKOS + "related": "related",
}
_CONCEPT = _SKOS + "Concept"
_TRUE = ("true", "1")
_INVERSES = {"broader": "narrower", "narrower": "broader", "related": "related"}
_KINDS: tuple[LabelKind, ...] = ("preferred", "alternative", "hidden")
# such as "Parser error at line 3: … (file.ttl, line 3)"
_POSITION = lazy_pattern(r"^Parser error [^:]*: | \([^()]*, line \d+\)$")
MAX_LINKS = 50
"""Neighbours kept per concept and direction: a top concept may have thousands."""


@dataclass
class ConceptRecord:
    """What a file says about one concept, in every language it says it."""

    uri: str
    labels: list[tuple[LabelKind, Text]] = field(default_factory=list)
    definitions: list[Text] = field(default_factory=list)
    scope_notes: list[Text] = field(default_factory=list)
    broader: list[str] = field(default_factory=list)
    narrower: list[str] = field(default_factory=list)
    related: list[str] = field(default_factory=list)
    notation: str | None = None
    vocabulary: str | None = None
    deprecated: bool = False
    successor: str | None = None

    def neighbours(self) -> list[str]:
        return [*self.broader, *self.narrower, *self.related]

    def absorb(self, other: "ConceptRecord") -> None:
        """Add what another file says about the same concept."""
        for name in ("labels", "definitions", "scope_notes", "broader", "narrower", "related"):
            mine = getattr(self, name)
            mine.extend(item for item in getattr(other, name) if item not in mine)
        self.notation = self.notation or other.notation
        self.deprecated = self.deprecated or other.deprecated
        self.successor = self.successor or other.successor


def read_concepts(data: bytes, path: Path) -> list[ConceptRecord]:
    """Every concept of a SKOS file, ordered by address; the error names the file and the line."""
    facts = _Facts(_statements(data, path))
    concepts = [facts.concept(uri, path.stem) for uri in facts.concept_uris()]
    if not concepts:
        raise UnreadableSource(
            f"{path} holds no concept.",
            hint="A vocabulary has entries of the type skos:Concept with a skos:prefLabel.",
        )
    return concepts


def _statements(data: bytes, path: Path) -> Iterator[Any]:
    try:
        import pyoxigraph
    except ImportError as error:
        raise MissingExtra("skos", needed_for="Reading a vocabulary file") from error
    text, name = rdf_text(data, path)
    try:
        yield from pyoxigraph.parse(
            input=text,
            format=getattr(pyoxigraph.RdfFormat, name),
            base_iri=path.absolute().as_uri(),
            lenient=True,  # real files have language tags and addresses that the standard forbids
        )
    except (SyntaxError, ValueError) as error:
        raise _unreadable(error, path) from error


def _unreadable(error: Exception, path: Path) -> UnreadableSource:
    line = getattr(error, "lineno", None)
    where = f"{path}:{line}" if line else str(path)
    problem = _POSITION.sub("", str(getattr(error, "msg", error)))[:300]
    return UnreadableSource(f"{where} cannot be read as SKOS: {problem}.")


class _Facts:
    """The statements of a file that matter here, by subject and property."""

    def __init__(self, statements: Iterable[Any]) -> None:
        self._texts: dict[str, dict[str, list[Text]]] = defaultdict(_lists)
        self._links: dict[str, dict[str, list[str]]] = defaultdict(_lists)
        self._typed: dict[str, list[str]] = defaultdict(list)
        for statement in statements:
            name = _PROPERTIES.get(statement.predicate.value)
            if name is not None:
                self._add(_address(statement.subject), name, statement.object)
        self._titles = {uri: self._title(uri) for uri in self._schemes()}

    def _add(self, subject: str, name: str, value: Any) -> None:
        if hasattr(value, "language"):
            if text := clean(value.value):
                self._texts[subject][name].append(Text(text, value.language or ""))
            return
        target = _address(value)
        self._links[subject][name].append(target)
        if name == "type":
            self._typed[target].append(subject)
        elif name in _INVERSES:
            self._links[target][_INVERSES[name]].append(subject)

    def concept_uris(self) -> list[str]:
        """Entries typed as concepts, or as a kind of concept that the file itself declares."""
        declared = [uri for uri, links in self._links.items() if _CONCEPT in links["subclass_of"]]
        found = {uri for kind in (_CONCEPT, *declared) for uri in self._typed.get(kind, ())}
        return sorted(uri for uri in found if not uri.startswith("_:"))

    def concept(self, uri: str, file_name: str) -> ConceptRecord:
        links = self._links[uri]
        successors = [target for target in links["successor"] if target != uri]
        schemes = [self._titles[scheme] for scheme in sorted(links["scheme"])]
        deprecated = any(text.text in _TRUE for text in self._values(uri, "deprecated"))
        return ConceptRecord(
            uri=uri,
            labels=[(kind, text) for kind in _KINDS for text in self._values(uri, kind)],
            definitions=self._values(uri, "definition"),
            scope_notes=self._values(uri, "scope_note"),
            broader=_neighbours(uri, links["broader"]),
            narrower=_neighbours(uri, links["narrower"]),
            related=_neighbours(uri, links["related"]),
            notation=next((text.text for text in self._values(uri, "notation")), None),
            vocabulary=next((title for title in schemes if title), file_name),
            deprecated=deprecated or bool(successors),
            successor=min(successors, default=None),
        )

    def _values(self, subject: str, name: str) -> list[Text]:
        """Texts said of a subject directly, or by a node that holds them in `rdf:value`."""
        texts = self._texts[subject][name] if subject in self._texts else []
        for node in self._links[subject][name] if subject in self._links else ():
            texts = texts + self._texts[node]["value"]
        return sorted(set(texts)) if texts else []

    def _schemes(self) -> set[str]:
        return {scheme for links in list(self._links.values()) for scheme in links["scheme"]}

    def _title(self, scheme: str) -> str | None:
        for name in ("title", "preferred", "name"):
            if (title := best(self._values(scheme, name), ["en"])) is not None:
                return title.text
        return None


def _lists() -> dict[str, list[Any]]:
    return defaultdict(list)


def _address(node: Any) -> str:
    """An IRI as it is; a blank node with a prefix that no IRI has."""
    name: str = str(node)
    return name[1:-1] if name[0] == "<" else name


def _neighbours(uri: str, links: list[str]) -> list[str]:
    return sorted({other for other in links if other[:2] != "_:" and other != uri})[:MAX_LINKS]
