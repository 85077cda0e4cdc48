from collections.abc import Sequence
from itertools import pairwise

import pytest

from groundwire.ground import draft_edges, read_causal
from groundwire.ground._alike import Alike

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


class Taught:
    """Phrases are as near as the test says; others are not near at all. What the judge finds told
    is given apart, as words of the later and the earlier phrase."""

    def __init__(self, *told: tuple[str, str], **near: float) -> None:
        self._near = near
        self._told = told
        self.asked: list[str] = []

    def told(self, phrase: str, others: Sequence[str]) -> list[float]:
        self.asked.append(phrase)
        return [
            max((0.9 for later, one in self._told if later in phrase and one in other), default=0.1)
            for other in others
        ]

    def near(self, phrase: str, others: Sequence[str]) -> list[float]:
        def said(pair: str, one: str) -> bool:
            first, second = pair.split("_")
            return (first in phrase and second in one) or (second in phrase and first in one)

        return [
            max(
                (score for pair, score in self._near.items() if said(pair, one)),
                default=0.0,
            )
            for one in others
        ]


def _causes(text: str, alike: Alike) -> dict[str, tuple[str, ...]]:
    found = read_causal(text, alike=alike)
    return {one.effect: one.cause_names for one in found if one.is_asserted_cause}


NEXT = "The frost cracked the water pipe. A trickle in the pipe stopped the mill."


def test_what_a_sentence_starts_from_is_what_the_last_one_ended_with() -> None:
    """Where a word is taken up and the two are near in meaning."""
    joined = _causes(NEXT, Taught(cracked_trickle=0.7))
    apart = _causes(NEXT, Taught(cracked_trickle=0.3))
    (effect,) = (one for one in joined if "mill" in one)
    assert any("cracked" in name for name in joined[effect])
    assert not any("cracked" in name for name in apart[effect])


FAR = (
    "Dew had settled in the fuel. The pump ran at night. The water in the fuel stalled the engine."
)


@pytest.mark.parametrize(
    ("near", "is_joined"),
    [
        ({"Dew_water": 0.8}, True),
        ({"Dew_water": 0.5}, False),
        ({"Dew_water": 0.8, "pump_water": 0.75}, False),
    ],
)
def test_a_noun_with_its_article_means_what_is_by_far_the_nearest(
    near: dict[str, float],
    is_joined: bool,  # noqa: FBT001
) -> None:
    """Near enough, and much nearer than anything else."""
    lowered = {key.lower(): value for key, value in near.items()}
    found = _causes(FAR, Taught(**lowered))
    (names,) = (names for effect, names in found.items() if "engine" in effect)
    assert any("Dew" in name for name in names) == is_joined


def test_a_noun_of_the_same_head_is_another_thing() -> None:
    """`the spare boiler` is not the boiler that leaked, however near the two are."""
    text = "Rust holed the old boiler. The spare boiler flooded the yard."
    found = _causes(text, Taught(boiler_spare=0.95, rust_spare=0.0))
    (names,) = (names for effect, names in found.items() if "yard" in effect)
    assert names == ("The spare boiler",)


THROTTLED = "Weeds are choking the intake. The weak flow starved the mill."


def test_what_the_judge_finds_told_before_is_the_same_event() -> None:
    """`There was the weak flow` follows from `the intake choked`, whatever the words."""
    joined = _causes(THROTTLED, Taught(("weak flow", "intake"), flow_intake=0.45))
    apart = _causes(THROTTLED, Taught(flow_intake=0.45))
    (effect,) = (one for one in joined if "mill" in one)
    assert any("intake" in name for name in joined[effect])
    assert not any("intake" in name for name in apart[effect])


def test_the_judge_is_not_believed_about_what_is_far_off() -> None:
    """Of a lone noun it believes too much: `the fleece` after `the cucumbers wilted`."""
    judge = Taught(("weak flow", "intake"), flow_intake=0.3)
    apart = _causes(THROTTLED, judge)
    (effect,) = (one for one in apart if "mill" in one)
    assert not any("intake" in name for name in apart[effect])


