import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from groundwire.errors import UnreadableSource


def write_whole(path: Path, text: str) -> None:
    """All of it or nothing: a crash never leaves half a file under the name."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be written: {error.strerror}.") from error
