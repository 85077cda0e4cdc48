"""Secrets never reach a log, an error or the audit trail."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, TextIO
from uuid import uuid4

from groundwire._patterns import lazy_pattern

Route = Literal["tree", "direct"]


@dataclass
class RequestContext:
    """What every log entry of one request shares [S3 Gap F]."""

    request_id: str = field(default_factory=lambda: f"req-{uuid4().hex}")
    route: Route = "direct"
    fallback_flags: list[str] = field(default_factory=list)
    start_time: datetime = field(default_factory=lambda: datetime.now(UTC))

    def add_fallback(self, flag: str) -> None:
        if flag not in self.fallback_flags:
            self.fallback_flags.append(flag)

    def to_log_context(self) -> dict[str, Any]:
        elapsed = datetime.now(UTC) - self.start_time
        return {
            "request_id": self.request_id,
            "route": self.route,
            "fallback_flags": list(self.fallback_flags),
            "elapsed_ms": round(elapsed.total_seconds() * 1000, 3),
        }


_current: ContextVar[RequestContext | None] = ContextVar("groundwire_request", default=None)


def current_request() -> RequestContext | None:
    return _current.get()


@contextmanager
def request(route: Route = "direct", request_id: str | None = None) -> Iterator[RequestContext]:
    """The request that everything inside belongs to; one that is already running is joined."""
    running = _current.get()
    if running is not None:
        yield running
        return
    context = RequestContext(route=route)
    if request_id is not None:
        context.request_id = request_id
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)


@contextmanager
def span(name: str, **attributes: Any) -> Iterator[Any]:
    """An OpenTelemetry span; it goes nowhere until the application sets up an SDK."""
    from opentelemetry import trace  # 70 ms that only real work should pay

    with trace.get_tracer("groundwire").start_as_current_span(name, attributes=attributes) as open_:
        yield open_


MASK = "[REDACTED]"

# up to the closing quotation mark, or to what ends a word: "a b" in "'a b'", "hunter22"
_VALUE = (
    r"(?!\[REDACTED)(?:(?<=\")[^\"\n]{4,200}(?=\")|(?<=')[^'\n]{4,200}(?=')"
    r"|[^\s\"'`,;&)}\]\\]{4,})"
)
_QUOTE = r"\\?[\"'`]?"
_SECRETS = [
    # what is named stays, its value goes: "DB_PASSWORD=hunter22", "x-api-key: abc1"
    lazy_pattern(
        r"(?i)(?P<keep>(?:(?:api|access|private|secret)[-_ ]?key|(?:access|auth)[-_ ]?token|secret"
        rf"|pass(?:wor[dt]|wd|phrase)){_QUOTE}\s*[:=]\s*{_QUOTE})(?P<secret>{_VALUE})"
    ),
    # "GH_TOKEN=abcd", "token: a1b2"; "max_token=512" and "Token: a piece of a word" stay
    lazy_pattern(
        rf"(?i)(?P<keep>token{_QUOTE}\s*(?:=|:(?=\s*{_QUOTE}\w*\d))\s*{_QUOTE})"
        rf"(?P<secret>(?!\d{{1,6}}\b){_VALUE})"
    ),
    # "the password is hunter22", "password is set to `plum`"; "is required", "is SHA-256" stay
    lazy_pattern(
        r"(?P<keep>(?i:\b(?:pass(?:wor[dt]|wd|phrase)|secret|token|api[-_ ]?key|access[-_ ]?key)"
        r"\s+(?:is|was|ist|lautet)\s+(?:(?:now|set to|still|changed to)\s+)*))"
        r"(?P<secret>(?!\[REDACTED)(?:\"[^\"\s]{4,}\"|'[^'\s]{4,}'|`[^`\s]{4,}`"
        r"|(?!(?i:sha|md|base|utf|aes|rsa|argon|oauth|v)-?\d)(?=\S{0,80}[^\W\d])"
        r"(?=\S{0,80}(?:\d|[a-z][A-Z]|[!@#$%^&*+=~]\w))[^\s\"'`,;]{5,}[^\s\"'`,;.]))"
    ),
    lazy_pattern(r"(?i)(?P<keep>\bbearer\s+)(?P<secret>[a-z0-9._~+/=-]{8,})"),
    lazy_pattern(r"(?P<keep>://[^/\s:@]*:)(?P<secret>[^@\s/]+)(?=@)"),
    lazy_pattern(r"(?P<keep>)(?P<secret>\bsk-[A-Za-z0-9_-]{16,})"),
    lazy_pattern(r"(?P<keep>)(?P<secret>\bAIza[A-Za-z0-9_-]{20,})"),
    lazy_pattern(r"(?P<keep>)(?P<secret>\b(?:ghp|gho|ghs|github_pat)_[A-Za-z0-9_]{20,})"),
    lazy_pattern(r"(?P<keep>)(?P<secret>\bAKIA[0-9A-Z]{16}\b)"),
    lazy_pattern(
        r"(?P<keep>)(?P<secret>-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*KEY-----)"
    ),
    lazy_pattern(r"(?P<keep>)(?P<secret>\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})"),
]


_SHORTEST_SECRET = 8  # a shorter one would blank out ordinary words
_known: set[str] = set()


def keep_secret(value: str) -> None:
    """From now on this exact value is redacted too, whatever it looks like."""
    if len(value) >= _SHORTEST_SECRET:
        _known.add(value)


def redact(text: str) -> str:
    for secret in _known:
        text = text.replace(secret, MASK)
    for pattern in _SECRETS:
        text = pattern.sub(lambda match: match["keep"] + MASK, text)
    return text


def redact_tree(value: Any) -> Any:
    """The same for everything inside a JSON-like value."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: redact_tree(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact_tree(item) for item in value]
    return value


