import pytest

from groundwire.values import Quantity, confirms, excludes, quantities_in


def one(text: str) -> Quantity:
    (quantity,) = quantities_in(text)
    return quantity


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("1,187", "about 1,200"),
        ("1,187", "1.2k"),
        ("1,187", "more than 1,000"),
        ("1,187", "under 1,200"),
        ("1,187", "1,100-1,300"),
        ("0.725 V", "725 mV"),
        ("0.7251 V", "725 mV"),
        ("33.4%", "a third"),
        ("25%", "one in four"),
        ("$412.5 million", "$412 million"),
        ("1.524 m", "5 ft"),
    ],
)
def test_more_precise_evidence_confirms(evidence: str, claim: str) -> None:
    assert confirms(one(evidence), one(claim))
    assert not excludes(one(evidence), one(claim))


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("between 12 and 15", "10 to 20"),
        ("2-8 °C", "2-25 °C"),
        ("600", "a thousand"),
        ("1,400", "a thousand"),
        ("60 mg", "a hundred milligrams"),
        ("3 weeks", "a fortnight"),
        ("1.6 kg", "2 kg"),
        ("1.4 million", "a million"),
    ],
)
def test_what_is_wider_or_rounded_away_neither_confirms_nor_excludes(
    evidence: str, claim: str
) -> None:
    """Another range, or a round number far off, is left for others to judge."""
    assert not confirms(one(evidence), one(claim))
    assert not excludes(one(evidence), one(claim))


def test_nearly_is_short_of_a_number() -> None:
    """Fifty-two are not nearly fifty, forty-eight are."""
    assert confirms(one("48"), one("nearly 50"))
    assert excludes(one("52"), one("almost 50"))
    assert not confirms(one("40"), one("nearly 50"))


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("1.2k", "1,187"),
        ("about 1,200", "1,187"),
        ("1,187", "1,200"),
        ("2.9 million", "2 million"),
        ("more than 100", "150"),
        ("more than 100", "more than 200"),
        ("more than 150", "more than 100"),
        ("within 24 hours", "within 72 hours"),
        ("up to 20", "15"),
        ("1.200", "1,200"),
        ("2 metres", "6 feet"),
    ],
)
def test_what_leaves_room_neither_confirms_nor_excludes(evidence: str, claim: str) -> None:
    assert not confirms(one(evidence), one(claim))
    assert not excludes(one(evidence), one(claim))


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("1,187", "1,817"),
        ("12", "13"),
        ("90", "more than 100"),
        ("150", "under 100"),
        ("25", "10-20"),
        ("0.725 V", "925 mV"),
        ("14.3 million", "14.3 billion"),
        ("42 days", "42 months"),
        ("73%", "74%"),
        ("12,000", "about 21,000"),
        ("1.8 hectares", "1,800 square metres"),
        ("2.4 t", "2,400 g"),
        ("11 months", "more than a year"),
        ("55 minutes", "over an hour"),
        ("9 days", "less than a week"),
        ("1.5 km", "1,500 mm"),
    ],
)
def test_values_with_nothing_in_common_exclude_each_other(evidence: str, claim: str) -> None:
    assert excludes(one(evidence), one(claim))
    assert not confirms(one(evidence), one(claim))


def test_different_dimensions_say_nothing_about_each_other() -> None:
    assert not excludes(one("5 km"), one("7 kg"))
    assert not confirms(one("5 km"), one("5 kg"))
