from training.card import render, summary

from groundwire.encoder import judge_calibration

REPORT = {
    "threshold": 0.5,
    "sets": [],
    "macro": {
        "name": "macro",
        "rows": 40,
        "auroc": [0.81234, 0.7, 0.9],
        "balanced_accuracy": [0.75, 0.7, 0.8],
        "f1": [0.7, 0.6, 0.8],
        "calibration_error": [0.05, 0.01, 0.1],
        "baselines": {"length": [0.6, 0.55]},
    },
    "contradicted": {"supported": [0.01, 0.0, 0.02], "unsupported": [0.3, 0.25, 0.35]},
    "bits": {"p1": [0.81234, 0.7, 0.9], "gains": {"observed bits": [-0.01, -0.02, -0.001]}},
    "reliability": [[0.12, 0.1, 30], [0.9, 0.85, 10]],
}
SUPPORT = judge_calibration().support
CARD = {
    "version": "9",
    "about": {"What it is": "A test."},
    "data": [{"name": "rows", "licence": "own", "used": "tests"}],
    "measured": {"dev": summary(REPORT)},
    "reading": "As it says.",
    "reading_p0": "As the teacher says.",
    "p0": {"reliability": [[0.21, 0.2, 7]], "calibration_error": 0.0123},
    "files": {"judge.onnx": "abc"},
}


def test_a_card_shows_figures_with_intervals_and_baselines() -> None:
    page = render(CARD, SUPPORT)
    assert "| macro | 40 | 0.812 (0.70-0.90) |" in page
    assert "0.010 (0.00-0.02) of the supported claims" in page
    assert "observed bits -0.0100 (-0.0200 to -0.0010)" in page
    assert "| 0.90 | 0.85 | 10 |" in page
    assert "| `judge.onnx` | `abc` |" in page


def test_a_card_shows_how_p0_compares_with_the_teacher() -> None:
    page = render(CARD, SUPPORT)
    assert "ECE against it: 0.012." in page
    assert "| 0.21 | 0.20 | 7 |" in page


def test_a_card_names_its_data_and_licences() -> None:
    assert "| rows | own | tests |" in render(CARD, SUPPORT)
