"""What a run has done so far, so that a killed one goes on where it stopped."""

from pathlib import Path

from groundwire.ground._extract import Drafted
from groundwire.ground._types import EdgeOutcome
from groundwire.store import Database, Migration

_TABLES: Migration = (
    "CREATE TABLE draft (doc_id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE outcome (
        kind TEXT NOT NULL,
        edge_id TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (kind, edge_id)
    ) STRICT, WITHOUT ROWID""",
)


class Ledger:
    """Each document's drafts and each edge's outcome is kept as soon as it is there."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, [_TABLES])

    def close(self) -> None:
        self._database.close()

    def drafts(self) -> dict[str, Drafted]:
        rows = self._database.read("SELECT doc_id, value FROM draft")
        return {row["doc_id"]: Drafted.model_validate_json(row["value"]) for row in rows}

    def put_drafts(self, doc_id: str, drafted: Drafted) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO draft VALUES (?, ?)", (doc_id, drafted.model_dump_json())
            )

    def outcomes(self, kind: str) -> dict[str, EdgeOutcome]:
        rows = self._database.read("SELECT edge_id, value FROM outcome WHERE kind = ?", (kind,))
        return {row["edge_id"]: EdgeOutcome.model_validate_json(row["value"]) for row in rows}

    def put_outcome(self, kind: str, outcome: EdgeOutcome) -> None:
        """Undetermined edges are not kept: the next run tries them again."""
        if outcome.edge.edge_status == "draft":
            return
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO outcome VALUES (?, ?, ?)",
                (kind, outcome.edge.id, outcome.model_dump_json()),
            )
