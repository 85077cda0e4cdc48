"""Secrets never reach a log, an error or the audit trail."""

from typing import Any

from groundwire._patterns import lazy_pattern

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
