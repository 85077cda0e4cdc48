"""One way to open SQLite and one way to write a file, safe for several processes and threads."""

from groundwire.store._sqlite import Database, Migration
from groundwire.store._whole import write_whole

__all__ = ["Database", "Migration", "write_whole"]
