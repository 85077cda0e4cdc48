"""Opening beneath a folder: what was checked is what is opened, whatever happens in between."""

import errno
import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundwire.actions._safe_open import (
    MAX_LINKS,
    Base,
    LeavesBase,
    NotRegular,
    _require_regular,
    entry_mode,
    open_file,
    parent,
)

SECRET = "the secret outside"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A base with something worth stealing beside it."""
    base = tmp_path / "base"
    (base / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text(SECRET)
    (base / "a.txt").write_text("inside")
    (base / "sub" / "b.txt").write_text("deeper")
    (base / "sub" / "deep" / "c.txt").write_text("deepest")
    return base


@pytest.fixture
def base(folder: Path) -> Iterator[Base]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    before = open_descriptors()
    yield Base(descriptor, frozenset({str(folder), "/known/as"}))
    assert open_descriptors() == before
    os.close(descriptor)


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def content(base: Base, path: str) -> str:
    with open_file(base, path) as descriptor:
        return os.read(descriptor, 100).decode()


@pytest.mark.parametrize(
    ("path", "rest"),
    [
        ("/known/as", ""),
        ("/known/as/a.txt", "a.txt"),
        ("/known/as/sub/b.txt", "sub/b.txt"),
        ("/known/as/", ""),
        ("/known/assets", None),
        ("/known", None),
        ("/elsewhere/known/as/a.txt", None),
    ],
)
def test_an_absolute_path_is_inside_where_it_goes_on_from_a_known_name(
    base: Base, path: str, rest: str | None
) -> None:
    assert base.inside(path) == rest


def test_every_absolute_path_is_inside_the_root() -> None:
    assert Base(0, frozenset({"/"})).inside("/etc/passwd") == "etc/passwd"


def test_a_known_name_is_taken_as_it_is() -> None:
    known = Base(0, frozenset({"/data/X/"}))
    assert known.inside("/data/X/a.txt") == "a.txt"
    assert known.inside("/data/a.txt") is None


def test_the_folder_cannot_be_exchanged() -> None:
    with pytest.raises(AttributeError):
        Base(0, frozenset()).fd = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.txt", "inside"),
        ("./a.txt", "inside"),
        ("a.txt/", "inside"),
        ("a.txt/.", "inside"),
        ("sub//b.txt", "deeper"),
        ("sub/./b.txt", "deeper"),
        ("sub/./../a.txt", "inside"),
        ("sub/../a.txt", "inside"),
        ("sub/deep/../b.txt", "deeper"),
        ("sub/deep/../../a.txt", "inside"),
        ("to-file", "inside"),
        ("to-folder/b.txt", "deeper"),
        ("sub/deep/to-top", "inside"),
        ("sub/deep/to-sub/b.txt", "deeper"),
        ("sub/deep/up", "deeper"),
        ("known", "deeper"),
        ("to-link", "inside"),
    ],
)
def test_a_path_that_stays_inside_is_opened_through_its_links(
    folder: Path, base: Base, path: str, text: str
) -> None:
    (folder / "to-file").symlink_to("a.txt")
    (folder / "to-folder").symlink_to("sub")
    (folder / "to-link").symlink_to("./to-file")
    (folder / "known").symlink_to("/known/as/sub/b.txt")
    (folder / "sub" / "deep" / "to-top").symlink_to(folder / "a.txt")
    (folder / "sub" / "deep" / "to-sub").symlink_to(folder / "sub")
    (folder / "sub" / "deep" / "up").symlink_to("../b.txt")
    assert content(base, path) == text


@pytest.mark.parametrize(
    "path",
    ["..", "../secret.txt", "sub/../../secret.txt", "dir-out/x", "link-out", "sub/link-out"],
)
def test_a_path_that_climbs_out_is_told_so(folder: Path, base: Base, path: str) -> None:
    """Whether it says so itself or a link on its way does."""
    (folder / "dir-out").symlink_to("..")
    (folder / "link-out").symlink_to("sub/../../secret.txt")
    (folder / "sub" / "link-out").symlink_to("../../secret.txt")
    with pytest.raises(LeavesBase, match=r"^it climbs out with '\.\.'$"):
        content(base, path)


def test_a_link_that_points_out_is_named_with_its_target(folder: Path, base: Base) -> None:
    target = folder.parent / "secret.txt"
    (folder / "out").symlink_to(target)
    with pytest.raises(LeavesBase) as refused:
        content(base, "out")
    assert str(refused.value) == f"the link 'out' points out of it, to {str(target)!r}"


def chain_of_links(folder: Path, length: int) -> str:
    (folder / "link-0").symlink_to("a.txt")
    for number in range(1, length):
        (folder / f"link-{number}").symlink_to(f"link-{number - 1}")
    return f"link-{length - 1}"


def test_forty_links_are_followed_and_no_more(folder: Path, base: Base) -> None:
    assert MAX_LINKS == 40
    assert content(base, chain_of_links(folder, 40)) == "inside"
    (folder / "one-more").symlink_to("link-39")
    with pytest.raises(OSError, match="too many links") as refused:
        content(base, "one-more")
    assert (refused.value.errno, refused.value.strerror) == (errno.ELOOP, "too many links")


def just_after(
    monkeypatch: pytest.MonkeyPatch, call: str, change: Callable[[], object], times: int = 1
) -> None:
    """Something else changes the folder right after a system call."""
    real = getattr(os, call)
    left = [times]

    def followed(*args: object, **options: object) -> object:
        try:
            return real(*args, **options)
        finally:
            if left[0]:
                left[0] -= 1
                change()

    monkeypatch.setattr(os, call, followed)


def test_a_file_that_becomes_a_link_before_it_is_opened_is_not_followed(
    folder: Path, base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O_NOFOLLOW: it was looked at as a file, and a link out stands there when it is opened."""

    def swap() -> None:
        (folder / "a.txt").unlink()
        (folder / "a.txt").symlink_to("../secret.txt")

    just_after(monkeypatch, "stat", swap)
    with pytest.raises(OSError, match="symbolic links") as refused:
        content(base, "a.txt")
    assert refused.value.errno == errno.ELOOP


