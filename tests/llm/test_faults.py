from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given, strategies as st

from groundwire.errors import BackendError, BackendRateLimited, BackendRefused, BackendUnavailable
from groundwire.llm import Place, from_status, retry_after
from groundwire.observe import keep_secret

PLACE = Place("openai", "m", "http://127.0.0.1:1/v1", has_key=True, key_setting="OPENAI_API_KEY")


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, None, BackendRefused),
        (403, None, BackendRefused),
        (404, None, BackendRefused),
        (400, None, BackendRefused),
        (302, None, BackendRefused),
        (402, None, BackendRefused),
        (429, None, BackendRateLimited),
        (429, "insufficient_quota", BackendRefused),
        (429, "organization_spend_limit_exceeded", BackendRefused),
        (429, "enforced_spend_limit_reached", BackendRefused),
        (408, None, BackendUnavailable),
        (500, None, BackendUnavailable),
        (503, None, BackendUnavailable),
        (529, None, BackendUnavailable),
    ],
)
def test_a_status_is_one_of_our_errors(
    status: int, code: str | None, kind: type[BackendError]
) -> None:
    error = from_status(PLACE, status, code=code)
    assert type(error) is kind
    assert "127.0.0.1:1" in error.message


def test_a_missing_key_and_a_wrong_one_are_told_apart() -> None:
    keyless = Place("openai", "m", "http://h/v1", has_key=False, key_setting="OPENAI_API_KEY")
    assert "none is set" in str(from_status(keyless, 401))
    assert "refused the API key" in str(from_status(PLACE, 401))
    assert "OPENAI_API_KEY" in str(from_status(keyless, 401))


@given(st.text(max_size=2000))
def test_a_servers_words_are_quoted_on_one_line_and_bounded(words: str) -> None:
    message = str(from_status(PLACE, 400, words=words))
    assert "\n" not in message
    assert len(message) < 1000


def test_a_server_that_repeats_the_key_does_not_make_us_repeat_it() -> None:
    keep_secret("quince-jelly")
    assert "quince" not in str(from_status(PLACE, 401, words="no such key: quince-jelly"))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "1e99"}, 86400),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_how_long_a_server_asks_to_be_left_alone(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers) == seconds


def test_a_server_may_name_a_moment_instead() -> None:
    moment = format_datetime(datetime.now(UTC) + timedelta(minutes=10))
    wait = retry_after({"retry-after": moment})
    assert wait is not None
    assert 500 < wait <= 600
