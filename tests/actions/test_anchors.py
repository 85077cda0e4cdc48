import pytest
from hypothesis import assume, given, strategies as st

from groundwire.actions import Anchor, Content
from groundwire.actions._content import Match, match_edit
from groundwire.actions._derive import anchor_for
from tests.actions.helpers import sha


def match(stored: str | bytes, before: str, between: str, after: str) -> Match:
    data = stored if isinstance(stored, bytes) else stored.encode()
    anchor = Anchor(before_snippet=before, after_snippet=after, content_hash=sha(between))
    return match_edit(Content.of_bytes(data), anchor)


def test_both_anchors_with_the_text_between_hold() -> None:
    assert match("a\nnew\nb\n", "a\n", "new\n", "b\n") is Match.HOLDS


def test_both_anchors_with_other_text_between_do_not() -> None:
    """[RULINGS S2] either anchor alone proves nothing: both stand there before any edit."""
    assert match("a\nold\nb\n", "a\n", "new\n", "b\n") is Match.OTHER_TEXT


def test_the_text_outside_its_anchors_does_not_hold() -> None:
    assert match("a\nold\nb\nnew\n", "a\n", "new\n", "b\n") is Match.OTHER_TEXT


def test_anchors_in_the_wrong_order_do_not_hold() -> None:
    assert match("b\nnew\na\n", "a\n", "new\n", "b\n") is Match.NO_ANCHOR


@pytest.mark.parametrize(("before", "after"), [("missing", "b\n"), ("a\n", "missing")])
def test_a_missing_anchor_is_told_apart(before: str, after: str) -> None:
    assert match("a\nnew\nb\n", before, "new\n", after) is Match.NO_ANCHOR


def test_some_ordered_pair_is_enough() -> None:
    text = "if x:\n    pass\nif y:\n    work()\nif z:\n    pass\n"
    assert match(text, "if y:\n", "    work()\n", "if z:\n") is Match.HOLDS
    assert match("(1)(2)(3)", "(", "2", ")") is Match.HOLDS
    assert match("(1)(2)(3)", "(", "1)(2)(3", ")") is Match.HOLDS
    assert match("(1)(2)(3)", "(", "4", ")") is Match.OTHER_TEXT


def test_an_empty_anchor_is_the_edge_of_the_file() -> None:
    assert match("head\nbody\n", "", "head\n", "body\n") is Match.HOLDS
    assert match("head\nbody\n", "head\n", "body\n", "") is Match.HOLDS
    assert match("all of it\n", "", "all of it\n", "") is Match.HOLDS
    assert match("x\nhead\nbody\n", "", "head\n", "body\n") is Match.OTHER_TEXT
    assert match("", "", "", "") is Match.HOLDS


def test_whole_lines_may_be_named_without_their_line_feeds() -> None:
    assert match("a\nnew 1\nnew 2\nb\n", "a", "new 1\nnew 2", "b") is Match.HOLDS


def test_nothing_between_neighbouring_lines_is_a_removal() -> None:
    assert match("a\nb\n", "a", "", "b") is Match.HOLDS
    assert match("a\n\nb\n", "a", "", "b") is Match.OTHER_TEXT
    assert match("a\nold\nb\n", "a", "", "b") is Match.OTHER_TEXT
    assert match("a\nb\n", "a\n", "", "b") is Match.HOLDS
    assert match("a\n\nb\n", "a\n", "", "b") is Match.OTHER_TEXT
    assert match("a\n\n\nb\n", "a\n\n", "", "b") is Match.OTHER_TEXT
    assert match("a\n\nb\n", "a", "", "\nb") is Match.OTHER_TEXT


@pytest.mark.parametrize(
    "stored",
    [
        b"def f():\r\n    return 1\r\n\r\nend\r\n",
        b"\xef\xbb\xbfdef f():\n    return 1\n\nend\n",
        "def f():\n    return 1\n\nend\n".encode("utf-16"),
    ],
)
def test_what_a_person_cannot_see_does_not_matter(stored: bytes) -> None:
    assert match(stored, "def f():\n", "    return 1\n", "\nend") is Match.HOLDS


@pytest.mark.parametrize(
    "stored",
    [
        b"def f():   \n    return 1\t\n\nend\n",
        b"def f():\n\treturn 1\n\nend\n",
    ],
)
def test_blanks_at_line_ends_and_tabs_are_told_apart(stored: bytes) -> None:
    """[RULINGS S2] The edit is there but for white space."""
    assert match(stored, "def f():\n", "    return 1\n", "\nend") is Match.WHITESPACE


@pytest.mark.parametrize(
    "stored",
    [
        b"def f():\nreturn 1\n\nend\n",
        b"def f():\n        return 1\n\nend\n",
        b"def f():\n    return  1\n\nend\n",
        b"DEF F():\n    return 1\n\nend\n",
    ],
)
def test_what_a_person_can_see_does_matter(stored: bytes) -> None:
    """An indentation that is wrong is why tools refuse edits."""
    assert match(stored, "def f():\n", "    return 1\n", "\nend") is not Match.HOLDS


def test_composed_and_decomposed_letters_are_the_same() -> None:
    stored = "cafe\u0301\nmitte\nende\n".encode()
    assert match(stored, "caf\u00e9\n", "mitte\n", "ende") is Match.HOLDS


def test_legacy_encodings_are_read() -> None:
    assert match("Größe:\n5\nEnde\n".encode("cp1252"), "Größe:\n", "5\n", "Ende") is Match.HOLDS
    assert match("大きさ:\n5\n終\n".encode("shift_jis"), "大きさ:\n", "5\n", "終") is Match.HOLDS


@pytest.mark.parametrize("text", ["a" * 200_000, "ab" * 100_000, "(" * 1_000 + ")" * 100_000])
def test_common_anchors_end_in_bounded_work(text: str) -> None:
    """Hostile anchors, every character a start and a stop: without a bound this takes hours."""
    assert match(text, text[0], "never", text[-1]) is Match.TOO_COMMON


_lines = st.lists(st.text(alphabet="ab \t.", max_size=6), max_size=12)


@given(_lines, st.data())
def test_an_edit_that_was_made_always_holds(lines: list[str], data: st.DataObject) -> None:
    """However the file is stored, the anchors we make for a part of it find that part."""
    text = "".join(f"{line}\n" for line in lines)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    anchor = anchor_for(text, start, end)
    for stored in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        assert match_edit(Content.of_bytes(stored.encode()), anchor) is Match.HOLDS


@given(_lines, st.integers(0, 11), st.text(alphabet="xyz", min_size=1, max_size=5))
def test_a_line_that_was_not_written_never_holds(lines: list[str], at: int, new: str) -> None:
    assume(at < len(lines))
    changed = [*lines[:at], new, *lines[at + 1 :]]
    text = "".join(f"{line}\n" for line in changed)
    start = sum(len(line) + 1 for line in changed[:at])
    anchor = anchor_for(text, start, start + len(new) + 1)
    before = "".join(f"{line}\n" for line in lines)
    assert match_edit(Content.of_bytes(before.encode()), anchor) is not Match.HOLDS
