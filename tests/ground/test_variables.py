import random

import pytest

from groundwire.ground import (
    VariableNames,
    Vocabulary,
    acronyms_in,
    label_of,
    variable_type,
)
from groundwire.model import Variable


@pytest.mark.parametrize(
    ("phrase", "label"),
    [
        ("The expired certificates", "expired certificate"),
        ("the certificate had expired", "certificate expired"),
        ("missing readings for 213 minutes", "missing readings"),
        ("a high VCORE 725 mV usage", "high VCORE 725 mV usage"),
        ("an outage, which lasted for hours", "outage"),
        ("DNS", "DNS"),
    ],
)
def test_names_are_short_and_without_articles_times_and_plurals(phrase: str, label: str) -> None:
    assert label_of(phrase) == label


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("memory leak", "event"),
        ("CPU usage", "metric"),
        ("outdated relay setting", "setting"),
        ("full disk", "component"),
        ("readings missing", "state"),
        ("sunshine", "other"),
    ],
)
def test_variables_are_typed_by_their_last_telling_word(label: str, kind: str) -> None:
    assert variable_type(label) == kind


def test_spellings_of_one_thing_are_one_variable() -> None:
    names = ["full disk", "Full disks", "disk full", "full disk on the historian", "rain"]
    vocabulary = Vocabulary(names)
    assert {vocabulary.variable(name).id for name in names[:4]} == {"disk_full"}
    assert len(vocabulary.variables) == 2


def test_different_things_with_a_common_word_stay_apart() -> None:
    vocabulary = Vocabulary(["error", "error in billing", "error in routing"])
    assert len(vocabulary.variables) == 3


def test_the_order_of_names_does_not_matter() -> None:
    names = ["full disk", "disk full", "a leak", "leak", "leak in the pump", "crash!", "crash?"]
    expected = Vocabulary(names).variables
    for seed in range(5):
        shuffled = random.Random(seed).sample(names, len(names))  # noqa: S311
        assert Vocabulary(shuffled).variables == expected


def test_a_short_name_is_an_alias_where_a_text_explains_it() -> None:
    short = acronyms_in(["The pod ran out of memory (OOM) and was killed (SIGKILL)."])
    assert short == {"OOM": "out of memory"}
    vocabulary = Vocabulary(["out of memory kill", "OOM kill"], short)
    assert len(vocabulary.variables) == 1


def named(*labels: str) -> tuple[VariableNames, list[Variable]]:
    variables = [Variable(id=label, label=label) for label in labels]
    return VariableNames(variables), variables


def test_a_phrase_means_the_most_specific_variable() -> None:
    names, (disk, full_disk) = named("disk", "full disk")
    assert names.fit(full_disk, "the full disk") == 1
    assert names.fit(disk, "the full disk") == 0
    assert names.fit(disk, "the disk") == 1


def test_the_absence_of_a_thing_is_not_the_thing() -> None:
    names, (backup,) = named("backup")
    assert names.fit(backup, "no backup") == 0


def test_identifiers_are_known_however_they_are_spelled() -> None:
    names, (status, data) = named("PrtStatPaper", "PrtData")
    for spelling in ("PrtStatPaper", "the Prt Stat Paper", "prt_stat_paper"):
        assert names.fit(status, spelling) > 0.9
    assert names.fit(data, "the Prt Stat Paper") == 0


def test_numbers_in_names_must_agree() -> None:
    names, (first, _) = named("relay setting feeder 4", "relay setting feeder 9")
    assert names.fit(first, "the relay setting of feeder 4") > 0
    assert names.fit(first, "the relay setting of feeder 9") == 0
