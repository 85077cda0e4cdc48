import pytest

from groundwire.encoder import EmbeddedEmbedder
from groundwire.errors import EmbeddingFailed
from groundwire.graph import Matcher
from groundwire.model import Variable
from groundwire.testing import HashingEmbedder
from tests.graph.make import variable

VARIABLES = [
    variable("high oil temperature", kind="metric"),
    variable("feeder trip", kind="event"),
    variable("thermal trip", kind="event"),
    variable("slow relay", kind="state"),
    variable("lost RTU links", "RTU links down", kind="event"),
    variable("wrong fault location", kind="event"),
    variable("earth fault", kind="event"),
    variable("moisture in the cable joint", kind="state"),
    variable("wide outage", kind="event"),
    variable("full disk", "disk usage", kind="state"),
]


@pytest.fixture(scope="module")
def embedder() -> EmbeddedEmbedder:
    return EmbeddedEmbedder(threads=1)


def matched(matcher: Matcher, statement: str) -> list[str]:
    has_metric = any(character.isdigit() for character in statement)
    return [one.variable.label for one in matcher.match(statement, has_metric=has_metric)]


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ("Oil temperature of T2 is 94 °C.", "high oil temperature"),
        ("The temperature of the oil in T2 is 95 °C.", "high oil temperature"),
        ("Feeder South tripped.", "feeder trip"),
        ("The relay was slow.", "slow relay"),
        ("RTU links down: 22.", "lost RTU links"),
        ("Their RTU links are lost.", "lost RTU links"),
        ("There is moisture in the joint of the cable.", "moisture in the cable joint"),
        ("Disk usage is 99.8 %.", "full disk"),
        ("oil_temperature=94", "high oil temperature"),
    ],
)
def test_a_variable_is_found_by_its_words_in_any_order(
    embedder: EmbeddedEmbedder, statement: str, label: str
) -> None:
    assert matched(Matcher(VARIABLES, embedder), statement) == [label]


@pytest.mark.parametrize(
    "statement",
    [
        "Body temperature is 39.4 °C.",
        "Feeder 2 is 4 km long.",
        "The relay was tested.",
        "The oil was replaced.",
        "Late outage notices in 3 districts.",
        "Each node has 52 GB of memory and 250 GB of disk space.",
        "",
    ],
)
def test_neighbours_without_the_thing_itself_are_no_match(
    embedder: EmbeddedEmbedder, statement: str
) -> None:
    """[RULINGS S0] A vector search always returns k neighbours: a lexical link is needed too."""
    assert matched(Matcher(VARIABLES, embedder), statement) == []


def test_words_inside_a_longer_name_speak_of_the_longer_one(embedder: EmbeddedEmbedder) -> None:
    found = matched(Matcher(VARIABLES, embedder), "Wrong fault location on feeder East.")
    assert found == ["wrong fault location"]


def test_a_floor_that_nothing_reaches_matches_nothing_but_the_name_itself() -> None:
    matcher = Matcher(VARIABLES, HashingEmbedder(), similarity_floor=1.0)
    assert matched(matcher, "There was a thermal trip.") == ["thermal trip"]
    assert matched(matcher, "It tripped thermally.") == []


def test_without_vectors_words_alone_decide_and_more_of_them_are_needed() -> None:
    matcher = Matcher(VARIABLES)
    assert not matcher.uses_vectors
    assert matched(matcher, "The oil temperature is 94 °C.") == ["high oil temperature"]
    assert matched(matcher, "250 GB of disk space.") == []


def test_an_embedder_that_fails_leaves_matching_by_words() -> None:
    matcher = Matcher(VARIABLES, HashingEmbedder(failures=[EmbeddingFailed("down")]))
    assert matched(matcher, "Feeder South tripped.") == ["feeder trip"]
    assert not matcher.uses_vectors


def test_the_span_is_where_the_words_stand(embedder: EmbeddedEmbedder) -> None:
    statement = "At noon the feeder South 7 tripped again."
    (match,) = Matcher(VARIABLES, embedder).match(statement)
    assert match.span.of(statement) == "feeder South 7 tripped"


def test_names_without_words_match_nothing() -> None:
    nameless = Variable(id="x", label="?!")
    assert Matcher([nameless]).match("what?!") == []
