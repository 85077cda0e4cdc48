"""Blocks: what no other test of this folder says about them."""

import pytest
from hypothesis import given, strategies as st

from groundwire.text import heading_words, is_question, links_in, read

LINES = st.sampled_from(
    "# Top\nwords here.\n- item\n1. first\n| a | b |\n|---|---|\n```\n<!--\n-->\na <!-- b --> c\n"
    "| a <!-- b --> | c |\n\n> quoted\n===\n<p hidden>x</p>".split("\n")
)


@given(st.lists(LINES, max_size=30).map("\n".join))
def test_no_block_a_reader_sees_reaches_across_hidden_text(text: str) -> None:
    """Hidden ranges stand between the other blocks, in prose, rows and code alike."""
    blocks = read(text).blocks
    hidden = [block for block in blocks if block.is_hidden]
    for block in blocks:
        for one in hidden:
            assert block.is_hidden or one.end <= block.start or block.end <= one.start


def test_rows_need_no_header() -> None:
    """Lines between bars are rows also where no line names their columns."""
    first, second = read("| Status | Accepted |\n| Date | 2024-05-04 |\n").blocks
    assert (first.kind, second.kind) == ("row", "row")
    assert not first.is_header
    assert [(cell.row, cell.column) for cell in second.cells] == [("Date", ""), ("Date", "")]


def test_three_dots_may_close_front_matter() -> None:
    """YAML ends a document with dashes or with dots."""
    assert [block.kind for block in read("---\na: b\n...\nText.\n").blocks] == [
        "front_matter",
        "paragraph",
    ]


def test_links_have_words_a_target_and_a_place() -> None:
    """A title in a link is no part of its target."""
    text = 'See [ADR 12](0012.md "Use CIM") and ![a chart](x.png).'
    assert [(link.words, link.target) for link in links_in(text)] == [
        ("ADR 12", "0012.md"),
        ("a chart", "x.png"),
    ]
    assert text[links_in(text)[0].start :].startswith("[ADR 12]")


def test_the_words_of_a_heading_are_those_a_reader_sees() -> None:
    """Marks, links and the colon at the end are left out."""
    text = "## The **scope** of [it](x.md):\n"
    assert heading_words(text, read(text).blocks[0]) == "The scope of it"


def test_a_question_ends_with_its_mark() -> None:
    """Quotation marks and brackets may close after it."""
    assert is_question('Is it "red?"')
    assert not is_question("Whether it is red is unknown.")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "<p>The mast is red.</p><p>The quay is grey.</p>",
            ["The mast is red.", "The quay is grey."],
        ),
        ("The mast is red.<br>The quay is grey.", ["The mast is red.", "The quay is grey."]),
        ("Write `<p>`, not `<br>`, for it.", ["Write <p>, not <br>, for it."]),
        ("~~The mast is red.~~ The mast is blue.", ["The mast is blue."]),
        ("<del>The mast is red.</del> The mast is blue.", ["The mast is blue."]),
        ("The price ~ 5 and ~~ is no mark.", ["The price ~ 5 and  is no mark."]),
        ('<input value="The mast is red."> The mast is blue.', ["The mast is blue."]),
        ('<i title="It is red. It leans.">Mast</i> is blue.', ["Mast is blue."]),
        ("One is.\n\n<div hidden>\nThe mast is red.\n\nIt leans.", ["One is."]),
        ("<p hidden>The mast is red.<p>The mast is blue.", ["The mast is blue."]),
        ("A <span hidden> tag is meant.\n\nThe mast is blue.", ["A", "The mast is blue."]),
        ("`<div hidden>` hides. The mast is blue.", ["<div hidden> hides.", "The mast is blue."]),
        ("\ufeffThe mast is blue.", ["The mast is blue."]),
        ("\ufeff# Mast\n\nIt is blue.", ["Mast", "It is blue."]),
    ],
)
def test_only_what_is_shown_is_read(text: str, shown: list[str]) -> None:
    """Elements on one line stand apart; struck-out, hidden and unclosed hidden text is not read."""
    sentences = read(text).sentences
    assert [" ".join(one.words.text.split()) for one in sentences] == [
        " ".join(one.split()) for one in shown
    ]
    assert all(text[one.start : one.end] == one.text for one in sentences)


def test_a_setting_that_is_commented_out_sets_nothing() -> None:
    code = "# the pool\ntimeout = 30 # seconds\n# most = 400\n// retries = 3"
    text = f"```\n{code}\n```\n\n# most = 2 here\n"
    read_lines = [one.words.text for one in read(text).sentences]
    assert read_lines == ["# the pool", "timeout = 30 # seconds", "most = 2 here"]
