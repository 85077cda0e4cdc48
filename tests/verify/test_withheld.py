"""Only what a source asserts shows that something is so, in whatever words it is left open."""

import pytest

from groundwire import Engine
from groundwire.config import load_config
from groundwire.judge import EmbeddedBackend, Question

# a claim, a sentence that leaves it open, and one that states it
CASES = [
    (
        "The town built a skate park.",
        "The youth club wants the town to build a skate park.",
        "The town has built a skate park, as the youth club wanted.",
    ),
    (
        "The gearbox was replaced.",
        "The dealer offered to replace the gearbox.",
        "The dealer replaced the gearbox.",
    ),
    (
        "The parcel was sent to Leeds.",
        "Please send the parcel to Leeds.",
        "We sent the parcel to Leeds.",
    ),
    (
        "The north wall was painted.",
        "The north wall was due to be painted.",
        "The north wall was painted on Monday.",
    ),
    (
        "The pilot landed the plane on the river.",
        "Had the pilot landed the plane on the river, nobody would have been hurt.",
        "The pilot landed the plane on the river, and nobody was hurt.",
    ),
    (
        "The orchestra hired a new conductor.",
        "The orchestra hopes to hire a new conductor.",
        "The orchestra has hired a new conductor.",
    ),
    (
        "The warehouse was moved to the harbour.",
        "It has been proposed that the warehouse be moved to the harbour.",
        "The warehouse was moved to the harbour in spring.",
    ),
    (
        "The bakery opened a second shop.",
        "Should the bakery open a second shop, it will need more staff.",
        "The bakery opened a second shop and hired more staff.",
    ),
    (
        "Applicants must submit two references.",
        "We plan to require two references from 2027.",
        "Applicants are required to submit two references.",
    ),
    (
        "Patients must fast for eight hours before the scan.",
        "It was suggested that patients should fast for eight hours before the scan.",
        "Patients are to fast for eight hours before the scan.",
    ),
    (
        "Keys have to be returned before 6 pm.",
        "The board intends to require that keys be returned before 6 pm.",
        "Please return keys before 6 pm.",
    ),
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(load_config(environ={}, overrides={"audit.enabled": False}).config)


@pytest.mark.parametrize(("claim", "left_open", "_"), CASES)
def test_what_is_left_open_grounds_nothing(
    engine: Engine, claim: str, left_open: str, _: str
) -> None:
    result = engine.verify_claim_sync(claim, left_open)
    assert result.status == "unsupported"


@pytest.mark.parametrize(("claim", "_", "stated"), CASES)
def test_what_is_stated_grounds(engine: Engine, claim: str, _: str, stated: str) -> None:
    assert engine.verify_claim_sync(claim, stated).status == "grounded"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The youth club wants a skate park.", "The youth club wants the town to build one."),
        ("The dealer offered to replace the gearbox.", "The dealer offered a new gearbox."),
        ("Helmets are compulsory.", "Visitors must wear a helmet."),
        ("Nurses are forbidden to change the dose.", "Nurses may not change the dose."),
        ("The bridge is planned to open in May.", "The bridge will open in May."),
    ],
)
def test_a_claim_of_the_same_mode_is_not_held_back(
    engine: Engine, claim: str, sentence: str
) -> None:
    assert engine.verify_claim_sync(claim, sentence).reason != "not_asserted"


@pytest.mark.anyio
async def test_what_is_said_word_for_word_is_never_withheld() -> None:
    said = [stated for _, left_open, stated in CASES for stated in (left_open, stated)]
    asked = [Question(claim=one, context=one) for one in said]
    assert not any(await EmbeddedBackend(threads=1).withholds(asked))


@pytest.mark.parametrize(
    "sentence",
    [
        "A post going round says that the Sunday ferry to Skarn has been withdrawn.",
        "Please withdraw the Sunday ferry to Skarn.",
        "Should the Sunday ferry to Skarn be withdrawn, buses will run.",
    ],
)
def test_equal_values_confirm_only_what_is_put_forward(engine: Engine, sentence: str) -> None:
    """A rumour has every value of what it says."""
    claim = "The Sunday ferry to Skarn has been withdrawn."
    assert engine.verify_claim_sync(claim, sentence).status != "grounded"


