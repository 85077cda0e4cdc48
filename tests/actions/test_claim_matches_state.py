"""A claim about a file against one state of it, with nothing read and nothing run."""

from typing import Any

import pytest

from groundwire.actions._claim_matches_state import (
    WHITESPACE,
    differs_in_white_space,
    fits_content,
    fits_look,
    fits_version,
    is_about,
)
from groundwire.actions._claims import (
    Anchor,
    AnyClaim,
    CodeInserted,
    CommandExecuted,
    FileDelete,
    FileEdit,
    FileExists,
    FileWrite,
)
from groundwire.actions._content import MAX_PAIRS, Content
from groundwire.actions._directory import Look
from groundwire.actions._evidence import Finding
from groundwire.actions._replay import Version
from groundwire.traces import FileEffect
from groundwire.traces._effects import Replacement
from tests.actions.helpers import sha


def write(text: str) -> FileWrite:
    return FileWrite(file_path="a", content_hash=sha(text))


def edit(before: str, between: str, after: str) -> FileEdit:
    anchor = Anchor(before_snippet=before, after_snippet=after, content_hash=sha(between))
    return FileEdit(file_path="a", anchor=anchor)


def insertion(before: str, between: str, after: str) -> CodeInserted:
    return CodeInserted(file_path="a", anchor=edit(before, between, after).anchor)


DELETED = FileDelete(file_path="a")
EXISTS = FileExists(file_path="a")
TEXT = "one\ntwo\nthree\n"


def look(kind: str, content: Content | None = None) -> Look:
    return Look(kind, "what was seen", content)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("claim", "kind", "finding"),
    [
        (DELETED, "missing", Finding(True, "what was seen", None)),
        (EXISTS, "missing", Finding(False, "what was seen", "file_not_found")),
        (write("x"), "missing", Finding(False, "what was seen", "file_not_found")),
        (DELETED, "file", Finding(False, "it is still there", "filesystem_mismatch")),
        (DELETED, "unreadable", Finding(False, "it is still there", "filesystem_mismatch")),
        (write("x"), "unreadable", Finding(None, "what was seen", "filesystem_mismatch")),
        (write("x"), "too_large", Finding(None, "what was seen", "filesystem_mismatch")),
        (write("x"), "changing", Finding(None, "what was seen", "filesystem_mismatch")),
        (write("x"), "special", Finding(None, "what was seen", "filesystem_mismatch")),
        (write("x"), "directory", Finding(False, "what was seen", "filesystem_mismatch")),
        (write("x"), "outside", Finding(False, "what was seen", "filesystem_mismatch")),
    ],
)
def test_what_stands_there_instead_of_a_file_decides(
    claim: AnyClaim, kind: str, finding: Finding
) -> None:
    assert fits_look(claim, look(kind)) == finding


def test_a_file_that_was_read_is_compared_with_the_claim() -> None:
    seen = look("file", Content.of_text(TEXT))
    assert fits_look(write(TEXT), seen) == Finding(True, "the content has the claimed hash")
    assert fits_look(write("x"), seen).holds is False


UNSURE = Content(
    hashes=frozenset({sha("other")}), size_bytes=5, texts=("other",), encoding_is_sure=False
)
PART = Content.of_text("one\nother\n", complete=False)
BINARY = Content(hashes=frozenset({sha("binary")}), size_bytes=6)
HIDDEN = Content(hashes=frozenset(), size_bytes=6, complete=False)


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        (Content.of_text(TEXT), Finding(True, "the content has the claimed hash")),
        (
            Content.of_text("other"),
            Finding(False, "the content has another hash", "hash_mismatch"),
        ),
        (PART, Finding(None, "not all of the file is known", "hash_mismatch")),
        (UNSURE, Finding(None, "not all of the file is known", "hash_mismatch")),
    ],
)
def test_a_written_file_has_the_claimed_hash(content: Content, finding: Finding) -> None:
    """[RULINGS S2] What is not known is never a refutation."""
    assert fits_content(write(TEXT), content) == finding


def test_line_endings_and_the_last_newline_stay_equal() -> None:
    """[RULINGS S2] They are no difference at all."""
    for stored in ("one\r\ntwo\r\n", "one\ntwo"):
        assert fits_content(write("one\ntwo\n"), Content.of_text(stored)).holds is True


