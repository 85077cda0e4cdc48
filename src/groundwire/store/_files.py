import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from groundwire.errors import UnreadableSource


def write_whole(path: Path, content: str | Iterable[bytes]) -> None:
    """All of it or nothing, whoever else writes it and whenever we are stopped.

    `content` is a text, or bytes as they come. The file is as private as any other that the user
    makes: what is written here is meant to be shown around.
    """
    chunks = [content.encode()] if isinstance(content, str) else content
    partial = path.with_name(f".{path.name}-{token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _fill(partial, chunks)
        partial.replace(path)
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _fill(partial: Path, chunks: Iterable[bytes]) -> None:
    with partial.open("xb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
