"""Which RDF format a file has, and whether it is safe to hand to the parser."""

import re
from pathlib import Path

from groundwire.errors import UnreadableSource

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
SUFFIXES = frozenset(_FORMATS)
MAX_EXPANDED_BYTES = 50_000_000

_ENTITY = re.compile(rb"""<!ENTITY\s+([^\s%]+)\s+(?:"([^"]*)"|'([^']*)')""")
_NESTED = re.compile(rb"&(?!#|amp;|lt;|gt;|quot;|apos;)")


def rdf_text(data: bytes, path: Path) -> tuple[bytes, str]:
    """The file as UTF-8, and the name of its format."""
    text = _utf8(data, path)
    name = _FORMATS.get(path.suffix.lower()) or _guessed(text)
    if name == "RDF_XML":
        _check_entities(text, path)
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
