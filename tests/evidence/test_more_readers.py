"""Formats beyond Markdown, HTML, PDF and DOCX: text, tables, notebooks, mail, slides."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from groundwire.config import LimitsSection
from groundwire.errors import UnreadableSource
from groundwire.evidence import find_unread, read_document
from groundwire.model import Document

LIMITS = LimitsSection()
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"


def document(folder: Path, name: str, content: str | bytes) -> Document:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_document(path, LIMITS)


def place(read: Document, words: str) -> str:
    at = read.text.index(words)
    return [name for start, name in read.places if start <= at][-1]


def archive(**parts: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in parts.items():
            zipped.writestr(name, content)
    return made.getvalue()


def relations(*targets: str) -> str:
    inner = "".join(
        f'<Relationship Id="r{number}" Target="{target}"/>'
        for number, target in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{PACKAGE}">{inner}</Relationships>'


def workbook(rows: str, *, columns: str = "", state: str = "visible") -> bytes:
    return archive(
        **{
            "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{RELATION}"><sheets>'
            f'<sheet name="Costs" sheetId="1" r:id="r1" state="{state}"/>'
            '<sheet name="Notes" sheetId="2" r:id="r2"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations("worksheets/a.xml", "/xl/worksheets/b.xml"),
            "xl/worksheets/a.xml": f'<worksheet xmlns="{SHEET}">{columns}'
            f"<sheetData>{rows}</sheetData></worksheet>",
            "xl/worksheets/b.xml": f'<worksheet xmlns="{SHEET}"><sheetData><row r="1">'
            '<c r="A1" t="inlineStr"><is><t>The mast is red.</t></is></c></row></sheetData>'
            "</worksheet>",
            "xl/sharedStrings.xml": f'<sst xmlns="{SHEET}"><si><t>Part</t></si><si><r><t>Pri</t>'
            "</r><r><t>ce</t></r></si><si><t>Mast | north</t></si></sst>",
            "xl/styles.xml": f'<styleSheet xmlns="{SHEET}"><cellXfs><xf numFmtId="0"/>'
            '<xf numFmtId="14"/><xf numFmtId="9"/></cellXfs></styleSheet>',
        }
    )


ROWS = (
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    '<row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4"><v>0.1</v></c>'
    '<c r="C4" s="1"><v>45000</v></c><c r="D4" s="2"><v>0.25</v></c></row>'
    '<row r="5" hidden="1"><c r="A5" t="inlineStr"><is><t>Nobody sees it</t></is></c></row>'
)


def test_sheets_are_tables_as_a_person_sees_them(tmp_path: Path) -> None:
    """Numbers, dates and percentages as shown; hidden rows are not read; rows keep their number."""
    read = document(tmp_path, "costs.xlsx", workbook(ROWS))
    assert "| Mast \\| north | 0.1 | 2023-03-15 | 25% |" in read.text
    assert "Nobody sees it" not in read.text
    assert place(read, "Mast") == "sheet Costs, row 4"
    assert place(read, "The mast is red.") == "sheet Notes, row 1"


def test_hidden_sheets_and_columns_are_not_read(tmp_path: Path) -> None:
    """What the file hides grounds nothing."""
    hidden = '<cols><col min="2" max="2" hidden="1"/></cols>'
    read = document(tmp_path, "a.xlsx", workbook(ROWS, columns=hidden))
    assert "| Mast \\| north | 2023-03-15 | 25% |" in read.text
    assert "Mast" not in document(tmp_path, "b.xlsx", workbook(ROWS, state="hidden")).text


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"PK\x03\x04 no archive", "is not an Excel workbook"),
        (archive(**{"a.txt": "x"}), "is not an Excel workbook"),
        (
            archive(**{"xl/workbook.xml": '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'}),
            "declares entities",
        ),
        (workbook('<row r="1"><c r="B3"><f>A1+1</f></c></row>'), "never calculated (B3)"),
        (workbook('<row r="1"><c r="A1" t="s"><v>99</v></c></row>'), "cannot be parsed"),
    ],
)
def test_workbooks_that_cannot_be_read_are_refused(
    tmp_path: Path, data: bytes, problem: str
) -> None:
    """Half a workbook is worse than none."""
    with pytest.raises(UnreadableSource) as refused:
        document(tmp_path, "costs.xlsx", data)
    assert problem in str(refused.value)


def test_a_workbook_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    """The sum of its parts is bounded before any is unpacked."""
    bomb = archive(**{"xl/workbook.xml": " " * 600_000_000})
    with pytest.raises(UnreadableSource) as refused:
        document(tmp_path, "bomb.xlsx", bomb)
    assert "unpacks to 600 MB" in str(refused.value)


def slide(*shapes: str, show: str = "1") -> str:
    return (
        f'<p:sld xmlns:p="{SLIDES}" xmlns:a="{DRAWING}" show="{show}"><p:cSld><p:spTree>'
        f"{''.join(shapes)}</p:spTree></p:cSld></p:sld>"
    )


def shape(words: str, kind: str = "") -> str:
    holder = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else ""
    return (
        f"<p:sp><p:nvSpPr>{holder}</p:nvSpPr><p:txBody><a:p><a:r><a:t>{words}</a:t></a:r></a:p>"
        "</p:txBody></p:sp>"
    )


def test_slides_are_sections_in_their_order(tmp_path: Path) -> None:
    """Titles are headings, tables are tables, hidden slides are not read, numbers stay."""
    table = (
        "<p:graphicFrame><a:tbl><a:tr><a:tc><a:p><a:r><a:t>Year</a:t></a:r></a:p></a:tc></a:tr>"
        "<a:tr><a:tc><a:p><a:r><a:t>1990</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:graphicFrame>"
    )
    data = archive(
        **{
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{SLIDES}" xmlns:r="{RELATION}">'
            '<p:sldIdLst><p:sldId r:id="r2"/><p:sldId r:id="r3"/><p:sldId r:id="r1"/></p:sldIdLst>'
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(
                "slides/1.xml", "slides/2.xml", "slides/3.xml"
            ),
            "ppt/slides/1.xml": slide(shape("The mast is red."), table),
            "ppt/slides/2.xml": slide(shape("Masts", "title")),
            "ppt/slides/3.xml": slide(shape("The mast is blue."), show="0"),
        }
    )
    read = document(tmp_path, "talk.pptx", data)
    assert read.text.startswith("## Masts\n\nThe mast is red.\n\n| Year |\n|---|\n| 1990 |")
    assert "blue" not in read.text
    assert place(read, "The mast is red.") == "slide 3"


def test_rows_of_csv_and_tsv_are_rows_of_a_table(tmp_path: Path) -> None:
    """Delimiters are recognised, quoted line breaks stay in their cell, rows keep their number."""
    read = document(tmp_path, "a.csv", 'part;note\nmast;"red,\nhigh"\n\nquay;grey\n')
    assert read.text == "| part | note |\n|---|---|\n| mast | red, high |\n| quay | grey |\n"
    assert place(read, "quay") == "row 4"
    assert "| mast | 42 |" in document(tmp_path, "b.tsv", "part\tm\nmast\t42\n").text


def test_json_is_lines_of_paths_or_a_table(tmp_path: Path) -> None:
    """Numbers stand as written; a name given twice is kept twice."""
    read = document(tmp_path, "a.json", '{"mast": {"height": 42.50, "tags": ["red", null]}}')
    assert read.text == "- mast.height: 42.50\n- mast.tags[0]: red\n- mast.tags[1]: null\n"
    assert place(read, "42.50") == "mast.height"
    table = document(tmp_path, "b.json", '[{"part": "mast", "m": 42}, {"part": "quay"}]')
    assert "| mast | 42 |\n| quay |  |" in table.text
    assert document(tmp_path, "c.json", '{"a": 1, "a": 2}').text == "- a: 1\n- a: 2\n"


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.json", "{nothing", "a.json is no JSON"),
        ("a.json", "[" * 100_000, "a.json nests too deeply"),
        ("a.ipynb", '{"no": "cells"}', "is no notebook"),
        ("a.eml", "just words\n", "is no e-mail"),
        ("a.csv", 'a,b\n"unclosed', "is no table"),
    ],
)
def test_what_is_damaged_is_refused(tmp_path: Path, name: str, content: str, problem: str) -> None:
    """With what is wrong, and never with a traceback."""
    with pytest.raises(UnreadableSource) as refused:
        document(tmp_path, name, content)
    assert problem in str(refused.value)


def test_cells_of_a_notebook_keep_their_number(tmp_path: Path) -> None:
    """Words are words, code and its output are code."""
    cells = [
        {"cell_type": "markdown", "source": ["# Mast\n", "The mast is red."]},
        {
            "cell_type": "code",
            "source": "print(42)",
            "outputs": [{"text": ["42\n"]}, {"data": {"text/plain": "42.0"}}],
        },
    ]
    read = document(tmp_path, "a.ipynb", json.dumps({"cells": cells}))
    assert "# Mast\nThe mast is red." in read.text
    assert "```\n42\n```" in read.text
    assert place(read, "print(42)") == "cell 2"


def test_mail_is_read_without_its_attachments_and_says_so(tmp_path: Path) -> None:
    """What was not read is named."""
    mail = (
        "From: Ada <ada@example.org>\nSubject: =?utf-8?q?Der_M=C3=A4st?=\nDate: Mon, 1 Jan 2024 "
        '10:00:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n'
        "--b\nContent-Type: text/plain; charset=utf-8\n\nThe mast is red.\n--b\n"
        'Content-Type: application/pdf\nContent-Disposition: attachment; filename="plan.pdf"\n\n'
        "x\n--b--\n"
    )
    read = document(tmp_path, "a.eml", mail)
    assert read.title == "Der Mäst"
    assert "- From: Ada <ada@example.org>" in read.text
    assert "The mast is red." in read.text
    assert read.metadata["unread"] == "attachment plan.pdf"


def test_restructured_text_keeps_its_sentences(tmp_path: Path) -> None:
    """Headings, notes and code keep their meaning; comments are not read."""
    text = (
        "=====\nMasts\n=====\n\nThe mast is red.\n\nColour\n------\n\n.. note:: It was painted.\n\n"
        ".. The mast is blue.\n   And high.\n\n.. code-block:: sh\n\n   paint mast\n\nRun it::\n\n"
        "   paint --all\n\nThe quay is grey.\n"
    )
    read = document(tmp_path, "a.rst", text)
    assert "# Masts" in read.text
    assert "## Colour" in read.text
    assert "It was painted." in read.text
    assert "```\n\npaint mast" in read.text
    assert "blue" not in read.text
    assert "The quay is grey." in read.text
    assert read.title == "Masts"


def test_asciidoc_keeps_its_sentences(tmp_path: Path) -> None:
    """Headings, tables and listings keep their meaning; comments and settings are left out."""
    text = (
        "= Masts\n:author: Ada\n:toc: left\n\nThe mast is red.\n\n// The mast is blue.\n\n"
        "== Sizes\n\n|===\n"
        "|Part |Height\n\n|Mast |42 m\n|===\n\n[source,sh]\n----\npaint\n----\n\n////\nblue\n////\n"
    )
    read = document(tmp_path, "a.adoc", text)
    assert "# Masts" in read.text
    assert "| Part | Height |\n|---|---|\n| Mast | 42 m |" in read.text
    assert "```\npaint\n```" in read.text
    assert "blue" not in read.text
    assert ":author: Ada" in read.text
    assert "left" not in read.text


def test_org_keeps_its_sentences(tmp_path: Path) -> None:
    """Headings, tables and sources keep their meaning; comments and drawers are not read."""
    text = (
        "#+TITLE: Masts\n# The mast is blue.\n* Colour :paint:\n:PROPERTIES:\n:ID: 7\n:END:\n"
        "The mast is red.\n** Sizes\n| Part | Height |\n|------+--------|\n| Mast | 42 m |\n"
        "#+begin_src sh\npaint\n#+end_src\n#+begin_quote\nIt sways.\n#+end_quote\n"
    )
    read = document(tmp_path, "a.org", text)
    assert read.title == "Masts"
    assert "# Colour\n" in read.text
    assert "| Part | Height |\n|------|--------|\n| Mast | 42 m |" in read.text
    assert "It sways." in read.text
    assert "blue" not in read.text
    assert ":ID:" not in read.text


def test_documents_nobody_reads_are_found_by_name(tmp_path: Path) -> None:
    """So that they can be named, and not passed over in silence."""
    for name in ("a.md", "old.doc", "b.odt", "chart.png"):
        (tmp_path / name).write_text("x")
    assert [one.path.name for one in find_unread([tmp_path])] == ["b.odt", "old.doc"]
