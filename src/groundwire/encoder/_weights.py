"""The shipped files: found in the package, read once, checked against their card."""

import json
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.encoder._wordpiece import WordPiece
from groundwire.errors import MissingPackage, StoreCorrupt

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime

FOLDER = Path(str(files("groundwire.encoder"))) / "weights"
MAX_TOKENS = 400
ONNX_INT8 = 3
"""What ONNX calls whole numbers of eight bits."""
MIDDLE_LEVEL = 7.5
"""Of the sixteen levels that four bits can hold."""
MIDDLE_STEP = 8
"""The level of a matrix that stands for nothing."""


@dataclass(frozen=True)
class Tables:
    """Vectors of words, of positions and of segments.

    Of a word's vector a byte holds two numbers, of the first half and of the second, four bits
    each; each run of neighbours has its scale.
    """

    words: "np.ndarray[Any, Any]"
    word_scale: "np.ndarray[Any, Any]"
    positions: "np.ndarray[Any, Any]"
    segments: "np.ndarray[Any, Any]"

    def summed(self, ids: list[int], first_segment: int) -> "np.ndarray[Any, Any]":
        """What the first layer reads: word + position + segment, for one sequence."""
        hidden = unpacked(self.words[ids], self.word_scale[ids])
        hidden += self.positions[: len(ids)]
        hidden[:first_segment] += self.segments[0]
        hidden[first_segment:] += self.segments[1]
        return hidden[None]


def unpacked(
    words: "np.ndarray[Any, Any]", scale: "np.ndarray[Any, Any]"
) -> "np.ndarray[Any, Any]":
    import numpy as np

    levels = np.concatenate((words & 15, words >> 4), axis=1).astype(np.float32) - MIDDLE_LEVEL
    runs: np.ndarray[Any, Any] = levels.reshape(*scale.shape, -1) * scale[..., None]
    return runs.reshape(levels.shape)


def matrix(levels: "np.ndarray[Any, Any]", steps: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """The whole numbers of a matrix: levels of four bits, times the steps of their run of rows.

    A byte holds a level of the upper half of the rows and one of the lower half.
    """
    import numpy as np

    rows = np.concatenate((levels & 15, levels >> 4)).view(np.int8)
    rows -= MIDDLE_STEP
    runs = rows.reshape(len(steps), -1, rows.shape[1])
    runs *= steps[:, None].view(np.int8)
    return rows


@cache
def card() -> dict[str, Any]:
    """What the model is, what it was measured at, and how its numbers are to be read."""
    loaded: dict[str, Any] = json.loads((FOLDER / "card.json").read_text(encoding="utf-8"))
    return loaded


@cache
def weights_hash() -> str:
    """Of all shipped files together: another one means another judge."""
    return sha256(json.dumps(card()["files"], sort_keys=True).encode()).hexdigest()


def checked(path: Path) -> bytes:
    """A shipped file, if it is still the one its card names: damaged weights must not judge."""
    content = path.read_bytes()
    if sha256(content).hexdigest() != card()["files"][path.name]:
        raise StoreCorrupt(
            f"{path} is not the file that was shipped.", hint="Install Groundwire again."
        )
    return content


@cache
def word_piece() -> WordPiece:
    return WordPiece(checked(FOLDER / "vocabulary.txt").decode("utf-8").split("\n"))


@cache
def tables(part: str) -> Tables:
    import numpy as np

    with np.load(BytesIO(checked(FOLDER / f"{part}.npz"))) as stored:
        return Tables(
            words=stored["words"],
            word_scale=stored["word_scale"].astype(np.float32),
            positions=stored["positions"].astype(np.float32),
            segments=stored["segments"].astype(np.float32),
        )


def matrices(part: str) -> "dict[str, np.ndarray[Any, Any]]":
    """What the graph of a part needs beside it, by the names that the graph has for it."""
    import numpy as np

    with np.load(BytesIO(checked(FOLDER / f"{part}.npz"))) as stored:
        names = [name.removesuffix(".levels") for name in stored if name.endswith(".levels")]
        return {
            f"{name}.weight": matrix(stored[f"{name}.levels"], stored[f"{name}.steps"])
            for name in names
        }


def open_session(part: str) -> "onnxruntime.InferenceSession":
    """A graph ready to run."""
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingPackage("onnxruntime", needed_for="The embedded judge", why=error) from error
    content = checked(FOLDER / f"{part}.onnx")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # the graph is fused by hand; the runtime's own fusions would undo the faster choice
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    # spinning threads make a shared machine slow for everybody
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # the values stand on the arrays, which must live until the session has packed its own
    beside = matrices(part)
    values = [
        onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(array, ONNX_INT8)
        for array in beside.values()
    ]
    options.add_external_initializers(list(beside), values)
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
