"""Registries: documents that list other documents, known by what stands in them."""

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from groundwire._patterns import lazy_pattern
from groundwire.evidence._days import parse_date
from groundwire.evidence._fields import role_of
from groundwire.evidence._labels import Labels, leading_number
from groundwire.evidence._people import names_in
from groundwire.evidence._sections import body
from groundwire.evidence._states import is_wording, normal_status, state_of
from groundwire.model import Document, DocumentKey, RegistryEntry
from groundwire.text import Block, links_in, unmarked

LEAST_ENTRIES = 3
_ID_HEADINGS = {"id", "number", "nr", "no", "label", "document", "adr", "record", "#"}
# between the title and the status of "- [ADR 3](3.md): Crane rule (deprecated)", "Ropes - draft"
_BETWEEN_PARTS = lazy_pattern(r"[()\[\]|,;:–—]|(?:^|\s)-\s")
_MARK_SELECTOR = "\ufe0f"

TypeOf = Callable[[str], str | None]
"""The type of the documents in a folder, by the path of one of them."""


def registry_entries(
    document: Document, labels: Labels, type_of: TypeOf
) -> Iterator[RegistryEntry]:
    """What a registry says of each document it lists, with the place of its row or item."""
    blocks = [block for block in body(document) if not block.is_header]
    legend = dict(_legend(document.text, blocks))
    for block in blocks:
        if block.kind in ("row", "item"):
            entry = _entry(document.text, block, labels, type_of, legend)
            if entry is not None:
                yield entry


def is_registry(document: Document, entries: int) -> bool:
    """Most of what it lists are documents, and it has less prose than entries."""
    if entries < LEAST_ENTRIES:
        return False
    kinds = [block.kind for block in body(document) if not block.is_header]
    listed = kinds.count("row") + kinds.count("item")
    return entries * 2 >= listed and kinds.count("paragraph") <= max(entries, LEAST_ENTRIES)


def _entry(
    text: str, block: Block, labels: Labels, type_of: TypeOf, legend: dict[str, str]
) -> RegistryEntry | None:
    whole = text[block.start : block.end]
    row = {cell.column.lower().strip(): text[cell.start : cell.end].strip() for cell in block.cells}
    links = [link for link in links_in(whole) if "://" not in link.target]
    stated = next((value for name, value in row.items() if name in _ID_HEADINGS), "")
    target = links[0].target if links else None
    key = _key(stated or (links[0].words if links and not row else ""), target, labels, type_of)
    if key is None or (not row and not links):
        return None
    title = row.get("title") or row.get("name") or (links[0].words if links else "")
    roles = {role_of(name): value for name, value in row.items() if value}
    beside = whole if row or not links else whole[: links[0].start] + whole[links[0].end :]
    return RegistryEntry(
        key=key,
        title=unmarked(title),
        status=(_status(roles.get("status", ""), legend) if row else _status_beside(beside, legend))
        or _known_status(block.section[-1] if block.section else ""),
        date=next(
            filter(None, (parse_date(roles.get(one, "")) for one in ("dated", "decided"))), None
        ),
        owner=unmarked(roles["owner"]) if names_in(roles.get("owner", "")) else None,
        target=target,
        section=block.section[-1] if block.section else None,
        start=block.start,
        end=block.end,
    )


def _key(stated: str, target: str | None, labels: Labels, type_of: TypeOf) -> DocumentKey | None:
    label = labels.first(unmarked(stated))
    if label is not None:
        return label.key
    number = leading_number(PurePosixPath(target).name) if target else None
    doc_type = type_of(target) if target and number else None
    if number is None or doc_type is None or number[1]:
        return None
    return DocumentKey(doc_type=doc_type, number=number[0])


def _status(words: str, legend: dict[str, str]) -> str | None:
    """By its words, or by a mark the registry explains."""
    said = unmarked(words).strip(" -–—:|")
    return (
        _marked_status(words, legend)
        or _known_status(said)
        or (None if legend else normal_status(said))
    )


def _status_beside(words: str, legend: dict[str, str]) -> str | None:
    """What stands beside a link is a title as often as a status: "Open data (deprecated)"."""
    parts = (normal_status(part) for part in _BETWEEN_PARTS.split(unmarked(words)))
    return _marked_status(words, legend) or next(filter(is_wording, parts), None)


def _marked_status(words: str, legend: dict[str, str]) -> str | None:
    return next((legend[mark] for mark in _marks(words) if mark in legend), None)


def _known_status(words: str) -> str | None:
    status = normal_status(words)
    return status if state_of(status) != "unknown" else None


def _legend(text: str, blocks: list[Block]) -> Iterator[tuple[str, str]]:
    """`- Proposed: 🤔` explains a mark."""
    for block in blocks:
        if block.kind in ("item", "row", "paragraph"):
            for line in text[block.start : block.end].splitlines():
                status = normal_status(line.replace(":", " ").replace("=", " "))
                marks = _marks(line)
                if status and state_of(status) != "unknown" and len(marks) == 1:
                    yield marks[0], status


def _marks(words: str) -> list[str]:
    """Characters that are no letters, digits or punctuation of a keyboard."""
    bare = words.replace(_MARK_SELECTOR, "")
    return [
        char for char in bare if not char.isascii() and not char.isalnum() and char not in "–—…“”‘’"
    ]
