"""The embedded model: scores pairs and embeds texts with shipped weights, offline."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.encoder._adapter import Change, adapter_file, adapter_gguf, read_changes
    from groundwire.encoder._calibration import (
        SupportCalibration,
        adapter_calibration,
        embedder_calibration,
        judge_calibration,
    )
    from groundwire.encoder._models import (
        EmbeddedEmbedder,
        Embedder,
        PairScorer,
        Scores,
        make_embedder,
    )
    from groundwire.encoder._weights import card

__all__ = [
    "Change",
    "EmbeddedEmbedder",
    "Embedder",
    "PairScorer",
    "Scores",
    "SupportCalibration",
    "adapter_calibration",
    "adapter_file",
    "adapter_gguf",
    "card",
    "embedder_calibration",
    "judge_calibration",
    "make_embedder",
    "read_changes",
]

__getattr__ = door(
    __name__,
    {
        "_adapter": "Change adapter_file adapter_gguf read_changes",
        "_calibration": "SupportCalibration adapter_calibration embedder_calibration"
        " judge_calibration",
        "_models": "EmbeddedEmbedder Embedder PairScorer Scores make_embedder",
        "_weights": "card",
    },
)
