"""What the `data` call of Skosmos answers, in all the shapes JSON-LD gives it, as a record."""

from collections.abc import Iterable, Mapping
from typing import Any

from groundwire.model import LabelKind
from groundwire.terms._fold import Text, clean
from groundwire.terms._rdf import ConceptRecord

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_VALUES = ("rdf:value", "http://www.w3.org/1999/02/22-rdf-syntax-ns#value", "value", "@value")
_LABELS: dict[LabelKind, str] = {
    "preferred": "prefLabel",
    "alternative": "altLabel",
    "hidden": "hiddenLabel",
}

Node = Mapping[str, Any]


class Graph:
    """The nodes of a `data` answer, by address."""

    def __init__(self, document: Node) -> None:
        nodes = document.get("graph", document.get("@graph", document))
        self._nodes = {_address(node): node for node in _list(nodes) if isinstance(node, dict)}

    def record(self, uri: str, vocabulary: str | None = None) -> ConceptRecord | None:
        node = self._nodes.get(uri)
        if node is None:
            return None
        successors = _addresses(node, "dct:isReplacedBy", "http://purl.org/dc/terms/isReplacedBy")
        deprecated = _values(node, "owl:deprecated", "http://www.w3.org/2002/07/owl#deprecated")
        notations = self._texts(node, "notation")
        return ConceptRecord(
            uri=uri,
            labels=[
                (kind, text)
                for kind, name in _LABELS.items()
                for text in sorted(self._texts(node, name))
            ],
            definitions=sorted(self._texts(node, "definition")),
            scope_notes=sorted(self._texts(node, "scopeNote")),
            broader=_addresses(node, *_keys("broader")),
            narrower=_addresses(node, *_keys("narrower")),
            related=_addresses(node, *_keys("related")),
            notation=notations[0].text if notations else None,
            vocabulary=self._title(node) or vocabulary,
            deprecated=any(_is_true(value) for value in deprecated) or bool(successors),
            successor=min(successors, default=None),
        )

    def names(self) -> dict[str, list[Text]]:
        """The preferred labels of everything the answer describes."""
        return {uri: self._texts(node, "prefLabel") for uri, node in self._nodes.items()}

    def _title(self, node: Node) -> str | None:
        for scheme in _addresses(node, *_keys("inScheme")):
            described = self._nodes.get(scheme, {})
            for name in ("dct:title", "prefLabel", "label", "rdfs:label"):
                if titles := self._texts(described, name):
                    return min(titles, key=lambda text: (text.lang != "en", text)).text
        return None

    def _texts(self, node: Node, name: str) -> list[Text]:
        texts: list[Text] = []
        for value in _values(node, *_keys(name)):
            # a reified definition: the value is a node that holds the text
            held = self._nodes.get(_address(value)) if isinstance(value, dict) else None
            for item in _values(held, *_VALUES) if held is not None else [value]:
                texts += _text(item)
        return list(dict.fromkeys(texts))


def _text(value: Any) -> list[Text]:
    lang: Any = ""
    if isinstance(value, dict):
        lang = value.get("lang", value.get("@language", ""))
        value = value.get("value", value.get("@value"))
    if isinstance(value, str) and isinstance(lang, str) and clean(value):
        return [Text(clean(value), lang)]
    return []


def _keys(name: str) -> tuple[str, ...]:
    return (name, f"skos:{name}", _SKOS + name)


def _values(node: Node, *keys: str) -> list[Any]:
    return [value for key in keys if key in node for value in _list(node[key])]


def _addresses(node: Node, *keys: str) -> list[str]:
    found: Iterable[str] = (
        value if isinstance(value, str) else _address(value) for value in _values(node, *keys)
    )
    return sorted({uri for uri in found if uri and not uri.startswith("_:")})


def _address(node: Any) -> str:
    uri = node.get("uri", node.get("@id", "")) if isinstance(node, dict) else ""
    return uri if isinstance(uri, str) else ""


def _is_true(value: Any) -> bool:
    if isinstance(value, dict):
        value = value.get("value", value.get("@value"))
    return value is True or value in ("true", "1")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
