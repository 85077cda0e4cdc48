"""From settings to vocabularies; the files kept in the home directory."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from groundwire.config import Config
from groundwire.errors import ConfigError, InputError, StoreError
from groundwire.model import Model
from groundwire.store import write_whole
from groundwire.terms._index import check_vocabulary
from groundwire.terms._local import LayeredVocabulary, LocalVocabulary
from groundwire.terms._protocol import Vocabulary
from groundwire.terms._rdf import RDF_SUFFIXES
from groundwire.terms._skosmos import SKOSMOSClient
from groundwire.terms._terminology import Terminology

Progress = Callable[[str], None] | None
"""Told in a few words what takes long."""


def own_vocabularies(config: Config) -> Path:
    """The folder in the home directory whose files are used besides those the settings name."""
    return config.home.expanduser() / "vocabulary"


def has_vocabulary(config: Config) -> bool:
    """Whether there is anything to look terms up in."""
    files = config.terms.vocabulary or _own_files(config)
    return bool(files) or config.terms.skosmos.base_url is not None


def open_terminology(config: Config, *, progress: Progress = None) -> Terminology:
    """The vocabularies the settings name, in the order they name them."""
    made = {"local": _local(config, progress), "skosmos": _skosmos(config)}
    layers = [layer for name in config.terms.sources if (layer := made[name]) is not None]
    if not layers:
        raise ConfigError(
            "There is no vocabulary to look terms up in.",
            hint="Add one with `gw vocabulary add FILE`, or set terms.vocabulary"
            " or terms.skosmos.base_url.",
        )
    layered = LayeredVocabulary(layers, test_triggers=config.terms.test_triggers)
    return Terminology(layered, suggestions=config.terms.suggestions)


def open_local(config: Config, *, progress: Progress = None) -> LocalVocabulary:
    return LocalVocabulary(
        [*config.terms.vocabulary, *_own_files(config)],
        config.home.expanduser() / "vocabulary.sqlite",
        languages=config.terms.languages,
        max_file_mb=config.limits.max_file_mb,
        progress=progress,
    )


def _local(config: Config, progress: Progress) -> Vocabulary | None:
    if not config.terms.vocabulary and not _own_files(config):
        return None
    return open_local(config, progress=progress)


def _skosmos(config: Config) -> Vocabulary | None:
    server = config.terms.skosmos
    if server.base_url is None:
        return None
    return SKOSMOSClient(
        server.base_url,
        timeout_ms=round(server.timeout.total_seconds() * 1000),
        cache_ttl_seconds=server.cache_ttl.total_seconds(),
        cache_max_size=server.cache_max_size,
        vocabulary=server.vocabulary,
        language=server.language,
        languages=config.terms.languages,
        test_triggers=config.terms.test_triggers,
    )


def _own_files(config: Config) -> list[Path]:
    folder = own_vocabularies(config)
    files = sorted(folder.iterdir()) if config.terms.added and folder.is_dir() else []
    return [file for file in files if file.suffix.lower() in RDF_SUFFIXES]


class VocabularyFile(Model):
    file: str
    concepts: int
    definitions: int


class VocabularyReport(Model):
    """The vocabulary files in use, and what is wrong with those that are not."""

    files: tuple[VocabularyFile, ...]
    problems: tuple[str, ...]


def list_vocabularies(config: Config, *, progress: Progress = None) -> VocabularyReport:
    with closing(open_local(config, progress=progress)) as vocabulary:
        files = tuple(
            VocabularyFile(file=str(one.path), concepts=one.concepts, definitions=one.definitions)
            for one in vocabulary.files()
        )
        return VocabularyReport(files=files, problems=tuple(vocabulary.problems()))


def add_vocabularies(config: Config, files: Sequence[Path]) -> None:
    """Keep copies in the home directory. All of them are read before any is kept."""
    for file in files:
        check_vocabulary(file, max_file_bytes=int(config.limits.max_file_mb * 1_000_000))
    folder = own_vocabularies(config)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(f"{folder} cannot be created: {error.strerror}.") from error
    for file in files:
        write_whole(folder / _kept_name(file), [file.read_bytes()])


def remove_vocabulary(config: Config, name: str) -> None:
    """Delete the copy of a file, and what was read from it."""
    path = own_vocabularies(config) / Path(name).name
    if not path.is_file():
        raise InputError(f"No vocabulary {name!r} was added.", hint="See `gw vocabulary list`.")
    path.unlink()
    with closing(open_local(config)) as vocabulary:
        vocabulary.forget(path)


def _kept_name(file: Path) -> str:
    """The file's own name; without a suffix of its format it would not be found again."""
    return file.name if file.suffix.lower() in RDF_SUFFIXES else f"{file.name}.ttl"
