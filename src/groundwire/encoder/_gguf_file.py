"""Writes a GGUF file: enough of the format for a low-rank adapter, and no more."""

import struct
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

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
