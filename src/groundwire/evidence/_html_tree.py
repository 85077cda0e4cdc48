"""Which elements of an HTML tree a reader sees, and what spans several rows said in each."""

from collections import deque
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from groundwire._patterns import lazy_pattern

CELLS = {"td", "th"}
_UNSEEN = {"script", "style", "template", "noscript", "head", "svg", "nav", "iframe"}
_STRUCK = {"del", "s", "strike"}
# such as "color:red;text-decoration:underlineline-through", without its spaces
_UNSEEN_STYLE = lazy_pattern(r"visibility:hidden|text-decoration(?:-line)?:[^;]*line-through")
_ROW_GROUPS = {"thead", "tbody", "tfoot"}
# such as "2"
_SPAN = lazy_pattern(r"\s*(\d{1,5})\s*")
_MAX_COLSPAN = 1_000
"""As in browsers."""


def is_unseen(element: Any) -> bool:
    """What no reader sees, or what is struck out, is no evidence; and a place to hide orders."""
    struck = element.tag in _STRUCK or _UNSEEN_STYLE.search(_style(element)) is not None
    return struck or is_gone(element)


def is_gone(element: Any) -> bool:
    """Whether not even its place is left."""
    hidden = element.get("hidden") is not None or "display:none" in _style(element)
    return hidden or element.tag in _UNSEEN


def _style(element: Any) -> str:
    return "".join(str(element.get("style") or "").lower().split())


def is_header_row(row: Any) -> bool:
    table = next(row.iterancestors("table"), row.getparent())
    return table.find(".//tr") is row and _names_columns(row)


def _names_columns(row: Any) -> bool:
    cells = cells_of(row)
    return len(cells) > 0 and all(cell.tag == "th" for cell in cells)


def cells_of(row: Any) -> list[Any]:
    return [cell for cell in row if cell.tag in CELLS and not is_gone(cell)]


def spread_lists(root: Any) -> None:
    """Every description of a term has its term before it."""
    for first in root.findall(".//dd"):
        terms = _terms_before(first)
        second = first.getnext()
        if terms and second is not None and second.tag == "dd":
            for term in terms:
                second.addprevious(_copy(term))


def _terms_before(description: Any) -> list[Any]:
    terms: deque[Any] = deque()
    for before in description.itersiblings(preceding=True):
        if before.tag != "dt":
            break
        terms.appendleft(before)
    return list(terms)


def spread_tables(root: Any) -> None:
    """The inner ones first, so that a copy of a cell has them as they shall be."""
    for table in reversed(root.findall(".//table")):
        _spread(_rows(table))
        for group in table:
            if group.tag in _ROW_GROUPS:
                _spread(_rows(group))
            if group.tag == "thead":
                _join_header(_rows(group))


def _rows(group: Any) -> list[Any]:
    return [row for row in group if row.tag == "tr" and not is_unseen(row)]


def _spread(rows: list[Any]) -> None:
    """A cell that spans several rows or columns stands in each of them."""
    if not any(cell.get("rowspan") or cell.get("colspan") for row in rows for cell in row):
        return
    spanning: dict[int, tuple[Any, int]] = {}
    for left, row in zip(range(len(rows), 0, -1), rows, strict=True):
        row[:] = _laid_out(cells_of(row), spanning, left)


def _join_header(rows: list[Any]) -> None:
    """The rows of a header are one: "Price" above "summer" names the column "Price summer"."""
    if not all(_names_columns(row) for row in rows):
        return
    for row in rows[1:]:
        for upper, lower in zip(cells_of(rows[0]), cells_of(row), strict=False):
            if lower.text_content().strip() != upper.text_content().strip():
                lower.tag = "div"
                upper.append(lower)
        row.getparent().remove(row)


def _laid_out(cells: Iterable[Any], spanning: dict[int, tuple[Any, int]], left: int) -> list[Any]:
    """One cell for each column, also those that reach down from rows above."""
    own = deque(cells)
    # what stands alone in its row is said once: it is a heading of the rows below
    is_alone = len(own) == 1 and not spanning
    laid: list[Any] = []
    last = max(spanning, default=-1)
    while own or len(laid) <= last:
        column = len(laid)
        if column in spanning:
            cell, more = spanning.pop(column)
            laid.append(_copy(cell))
            if more > 1:
                spanning[column] = cell, more - 1
            continue
        cell = own.popleft() if own else _blank(laid[-1])
        more = min(_span(cell, "rowspan") or left, left) - 1
        for number in range(max(min(_span(cell, "colspan"), _MAX_COLSPAN), 1)):
            other = _blank(cell) if is_alone else _copy(cell)
            laid.append(other if number else cell)
            if more:
                spanning[column + number] = laid[-1], more
    return laid


def _span(cell: Any, name: str) -> int:
    """1 where it says nothing; 0 is "to the end" of the rows."""
    said = _SPAN.fullmatch(str(cell.get(name) or ""))
    return int(said[1]) if said else 1


def _copy(element: Any) -> Any:
    made = deepcopy(element)
    made.tail = None
    return made


def _blank(cell: Any) -> Any:
    return cell.makeelement(cell.tag)
