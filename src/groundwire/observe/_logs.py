"""Structured logs: an event and its fields, one entry a line."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

from groundwire.observe._request import current_request
from groundwire.observe._secrets import redact, redact_tree

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
