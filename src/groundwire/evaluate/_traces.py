"""How much of each transcript was read: the account of every file, those in archives included."""

import os
import tarfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory

from groundwire.config import ActionsSection
from groundwire.errors import GroundwireError, UnreadableSource
from groundwire.model import Model
from groundwire.traces import TraceAccount, open_trace, printable

_ARCHIVES = (".tar", ".tar.xz", ".tar.gz", ".tgz", ".tar.bz2")
_BYTES_PER_MB = 1_000_000
_NOT_PLAIN = "It is not a plain file."


class TraceFile(Model):
    """One file. `reason` says why it was refused, or why it is not complete."""

    path: str
    format: str | None = None
    is_read: bool = True
    calls: int = 0
    paired: int = 0
    unread: int = 0
    complete: bool = False
    reason: str = ""
    account: TraceAccount | None = None


class TraceCounts(Model):
    """`paired_share` is of the calls whose result is in the file."""

    files: int
    read: int
    complete: int
    calls: int
    paired: int
    paired_share: float | None
    calls_without_result: int
    results_without_call: int
    unread: int
    exit_codes: int
    refused_by_tool: int
    refused_by_user: int


class TracesReport(Model):
    summary: TraceCounts
    formats: Mapping[str, TraceCounts]
    files: tuple[TraceFile, ...]


def benchmark_traces(folder: Path, settings: ActionsSection) -> TracesReport:
    """Read every file of a folder, and every file of the archives in it."""
    if not folder.exists():
        raise UnreadableSource(f"{folder} does not exist.", hint="Name a folder of transcripts.")
    if not folder.is_file() and not folder.is_dir():
        raise UnreadableSource(f"{folder} is no folder.", hint="Name a folder of transcripts.")
    paths = [folder] if folder.is_file() else sorted(_below(folder))
    found = [one for path in paths for one in _read_path(path, folder, settings)]
    by_format: dict[str, list[TraceFile]] = defaultdict(list)
    for one in found:
        by_format[one.format or "refused"].append(one)
    formats = {name: _counted(by_format[name]) for name in sorted(by_format)}
    return TracesReport(summary=_counted(found), formats=formats, files=tuple(found))


def _below(folder: Path) -> Iterator[Path]:
    """Every entry but the folders that can be looked into; links are not followed."""
    closed: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=lambda e: closed.append(Path(e.filename))):
        yield from (Path(place, name) for name in names)
        yield from (Path(place, name) for name in folders if Path(place, name).is_symlink())
    yield from closed


def _refusal(path: Path) -> str | None:
    """Why an entry of the folder is not opened: a pipe could keep us waiting for ever."""
    if path.is_symlink():
        return "It is a link."
    if path.is_dir():
        return "The folder cannot be looked into."
    return None if path.is_file() else _NOT_PLAIN


def _read_path(path: Path, folder: Path, settings: ActionsSection) -> list[TraceFile]:
    name = printable(path.name if path == folder else str(path.relative_to(folder)))
    refusal = None if path == folder and path.is_file() else _refusal(path)
    if refusal is not None:
        return [TraceFile(path=name, is_read=False, reason=refusal)]
    if not path.name.endswith(_ARCHIVES):
        return [_read(path, name, settings)]
    try:
        with tarfile.open(path) as archive:
            return list(_members(archive, name, settings))
    except (tarfile.TarError, OSError, EOFError) as error:
        return [TraceFile(path=name, is_read=False, reason=f"The archive cannot be read: {error}")]


def _members(archive: tarfile.TarFile, name: str, settings: ActionsSection) -> Iterator[TraceFile]:
    """Nothing is unpacked where the archive says: each member is read from a file of our own."""
    for member in archive:
        if member.isdir():
            continue
        label = f"{name}/{printable(member.name)}"
        if not member.isfile():
            reason = "It is a link." if member.issym() or member.islnk() else _NOT_PLAIN
            yield TraceFile(path=label, is_read=False, reason=reason)
            continue
        if member.size > settings.max_trace_mb * _BYTES_PER_MB:
            reason = f"It has more than {settings.max_trace_mb:g} MB."
            yield TraceFile(path=label, is_read=False, reason=reason)
            continue
        with _unpacked(archive, member) as path:
            yield _read(path, label, settings)


@contextmanager
def _unpacked(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "member"
        source = archive.extractfile(member)
        with path.open("wb") as file:
            if source is not None:
                copyfileobj(source, file)
        yield path


def _read(path: Path, name: str, settings: ActionsSection) -> TraceFile:
    try:
        account = open_trace(path, settings=settings, shown_as=name).account
    except GroundwireError as error:
        return TraceFile(path=name, is_read=False, reason=printable(error.message))
    return TraceFile(
        path=name,
        format=account.format,
        calls=account.calls,
        paired=account.paired,
        unread=account.unread,
        complete=account.complete,
        reason="; ".join(account.reasons),
        account=account,
    )


def _counted(files: Sequence[TraceFile]) -> TraceCounts:
    accounts = [one.account for one in files if one.account is not None]
    paired = sum(one.paired for one in accounts)
    orphans = sum(one.results_without_call for one in accounts)
    return TraceCounts(
        files=len(files),
        read=sum(one.is_read for one in files),
        complete=sum(one.complete for one in files),
        calls=sum(one.calls for one in accounts),
        paired=paired,
        paired_share=paired / (paired + orphans) if paired + orphans else None,
        calls_without_result=sum(one.calls_without_result for one in accounts),
        results_without_call=orphans,
        unread=sum(one.unread for one in accounts),
        exit_codes=sum(one.exit_codes for one in accounts),
        refused_by_tool=sum(one.refused_by_tool for one in accounts),
        refused_by_user=sum(one.refused_by_user for one in accounts),
    )
