"""What is asked of the index, of some of its files."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence

from groundwire.model import LabelKind
from groundwire.terms._fold import exact_key, inflections, loose_key
from groundwire.terms._index import VocabularyIndex
from groundwire.terms._present import Match
from groundwire.terms._rdf import ConceptRecord
from groundwire.terms._suggest import MAX_CANDIDATES, Candidate, grams
from groundwire.terms._tables import unpacked
from groundwire.terms._text import Text

_RANKS: dict[LabelKind, int] = {"preferred": 0, "alternative": 1, "hidden": 2}
_UNTAGGED = "en"


class Queries:
    def __init__(self, index: VocabularyIndex, file_ids: Sequence[int]) -> None:
        self._index = index
        self._file_ids = file_ids
        # the plus keeps SQLite from starting with the file, which holds every concept
        self._in_files = f"+file_id IN ({_marks(file_ids)})"

    def matches(self, term: str) -> dict[str, Match]:
        """The concepts a term names, by address, each with the label that fits best."""
        loose = loose_key(term)
        return (
            self.exact_matches(term)
            or self._labels("loose", {loose: None})
            or self._labels("loose", inflections(loose))
        )

    def exact_matches(self, term: str) -> dict[str, Match]:
        found = self._labels("exact", {exact_key(term): None})
        # hidden labels are misspellings and codes: they count only when nothing else fits
        return {uri: match for uri, match in found.items() if match.kind != "hidden"} or found

    def records(self, uris: Collection[str]) -> dict[str, ConceptRecord]:
        """What the files together say about some concepts."""
        rows = self._index.read(
            f"SELECT record FROM concept WHERE uri IN ({_marks(uris)}) AND {self._in_files}"  # noqa: S608
            " ORDER BY id",
            [*uris, *self._file_ids],
        )
        records: dict[str, ConceptRecord] = {}
        for record in map(unpacked, rows):
            if record.uri in records:
                records[record.uri].absorb(record)
            else:
                records[record.uri] = record
        return records

    def names(self, records: Iterable[ConceptRecord]) -> dict[str, list[Text]]:
        """The preferred labels of all neighbours."""
        uris = {uri for record in records for uri in record.neighbours()}
        rows = self._index.read(
            "SELECT uri, text, lang FROM concept JOIN label ON concept_id = concept.id"  # noqa: S608
            f" WHERE uri IN ({_marks(uris)}) AND kind = 'preferred' AND {self._in_files}",
            [*uris, *self._file_ids],
        )
        names: dict[str, list[Text]] = {}
        for row in rows:
            names.setdefault(row["uri"], []).append(Text(row["text"], row["lang"]))
        return names

    def similar(self, key: str) -> list[Candidate]:
        """Labels that share letters with a loose key, misspellings left out."""
        wanted = " OR ".join(f'"{gram}"' for gram in grams(key))
        if not wanted:
            return []
        rows = self._index.read(
            "SELECT loose, text, uri FROM trigram JOIN label ON label.id = trigram.rowid"  # noqa: S608
            " JOIN concept ON concept.id = concept_id"
            f" WHERE trigram MATCH ? AND kind != 'hidden' AND {self._in_files}"
            " ORDER BY rank LIMIT ?",
            [wanted, *self._file_ids, MAX_CANDIDATES],
        )
        return [Candidate(*row) for row in rows]

    def _labels(self, column: str, keys: Mapping[str, set[str] | None]) -> dict[str, Match]:
        """The best match of each concept; a key may count in some languages only."""
        rows = self._index.read(
            f"SELECT label.{column} AS key, kind, text, lang, uri"  # noqa: S608
            " FROM label JOIN concept ON concept.id = concept_id"
            f" WHERE label.{column} IN ({_marks(keys)}) AND {self._in_files}",
            [*keys, *self._file_ids],
        )
        found: dict[str, Match] = {}
        for row in rows:
            languages = keys[row["key"]]
            if languages is None or _is_inflection(row, languages):
                match = Match(_RANKS[row["kind"]], row["text"], row["lang"], row["kind"])
                found[row["uri"]] = min(match, found.get(row["uri"], match))
        return found


def _is_inflection(row: sqlite3.Row, languages: set[str]) -> bool:
    """In its own language; and ISMS is no plural of "ism"."""
    is_acronym_in_s = row["text"].isupper() and row["text"].endswith("S")
    return not is_acronym_in_s and (row["lang"] or _UNTAGGED).split("-")[0].lower() in languages


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))
