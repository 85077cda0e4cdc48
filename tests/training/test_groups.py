import json
import lzma
import random
from pathlib import Path

import pytest
from training.groups import ALWAYS_KEPT, Example, examples, sample_epoch


def _write(path: Path, items: list[dict[str, object]]) -> Path:
    with lzma.open(path, "wt") as out:
        out.write(json.dumps({"context": "c", "items": items}) + "\n")
    return path


def _item(**changed: object) -> dict[str, object]:
    plain: dict[str, object] = {
        "claim": "x",
        "label": 1,
        "label3": None,
        "source": "s",
        "kind": "row",
        "teacher": None,
    }
    return plain | changed


def test_labels_are_three_way_where_they_can_be(tmp_path: Path) -> None:
    items = [
        _item(),
        _item(label=0),
        _item(label=0, label3="refuted"),
        _item(label=0, label3="neutral"),
        _item(label=None, teacher=0.25),
        _item(label=None, teacher=[0.5, 0.375, 0.125]),
    ]
    found = examples(_write(tmp_path / "g.jsonl.xz", items))
    assert [one.hard for one in found] == [0, 3, 1, 2, -1, -1]
    assert [one.soft for one in found] == [-1, -1, -1, -1, 0.25, 0.5]
    assert [one.soft_refuted for one in found] == [-1, -1, -1, -1, -1, 0.375]
    assert [one.number for one in found] == [0, 1, 2, 3, 4, 5]


def test_the_rarer_label_of_a_set_weighs_more(tmp_path: Path) -> None:
    items = [_item(), *[_item(label=0)] * 3, _item(kind="name", label=0)]
    rare, common, *_, unsure = examples(_write(tmp_path / "g.jsonl.xz", items))
    assert rare.weight > common.weight
    assert unsure.weight == pytest.approx(common.weight * 0.7)


def test_a_large_set_is_thinned_and_a_small_one_is_not() -> None:
    large, small = ALWAYS_KEPT * 8, 50
    found = [
        Example(number, "c", "x", 0, -1.0, "large" if number < large else "small", "row")
        for number in range(large + small)
    ]
    drawn = sample_epoch(found, random.Random(1))
    assert sum(one.source == "small" for one in drawn) == small
    assert sum(one.source == "large" for one in drawn) / large == pytest.approx(8**-0.35, abs=0.02)
