import pytest
from hypothesis import given, strategies as st

from groundwire.ground import read_causal

ASSERTED = [
    ("The memory leak caused the server to crash.", "The memory leak", "the server to crash"),
    ("The crash was mainly caused by a leak.", "a leak", "The crash"),
    ("The outage stemmed from a bad deploy.", "a bad deploy", "The outage"),
    ("Due to a missing setting, the pods were restarted.", "a missing setting", "the pods were"),
    ("Because the key had expired, clients failed.", "the key had expired", "clients failed"),
    ("Clients failed because the key had expired.", "the key had expired", "Clients failed"),
    ("Since the disk was full, writes failed.", "the disk was full", "writes failed"),
    ("The cause of the outage was an expired key.", "an expired key", "the outage"),
    ("An expired key was the root cause of the outage.", "An expired key", "the outage"),
    ("The disk filled up, so the database stopped.", "The disk filled up", "the database stopped"),
    ("The disk filled up; therefore writes failed.", "The disk filled up", "writes failed"),
    ("After the upgrade, a race triggered the failover.", "a race", "the failover"),
    ("The leak, which came on Monday, caused timeouts.", "The leak", "timeouts"),
    ("The leak, in turn, caused timeouts.", "The leak", "timeouts"),
    ("We reverted the change that caused the outage.", "the change", "the outage"),
    ("The team found that low voltage results in faults.", "low voltage", "faults"),
    ("It was the cache that caused the delay.", "the cache", "the delay"),
    ("The cache is responsible for the delay.", "The cache", "the delay"),
    ("The delay leads directly to complaints.", "The delay", "complaints"),
    ("The delay has a direct effect on complaints.", "The delay", "complaints"),
    ("The delay owes its length to the cache.", "the cache", "The delay"),
    ("The delay was caused by the cache, not by the disk.", "the cache", "The delay"),
    ("On those nodes the raised ceiling was a result of voting.", "voting", "the raised ceiling"),
    ("At the end of the day the broker caused the delay.", "the broker", "the delay"),
    ("leak → crash", "leak", "crash"),
    ("Pods were crash looping, this is due to the plugin.", "the plugin", "Pods were crash"),
]
DENIED = [
    "A full disk did not cause the outage.",
    "The outage was not caused by the full disk.",
    "A full disk was never the cause of the outage.",
    "There is no evidence that a full disk causes the outage.",
    "We ruled out a full disk as the cause of the outage.",
    "No full disk caused the outage.",
    "The alarm failed to trigger the outage.",
    "The outage was caused by anything but a full disk.",
]
SUPPOSED = [
    "A full disk may have caused the outage.",
    "If the disk fills up, it causes an outage.",
    "Did a full disk cause the outage?",
    "It is unclear whether a full disk causes the outage.",
    "Some suspect that a full disk caused the outage.",
    "The leak could fill the disk, causing an outage.",
    "The outage was possibly due to a full disk.",
    "The rule is meant to trigger an outage.",
    "Is a full disk causing the outage",
    "Probably we can cause an outage.",
]
CORRELATED = [
    "Disk usage is correlated with load.",
    "High load coincided with slow queries.",
    "Load and disk usage rose together.",
    "Fireworks and lost links happened at the same time.",
    "Disk usage was recorded alongside load.",
    "Slow queries occurred shortly after the upgrade.",
]
NOT_READ = [
    "The increased load was noted.",
    "Latency increased to 400 ms.",
    "The impact was small and the trigger unknown.",
    "We raised a ticket.",
    "Since Monday the disk has been full.",
    "Degraded performance",
]


@pytest.mark.parametrize(("sentence", "cause", "effect"), ASSERTED)
def test_direction_is_read_from_the_construction(sentence: str, cause: str, effect: str) -> None:
    (reading,) = read_causal(sentence)
    assert reading.is_asserted_cause
    assert reading.cause == cause
    assert reading.effect.startswith(effect)
    assert reading.span.of(sentence) == sentence