def test_whoever_ticks_a_task_says_that_it_is_done(engine: Engine) -> None:
    page = "Opening list, Saturday\n\n[x] lap bars checked by hand\n[ ] emergency stop tried"
    assert engine.verify_claim_sync("The lap bars were checked by hand.", page).status == "grounded"
    left = engine.verify_claim_sync("The emergency stop was tried.", page)
    assert left.status == "unsupported"


def test_a_title_names_and_says_nothing(engine: Engine) -> None:
    page = "Ticket 9052, parking app\n\nThe user could not find the receipt."
    claim = "Tickets bought in the parking app stay valid on Monday."
    assert engine.verify_claim_sync(claim, page).status == "unsupported"


def test_a_comparison_and_its_opposite_are_not_both_so(engine: Engine) -> None:
    """A judge that finds both to be so has not compared the numbers."""
    said = "Mortality was 4.2 % with the drug versus 6.8 % with placebo."
    claims = [
        f"Mortality was {word} with the drug than with placebo." for word in ("higher", "lower")
    ]
    assert [engine.verify_claim_sync(one, said).status for one in claims].count("grounded") < 2


@pytest.mark.parametrize(
    ("page", "claim"),
    [
        ("## Rescue kit\n\n- a torch\n- two spare batteries", "The kit has a torch."),
        ("## Ferry\n\n- free cancellation until noon", "Tickets can be cancelled until noon."),
        ("## Lobby\n\n- a lift to all floors", "There is a lift to all floors."),
        ("## On board\n\n- hot showers", "There are hot showers on board."),
    ],
)
def test_a_bare_name_is_as_sure_as_what_heads_it(engine: Engine, page: str, claim: str) -> None:
    assert engine.verify_claim_sync(claim, page).reason != "not_asserted"
    ideas = page.replace(page.splitlines()[0], "## Ideas for next year")
    assert engine.verify_claim_sync(claim, ideas).status != "grounded"


RECORDS = [
    (
        "Sensor node R4 has 512 KiB of flash for logging.",
        "Board sheet, sensor node R4",
        "Flash for logging: 512 KiB, soldered.",
    ),
    (
        "The milk in churn 8 contained 0.3 % fat.",
        "Result slip, skimmed milk, churn 8",
        "Fat: 0.3 %",
    ),
]


@pytest.mark.parametrize(("claim", "heading", "line"), RECORDS)
def test_a_line_of_a_record_states_its_value(
    engine: Engine, claim: str, heading: str, line: str
) -> None:
    """It has no verb that says so, and no cell of a table has one."""
    text = f"{heading}\n\n{line}\n\nThe case was closed again."
    assert engine.verify_claim_sync(claim, [text]).status == "grounded"


def test_a_goal_is_no_record(engine: Engine) -> None:
    text = "Brackwater Tannery\n\nGoal: 40 litres of water for each hide."
    found = engine.verify_claim_sync("The tannery uses 40 litres of water for each hide.", [text])
    assert found.status != "grounded"


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("Tours daily at 11:00 and 15:00 (45 minutes).", "There are tours every day at 11:00."),
        ("Milk round from 5:30, eggs on Fridays only.", "Eggs come only on Fridays."),
    ],
)
def test_a_line_without_a_verb_may_have_a_time_of_day(
    engine: Engine, line: str, claim: str
) -> None:
    """The colon of a clock makes no label."""
    page = f"Visitors' leaflet\n\nThe barn is open to all. {line} Dogs stay outside."
    assert engine.verify_claim_sync(claim, page).reason != "not_asserted"


@pytest.mark.parametrize("claim", ["I looked into it.", "She agreed.", "It went well."])
def test_what_says_next_to_nothing_is_not_borne_out_by_other_words(
    engine: Engine, claim: str
) -> None:
    """A claim of one or two words that no sentence has can be read into anything."""
    page = "The depot has six bays. Two of them are closed for repairs until June."
    assert engine.verify_claim_sync(claim, page).status == "unsupported"