def test_other_white_space_refutes_nothing_and_shows_nothing() -> None:
    """[RULINGS S2] Trailing blanks and tabs shown as blanks: `whitespace_only`."""
    stored = Content.of_text("a\none  \n\ttwo\nb\n")
    assert fits_content(write("a\none\n\ttwo\nb\n"), stored) == WHITESPACE
    assert fits_content(edit("a\n", "one\n    two\n", "b"), stored) == WHITESPACE
    assert fits_content(edit("a\n", "one  \n\ttwo\n", "b"), stored).holds is True
    assert fits_content(edit("a\n", "other\n", "b"), stored).holds is False


COMMON = Content.of_text("a" * 400 + "b" * 400)


@pytest.mark.parametrize("make", [edit, insertion])
@pytest.mark.parametrize(
    ("between", "content", "finding"),
    [
        (
            "two\n",
            Content.of_text(TEXT),
            Finding(True, "the claimed text stands between its anchors"),
        ),
        (
            "2\n",
            Content.of_text(TEXT),
            Finding(False, "its anchors are there, with other text between them", "hash_mismatch"),
        ),
        (
            "2\n",
            Content.of_text(TEXT, complete=False),
            Finding(
                None,
                "its anchors are there, with other text between them, as far as the file is known",
                "hash_mismatch",
            ),
        ),
        (
            "two\n",
            Content.of_text("else"),
            Finding(False, "an anchor is not in the file", "anchor_mismatch"),
        ),
        (
            "two\n",
            UNSURE,
            Finding(
                None, "an anchor is not in the file, as far as the file is known", "anchor_mismatch"
            ),
        ),
        (
            "two\n",
            BINARY,
            Finding(None, "the file is binary or too large to search", "filesystem_mismatch"),
        ),
        (
            "two\n",
            HIDDEN,
            Finding(None, "the file is not known or too large to search", "filesystem_mismatch"),
        ),
    ],
)
def test_an_edit_stands_between_its_anchors(
    make: Any, between: str, content: Content, finding: Finding
) -> None:
    assert fits_content(make("one\n", between, "three"), content) == finding


def test_anchors_that_stand_everywhere_prove_nothing() -> None:
    assert MAX_PAIRS < 400 * 400
    finding = fits_content(edit("a", "never", "b"), COMMON)
    assert finding == Finding(None, "its anchors stand in too many places", "anchor_mismatch")


def test_other_claims_only_say_that_there_is_a_file() -> None:
    assert fits_content(EXISTS, Content.of_text("")) == Finding(True, "it is there")


def effect(action: str = "write", **more: Any) -> FileEffect:
    return FileEffect(path="a", action=action, **more)  # type: ignore[arg-type]


def version(
    made_by: FileEffect, content: str | None = None, content_hash: str | None = None
) -> Version:
    known = None if content is None else Content.of_text(content)
    return Version(1, "e1", made_by, known, content_hash)


@pytest.mark.parametrize(
    ("claim", "state", "holds"),
    [
        (DELETED, version(effect("delete")), True),
        (DELETED, version(effect("write")), False),
        (DELETED, version(effect("delete", sure=False)), None),
        (DELETED, version(effect("write", sure=False)), None),
        (write(TEXT), version(effect("delete")), False),
        (write(TEXT), version(effect("delete", sure=False)), None),
        (write(TEXT), version(effect(), TEXT), True),
        (write(TEXT), version(effect(), "other"), False),
        (write(TEXT), version(effect(sure=False), "other"), False),
        # the words that were written fit, the content rebuilt from elsewhere does not
        (write(TEXT), version(effect(content=TEXT), "other"), None),
        (write(TEXT), version(effect(content=TEXT, sure=False), "other"), False),
        (write(TEXT), version(effect(content=TEXT), TEXT), True),
        (write(TEXT), version(effect(), None, sha(TEXT)), True),
        (write(TEXT), version(effect(), None, sha("other")), False),
        (write(TEXT), version(effect()), None),
        (write(TEXT), version(effect(content=TEXT)), True),
        (write(TEXT), version(effect(content="other")), None),
        (write(TEXT), version(effect(content=TEXT, sure=False)), None),
        (edit("", "two", ""), version(effect(), None, sha("two")), None),
        (edit("", "two", ""), version(effect(content="two"), None, sha("x")), True),
    ],
)
def test_a_claim_is_compared_with_the_file_after_a_change(
    claim: AnyClaim, state: Version, *, holds: bool | None
) -> None:
    assert fits_version(claim, state) is holds


def replacing(old: str, new: str, **more: Any) -> FileEffect:
    return effect("edit", replacements=(Replacement(old, new),), **more)


