"""Our own WordPiece cuts words exactly as the `tokenizers` package does."""

import unicodedata
from functools import cache

import pytest
from hypothesis import given, strategies as st
from tokenizers import BertWordPieceTokenizer

from groundwire.encoder._weights import FOLDER, word_piece

TRAPS = [
    "",
    "   \n\t ",
    "The pump's 24V-supply failed at 03:15 (UTC+2), costing €1,250.50!",
    "naïve café Ångström ÅNGSTRÖM résumé İstanbul",
    "東京は2024年に開催した。한국어 العربية עברית",
    "zero\u200bwidth \u202eright-to-left\u202c soft\u00adhyphen",
    "a" * 150 + " " + "b" * 100,
    "[CLS] [SEP] [UNK] [MASK] [PAD]",
    "emoji 🙂👍🏽 and 𝒎𝒂𝒕𝒉 and ﬁ ligature",
    "tab\tnew\nline\rreturn\x00null\ufffdreplacement\x07bell",
    "x\u00a0y\u2003z\u3000w",
    "don't—won't…can’t “quoted” ‹angled›",
]


@cache
def _oracle() -> BertWordPieceTokenizer:
    made = BertWordPieceTokenizer(str(FOLDER / "vocabulary.txt"), lowercase=True)
    # special tokens written in a text are text: evidence must not be able to forge them
    made._tokenizer.encode_special_tokens = True
    return made


def _expected(text: str) -> list[int]:
    ids: list[int] = _oracle().encode(text, add_special_tokens=False).ids
    return ids


@pytest.mark.parametrize("text", TRAPS)
def test_traps_are_cut_as_the_oracle_cuts_them(text: str) -> None:
    assert word_piece().ids(text) == _expected(text)


# a form feed or another control character that separates words separates them here; there it
# glues them together, so control characters are left out of the comparison; so are characters
# younger than Unicode 3.2, of which the oracle's older tables know less
COMPARABLE = st.characters(
    codec="utf-8", exclude_categories=["Cs", "Cn", "Co", "Cc"], include_characters="\t\n\r"
).filter(lambda char: unicodedata.ucd_3_2_0.category(char) != "Cn")


@given(st.text(COMPARABLE, max_size=60))
def test_any_text_is_cut_as_the_oracle_cuts_it(text: str) -> None:
    assert word_piece().ids(text) == _expected(text)


def test_special_tokens_written_in_a_text_are_only_text() -> None:
    pieces = word_piece()
    found = pieces.ids("[CLS] [SEP] done [SEP]")
    assert pieces.start not in found
    assert pieces.separator not in found


@given(st.text(max_size=200), st.integers(min_value=1, max_value=20))
def test_a_limit_keeps_the_beginning(text: str, limit: int) -> None:
    assert word_piece().ids(text, limit) == word_piece().ids(text)[:limit]


def test_a_page_break_separates_words() -> None:
    assert word_piece().ids("one\x0ctwo") == word_piece().ids("one two")


def test_lone_surrogates_are_survived() -> None:
    assert word_piece().ids("broken \ud800 text") == word_piece().ids("broken text")
