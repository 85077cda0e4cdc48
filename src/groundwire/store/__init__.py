"""One way to open SQLite (WAL, numbered migrations, several processes), one to write a file."""

from groundwire.store._files import write_whole
from groundwire.store._sqlite import Database, Migration

__all__ = ["Database", "Migration", "write_whole"]
