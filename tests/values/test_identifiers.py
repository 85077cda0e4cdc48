import pytest

from groundwire.values import Identifier, values_in


def one(text: str) -> Identifier:
    (identifier,) = [value for value in values_in(text) if isinstance(value, Identifier)]
    return identifier


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see ADR-0012 for why", "ADR-0012"),
        ("see ADR.12 for why", "ADR.12"),
        ("tracked as CVE-2024-1234.", "CVE-2024-1234"),
        ("under ISO 9001", "ISO 9001"),
        ("in RFC 7231,", "RFC 7231"),
        ("since v2.3.1", "v2.3.1"),
        ("release 2.3", "release 2.3"),
        ("of COVID-19", "COVID-19"),
        ("the H5N1 strain", "H5N1"),
        ("antibody 2B04", "2B04"),
        ("issue #123", "#123"),
        ("as section 3.2 says", "section 3.2"),
        ("at 192.168.0.1", "192.168.0.1"),
        ("a 5G mast", "5G"),
        ("card 4111111111111111", "4111111111111111"),
        ("part PX-4711/B", "PX-4711/B"),
    ],
)
def test_identifiers_are_found_whole(text: str, found: str) -> None:
    assert one(text).text == found


@pytest.mark.parametrize(
    ("one_way", "another"),
    [
        ("ADR-0012", "ADR.12"),
        ("CVE-2024-1234", "cve-2024-1234"),
        ("RFC 7231", "RFC-7231"),
        ("v2.3.1", "V2.3.1"),
    ],
)
def test_punctuation_case_and_zeros_do_not_matter(one_way: str, another: str) -> None:
    assert one(one_way).key == one(another).key


def test_identifiers_of_one_shape_are_a_family() -> None:
    assert one("CVE-2024-1234").family == one("CVE-2023-99").family
    assert one("CVE-2024-1234").family != one("ADR-12").family


@pytest.mark.parametrize("text", ["25-year-old", "mid-1990s", "10-20", "Rs.500", "1.2k", "19th"])
def test_numbers_and_dates_are_no_identifiers(text: str) -> None:
    assert not [value for value in values_in(text) if isinstance(value, Identifier)]
