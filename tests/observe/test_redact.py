import pytest
from hypothesis import given, strategies as st

from groundwire.observe import keep_secret, redact, redact_tree


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Authorization: Bearer abc.def-ghi123", "abc.def-ghi123"),
        ("api_key=0123456789abcdef", "0123456789abcdef"),
        ('{"x-api-key": "s3cr3tvalue"}', "s3cr3tvalue"),
        ("postgres://user:hunter2@host/db", "hunter2"),
        ("use sk-ant-api03-abcdefghijklmnop", "sk-ant-api03-abcdefghijklmnop"),
        ("AIzaSyA1234567890abcdefghijk", "AIzaSyA1234567890abcdefghijk"),
        ("ghp_abcdefghijklmnopqrstuv123456", "ghp_abcdefghijklmnopqrstuv123456"),
        ("AKIAABCDEFGHIJKLMNOP", "AKIAABCDEFGHIJKLMNOP"),
    ],
)
def test_secrets_go_and_their_surroundings_stay(text: str, secret: str) -> None:
    assert secret not in redact(text)
    assert redact(f"before {text} after").startswith("before")
    assert redact(f"before {text} after").endswith("after")


@given(st.text(alphabet=st.characters(codec="ascii", categories=["L", "Zs"]), max_size=80))
def test_plain_words_are_left_alone(text: str) -> None:
    assert redact(text) == text


def test_nested_values_are_redacted() -> None:
    assert redact_tree({"a": [("password: hunter22",)], "n": 3}) == {
        "a": [["password: [REDACTED]"]],
        "n": 3,
    }


def test_a_secret_we_know_goes_whatever_it_looks_like() -> None:
    keep_secret("plum;jam&marmalade")
    assert redact("api_key=plum;jam&marmalade and plum;jam&marmalade") == (
        "api_key=[REDACTED] and [REDACTED]"
    )


def test_a_value_too_short_to_be_a_secret_blanks_nothing_out() -> None:
    keep_secret("the")
    keep_secret("")
    assert redact("the lamp") == "the lamp"
