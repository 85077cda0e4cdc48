import unicodedata

from hypothesis import given, strategies as st

from groundwire.text import find_quote

TEXT = "The ﬁlter\u00a0clogged,\n  so pressure rose by 0.4 bar."


def test_a_quote_is_found_over_line_breaks_and_ligatures_at_its_place_in_the_source() -> None:
    span = find_quote("filter clogged, so pressure rose", TEXT)
    assert span is not None
    assert span.of(TEXT) == "ﬁlter\u00a0clogged,\n  so pressure rose"


def test_words_that_are_not_there_are_no_quote() -> None:
    assert find_quote("pressure fell", TEXT) is None
    assert find_quote("Pressure rose", TEXT) is None
    assert find_quote("", TEXT) is None
    assert find_quote(" \n", TEXT) is None


@given(st.text(), st.text(), st.text())
def test_every_part_of_a_text_is_found_in_it(before: str, quote: str, after: str) -> None:
    text = before + quote + after
    span = find_quote(quote, text)
    if not quote.strip():
        assert span is None or span.of(text).strip() == quote.strip()
        return
    assert span is not None
    assert _folded(span.of(text)) == _folded(quote)


def _folded(text: str) -> str:
    return " ".join("".join(unicodedata.normalize("NFKC", one) for one in text).split())
