"""The learned reader: what it reads, and that doubt never accuses."""

import pytest

from groundwire.actions import _read_places
from groundwire.actions._anchors import features, segments_of, tokens_of
from groundwire.actions._learned import Reading, read_place, reader
from groundwire.actions._prose import statements


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("I patched `a.py` and left `b.py` alone.", {"a.py": "changed", "b.py": "same"}),
        ("`a.py` didn't need anything.", {"a.py": "same"}),
        ("We got rid of `old.js`.", {"old.js": "deleted"}),
        ("I read `a.py` first.", {"a.py": "none"}),
        ("You can edit `a.py` later.", {"a.py": "none"}),
        ("All 12 tests pass.", {"12": "pass", "tests": "pass"}),
        ("2 failed, 3 passed", {"2": "fail", "3": "pass"}),
        ("`make test` went through.", {"make test": "ok"}),
        ("Run `make test` to check.", {"make test": "none"}),
        ("Alle Tests sind gr\u00fcn.", {"Tests": "pass"}),
        ("I committed the change.", {"committed": "done"}),
        ("I was unable to update `a.py`.", {"a.py": "same"}),
        ("`terraform plan` does not work.", {"terraform plan": "bad"}),
    ],
)
def test_places_are_read_by_the_words_around_them(text: str, places: dict[str, str]) -> None:
    tokens = tokens_of(text)
    segments = segments_of(tokens)
    read = {
        token.text: read_place(token.kind, features(tokens, segments, at, reader().kin)).label
        for at, token in enumerate(tokens)
        if token.is_anchor
    }
    assert {name: read[name] for name in places} == places


def test_shares_and_numbers_are_values() -> None:
    read = {token.text: (token.value, token.whole) for token in tokens_of("2 of the 3, both, 4/4")}
    assert read["2 of 3"] == (2, 3)
    assert read["both"] == (2, None)
    assert read["4/4"] == (4, 4)


def test_names_in_a_list_stand_in_one_stretch() -> None:
    tokens = tokens_of("I changed `a.py`, `b.py` and the `c.py`, but nothing else.")
    found = [
        n for token, n in zip(tokens, segments_of(tokens), strict=True) if token.kind == "file"
    ]
    assert len(set(found)) == 1


def test_what_is_read_with_doubt_is_never_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_read_places, "read_place", lambda *_: Reading("changed", {"changed": 0.8}))
    found = statements("The parser of `a.py` frobnicates `b.py`.")
    assert found
    assert not any(one.certain for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "If `a.py` is patched, it may work.",
        "Most tests pass.",
        "You patched `a.py`.",
        "`a.py` could be patched.",
        "Should I patch `a.py`?",
    ],
)
def test_what_is_supposed_or_done_by_others_says_nothing(text: str) -> None:
    assert statements(text) == []


def test_what_was_not_done_is_read() -> None:
    kinds = [one.kind for one in statements("I edited neither `a.py` nor `b.py`.")]
    assert kinds == ["reverted", "reverted"]
    assert not any(one.was_done for one in statements("Ich habe die Tests nicht ausgef\u00fchrt."))
    (found,) = statements("Not all tests pass.")
    assert found.kind == "fails"


def test_a_share_is_read_where_the_rules_see_only_that_tests_pass() -> None:
    (found,) = statements("3 of the 4 tests pass.")
    assert (found.kind, found.count) == ("fails", 1)


@pytest.mark.parametrize(
    "text",
    [
        "ctest says: 100% passed, 0 of 2 failed.",
        "0 of 12 tests failed.",
        "0/5 tests failed",
        "Zero of the 4 specs fail.",
        "None of the 6 tests failed.",
    ],
)
def test_that_none_fails_is_that_all_pass(text: str) -> None:
    (found,) = statements(text)
    assert (found.kind, found.count) == ("passes", None)


@pytest.mark.parametrize(
    "text",
    [
        "Kein einziger Mocha-Test ist gr\u00fcn.",
        "Keiner der Tests ist gr\u00fcn.",
        "Not a single test passes.",
        "Not one spec is green.",
    ],
)
def test_what_is_said_of_none_accuses_nobody(text: str) -> None:
    assert not any(one.certain for one in statements(text))


def test_a_number_in_a_name_counts_nothing() -> None:
    (found,) = statements("test_div_zero is failing, as it still expects a ZeroDivisionError.")
    assert (found.kind, found.name, found.count) == ("fails", "test_div_zero", None)
    assert found.if_known


def test_a_command_that_breaks_has_failed() -> None:
    (found,) = statements("`make test` breaks.")
    assert (found.kind, found.command, found.failed) == ("ran", "make test", True)


def test_a_failure_that_is_mended_later_accuses_nobody() -> None:
    first, last = statements("One test failed. All tests pass.")
    assert (first.kind, first.certain, last.kind) == ("fails", False, "passes")


@pytest.mark.parametrize("text", ["I did not run the tests again.", "I never ran it on Windows."])
def test_what_was_perhaps_run_elsewhere_is_not_certain(text: str) -> None:
    assert not any(one.certain for one in statements(text))


def test_a_word_nobody_wrote_counts_by_its_group() -> None:
    kin = reader().kin
    groups = kin.groups
    assert groups["erased"] == groups["deleted"]
    tokens = tokens_of("I erased `a.py`.")
    found = features(tokens, segments_of(tokens), 2, kin, hidden={1})
    assert f"<#{groups['deleted']}" in found
    assert "<erased" not in found


def test_a_word_nobody_grouped_counts_by_its_sense() -> None:
    """ "Survived" stands in a group of its own with "died"; that it tells of staying counts."""
    kin = reader().kin
    assert kin.senses["survived"] == kin.senses["kept"] == "stay"
    tokens = tokens_of("`a.py` survived")
    assert "$>0stay" in features(tokens, segments_of(tokens), 0, kin)
