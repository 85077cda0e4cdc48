"""What a person sees in a document is read, and nothing else: not what is hidden or struck out."""

from pathlib import Path

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement

from groundwire.config import LimitsSection
from groundwire.evidence import read_document
from groundwire.evidence._cell_formats import format_code, shown
from tests.evidence.files import pdf, zip_of

LIMITS = LimitsSection()


def text(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_document(path, LIMITS).text


@pytest.mark.parametrize(
    "struck",
    [
        "<del>$50</del>",
        "<s>$50</s>",
        "<strike><b>$50</b></strike>",
        '<span style="text-decoration: line-through">$50</span>',
        '<span style="color: red; TEXT-DECORATION: underline Line-Through">$50</span>',
        '<span style="text-decoration-line:line-through"><i>$50</i></span>',
    ],
)
def test_struck_out_html_is_not_read(tmp_path: Path, struck: str) -> None:
    """What its writer took back is left out, and the words around it close up."""
    page = f"<p>The permit costs {struck} <ins>$70</ins>.</p>"
    assert text(tmp_path, "a.html", page) == "The permit costs $70.\n"


def test_underlined_html_is_read(tmp_path: Path) -> None:
    """Another decoration takes nothing back."""
    page = '<p>It costs <u style="text-decoration: underline">$50</u> now.</p>'
    assert text(tmp_path, "a.html", page) == "It costs $50 now.\n"


def test_a_term_of_html_stands_with_its_description(tmp_path: Path) -> None:
    """Each description follows all its terms; a hidden term is none."""
    page = (
        "<dl>\n<dt>Hook</dt>\n<dd>4 kg</dd><!-- old -->\n<dd>not in frost</dd>"
        "<dt>Line:</dt><dd><p>3 kg</p></dd><dt>Oar</dt><dt>Mast</dt><dd>9 kg</dd>"
        "<dt hidden>Sail</dt><dd>red</dd></dl>"
    )
    assert text(tmp_path, "a.html", page) == (
        "Hook: 4 kg\n\nHook: not in frost\n\nLine: 3 kg\n\nOar, Mast: 9 kg\n\nred\n"
    )


def rows(shown: str) -> list[list[str]]:
    """The cells of each row of the only table of a text, without the rule below its header."""
    lines = [line.strip().strip("|") for line in shown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.split("|")] for line in lines if "---" not in line]


def test_a_cell_of_html_stands_in_every_row_and_column_it_spans(tmp_path: Path) -> None:
    """Cells that reach down or across are said again; what stands alone in its row is said once."""
    page = (
        "<table><tr><th>Day</th><th>Slot</th><th>Price</th></tr>"
        "<tr><td rowspan='2'>Mon</td><td>am</td><td>4</td></tr><tr><td>pm</td><td>5</td></tr>"
        "<tr><td>Tue</td><td colspan='2'>closed</td></tr><tr><td colspan='3'>Winter</td></tr>"
        "<tr><td>Wed</td><td hidden>x</td><td>am</td><td rowspan='0'>6</td></tr>"
        "<tr><td>Thu</td></tr></table>"
    )
    assert rows(text(tmp_path, "a.html", page)) == [
        ["Day", "Slot", "Price"],
        ["Mon", "am", "4"],
        ["Mon", "pm", "5"],
        ["Tue", "closed", "closed"],
        ["Winter", "", ""],
        ["Wed", "am", "6"],
        ["Thu", "", "6"],
    ]


def test_a_struck_out_cell_of_html_keeps_its_column(tmp_path: Path) -> None:
    """What stands right of it does not move; a cell that is not displayed has no column."""
    page = (
        "<table><tr><th>Boat</th><th>Old</th><th>New</th></tr><tr><td>Gull</td>"
        "<td style='text-decoration: line-through'>$50</td><td hidden>x</td><td>$70</td></tr>"
        "</table>"
    )
    assert rows(text(tmp_path, "a.html", page))[1] == ["Gull", "", "$70"]


def test_the_header_of_an_html_table_is_one_row_above_all_others(tmp_path: Path) -> None:
    """Rows of a header are joined, and no blank line parts them from the body."""
    page = (
        "<table><thead><tr><th rowspan='2'>Boat</th><th colspan='2'>Price</th></tr>"
        "<tr><th>summer</th><th>winter</th></tr></thead>"
        "<tbody><tr><td>Gull</td><td>70</td><td>50</td></tr></tbody></table>"
    )
    assert text(tmp_path, "a.html", page) == (
        "| Boat | Price summer | Price winter | \n|---|---|---|\n| Gull | 70 | 50 |\n"
    )


def saved(folder: Path, document: object) -> str:
    path = folder / "a.docx"
    document.save(str(path))  # type: ignore[attr-defined]
    return read_document(path, LIMITS).text


