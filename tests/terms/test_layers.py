import pytest

from groundwire.errors import EvidenceError, SKOSMOSError, SKOSMOSTimeout, StoreError
from groundwire.model import Concept, SKOSMOSResult, Suggestion
from groundwire.observe import Metrics, request
from groundwire.terms import LayeredVocabulary, LocalVocabulary
from groundwire.terms._protocol import decide
from groundwire.testing import SkosmosStandIn
from tests.terms.conftest import OpenClient

DOWN = SKOSMOSError("The server is down.")


class Fixed:
    """A vocabulary that always says the same."""

    def __init__(
        self, name: str, definition: str | None = None, error: Exception | None = None
    ) -> None:
        concepts = [Concept(uri=f"urn:{name}", label=name, definition=definition or None)]
        self.result = decide("x", concepts if definition is not None else [], name)
        self.error = error
        self.asked = 0

    def lookup(self, term: str) -> SKOSMOSResult:
        self.asked += 1
        if self.error is not None:
            raise self.error
        return self.result

    def lookup_uri(self, uri: str) -> SKOSMOSResult:
        return self.lookup(uri)

    def has_label(self, phrase: str, *, in_any_number: bool = False) -> bool:
        return self.result.found

    def other_labels(self, phrase: str) -> list[str]:
        return [f"{phrase} of {self.result.backend}"]

    def suggest(self, term: str, limit: int) -> list[Suggestion]:
        return [Suggestion(id="urn:s", label="s", kind="term", score=0.7)]

    def problems(self) -> list[str]:
        return []

    def close(self) -> None:
        """Nothing is open."""


def ask(*layers: Fixed) -> SKOSMOSResult:
    return LayeredVocabulary(layers).lookup("x")


def test_the_first_that_defines_the_term_answers_and_the_rest_are_not_asked() -> None:
    first, second = Fixed("first", "One."), Fixed("second", "Two.")
    assert ask(first, second).definition == "One."
    assert second.asked == 0


def test_a_miss_is_passed_on() -> None:
    assert ask(Fixed("first"), Fixed("second", "Two.")).definition == "Two."
    assert not ask(Fixed("first"), Fixed("second")).found


@pytest.mark.parametrize("error", [DOWN, SKOSMOSTimeout("Slow."), StoreError("Locked.")])
def test_what_one_knows_is_never_withdrawn_because_another_failed(error: EvidenceError) -> None:
    down = Fixed("down", error=error)
    assert ask(Fixed("first", "One."), down).definition == "One."
    assert ask(down, Fixed("second", "Two.")).definition == "Two."
    assert ask(Fixed("first", ""), down).outcome == "no_definition"


def test_a_concept_without_a_definition_lets_others_define_it() -> None:
    assert ask(Fixed("first", ""), Fixed("second", "Two.")).definition == "Two."
    assert ask(Fixed("first", ""), Fixed("second")).outcome == "no_definition"


def test_a_miss_beside_a_failure_is_the_failure() -> None:
    """The term may be where nobody could look."""
    with pytest.raises(SKOSMOSError, match="down"):
        ask(Fixed("first"), Fixed("down", error=DOWN))
    with pytest.raises(SKOSMOSError, match="down"):
        ask(Fixed("down", error=DOWN), Fixed("second"))


def test_suggestions_of_all_are_put_together_without_repeats() -> None:
    layered = LayeredVocabulary([Fixed("first"), Fixed("second")])
    assert len(layered.suggest("x", 3)) == 1


def test_any_of_them_may_know_a_label() -> None:
    layered = LayeredVocabulary([Fixed("first"), Fixed("second", "Two.")])
    assert layered.has_label("x")
    assert layered.lookup_uri("urn:second").found


def test_test_triggers_simulate_a_slow_server_where_there_is_none(counted: Metrics) -> None:
    layered = LayeredVocabulary([Fixed("local")], test_triggers=True, counted=counted)
    with request() as context, pytest.raises(SKOSMOSTimeout):
        layered.lookup("Test_Timeout_Trigger")
    assert context.fallback_flags == ["skosmos_timeout"]
    assert counted.value("skosmos_timeout_total", backend="skosmos") == 1


def test_files_first_and_the_server_for_what_they_lack(
    halden: LocalVocabulary, open_client: OpenClient, server: SkosmosStandIn, counted: Metrics
) -> None:
    layered = LayeredVocabulary([halden, open_client()])
    assert layered.lookup("CIMXML").backend == "local"
    assert server.requests == []
    assert not layered.lookup("FooBarBaz").found
    assert len(server.requests) > 0
    server.misbehave = "fail"
    with pytest.raises(SKOSMOSError):
        layered.lookup("BarBazFoo")
    assert layered.lookup("SAIDI").found
    assert counted.value("skosmos_lookup_total", backend="local") == 4
    assert counted.value("skosmos_lookup_total", backend="skosmos") == 2
