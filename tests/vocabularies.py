"""Vocabularies written for tests, and the one the examples use."""

from pathlib import Path

HALDEN = Path(__file__).parent.parent / "examples" / "vocabulary" / "halden-grid.ttl"
HALDEN_ID = "https://vocabulary.haldengrid.example/id/"

PREFIXES = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix skosxl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix : <https://v.example/> .
"""


def turtle(path: Path, body: str) -> Path:
    """Write a small vocabulary; the prefixes are given."""
    path.write_text(PREFIXES + body, encoding="utf-8")
    return path


def concept(name: str, label: str, definition: str | None = None) -> str:
    said = f' ; skos:definition "{definition}"@en' if definition else ""
    return f':{name} a skos:Concept ; skos:prefLabel "{label}"@en{said} .\n'
