import pytest
from hypothesis import given, strategies as st

from groundwire.answer._choose import (
    Sentence,
    joined,
    quotable,
    sentences,
    with_announced,
    with_paragraph,
)
from groundwire.model import Document, EvidenceBundle

TEXT = """# 7. One broker for all

Status: Accepted

Messages are kept for 7 days. A message is at most 1 MB.

- Replacing a system means replacing one publisher.
2. Nobody reads personal data from it.

| Data | Kept for |
|---|---|
| Access logs | 13 months |
| Number | POL.1 |

Superseded by [ADR.24](0024-x.md)
[Only a link to see](elsewhere.md)
"""


def passage(text: str = TEXT, start: int = 100) -> EvidenceBundle:
    return EvidenceBundle.of(text, "a.md", start=start)


def test_what_reads_by_itself_is_quotable_and_nothing_else() -> None:
    assert [quote.text for quote in quotable(TEXT)] == [
        "Messages are kept for 7 days.",
        "A message is at most 1 MB.",
        "Replacing a system means replacing one publisher.",
        "Nobody reads personal data from it.",
        "Access logs | 13 months",
    ]


@given(st.text(alphabet=st.sampled_from("ab .\n#|-*1:é漢\t"), max_size=200))
def test_every_quote_is_a_slice_of_the_text(text: str) -> None:
    for quote, start, _ in quotable(text):
        assert text[start : start + len(quote)] == quote


def test_a_row_of_a_table_is_shown_under_the_names_of_its_columns() -> None:
    (row,) = [one for one in sentences([passage()]) if "13 months" in one.text]
    assert row.shown == "Data | Kept for: Access logs | 13 months"
    assert TEXT[row.start - 100 : row.end - 100] == row.text == "Access logs | 13 months"


@given(st.text(alphabet=st.sampled_from("ab|\n -"), max_size=60))
def test_a_header_names_columns_that_stand_in_the_text(text: str) -> None:
    """Every name in a row's header stands in the text."""
    for quote in quotable(text):
        assert all(name in text for name in quote.header.split(" | "))


def test_hidden_text_is_never_quoted() -> None:
    """What a comment says is no sentence, in prose, in a row and after a colon."""
    text = (
        "The mast is red. <!-- The mast is 99 m high. -->\n\n"
        "| Part | Height |\n|---|---|\n| The mast <!-- it is 99 m high --> | 42 m in all |\n\n"
        "These hold:\n\n<!-- the 99 m mast falls -->\n\n- one more thing\n"
    )
    assert not any("99" in quote.text for quote in quotable(text))
    among = passage(text)
    assert "99" not in with_paragraph(at("These hold:", among)).text


def test_a_sentence_in_two_overlapping_passages_is_one_candidate() -> None:
    found = sentences([passage(), passage(TEXT[24:], start=124)])
    assert len({one.start for one in found}) == len(found)
    assert {one.rank for one in found} == {0}


def at(text: str, among: EvidenceBundle) -> Sentence:
    start = among.content.index(text)
    return Sentence(text, among.location.start + start, among, 0)


def test_sentences_that_follow_each_other_become_one_quote() -> None:
    among = passage()
    first, second = (
        at("Messages are kept for 7 days.", among),
        at("A message is at most 1 MB.", among),
    )
    third = at("Nobody reads personal data from it.", among)
    quotes = joined([third, second, first])
    assert [one.text for one in quotes] == [
        "Messages are kept for 7 days. A message is at most 1 MB.",
        "Nobody reads personal data from it.",
    ]


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("A message is at most 1 MB.", "Messages are kept for 7 days. A message is at most 1 MB."),
        (
            "Replacing a system means replacing one publisher.",
            "Replacing a system means replacing one publisher.",
        ),
        ("Access logs | 13 months", "Access logs | 13 months"),
    ],
)
def test_a_short_paragraph_is_quoted_whole_and_a_list_item_alone(sentence: str, quote: str) -> None:
    found = with_paragraph(at(sentence, passage()))
    assert found.text == quote
    assert TEXT[found.start - 100 : found.end - 100] == quote


def test_a_long_paragraph_is_not_quoted_whole() -> None:
    long = passage("One short sentence. " + "Many more words follow here. " * 30)
    assert with_paragraph(at("One short sentence.", long)).text == "One short sentence."


def test_a_sentence_that_announces_a_list_is_quoted_with_it() -> None:
    text = "First words. They are taken in this order:\n\n1. one thing\n2. another\n\nMore words.\n"
    among = passage(text)
    quote = with_paragraph(at("They are taken in this order:", among))
    assert quote.text == "They are taken in this order:\n\n1. one thing\n2. another"
    assert text[quote.start - 100 : quote.end - 100] == quote.text


ANNOUNCING = """# Pumps

Chosen option: pumps by weekday, because

* the keeper knows them
* they are cheap

It is cheap.

* This is another list.

The ranges are:

```
10.1.0.0/16
```

The pumps are listed below

| Pump | Size |
|---|---|
| North | 4 |

As follows:

Nothing but prose.
"""


@pytest.mark.parametrize(
    ("quote", "whole"),
    [
        (
            "Chosen option: pumps by weekday, because",
            "because\n\n* the keeper knows them\n* they are cheap",
        ),
        ("It is cheap.", "It is cheap."),
        ("The ranges are:", "The ranges are:\n\n```\n10.1.0.0/16\n```"),
        ("The pumps are listed below", "| North | 4 |"),
        ("the keeper knows them", "the keeper knows them"),
        ("As follows:", "As follows:"),
    ],
)
def test_a_quote_goes_on_to_the_list_that_its_end_announces(quote: str, whole: str) -> None:
    """Half a sentence answers nothing; a whole one needs no list."""
    text = Document(
        doc_id="a.md", title="Pumps", text=ANNOUNCING, format="markdown", body_start=0, sha256="0"
    )
    among = passage(ANNOUNCING, start=0)
    start = ANNOUNCING.index(quote)
    (found,) = with_announced([Sentence(quote, start, among, 0)], text)
    assert ANNOUNCING[found.start : found.end] == found.text
    assert found.text.strip("| \n").endswith(whole.strip("| \n"))
    again = with_announced([found, Sentence(found.text[-9:], found.end - 9, among, 1)], text)
    assert again == [found]


def test_a_question_answers_nothing() -> None:
    assert list(quotable("Which lamp is red? The left lamp is red.")) == [
        ("The left lamp is red.", 19, "")
    ]
