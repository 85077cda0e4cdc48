import os
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile

from groundwire.errors import UnreadableSource


def write_whole(path: Path, content: str | Iterable[bytes]) -> None:
    """All of it or nothing, whoever else writes it and whenever we are stopped.

    `content` is a text, or bytes as they come.
    """
    chunks = [content.encode()] if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
            _fill(file.name, path, chunks)
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be written: {error.strerror}.") from error


def _fill(name: str, path: Path, chunks: Iterable[bytes]) -> None:
    partial = Path(name)
    try:
        with partial.open("wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
