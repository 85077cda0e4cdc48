"""What `gw eval` shows on a terminal."""

from typing import TYPE_CHECKING

from groundwire.cli._output import console, plain_table

if TYPE_CHECKING:
    from groundwire.evaluate import Calibration, Change, Comparison, Rates, Results

SHOWN_FAILURES = 20


def show_results(results: "Results") -> None:
    from rich.text import Text

    out = console()
    for name, metrics in results.suites.items():
        table = plain_table(name, "cases", "passed", "precision", "recall", "F1")
        splits = {f"{split} split": found for split, found in metrics.by_split.items()}
        shown = {**metrics.by_collection, **(splits if len(splits) > 1 else {})}
        for group, found in (*shown.items(), ("all", metrics.overall)):
            table.add_row(group, str(found.count), str(found.passed), *_cells(found))
        out.print(table)
        if name == "questions":
            asked = metrics.abstention
            out.print(
                f"Abstained: {asked.total_rate:.1%}, expected {asked.expected_rate:.1%}. "
                f"Definitions not from the vocabulary: {metrics.terminology.hallucinated}."
            )
        times = metrics.latency
        out.print(Text(" ".join(f"{key} {value:g}" for key, value in times.items()), "dim"))
    for name, reason in results.meta.left_out.items():
        out.print(f"Left out: {name}, as {reason}.")
    for one in results.failures[:SHOWN_FAILURES]:
        line = f"{one.id} {one.category}: {one.reason}: {' '.join(one.query.split())}"
        out.print(Text(line), overflow="ellipsis", no_wrap=True)
    more = len(results.failures) - SHOWN_FAILURES
    if more > 0:
        out.print(f"… and {more} more; --output or --html has them all.")


def _cells(found: "Rates") -> list[str]:
    cells = []
    for name in ("precision", "recall", "f1"):
        value = getattr(found, name)
        low, high = found.intervals.get(name, (0.0, 0.0))
        cells.append("-" if value is None else f"{value:.3f} {low:.2f}-{high:.2f}")
    return cells


def show_comparison(found: "Comparison") -> None:
    out = console()
    for name, suite in found.suites.items():
        rows = dict(suite.overall)
        for collection, changes in suite.by_collection.items():
            moved = {key: one for key, one in changes.items() if one.change and key != "f1"}
            rows |= {f"{collection}, {key}": one for key, one in moved.items()}
        table = plain_table(name, "before", "after", "change", "95 % interval")
        for label, one in rows.items():
            table.add_row(label, *_change_cells(one))
        out.print(table)
        flipped = {"now fails": suite.broken, "now passes": suite.mended}
        for label, cases in flipped.items():
            if cases:
                out.print(f"{label}: {', '.join(cases)}")
    if not found.same_golden_set:
        out.print("The golden set is another: only cases that both have were compared.")
    for sentence in found.regressions:
        out.print(sentence, style="red")
    if not found.regressions:
        out.print("Nothing fell past its threshold.", style="green")


def _change_cells(one: "Change") -> list[str]:
    before, after = (("-" if x is None else f"{x:.3f}") for x in (one.before, one.after))
    change = "-" if one.change is None else f"{one.change:+.3f}"
    interval = "-" if one.interval is None else f"{one.interval[0]:+.3f} to {one.interval[1]:+.3f}"
    return [before, after, change, interval]


def show_calibration(found: "Calibration") -> None:
    table = plain_table(found.backend, "log loss", "Brier", "ECE")
    for name, held in found.held.items():
        cells = (held.log_loss, held.brier, held.calibration_error)
        table.add_row(name, *(f"{one:.4f}" for one in cells))
    out = console()
    out.print(table)
    low, high = found.gain_interval
    out.print(
        f"Taken: {found.method}. The best saves {found.gain:+.4f} ({low:+.4f} to {high:+.4f}) log "
        f"loss on {found.held_rows} held claims."
    )
