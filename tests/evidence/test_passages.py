import re
from itertools import pairwise

from hypothesis import example, given, strategies as st

from groundwire.evidence import reading
from groundwire.evidence._passages import LARGEST_WHOLE_WORDS, MAX_WORDS, Passage, passages
from groundwire.model import Document
from tests.evidence.make import document

SENTENCE = "The feeder at station {0} carries {0} amperes on a normal working day. "


def texts(read: Document) -> list[str]:
    return [read.text[part.start : part.end] for part in passages(read)]


def sections(text: str) -> list[str]:
    return [part.section for part in passages(document(text))]


def paragraph(sentences: int) -> str:
    return "".join(SENTENCE.format(number) for number in range(sentences)).strip()


def test_sections_are_kept_apart_and_named_by_the_headings_above() -> None:
    text = f"# Use TLS\n\n{paragraph(6)}\n\n## Context\n\n{paragraph(6)}\n\n### Scope\n\n"
    text += f"{paragraph(6)}\n\n## Decision\n\n{paragraph(6)}\n"
    assert sections(text) == ["", "Context", "Context > Scope", "Decision"]
    assert texts(document(text))[1].startswith("## Context\n\nThe feeder at station 0")


def test_long_sections_are_cut_between_sentences_with_one_repeated() -> None:
    parts = texts(document(f"# A\n\n## Load\n\n{paragraph(40)}\n"))
    assert len(parts) > 2
    for before, after in pairwise(parts):
        assert before.endswith("working day.")
        repeated = after.split(". ")[0]
        assert repeated.startswith("The feeder at station")
        assert repeated in before


def test_small_sections_join_the_next_and_keep_their_headings() -> None:
    text = f"# Use TLS\n\n## Status\n\nAccepted\n\n## Context\n\n{paragraph(8)}\n"
    (only,) = passages(document(text))
    assert only.section == "Context"
    assert text[only.start : only.end].startswith("# Use TLS\n\n## Status\n\nAccepted")


def test_lists_and_tables_of_usual_size_are_not_torn() -> None:
    rows = "".join(f"| Feeder {n} | {n} kV in station {n} |\n" for n in range(50))
    items = "".join(f"- Item {n} about the station\n\n  with a second line\n" for n in range(30))
    text = f"# A\n\n{paragraph(10)}\n\n{items}\n## T\n\n| Name | Value |\n|---|---|\n{rows}\n"
    parts = texts(document(text))
    assert any(items.strip() in part for part in parts)
    assert any(rows.strip() in part for part in parts)


def test_a_table_without_end_is_cut_between_rows_and_keeps_its_header_at_hand() -> None:
    rows = "".join(f"| Feeder {n} | {n} kV in station {n} |\n" for n in range(400))
    found = passages(document(f"# A\n\n| Name | Value |\n|---|---|\n{rows}\n"))
    assert len(found) > 2
    assert found[0].table_header == ""
    assert {part.table_header for part in found[1:]} == {"| Name | Value |"}


def test_comments_and_front_matter_are_in_no_passage() -> None:
    read = document("---\ntitle: x\n---\n# A\n\nOne.\n<!--\nhidden\n--> Two.\n\nThree.\n")
    assert texts(read) == ["# A\n\nOne.", "Two.\n\nThree."]


def test_code_keeps_lines_that_look_like_headings() -> None:
    text = "# A\n\n```sh\n# not a heading\nls\n```\n\nAfter.\n"
    assert sections(text) == [""]


def test_underlined_headings_count() -> None:
    text = f"Top\n===\n\n{paragraph(6)}\n\nDecision\n--------\n\n{paragraph(6)}\n"
    assert sections(text) == ["", "Decision"]


def test_pages_of_a_pdf_are_its_sections() -> None:
    read = Document(
        doc_id="a.pdf",
        title="A",
        text=f"{paragraph(8)}\n\n{paragraph(8)}\n",
        format="pdf",
        pages=(0, len(paragraph(8)) + 2),
        sha256="",
    )
    assert [part.section for part in passages(read)] == ["page 1", "page 2"]


LINES = st.sampled_from(
    [
        "# Top",
        "## Mid",
        "words and more words here.",
        "- item one",
        "  more of the item",
        "1. first",
        "| a | b |",
        "|---|---|",
        "```",
        "===",
        "---",
        "",
        "漢字かな交じり文" * 30,
        "One. Two! Three? " * 40,
    ]
)


@given(
    st.lists(LINES, max_size=40).map("\n".join),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["a.md", "a.txt"]),
)
@example("# Top\n" + "One. " * 120 + "\n===\n- item one\n" + "Two. " * 370, "\n", "a.md")
@example("```\n" + ("One. " * 120 + "\n\n") * 4, "\n", "a.md")
@example("word " * 1_000 + "\n===\nText.", "\n", "a.md")
def test_every_word_is_in_a_passage_and_no_passage_is_too_long(
    text: str, newline: str, name: str
) -> None:
    read = document(f"Start.\n{text}".replace("\n", newline), name)
    found = passages(read)
    assert _words_in(read.text) == _words_of(read.text, found)
    for part in found:
        assert part.words <= max(MAX_WORDS, LARGEST_WHOLE_WORDS)
        assert read.text[part.start : part.end] == read.text[part.start : part.end].strip()


HIDING = ["<!--", "-->", "a <!-- b --> c", "| a <!-- b --> | c |", "- x <!-- y -->"]


@given(st.lists(st.one_of(LINES, st.sampled_from(HIDING)), max_size=30).map("\n".join))
def test_no_passage_reaches_across_hidden_text(text: str) -> None:
    """Whatever hides it stands in: prose, a list, a row, before a fence."""
    read = document(f"Start.\n{text}")
    hidden = [block for block in reading(read).blocks if block.is_hidden]
    for part in passages(read):
        assert all(one.end <= part.start or part.end <= one.start for one in hidden)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=400))
def test_any_text_can_be_cut(text: str) -> None:
    read = document(f"x{text}")
    places = [(part.start, part.end) for part in passages(read)]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(read.text) for start, end in places)


_WORD = re.compile(r"\w+")


def _words_in(text: str) -> set[tuple[int, str]]:
    return {(match.start(), match[0]) for match in _WORD.finditer(text)}


def _words_of(text: str, found: list[Passage]) -> set[tuple[int, str]]:
    return {
        (match.start(), match[0])
        for part in found
        for match in _WORD.finditer(text, part.start, part.end)
    }
