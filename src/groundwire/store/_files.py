import os
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_whole(path: Path, chunks: Iterable[bytes]) -> None:
    """The file is there whole or not at all, whoever else writes it and whenever we are stopped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
        partial = Path(file.name)
        try:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
