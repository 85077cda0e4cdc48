"""Judgements kept on disk: by what was asked, which judge answered, and how it was set.

Nothing of a claim or of its evidence is kept, only a digest of it and the numbers. A judge whose
code, weights or settings change is another judge: its old answers are no longer found.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from time import time

from groundwire.config import Config
from groundwire.errors import StoreError
from groundwire.judge._protocol import Estimate
from groundwire.observe import Log
from groundwire.store import Database, Migration

KEPT_NAME = "judgements.sqlite"
_JUDGING = ("judge", "encoder", "text", "values", "model")
_ROW_BYTES = 200
"""About what a judgement takes on disk with its place in the index."""
_AT_ONCE = 500
_DAY_S = 86_400
_MIGRATIONS: tuple[Migration, ...] = (
    (
        """CREATE TABLE judgement (
            key BLOB PRIMARY KEY,
            estimate TEXT NOT NULL,
            kept_day INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID""",
        "CREATE INDEX judgement_age ON judgement(kept_day)",
    ),
)
journal = Log("judge")


def judge_identity(config: Config) -> str:
    """Of the judge that these settings make: its code and weights, its model, its settings."""
    root = Path(__file__).parents[1]
    files = sorted(one for folder in _JUDGING for one in (root / folder).rglob("*.*"))
    if config.judge.calibration_file is not None:
        files.append(config.judge.calibration_file)
    stats = [(one, one.stat()) for one in files if one.suffix != ".pyc"]
    code = [(str(one), stat.st_size, stat.st_mtime_ns) for one, stat in stats]
    settings = config.model_dump(
        mode="json",
        include={"hallucination": {"backend"}, "judge": True, "llm": True, "external": True},
        exclude={"llm": {"api_key", "keys", "spending", "prices"}, "external": {"api_key"}},
    )
    return sha256(repr((code, settings)).encode()).hexdigest()


class KeptJudgements:
    """A file of them, no larger than `max_mb`: the oldest go first.

    It is opened at first use. One that cannot be used costs time, not a verdict: it is reported
    to the log once and left alone.
    """

    def __init__(self, path: Path, identity: str, max_mb: int) -> None:
        self.path = path
        self._identity = identity.encode()
        self._max_rows = max_mb * 1_000_000 // _ROW_BYTES
        self._database: Database | None = None
        self._broken = False

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Estimate]:
        by_digest = {self._digest(key): key for key in keys}
        found: dict[bytes, Estimate] = {}
        try:
            database = self._opened()
            for some in _chunks(list(by_digest)) if database else ():
                rows = database.read(  # type: ignore[union-attr]
                    f"SELECT key, estimate FROM judgement WHERE key IN ({_marks(some)})",  # noqa: S608
                    some,
                )
                found |= {
                    by_digest[row["key"]]: Estimate.model_validate_json(row["estimate"])
                    for row in rows
                }
        except (StoreError, ValueError) as error:
            self._give_up(error)
        return found

    def put(self, estimates: Mapping[bytes, Estimate]) -> None:
        day = int(time() // _DAY_S)
        rows = [
            (self._digest(key), one.model_dump_json(exclude_defaults=True), day)
            for key, one in estimates.items()
        ]
        try:
            database = self._opened()
            if database is None or not rows:
                return
            with database.transaction() as connection:
                connection.executemany("INSERT OR REPLACE INTO judgement VALUES (?, ?, ?)", rows)
                (count,) = connection.execute("SELECT count(*) FROM judgement").fetchone()
                if count > self._max_rows:
                    # a tenth more than needed, so that it is not done at every call
                    surplus = count - self._max_rows + self._max_rows // 10
                    connection.execute(
                        "DELETE FROM judgement WHERE key IN"
                        " (SELECT key FROM judgement ORDER BY kept_day LIMIT ?)",
                        (surplus,),
                    )
        except StoreError as error:
            self._give_up(error)

    def count(self) -> int:
        database = self._opened()
        return int(database.read("SELECT count(*) AS n FROM judgement")[0]["n"]) if database else 0

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _digest(self, key: bytes) -> bytes:
        return sha256(self._identity + key).digest()

    def _opened(self) -> Database | None:
        if self._database is None and not self._broken:
            self._database = Database(self.path, _MIGRATIONS)
        return self._database

    def _give_up(self, error: Exception) -> None:
        self._broken = True
        self.close()
        journal.warn("judgements_not_kept", reason=str(error))


def _chunks(keys: list[bytes]) -> Iterable[list[bytes]]:
    return (keys[at : at + _AT_ONCE] for at in range(0, len(keys), _AT_ONCE))


def _marks(keys: list[bytes]) -> str:
    return ", ".join("?" * len(keys))
