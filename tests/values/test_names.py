import pytest

from groundwire.values import Name, values_in


def names(text: str) -> list[str]:
    return [value.text for value in values_in(text) if isinstance(value, Name)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("led by Marta Lindqvist since then", ["Marta Lindqvist"]),
        ("at the University of Delft in spring", ["University of Delft"]),
        ("written by J. R. Holm.", ["J. R. Holm"]),
        ("the NMCC and the board", ["NMCC"]),
        ("a bridge in Rotterdam, Denmark", ["Rotterdam", "Denmark"]),
        ("an Army B-25 bomber", ["Army"]),
    ],
)
def test_capitals_make_a_name(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize("text", ["The pump failed.", "However, it did.", "Founded in 1998."])
def test_the_first_word_of_a_sentence_is_not_a_name_for_its_capital_alone(text: str) -> None:
    assert names(text) == []


def test_money_and_bounds_are_not_cut_by_names() -> None:
    assert names("Nearly 30 staff got US$ 5 or EUR 6") == []
