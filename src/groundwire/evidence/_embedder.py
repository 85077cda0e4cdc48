from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors, one row of length 1 for each text.

    Vectors of different embedders do not compare: `name` says which one made them.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> "Matrix": ...


class Breaker(Protocol):
    """Leaves a failing service alone for a while: `attempt` raises instead of letting one try."""

    def attempt(self) -> AbstractContextManager[None]: ...


class AlwaysClosed:
    """For embedders inside this process, which no network separates from us."""

    @contextmanager
    def attempt(self) -> Iterator[None]:
        yield
