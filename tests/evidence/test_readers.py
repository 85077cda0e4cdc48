import io
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import docx
import pytest
from docx.oxml import OxmlElement

from groundwire.config import LimitsSection
from groundwire.errors import MissingPackage, UnreadableSource
from groundwire.evidence import _child_process, read_document, read_text
from tests.evidence.files import pdf, zip_of

LIMITS = LimitsSection()


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(path: Path, limits: LimitsSection = LIMITS) -> UnreadableSource:
    with pytest.raises(UnreadableSource) as caught:
        read_document(path, limits)
    assert path.name in caught.value.message
    return caught.value


def test_markdown_is_kept_character_for_character(tmp_path: Path) -> None:
    text = "---\ntitle: 'Use IEC: always'\ndct:\n  issued: 2025-03-01\n---\r\n# Other\r\nBody é\n"
    document = read_document(write(tmp_path / "a.md", text), LIMITS)
    assert document.text == text
    assert document.title == "Use IEC: always"
    assert document.metadata == {"title": "Use IEC: always", "dct.issued": "2025-03-01"}
    assert document.format == "markdown"


def test_a_title_comes_from_the_first_heading_or_the_file_name(tmp_path: Path) -> None:
    fenced = "```\n# in code\n```\n# Keep **logs** for [90 days](a.md)\n"
    assert read_document(write(tmp_path / "a.md", fenced), LIMITS).title == "Keep logs for 90 days"
    assert read_document(write(tmp_path / "b.txt", "Words."), LIMITS).title == "b"


def test_front_matter_that_is_not_yaml_still_gives_its_plain_lines(tmp_path: Path) -> None:
    text = "---\ntitle: Meters: a view\nstatus: accepted\n---\nBody\n"
    document = read_document(write(tmp_path / "a.md", text), LIMITS)
    assert document.metadata == {"title": "Meters: a view", "status": "accepted"}


def test_front_matter_with_aliases_is_not_unfolded(tmp_path: Path) -> None:
    bomb = "a: &a [x,x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)},*{chr(97 + n)}]\n" for n in range(20)
    )
    document = read_document(write(tmp_path / "a.md", f"---\n{bomb}---\nBody\n"), LIMITS)
    assert sum(map(len, document.metadata.values())) < 1_000


def test_html_keeps_headings_lists_and_tables(tmp_path: Path) -> None:
    page = (
        "<html><head><title>Outage\n report</title><script>alert(1)</script></head><body>"
        "<nav>Home</nav><h2>What <b>failed</b></h2><p>Two\n  feeders.<br>At 10 kV.</p>"
        "<ul><li>first<ul><li>inner</li></ul></li><li>second</li></ul>"
        "<table><tr><th>Feeder</th><th>kV</th></tr><tr><td>A</td><td>10</td></tr></table>"
        "<pre># code\n  kept</pre><p hidden>unseen</p><p style='display: none'>unseen</p>"
        "<!-- remark -->end</body></html>"
    )
    document = read_document(write(tmp_path / "a.html", page), LIMITS)
    assert document.title == "Outage report"
    assert document.text == (
        "## What failed\n\nTwo feeders.\nAt 10 kV.\n\n- first\n- inner\n- second\n\n"
        "| Feeder | kV | \n|---|---|\n| A | 10 | \n\n```\n# code\n  kept\n```\n\nend\n"
    )


def test_html_in_a_declared_charset_is_read(tmp_path: Path) -> None:
    page = "<meta charset=iso-8859-1><p>Málaga</p>".encode("iso-8859-1")
    assert read_text(write(tmp_path / "a.html", page), LIMITS) == "Málaga\n"
    assert "charset" in refusal(write(tmp_path / "b.html", "<p>Málaga".encode("latin-1"))).message


def test_html_that_nests_too_deeply_is_refused_and_not_cut(tmp_path: Path) -> None:
    page = "<div>" * 100_000 + "deep" + "</div>" * 100_000 + "after"
    assert "nests too deeply" in refusal(write(tmp_path / "a.html", page)).message


def test_pdf_pages_keep_their_places(tmp_path: Path) -> None:
    data = pdf(["First page.\nIts second line.", "The voltage is 230 V."], title="Limits")
    document = read_document(write(tmp_path / "a.pdf", data), LIMITS)
    assert document.title == "Limits"
    assert document.text == "First page.\nIts second line.\n\nThe voltage is 230 V.\n\n"
    assert document.text[document.pages[1] :].startswith("The voltage")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"%PDF-1.4\nnothing", "not a PDF"),
        (pdf([""]), "no text"),
        (pdf(["word"] * 40), "40 pages"),
    ],
)
def test_pdfs_that_cannot_be_text_are_refused(tmp_path: Path, data: bytes, problem: str) -> None:
    limits = LimitsSection(max_pages=30)
    assert problem in refusal(write(tmp_path / "a.pdf", data), limits).message


