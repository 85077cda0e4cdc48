"""One way to open SQLite (WAL, numbered migrations, several processes), one to write a file."""

from groundwire._door import door

__getattr__ = door(__name__)