ROOT = "groundwire"
_LEVEL_NAMES = {logging.WARNING: "WARN", logging.CRITICAL: "ERROR"}
_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "error": logging.ERROR,
    "off": logging.CRITICAL + 1,
}

logging.getLogger(ROOT).addHandler(logging.NullHandler())


class Log:
    """A component's log. An entry is an event name and its fields, never a formatted sentence."""

    def __init__(self, component: str) -> None:
        self.component = component
        self._logger = logging.getLogger(f"{ROOT}.{component}")

    def debug(self, event: str, **fields: Any) -> None:
        self._emit(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: Any) -> None:
        self._emit(logging.INFO, event, fields)

    def warn(self, event: str, **fields: Any) -> None:
        self._emit(logging.WARNING, event, fields)

    def error(self, event: str, **fields: Any) -> None:
        self._emit(logging.ERROR, event, fields)

    def _emit(self, level: int, event: str, fields: dict[str, Any]) -> None:
        if self._logger.isEnabledFor(level):
            extra = {"groundwire": {"component": self.component, "fields": fields}}
            self._logger.log(level, event, extra=extra)


def log_entry(record: logging.LogRecord) -> dict[str, Any]:
    """The fields of one entry, as they are written [S3 Gap F]."""
    details = getattr(record, "groundwire", {"component": record.name, "fields": {}})
    moment = datetime.fromtimestamp(record.created, UTC)
    request = current_request()
    entry = {
        "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": _LEVEL_NAMES.get(record.levelno, record.levelname),
        "component": details["component"],
        "event": record.getMessage(),
        "request_id": None,
        "route": None,
        "fallback_flags": [],
    }
    if request is not None:
        entry |= request.to_log_context()
    redacted: dict[str, Any] = redact_tree(entry | details["fields"])
    return redacted


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = log_entry(record)
        if record.exc_info:
            entry["error"] = redact(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = log_entry(record)
        head = f"{entry.pop('timestamp')} {entry.pop('level')} {entry.pop('component')}"
        event = entry.pop("event")
        fields = " ".join(f"{name}={value!r}" for name, value in entry.items() if value)
        return f"{head} {event} {fields}".rstrip()


def configure_logs(level: str, log_format: str, stream: TextIO | None = None) -> None:
    """Send our logs to a stream, standard error by default. Applications may do their own."""
    logger = logging.getLogger(ROOT)
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    logger.addHandler(handler)
    logger.setLevel(_LEVELS[level])
    logger.propagate = False
