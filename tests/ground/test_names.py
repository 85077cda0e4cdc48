"""Which words of a sentence name its causes and effects, and which belong to something else."""

import pytest

from groundwire.ground import draft_edges


def edges_of(text: str) -> list[tuple[str, str]]:
    return [(one.from_var.lower(), one.to_var.lower()) for one in draft_edges(text).edges]


@pytest.mark.parametrize(
    ("text", "cause", "effects"),
    [
        ("The delay caused refunds of 12,000 euros.", "delay", ["refund"]),
        (
            "The freezer stopping caused the loss of 1,200 vaccine doses.",
            "freezer stopping",
            ["loss of vaccine dose"],
        ),
        ("The outage cost the shop $1,250,000.", "outage", ["shop $1,250,000"]),
        (
            "The flood led to losses of 4,500 euros and closed the road.",
            "flood",
            ["loss", "road closed"],
        ),
        ("The hail caused damage of 2,300,000 dollars.", "hail", ["damage"]),
        ("The spill led to fines of 80,000 pounds and delays.", "spill", ["fine", "delay"]),
        ("The virus caused the death of 3,400 laying hens.", "virus", ["death of laying hen"]),
        (
            "The strike led to a backlog of 15,000 parcels, complaints and refunds.",
            "strike",
            ["backlog", "complaint", "refund"],
        ),
    ],
)
def test_a_comma_inside_a_number_separates_nothing(
    text: str, cause: str, effects: list[str]
) -> None:
    """An amount in thousands is one amount, and its digits name no variable."""
    assert edges_of(text) == [(cause, effect) for effect in effects]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        (
            "The St. Olav substation outage caused the tram stop.",
            "st. olav substation outage",
            "tram stop",
        ),
        ("The leak was caused by Dr. Lund.", "dr. lund", "leak"),
        ("The crash was caused by J. Smith.", "j. smith", "crash"),
        (
            "The failure of pump No. 4 caused the flood.",
            "failure of pump no. 4",
            "flood",
        ),
        ("The closed Mt. Baker road led to late trains.", "closed mt. baker road", "late train"),
        ("The alarm was triggered by Prof. Ek.", "prof. ek", "alarm"),
        ("The Elm Ave. water leak caused the sinkhole.", "elm ave. water leak", "sinkhole"),
        (
            "The outage resulted from an untested change by Smith, Jones & Co.",
            "untested change by smith, jones & co",
            "outage",
        ),
        ("The delay was caused by Hart, Bell, Ross & Sons.", "hart, bell, ross & son", "delay"),
        ("The fault was caused by Acme, Inc.", "acme, inc", "fault"),
    ],
)
def test_a_point_inside_a_name_ends_nothing(text: str, cause: str, effect: str) -> None:
    """Abbreviations, initials and the names of firms are read whole."""
    assert edges_of(text) == [(cause, effect)]


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        (
            "Salt shortages led to icy roads, e.g. on Route 9, and to three crashes.",
            ["icy road", "three crash"],
        ),
        ("The frost led to icy roads, e.g., on Route 9, and to delays.", ["icy road", "delay"]),
        ("The strike led to delays, for instance at Oslo, and to refunds.", ["delay", "refund"]),
        ("The frost caused burst pipes, i.e. in the attic, and mould.", ["burst pipe", "mould"]),
        ("The storm caused power cuts, e.g. at Mt. Hood.", ["power cut"]),
        ("The drought led to dry wells, for example in Kent, and to fires.", ["dry well", "fire"]),
    ],
)
def test_an_example_between_commas_names_nothing(text: str, effects: list[str]) -> None:
    """What stands before the aside and what goes on after it are the effects."""
    assert [effect for _, effect in edges_of(text)] == effects


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The latex glove, and not the soap, caused the rash.", "latex glove", "rash"),
        (
            "The delay was due to login failures for patients, not to staff shortage.",
            "login failures for patient",
            "delay",
        ),
        ("Cold, not wind, caused the crack.", "cold", "crack"),
        ("The rash, not the fever, was caused by the glove.", "glove", "rash"),
        ("The fire was caused by a heater, not the wiring.", "heater", "fire"),
        ("The fire was caused by a heater, and not wiring.", "heater", "fire"),
        ("The filter, but not the pump, caused the noise.", "filter", "noise"),
        ("The stain resulted from rust, not from paint.", "rust", "stain"),
        (
            "The delay was due to the decision not to replace the seal.",
            "decision not to replace the seal",
            "delay",
        ),
    ],
)
def test_what_is_set_against_a_cause_is_none(text: str, cause: str, effect: str) -> None:
    """`A, and not B` has A alone; what somebody decided not to do is no contrast."""
    assert edges_of(text) == [(cause, effect)]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        (
            "The ferry was delayed by two hours because the bow thruster lost power.",
            "bow thruster lost power",
            "ferry delayed",
        ),
        (
            "The bus was delayed by an hour because the bridge was closed.",
            "bridge closed",
            "bus delayed",
        ),
        (
            "The opening was delayed by nearly three weeks because the glass broke.",
            "glass broke",
            "opening delayed",
        ),
        (
            "The launch was delayed by twenty-five minutes because of fog.",
            "fog",
            "launch delayed",
        ),
        (
            "Costs were reduced by ten percent because the rate fell.",
            "rate fell",
            "costs reduced",
        ),
        (
            "The exam was delayed by several hours due to a power cut.",
            "power cut",
            "exam delayed",
        ),
        ("The vote was delayed by two trucks.", "two truck", "vote delayed"),
        ("The match was delayed by two days of rain.", "two days of rain", "match delayed"),
    ],
)
def test_by_how_much_is_not_by_what(text: str, cause: str, effect: str) -> None:
    """An amount in words causes nothing; trucks and days of rain do."""
    assert edges_of(text) == [(cause, effect)]


