import pytest
from hypothesis import given, strategies as st

from groundwire.actions import CLAIM_TYPES, TaskVerifier, parse_output
from groundwire.errors import InputError
from tests.actions.helpers import Json, output, sha, write

GOOD: Json = {"summary": "Done.", "traceRef": "trace:1"}


def problems(raw: object) -> list[tuple[str, str]]:
    result = TaskVerifier().verify_sync(raw)
    assert result.level == 1
    return [(error.category, error.message) for error in result.errors]


def test_both_spellings_of_every_name_are_read() -> None:
    anchor = {"beforeSnippet": "a", "afterSnippet": "b", "contentHash": sha("")}
    claims = [
        {"type": "file-edit", "filePath": "x", "anchor": anchor},
        {"kind": "file-write", "path": "x", "contentHash": "SHA256:" + sha("").upper()},
        {"type": "command-executed", "command": "ls", "exitCode": 0},
    ]
    result = TaskVerifier().verify_sync(GOOD | {"claims": claims})
    assert result.valid
    assert [claim.type for claim in result.claims] == [
        "file-edit",
        "file-write",
        "command-executed",
    ]


@pytest.mark.parametrize(
    ("change", "category", "words"),
    [
        ({"summary": None}, "invalid_type", "summary is null"),
        ({"summary": 5}, "invalid_type", "summary is a number"),
        ({"summary": "  "}, "missing_field", "summary is empty"),
        ({"traceRef": ""}, "missing_field", "trace_ref is empty"),
        ({"traceRef": "trace:"}, "missing_field", "trace_ref is empty"),
        ({"traceRef": "run-1"}, "invalid_type", "must start with 'trace:'"),
        ({"claims": {}}, "invalid_type", "claims is an object"),
        ({"claims": [3]}, "invalid_type", "claims[0] is a number"),
        ({"claims": [{}]}, "missing_field", "claims[0].type is missing"),
        ({"claims": [{"type": "file-teleport"}]}, "invalid_type", "'file-teleport' is not one of"),
        ({"claims": [{"type": "file-write", "file_path": "x"}]}, "missing_field", "content_hash"),
        ({"claims": [write("", "x")]}, "missing_field", "claims[0].file_path is empty"),
        (
            {"claims": [{"type": "file-write", "file_path": "x", "content_hash": "abc"}]},
            "invalid_type",
            "claims[0].content_hash: not a SHA-256",
        ),
        (
            {"claims": [{"type": "file-edit", "file_path": "x", "anchor": {}}]},
            "missing_field",
            "claims[0].anchor.before_snippet is missing",
        ),
        ({"artifacts": [{"note": "x" * 1100}]}, "invalid_type", "artifacts[0]"),
        ({"artifacts": ["large"]}, "invalid_type", "artifacts[0] is a string"),
    ],
)
def test_what_is_wrong_is_named_by_field_and_category(
    change: Json, category: str, words: str
) -> None:
    found = problems(GOOD | change)
    assert category in [found_category for found_category, _ in found]
    assert any(words in message for _, message in found)


def test_every_missing_field_is_told_at_once() -> None:
    assert problems({}) == [
        ("missing_field", "summary is missing"),
        ("missing_field", "trace_ref is missing"),
    ]


def test_an_unknown_type_is_told_the_known_ones() -> None:
    [(_, message)] = problems(GOOD | {"claims": [{"type": "file-teleport"}]})
    assert all(known in message for known in CLAIM_TYPES)


@pytest.mark.parametrize("raw", [None, 3, "text", [], b"{}"])
def test_what_is_no_object_fails_level_1(raw: object) -> None:
    [(category, message)] = problems(raw)
    assert category == "invalid_type"
    assert "not an object" in message


def test_optional_lists_may_be_null_or_left_out() -> None:
    assert TaskVerifier().verify_sync(GOOD | {"claims": None, "artifacts": None}).valid


def test_an_artifact_just_under_the_limit_passes() -> None:
    room = 1023 - len('{"note": ""}')
    assert TaskVerifier().verify_sync(GOOD | {"artifacts": [{"note": "x" * room}]}).valid
    assert not TaskVerifier().verify_sync(GOOD | {"artifacts": [{"note": "x" * (room + 1)}]}).valid


def test_more_claims_than_allowed_are_refused_unread() -> None:
    result = TaskVerifier().verify_sync(output(*[write("x", "")] * 100_001))
    assert "100001 are more than 100000" in result.errors[0].message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("{", "out.json:1:2 is not valid JSON"),
        ('{"a": 1 "b"}', "out.json:1:9"),
        ("[]", "a list, not an object"),
        ("I updated the README.", "claims-from-text"),
        ("[" * 100_000, "cannot be read as JSON"),
        ('{"x": NaN}', "NaN is not JSON"),
        ('{"x": "\\ud800"}', "half a character"),
    ],
)
def test_text_that_is_no_output_is_bad_input(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_output(text, where="out.json")
    assert words in str(caught.value)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "file_path", "anchor", "claims", "summary", "traceRef", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_json)
def test_no_value_of_any_shape_raises(raw: object) -> None:
    result = TaskVerifier().verify_sync(raw)
    assert result.valid == (not result.errors)
