"""The console of every command: foreign text cannot give orders to the terminal it is shown on."""

from collections.abc import Iterable, Iterator

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from groundwire.cli._output import plain


class PlainConsole(Console):
    """Cleans whatever is laid out on it, so that no command has to remember to.

    Text is cleaned before it is laid out, so that widths hold; what a title or a border brings in
    by another way is cleaned as it is drawn. The console's own colours are styles, not text.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        return self._cleaned(super().render(_cleaned_text(renderable), options))

    def _cleaned(self, segments: Iterable[Segment]) -> Iterator[Segment]:
        for segment in segments:
            text = segment.text if segment.control else plain(segment.text)
            yield segment if text == segment.text else Segment(text, segment.style)


def _cleaned_text(renderable: RenderableType) -> RenderableType:
    if isinstance(renderable, str):
        return plain(renderable)
    if not isinstance(renderable, Text) or renderable.plain == plain(renderable.plain):
        return renderable
    cleaned = renderable.copy()
    cleaned.plain = plain(renderable.plain)  # a character for a character: its styles stay in place
    return cleaned
