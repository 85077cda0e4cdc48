"""What went wrong at a provider, as one of our errors: one sentence, and what to set."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from groundwire._patterns import lazy_pattern
from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRateLimited,
    BackendRefused,
    BackendUnavailable,
)
from groundwire.observe import redact

_LONGEST_QUOTE = 200
_LONGEST_WAIT_S = 86_400.0

# 429s and 402s that waiting does not heal: somebody has to pay or raise a limit
_OUT_OF_MONEY = lazy_pattern(
    r"insufficient_quota|credit_balance|spend_limit|usage_limit_exceeded|billing|402",
    re.IGNORECASE,
)
# such as "maximum context length is 8192 tokens", "prompt is too long"
_TOO_LONG = lazy_pattern(
    r"context[_ ](?:length|size|window)|exceed_context|too (?:long|many tokens)"
    r"|token count.*exceeds",
    re.IGNORECASE,
)


class BackendProse(BackendMalformed):
    """Sentences where an object was asked for."""


class BackendOnlyProse(BackendProse):
    """The same, for callers who know what to do without another try."""

    retryable = False


class BackendUnreachable(BackendUnavailable):
    """Nobody listens there. Tried again less often: it is mostly a wrong address."""


class BackendBrokeOff(BackendUnavailable):
    """The work may have been done and be paid for, though no answer came."""


@dataclass(frozen=True)
class Place:
    """Who was asked, in the words of an error message."""

    name: str
    model: str
    address: str
    has_key: bool
    key_setting: str
    address_setting: str = "llm.base_url"
    model_setting: str = "llm.model"

    def __str__(self) -> str:
        return f"{self.name} at {urlsplit(self.address).netloc or self.address}"


def from_status(
    place: Place,
    status: int,
    *,
    code: str | None = None,
    words: str | None = None,
    retry_after_s: float | None = None,
) -> BackendError:
    """The error for an HTTP status. `words` are the server's own: quoted, never obeyed."""
    said = _quoted(words)
    money = _OUT_OF_MONEY.search(f"{status} {code or ''}") is not None
    if status in (401, 403):
        return _key_refused(place, status, said)
    if status in (402, 429) and money:
        return BackendRefused(
            f"{place} says the account may not spend more{said}.",
            hint="Add credit or raise the limit there; trying again will not help.",
        )
    if status == 429:  # noqa: PLR2004
        return BackendRateLimited(
            f"{place} is limiting our rate{said}.",
            hint="Lower verification.llm_semaphore_limit, or try again later.",
            retry_after_s=retry_after_s,
        )
    if status in (408, 409, 425) or status >= 500:  # noqa: PLR2004
        return BackendUnavailable(
            f"{place} could not answer ({status}){said}.",
            hint="Try again later.",
            retry_after_s=retry_after_s,
        )
    return _request_refused(place, status, f"{code or ''} {words or ''}", said)


def _key_refused(place: Place, status: int, said: str) -> BackendError:
    if not place.has_key:
        return BackendRefused(
            f"{place} wants an API key, and none is set ({status}).",
            hint=f"Set {place.key_setting}.",
        )
    return BackendRefused(
        f"{place} refused the API key ({status}){said}.",
        hint=f"Set {place.key_setting} to a key that may use {place.model!r}.",
    )


def _request_refused(place: Place, status: int, wording: str, said: str) -> BackendError:
    if status == 404:  # noqa: PLR2004
        return BackendRefused(
            f"{place} does not know the model {place.model!r} (404){said}.",
            hint=f"Set {place.model_setting} to one it serves, or check {place.address_setting}.",
        )
    if 300 <= status < 400:  # noqa: PLR2004
        return BackendRefused(
            f"{place} sends us to another address ({status}), which is not followed with a key.",
            hint=f"Set {place.address_setting} to the final address.",
        )
    if _TOO_LONG.search(wording):
        return BackendRefused(
            f"The question is longer than {place.model!r} can read ({status}){said}.",
            hint="Lower llm.context_words.",
        )
    return BackendRefused(f"{place} refused the request ({status}){said}.")


def unreachable(place: Place, why: str) -> BackendError:
    return BackendUnreachable(
        f"{place} cannot be reached: {_clean(why) or 'no connection'}.",
        hint=f"Check that it runs and that {place.address_setting} is right.",
    )


def broke_off(place: Place, why: str) -> BackendError:
    return BackendBrokeOff(
        f"{place} broke off before the answer was complete: {_clean(why) or 'connection lost'}.",
        hint="Try again later.",
    )


def not_readable(place: Place, why: str | Exception) -> BackendError:
    """`why` may be what our reader stumbled over."""
    if isinstance(why, json.JSONDecodeError):
        why = "it is not JSON"
    elif isinstance(why, Exception):
        why = "it has not the shape of an answer"
    return BackendMalformed(
        f"{place} sent something we cannot read: {_clean(why)}.",
        hint=f"Check that {place.address_setting} is the address of such a server.",
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to be left alone: as a number, in milliseconds or as a date."""
    value = headers.get("retry-after-ms")
    try:
        if value is not None:
            return _bounded(float(value) / 1000)
        value = headers.get("retry-after")
        return None if value is None else _bounded(float(value))
    except ValueError:
        return _until(value)


def _until(date: str | None) -> float | None:
    try:
        moment = parsedate_to_datetime(date or "")
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return _bounded((moment - datetime.now(UTC)).total_seconds())


def _bounded(seconds: float) -> float | None:
    if seconds != seconds:  # noqa: PLR0124  not a number
        return None
    return min(max(seconds, 0.0), _LONGEST_WAIT_S)


def _quoted(words: str | None) -> str:
    cleaned = _clean(words or "")
    return f": {cleaned!r}" if cleaned else ""


def _clean(words: str) -> str:
    """One bounded line without secrets: servers like to repeat the key they refuse."""
    line = " ".join(redact(words).split()).rstrip(".")
    return line if len(line) <= _LONGEST_QUOTE else line[:_LONGEST_QUOTE] + "…"


_EXCERPT_CHARS = 60


def prose_instead(model: str, text: str, *, again: bool = False) -> BackendProse:
    return (BackendProse if again else BackendOnlyProse)(
        f"The model {model!r} answers in prose, not as it was asked to: {excerpt(text)}.",
        hint="Use a model that can be held to a schema, or a larger one.",
    )


def excerpt(text: str) -> str:
    shown = " ".join(text.split())
    cut = f"{shown[:_EXCERPT_CHARS]}…" if len(shown) > _EXCERPT_CHARS else shown
    return f'"{cut}"'
