import pytest
from hypothesis import given, strategies as st

from groundwire.diagnose._statements import MAX_STATEMENTS, statements_of


def _texts(report: str) -> list[str]:
    return [one.text for one in statements_of(report)]


def test_each_metric_has_its_own_statement() -> None:
    assert _texts("Pressure is 3 bar, speed 2 m/s and the oil temperature is 94 °C.") == [
        "Pressure is 3 bar",
        "speed 2 m/s",
        "the oil temperature is 94 °C.",
    ]


def test_two_clauses_are_two_statements() -> None:
    report = "The failure of the fans was reported at 13:02, and T2 tripped; nobody saw it happen."
    assert _texts(report) == [
        "The failure of the fans was reported at 13:02",
        "T2 tripped",
        "nobody saw it happen.",
    ]
    assert len(_texts("Fan 1, fan 2, and fan 3 failed.")) == 1


@pytest.mark.parametrize(
    ("report", "count"),
    [
        ("VCORE_725mV_usage: 29.32%\nsoc_power_draw = 6.3 W\ntemperature=69 °C\n", 3),
        ('{"vcore_725mv_usage": "29.32%", "soc_power_draw_w": 6.3, "cpu_mhz": 800}', 3),
        ("| metric | value |\n|---|---|\n| usage | 29 % |\n| draw | 6.3 W |\n", 2),
        ("2025-11-03T03:20:01Z historian ERROR write errors in the log count=18400\n" * 2, 1),
        ("[03:20] The historian reports errors, 18400 of them\n[03:21] The disk is full at 99%", 2),
    ],
)
def test_logs_tables_and_keys_give_a_statement_each(report: str, count: int) -> None:
    assert sum(one.observes for one in statements_of(report)) == count


def test_numbers_that_qualify_a_metric_stay_with_it() -> None:
    for report in (
        "Polling gaps of 9 minutes, 21 times today.",
        "Cooling fan failure is signalled for fan 1 and fan 4.",
        "Oil temperature of T3 is 93 °C at a load of 55 %.",
    ):
        assert _texts(report) == [report]


def test_a_unit_before_a_full_stop_ends_the_sentence() -> None:
    report = "The current was 188 A. Partial discharge rose."
    assert _texts(report) == ["The current was 188 A.", "Partial discharge rose."]


def test_front_matter_and_list_marks_are_no_statements() -> None:
    report = "---\nid: INC-1\ndate: 2025-01-01\n---\n\n# Title\n\n- Disk usage is 99 %.\n"
    title, metric = statements_of(report)
    assert (title.text, title.is_heading, title.observes) == ("Title", True, False)
    assert (metric.text, metric.is_heading, metric.observes) == ("Disk usage is 99 %.", False, True)


@pytest.mark.parametrize(
    "hedged",
    ["It might be an expired certificate.", "Could it be the fan?", "We suspect a leak."],
)
def test_what_may_be_is_not_observed(hedged: str) -> None:
    (statement,) = statements_of(hedged)
    assert statement.is_hedged


def test_dates_times_and_ordinals_are_no_metrics() -> None:
    (statement,) = statements_of("On 3 March 2025 at 03:20 the second door was opened.")
    assert statement.quantities == ()
    assert not statement.observes


def test_statements_are_spans_of_the_report_and_numbers_spans_too() -> None:
    report = "x\n\n- Usage is 29.32 %, and the draw is 5.7 W.\n"
    for one in statements_of(report):
        assert one.span.of(report) == one.text
        for quantity in one.quantities:
            assert report[quantity.start : quantity.end] == quantity.text


@given(st.text(max_size=300))
def test_any_text_can_be_cut(report: str) -> None:
    for one in statements_of(report):
        assert one.span.of(report) == one.text


@pytest.mark.parametrize("piece", ["1, ", "x", "9 W and 9 W, "])
def test_a_megabyte_of_anything_is_cut_into_bounded_pieces(piece: str) -> None:
    report = piece * (1_000_000 // len(piece))
    assert 0 < len(list(statements_of(report))) <= MAX_STATEMENTS


def test_a_guess_is_told_from_what_is_seen() -> None:
    """Each clause by the cues that govern it."""
    report = "The fan stopped; the reason is unknown. No oil leaked. The pump might be worn."
    found = {one.text: one.is_hedged for one in statements_of(report)}
    assert found == {
        "The fan stopped": False,
        "the reason is unknown.": True,
        "No oil leaked.": False,
        "The pump might be worn.": True,
    }
