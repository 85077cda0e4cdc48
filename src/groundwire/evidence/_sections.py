from collections.abc import Iterator
from dataclasses import dataclass, field

from groundwire.evidence._blocks import Block, blocks
from groundwire.model import Document


@dataclass
class Section:
    """A heading, the headings above it, and the blocks up to the next one."""

    path: tuple[str, ...] = ()
    heading: Block | None = None
    blocks: list[Block] = field(default_factory=list)


def sections(document: Document) -> Iterator[Section]:
    if document.pages:
        yield from _pages(document)
        return
    markdown = document.format != "text"
    current = Section()
    open_headings: list[Block] = []
    start, end = document.body_start, len(document.text)
    for block in blocks(document.text, start, end, markdown=markdown):
        if block.kind != "heading":
            current.blocks.append(block)
            continue
        if current.heading or current.blocks:
            yield current
        open_headings = [above for above in open_headings if above.level < block.level]
        open_headings.append(block)
        path = tuple(above.words for above in open_headings if above.words != document.title)
        current = Section(path, block)
    if current.heading or current.blocks:
        yield current


def _pages(document: Document) -> Iterator[Section]:
    ends = (*document.pages[1:], len(document.text))
    for number, (start, end) in enumerate(zip(document.pages, ends, strict=True), start=1):
        found = list(blocks(document.text, start, end, markdown=False))
        if found:
            yield Section((f"page {number}",), None, found)
