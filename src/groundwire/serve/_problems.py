"""Errors as RFC 9457 problem documents: what was wrong, its code, and what to do."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.errors import (
    BackendError,
    CircuitOpen,
    ConfigError,
    GroundwireError,
    InputError,
    MissingExtra,
    SignatureRefused,
)

if TYPE_CHECKING:
    from starlette.responses import Response

CONTENT_TYPE = "application/problem+json"
_RETRY_AFTER_S = 5.0
_TITLES = {
    400: "The request cannot be used",
    401: "A token is needed",
    403: "Not allowed",
    404: "There is no such thing",
    405: "That cannot be done here",
    408: "The request came too slowly",
    409: "That is not possible here",
    413: "The request is too large",
    415: "The request is of another type",
    422: "The request does not fit",
    429: "Too many requests",
    500: "It failed",
    501: "This is not there yet",
    503: "Come again later",
}


class Problem(Exception):
    """Raised where a request ends; `retry_after_s` where coming again may help."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        hint: str | None = None,
        retry_after_s: float | None = None,
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.hint = hint
        self.retry_after_s = retry_after_s
        self.errors = tuple(errors)
        self._headers = dict(headers or {})

    @property
    def title(self) -> str:
        return _TITLES.get(self.status, "It failed")

    def document(self, request_id: str) -> dict[str, Any]:
        document: dict[str, Any] = {
            "type": f"urn:groundwire:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "hint": self.hint,
            "request_id": request_id,
        }
        return document | ({"errors": list(self.errors)} if self.errors else {})

    @property
    def headers(self) -> dict[str, str]:
        if self.retry_after_s is None:
            return self._headers
        return self._headers | {"Retry-After": str(max(1, math.ceil(self.retry_after_s)))}


def problem_of(error: GroundwireError) -> Problem:
    """What the caller gave is theirs to mend; what is down may be up again; the rest is ours."""
    if isinstance(error, InputError | SignatureRefused):
        return Problem(400, error.code, error.message, hint=error.hint)
    if isinstance(error, ConfigError | MissingExtra):  # this service is not set up for it
        return Problem(409, error.code, error.message, hint=error.hint)
    if error.retryable or isinstance(error, CircuitOpen):
        wait_s = error.retry_after_s if isinstance(error, BackendError) else None
        return Problem(
            *(503, error.code, error.message),
            hint=error.hint,
            retry_after_s=wait_s or _RETRY_AFTER_S,
        )
    return Problem(500, error.code, error.message, hint=error.hint)


def invalid(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """Of what does not fit, the place and the reason; never the value, which may be anything."""
    told = [
        {
            "where": ".".join(str(part) for part in error["loc"] if part != "body") or "body",
            "message": str(error["msg"]).removeprefix("Value error, "),
        }
        for error in errors[:_MAX_ERRORS]
    ]
    where = ", ".join(dict.fromkeys(one["where"] for one in told))
    return Problem(
        *(422, "invalid", f"These do not fit: {where}."),
        hint="See /openapi.json for what the request may hold.",
        errors=told,
    )


_MAX_ERRORS = 20


def as_json(document: Any) -> bytes:
    """Half of a character pair, which UTF-8 does not have, is written as its escape."""
    return json.dumps(document, ensure_ascii=True, allow_nan=False).encode()


def json_response(document: Any, status: int = 200, **headers: str) -> "Response":
    from starlette.responses import Response

    return Response(as_json(document), status, headers, "application/json")
