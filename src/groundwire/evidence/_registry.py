"""The rows of a registry: a Markdown table that lists documents by their labels."""

from collections.abc import Iterator

from groundwire.config import EvidenceSection
from groundwire.evidence._labels import Labels
from groundwire.evidence._markdown import Line, lines, link_target, plain
from groundwire.evidence._status import normal_status, parse_date
from groundwire.model import Document, RegistryEntry

_ID_HEADINGS = {"id", "number", "nr", "label", "document"}


def registry_entries(document: Document, settings: EvidenceSection) -> Iterator[RegistryEntry]:
    """What a registry says of each document it lists, with the place of its row."""
    labels = Labels(settings.prefixes)
    columns: list[str] = []
    for line in lines(document.text, document.body_start):
        cells = _cells(line)
        if not cells:
            columns = []
        elif not columns:
            columns = [plain(cell).lower() for cell in cells]
        elif (entry := _entry(line, dict(zip(columns, cells, strict=False)), labels)) is not None:
            yield entry


def _entry(line: Line, row: dict[str, str], labels: Labels) -> RegistryEntry | None:
    stated = next((value for name, value in row.items() if name in _ID_HEADINGS), "")
    label = labels.first(stated)
    if label is None:
        return None
    title = row.get("title", "")
    return RegistryEntry(
        key=label.key,
        title=plain(title),
        status=normal_status(row.get("status", "")),
        date=parse_date(row.get("date", "")),
        target=link_target(title) or link_target(stated),
        start=line.start,
        end=line.end,
    )


def _cells(line: Line) -> list[str]:
    text = line.text.strip()
    if not text.startswith("|"):
        return []
    return [cell.strip() for cell in text.strip("|").split("|")]
