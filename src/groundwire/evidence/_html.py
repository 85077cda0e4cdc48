"""HTML as Markdown: what a reader sees, in order, with its headings, lists and tables."""

import re
from typing import Any

from groundwire.evidence._html_tree import (
    CELLS,
    cells_of,
    is_gone,
    is_header_row,
    is_unseen,
    spread_lists,
    spread_tables,
)
from groundwire.evidence._parsed import Bounds, DocumentReader, Parsed, Pieces, Unparsable

_BLOCKS = {"p", "div", "section", "article", "main", "header", "footer", "aside", "blockquote"}
_BLOCKS |= {"ul", "ol", "dl", "dt", "dd", "table", "figure", "figcaption"}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_KEPT = {name: name for name in ("author", "date", "status", "type", "doc_type")}
_KEPT |= {"dc.creator": "author", "dcterms.creator": "author", "article:author": "author"}
_KEPT |= {"dc.date": "date", "dcterms.date": "date", "article:published_time": "date"}
"""What a page says of itself in its head, by the names in use for it."""
_STOPPED = {"ERR_RESOURCE_LIMIT", "ERR_NO_MEMORY"}
# such as '<meta charset="iso-8859-1">'
_DECLARED_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}charset=["']?([A-Za-z0-9_-]{1,40})""", re.IGNORECASE
)


def parse_html(data: bytes, bounds: Bounds) -> Parsed:
    from lxml import etree, html

    parser = html.HTMLParser(huge_tree=True)
    try:
        root = html.document_fromstring(_decode(data), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise Unparsable("is not HTML that can be read", "Save it again, or as text.") from error
    # past its limits libxml2 stops and keeps silent about the rest
    if any(entry.type_name in _STOPPED for entry in parser.error_log):
        raise Unparsable("nests too deeply or is too large to be read in full", "Save it as text.")
    etree.strip_tags(root, etree.Comment)
    spread_lists(root)
    spread_tables(root)
    writer = _Writer(bounds)
    writer.walk(root.find("body") if root.find("body") is not None else root)
    title = " ".join((root.findtext(".//title") or "").split())
    return Parsed(writer.text(), title=title or None, metadata=_metadata(root))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        declared = _DECLARED_CHARSET.search(data[:4_096])
        if declared is None:
            raise Unparsable("is not UTF-8 and names no other charset", "Save it as UTF-8.") from (
                error
            )
        try:
            return data.decode(declared[1].decode("ascii"))
        except (LookupError, UnicodeDecodeError) as wrong:
            raise Unparsable("is not in the charset it names", "Save it as UTF-8.") from wrong


def _metadata(root: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in root.iterfind(".//meta"):
        name = str(meta.get("name") or meta.get("property") or "").lower()
        content = str(meta.get("content") or "")[:1_000].strip()
        if content and name in _KEPT:
            found.setdefault(_KEPT[name], content)
    return found


class _Writer:
    """Walks the tree without recursion: a hostile page may nest as deep as it likes."""

    def __init__(self, bounds: Bounds) -> None:
        self._pieces = Pieces(bounds)
        self._at_line_start = True
        self._gap = ""
        self._space = False
        self._last = " "
        self._in_pre = 0
        self._in_row = 0

    def text(self) -> str:
        return self._pieces.text().strip() + "\n"

    def walk(self, root: Any) -> None:
        waiting: list[tuple[Any, bool]] = [(root, True)]
        while waiting:
            element, entering = waiting.pop()
            if not entering:
                self._leave(element)
                self._say(element.tail)
                continue
            if not isinstance(element.tag, str) or is_unseen(element):
                if element.tag in CELLS and not is_gone(element):
                    self._leave(element)  # it keeps its column
                self._say(element.tail)
                continue
            self._enter(element)
            self._say(element.text)
            waiting.append((element, False))
            waiting.extend((child, True) for child in reversed(element))

    def _enter(self, element: Any) -> None:
        tag = element.tag
        if tag in _HEADINGS:
            self._break("\n\n")
            self._mark("#" * _HEADINGS[tag] + " ")
        elif tag == "li":
            self._break("\n")
            self._mark("- ")
        elif tag == "tr":
            self._break("\n")
            self._in_row += 1
            self._mark("| ")
        elif tag == "br":
            self._break("\n")
        elif tag == "pre":
            self._break("\n\n")
            self._write("```\n")
            self._in_pre += 1
        elif tag in ("dt", "dd") and self._is_open_term(element):
            self._join(", " if tag == "dt" else ": ")
        elif tag in _BLOCKS:
            self._break(_gap_around(element))

    def _is_open_term(self, element: Any) -> bool:
        """Whether the words of the term before this one end what is written so far."""
        before = element.getprevious()
        return before is not None and before.tag == "dt" and not self._gap

    def _join(self, mark: str) -> None:
        if not self._at_line_start:
            self._space = False
            self._mark(" " if self._last in ",:" else mark)

    def _leave(self, element: Any) -> None:
        tag = element.tag
        if tag in CELLS:
            self._space = False
            self._write(" | " if self._last != " " else "| ")
        elif tag == "tr":
            self._in_row -= 1
            if is_header_row(element):
                self._break("\n")
                self._write("|" + "---|" * max(len(cells_of(element)), 1))
            self._break("\n")
        elif tag == "pre":
            self._in_pre -= 1
            self._write("\n```")
            self._break("\n\n")
        elif tag in _HEADINGS:
            self._break("\n\n")
        elif tag in _BLOCKS and tag != "dt":
            self._break(_gap_around(element))

    def _break(self, gap: str) -> None:
        if self._in_row:
            self._space = True
        elif not self._at_line_start:
            self._gap = max(self._gap, gap, key=len)

    def _mark(self, mark: str) -> None:
        self._write(mark)
        self._at_line_start = True

    def _say(self, text: str | None) -> None:
        if not text:
            return
        if self._in_pre:
            self._write(text)
            return
        words = re.sub(r"\s+", " ", text)
        self._space |= words.startswith(" ")
        if words.strip():
            self._write(words.strip())
            self._space = words.endswith(" ")

    def _write(self, text: str) -> None:
        """After what is owed: a break, or one space, however many were asked for."""
        owed = self._gap or (" " if self._space and not self._last.isspace() else "")
        self._pieces.add(owed + text)
        self._gap, self._space, self._last = "", False, text[-1:]
        self._at_line_start = False


def _gap_around(block: Any) -> str:
    """What stands in a list item stays with it."""
    parent = block.getparent()
    return "\n" if parent is not None and parent.tag == "li" else "\n\n"


READER = DocumentReader("html", parse_html)
