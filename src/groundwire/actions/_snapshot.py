"""The state of a folder's files, recorded and compared."""

import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from groundwire.actions._content import file_name, printable
from groundwire.actions._directory import MEGABYTE, Directory
from groundwire.actions._git import git_head, git_paths
from groundwire.actions._history import History
from groundwire.actions._scan import state_hash
from groundwire.errors import InputError, UnreadableSource
from groundwire.model import Model
from groundwire.store import write_whole

VERSION = 1
MAX_AUTHORS = 20


class Snapshot(Model):
    """`files` maps a path to the SHA-256 of its bytes; `links` to where a link points."""

    groundwire_snapshot: Literal[1] = 1
    taken_at: str
    base_path: str
    git_head: str | None = None
    ignore_rules: bool = Field(description="Whether files that git ignores were left out.")
    unwatched: tuple[str, ...] = Field(
        default=(".git", ".hg", ".svn"), description="Folders of these names were not looked into."
    )
    files: dict[str, str]
    links: dict[str, str] = Field(default_factory=dict)
    skipped: dict[str, str] = Field(
        default_factory=dict, description="What was not recorded, and why."
    )
    state_hash: str
    signature: str | None = Field(default=None, description="HMAC-SHA256 of all the rest.")

    def to_sign(self) -> bytes:
        rest = self.model_dump(mode="json", exclude={"signature"})
        return json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()

    def had(self, path: str) -> bool | None:
        """Whether the file was there; None if it may have been, unrecorded."""
        if path in self.files or path in self.links or path in self.skipped:
            return True
        if not set(self.unwatched).isdisjoint(path.split("/")[:-1]):
            return None
        return None if self.ignore_rules else False


class FileChange(Model):
    """What became of one file between two snapshots.

    `made_by` are the events of a trace that changed it, `possibly_by` those that may have.
    """

    path: str
    change: Literal["added", "modified", "deleted"]
    made_by: tuple[str, ...] = ()
    possibly_by: tuple[str, ...] = ()


def take_snapshot(
    path: Path,
    *,
    use_git: bool = True,
    max_files: int = 500_000,
    max_hash_mb: float = 2_000,
    now: datetime | None = None,
) -> Snapshot:
    files: dict[str, str] = {}
    links: dict[str, str] = {}
    skipped: dict[str, str] = {}
    # no text is wanted, so every file is hashed as a stream
    with Directory(path, max_text_mb=0, max_hash_mb=max_hash_mb) as tree:
        named = git_paths(tree.path) if use_git else None
        for number, name in enumerate(tree.paths() if named is None else map(printable, named)):
            if number >= max_files:
                raise InputError(
                    f"{path} holds more than {max_files} files.",
                    hint="Raise actions.max_snapshot_files, or record a smaller folder.",
                )
            found = tree.recorded(name)
            if found is not None:
                (links if found[0] == "link" else files)[name] = found[1]
            elif (look := tree.look(name)).kind not in {"missing", "directory"}:
                skipped[name] = look.detail
    return Snapshot(
        taken_at=(now or datetime.now(UTC)).isoformat(timespec="milliseconds"),
        base_path=printable(str(path.absolute())),
        git_head=git_head(path) if named is not None else None,
        ignore_rules=named is not None,
        files=files,
        links=links,
        skipped=skipped,
        state_hash=state_hash(files.items(), links.items()),
    )


def hold_to(snapshot: Snapshot, folder: Path) -> None:
    """A snapshot says nothing about another folder than its own."""
    wanted = printable(str(folder.resolve()))
    if printable(str(Path(file_name(snapshot.base_path)).resolve())) != wanted:
        raise InputError(
            f"The snapshot was taken of {snapshot.base_path}, not of {wanted}.",
            hint="Give the snapshot of this folder, or the folder it was taken of.",
        )


def compare(
    before: Snapshot, after: Snapshot, history: History | None = None
) -> tuple[FileChange, ...]:
    """Every file that differs; with a trace, who changed it."""
    old = before.files | before.links
    new = after.files | after.links
    changes = []
    for path in sorted(old.keys() | new.keys()):
        if old.get(path) == new.get(path):
            continue
        kind: Literal["added", "modified", "deleted"] = "modified"
        if path not in old:
            kind = "added"
        elif path not in new:
            kind = "deleted"
        made_by, possibly_by = _authors(path, history)
        changes.append(FileChange(path=path, change=kind, made_by=made_by, possibly_by=possibly_by))
    return tuple(changes)


def _authors(path: str, history: History | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if history is None:
        return (), ()
    versions = history.versions(path)
    sure = tuple(dict.fromkeys(version.event_id for version in versions if version.sure))
    possible = [version.event_id for version in versions if not version.sure]
    possible += [event.event_id for event in history.unclear_for(path)]
    return sure, tuple(dict.fromkeys(possible))[:MAX_AUTHORS]


def snapshot_path(home: Path, snapshot: Snapshot) -> Path:
    """Where a snapshot is kept when nobody names a file: by folder and moment."""
    place = sha256(snapshot.base_path.encode(errors="surrogateescape")).hexdigest()[:8]
    moment = snapshot.taken_at.replace(":", "").replace("+0000", "Z")
    return home / "snapshots" / f"{Path(snapshot.base_path).name}-{place}-{moment}.json"


def write_snapshot(snapshot: Snapshot, path: Path) -> None:
    """All of it or nothing: a crash never leaves half a file under the name."""
    write_whole(path, snapshot.model_dump_json(indent=1) + "\n")


def read_snapshot(path: Path, *, max_mb: float = 500) -> Snapshot:
    try:
        if path.stat().st_size > max_mb * MEGABYTE:
            raise UnreadableSource(f"{path} is larger than {max_mb:g} MB: not a snapshot.")
        snapshot = Snapshot.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        raise _not_a_snapshot(path, error) from error
    if state_hash(snapshot.files.items(), snapshot.links.items()) != snapshot.state_hash:
        raise InputError(
            f"{path} was changed after it was written: its files do not have its state hash.",
            hint="Take a new snapshot.",
        )
    return snapshot


def _not_a_snapshot(path: Path, error: ValidationError) -> InputError:
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    if field == "groundwire_snapshot":
        return InputError(
            f"{path} is a snapshot of version {first['input']!r}; this Groundwire reads {VERSION}.",
            hint="Upgrade Groundwire, or take a new snapshot.",
        )
    where = f"field {field}: " if field else ""
    return InputError(f"{path} is not a snapshot: {where}{first['msg']}.")
