"""What the deep tier adds and what it costs: quality against the share of claims sent deep.

    python benchmarks/cascade.py --data 'DIR/{part}.jsonl.xz' --fast 'DIR/fast_{part}.npy' \
        --deep 'DIR/deep_{part}.npy' [--svg FILE] [--json FILE] [--write]

`{part}` becomes dev and open. Scores are arrays in the order of the rows, or lines with `id` and
`p`. The deep tier's weight is the one with the least log loss on dev; the threshold is the fast
tier's, because claims outside the band carry its p. Both are checked by cross-validation over sets:
each fold's sets are judged with what the other sets would choose. `open` chooses nothing. `--write`
puts the weight, and the narrowest band that does nearly as well as sending everything, into
`adapter.calibration.json`.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
from _claims import read_rows, read_scores
from _svg import Line, chart
from training.files import calibrate
from training.measure import auroc

from groundwire.encoder import adapter_calibration, judge_calibration
from groundwire.encoder._weights import FOLDER

PARTS = ("dev", "open")
LEAST_ROWS = 20
FOLDS = 7
WEIGHTS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
THRESHOLDS = np.round(np.arange(0.2, 0.71, 0.02), 2)
BANDS = (
    (0.5, 0.5),
    (0.4, 0.6),
    (0.3, 0.7),
    (0.25, 0.75),
    (0.2, 0.8),
    (0.15, 0.85),
    (0.12, 0.88),
    (0.1, 0.9),
    (0.07, 0.93),
    (0.0, 1.0),
)
NEVER_CERTAIN = 1e-4
BOOTSTRAPS = 200
NEARLY = 0.004


@dataclass(frozen=True)
class Part:
    """Rows of one part that have both scores."""

    labels: np.ndarray
    fast: np.ndarray
    deep: np.ndarray
    sets: dict[str, np.ndarray]

    def mixed(self, weight: float, band: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
        """The cascade's probability, and which claims were sent deep."""
        sent = (self.fast >= band[0]) & (self.fast <= band[1])
        odds = weight * log_odds(self.deep) + (1 - weight) * log_odds(self.fast)
        return np.where(sent, 1 / (1 + np.exp(-odds)), self.fast), sent


def log_odds(p: np.ndarray) -> np.ndarray:
    bounded = np.clip(p, NEVER_CERTAIN, 1 - NEVER_CERTAIN)
    return np.log(bounded / (1 - bounded))


def read_part(arguments: argparse.Namespace, part: str) -> Part:
    rows = read_rows(Path(arguments.data.format(part=part)), arguments.context_words)
    fast = read_scores(Path(arguments.fast.format(part=part)), rows)
    deep = read_scores(Path(arguments.deep.format(part=part)), rows)
    kept = [n for n in range(len(rows)) if fast[n] is not None and deep[n] is not None]
    places: dict[str, list[int]] = {}
    for place, number in enumerate(kept):
        places.setdefault(rows[number].source, []).append(place)
    labels = np.array([rows[number].label for number in kept])
    return Part(
        labels=labels,
        fast=np.array([fast[n] for n in kept], dtype=float),
        deep=np.array([deep[n] for n in kept], dtype=float),
        sets={
            name: np.array(members)
            for name, members in sorted(places.items())
            if len(members) >= LEAST_ROWS and 0 < labels[members].mean() < 1
        },
    )


def accuracies(part: Part, p: np.ndarray, threshold: float) -> dict[str, float]:
    """Balanced accuracy by set."""
    right = (p >= threshold) == (part.labels == 1)
    found = {}
    for name, members in part.sets.items():
        positive = part.labels[members] == 1
        hit = right[members]
        found[name] = float((hit[positive].mean() + hit[~positive].mean()) / 2)
    return found


def areas(part: Part, p: np.ndarray) -> dict[str, float]:
    return {name: auroc(p[m], part.labels[m]) for name, m in part.sets.items()}


