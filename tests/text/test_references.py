"""Things that a text names once and then speaks of as known."""

import pytest

from groundwire.text import bare_mentions, name_of


@pytest.mark.parametrize(
    ("sentence", "heads"),
    [
        ("The boat is hired until the wharf closes.", ["boat", "wharf"]),
        ("A deposit is held until the boat has been looked over.", ["boat"]),
        ("The control centre is in Halden.", []),
        ("The boats and the Patience are old.", ["boats"]),
        ("It left.", []),
    ],
)
def test_a_mention_is_bare_where_nothing_says_which(sentence: str, heads: list[str]) -> None:
    assert [one.head for one in bare_mentions(sentence)] == heads


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (["Vik substation: yearly report"], "Vik substation"),
        (["Notes on substation 9 and its fence."], "substation 9"),
        (["The old Vik substation.", "Vik substation is new."], "old Vik substation"),
        (["Vik substation", "Solberg substation"], None),
        (["Halden has 14 substations.", "There is a substation."], None),
        ([], None),
    ],
)
def test_a_name_is_told_where_there_is_only_one(said: list[str], name: str | None) -> None:
    """Two substations are named: which is meant nobody can say for sure."""
    (mention,) = bare_mentions("It ends where the substation is.")
    assert name_of(mention, said) == name