def test_a_file_that_becomes_a_link_before_it_is_looked_at_is_a_link(
    folder: Path, base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it points to is not looked at either."""

    def swap() -> None:
        (folder / "a.txt").unlink()
        (folder / "a.txt").symlink_to("../secret.txt")

    just_after(monkeypatch, "readlink", swap)
    with pytest.raises(NotRegular) as refused:
        content(base, "a.txt")
    assert refused.value.what == "link"


@pytest.mark.timeout(10)
def test_a_file_that_becomes_a_pipe_before_it_is_opened_does_not_block(
    folder: Path, base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O_NONBLOCK, and it is looked at once more when it is open."""

    def swap() -> None:
        (folder / "a.txt").unlink()
        os.mkfifo(folder / "a.txt")

    just_after(monkeypatch, "stat", swap)
    with pytest.raises(NotRegular) as refused:
        content(base, "a.txt")
    assert refused.value.what == str(refused.value) == "pipe"


def test_a_folder_that_is_a_link_out_is_not_entered(folder: Path, base: Base) -> None:
    (folder / "dir-out").symlink_to(folder.parent)
    with pytest.raises(LeavesBase, match="'dir-out'"):
        content(base, "dir-out/secret.txt")


def test_the_right_to_pass_through_a_folder_is_enough(folder: Path, base: Base) -> None:
    """O_PATH: a folder that may be entered but not listed."""
    folder.chmod(0o755)
    (folder / "sub").chmod(0o711)
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(65534)
    else:
        (folder / "sub").chmod(0o311)
    try:
        assert content(base, "sub/b.txt") == "deeper"
    finally:
        if was_root:
            os.seteuid(0)


def test_a_file_on_the_way_is_no_folder(base: Base) -> None:
    with pytest.raises(NotADirectoryError):
        content(base, "a.txt/b.txt")


def test_what_cannot_be_entered_for_another_reason_is_said(base: Base) -> None:
    with pytest.raises(FileNotFoundError):
        content(base, "nowhere/b.txt")
    with pytest.raises(FileNotFoundError):
        content(base, "nothing.txt")
    with pytest.raises(OSError, match="File name too long"):
        content(base, "x" * 300)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (stat.S_IFDIR, "directory"),
        (stat.S_IFIFO, "pipe"),
        (stat.S_IFSOCK, "socket"),
        (stat.S_IFCHR, "device"),
        (stat.S_IFBLK, "device"),
        (stat.S_IFLNK, "link"),
        (0, "special file"),
    ],
)
def test_what_is_not_a_plain_file_is_named(kind: int, name: str) -> None:
    with pytest.raises(NotRegular) as refused:
        _require_regular(kind | 0o644)
    assert refused.value.what == name


def test_nothing_but_a_plain_file_is_opened(
    folder: Path, base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device or a pipe can do things when it is opened: it is looked at first."""
    os.mkfifo(folder / "pipe")
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        for name, what in (("pipe", "pipe"), ("socket", "socket"), ("sub", "directory")):
            with pytest.raises(NotRegular) as refused:
                content(base, name)
            assert refused.value.what == what
    with pytest.raises(NotRegular):
        content(base, "")


def test_the_descriptor_is_open_while_it_is_used_and_closed_after(base: Base) -> None:
    with open_file(base, "sub/b.txt") as descriptor:
        assert stat.S_ISREG(os.fstat(descriptor).st_mode)
        assert not os.get_inheritable(descriptor)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


@pytest.mark.parametrize(
    ("path", "name"), [("sub/b.txt", "b.txt"), ("sub/link", "link"), ("", "."), ("sub/..", ".")]
)
def test_the_last_component_is_left_to_the_caller(
    folder: Path, base: Base, path: str, name: str
) -> None:
    (folder / "sub" / "link").symlink_to("b.txt")
    with parent(base, path, follow_last=False) as (descriptor, last):
        assert last == name
        assert os.stat(last, dir_fd=descriptor, follow_symlinks=False)


def test_the_mode_is_that_of_the_entry_itself(folder: Path, base: Base) -> None:
    """A link is not followed, a folder is one, nothing is None."""
    (folder / "link").symlink_to("a.txt")
    kinds = {
        path: None if (mode := entry_mode(base, path)) is None else stat.S_IFMT(mode)
        for path in ("link", "a.txt", "sub", "sub/", ".", "nothing", "nowhere/x", "a.txt/x")
    }
    assert kinds == {
        "link": stat.S_IFLNK,
        "a.txt": stat.S_IFREG,
        "sub": stat.S_IFDIR,
        "sub/": stat.S_IFDIR,
        ".": stat.S_IFDIR,
        "nothing": None,
        "nowhere/x": None,
        "a.txt/x": None,
    }