LISTS = [
    (
        (
            "A hose clamp failed, causing the coolant to leak. The coolant leak and high ambient"
            " temperature caused the engine to overheat."
        ),
        "high ambient temperature",
        "coolant",
    ),
    (
        (
            "The rain flooded the yard. The yard flood and the broken pump delayed the trucks."
            " The broken pump also caused the smell."
        ),
        "broken pump",
        "flood",
    ),
    (
        "The strike led to long queues and missed flights. The missed flights caused refunds.",
        "missed flight",
        "queue",
    ),
    ("Dust and damp air caused the short. The dust caused coughing.", "dust", "damp"),
    ("The frost caused burst pipes, icy roads and late trains.", "icy road", "pipe"),
    ("The late shipment was due to snow and a flat tyre.", "flat tyre", "snow"),
]


@pytest.mark.parametrize(("text", "member", "foreign"), LISTS)
def test_a_member_of_a_list_has_its_own_names_alone(text: str, member: str, foreign: str) -> None:
    """Neither the whole list nor another member is another name of it."""
    drafted = draft_edges(text)
    assert member in {name for one in drafted.edges for name in (one.from_var, one.to_var)}
    assert not [one for one in drafted.aliases.get(member, ()) if foreign in one]


def test_a_member_of_a_list_is_what_was_spoken_of_before() -> None:
    """The chain goes through `the coolant leak`: that the coolant leaked was the first effect."""
    assert edges_of(LISTS[0][0]) == [
        ("hose clamp failed", "coolant to leak"),
        ("coolant to leak", "engine to overheat"),
        ("high ambient temperature", "engine to overheat"),
    ]


def test_this_means_all_that_was_listed() -> None:
    """What follows from a list follows from each of its members."""
    text = "The strike caused long queues and missed flights. These troubles led to refunds."
    assert edges_of(text)[2:] == [("long queue", "refund"), ("missed flight", "refund")]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("The gas regulator froze overnight, which led to low pressure.", "gas regulator froze"),
        ("The boiler broke last night, which led to cold rooms.", "boiler broke last night"),
        ("The fridge leaked Monday, which led to mould.", "fridge leaked monday"),
        ("The pump leaked all week, which led to damp.", "pump leaked all week"),
        ("The belt tore yesterday, which led to a stop of the line.", "belt tore"),
        ("The pipe burst early Sunday morning, which led to a flood.", "pipe burst early"),
    ],
)
def test_nothing_is_done_to_a_time(text: str, cause: str) -> None:
    """`Froze overnight` says when: the regulator froze, and no night was frozen."""
    (edge,) = edges_of(text)
    assert edge[0].startswith(cause)
