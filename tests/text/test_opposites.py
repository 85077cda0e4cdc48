"""A statement that gives a thing the opposite state denies the state."""

import pytest

from groundwire.text import tells_state

OPPOSED = [
    ("log rotation disabled", "Log rotation is enabled."),
    ("disabled log rotation", "Log rotation on all hosts is still enabled."),
    ("log rotation disabled", "log rotation: on"),
    ("alarm switched off", "The alarm switched on again."),
    ("pump off", "The pump is on."),
    ("primary link down", "The primary link is up."),
    ("service stopped", "The service was running all the time."),
    ("open valve", "The valve is closed."),
    ("full disk", "The disk is nearly empty."),
    ("empty tank", "The tank was full."),
    ("expired certificate", "The certificate is valid."),
    ("valid certificate", "The certificate has expired."),
    ("missing config file", "The config file is present."),
    ("database disconnected", "The database stayed connected."),
    ("unavailable API", "The API is available."),
    ("gateway unreachable", "We see that the gateway is reachable."),
    ("failed nightly backup", "The nightly backup succeeded."),
    ("high oil temperature", "The oil temperature is low."),
    ("high oil temperature", "A low oil temperature was measured."),
    ("cold reheater", "The reheater is hot."),
    ("slow search", "The search is fast."),
    ("unstable grid frequency", "The grid frequency was stable."),
    ("incomplete import", "The import is complete."),
    ("blocked drain", "The drain is clear."),
    ("wrong deploy flag", "The deploy flag was correct."),
    ("encrypted volume", "The volume is unencrypted."),
]
DENIED_OPPOSITE = [
    ("log rotation disabled", "Log rotation is not enabled."),
    ("primary link down", "The primary link isn't up."),
    ("expired certificate", "The certificate is no longer valid."),
    ("gateway unreachable", "The gateway was not reachable."),
    ("failed nightly backup", "The nightly backup has not succeeded."),
    ("incomplete import", "The import is not complete."),
]
NEITHER = [
    ("log rotation disabled", "Log rotation is disabled."),
    ("log rotation disabled", "The alarm for log rotation is enabled."),
    ("log rotation disabled", "Debug output is enabled."),
    ("log rotation disabled", "Log rotation broke because the new flag is enabled."),
    ("log rotation disabled", "Log rotation was enabled until Monday."),
    ("log rotation disabled", "Is log rotation enabled?"),
    ("low memory", "Memory drained under high load."),
    ("low memory", "Memory is not high."),
    ("full disk", "The disk is not empty."),
    ("disk failing", "The disk controller is healthy."),
    ("high disk usage", "The disk shows low throughput."),
    ("pump off", "The pump is on hold."),
    ("formed ice", "The ice crew was informed."),
    ("slow search", "The search index of the fast tier is slow."),
    ("disconnected", "The client is connected."),
    ("high disk", "The size of the disk is low."),
]


@pytest.mark.parametrize(("name", "statement"), OPPOSED)
def test_the_opposite_state_denies_a_name(name: str, statement: str) -> None:
    """Said of the same thing, a state rules out its opposite."""
    assert tells_state(name, statement) is False


@pytest.mark.parametrize(("name", "statement"), DENIED_OPPOSITE)
def test_a_denied_opposite_tells_of_a_name(name: str, statement: str) -> None:
    """What is not enabled is disabled."""
    assert tells_state(name, statement) is True


@pytest.mark.parametrize(("name", "statement"), NEITHER)
def test_a_state_of_something_else_says_nothing(name: str, statement: str) -> None:
    """Nor does a state that was, is asked for, or has a middle."""
    assert tells_state(name, statement) is None