def mean(values: dict[str, float], names: Any = None) -> float:
    return float(np.mean([values[name] for name in (values if names is None else names)]))


def losses(part: Part, p: np.ndarray) -> dict[str, float]:
    """Log loss by set, both classes of a set weighing the same."""
    bounded = np.clip(p, NEVER_CERTAIN, 1 - NEVER_CERTAIN)
    lost = -np.log(np.where(part.labels == 1, bounded, 1 - bounded))
    found = {}
    for name, members in part.sets.items():
        positive = part.labels[members] == 1
        found[name] = float((lost[members][positive].mean() + lost[members][~positive].mean()) / 2)
    return found


def cross_validate(dev: Part, band: tuple[float, float], fixed: float) -> dict[str, Any]:
    """Each fold judged with the weight and the threshold that the other sets would choose."""
    mixed = {weight: dev.mixed(weight, band)[0] for weight in WEIGHTS}
    loss = {weight: losses(dev, p) for weight, p in mixed.items()}
    found: dict[str, Any] = {"weights": [], "thresholds": []}
    areas_held, chosen_held, fixed_held = {}, {}, {}
    for fold in folds(dev):
        others = [name for name in dev.sets if name not in fold]
        weight = min(WEIGHTS, key=lambda one: mean(loss[one], others))
        table = {one: accuracies(dev, mixed[weight], one) for one in THRESHOLDS}
        threshold = max(THRESHOLDS, key=lambda one: mean(table[one], others))
        areas_held |= {name: areas(dev, mixed[weight])[name] for name in fold}
        chosen_held |= {name: table[threshold][name] for name in fold}
        fixed_held |= {name: accuracies(dev, mixed[weight], fixed)[name] for name in fold}
        found["weights"].append(float(weight))
        found["thresholds"].append(float(threshold))
    return found | {
        "auroc": mean(areas_held),
        "balanced_accuracy_chosen": mean(chosen_held),
        "balanced_accuracy_fixed": mean(fixed_held),
        "log_loss": {float(weight): mean(lost) for weight, lost in loss.items()},
    }


def folds(dev: Part) -> list[list[str]]:
    """Sets whose names begin alike stay together: they are made from the same texts."""
    families: dict[str, list[str]] = {}
    for name in dev.sets:
        families.setdefault(name.split(".")[0].split("_")[0], []).append(name)
    made: list[list[str]] = [[] for _ in range(FOLDS)]
    for family in sorted(families.values(), key=len, reverse=True):
        min(made, key=len).extend(family)
    return [fold for fold in made if fold]


def measure(
    part: Part, weight: float, threshold: float, band: tuple[float, float]
) -> dict[str, float]:
    p, sent = part.mixed(weight, band)
    low, high = bootstrap(part, p)
    return {
        "sent": float(sent.mean()),
        "auroc": mean(areas(part, p)),
        "auroc_low": low,
        "auroc_high": high,
        "balanced_accuracy": mean(accuracies(part, p, threshold)),
        "ece": expected_calibration_error(p, part.labels),
    }


def bootstrap(part: Part, p: np.ndarray) -> tuple[float, float]:
    """A 95 % interval of the macro AUROC: rows drawn again within each set."""
    rng = np.random.default_rng(0)
    drawn = np.zeros(BOOTSTRAPS)
    for members in part.sets.values():
        labels, scores = part.labels[members], p[members]
        for number in range(BOOTSTRAPS):
            again = rng.integers(0, len(members), len(members))
            area = auroc(scores[again], labels[again])
            drawn[number] += auroc(scores, labels) if np.isnan(area) else area
    low, high = np.percentile(drawn / len(part.sets), [2.5, 97.5])
    return float(low), float(high)


def expected_calibration_error(p: np.ndarray, labels: np.ndarray, bins: int = 15) -> float:
    edges = np.quantile(p, np.linspace(0, 1, bins + 1))
    edges[-1] += 1e-9
    total = 0.0
    for low, high in pairwise(edges):
        inside = (p >= low) & (p < high)
        if inside.any():
            total += inside.mean() * abs(p[inside].mean() - labels[inside].mean())
    return float(total)


