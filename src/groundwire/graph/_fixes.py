"""What was done about past incidents, in the words of their reports."""

from collections.abc import Iterable, Sequence

from groundwire._patterns import lazy_pattern
from groundwire.model import CausalEdge, Document, HistoricalFix, Quote, Variable
from groundwire.text import Sentence, content_terms, read

MAX_FIX_CHARS = 600
# such as "Fix: replaced the fan", "**Resolution:** restarted"
_LABEL = lazy_pattern(r"\**(?P<label>[A-Z][\w ]{1,40})\**:\**")
_FIX_WORDS = frozenset(
    content_terms("fix resolution remedy remediation repair solution mitigation corrective done")
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
        bound = dict.fromkeys(spoken_of.get(document.doc_id, ()))
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
    """What stands under a heading or after a label that names a fix, up to the next heading."""
    text = document.text
    sentences = [one for one in read(text).sentences if one.start >= document.body_start]
    for place, sentence in enumerate(sentences):
        after = _after_fix_name(sentence)
        if after is None:
            continue
        following = sentences[place + 1 :]
        heading = next((one.block.start for one in following if one.block.kind == "heading"), None)
        # a heading begins with its line
        end = len(text) if heading is None else text.rfind("\n", 0, heading) + 1
        body = text[after:end]
        start = after + len(body) - len(body.lstrip())
        words = body.strip()[:MAX_FIX_CHARS].rstrip()
        if words:
            return Quote(doc_id=document.doc_id, quote=words, start=start, end=start + len(words))
    return None


def _after_fix_name(sentence: Sentence) -> int | None:
    label = _LABEL.match(sentence.text)
    if sentence.block.kind == "heading":
        return sentence.end if _names_a_fix(sentence.text) else None
    return sentence.start + label.end() if label and _names_a_fix(label["label"]) else None


def _names_a_fix(name: str) -> bool:
    return bool(_FIX_WORDS & set(content_terms(name)))
