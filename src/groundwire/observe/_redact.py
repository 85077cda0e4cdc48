"""Secrets never reach a log, an error or the audit trail."""

import re
from typing import Any

MASK = "[REDACTED]"

_SECRETS = [
    # the header or parameter name stays, its value goes
    re.compile(
        r"(?i)(?P<keep>\b(?:api[-_ ]?key|access[-_ ]?token|auth[-_ ]?token|secret|password|passwd"
        r"|x-api-key|x-goog-api-key)\b[\"']?\s*[:=]\s*[\"']?)"
        r"(?P<secret>(?!\[REDACTED)[^\s\"',;&)}\]]{4,})"
    ),
    re.compile(r"(?i)(?P<keep>\bbearer\s+)(?P<secret>[a-z0-9._~+/=-]{8,})"),
    re.compile(r"(?P<keep>://[^/\s:@]*:)(?P<secret>[^@\s/]+)(?=@)"),
    re.compile(r"(?P<keep>)(?P<secret>\bsk-[A-Za-z0-9_-]{16,})"),
    re.compile(r"(?P<keep>)(?P<secret>\bAIza[A-Za-z0-9_-]{20,})"),
    re.compile(r"(?P<keep>)(?P<secret>\b(?:ghp|gho|ghs|github_pat)_[A-Za-z0-9_]{20,})"),
    re.compile(r"(?P<keep>)(?P<secret>\bAKIA[0-9A-Z]{16}\b)"),
    re.compile(
        r"(?P<keep>)(?P<secret>-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*KEY-----)"
    ),
    re.compile(r"(?P<keep>)(?P<secret>\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})"),
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
