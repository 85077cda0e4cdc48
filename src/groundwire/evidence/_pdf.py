from groundwire.evidence._parsed import Bounds, DocumentReader, Parsed, Pieces, Unparsable

# pdfium writes a hyphen at the end of a line as this character
_SOFT_HYPHEN = "\ufffe"
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
    pieces = Pieces(bounds)
    starts = []
    for number in range(len(pdf)):
        starts.append(pieces.length)
        pieces.add(_page_text(pdf, number) + _PAGE_GAP)
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
    return text.replace("\r\n", "\n").replace(f"{_SOFT_HYPHEN}\n", "").replace(_SOFT_HYPHEN, "")


def _title(pdf: "pypdfium2.PdfDocument") -> str | None:  # type: ignore[name-defined]  # noqa: F821
    title: str = pdf.get_metadata_value("Title")
    return title.strip() or None


READER = DocumentReader("pdf", parse_pdf)
