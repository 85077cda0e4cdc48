"""The scenarios of S3 Gap D that need no search; the others stand with the search."""

from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from pytest_bdd import given, parsers, scenarios, then, when

from groundwire.errors import CircuitOpen
from groundwire.guard import CircuitBreaker
from groundwire.observe import Metrics

scenarios("features/circuit_breaker.feature")

GAUGE = {"closed": 0, "half_open": 1, "open": 2}


@dataclass
class Scene:
    now_s: float = 0.0
    attempted: int = 0
    counted: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        self.breaker = CircuitBreaker("embeddings", timer=lambda: self.now_s, counted=self.counted)

    def embed(self, *, works: bool) -> None:
        with suppress(ConnectionError, CircuitOpen), self.breaker.attempt():
            self.attempted += 1
            if not works:
                raise ConnectionError


@pytest.fixture
def scene() -> Scene:
    return Scene()


@given("5 consecutive embedding failures")
@given("circuit is open")
def failures(scene: Scene) -> None:
    for _ in range(5):
        scene.embed(works=False)
    scene.attempted = 0


@given("30 seconds have passed")
def time_passes(scene: Scene) -> None:
    scene.now_s += 30


@given("circuit is half-open")
def half_open(scene: Scene) -> None:
    failures(scene)
    scene.now_s += 30


@given("2 consecutive embedding successes")
def successes(scene: Scene) -> None:
    for _ in range(2):
        scene.embed(works=True)
    assert scene.attempted == 2


@when("the next query arrives")
def next_query(scene: Scene) -> None:
    scene.embed(works=True)


@then(parsers.parse('the circuit breaker state of "{service}" is "{state}"'))
def state_is(scene: Scene, service: str, state: str) -> None:
    assert scene.breaker.state == state
    assert scene.counted.value("circuit_breaker_state", service=service) == GAUGE[state]


@then("no embedding request is attempted")
def none_attempted(scene: Scene) -> None:
    assert scene.attempted == 0


@then("one embedding request is attempted")
def one_attempted(scene: Scene) -> None:
    assert scene.attempted == 1


@then("embedding requests are attempted again")
def attempted_again(scene: Scene) -> None:
    before = scene.attempted
    scene.embed(works=True)
    assert scene.attempted == before + 1
