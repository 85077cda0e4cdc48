from dataclasses import dataclass, field


class Unparsable(Exception):
    """The file cannot become text: the first argument says why, the second what to do."""


@dataclass
class Parsed:
    """What a parser makes of a file."""

    text: str
    title: str | None = None
    metadata: dict[str, str] = field(default_factory=dict)
    pages: tuple[int, ...] = ()


@dataclass(frozen=True)
class Bounds:
    """How much one file may unfold to."""

    max_chars: int
    max_pages: int
    max_bytes: int


class Pieces:
    """Text that grows only up to the bound."""

    def __init__(self, bounds: Bounds) -> None:
        self._pieces: list[str] = []
        self._most = bounds.max_chars
        self.length = 0

    def add(self, piece: str) -> None:
        self.length += len(piece)
        if self.length > self._most:
            raise Unparsable(
                f"holds more than {self._most:,} characters of text",
                "Split it, or raise limits.max_document_chars.",
            )
        self._pieces.append(piece)

    def text(self) -> str:
        return "".join(self._pieces)