def main() -> None:
    arguments = parse()
    parts = {part: read_part(arguments, part) for part in PARTS}
    band = (arguments.band_low, arguments.band_high)
    threshold = arguments.threshold or judge_calibration().support.threshold
    checked = cross_validate(parts["dev"], band, threshold)
    weight = min(checked["log_loss"], key=checked["log_loss"].__getitem__)
    for name, part in parts.items():
        print(f"{name}: {len(part.labels)} claims, {len(part.sets)} sets")
    print(f"\nband {band}, log loss on dev by the deep tier's weight:")
    print("  " + "  ".join(f"{one:.2f}: {loss:.4f}" for one, loss in checked["log_loss"].items()))
    print(
        f"folds chose weights {checked['weights']}, thresholds {checked['thresholds']}\n"
        f"held-out sets of dev: AUROC {checked['auroc']:.3f}, balanced accuracy "
        f"{checked['balanced_accuracy_chosen']:.3f} at the fold's threshold, "
        f"{checked['balanced_accuracy_fixed']:.3f} at {threshold}\n"
        f"used below: weight {weight}, threshold {threshold}\n"
    )
    print("band        | dev: sent AUROC (95 %) BAcc ECE        | open")
    curve = []
    for each in BANDS:
        point = {name: measure(part, weight, threshold, each) for name, part in parts.items()}
        curve.append({"band": each, **point})
        print(f"{each[0]:.2f} – {each[1]:.2f} | " + " | ".join(map(show, point.values())))
    for name, part in parts.items():
        area, accuracy = mean(areas(part, part.deep)), mean(accuracies(part, part.deep, 0.5))
        print(f"deep alone at 0.5, {name}: {area:.3f} / {accuracy:.3f}")
    if arguments.json:
        result = {"weight": weight, "threshold": threshold, "dev": checked, "curve": curve}
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    if arguments.write:
        low, high = narrowest(curve)
        values = {"cascade_weight": weight, "band_low": low, "band_high": high}
        calibrate(FOLDER / "adapter.calibration.json", "deep", values)
    if arguments.svg:
        arguments.svg.write_text(draw(curve))


def narrowest(curve: list[dict[str, Any]]) -> tuple[float, float]:
    """The first band whose AUROC on dev is within NEARLY of the widest one's."""
    least = curve[-1]["dev"]["auroc"] - NEARLY
    band: tuple[float, float] = next(
        point["band"] for point in curve if point["dev"]["auroc"] >= least
    )
    return band


def show(point: dict[str, float]) -> str:
    return (
        "{sent:4.0%} {auroc:.3f} ({auroc_low:.3f}–{auroc_high:.3f}) "
        "{balanced_accuracy:.3f} {ece:.3f}"
    ).format(**point)


def draw(curve: list[dict[str, Any]]) -> str:
    lines = []
    for part, colour in (("open", "#1f6f8b"), ("dev", "#b5651d")):
        for measure_name, dashes in (("auroc", ""), ("balanced_accuracy", "5 4")):
            points = [(point[part]["sent"], point[part][measure_name]) for point in curve]
            label = f"{part}, {measure_name.replace('_', ' ').replace('auroc', 'AUROC')}"
            lines.append(Line(label, points, colour, dashes))
    return chart(
        lines,
        title="Quality against the share of claims sent to the deep tier",
        x_label="share of claims sent deep",
        y_label="macro over sets",
        y_range=(0.68, 0.92),
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    pattern = partial(parser.add_argument, required=True, metavar="PATTERN")
    pattern("--data")
    pattern("--fast")
    pattern("--deep")
    tuned = adapter_calibration().deep
    parser.add_argument("--context-words", type=int, default=tuned.context_words)
    parser.add_argument("--band-low", type=float, default=tuned.band_low)
    parser.add_argument("--band-high", type=float, default=tuned.band_high)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--svg", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