@pytest.mark.parametrize("mark", ["hidden", "strike", "double_strike"])
def test_hidden_and_struck_runs_of_a_docx_are_not_read(tmp_path: Path, mark: str) -> None:
    """A run that says it is so is left out; one that says it is not so is read."""
    document = docx.Document()
    paragraph = document.add_paragraph("The permit costs ")
    setattr(paragraph.add_run("$50 ").font, mark, True)
    setattr(paragraph.add_run("$70.").font, mark, False)
    assert saved(tmp_path, document) == "The permit costs $70.\n\n"


def test_runs_of_a_docx_are_hidden_by_their_style(tmp_path: Path) -> None:
    """By that of the run and that of the paragraph, also through the style it is based on."""
    document = docx.Document()
    secret = document.styles.add_style("Secret", WD_STYLE_TYPE.CHARACTER)
    secret.font.hidden = True
    document.styles.add_style("Deep", WD_STYLE_TYPE.CHARACTER).base_style = secret
    document.styles.add_style("Old", WD_STYLE_TYPE.PARAGRAPH).font.strike = True
    paragraph = document.add_paragraph("Seen.")
    paragraph.add_run(" Secret.", style="Secret")
    paragraph.add_run(" Deep.", style="Deep")
    document.add_paragraph("Struck.", style="Old").add_run("Kept.").font.strike = False
    assert saved(tmp_path, document) == "Seen.\n\nKept.\n\n"


def test_merged_cells_of_a_docx_stand_in_every_row_they_span(tmp_path: Path) -> None:
    """Down and across; a row that was deleted is none."""
    document = docx.Document()
    table = document.add_table(rows=5, cols=3)
    words = ["Day", "Slot", "Price", "Mon", "am", "4", "", "pm", "5", "Tue", "closed", ""]
    for cell, said in zip(table._cells, [*words, "Wed", "am", "6"], strict=True):
        cell.text = said
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(3, 1).merge(table.cell(3, 2))
    table.rows[4]._tr.get_or_add_trPr().append(OxmlElement("w:del"))
    assert rows(saved(tmp_path, document)) == [
        ["Day", "Slot", "Price"],
        ["Mon", "am", "4"],
        ["Mon", "pm", "5"],
        ["Tue", "closed", "closed"],
    ]


@pytest.mark.parametrize(
    ("value", "number", "code", "seen"),
    [
        ("0.6041666666666666", 20, "", "14:30"),
        ("0.375", 0, "h:mm:ss", "9:00:00"),
        ("0.75", 18, "", "6:00 PM"),
        ("0.0104166667", 45, "", "15:00"),
        ("1.5", 0, "[h]:mm", "36:00"),
        ("1.5", 46, "", "36:00:00"),
        ("0.0625", 0, "[mm]:ss", "90:00"),
        ("45000", 14, "", "2023-03-15"),
        ("45000.6041666667", 22, "", "2023-03-15 14:30"),
        ("45000.6041666667", 0, "dd/mm/yyyy", "2023-03-15"),
        ("1234.5", 0, '#,##0.00 "€"', "1,234.50 €"),
        ("-1234.5", 0, "#,##0.00\\ [$€-407];[Red]#,##0.00\\ [$€-407]", "-1,234.50 €"),
        ("1234.5", 0, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\)', "$1,234.50"),
        ("2.675", 0, "[$EUR] 0.00", "EUR 2.68"),
        ("12300000", 0, '0.0,,"M"', "12.3M"),
        ("42", 0, '0" kg"', "42 kg"),
        ("0.25", 10, "", "25%"),
        ("1234.5678", 4, "", "1234.5678"),
        ("0.5", 0, '[<1]0.00 "g";0.0 "kg"', "0.5"),
        ("5", 0, ";;;", ""),
    ],
)
def test_a_number_of_a_sheet_is_read_as_it_is_shown(
    value: str, number: int, code: str, seen: str
) -> None:
    """Times, durations and currencies as in the cell; plain numbers in full; nothing for none."""
    assert shown(value, format_code(number, {number: code})) == seen


SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def workbook(row: str, styles: str) -> bytes:
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="Costs" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">'
        '<Relationship Id="r1" Target="a.xml"/></Relationships>',
        "xl/a.xml": f'<worksheet xmlns="{SHEET}"><sheetData><row r="1">{row}</row></sheetData>'
        "</worksheet>",
        "xl/styles.xml": f'<styleSheet xmlns="{SHEET}">{styles}</styleSheet>',
    }
    return zip_of({name: part.encode() for name, part in parts.items()})


