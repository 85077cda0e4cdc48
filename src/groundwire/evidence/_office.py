"""XLSX and PPTX as Markdown, by the standard library: each sheet a table, each slide a section.

What a reader of the file does not see (hidden sheets, rows, columns and slides), and what is
struck out, is not read.
"""

import io
import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from groundwire._patterns import lazy_pattern
from groundwire.evidence._cell_formats import format_code, shown
from groundwire.evidence._data import Table
from groundwire.evidence._parsed import (
    Bounds,
    DocumentReader,
    Parsed,
    Pieces,
    Unparsable,
    refuse_bombs,
)

_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}"
# such as "BC12"
_CELL = lazy_pattern(r"([A-Z]{1,3})(\d{1,7})")


class _Package:
    """The parts of an Office file; none with a document type, so that no entity unfolds."""

    def __init__(self, data: bytes, bounds: Bounds, kind: str) -> None:
        refuse_bombs(data, bounds, kind)
        self._archive = zipfile.ZipFile(io.BytesIO(data))
        self._kind = kind

    def part(self, name: str) -> ET.Element | None:
        try:
            content = self._archive.read(name)
        except KeyError:
            return None
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
            raise Unparsable("is damaged or locked with a password", "Save it again.") from error
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
            raise Unparsable("declares entities, as no Office program does", "Save it again.")
        try:
            return ET.fromstring(content)  # noqa: S314 -- no entities, bounded by its size
        except ET.ParseError as error:
            raise Unparsable(f"is damaged in {name}", "Save it again.") from error

    def required(self, name: str) -> ET.Element:
        root = self.part(name)
        if root is None:
            raise Unparsable(f"is not {self._kind}", "Save it again.")
        return root

    def related(self, name: str) -> dict[str, str]:
        """What each relation of a part leads to."""
        folder, file = posixpath.split(name)
        root = self.part(f"{folder}/_rels/{file}.rels")
        return {
            one.get("Id", ""): posixpath.normpath(posixpath.join(folder, one.get("Target", "")))
            if not one.get("Target", "").startswith("/")
            else one.get("Target", "")[1:]
            for one in (root.iter(f"{_RELATIONS}Relationship") if root is not None else ())
        }


def parse_xlsx(data: bytes, bounds: Bounds) -> Parsed:
    package = _Package(data, bounds, "an Excel workbook (XLSX)")
    workbook = package.required("xl/workbook.xml")
    related = package.related("xl/workbook.xml")
    strings = _shared_strings(package.part("xl/sharedStrings.xml"))
    styles = _styles(package.part("xl/styles.xml"))
    pieces, places = Pieces(bounds), list[tuple[int, str]]()
    for sheet in workbook.iter(f"{_S}sheet"):
        name = sheet.get("name", "")
        if sheet.get("state", "visible") != "visible":
            continue
        root = package.required(related.get(sheet.get(f"{_R}id", ""), ""))
        pieces.add(f"## {name}\n\n")
        table = Table(pieces, places)
        for number, cells in _rows(root, strings, styles):
            table.add(cells, f"sheet {name}, row {number}")
        pieces.add("\n")
    return Parsed(pieces.text(), places=tuple(places))


def _shared_strings(root: ET.Element | None) -> list[str]:
    return [_words(one) for one in root.iter(f"{_S}si")] if root is not None else []


def _words(element: ET.Element) -> str:
    """Without what is struck out or only a guide to pronunciation."""
    said = [
        one for one in element if one.tag != f"{_S}rPh" and not _is_struck(one.find(f"{_S}rPr"))
    ]
    return "".join(text.text or "" for one in said for text in one.iter(f"{_S}t"))


def _is_struck(font: ET.Element | None) -> bool:
    mark = font.find(f"{_S}strike") if font is not None else None
    return mark is not None and mark.get("val", "1") not in ("0", "false")


@dataclass(frozen=True)
class _Style:
    """How a cell is shown."""

    code: str = ""
    is_struck: bool = False


def _styles(root: ET.Element | None) -> list[_Style]:
    if root is None:
        return []
    own = {
        int(one.get("numFmtId", "0")): one.get("formatCode", "") for one in root.iter(f"{_S}numFmt")
    }
    fonts = [_is_struck(one) for one in root.findall(f"{_S}fonts/{_S}font")]
    return [
        _Style(
            format_code(int(one.get("numFmtId", "0")), own),
            is_struck=any(fonts[int(one.get("fontId", "0")) :][:1]),
        )
        for one in root.findall(f"{_S}cellXfs/{_S}xf")
    ]


