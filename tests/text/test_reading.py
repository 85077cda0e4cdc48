"""One located reading: whatever stands in a text is found where it stands."""

from hypothesis import given, strategies as st

from groundwire.text import read, unmarked_words

PAGE = """---
status: accepted
---
# The *mast*

It is 42 m high and stands at the quay
in the harbour. <!-- The mast is 99 m high. --> Is it red?

> The crew says: it sways.
> A little.

- Painted in 1998
  by forty people.
- [ ] paint it again

| Part | Height |
|------|--------|
| Mast | 42 m   |
| Crow's \\| nest | 38 m |

```sh
echo "<!-- shown -->"
```

Notes
-----
<p hidden>Nobody sees this.</p>
[//]: # (nor this)
"""


def texts(kind: str) -> list[str]:
    reading = read(PAGE)
    return [PAGE[block.start : block.end] for block in reading.blocks if block.kind == kind]


def test_blocks_are_told_apart() -> None:
    """Headings, paragraphs, items, rows, code, comments and front matter each have their place."""
    assert texts("heading") == ["The *mast*", "Notes"]
    assert texts("item") == ["Painted in 1998\n  by forty people.", "[ ] paint it again"]
    assert texts("row")[1:] == ["| Mast | 42 m   |", "| Crow's \\| nest | 38 m |"]
    assert texts("front_matter") == ["---\nstatus: accepted\n---\n"]
    assert texts("code") == ['```sh\necho "<!-- shown -->"\n```']
    assert texts("comment") == [
        "<!-- The mast is 99 m high. -->",
        "<p hidden>Nobody sees this.</p>",
        "[//]: # (nor this)",
    ]


def test_a_comment_splits_what_it_stands_in() -> None:
    """No sentence reaches across hidden text."""
    shown = [sentence.words.text for sentence in read(PAGE).sentences]
    assert "It is 42 m high and stands at the quay in the harbour." in shown
    assert "Is it red?" in shown
    assert not [sentence for sentence in shown if "99 m" in sentence or "Nobody" in sentence]


def test_an_unclosed_comment_hides_the_rest_of_the_page() -> None:
    """As it does in a browser; in the middle of a line it is only a typing error."""
    assert [s.text for s in read("Seen.\n\n<!-- The mast is 99 m.\n\nHigh.").sentences] == ["Seen."]
    assert len(read("Less is < more, and <!-- is a typo.").sentences) == 1


def test_a_cell_knows_its_row_and_its_column() -> None:
    """A value in a table is read under both its headers."""
    rows = [block for block in read(PAGE).blocks if block.kind == "row"]
    assert rows[0].is_header
    cell = rows[2].cells[1]
    assert (PAGE[cell.start : cell.end], cell.row, cell.column) == (
        "38 m",
        "Crow's \\| nest",
        "Height",
    )


def test_a_block_knows_the_headings_above_it_and_whether_it_is_quoted() -> None:
    """Sections nest by level, and a quotation is marked as one."""
    blocks = read("# A\n\n## B\n\n> said\n\n# C\n\nend").blocks
    assert [
        (block.section, block.in_quotation) for block in blocks if block.kind == "paragraph"
    ] == [
        (("A", "B"), True),
        (("C",), False),
    ]


def test_words_have_no_markup_and_know_their_places() -> None:
    """Each character of the words stands in the original where it says."""
    sentence = read("**Bold** and `code` at [the quay](x.md) .").sentences[0]
    assert sentence.words.text == "Bold and code at [the quay](x.md)."
    assert all(
        char == sentence.source[place]
        for char, place in zip(sentence.words.text, sentence.words.places, strict=True)
        if char != " "
    )


def test_indented_lines_and_speakers_are_prose() -> None:
    """Evidence is often indented, and `[Speaker]: words` is no link."""
    reading = read("# Minutes\n\n    The pump failed at noon.\n\n[Chair]: adjourned")
    assert [s.text for s in reading.sentences][1:] == [
        "The pump failed at noon.",
        "[Chair]: adjourned",
    ]


MARKS = st.sampled_from(
    [*"#>-*+|`~=_<[](){}!:.\n\r\t \\&'\"’–", "<!--", "-->", "```", "\n\n", "1. "]
)
TEXTS = st.lists(st.one_of(st.text(max_size=6), MARKS), max_size=40).map("".join)


@given(TEXTS)
def test_slicing_gives_the_text_back(text: str) -> None:
    """For any Unicode: blocks are ordered and apart, sentences and words stand where they say."""
    reading = read(text)
    ends = 0
    for block in reading.blocks:
        assert ends <= block.start < block.end <= len(text)
        ends = block.end
        assert all(block.start <= start < end <= block.end for start, end in block.pieces)
    for sentence in reading.sentences:
        assert sentence.text == text[sentence.start : sentence.end] != ""
        words = sentence.words
        assert len(words.text) == len(words.places)
        assert all(a < b for a, b in zip(words.places, words.places[1:], strict=False))
        for char, place in zip(words.text, words.places, strict=True):
            assert char in (" ", text[place])


@given(TEXTS)
def test_no_letter_is_lost_but_hidden_ones(text: str) -> None:
    """What is not hidden stands in a block."""
    inside = {place for block in read(text).blocks for place in range(block.start, block.end)}
    outside = [place for place, char in enumerate(text) if char.isalpha() and place not in inside]
    assert outside == []


def test_a_hostile_page_is_read_in_time() -> None:
    """Half a megabyte of marks costs seconds, not minutes."""
    for piece in ("<!--", "> ", "| ", "- " * 20 + "\n", "```", "[", "<p hidden>", "*a_"):
        reading = read(piece * (200_000 // len(piece)))
        assert reading.blocks is not None


def test_dropped_places_are_left_out_of_the_words() -> None:
    """Citations are taken out without losing the places of what stays."""
    words = unmarked_words("High [1] and red.", [(0, 17)], {5, 6, 7})
    assert words.text == "High and red."
    assert words.places[5] == 9
