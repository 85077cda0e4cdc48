"""What a report means that says none of a graph's words."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from groundwire.graph import CausalKnowledgeGraph, Matcher, Tells
from groundwire.model import GraphSource
from tests.graph.make import graph_of

ALIKE = (
    {"boat", "ship", "ferry"},
    {"fairway", "channel"},
    {"strayed", "left", "drifted"},
    {"wireless", "radio"},
    {"crackled", "hissed"},
    {"rudder", "wheel"},
)


class Synonyms:
    """A text is where its words are; words of one group are at one place."""

    def embed(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        rows = np.zeros((len(texts), 512), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().strip(".").split():
                group = next((at for at, one in enumerate(ALIKE) if word in one), None)
                row[hash_of(word) if group is None else group] += 1
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.maximum(norms, 1), dtype=np.float32)


def hash_of(word: str) -> int:
    return len(ALIKE) + sum(ord(sign) * (at + 7) for at, sign in enumerate(word)) % 500


def graph(*beside: str) -> CausalKnowledgeGraph:
    file = graph_of(("stuck rudder", "ship left channel", "The stuck rudder: ship left channel."))
    told = GraphSource(
        doc_id="report-0", title="Report", path="report-0", sha256="0" * 64, beside=beside
    )
    return CausalKnowledgeGraph(file.model_copy(update={"sources": (told,)}))


@pytest.mark.parametrize(
    ("report", "beside", "meant"),
    [
        ("Boat strayed fairway", ("Lunch was served late.",), ["ship_left_channel"]),
        ("Wireless crackled", ("The radio hissed.",), []),
        ("Knitting curls edges", ("Lunch was served late.",), []),
    ],
)
def test_a_report_means_what_is_near_unless_something_else_told_is_nearer(
    report: str, beside: tuple[str, ...], meant: list[str]
) -> None:
    """Whoever tells it anew puts one word for another; what nobody explained stays unexplained."""
    known = graph(*beside)
    matcher = Matcher(list(known.variables.values()), Synonyms())
    assert [one.variable.id for one in matcher.meant(report, known)] == meant


def test_a_report_of_stop_words_means_nothing() -> None:
    known = graph("Lunch was served late.")
    assert Matcher(list(known.variables.values()), Synonyms()).meant("It was on", known) == []


def says(*told: str) -> Tells:
    """Finds every name in the sentences that hold one of these words."""
    return lambda sentence, names: [0.9 * any(one in sentence for one in told)] * len(names)


BY_SEVEN = "One ferry drifted off fairway with cold engines."


@pytest.mark.parametrize(("told", "meant"), [("ferry", ["ship_left_channel"]), ("lunch", [])])
def test_what_is_told_besides_may_tell_of_a_variable(told: str, meant: list[str]) -> None:
    """Then being nearer to it speaks for the variable, not against it."""
    known = graph(BY_SEVEN, "Lunch was served late.")
    matcher = Matcher(list(known.variables.values()), Synonyms(), tells=says(told))
    report = "Ferry drifted off fairway with cold engines"
    assert [one.variable.id for one in matcher.meant(report, known)] == meant


def test_what_has_no_verb_is_not_told_besides() -> None:
    """A heading that names the thing does not keep a report from it."""
    known = graph("Item 2: the boat in the fairway")
    matcher = Matcher(list(known.variables.values()), Synonyms(), tells=says())
    found = matcher.meant("Boat strayed fairway", known)
    assert [one.variable.id for one in found] == ["ship_left_channel"]


def test_the_judge_is_not_believed_about_what_is_far_off() -> None:
    """It may find every name told in a sentence about something else; that stays told besides."""
    known = graph("The radio hissed all night.")
    matcher = Matcher(list(known.variables.values()), Synonyms(), tells=says("radio"))
    assert matcher.meant("Radio hissed all night", known) == []


def test_a_name_speaks_for_its_variable_beside_the_sentences() -> None:
    """`They went off` does not say who did; the name does."""
    file = graph_of(("stuck rudder", "ship left channel", "They went off: the stuck rudder."))
    told = GraphSource(
        doc_id="report-0",
        title="Report",
        path="report-0",
        sha256="0" * 64,
        beside=("The ship was a matter by itself.",),
    )
    known = CausalKnowledgeGraph(file.model_copy(update={"sources": (told,)}))
    matcher = Matcher(list(known.variables.values()), Synonyms())
    found = matcher.meant("Ship left channel", known)
    assert [one.variable.id for one in found] == ["ship_left_channel"]


@pytest.mark.parametrize(
    ("borne", "meant"), [(0.9, ["ship_left_channel"]), (0.5, ["ship_left_channel"]), (0.001, [])]
)
def test_near_is_not_enough_where_the_judge_sees_nothing_to_do_with_it(
    borne: float, meant: list[str]
) -> None:
    """Other trouble of the same ship is near as well."""
    known = graph("Lunch was served late.")
    matcher = Matcher(list(known.variables.values()), Synonyms(), bears=lambda *_: borne)
    report = "Boat strayed smelling lemons badly"
    assert [one.variable.id for one in matcher.meant(report, known)] == meant


@pytest.mark.parametrize("report", ["Knitting curls edges", "Lunch served", "The radio hissed"])
def test_what_the_judge_sees_is_not_enough_where_nothing_is_near(report: str) -> None:
    known = graph("Lunch was served late.", "The radio hissed.")
    matcher = Matcher(list(known.variables.values()), Synonyms(), bears=lambda *_: 1.0)
    assert matcher.meant(report, known) == []