def test_struck_out_cells_of_a_sheet_are_not_read(tmp_path: Path) -> None:
    """The whole cell by its style, a part of it by its own; formats of the file are followed."""
    styles = (
        '<numFmts><numFmt numFmtId="164" formatCode="#,##0.00 &quot;€&quot;"/></numFmts>'
        "<fonts><font/><font><strike/></font></fonts><cellXfs><xf/>"
        '<xf numFmtId="164" fontId="0"/><xf fontId="1"/></cellXfs>'
    )
    row = (
        '<c r="A1" t="inlineStr"><is><r><rPr><strike/></rPr><t>Oar </t></r><r><t>Mast</t></r></is>'
        '</c><c r="B1" s="2"><v>50</v></c><c r="C1" s="1"><v>70</v></c>'
    )
    data = workbook(row, styles)
    assert rows(text(tmp_path, "a.xlsx", data)) == [["Mast", "", "70.00 €"]]


def test_struck_out_runs_of_a_slide_are_not_read(tmp_path: Path) -> None:
    """The rest of their paragraph is."""
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"
    slides = "http://schemas.openxmlformats.org/presentationml/2006/main"
    spaces = f'xmlns:p="{slides}" xmlns:a="{drawing}" xmlns:r="{OFFICE}"'
    parts = {
        "ppt/presentation.xml": f'<p:presentation {spaces}><p:sldId r:id="r1"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{PACKAGE}">'
        '<Relationship Id="r1" Target="slides/1.xml"/></Relationships>',
        "ppt/slides/1.xml": f"<p:sld {spaces}><p:sp><p:txBody><a:p><a:r><a:t>It costs </a:t></a:r>"
        '<a:r><a:rPr strike="sngStrike"/><a:t>$50 </a:t></a:r><a:r><a:rPr strike="noStrike"/>'
        "<a:t>$70.</a:t></a:r></a:p></p:txBody></p:sp></p:sld>",
    }
    data = zip_of({name: part.encode() for name, part in parts.items()})
    assert text(tmp_path, "a.pptx", data) == "It costs $70.\n\n"


def test_words_of_a_pdf_that_a_line_breaks_are_joined(tmp_path: Path) -> None:
    """Their own hyphens stay: in compounds, before digits and names, and where they recur."""
    lines = [
        "The boat was in-\nspected by a state-of-the-art team.",
        "It is state-of-\nthe-art and long-\nterm, in Alsace-\nLorraine.",
        "10-\n20 m.",
    ]
    read = text(tmp_path, "a.pdf", pdf(["\n".join(lines), "Long-term plans."]))
    words = " ".join(read.split())
    assert "was inspected by a state-of-the-art team." in words
    assert "is state-of-the-art and long-term, in Alsace-Lorraine." in words
    assert "10- 20 m." in words


def test_no_control_character_of_a_file_is_read(tmp_path: Path) -> None:
    """They are invisible, and a terminal would obey them."""
    shown_text = text(tmp_path, "a.csv", "part,note\nmast,\x1b[31mred\x07\n")
    assert "| mast | [31mred |" in shown_text
    page = text(tmp_path, "a.pdf", pdf(["The mast\\001 is\\033 red."]))
    assert page.replace("\n", "").isprintable()


def test_footnotes_of_restructured_text_are_read(tmp_path: Path) -> None:
    """A reader sees them; comments and targets of links are not read."""
    page = (
        "The quay is 4 m deep [#f]_.\n\n.. [#f] Measured in 2021,\n   at low water.\n"
        ".. [1] The mast is red.\n.. [*] Twice.\n.. _quay: https://example.org\n.. Nobody's.\n"
    )
    read = text(tmp_path, "a.rst", page)
    assert "[#f] Measured in 2021,\nat low water.\n" in read
    assert "[1] The mast is red.\n" in read
    assert "[*] Twice.\n" in read
    assert "example.org" not in read
    assert "Nobody" not in read


def test_tables_of_restructured_text_are_tables(tmp_path: Path) -> None:
    """Lists of rows and comma-separated ones, with their header where they have one."""
    page = (
        ".. list-table:: Weights\n   :header-rows: 1\n   :widths: 10 20\n\n   * - Part\n"
        "     - Weight\n   * - Hook | north\n     - 4 kg\n       - in all\n   * - Line\n     -\n\n"
        "Then.\n\n.. csv-table::\n   :header: Part, Colour\n\n"
        '   Mast, "red, high"\n\nEnd.\n\n.. list-table::\n\n   * - Oar\n     - 9 kg\n'
    )
    read = text(tmp_path, "a.rst", page)
    assert "Weights\n\n| Part | Weight |\n|---|---|\n| Hook \\| north | 4 kg - in all |\n" in read
    assert "| Line |  |\n" in read
    assert "| Part | Colour |\n|---|---|\n| Mast | red, high |\n" in read
    assert "End.\n\n\n\n\n| Oar | 9 kg |\n" in read
