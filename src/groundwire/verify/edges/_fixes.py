"""What was done about it: the words of the reports under their own headings."""

import re
from collections.abc import Iterator, Sequence

from groundwire.claims import sentence_ranges
from groundwire.model import CausalEdge, Document, HistoricalFix, Quote

_HEADING = re.compile(
    r"^(?:#{1,6}\s+|[-*]\s+\*\*)(?P<title>fix(?:es)?|resolution|remedy|repair|solution|mitigation"
    r"|what was done|corrective actions?)\b[^\n]*?(?:\*\*:?)?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT_HEADING = re.compile(r"^(?:#{1,6}\s|[-*]\s+\*\*)", re.MULTILINE)
MAX_FIX_CHARS = 600


def historical_fixes(
    documents: Sequence[Document], edges: Sequence[CausalEdge]
) -> list[HistoricalFix]:
    """One for each report that has such a section, with the variables its sentences ground."""
    return [fix for document in documents for fix in _of(document, edges)]


def _of(document: Document, edges: Sequence[CausalEdge]) -> Iterator[HistoricalFix]:
    heading = _HEADING.search(document.text, document.body_start)
    if heading is None:
        return
    following = _NEXT_HEADING.search(document.text, heading.end())
    end = min(following.start() if following else len(document.text), heading.end() + MAX_FIX_CHARS)
    ranges = sentence_ranges(document.text[heading.end() : end])
    if not ranges:
        return
    first, last = heading.end() + ranges[0][0], heading.end() + ranges[-1][1]
    words = document.text[first:last]
    yield HistoricalFix(
        case_id=document.metadata.get("id") or document.doc_id,
        fix=" ".join(words.split()),
        variables=tuple(_variables(document, edges)),
        quote=Quote(doc_id=document.doc_id, quote=words, start=first, end=last),
    )


def _variables(document: Document, edges: Sequence[CausalEdge]) -> list[str]:
    found: dict[str, None] = {}
    for edge in edges:
        if edge.edge_status == "grounded" and any(
            one.quote.doc_id == document.doc_id for one in edge.evidence
        ):
            found.setdefault(edge.from_var)
            found.setdefault(edge.to_var)
    return list(found)
