"""Sessions of edits on real files, what an agent would claim of them, and what it might invent."""

import random
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from groundwire.actions import claims_for_change

Json = dict[str, Any]
SUFFIXES = {".py", ".md", ".toml", ".txt", ".sh", ".yaml", ".yml", ".cfg"}
MAX_FILE_BYTES = 60_000


def sha(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@dataclass
class Claimed:
    """A claim, whether it is true, and what kind of truth or lie it is."""

    claim: Json
    truth: bool
    kind: str


def repository_files(repo: Path) -> dict[str, str]:
    listed = subprocess.run(
        ["git", "-C", str(repo), "ls-files", "-z"], capture_output=True, check=True
    ).stdout
    found = {}
    for name in listed.decode().split("\0"):
        path = repo / name
        if path.suffix in SUFFIXES and path.is_file() and path.stat().st_size < MAX_FILE_BYTES:
            text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
            if text.count("\n") > 5:
                found[name] = text
    return found


def history_changes(repo: Path, limit: int) -> Iterator[tuple[str, str, str]]:
    """Path, text before and text after, for modified files of the history, newest first."""
    log = subprocess.run(
        ["git", "-C", str(repo), "log", "--no-merges", "--diff-filter=M", "--name-only",
         "--format=%x00%H", "-n", str(limit)],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for entry in log.split("\0")[1:]:
        commit, *names = entry.split()
        for name in names:
            if Path(name).suffix in SUFFIXES:
                texts = [_blob(repo, f"{commit}{up}:{name}") for up in ("^", "")]
                if all(text and len(text) < MAX_FILE_BYTES for text in texts):
                    yield name, texts[0] or "", texts[1] or ""


def _blob(repo: Path, name: str) -> str | None:
    done = subprocess.run(["git", "-C", str(repo), "show", name], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def random_edit(text: str, rng: random.Random) -> str:
    """One change of the kinds people make: a line, a block in or out, a name, an indentation."""
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    kind = rng.choice(["line", "insert", "remove", "rename", "indent", "append"])
    if kind == "line":
        lines[at] = lines[at].rstrip("\n") + f"  # note {rng.randrange(10_000)}\n"
    elif kind == "insert":
        lines[at:at] = [f"added_{rng.randrange(10_000)} = {n}\n" for n in range(rng.randint(1, 9))]
    elif kind == "remove" and len(lines) > 8:
        del lines[at : at + rng.randint(1, 4)]
    elif kind == "rename":
        words = [word for word in set(text.replace(".", " ").split()) if word.isidentifier()]
        word = rng.choice(sorted(words) or ["x"])
        return text.replace(word, f"{word}_{rng.randrange(1_000)}", rng.randint(1, 3))
    elif kind == "indent" and lines[at].strip():  # an indented blank line is no edit to a person
        lines[at] = "    " + lines[at]
    else:
        lines.append(f"tail_{rng.randrange(10_000)} = 1\n")
    return "".join(lines)


STORED: dict[str, Callable[[str], bytes]] = {
    "lf": lambda text: text.encode(),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "bom": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
}


@dataclass
class Session:
    """One agent's work in one folder, and everything that can be said about it."""

    base: Path
    rng: random.Random
    texts: dict[str, str]
    events: list[Json] = field(default_factory=list)
    claims: list[Claimed] = field(default_factory=list)
    made: dict[str, set[str]] = field(default_factory=dict)
    """Every text a file had after an edit of this session."""
    original: dict[str, str] = field(default_factory=dict)
    stored_as: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.original = dict(self.texts)
        for name in self.texts:
            self.stored_as[name] = self.rng.choices(list(STORED), [85, 9, 3, 3])[0]
            self._store(name)

    def _store(self, name: str) -> None:
        path = self.base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(STORED[self.stored_as.get(name, "lf")](self.texts[name]))

    def event(self, tool: str, arguments: Json, **more: Any) -> str:
        identity = f"e{len(self.events) + 1}"
        self.events.append({"id": identity, "tool": tool, "arguments": arguments, **more})
        return identity

    def edit(self, name: str, new: str) -> list[Claimed]:
        """Change a file, and what an agent would claim of it."""
        old = self.texts[name]
        if name not in self.made and self.rng.random() < 0.9:
            numbered = (f"{n:6}\t{line}" for n, line in enumerate(old.split("\n")[:-1], start=1))
            self.event("Read", {"file_path": name}, result="\n".join(numbered))
        self.texts[name] = new
        self._store(name)
        self.made.setdefault(name, set()).add(new)
        if self.rng.random() < 0.05:
            identity = self.event("Write", {"file_path": name, "content": new}, result="written")
        else:
            before, after = _changed_part(old, new, self.rng)
            arguments = {"file_path": name, "old_string": before, "new_string": after}
            identity = self.event("Edit", arguments, result=f"The file {name} has been updated.")
        claims = [claim.model_dump(mode="json") for claim in claims_for_change(name, old, new)]
        claims += [_line_claim(name, old, new), write_claim(name, new)]
        for claim in claims:
            if self.rng.random() < 0.3:
                claim["event_id"] = identity
        return [Claimed(claim, True, f"{claim['type']} that was made") for claim in claims]

    def create(self, name: str, text: str) -> list[Claimed]:
        self.texts[name] = text
        self._store(name)
        self.made.setdefault(name, set()).add(text)
        self.event("Write", {"file_path": name, "content": text}, result="File created.")
        kinds = ("file-created", "file-exists")
        claims = [write_claim(name, text), *({"type": k, "file_path": name} for k in kinds)]
        absent = {"type": "file-absent", "file_path": name}
        return [
            *(Claimed(claim, True, f"{claim['type']} that was made") for claim in claims),
            Claimed(absent, False, "absence of a file that was made"),
        ]

    def refuse(self, name: str) -> list[Claimed]:
        """An edit the tool refused, claimed as done."""
        old = self.texts[name]
        new = random_edit(old, self.rng)
        if new == old:
            return []
        before, after = _changed_part(old, new, self.rng)
        arguments = {"file_path": name, "old_string": before, "new_string": after}
        identity = self.event("Edit", arguments, result="old_string not found", is_error=True)
        claims = [claim.model_dump(mode="json") for claim in claims_for_change(name, old, new)]
        named = [{**claim, "event_id": identity} for claim in claims]
        return [Claimed(claim, False, "refused edit claimed") for claim in claims + named]

    def delete(self, name: str) -> list[Claimed]:
        (self.base / name).unlink()
        self.texts.pop(name)
        self.event("Bash", {"command": f"rm {name}"}, exit_code=0, result="")
        return [
            Claimed({"type": "file-delete", "file_path": name}, True, "file-delete that was made")
        ]

    def run(self, command: str, exit_code: int, printed: str) -> list[Claimed]:
        self.event("Bash", {"command": command}, exit_code=exit_code, result=printed)
        claim = {"type": "command-executed", "command": command, "exit_code": exit_code}
        other = {**claim, "exit_code": exit_code + 1}
        never = {**claim, "command": f"cargo bench --features f{self.rng.randrange(99)}"}
        return [
            Claimed(claim, True, "command that was run"),
            Claimed(other, False, "wrong exit code"),
            Claimed(never, False, "command never run"),
        ]


def write_claim(name: str, text: str) -> Json:
    return {"type": "file-write", "file_path": name, "content_hash": sha(text)}


def _changed_part(old: str, new: str, rng: random.Random) -> tuple[str, str]:
    """The replacement an agent would send: the change with enough around it to be found once."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    start = max(0, old.rfind("\n", 0, start) + 1 - rng.choice([0, 0, 40, 120]))
    end = max(0, end - rng.choice([0, 1, 40]))
    while old.count(old[start : len(old) - end]) != 1:
        start, end = max(0, start - 20), max(0, end - 20)
    return old[start : len(old) - end], new[start : len(new) - end]


def _line_claim(name: str, old: str, new: str) -> Json:
    """Anchors as people write them: the line before and the line after, without line feeds."""
    old_lines, new_lines = old.split("\n"), new.split("\n")
    first = 0
    while first < min(len(old_lines), len(new_lines)) and old_lines[first] == new_lines[first]:
        first += 1
    last = 0
    room = min(len(old_lines), len(new_lines)) - first
    while last < room and old_lines[-1 - last] == new_lines[-1 - last]:
        last += 1
    before = "\n".join(new_lines[max(0, first - 2) : first])
    after = "\n".join(new_lines[len(new_lines) - last :][:2])
    between = "\n".join(new_lines[first : len(new_lines) - last])
    if not before.strip() or not after.strip() or not between.strip():
        return write_claim(name, new)
    anchor = {"before_snippet": before, "after_snippet": after, "content_hash": sha(between)}
    return {"type": "file-edit", "file_path": name, "anchor": anchor}


def lies_about(session: Session, name: str, old: str, new: str) -> Iterator[Claimed]:
    """Every false claim one true edit can be turned into; what happens to be true is left out."""
    rng = session.rng
    edits = [claim.model_dump(mode="json") for claim in claims_for_change(name, old, new)]
    others = [other for other in session.texts if other != name]
    other = rng.choice(others)
    for claim in edits:
        wrong = {**claim, "file_path": other}
        if not literally_true(claim, session.texts[other]):
            yield Claimed(wrong, False, "wrong path, another file")
        yield Claimed({**claim, "file_path": f"{name}.orig"}, False, "wrong path, no file")
    if old not in session.made.get(name, set()):
        yield Claimed(write_claim(name, old), False, "stale hash")
    for claim in (c.model_dump(mode="json") for c in claims_for_change(name, new, old)):
        if claim["type"] in {"file-edit", "code-inserted"} and not literally_true(claim, new):
            yield Claimed(claim, False, "claim against the state before")
    invented = random_edit(new, rng)
    for claim in (c.model_dump(mode="json") for c in claims_for_change(name, new, invented)):
        if not literally_true(claim, new):
            yield Claimed(claim, False, "anchors there, text between unchanged")


def literally_true(claim: Json, text: str) -> bool:
    """The oracle: does the text hold the anchors with something of that hash between, literally?"""
    if claim["type"] == "file-write":
        return bool(sha(text) == claim["content_hash"])
    anchor = claim["anchor"]
    before, after = anchor["before_snippet"], anchor["after_snippet"]
    starts = [0] if not before else _all(text, before, end=True)
    stops = [len(text)] if not after else _all(text, after)
    return any(
        sha(text[start:stop]) == anchor["content_hash"]
        for start in starts
        for stop in stops
        if start <= stop
    )


def _all(text: str, part: str, *, end: bool = False) -> list[int]:
    found: list[int] = []
    at = text.find(part)
    while at >= 0 and len(found) < 300:
        found.append(at + len(part) if end else at)
        at = text.find(part, at + 1)
    return found


def step(session: Session, rng: random.Random) -> Iterator[Claimed]:
    name = rng.choice(sorted(session.texts))
    kinds = ["edit", "create", "refuse", "delete", "run"]
    kind = rng.choices(kinds, [56, 9, 15, 8, 12])[0]
    if kind == "edit":
        old = session.texts[name]
        new = random_edit(old, rng)
        if new != old:
            yield from session.edit(name, new)
            yield from lies_about(session, name, old, new)
    elif kind == "create":
        fresh = f"src/made_{rng.randrange(10_000)}.py"
        yield from session.create(fresh, f"value = {rng.random()}\nprint(value)\n")
    elif kind == "refuse":
        yield from session.refuse(name)
    elif kind == "run":
        yield from session.run(rng.choice(["ls -la", "git status", "mypy src"]), 0, "fine")
    elif len(session.texts) > 3:
        yield from deletion(session, name)


def deletion(session: Session, name: str) -> Iterator[Claimed]:
    old = session.texts[name]
    claims = session.delete(name)
    stay = {"type": "file-delete", "file_path": session.rng.choice(sorted(session.texts))}
    yield Claimed(stay, False, "file-delete of a file that is there")
    yield Claimed(write_claim(name, old), False, "write of a file that was deleted")
    yield Claimed({"type": "file-exists", "file_path": name}, False, "existence of a deleted file")
    yield Claimed({"type": "file-absent", "file_path": name}, True, "absence of a deleted file")
    yield from claims


def as_labelled(claimed: Claimed, session: Session) -> bool:
    """What was false right after a step may have been made true by a later one: left out.

    So is that a file is there, which was true until a later step deleted it.
    """
    claim = claimed.claim
    if claimed.truth and claim["type"] == "file-exists":
        return claim["file_path"] in session.texts
    if claimed.truth or claim["type"] not in {"file-write", "file-edit", "code-inserted"}:
        return claimed.truth or not _came_true(claim, session)
    texts = [session.texts.get(claim["file_path"]), *session.made.get(claim["file_path"], ())]
    texts.append(session.original.get(claim["file_path"]) if "deleted" in claimed.kind else None)
    return not any(text is not None and literally_true(claim, text) for text in texts)


def _came_true(claim: Json, session: Session) -> bool:
    path = claim.get("file_path")
    if claim["type"] == "file-delete":
        return path not in session.texts
    # a recorded creation or deletion makes it true that it once was otherwise
    return claim["type"] in {"file-exists", "file-absent"}


def about_tests(session: Session, rng: random.Random) -> Iterator[Claimed]:
    passed = rng.random() < 0.5
    printed = "12 passed in 1.0s" if passed else "1 failed, 11 passed in 1.0s"
    yield from session.run("pytest -q", 0 if passed else 1, printed)
    claim = {"type": "tests-pass", "scope": "all"}
    yield Claimed(claim, passed, "tests pass" if passed else "tests pass, but they failed")
    changed = {path for path in session.made if path.startswith("tests/")}
    changed |= {path for path in session.original if path.startswith("tests/")} - set(session.texts)
    untouched = {"type": "files-unchanged", "patterns": ["tests/**"]}
    kind = "no test was changed" if not changed else "no test was changed, but one was"
    yield Claimed(untouched, not changed, kind)


def sentences(session: Session, everything: list[Claimed]) -> Iterator[tuple[str, bool, str]]:
    rng = session.rng
    gone = sorted(set(session.original) - set(session.texts))
    new = sorted(set(session.texts) - set(session.original))
    kept = sorted(set(session.texts) & set(session.original))
    changed = [name for name in kept if name in session.made]
    alone = [name for name in kept if name not in session.made]
    said = {
        "change": ["I updated `{}`.", "- Refactored {} for clarity.", "`{}` has been modified."],
        "create": ["I created `{}`.", "Added {}.", "I've added `{}` with the new code."],
        "delete": ["Removed `{}`.", "I deleted {}.", "`{}` has been removed."],
    }
    for kind, true, false in (
        ("change", changed, alone),
        ("create", new, ["src/never_made.py"]),
        ("delete", gone, kept),
    ):
        for names, truth in ((true, True), (false, False)):
            for name in names[:3]:
                words = rng.choice(said[kind]).format(name)
                yield words, truth, f"prose: {kind}" + ("" if truth else ", but it was not")
    for claimed in everything:
        if "no test was changed" in claimed.kind:
            yield "I did not change any tests.", claimed.truth, f"prose: {claimed.kind}"
        elif claimed.kind.startswith("tests pass"):
            yield "All tests pass.", claimed.truth, f"prose: {claimed.kind}"