@pytest.mark.parametrize(
    ("claim", "change", "about"),
    [
        (DELETED, effect("delete"), True),
        (DELETED, effect("write"), False),
        (EXISTS, effect("write"), True),
        (EXISTS, effect("edit"), True),
        (EXISTS, effect("delete"), False),
        (CommandExecuted(command="x"), effect("delete"), False),
        (write(TEXT), effect(), None),
        (write(TEXT), effect(content_hash=sha(TEXT)), True),
        (write(TEXT), effect(content_hash=sha("other")), False),
        (edit("", "two", ""), effect(content_hash=sha("two")), None),
        (write(TEXT), effect(content=TEXT), True),
        (write(TEXT), effect(content="other"), False),
        (write(TEXT), replacing("x", TEXT), True),
        (edit("one\n", "two\n", "three"), effect(content=TEXT), True),
        (edit("zero", "two", "four"), replacing("x", "two"), True),
        (insertion("zero", "two", "four"), replacing("x", "two"), True),
        (edit("zero", "2", "four"), replacing("x", "two"), False),
        (edit("zero", "two\n", "four"), replacing("x", "two"), True),
        (edit("zero", "\ntwo", "four"), replacing("x", "two"), True),
        (edit("zero", "\ntwo\n", "four"), replacing("x", "two"), True),
        (edit("zero", "two", "four"), replacing("x", "\ntwo\n"), True),
        (edit("zero", "two", "four"), replacing("x", "\n\ntwo\n\n"), True),
        (edit("zero", "two\n", "four"), replacing("x", "\ntwo\n"), True),
        (edit("zero", "\ntwo", "four"), replacing("x", "\ntwo\n"), True),
        (edit("zero", "2\r\n3", "four"), replacing("x", "2\n3"), True),
        (edit("zero", "2\n3", "four"), replacing("x", "2\r\n3"), True),
        (edit("zero", "\r\n2", "four"), replacing("x", "2"), True),
        # only line feeds are trimmed
        (edit("zero", "  two", "four"), replacing("x", "\n\n  two\n\n"), True),
        (edit("zero", "Xtwo", "four"), replacing("x", "\n\nXtwo\n\n"), True),
        # blank text is written everywhere
        (edit("zero", " \n", "four"), replacing("x", " \n"), False),
        (write("zero"), replacing("x", "zero\n\n"), False),
    ],
)
def test_a_claim_is_of_the_change_that_would_have_written_it(
    claim: AnyClaim, change: FileEffect, *, about: bool | None
) -> None:
    assert is_about(claim, change) is about


def test_a_change_applied_to_a_text_it_may_have_met_leaves_no_doubt() -> None:
    """Unknown results are passed over; only an edit is applied."""
    change = replacing("2", "two")
    claim = write(TEXT)
    assert is_about(claim, change) is False
    assert is_about(claim, change, ["one\n2\nthree\n"]) is True
    assert is_about(claim, change, ["no such text", "one\n2\nthree\n"]) is True
    assert is_about(claim, change, ["one\n2\n2\nthree\n"]) is False
    written = effect("write", replacements=change.replacements, content="other")
    assert is_about(write("other\n"), written, ["one\n2\nthree\n"]) is True
    assert is_about(claim, written, ["one\n2\nthree\n"]) is False


def test_every_text_a_change_wrote_is_looked_at() -> None:
    change = effect(
        "edit", replacements=(Replacement("x", "first"), Replacement("y", "second")), content="all"
    )
    for text in ("first", "second", "all"):
        assert is_about(write(text), change) is True


def test_white_space_alone_is_told_from_the_recorded_text() -> None:
    """The trace holds the claimed text, and the file has it with other white space."""
    text = "one  \n\ttwo \n"
    for stored in ("one\n\ttwo\n", "one\n    two\n", "  one\n\n two"):
        for change in (effect(content=text), replacing("x", text)):
            whole = Content.of_text(stored)
            assert differs_in_white_space(write(text), whole, [effect(), change])
            part = Content.of_text(f"a {stored} b")
            assert differs_in_white_space(edit("a", text, "b"), part, [change])
            assert not differs_in_white_space(edit("c", text, "b"), part, [change])


def test_only_the_recorded_text_that_was_claimed_is_compared() -> None:
    """Other texts of the trace, blank ones and claims without a text tell nothing."""
    stored = Content.of_text("one")
    assert differs_in_white_space(write("one "), stored, [effect(content="one ")])
    assert not differs_in_white_space(write("one "), stored, [effect(content="two ")])
    assert not differs_in_white_space(write("one "), stored, [effect()])
    assert not differs_in_white_space(write(" \n"), stored, [effect(content=" \n")])
    assert not differs_in_white_space(DELETED, stored, [effect(content="one ")])
    assert not differs_in_white_space(EXISTS, stored, [effect(content="one ")])