@pytest.mark.parametrize("sentence", DENIED)
def test_what_is_denied_is_read_as_denied(sentence: str) -> None:
    assert {reading.mood for reading in read_causal(sentence)} == {"negated"}


@pytest.mark.parametrize("sentence", SUPPOSED)
def test_what_is_only_supposed_is_read_as_supposed(sentence: str) -> None:
    assert {reading.mood for reading in read_causal(sentence)} == {"hypothetical"}


@pytest.mark.parametrize("sentence", CORRELATED)
def test_things_that_go_together_are_kept_apart_from_causes(sentence: str) -> None:
    assert {reading.relation for reading in read_causal(sentence)} == {"correlates"}


@pytest.mark.parametrize("sentence", NOT_READ)
def test_words_that_only_look_causal_say_nothing(sentence: str) -> None:
    assert read_causal(sentence) == ()


def test_what_is_kept_from_happening_did_not_happen() -> None:
    readings = read_causal("The rule keeps the outage from being triggered by a full disk.")
    assert {one.mood for one in readings if one.relation == "causes"} == {"negated"}


def test_a_chain_is_read_link_by_link() -> None:
    readings = read_causal("A leak led to a crash, which resulted in downtime.")
    assert [(one.cause, one.effect) for one in readings] == [
        ("A leak", "a crash"),
        ("a crash", "downtime"),
    ]


def test_two_verbs_may_share_a_subject() -> None:
    readings = read_causal("A retry storm triggered throttling and caused timeouts.")
    assert [(one.cause, one.effect) for one in readings] == [
        ("A retry storm", "throttling"),
        ("A retry storm", "timeouts"),
    ]


def test_what_is_prevented_keeps_its_name_and_the_edge_has_the_sign() -> None:
    """The effect is named as it would be; that it does not happen is the edge's sign."""
    (reading,) = read_causal("The rule prevented the pods from starting.")
    assert (reading.relation, reading.effect) == ("prevents", "the pods starting")
    assert reading.sign == "prevents"


@pytest.mark.parametrize("second", ["This caused an outage.", "As a result, writes failed."])
def test_a_sentence_that_points_back_is_quoted_with_the_one_before(second: str) -> None:
    text = f"It rained. The disk filled up. {second}"
    (reading,) = read_causal(text)
    assert reading.cause == "The disk filled up"
    assert reading.span.of(text) == f"The disk filled up. {second}"


def test_the_incident_is_what_the_title_names() -> None:
    title = "Incident on 2022-07-11 - Slow ingress"
    (reading,) = read_causal("The incident was caused by a missing setting.", title)
    assert (reading.cause, reading.effect) == ("a missing setting", "Slow ingress")


def test_quotes_are_the_words_of_the_source_with_their_markup() -> None:
    text = "- **Cause**: the *full disk* led to `write errors`.\n\n```\na -> b\n```\n"
    (reading,) = read_causal(text)
    assert reading.span.of(text) == "**Cause**: the *full disk* led to `write errors`."
    assert (reading.cause, reading.effect) == ("the full disk", "write errors")


_WORDS = st.sampled_from(
    """the a disk leak crash caused by led to because , . ; ? not may which and This due of was is
    prevented from -> correlated with If Since therefore :""".split()
)


@given(st.one_of(st.text(max_size=300), st.lists(_WORDS, max_size=40).map(" ".join)))
def test_any_text_is_read_without_fail_and_within_its_bounds(text: str) -> None:
    for reading in read_causal(text, text):
        assert 0 <= reading.span.start < reading.span.end <= len(text)
        assert reading.cause
        assert reading.effect


@pytest.mark.parametrize(
    "sentence",
    [
        "Next term a second approval will keep slips like this from reaching all schools.",
        "From March on an alarm will prevent a silent stop of the dehumidifier.",
        "The new filter will reduce the noise.",
        "We are going to fit a valve that prevents backflow.",
    ],
)
def test_what_is_planned_has_caused_nothing(sentence: str) -> None:
    """A report tells its plans beside its causes."""
    assert not any(reading.is_asserted_cause for reading in read_causal(sentence))
