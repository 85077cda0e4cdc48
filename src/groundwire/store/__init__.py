"""One way to open SQLite (WAL, numbered migrations, several processes), one to write a file."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.store._files import write_whole
    from groundwire.store._sqlite import Database, Migration

__all__ = [
    "Database",
    "Migration",
    "write_whole",
]

__getattr__ = door(
    __name__,
    {
        "_files": "write_whole",
        "_sqlite": "Database Migration",
    },
)
