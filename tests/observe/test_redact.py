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


def test_json_stays_json() -> None:
    assert redact('{"a_secret": "two words"}') == '{"a_secret": "[REDACTED]"}'


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


@pytest.mark.parametrize(
    "text",
    [
        "DB_PASSWORD=hunter2secret is set.",
        "The password is hunter2secret.",
        "The password is my.hunter2secret.",
        "The admin password was set to hunter2secret, as asked.",
        "Das Passwort lautet hunter2secret.",
        "DB_PASSWORD = 'hunter2secret'",
        '{\\"password\\": \\"hunter2secret\\"}',
        "export GH_TOKEN=hunter2secret",
        'STRIPE_SECRET_KEY: "hunter2secret"',
        "OPENAI_API_KEY=hunter2secret",
        "dbPassword: hunter2secret",
        'passphrase="some more hunter2secret"',
        "token: hunter2secret",
        "The token is `hunter2secret`.",
    ],
)
def test_a_value_of_a_name_that_tells_a_secret_goes(text: str) -> None:
    """However the name goes on before it, and whether it is assigned or told in words."""
    assert "hunter2" not in redact(text)
    assert redact(redact(text)) == redact(text)


@given(
    st.sampled_from(["password", "token", "secret", "API key", "passphrase"]),
    st.sampled_from(
        [
            "policy is strict", "is required", "is stored hashed", "is 12 characters long",
            "is SHA-256 hashed", "is base64-encoded", "was wrong", "is never logged",
            "is missing from the request", "is now optional", "resets expire after 30 days",
            "rotation was changed from 30 to 60 days", "is a string of 32 letters",
        ]
    ),
    st.sampled_from(["The", "Your", "A user's", "The new"]),
)  # fmt: skip
def test_ordinary_sentences_about_secrets_stay(noun: str, rest: str, opening: str) -> None:
    """What says something about a secret without telling it is left as it is."""
    text = f"{opening} {noun} {rest}."
    assert redact(text) == text


@pytest.mark.parametrize(
    "text",
    ["max_token=512 is the limit.", "Token: a piece of a word.", "It costs 3 tokens: two and one."],
)
def test_tokens_of_text_are_no_secrets(text: str) -> None:
    assert redact(text) == text
