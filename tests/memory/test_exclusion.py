"""When two facts are said to exclude each other."""

import pytest

from groundwire.encoder import memory_calibration
from groundwire.memory._exclusion import exclusion, signs_of
from groundwire.verify import Compared

OPPOSED = Compared(supported=0.03, refuted=0.95, by_value=False)
SILENT = Compared(supported=0.1, refuted=0.1, by_value=False)
SUPPORTED = Compared(supported=0.9, refuted=0.02, by_value=False)


def excludes(first: str, second: str, *said: Compared) -> bool:
    return exclusion(first, second, said) >= memory_calibration().exclusion.threshold


def test_a_refutation_of_the_same_thing_excludes() -> None:
    assert excludes("Anna can swim.", "Anna can never swim.", OPPOSED, OPPOSED)


def test_silence_excludes_nothing_however_much_is_shared() -> None:
    assert not excludes("The pump in Moss is red.", "The pump in Moss is loud.", SILENT, SILENT)


def test_the_same_in_other_words_excludes_nothing() -> None:
    assert not excludes("Two cartons were wet.", "Two of the cartons were wet.", SUPPORTED, OPPOSED)


def test_another_value_excludes_whatever_the_wording_supports() -> None:
    by_value = SUPPORTED._replace(by_value=True, refuted=0.4)
    assert excludes("The mast is 42 m high.", "The mast is 40 m high.", by_value, by_value)


@pytest.mark.parametrize("said", [(OPPOSED, SILENT), (SILENT, OPPOSED), (OPPOSED, OPPOSED)])
def test_the_order_of_two_facts_changes_nothing(said: tuple[Compared, Compared]) -> None:
    there = signs_of("The gate is open.", "The gate stays shut.", said)
    assert there == signs_of("The gate stays shut.", "The gate is open.", said[::-1])
