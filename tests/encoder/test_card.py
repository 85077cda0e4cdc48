import pytest

from groundwire.encoder import card, judge_calibration
from groundwire.encoder._weights import FOLDER

training_card = pytest.importorskip("training.card", reason="only in a checkout")


def test_the_page_is_made_from_the_card() -> None:
    assert (FOLDER / "CARD.md").read_text(encoding="utf-8") == training_card.render(
        card(), judge_calibration().support
    )
