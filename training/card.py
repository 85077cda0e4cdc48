"""Writes the model card from what is known (card.json) and what was measured (gw bench claims).

    python -m training.card --open OPEN.json --dev DEV.json

The figures are those that `gw bench claims DATA --json` prints. Only their summary goes into
card.json; CARD.md is made from card.json and the judge's calibration, so it can be made again
without the data:

    python -m training.card
"""

import argparse
import json
from pathlib import Path
from typing import Any

from groundwire.encoder import SupportCalibration, judge_calibration
from groundwire.encoder._weights import FOLDER

MEASURES = ("auroc", "balanced_accuracy", "f1", "calibration_error")


def summary(report: dict[str, Any]) -> dict[str, Any]:
    """What a card needs of a benchmark's report."""
    return {
        "threshold": report["threshold"],
        "sets": [_set(one) for one in (*report["sets"], report["macro"])],
        "contradicted": {name: _rounded(figure) for name, figure in report["contradicted"].items()},
        "reliability": [[round(value, 3) for value in one] for one in report["reliability"]],
        "bits": {
            "p1": _rounded(report["bits"]["p1"]),
            "gains": {name: _rounded(gain) for name, gain in report["bits"]["gains"].items()},
        },
    }


def _set(one: dict[str, Any]) -> dict[str, Any]:
    kept = {"name": one["name"], "rows": one["rows"]}
    kept |= {measure: _rounded(one[measure]) for measure in MEASURES}
    return kept | {"baselines": {name: _rounded(two) for name, two in one["baselines"].items()}}


def _rounded(values: list[float]) -> list[float]:
    return [round(value, 4) for value in values]


def render(card: dict[str, Any], support: SupportCalibration) -> str:
    parts = [
        f"# The embedded model, version {card['version']}",
        "Made by `python -m training.card` from `card.json`; do not edit.",
        *(f"## {title}\n\n{text}" for title, text in card["about"].items()),
        "## Data\n\n" + _data(card["data"]),
    ]
    for name, figures in card["measured"].items():
        parts.append(f"## Measured on {name}\n\n" + _measured(figures))
    parts += [
        "## Reading a probability\n\n" + _calibration(card, support),
        "## Files\n\n"
        + _table(["file", "sha256"], [[f"`{k}`", f"`{v}`"] for k, v in card["files"].items()]),
    ]
    return "\n\n".join(parts) + "\n"


def _data(sets: list[dict[str, str]]) -> str:
    rows = [[one["name"], one["licence"], one["used"]] for one in sets]
    return _table(["source", "licence", "used for"], rows)


def _measured(figures: dict[str, Any]) -> str:
    names = list(figures["sets"][-1]["baselines"])
    header = ["set", "rows", "AUROC", "balanced accuracy", "F1", "ECE", *names]
    rows = [
        [one["name"], str(one["rows"])]
        + [_with_interval(one[measure]) for measure in MEASURES]
        + [f"{one['baselines'][name][0]:.3f}" for name in names]
        for one in figures["sets"]
    ]
    bits, called = figures["bits"], figures["contradicted"]
    gains = "; ".join(f"{name} {_with_sign(gain)}" for name, gain in bits["gains"].items())
    return (
        f"One threshold for all sets: {figures['threshold']:g}. In brackets: 95 % bootstrap "
        "intervals over the rows of these sets. The last columns are the AUROC of scores that "
        "understand nothing.\n\n"
        + _table(header, rows)
        + "\n\nCalled contradicted, not merely unsupported, by the judge alone, mean over sets: "
        f"{_with_interval(called['supported'])} of the supported claims, "
        f"{_with_interval(called['unsupported'])} of the others."
        f"\n\nDo p0 and p1 together rank claims better than p1 alone? Macro AUROC of p1: "
        f"{bits['p1'][0]:.4f}. Gains over it: {gains}."
    )


def _with_interval(figure: list[float]) -> str:
    value, low, high = figure
    return f"{value:.3f} ({low:.2f}-{high:.2f})"


def _with_sign(figure: list[float]) -> str:
    value, low, high = figure
    return f"{value:+.4f} ({low:+.4f} to {high:+.4f})"


def _calibration(card: dict[str, Any], support: SupportCalibration) -> str:
    used = ", ".join(f"`{name}` {value:g}" for name, value in support._asdict().items())
    curve = card["measured"].get("dev", {}).get("reliability", [])
    p0 = card["p0"]
    return "\n\n".join(
        [
            card["reading"],
            used,
            _table(["p1 said", "supported", "claims"], _steps(curve)),
            card["reading_p0"] + f" ECE against it: {p0['calibration_error']:.3f}.",
            _table(["p0 said", "teacher says", "claims"], _steps(p0["reliability"])),
        ]
    )


def _steps(curve: list[list[float]]) -> list[list[str]]:
    return [[f"{said:.2f}", f"{true:.2f}", str(int(claims))] for said, true, claims in curve]


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--open", type=Path)
    parser.add_argument("--dev", type=Path)
    arguments = parser.parse_args()
    path = FOLDER / "card.json"
    card = json.loads(path.read_text())
    for name in ("open", "dev"):
        file = getattr(arguments, name)
        if file is not None:
            card["measured"] = card.get("measured", {}) | {
                name: summary(json.loads(file.read_text()))
            }
    path.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")
    (FOLDER / "CARD.md").write_text(render(card, judge_calibration().support))


if __name__ == "__main__":
    main()
