"""What was done about past incidents, in the words of their reports."""

import re
from collections.abc import Iterable, Sequence

from groundwire.model import CausalEdge, Document, HistoricalFix, Quote, Variable
from groundwire.text import content_terms

MAX_FIX_CHARS = 600
_HEADING = re.compile(
    r"^(?:#{1,6}[ \t]+(?P<heading>[^\n]{1,80})$|\**(?P<label>[A-Z][\w ]{1,40})\**:\**)",
    re.MULTILINE,
)
_ANY_HEADING = re.compile(r"^(?:#{1,6}[ \t]|\*\*[^*\n]+\*\*[ \t]*$)", re.MULTILINE)
_FIX_WORDS = frozenset(
    term
    for word in """fix fixes resolution remedy remediation repair solution mitigation corrective
    done""".split()
    for term in content_terms(word)
)


def find_fixes(
    documents: Iterable[Document], variables: Sequence[Variable], edges: Sequence[CausalEdge]
) -> tuple[HistoricalFix, ...]:
    """The fix that each document describes, bound to the variables whose edges it is evidence of.

    A document whose edges are not grounded has no fix here: nobody knows what it would be for.
    """
    known = {variable.id for variable in variables}
    spoken_of: dict[str, list[str]] = {}
    for edge in edges:
        if edge.edge_status == "grounded":
            for one in edge.evidence:
                spoken_of.setdefault(one.quote.doc_id, []).extend((edge.from_var, edge.to_var))
    fixes = []
    for document in documents:
        bound = tuple(dict.fromkeys(name for name in spoken_of.get(document.doc_id, ())))
        quote = _fix_in(document)
        if quote is not None and bound:
            fixes.append(
                HistoricalFix(
                    case_id=document.metadata.get("id", document.doc_id),
                    fix=" ".join(quote.quote.split()),
                    variables=tuple(name for name in bound if name in known),
                    quote=quote,
                )
            )
    return tuple(fixes)


def _fix_in(document: Document) -> Quote | None:
    text = document.text
    for heading in _HEADING.finditer(text, document.body_start):
        name = heading.group("heading") or heading.group("label")
        if not _FIX_WORDS & set(content_terms(name)):
            continue
        following = _ANY_HEADING.search(text, heading.end())
        end = following.start() if following else len(text)
        body = text[heading.end() : end]
        start = heading.end() + len(body) - len(body.lstrip())
        words = body.strip()[:MAX_FIX_CHARS].rstrip()
        if words:
            return Quote(doc_id=document.doc_id, quote=words, start=start, end=start + len(words))
    return None
