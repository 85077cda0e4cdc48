import re
from collections.abc import Set as AbstractSet

from groundwire._patterns import lazy_pattern
from groundwire.evidence._parsed import Bounds, DocumentReader, Parsed, Pieces, Unparsable

_BREAK_MARKS = "\x02\ufffe\xad"
"""What pdfium writes for a hyphen at the end of a line; it joins the lines itself."""
# such as "in\x02" before "spected", "state-of\x02" before "the-art"
_BROKEN = lazy_pattern(
    rf"(?P<head>\w[\w-]{{0,60}})[{_BREAK_MARKS}]\n?(?=(?P<tail>\w[\w-]{{0,60}}))"
)
# such as "long-term"
_HYPHENATED = lazy_pattern(r"\b[^\W\d_]+-[^\W\d_]+\b")
_PAGE_GAP = "\n\n"


def parse_pdf(data: bytes, bounds: Bounds) -> Parsed:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unparsable("is locked with a password", "Save it without one.") from error
        raise Unparsable("is not a PDF that can be read", "Export it again.") from error
    try:
        return _pages(pdf, bounds)
    finally:
        pdf.close()


def _pages(pdf: "pypdfium2.PdfDocument", bounds: Bounds) -> Parsed:  # type: ignore[name-defined]  # noqa: F821
    if len(pdf) > bounds.max_pages:
        raise Unparsable(
            f"has {len(pdf):,} pages, more than {bounds.max_pages:,}",
            "Split it, or raise limits.max_pages.",
        )
    raw, pieces = Pieces(bounds), Pieces(bounds)
    starts, pages = [], []
    for number in range(len(pdf)):
        pages.append(_page_text(pdf, number))
        raw.add(pages[-1])
    hyphenated = set(_HYPHENATED.findall(raw.text().lower()))
    for page in pages:
        starts.append(pieces.length)
        pieces.add(_joined(page, hyphenated) + _PAGE_GAP)
    text = pieces.text()
    if not text.strip():
        raise Unparsable("has no text, only pictures", "Run text recognition (OCR) on it first.")
    return Parsed(text, title=_title(pdf), pages=tuple(starts))


def _page_text(pdf: "pypdfium2.PdfDocument", number: int) -> str:  # type: ignore[name-defined]  # noqa: F821
    import pypdfium2

    try:
        page = pdf[number]
        text: str = page.get_textpage().get_text_bounded()
        page.close()
    except pypdfium2.PdfiumError as error:
        raise Unparsable(f"is damaged on page {number + 1}", "Export it again.") from error
    return text.replace("\r\n", "\n")


def _joined(page: str, hyphenated: AbstractSet[str]) -> str:
    """Without the hyphens that only break a word; those that belong to it stay."""
    joined = _BROKEN.sub(lambda broken: _head(broken, hyphenated), page)
    return joined.replace("\xad", "").replace("\x02", "-").replace("\ufffe", "-")


def _head(broken: re.Match[str], hyphenated: AbstractSet[str]) -> str:
    head, tail = broken["head"], broken["tail"]
    keeps = (
        # "state-of-" and "the-art", "COVID-" and "19", "Alsace-" and "Lorraine"
        "-" in head + tail
        or head[-1].isdigit()
        or not tail[0].islower()
        or f"{head}-{tail}".lower() in hyphenated
    )
    return f"{head}-" if keeps else head


def _title(pdf: "pypdfium2.PdfDocument") -> str | None:  # type: ignore[name-defined]  # noqa: F821
    title: str = pdf.get_metadata_value("Title")
    return title.strip() or None


READER = DocumentReader("pdf", parse_pdf)
