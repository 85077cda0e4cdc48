"""Writes the files that a user of one version has, small and as text, from the examples.

PYTHONPATH=CHECKOUT/src python tests/compatibility/make.py tests/compatibility/v0_1

CHECKOUT is the version that is to write them. SQLite files become dumps, which a reviewer can read
and git can compare; `tests/compatibility/test_files_survive.py` turns them back into databases.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from groundwire.testing import Fault, OpenAIServer

EXAMPLES = Path(__file__).parents[2] / "examples"
PLACE = Path("/tmp/groundwire-compatibility")  # noqa: S108 - paths that stand in what is written
HOME = PLACE / "home"
DATABASES = ("index", "audit", "queue", "metrics")
_REBUILD = "INSERT INTO {0}({0}) VALUES ('rebuild');"


def main(out: Path) -> None:
    shutil.rmtree(PLACE, ignore_errors=True)
    documents, incidents = PLACE / "documents", PLACE / "incidents"
    _copy("documents/adr/0030*", documents / "adr")
    _copy("documents/registry.md", documents)
    _copy("incidents/029*", incidents)
    shutil.copytree(EXAMPLES / "agent-run" / "project", PLACE / "project")
    _gw("index", str(documents))
    _gw("ground", str(incidents), "--out", str(out / "graph.json"))
    _gw("snapshot", str(PLACE / "project"), "--out", str(out / "snapshot.json"))
    answer, evidence = PLACE / "answer.txt", PLACE / "evidence.txt"
    answer.write_text("The mast is painted red.")
    evidence.write_text("The mast is painted red. It stands in Vik.")
    _gw("check", str(answer), "--against", str(evidence))
    with OpenAIServer(Fault("rate_limited")) as server:
        _gw(
            *("--set", "verification.max_retries=0", "--set", "llm.canaries=false"),
            *("check", str(answer), "--against", str(evidence), "--backend", "self"),
            *("--provider", "openai", "--base-url", server.base_url, "--model", "some-model"),
        )
    for name in DATABASES:
        (out / f"{name}.sql").write_text(_dump(HOME / f"{name}.sqlite"), encoding="utf-8")
    shutil.rmtree(PLACE)


def _copy(pattern: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in EXAMPLES.glob(pattern):
        shutil.copy(path, folder)


def _gw(*arguments: str) -> None:
    environ = os.environ | {"GROUNDWIRE_HOME": str(HOME)}
    subprocess.run([sys.executable, "-m", "groundwire", *arguments], env=environ, check=False)


def _dump(path: Path) -> str:
    """All tables with their rows; what indexes words is made again from them when it is loaded."""
    with closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        made = connection.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        ).fetchall()
        virtual = [(name, sql) for _, name, sql in made if sql.startswith("CREATE VIRTUAL")]
        lines = [f"PRAGMA user_version = {version};", "BEGIN;"]
        for kind, name, sql in made:
            if kind != "table" or any(name.startswith(one) for one, _ in virtual):
                continue
            if name.startswith("sqlite_"):
                continue
            lines += [f"{sql};", *_rows(connection, name)]
        for name, sql in virtual:
            rebuilt = "fts5(" in sql
            lines += [f"{sql};"] + [_REBUILD.format(name)] * rebuilt
        lines += [f"{sql};" for kind, _, sql in made if kind in {"index", "trigger"}]
    return "\n".join([*lines, "COMMIT;", ""])


def _rows(connection: sqlite3.Connection, table: str) -> Iterator[str]:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    values = " || ', ' || ".join(f"quote({column})" for column in columns)
    for (row,) in connection.execute(f"SELECT {values} FROM {table}"):  # noqa: S608 - our tables
        yield f"INSERT INTO {table} VALUES ({row});"  # noqa: S608


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