def _rows(
    root: ET.Element, strings: list[str], styles: list[_Style]
) -> Iterator[tuple[int, list[str]]]:
    hidden = {
        column
        for one in root.iter(f"{_S}col")
        if one.get("hidden") in ("1", "true")
        for column in range(int(one.get("min", "1")), int(one.get("max", "1")) + 1)
    }
    for number, row in enumerate(root.iter(f"{_S}row"), start=1):
        if row.get("hidden") in ("1", "true"):
            continue
        cells: dict[int, str] = {}
        for place, cell in enumerate(row.iter(f"{_S}c"), start=1):
            column = _column(cell.get("r", "")) or place
            if column not in hidden:
                cells[column] = _value(cell, strings, styles)
        if any(cells.values()):
            shown = [one for one in range(1, max(cells) + 1) if one not in hidden]
            yield int(row.get("r", number)), [cells.get(one, "") for one in shown]


def _column(reference: str) -> int:
    match = _CELL.fullmatch(reference)
    number = 0
    for letter in match[1] if match else "":
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _value(cell: ET.Element, strings: list[str], styles: list[_Style]) -> str:
    kind = cell.get("t", "n")
    number = int(cell.get("s", "0"))
    style = styles[number] if number < len(styles) else None
    if style is not None and style.is_struck:
        return ""
    if kind == "inlineStr":
        inline = cell.find(f"{_S}is")
        return _words(inline) if inline is not None else ""
    value = cell.findtext(f"{_S}v")
    if value is None:
        if cell.find(f"{_S}f") is not None:
            raise Unparsable(
                f"has a formula that was never calculated ({cell.get('r')})",
                "Open it in a spreadsheet program and save it.",
            )
        return ""
    if kind == "s":
        return strings[int(value)]
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    return shown(value, style.code) if kind == "n" and style is not None else value


def parse_pptx(data: bytes, bounds: Bounds) -> Parsed:
    package = _Package(data, bounds, "a PowerPoint presentation (PPTX)")
    presentation = package.required("ppt/presentation.xml")
    related = package.related("ppt/presentation.xml")
    pieces, places = Pieces(bounds), list[tuple[int, str]]()
    for number, slide in enumerate(presentation.iter(f"{_P}sldId"), start=1):
        root = package.required(related.get(slide.get(f"{_R}id", ""), ""))
        if root.get("show") != "0":
            places.append((pieces.length, f"slide {number}"))
            for paragraph in _slide(root):
                pieces.add(f"{paragraph}\n\n")
    return Parsed(pieces.text(), places=tuple(places))


def _slide(root: ET.Element) -> Iterator[str]:
    parents: Mapping[Any, Any] = {child: parent for parent in root.iter() for child in parent}
    for element in root.iter():
        if element.tag == f"{_P}sp" and not _is_hidden(element):
            yield from _shape(element)
        elif element.tag == f"{_A}tbl" and element in parents:
            yield "\n".join(_table(element))


def _is_hidden(shape: ET.Element) -> bool:
    return any(one.get("hidden") in ("1", "true") for one in shape.iter(f"{_P}cNvPr"))


def _shape(shape: ET.Element) -> Iterator[str]:
    kinds = [one.get("type", "") for one in shape.iter(f"{_P}ph")]
    for paragraph in shape.iter(f"{_A}p"):
        words = _run(paragraph)
        if words and kinds[:1] in (["title"], ["ctrTitle"]):
            yield f"## {words}"
        elif words:
            yield words


def _run(paragraph: ET.Element) -> str:
    said = [" " if one.tag == f"{_A}br" else _said(one) for one in paragraph]
    return " ".join("".join(said).split())


def _said(run: ET.Element) -> str:
    """Without what is struck out."""
    look = run.find(f"{_A}rPr")
    if look is not None and look.get("strike", "noStrike") != "noStrike":
        return ""
    return "".join(one.text or "" for one in run.iter(f"{_A}t"))


def _table(table: ET.Element) -> Iterator[str]:
    for number, row in enumerate(table.iter(f"{_A}tr")):
        cells = [
            " ".join(filter(None, (_run(one) for one in cell.iter(f"{_A}p")))).replace("|", "\\|")
            for cell in row.iter(f"{_A}tc")
        ]
        yield f"| {' | '.join(cells)} |"
        if not number:
            yield f"|{'---|' * len(cells)}"


XLSX = DocumentReader("xlsx", parse_xlsx)
PPTX = DocumentReader("pptx", parse_pptx)