@pytest.mark.parametrize(
    ("text", "thing", "earlier"),
    [
        (
            "The new lane increased congestion. Higher speed increases the risk of skidding.",
            "Higher speed",
            "congestion",
        ),
        ("The dam raised the level. Greater weight increases wear.", "Greater weight", "level"),
        ("The fan slowed cooling. Low humidity increases static.", "Low humidity", "cooling"),
        ("The tax raised prices. Longer routes increase fuel use.", "Longer routes", "prices"),
        ("The sale increased demand. Bad roads delay deliveries.", "Bad roads", "demand"),
        ("The wind increased noise. Loose tiles increase damage.", "Loose tiles", "noise"),
    ],
)
def test_a_thing_with_a_name_of_its_own_is_no_earlier_event(
    text: str, thing: str, earlier: str
) -> None:
    """Without an article it is brought up, whatever the judge would say of it."""
    near = {f"{thing.split()[1]}_{earlier}": 0.6}
    found = _causes(text, Taught((thing, earlier), **near))
    assert [names for names in found.values() if thing in names] == [(thing,)]


def test_what_somebody_did_is_not_what_was_told_before() -> None:
    """`Removing the weeds` is news, however near to `weeds are choking the intake`."""
    judge = Taught(("Removing", "intake"), weeds_intake=0.9)
    _causes("Weeds are choking the intake. Removing the weeds woke the mill.", judge)
    assert not any("Removing" in one for one in judge.asked)


def test_the_judge_is_not_asked_about_what_is_brought_up() -> None:
    """`A weak flow` is news."""
    judge = Taught(("weak flow", "intake"), flow_intake=0.45)
    _causes(THROTTLED.replace("The weak", "A weak"), judge)
    assert not any("flow" in one for one in judge.asked)


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        ("The flue cracked, so the fan stopped. The stoppage caused a fire.", "stopped"),
        ("The hatch broke, so sea water rushed in. The inrush caused a list.", "rushed in"),
        ("The sun rose, so the snow melted. The meltwater caused a flood.", "melted"),
        (
            "The key bent, so the gate was stuck halfway. The half-shut gate caused a jam.",
            "halfway",
        ),
        ("The damper broke, so the oven cooled. This chill caused the cracks.", "cooled"),
        ("The damper broke, so the oven cooled. Chill of this kind caused the cracks.", "cooled"),
    ],
)
def test_an_event_is_taken_up_as_a_noun(text: str, earlier: str) -> None:
    last = [one for one in read_causal(text) if one.is_asserted_cause][-1]
    assert any(earlier in name for name in last.cause_names), last.cause_names


def test_what_was_found_is_known_later() -> None:
    text = "The cook sieved the flour and found splinters of glass. The splinters caused the cuts."
    last = [one for one in read_causal(text) if one.is_asserted_cause][-1]
    assert "splinters of glass" in last.cause_names


def test_what_is_lessened_and_goes_on_to_cause_is_a_state() -> None:
    """It lowered the level, and the low level did the rest: that it was low was brought about."""
    goes_on = "The leak lowered the oil level. The low oil level ruined the bearing."
    ends = "The new valve lowered the oil level. The bearing was fine."
    assert [one.sign for one in read_causal(goes_on)] == ["raises", "raises"]
    assert [one.sign for one in read_causal(ends)] == ["lowers"]


def test_a_name_that_is_cut_is_kept_whole_beside_its_label() -> None:
    edges = draft_edges("The stops used up the margin before the vans leave.")
    (others,) = (names for label, names in edges.aliases.items() if "margin" in label)
    assert any("before the vans leave" in name for name in others)


def test_it_before_its_noun_is_that_noun() -> None:
    """`Once it had tripped, the relay cut the pump`."""
    (reading,) = read_causal("Once it had tripped, the relay cut the feed to the pump.")
    assert reading.cause == "the relay had tripped"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("The caps were old. They leaked because the rubber was dry.", "The caps leaked because"),
        ("The hum grew. It stemmed from a loose strap.", "The hum grew. It stemmed"),
        ("The belt tore. Because the roller was bent.", "The belt tore because the roller"),
        ("A guest slipped on the step. Ice was the culprit.", "A guest slipped on the step. Ice"),
    ],
)
def test_a_sentence_is_judged_with_what_its_pronouns_mean(text: str, meant: str) -> None:
    last = [one for one in read_causal(text) if one.is_asserted_cause][-1]
    assert last.sentence.startswith(meant)
