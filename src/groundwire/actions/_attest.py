"""A verdict computed beside the files and sent elsewhere: signed, so that it can be believed.

The document is canonical JSON (sorted names, no blanks, UTF-8). Its signature is HMAC-SHA256 with a
key both sides hold. It names the key, the moment, a nonce, and hashes of what was verified.
"""

import base64
import binascii
import hmac
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import AwareDatetime, Field, ValidationError

from groundwire.actions._result import VerificationResult
from groundwire.errors import InputError, SignatureRefused, UnreadableSource
from groundwire.model import Model
from groundwire.store import Database, Migration

MIN_KEY_BYTES = 32
MIN_NONCE_CHARS, MAX_NONCE_CHARS = 8, 200
CLOCK_SKEW = timedelta(minutes=2)


class SigningKey:
    """A shared secret. Its id can be told; the secret is never shown."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) < MIN_KEY_BYTES:
            raise InputError(
                f"A signing key needs at least {MIN_KEY_BYTES} bytes; this one has {len(secret)}.",
                hint="Make one with: head -c 32 /dev/urandom | base64 > key",
            )
        self._secret = secret
        self.key_id = sha256(b"groundwire key id\0" + secret).hexdigest()[:16]

    def __repr__(self) -> str:
        return f"SigningKey({self.key_id})"

    def sign(self, message: bytes) -> str:
        return hmac.new(self._secret, message, sha256).hexdigest()

    def fits(self, message: bytes, signature: str) -> bool:
        return hmac.compare_digest(self.sign(message).encode(), signature.encode())


def read_key(path: Path) -> SigningKey:
    """A key file holds the secret in hexadecimal, in base64, or as it is."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UnreadableSource(f"The key file {path} cannot be read: {error.strerror}.") from error
    text = raw.strip()
    if re.fullmatch(rb"(?:[0-9a-fA-F]{2})+", text):
        return SigningKey(bytes.fromhex(text.decode()))
    try:
        return SigningKey(base64.b64decode(text, validate=True))
    except binascii.Error:
        return SigningKey(raw)


class Attestation(Model):
    """The signed document. `verdict` is the result as `gw verify-output --json` prints it."""

    groundwire_attestation: Literal[1] = 1
    algorithm: Literal["HMAC-SHA256"] = "HMAC-SHA256"
    key_id: str = Field(pattern=r"^[0-9a-f]{16}$")
    issued_at: AwareDatetime
    nonce: str = Field(min_length=MIN_NONCE_CHARS, max_length=MAX_NONCE_CHARS)
    output_hash: str
    trace_hash: str | None = None
    state_hash: str | None = None
    verdict: dict[str, Any]
    signature: str = Field(default="", pattern=r"^[0-9a-f]*$")

    @property
    def message(self) -> bytes:
        return canonical(self.model_dump(mode="json", exclude={"signature"}))


def canonical(document: Any) -> bytes:
    """One way to write a JSON value, so that equal values have equal bytes."""
    text = json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode("utf-8", "surrogatepass")


def hash_of_output(output: Mapping[str, Any]) -> str:
    return sha256(canonical(output)).hexdigest()


def hash_of_files(paths: Sequence[Path]) -> str | None:
    """One hash for the files given, None for none."""
    digests = []
    for path in paths:
        with path.open("rb") as file:
            digests.append(file_digest(file, "sha256").hexdigest())
    return sha256("".join(digests).encode()).hexdigest() if digests else None


def attest(
    result: VerificationResult,
    key: SigningKey,
    *,
    output: Mapping[str, Any],
    nonce: str | None = None,
    trace_hash: str | None = None,
    now: datetime | None = None,
) -> Attestation:
    """Sign a verdict. By `nonce`, its own, the asker knows that the answer is to this question."""
    if nonce is not None and not MIN_NONCE_CHARS <= len(nonce) <= MAX_NONCE_CHARS:
        raise InputError(f"A nonce has {MIN_NONCE_CHARS} to {MAX_NONCE_CHARS} characters.")
    unsigned = Attestation(
        key_id=key.key_id,
        issued_at=(now or datetime.now(UTC)).replace(microsecond=0),
        nonce=nonce or secrets.token_hex(16),
        output_hash=hash_of_output(output),
        trace_hash=trace_hash,
        state_hash=result.state_hash,
        verdict=result.model_dump(mode="json"),
    )
    return unsigned.model_copy(update={"signature": key.sign(unsigned.message)})


_NONCES: Migration = (
    """CREATE TABLE nonce (
        key_id TEXT NOT NULL,
        nonce TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        PRIMARY KEY (key_id, nonce)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX nonce_seen ON nonce(seen_at)",
)


class NonceLog:
    """Which answers were already accepted: none counts twice, in whichever process."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, [_NONCES])

    def close(self) -> None:
        self._database.close()

    def accept(self, key_id: str, nonce: str, *, now: datetime, keep: timedelta) -> bool:
        """Whether it is new; it no longer is afterwards. Those too old to pass are forgotten."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM nonce WHERE seen_at < ?", ((now - keep).isoformat(),))
            cursor = connection.execute(
                "INSERT INTO nonce VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (key_id, nonce, now.isoformat()),
            )
            return cursor.rowcount == 1


def parse_attestation(text: str | bytes, *, where: str = "the document") -> Attestation:
    try:
        document = json.loads(text, object_pairs_hook=_no_name_twice)
        return Attestation.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where} is no signed verdict: {field}: {first['msg']}.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not valid JSON: {error}.") from error


def check_attestation(
    attestation: Attestation,
    key: SigningKey,
    *,
    max_age: timedelta,
    nonces: NonceLog | None = None,
    output: Mapping[str, Any] | None = None,
    expected_nonce: str | None = None,
    expected_state: str | None = None,
    now: datetime | None = None,
) -> VerificationResult:
    """The verdict inside, if it can be believed. It is not read before the signature fits."""
    now = now or datetime.now(UTC)
    if not hmac.compare_digest(attestation.key_id, key.key_id):
        raise SignatureRefused("It was signed with another key.")
    if not key.fits(attestation.message, attestation.signature):
        raise SignatureRefused("The signature does not fit: it was changed or forged.")
    age = now - attestation.issued_at
    if age > max_age or age < -CLOCK_SKEW:
        raise SignatureRefused(f"It was signed at {attestation.issued_at.isoformat()}, not now.")
    _expected("nonce", expected_nonce, attestation.nonce)
    _expected("state", expected_state, attestation.state_hash)
    if output is not None:
        _expected("output", hash_of_output(output), attestation.output_hash)
    keep = max_age + CLOCK_SKEW
    if nonces and not nonces.accept(attestation.key_id, attestation.nonce, now=now, keep=keep):
        raise SignatureRefused("It was accepted before: a replay.")
    return VerificationResult.model_validate(attestation.verdict)


def _expected(what: str, expected: str | None, found: str | None) -> None:
    if expected is not None and expected != found:
        raise SignatureRefused(f"It is signed, but for another {what}.")


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Two readers of a name that stands twice may believe different values."""
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return document


def is_readable_by_others(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o077)
