"""What a document replaces and what replaces it is told by the words before each reference."""

import pytest

from groundwire.evidence._identity import Identifier
from groundwire.model import DocumentIdentity
from tests.evidence.make import SETTINGS, document

BODY = (
    "\n## Context\n\nThe quay has two cranes and a shed for the winches.\n"
    "\n## Decision\n\nWe keep the winches in the shed over the winter.\n"
)


def identified(status: str, body: str = BODY) -> DocumentIdentity:
    read = document(f"# 9. Winches\n\nStatus: {status}\n{body}", "adr/0009-winches.md")
    return Identifier(SETTINGS).identify(read, "adr/0009-winches.md")


@pytest.mark.parametrize(
    ("status", "replaces", "replaced_by"),
    [
        ("Accepted, supersedes ADR 1", ["adr 1"], []),
        ("Accepted (supersedes ADR 2)", ["adr 2"], []),
        ("Accepted, supersedes [ADR 3](3-c.md) and [5. Ropes](5-e.md)", ["adr 3", "adr 5"], []),
        ("Accepted, replacing ADR-0002", ["adr 2"], []),
        ("Superseded by ADR 3", [], ["adr 3"]),
        ("Superceded by [3. Cranes. Twice](0003-c.md)", [], ["adr 3"]),
        ("[Superseded](0033-ropes.md)", [], ["adr 33"]),
        ("Superseded by [7. How we replaced ropes](0007-r.md)", [], ["adr 7"]),
        ("Replaced (ADR 7)", [], ["adr 7"]),
        ("Superseded: ADR 8", [], ["adr 8"]),
        ("Superseded by 0012", [], ["adr 12"]),
        ("Superseded. See [the other](0012-o.md).", [], ["adr 12"]),
        ("Superseded by ADR 3, which replaces ADR 2", [], ["adr 3"]),
        ("Superseded by ADR 3; see also ADR 2", [], ["adr 3"]),
        ("Supersedes ADR 1. Superseded by ADR 4.", ["adr 1"], ["adr 4"]),
        ("Supersedes ADR 1 and is superseded by ADR 4", ["adr 1"], ["adr 4"]),
    ],
)
def test_the_verb_before_a_reference_says_which_way(
    status: str, replaces: list[str], replaced_by: list[str]
) -> None:
    """ "Supersedes" looks back and "superseded by" forward, wherever in the status they stand."""
    found = identified(status)
    assert [str(key) for key in found.supersedes] == replaces
    assert [str(key) for key in found.superseded_by] == replaced_by


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("Proposed. Would supersede ADR 4 if accepted.", "proposed"),
        ("Proposed; if accepted, supersedes ADR 4", "proposed"),
        ("Accepted. Not superseded by ADR 4.", "accepted"),
        ("Accepted, to be superseded by ADR 4", "accepted"),
        ("Accepted; partially superseded by ADR 14", "accepted"),
        ("Accepted, superseded in part by ADR 14", "accepted"),
        ("Accepted, supersedes section 3 of ADR 2", "accepted"),
    ],
)
def test_what_is_denied_conditional_or_partial_is_no_succession(status: str, state: str) -> None:
    """Only a document that is replaced as a whole, and already, has a successor."""
    found = identified(status)
    assert (found.state, found.supersedes, found.superseded_by) == (state, (), ())


def test_a_label_with_a_full_stop_is_read_in_prose() -> None:
    """A stop before a digit ends no sentence."""
    found = identified("Accepted", BODY + "\nThis record supersedes ADR.12. See ADR.13.\n")
    assert [str(key) for key in found.supersedes] == ["adr 12"]
