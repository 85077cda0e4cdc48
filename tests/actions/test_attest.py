import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.actions import Attestation, VerificationResult
from groundwire.actions._attest import (
    NonceLog,
    SigningKey,
    attest,
    canonical,
    check_attestation,
    parse_attestation,
    read_key,
)
from groundwire.errors import InputError, SignatureRefused, UnreadableSource
from tests.actions.helpers import output, verify, write

KEY = SigningKey(b"k" * 32)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OUTPUT = output(write("a.txt", "x"))
MAX_AGE = timedelta(minutes=10)


@pytest.fixture
def result(base: Path) -> VerificationResult:
    return verify(base, write("README.md", "not this"))


def signed(result: VerificationResult, **options: Any) -> dict[str, Any]:
    document = attest(result, KEY, output=OUTPUT, now=NOW, **options)
    loaded: dict[str, Any] = json.loads(document.model_dump_json())
    return loaded


def check(document: dict[str, Any], **options: Any) -> VerificationResult:
    arguments: dict[str, Any] = {"max_age": MAX_AGE, "now": NOW + timedelta(minutes=1)} | options
    key = arguments.pop("key", KEY)
    return check_attestation(parse_attestation(json.dumps(document)), key, **arguments)


def test_a_signed_verdict_comes_back_as_it_was(result: VerificationResult) -> None:
    document = signed(result, nonce="question-1")
    assert check(document, expected_nonce="question-1", output=OUTPUT) == result
    assert document["state_hash"] == result.state_hash


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verdict", {"valid": True, "level": 3}),
        ("issued_at", "2026-03-01T12:00:30Z"),
        ("nonce", "another-nonce"),
        ("output_hash", "0" * 64),
        ("state_hash", "0" * 64),
        ("trace_hash", "0" * 64),
        ("signature", "0" * 64),
        ("signature", ""),
    ],
)
def test_any_change_breaks_the_signature(
    result: VerificationResult, field: str, value: object
) -> None:
    with pytest.raises(SignatureRefused, match="changed or forged"):
        check(signed(result) | {field: value})


def test_another_key_is_refused(result: VerificationResult) -> None:
    with pytest.raises(SignatureRefused, match="another key"):
        check(signed(result), key=SigningKey(b"x" * 32))


@pytest.mark.parametrize("minutes", [-5, 11, 60 * 24])
def test_one_from_another_time_is_refused(result: VerificationResult, minutes: int) -> None:
    with pytest.raises(SignatureRefused, match="not now"):
        check(signed(result), now=NOW + timedelta(minutes=minutes))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"expected_nonce": "other-question"}, "another nonce"),
        ({"output": output()}, "another output"),
        ({"expected_state": "0" * 64}, "another state"),
    ],
)
def test_an_answer_to_another_question_is_refused(
    result: VerificationResult, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(SignatureRefused, match=words):
        check(signed(result), **options)


@pytest.mark.parametrize("nonce", ["", "short", "x" * 201])
def test_a_nonce_must_have_some_length(result: VerificationResult, nonce: str) -> None:
    with pytest.raises(InputError, match="8 to 200"):
        signed(result, nonce=nonce)


def test_an_answer_counts_once(result: VerificationResult, tmp_path: Path) -> None:
    document = signed(result)
    first, second = (NonceLog(tmp_path / "nonces.sqlite") for _ in range(2))
    check(document, nonces=first)
    with pytest.raises(SignatureRefused, match="replay"):
        check(document, nonces=second)
    check(signed(result), nonces=second)
    first.close()
    second.close()


def test_a_forgery_does_not_use_up_the_nonce(result: VerificationResult, tmp_path: Path) -> None:
    log = NonceLog(tmp_path / "nonces.sqlite")
    document = signed(result)
    with pytest.raises(SignatureRefused):
        check(document | {"signature": "0" * 64}, nonces=log)
    check(document, nonces=log)
    log.close()


def test_a_name_that_stands_twice_is_refused(result: VerificationResult) -> None:
    text = json.dumps(signed(result))[:-1] + ', "nonce": "second-nonce"}'
    with pytest.raises(InputError, match="twice"):
        parse_attestation(text)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"groundwire_attestation": 2}', "[" * 100_000]
)
def test_what_is_no_signed_verdict_is_named(text: str) -> None:
    with pytest.raises(InputError, match="the document"):
        parse_attestation(text)


@pytest.mark.parametrize(
    "change", [{"key_id": "ü" * 16}, {"signature": "\ud800"}, {"issued_at": "2026-03-01T12:00:00"}]
)
def test_odd_characters_and_times_without_zone_are_refused(
    result: VerificationResult, change: dict[str, Any]
) -> None:
    with pytest.raises(InputError):
        check(signed(result) | change)


def test_a_key_is_read_in_any_dress_and_never_shown(tmp_path: Path) -> None:
    secret = bytes(range(32))
    path = tmp_path / "key"
    ids = set()
    for written in (secret.hex().encode() + b"\n", base64.b64encode(secret) + b"\n"):
        path.write_bytes(written)
        ids.add(read_key(path).key_id)
    assert ids == {SigningKey(secret).key_id}
    assert secret.hex() not in repr(SigningKey(secret))
    assert SigningKey(secret).key_id in repr(SigningKey(secret))


def test_a_short_or_missing_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "short").write_bytes(b"0123456789")
    with pytest.raises(InputError, match="at least 32 bytes"):
        read_key(tmp_path / "short")
    with pytest.raises(UnreadableSource, match="nowhere"):
        read_key(tmp_path / "nowhere")


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@given(_json)
def test_equal_values_have_equal_bytes(value: Any) -> None:
    reordered = json.loads(json.dumps(value))
    if isinstance(reordered, dict):
        reordered = dict(reversed(reordered.items()))
    assert canonical(reordered) == canonical(value)


def test_the_document_is_versioned() -> None:
    assert Attestation.model_fields["groundwire_attestation"].default == 1
