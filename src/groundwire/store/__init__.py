"""One way to open SQLite: WAL, numbered migrations, safe for several processes and threads."""

from groundwire.store._sqlite import Database, Migration

__all__ = ["Database", "Migration"]
