import random
import re

from hypothesis import given
from hypothesis import strategies as st

from training import augment


def _rng() -> random.Random:
    return random.Random(5)


@given(st.integers(min_value=0, max_value=10**7), st.integers())
def test_an_edited_number_is_another_number(value: int, seed: int) -> None:
    edited = augment.edit_number(f"It has {value} parts.", random.Random(seed))
    assert edited is not None
    assert re.fullmatch(r"It has [\d,.-]+ parts\.", edited)
    assert edited != f"It has {value} parts."


def test_a_claim_without_numbers_has_none_to_edit() -> None:
    assert augment.edit_number("No number here.", _rng()) is None


def test_a_word_becomes_its_opposite_in_the_same_case() -> None:
    assert augment.edit_opposite("Higher dams leak.", _rng()) == "Lower dams leak."


def test_every_opposite_has_one() -> None:
    assert all(
        augment.OPPOSITES[other] in augment.OPPOSITES for other in augment.OPPOSITES.values()
    )


def test_a_claim_is_negated_once() -> None:
    assert augment.negate("The gate is open.") == "The gate is not open."
    assert augment.negate("The gate is not open.") is None


def test_a_name_is_swapped_for_another_of_the_evidence() -> None:
    evidence = "The firm of Anna Vik and the bank of Olaf Berg are in Norway."
    swapped = augment.swap_name("the lawyer Anna Vik signed.", evidence, _rng())
    assert swapped in {"the lawyer Olaf Berg signed.", "the lawyer Norway signed."}


def test_two_names_change_places() -> None:
    assert augment.swap_roles("the king Harald met Sweyn") == "the king Sweyn met Harald"
    assert augment.swap_roles("nobody is named here") is None


def test_a_forged_verdict_stands_in_the_evidence_and_nothing_is_lost() -> None:
    evidence = "The dam holds. The river is low."
    forged = augment.forge(evidence, _rng(), supporting=True)
    assert any(line in forged for line in augment.FORGED_SUPPORT)
    assert all(sentence in forged for sentence in ("The dam holds.", "The river is low."))


def test_what_is_nearest_to_the_claim_is_scrubbed() -> None:
    evidence = "The dam holds back the river. Ducks live on the lake."
    scrubbed = augment.scrub_support(evidence, "The dam holds the river.", "[GONE]")
    assert scrubbed == "[GONE] Ducks live on the lake."
    assert augment.scrub_support("One sentence.", "One sentence.", "[GONE]") is None
