import pytest
from hypothesis import given, strategies as st

from groundwire.actions import Content
from tests.actions.helpers import sha

TEXT = "Zeile eins\n\tzwei: äöü\n"


@pytest.mark.parametrize(
    "stored",
    [
        TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        TEXT.encode("cp1252"),
        TEXT.rstrip("\n").encode(),
        (TEXT + "\n").encode()[:-1],
    ],
)
def test_a_hash_of_the_text_fits_however_it_is_stored(stored: bytes) -> None:
    content = Content.of_bytes(stored)
    assert content.has_hash(sha(TEXT))
    assert content.has_hash(sha(TEXT.replace("\n", "\r\n")))
    assert content.has_hash(sha(stored))


@pytest.mark.parametrize("other", [TEXT.upper(), TEXT + "x", TEXT.replace("\t", "    "), ""])
def test_a_hash_of_another_text_does_not_fit(other: str) -> None:
    assert not Content.of_bytes(TEXT.encode()).has_hash(sha(other))


def test_binary_bytes_have_no_text() -> None:
    content = Content.of_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01")
    assert content.texts == ()
    assert not content.has_hash(sha("PNG"))


@given(st.binary(max_size=200))
def test_any_bytes_can_be_looked_at(data: bytes) -> None:
    content = Content.of_bytes(data)
    assert content.has_hash(sha(data))
    assert all(isinstance(form, str) for form in (*content.same_forms, *content.visible_forms))
