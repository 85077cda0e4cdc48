"""What other folders build on: joints, denials, words with their places, open tasks, log lines."""

import pytest

from groundwire.text import (
    coordinations,
    denial_before,
    denies_verb,
    is_auxiliary,
    is_preposition,
    log_lines,
    placed_words,
    read,
    sentence_ranges,
    singular,
    status_of,
)


@pytest.mark.parametrize(
    ("text", "joints"),
    [
        ("A is up, and B is down", [(",", "and")]),
        ("A is up; B is down but C is not", [(";", ""), ("", "but")]),
        ("Ran it: all green", [(":", "")]),
        ("A is up \u2013 B is down and then C", [("-", ""), ("", "and then")]),
        ("The current was 188 A. Then it rose", [(".", "")]),
        ("ran `rm a.py, b.py` once", []),
        ("Anderson", []),
    ],
)
def test_every_place_that_may_join_two_statements_is_found(
    text: str, joints: list[tuple[str, str]]
) -> None:
    """A joint is known by its mark and its conjunction; code is one word."""
    found = list(coordinations(text))
    assert [(one.mark, one.word) for one in found] == joints
    assert all(text[one.start : one.end].strip() in text for one in found)


def test_joints_of_a_stretch_have_their_places_in_the_whole() -> None:
    """Only the stretch is read, and its places are those of the text."""
    text = "x, y. A is up, and B is down"
    [joint] = coordinations(text, 6)
    assert text[joint.start : joint.end] == ", and "


@pytest.mark.parametrize(
    ("text", "word", "cue"),
    [
        ("It did not leak.", "leak", "not"),
        ("It didn\u2019t leak.", "leak", "didn\u2019t"),
        ("No leak, and no smoke.", "smoke", "no"),
        ("Not only did it leak.", "leak", None),
        ("It leaks, not the valve.", "leaks", None),
    ],
)
def test_the_nearest_denial_before_a_place_is_found(text: str, word: str, cue: str | None) -> None:
    """With either apostrophe; what stands behind the place does not count."""
    found = denial_before(text, text.index(word))
    assert (text[slice(*found)] if found else None) == cue


def test_verbs_and_things_are_denied_by_other_words() -> None:
    """ "not" denies a verb, "no" and "without" deny a thing."""
    assert [w for w in ("not", "didn\u2019t", "never", "no", "without") if denies_verb(w)] == [
        "not",
        "didn\u2019t",
        "never",
    ]


def test_words_have_their_places_and_their_kinds() -> None:
    """Numbers with separators are one word, an apostrophe stays within its word."""
    text = "T2's load of 1,204.5"
    assert [text[one.start : one.end] for one in placed_words(text)] == [
        "T2's",
        "load",
        "of",
        "1,204.5",
    ]
    assert is_preposition("of")
    assert is_auxiliary("been")


@pytest.mark.parametrize(
    ("plural", "one"),
    [("restarts", "restart"), ("retries", "retry"), ("status", "status"), ("loss", "loss")],
)
def test_a_plural_is_shown_in_the_singular(plural: str, one: str) -> None:
    """Words that only end like a plural stay."""
    assert singular(plural) == one


def test_everything_in_an_open_task_is_planned() -> None:
    """Also its second sentence."""
    [first, second] = read("- [ ] Rotate the key. The old one leaked.").sentences
    assert {"planned"} <= first.status.labels & second.status.labels


def test_a_whole_word_before_a_full_stop_ends_its_sentence() -> None:
    """Even where the next word is none that usually opens one."""
    text = "The dough is 2 °C too cold. SoC power draw is 5 W."
    assert [text[a:b] for a, b in sentence_ranges(text)] == [
        "The dough is 2 °C too cold.",
        "SoC power draw is 5 W.",
    ]


def test_lines_of_a_log_are_cut_and_wrapped_prose_is_not() -> None:
    """A time, a bracket or a key opens a line of a log."""
    text = "12:04 trip\n12:05 alarm\nflow = 3\nand so on"
    assert [text[a:b] for a, b in log_lines(text, 0, len(text))] == [
        "12:04 trip",
        "12:05 alarm",
        "flow = 3\nand so on",
    ]


def test_what_could_not_be_done_is_no_guess() -> None:
    """ "Could not" states a failure, "could not have" argues."""
    assert "hedged" not in status_of("The change could not be merged.").labels
    assert "hedged" in status_of("The valve could not have opened.").labels
    assert "asked" in status_of("We check if the valve opens.").labels
