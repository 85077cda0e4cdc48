"""Writes a GGUF file: enough of the format for a low-rank adapter, and no more."""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.encoder._weights import FOLDER, card, checked
from groundwire.errors import MissingPackage
from groundwire.store import write_whole

if TYPE_CHECKING:
    import numpy as np

    Tensors = Mapping[str, np.ndarray[Any, Any]]

_VERSION = 3
_ALIGNMENT_BYTES = 32
_FLOAT32_VALUE, _STRING_VALUE = 6, 8
_FLOAT16_TENSOR = 1


def gguf_bytes(values: Mapping[str, str | float], tensors: "Tensors") -> bytes:
    """A GGUF file that holds these values and these two-dimensional float16 tensors."""
    parts = [
        b"GGUF",
        struct.pack("<IQQ", _VERSION, len(tensors), len(values)),
        *(_value(key, value) for key, value in values.items()),
        *_descriptions(tensors),
    ]
    head = b"".join(parts)
    return b"".join([_padded(head), *(_padded(tensor.tobytes()) for tensor in tensors.values())])


def _value(key: str, value: str | float) -> bytes:
    if isinstance(value, str):
        return _string(key) + struct.pack("<I", _STRING_VALUE) + _string(value)
    return _string(key) + struct.pack("<If", _FLOAT32_VALUE, value)


def _descriptions(tensors: "Tensors") -> Iterable[bytes]:
    offset = 0
    for name, tensor in tensors.items():
        # the format counts dimensions from the one that is contiguous
        shape = tuple(reversed(tensor.shape))
        yield _string(name) + struct.pack(
            f"<I{len(shape)}QIQ", len(shape), *shape, _FLOAT16_TENSOR, offset
        )
        offset += len(_padded(tensor.tobytes()))


def _string(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % _ALIGNMENT_BYTES)


ADAPTER = FOLDER / "adapter.npz"


@dataclass(frozen=True)
class Change:
    """What is added to a matrix: `up @ down`."""

    down: "np.ndarray[Any, Any]"
    up: "np.ndarray[Any, Any]"


def adapter_file(folder: Path) -> Path:
    """The shipped adapter as a GGUF file in `folder`, written there unless it is there already."""
    path = folder / f"{card()['files'][ADAPTER.name][:32]}.gguf"
    if path.is_file():
        return path
    try:
        import numpy as np  # noqa: F401
    except ImportError as error:
        raise MissingPackage("numpy", needed_for="The deep judge", why=error) from error
    changes = read_changes(BytesIO(checked(ADAPTER)))
    write_whole(path, [adapter_gguf(changes, architecture=card()["deep"]["architecture"])])
    return path


def adapter_gguf(changes: dict[str, Change], *, architecture: str) -> bytes:
    """An adapter as llama.cpp wants it. The changes are whole: no scale is left to be applied."""
    import numpy as np

    values: dict[str, str | float] = {
        "general.type": "adapter",
        "general.architecture": architecture,
        "adapter.type": "lora",
        "adapter.lora.alpha": 0.0,  # none: apply the change as it stands
    }
    tensors = {}
    for name, change in changes.items():
        tensors[f"{name}.weight.lora_a"] = np.ascontiguousarray(change.down, dtype="<f2")
        tensors[f"{name}.weight.lora_b"] = np.ascontiguousarray(change.up, dtype="<f2")
    return gguf_bytes(values, tensors)


def read_changes(file: Path | BytesIO) -> dict[str, Change]:
    """The changes by the name of the matrix they change, in the order they were packed."""
    import numpy as np

    with np.load(file) as stored:
        names, shapes = stored["names"], stored["shapes"]
        scales, numbers = stored["scales"].astype(np.float32), stored["numbers"]
    changes: dict[str, Change] = {}
    scale_at, number_at = 0, 0
    for name, (rank, inputs, outputs) in zip(names.tolist(), shapes.tolist(), strict=True):
        sides = []
        for width in (inputs, outputs):
            scale = scales[scale_at : scale_at + rank, None]
            rows = numbers[number_at : number_at + rank * width].reshape(rank, width)
            sides.append(rows * scale)
            scale_at, number_at = scale_at + rank, number_at + rank * width
        changes[name] = Change(down=sides[0], up=sides[1].T)
    return changes
