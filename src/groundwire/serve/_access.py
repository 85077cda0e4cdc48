"""Who may do what: tokens, the one open case, and requests that another site's page makes."""

from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from groundwire.config import ServeSection, is_loopback
from groundwire.errors import ConfigError
from groundwire.serve._limits import RateLimiter
from groundwire.serve._problems import Problem
from groundwire.serve._tokens import SCOPES, Scope, Token, TokenStore

COOKIE = "groundwire_token"
PUBLIC = frozenset({"healthz", "readyz", "static", "sign-in", "openapi.json"})
_SCOPES: dict[Scope, tuple[str, ...]] = {
    "verify": (
        *("check", "ask", "term", "ground", "graph", "graphs", "diagnose", "edges", "audit"),
        *("verify-output", "evaluate", "jobs"),
    ),
    "memory": ("memory",),
    "review": ("review", "reviews"),
    "observe": ("trail", "audit-log", "health", "metrics"),
}
_SCOPE_OF = {name: scope for scope, names in _SCOPES.items() for name in names}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
_FAILURES_PER_MINUTE = 60


def part_of(path: str) -> str:
    """What a path is about: `check` for `/v1/check` and for the page at `/`."""
    first, *rest = path.strip("/").split("/")
    if first == "v1":
        return rest[0] if rest else ""
    return first or "check"


@dataclass(frozen=True)
class Caller:
    """Who calls. Without a token it is somebody on this machine, who may do everything."""

    id: str
    scopes: tuple[Scope, ...] = SCOPES
    rate_per_minute: int | None = None
    max_body_mb: float | None = None

    @classmethod
    def of(cls, token: Token) -> "Caller":
        limits = {"rate_per_minute": token.rate_per_minute, "max_body_mb": token.max_body_mb}
        return cls(token.id, token.scopes, **limits)  # type: ignore[arg-type]


class Access:
    """Without any token ever made the service is open, to this machine alone."""

    def __init__(self, settings: ServeSection, tokens: TokenStore) -> None:
        self._settings = settings
        self._tokens = tokens
        self._failures = RateLimiter()

    @property
    def is_open(self) -> bool:
        return is_loopback(f"http://{_bracketed(self._settings.host)}") and self._tokens.is_empty

    def require_token(self, how: str) -> None:
        """What others reach is not served before a token was made; `how` says how to make one."""
        if self._tokens.is_empty and not self.is_open:
            raise ConfigError(
                f"Others reach {self._settings.host}, and there is no token yet.",
                hint=f"Make one with: {how}",
            )

    def admit(self, method: str, path: str, headers: Mapping[str, str], address: str) -> Caller:
        """Whoever calls, or a problem."""
        self._refuse_other_sites(method, headers)
        is_open = self.is_open
        if is_open:
            self._require_own_name(headers)
        if part_of(path) in PUBLIC:
            return Caller(f"address {address}", ())
        if is_open:
            return Caller("open")
        caller = self._with_token(path, headers, address)
        needed = _SCOPE_OF.get(part_of(path))
        if needed is not None and needed not in caller.scopes:
            raise Problem(
                *(403, "scope", f"This token may not do that; it lacks the scope {needed!r}."),
                hint="Make one that may: gw token add NAME --scope " + needed,
            )
        return caller

    def _with_token(self, path: str, headers: Mapping[str, str], address: str) -> Caller:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        text = given.strip() if scheme.lower() == "bearer" else ""
        if not text and not path.startswith("/v1/"):
            # a cookie counts for the page alone: nothing else of a browser reaches /v1
            text = _cookie(headers.get("cookie", ""))
        token = self._tokens.find(text) if text else None
        if token is not None:
            return Caller.of(token)
        if text:
            wait_s = self._failures.take(address, _FAILURES_PER_MINUTE)
            if wait_s is not None:
                raise Problem(
                    *(429, "rate", "Too many wrong tokens came from there."), retry_after_s=wait_s
                )
        told = "The token is wrong, expired or revoked." if text else "No token was given."
        raise Problem(
            *(401, "token", told),
            hint="Send `Authorization: Bearer TOKEN`; `gw token add NAME` makes one.",
            headers={"WWW-Authenticate": 'Bearer realm="groundwire"'},
        )

    def _refuse_other_sites(self, method: str, headers: Mapping[str, str]) -> None:
        """A page of another site may make a browser send things; it may not make us take them."""
        origin = headers.get("origin")
        if method in _SAFE or origin in self._settings.cors_origins:
            return
        other_origin = origin is not None and urlsplit(origin).netloc != headers.get("host")
        if other_origin or headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            raise Problem(
                *(403, "origin", "A page of another site sent this."),
                hint="Its address may be allowed: serve.cors_origins.",
            )

    def _require_own_name(self, headers: Mapping[str, str]) -> None:
        """Where no token is asked for, a name that another site pointed here is no way in."""
        host = headers.get("host", "")
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        own = _bracketed(self._settings.host)
        if name.lower() not in LOOPBACK_NAMES | {own}:
            raise Problem(
                *(403, "host", "This service answers to the name of this machine only."),
                hint="Call it at http://127.0.0.1, or make a token: gw token add NAME",
            )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _cookie(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value
