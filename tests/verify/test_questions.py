"""A judge is asked in the source's spelling of an equal value, and in the claim's."""

import pytest

from groundwire.claims import read_claim
from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle
from groundwire.verify._case import Case

# a claim, a sentence with the same value, and the claim as the source writes it
CASES = [
    ("The cast stays on for 42 days.", "You will wear the cast for six weeks.", "six weeks"),
    ("The cellar is kept at 50 \u00b0F.", "The cellar is held at 10 \u00b0C.", "10 \u00b0C"),
    ("A kilobyte costs eight cents.", "We charge $0.08 per kilobyte.", "$0.08"),
    ("The film runs for 1.75 hours.", "The film lasts 105 minutes.", "105 minutes"),
    ("The field has 25,000 square metres.", "The field measures 2.5 ha.", "2.5 ha"),
    ("The baker sold ten dozen rolls.", "The baker sold 120 rolls.", "120"),
    ("The train leaves at 4:20 p.m.", "The train leaves at 16:20.", "16:20"),
    ("The pipe is 300 mm wide.", "The pipe has a width of 0.3 m.", "0.3 m"),
    ("The bank lent EUR 2,000,000.", "The bank lent us 2 million euros.", "2 million euros"),
    ("The chip has 2,048 KiB of cache.", "The chip comes with a cache of 2 MiB.", "2 MiB"),
]


def asked(claim: str, text: str) -> list[tuple[str, str]]:
    evidence = Evidence([EvidenceBundle.of(text, "document")])
    case = Case(read_claim(claim), evidence, 400, scope=None)
    return [(one.claim, one.context) for one in case.questions(case.places)]


@pytest.mark.parametrize(("claim", "text", "spelled"), CASES)
def test_equal_values_are_asked_in_both_spellings(claim: str, text: str, spelled: str) -> None:
    in_source, in_claim = asked(claim, text)
    assert spelled in in_source[0]
    assert in_source[1] == text
    assert in_claim[0] == claim
    assert in_claim[1] != text


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The cast stays on for 60 days.", "You will wear the cast for six weeks."),
        ("The pipe is 300 mm wide.", "The pipe has a width of 300 mm."),
        ("The pipe is wide.", "The pipe has a width of 0.3 m."),
    ],
)
def test_what_is_not_equal_or_written_alike_is_asked_once(claim: str, text: str) -> None:
    assert asked(claim, text) == [(claim, text)]
