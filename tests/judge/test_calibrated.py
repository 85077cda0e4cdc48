import json
from pathlib import Path

import pytest

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.errors import ConfigError
from groundwire.judge import build_judge
from groundwire.judge._calibrated import JudgeMap

EVIDENCE = "The mill stands by the river. Flour was sold in Overby."


def written(folder: Path, points: list[list[float]], backend: str = "embedded") -> Path:
    path = folder / "calibration.json"
    path.write_text(json.dumps({"backend": backend, "points": points, "method": "isotonic"}))
    return path


def test_a_map_runs_straight_between_its_points() -> None:
    """And level beyond them."""
    mapped = JudgeMap(backend="embedded", points=((0.2, 0.1), (0.4, 0.5), (0.8, 0.9)))
    assert [mapped(p) for p in (0.0, 0.2, 0.3, 0.6, 0.8, 1.0)] == pytest.approx(
        [0.1, 0.1, 0.3, 0.7, 0.9, 0.9]
    )


def test_probabilities_are_mapped_and_verdicts_stay(tmp_path: Path) -> None:
    """The threshold moves with them."""
    path = written(tmp_path, [[0.01, 0.01], [0.99, 0.6]])
    config = load_config(overrides={"judge.calibration_file": path}).config
    found = []
    for settings in (load_config().config, config):
        with Engine(settings) as engine:
            found.append(engine.verify_claim_sync("Flour was sold in Overby.", EVIDENCE))
    before, after = found
    assert before.status == after.status == "grounded"
    assert before.p1 is not None
    assert after.p1 is not None
    assert after.p1 <= 0.6 < before.p1


def test_a_calibration_is_for_the_judge_it_names(tmp_path: Path) -> None:
    """Another judge stays as it is."""
    path = written(tmp_path, [[0.01, 0.5], [0.99, 0.5]], backend="self")
    config = load_config(overrides={"judge.calibration_file": path}).config
    assert build_judge("embedded", config).threshold == (
        build_judge("embedded", load_config().config).threshold
    )


@pytest.mark.parametrize("points", [[[0.1, 0.5], [0.9, 0.2]], [[0.9, 0.1], [0.1, 0.9]]])
def test_a_map_that_falls_is_refused(tmp_path: Path, points: list[list[float]]) -> None:
    """It would call the less sure claim the surer one."""
    config = load_config(overrides={"judge.calibration_file": written(tmp_path, points)}).config
    with pytest.raises(ConfigError, match="do not rise"):
        build_judge("embedded", config)


def test_a_file_that_is_none_is_an_error_of_the_settings(tmp_path: Path) -> None:
    """With the command that writes one."""
    (tmp_path / "x.json").write_text("{}")
    for name in ("x.json", "missing.json"):
        config = load_config(overrides={"judge.calibration_file": tmp_path / name}).config
        with pytest.raises(ConfigError, match="is no calibration") as caught:
            build_judge("embedded", config)
        assert "gw eval tune" in str(caught.value)
