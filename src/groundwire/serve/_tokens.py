"""Who may call: bearer tokens with scopes, kept as hashes."""

import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_hex, token_urlsafe
from typing import Literal, Self, get_args

from groundwire.config import Config
from groundwire.errors import InputError
from groundwire.model import Model
from groundwire.store import Database, Migration

Scope = Literal["verify", "memory", "review", "observe"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""verify: ask the engine; memory: what is remembered; review: confirm and overturn verdicts;
observe: the trail, the health and the metrics."""
_PREFIX = "gw"

_TOKENS: Migration = (
    """CREATE TABLE token (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        digest TEXT NOT NULL,
        scopes TEXT NOT NULL,
        rate_per_minute INTEGER,
        max_body_mb REAL,
        created_at REAL NOT NULL,
        expires_at REAL,
        revoked_at REAL
    ) STRICT""",
)


class Token(Model):
    """What is known of a token; not the token."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    rate_per_minute: int | None = None
    max_body_mb: float | None = None
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


class TokenStore(Database):
    """The token itself is shown once, when it is made; here stands its SHA-256.

    It is 256 random bits, which nobody guesses: a slow hash, as for passwords, would gain nothing.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(path, [_TOKENS])
        self._clock = clock

    @classmethod
    def of(cls, config: Config, *, clock: Callable[[], float] = time.time) -> Self:
        return cls(config.home.expanduser() / "tokens.sqlite", clock=clock)

    def add(
        self,
        name: str,
        scopes: Iterable[Scope],
        *,
        expires_in_s: float | None = None,
        rate_per_minute: int | None = None,
        max_body_mb: float | None = None,
    ) -> tuple[str, Token]:
        """A new token, and what is kept of it."""
        identifier, secret = token_hex(4), token_urlsafe(32)
        wanted = [scope for scope in SCOPES if scope in set(scopes)]
        if not wanted:
            raise InputError("A token needs a scope.", hint=f"Scopes are {', '.join(SCOPES)}.")
        now = self._clock()
        ends = None if expires_in_s is None else now + expires_in_s
        text = f"{_PREFIX}_{identifier}_{secret}"
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                (
                    *(identifier, name, _digest(text), " ".join(wanted)),
                    *(rate_per_minute, max_body_mb, now, ends),
                ),
            )
        return text, self._all("id = ?", identifier)[0]

    def find(self, text: str) -> Token | None:
        """The token, where it is right, in time and not revoked."""
        prefix, _, rest = text.partition("_")
        identifier, _, secret = rest.partition("_")
        rows = self.read("SELECT digest FROM token WHERE id = ?", [identifier])
        # compared even where there is none, so that ids cannot be told by the time it takes
        known = str(rows[0]["digest"]) if rows else _digest("")
        if not compare_digest(known, _digest(text)) or prefix != _PREFIX or not secret:
            return None
        now = self._clock()
        found = self._all(
            "id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)",
            *(identifier, now),
        )
        return found[0] if found else None

    def all(self) -> list[Token]:
        return self._all("1")

    def revoke(self, identifier: str) -> Token:
        """It is refused from now on. The row stays, so that the service stays closed."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE token SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?",
                (self._clock(), identifier),
            )
        found = self._all("id = ?", identifier)
        if not found:
            raise InputError(f"There is no token {identifier!r}.", hint="See: gw token list")
        return found[0]

    @property
    def is_empty(self) -> bool:
        """Whether none was ever made."""
        return not self.read("SELECT 1 FROM token LIMIT 1")

    def _all(self, condition: str, *values: object) -> list[Token]:
        rows = self.read(
            f"SELECT * FROM token WHERE {condition} ORDER BY created_at, id",  # noqa: S608
            values,
        )
        return [
            Token(
                id=row["id"],
                name=row["name"],
                scopes=tuple(row["scopes"].split()),
                rate_per_minute=row["rate_per_minute"],
                max_body_mb=row["max_body_mb"],
                created_at=datetime.fromtimestamp(row["created_at"], UTC),
                expires_at=_moment(row["expires_at"]),
                revoked_at=_moment(row["revoked_at"]),
            )
            for row in rows
        ]


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
