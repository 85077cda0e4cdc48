import random
import re

from hypothesis import given, strategies as st

from training import edits


def _rng() -> random.Random:
    return random.Random(5)


@given(st.integers(min_value=0, max_value=10**7), st.integers())
def test_an_edited_number_is_another_number(value: int, seed: int) -> None:
    edited = edits.edit_number(f"It has {value} parts.", random.Random(seed))
    assert edited is not None
    assert re.fullmatch(r"It has [\d,.-]+ parts\.", edited)
    assert edited != f"It has {value} parts."


def test_a_claim_without_numbers_has_none_to_edit() -> None:
    assert edits.edit_number("No number here.", _rng()) is None


def test_a_word_becomes_its_opposite_in_the_same_case() -> None:
    assert edits.edit_opposite("Higher dams leak.", _rng()) == "Lower dams leak."


def test_every_opposite_has_one() -> None:
    assert all(edits.OPPOSITES[other] in edits.OPPOSITES for other in edits.OPPOSITES.values())


def test_a_claim_is_negated_once() -> None:
    assert edits.negate("The gate is open.") == "The gate is not open."
    assert edits.negate("The gate is not open.") is None


def test_a_name_is_swapped_for_another_of_the_evidence() -> None:
    evidence = "The firm of Anna Vik and the bank of Olaf Berg are in Norway."
    swapped = edits.swap_name("the lawyer Anna Vik signed.", evidence, _rng())
    assert swapped in {"the lawyer Olaf Berg signed.", "the lawyer Norway signed."}


def test_two_names_change_places() -> None:
    assert edits.swap_roles("the king Harald met Sweyn") == "the king Sweyn met Harald"
    assert edits.swap_roles("nobody is named here") is None


def test_small_edits_change_the_claim_and_nothing_else_is_invented() -> None:
    claim, context = "The gate is open at 9 in Norway.", "the gate of Norway and of Sweden"
    made = {
        one
        for seed in range(60)
        for one in edits.edited_claims(claim, context, random.Random(seed))
    }
    assert claim not in made
    assert "The gate is not open at 9 in Norway." in made
    assert "The gate is open at 9 in Sweden." in made
    assert "The gate is closed at 9 in Norway." in made
