from itertools import pairwise

import pytest

from groundwire.ground import draft_edges, read_causal

CHAIN = """# Slow tills

A new receipt template doubled the size of each receipt. The larger receipts filled the print queue,
and the full print queue delayed the tills. As a result, customers walked out.
"""


def drafted(text: str) -> list[tuple[str, str, str]]:
    return [(edge.from_var, edge.sign, edge.to_var) for edge in draft_edges(text).edges]


def test_a_chain_told_in_several_sentences_hangs_together() -> None:
    """What one sentence gives as effect is the cause in the next, under one name."""
    edges = drafted(CHAIN)
    assert len(edges) >= 3
    assert all(one[2] == other[0] for one, other in pairwise(edges[1:]))


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The pump failed. It flooded the cellar.", "pump failed", "cellar flooded"),
        (
            "The crew sorted by hand. Hand sorting delayed the trucks.",
            "hand sorting",
            "trucks delayed",
        ),
        (
            "The server began to evict live sessions. The evictions forced members to log in.",
            "eviction",
            "members to log in",
        ),
        ("A valve stuck, and this forced the plant to stop.", "valve stuck", "plant to stop"),
    ],
)
def test_a_later_mention_means_the_event_before_it(text: str, cause: str, effect: str) -> None:
    """Pronouns, nouns made of verbs and definite phrases take up what was said."""
    reading = next(one for one in read_causal(text) if one.effect.lower().endswith(effect[-6:]))
    assert any(cause in name.lower() for name in reading.cause_names)
    assert reading.mood == "asserted"


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("The restart stopped the evictions.", "prevents"),
        ("The filter protected the pump from clogging.", "prevents"),
        ("Extra coolant reduced the vibration.", "lowers"),
        ("Extra coolant brought the vibration down.", "lowers"),
        ("The surge tripped the breaker.", "raises"),
    ],
)
def test_an_edge_has_the_sign_of_its_verb(text: str, sign: str) -> None:
    """Ending, lessening and bringing about are told apart."""
    (reading,) = read_causal(text)
    assert reading.sign == sign


@pytest.mark.parametrize(
    "text",
    [
        "The outage was independent of the firmware update.",
        "The theory that a leak flooded the hall has been discarded.",
        "A burst main was considered as a cause of the low pressure and excluded later.",
        "We are still looking into what made the belt stop.",
        "Did the alarm test slow down the network?",
        "Next month we want to fit a seal, which should stop leaks for good.",
        "`update -> filter -> page` is the order of the steps.",
        "Our suspect was the balancer; replaying gave the same picture, so we ruled it out.",
        "## Next steps\n\n- Add a second cache so that a full cache logs nobody out.",
    ],
)
def test_what_is_dismissed_asked_or_planned_drafts_nothing(text: str) -> None:
    """None of these says that one thing brought about another."""
    assert draft_edges(text).edges == ()


def test_a_list_of_consequences_belongs_to_what_introduces_it() -> None:
    """`it` in each item is the subject of the sentence before the colon."""
    text = (
        "The loss of power had two consequences:\n\n- it stopped the fans;\n- it dimmed the hall.\n"
    )
    causes = {one.cause for one in read_causal(text)}
    assert causes == {"The loss of power"}


def test_names_are_not_cut_in_the_middle() -> None:
    """A long clause keeps its verb and its object."""
    text = "The trucks were late; therefore customers on the islands got their parcels a day late."
    ((_, _, effect),) = drafted(text)
    assert effect == "customers on the islands got their parcels a day late"
