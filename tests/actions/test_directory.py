import os
import socket
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from groundwire.actions import Directory, TaskVerifier
from groundwire.errors import UnreadableSource
from tests.actions.helpers import one, output, sha, verify, write

SECRET = "the secret outside"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A base with something worth stealing beside it."""
    base = tmp_path / "base"
    (base / "sub").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text(SECRET)
    (base / "a.txt").write_text("inside\n")
    (base / "sub" / "b.txt").write_text("deeper\n")
    return base


LEAVING = [
    "../secret.txt",
    "sub/../../secret.txt",
    "/etc/passwd",
    "link-out",
    "dir-out/secret.txt",
    "sub/link-out-too",
    "absolute-link",
    "circle",
    "C:\\Windows\\win.ini",
    "a\0b",
]


def plant_links(base: Path) -> None:
    (base / "link-out").symlink_to("../secret.txt")
    (base / "dir-out").symlink_to("..")
    (base / "sub" / "link-out-too").symlink_to("../../secret.txt")
    (base / "absolute-link").symlink_to(base.parent / "secret.txt")
    (base / "circle").symlink_to("circle")


@pytest.mark.parametrize("path", LEAVING)
def test_a_path_that_leaves_fails_unread(world: Path, path: str) -> None:
    """[RULINGS S2] `..`, absolute, symlink: `filesystem_mismatch`, even with the right hash."""
    plant_links(world)
    assert one(world, write(path, SECRET)) == ("failed", "filesystem_mismatch")


def test_nothing_outside_is_opened(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_links(world)
    opened: list[str] = []
    real = os.open

    def recording(path: str | Path, flags: int, *rest: int, dir_fd: int | None = None) -> int:
        descriptor = real(path, flags, *rest, dir_fd=dir_fd)
        opened.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        return descriptor

    monkeypatch.setattr(os, "open", recording)
    with Directory(world) as tree:
        for path in LEAVING:
            assert tree.look(path).content is None
    assert opened
    assert all(Path(name) == world or world in Path(name).parents for name in opened)


@pytest.mark.parametrize(
    "path",
    ["a.txt", "./a.txt", "sub/../a.txt", "sub//../a.txt", "link-in", "sub-link/../a.txt", "abs-in"],
)
def test_a_path_that_stays_inside_is_read(world: Path, path: str) -> None:
    (world / "link-in").symlink_to("a.txt")
    (world / "sub-link").symlink_to("sub")
    (world / "abs-in").symlink_to(world / "a.txt")
    assert one(world, write(path, "inside\n")) == ("verified", None)


def test_an_absolute_path_inside_the_base_is_that_file(world: Path) -> None:
    assert one(world, write(str(world / "sub" / "b.txt"), "deeper\n")) == ("verified", None)


def test_the_other_slashes_are_understood(world: Path) -> None:
    assert one(world, write("sub\\b.txt", "deeper\n")) == ("verified", None)


def test_names_are_found_however_their_letters_are_composed(world: Path) -> None:
    (world / "u\u0308ber.txt").write_text("x")
    assert one(world, write("\u00fcber.txt", "x")) == ("verified", None)


def test_pipes_devices_and_sockets_are_not_opened(world: Path) -> None:
    """A pipe without a writer would block forever."""
    os.mkfifo(world / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        os.chdir(world)
        listener.bind("socket")
        for name in ("pipe", "socket"):
            assert one(world, write(name, "")) == ("unverified", "filesystem_mismatch")


def test_a_device_is_not_opened(tmp_path: Path) -> None:
    with Directory("/dev") as tree:
        assert tree.look("zero").kind == "special"


def test_a_folder_is_not_a_file(world: Path) -> None:
    assert one(world, write("sub", "")) == ("failed", "filesystem_mismatch")


def test_a_huge_file_is_not_hashed(world: Path) -> None:
    with (world / "huge").open("wb") as file:
        file.truncate(3_000_000_000)
    verdict = verify(world, write("huge", "")).claims[0]
    assert (verdict.status, verdict.category) == ("unverified", "filesystem_mismatch")
    assert "too many to hash" in verdict.detail


def test_a_large_file_is_hashed_as_a_stream_with_either_line_ending(world: Path) -> None:
    lines = b"0123456789\r\n" * 200_000
    (world / "large").write_bytes(lines)
    unix = lines.replace(b"\r\n", b"\n")
    with Directory(world, max_text_mb=1) as tree:
        content = tree.look("large").content
    assert content is not None
    assert content.texts == ()
    assert content.has_hash(sha(lines))
    assert content.has_hash(sha(unix))
    assert not content.has_hash(sha(unix + b"x"))


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
def test_a_line_ending_across_two_chunks_is_one_ending(world: Path, cut: int) -> None:
    data = b"x" * ((1 << 20) - cut) + b"\r\n" * 3 + b"\r"
    (world / "large").write_bytes(data)
    with Directory(world, max_text_mb=0.001) as tree:
        content = tree.look("large").content
    assert content is not None
    assert content.has_hash(sha(data.replace(b"\r\n", b"\n")))


def test_a_binary_file_is_compared_by_its_hash_only(world: Path) -> None:
    data = bytes(range(256)) * 4
    (world / "image").write_bytes(data)
    assert one(world, write("image", data)) == ("verified", None)
    claim = {
        "type": "file-edit",
        "file_path": "image",
        "anchor": {"before_snippet": "a", "after_snippet": "b", "content_hash": sha("c")},
    }
    assert one(world, claim) == ("unverified", "filesystem_mismatch")


def test_an_unreadable_file_is_named_and_nobody_is_accused(world: Path) -> None:
    (world / "a.txt").chmod(0)
    world.chmod(0o755)
    with Directory(world) as tree:
        was_root = os.geteuid() == 0
        if was_root:
            os.seteuid(65534)
        try:
            result = TaskVerifier().verify_sync(output(write("a.txt", "other\n")), None, tree)
        finally:
            if was_root:
                os.seteuid(0)
    [verdict] = result.claims
    assert (verdict.status, verdict.category) == ("unverified", "filesystem_mismatch")
    assert verdict.file_path == "a.txt"
    assert "Permission denied" in verdict.detail


def test_a_name_no_file_can_have_is_outside(world: Path) -> None:
    with Directory(world) as tree:
        assert tree.look("\ud800").kind == "outside"
        assert tree.entry("\ud800") == "outside"


def test_a_race_between_link_and_file_never_leads_out(world: Path) -> None:
    """A name that flips between a file and a link out of the base is one or nothing, never both."""
    target, spare = world / "flip", world / "spare"
    stop = threading.Event()

    def flip() -> None:
        while not stop.is_set():
            spare.write_text("inside\n")
            spare.replace(target)
            spare.symlink_to("../secret.txt")
            spare.replace(target)

    target.write_text("inside\n")
    flipping = threading.Thread(target=flip)
    flipping.start()
    try:
        with Directory(world) as tree:
            kinds = set()
            for _ in range(2_000):
                look = tree.look("flip")
                kinds.add(look.kind)
                if look.content is not None:
                    assert look.content.has_hash(sha("inside\n")) or look.content.has_hash(sha(""))
    finally:
        stop.set()
        flipping.join()
    assert kinds <= {"file", "outside", "missing", "changing"}


def test_a_base_that_cannot_be_used_is_named(world: Path) -> None:
    for path in (world / "nowhere", world / "a.txt"):
        with pytest.raises(UnreadableSource, match=str(path)):
            verify(path, write("x", ""))


_parts = st.lists(
    st.sampled_from(["..", ".", "", "sub", "a.txt", "b.txt", "link-out", "dir-out", "x" * 300]),
    min_size=1,
    max_size=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(_parts, st.booleans())
def test_no_path_at_all_reads_the_secret(world: Path, parts: list[str], absolute: bool) -> None:  # noqa: FBT001
    if not (world / "link-out").is_symlink():
        plant_links(world)
    path = ("/" if absolute else "") + "/".join(parts)
    with Directory(world) as tree:
        look = tree.look(path)
        assert look.content is None or not look.content.has_hash(sha(SECRET))
        assert tree.entry(path) in {"there", "missing", "outside", "unknown"}