def test_docx_becomes_markdown(tmp_path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "Storage policy"
    document.add_heading("Scope", level=2)
    document.add_paragraph("Applies to meters.")
    document.add_paragraph("One item", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, words in zip(table._cells, ["Data", "Days", "Alarms", "90"], strict=True):
        cell.text = words
    document.save(str(tmp_path / "a.docx"))
    read = read_document(tmp_path / "a.docx", LIMITS)
    assert read.title == "Storage policy"
    assert read.text == (
        "## Scope\n\nApplies to meters.\n\n- One item\n"
        "\n| Data | Days |\n|---|---|\n| Alarms | 90 |\n\n"
    )


def test_deleted_and_moved_text_of_a_docx_is_not_read(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Kept. ")
    for tag in ("w:del", "w:moveFrom", "w:ins"):
        change = OxmlElement(tag)
        run = OxmlElement("w:r")
        words = OxmlElement("w:t")
        words.text = f"In {tag[2:]}."
        run.append(words)
        change.append(run)
        paragraph._p.append(change)
    document.save(str(tmp_path / "a.docx"))
    assert read_text(tmp_path / "a.docx", LIMITS) == "Kept. In ins.\n\n"


def test_a_missing_parser_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.pdf", pdf(["Words."]))
    missing = "raise ModuleNotFoundError('none here', name='pypdfium2')"
    write(tmp_path / "modules" / "pypdfium2.py", missing)
    _child_process._shared().close()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "path", [str(tmp_path / "modules"), *sys.path])
        with pytest.raises(MissingPackage, match=r"pypdfium2.*--force-reinstall"):
            read_text(path, LIMITS)
    _child_process._shared().close()
    assert read_text(path, LIMITS) == "Words.\n\n"


def test_a_docx_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    bomb = zip_of({"word/document.xml": b"<w>" + b" " * 30_000_000})
    limits = LimitsSection(max_file_mb=1)
    assert "unpacks to 30 MB" in refusal(write(tmp_path / "a.docx", bomb), limits).message
    assert "not a Word document" in refusal(write(tmp_path / "b.docx", b"PK\x03\x04")).message
    assert "not a Word document" in refusal(write(tmp_path / "c.docx", zip_of({"a": b""}))).message


@pytest.mark.parametrize(
    ("content", "problem", "advice"),
    [
        (b"", "is empty", "nothing in it"),
        (b" \n\t\n", "is empty", "nothing in it"),
        (b"---\ntitle: x\n---\n", "is empty", "nothing in it"),
        (b"abc\0def", "is binary", "reads Markdown"),
        (b"one\ntwo \xe9\n", "line 2, byte 8", "iconv"),
        ("word".encode("utf-16"), "is UTF-16", "Save it as UTF-8"),
    ],
)
def test_what_is_not_text_is_refused(
    tmp_path: Path, content: bytes, problem: str, advice: str
) -> None:
    error = refusal(write(tmp_path / "a.md", content))
    assert problem in error.message
    assert advice in str(error.hint)


def test_a_byte_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    assert read_text(write(tmp_path / "a.txt", b"\xef\xbb\xbfWords."), LIMITS) == "Words."


def test_files_over_the_limit_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "x" * 2_001)
    error = refusal(path, LimitsSection(max_file_mb=0.002))
    assert "larger than 0.002 MB" in error.message
    assert "limits.max_file_mb" in str(error.hint)


def test_a_device_without_end_is_refused() -> None:
    with pytest.raises(UnreadableSource, match="larger than 1 MB"):
        read_text("/dev/zero", LimitsSection(max_file_mb=1))


@pytest.mark.parametrize("stream", [io.BytesIO(b"Words."), io.StringIO("Words.")])
def test_streams_are_read_within_the_same_limit(stream: io.BytesIO | io.StringIO) -> None:
    assert read_text(stream, LIMITS) == "Words."
    stream.seek(0)
    with pytest.raises(UnreadableSource, match="larger than"):
        read_text(stream, LimitsSection(max_file_mb=0.000_004))


def test_standard_input_is_read_and_its_format_recognised() -> None:
    script = (
        "from groundwire.config import LimitsSection\n"
        "from groundwire.evidence import read_document\n"
        "d = read_document('-', LimitsSection())\n"
        "print(d.format, d.doc_id, d.text)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=pdf(["Piped."]), capture_output=True, check=True
    )
    assert done.stdout.decode().split() == ["pdf", "Standard", "input", "Piped."]


@pytest.mark.parametrize(
    ("name", "problem"), [("gone.md", "does not exist"), (".", "is a folder"), ("a.doc", ".doc")]
)
def test_what_is_no_file_is_named(tmp_path: Path, name: str, problem: str) -> None:
    write(tmp_path / "a.doc", "x")
    with pytest.raises(UnreadableSource, match=problem):
        read_document(tmp_path / name, LIMITS)


def test_a_text_that_unfolds_beyond_its_bound_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.html", "<p>word</p>" * 1_000)
    assert "characters" in refusal(path, LimitsSection(max_document_chars=1_000)).message


def test_a_parser_that_takes_too_long_is_stopped_and_the_next_file_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.html", "<p>word</p>" * 300_000)
    limits = LimitsSection(parse_timeout=timedelta(milliseconds=10))
    assert "could not be read in 10ms" in refusal(path, limits).message
    assert read_text(write(tmp_path / "b.html", "<p>fine"), LIMITS) == "fine\n"


def test_a_parser_that_dies_costs_only_its_file(tmp_path: Path) -> None:
    # a request without its fields makes the process end, as a crash in a parser would
    header, _ = _child_process._shared().ask({}, b"", 30) or ({}, "")
    assert header["problem"] == "made its parser crash"
    assert read_text(write(tmp_path / "a.html", "<p>fine"), LIMITS) == "fine\n"


def test_a_file_that_takes_too_much_memory_is_refused_and_not_cut(tmp_path: Path) -> None:
    path = write(tmp_path / "a.html", "<p>x</p>" * 1_000_000)
    refusal(path, LimitsSection(parse_memory_mb=128))
    assert read_text(write(tmp_path / "b.html", "<p>fine"), LIMITS) == "fine\n"
