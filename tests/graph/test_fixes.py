from groundwire.graph import find_fixes
from groundwire.model import Document, bytes_hash
from tests.graph.make import graph_of

GRAPH = graph_of(("full disk", "write errors", "The full disk caused write errors."))


def _document(text: str, doc_id: str = "report-0") -> Document:
    return Document(
        doc_id=doc_id,
        title="A report",
        text=text,
        format="markdown",
        metadata={"id": "INC-9"},
        sha256=bytes_hash(text.encode()),
    )


def test_a_fix_is_quoted_under_its_heading_and_bound_to_what_the_report_is_evidence_of() -> None:
    text = "# Report\n\n## Fix\n\nThe disk was\nemptied.\n\n## Remarks\n\nNone.\n"
    (fix,) = find_fixes([_document(text)], GRAPH.variables, GRAPH.edges)
    assert (fix.case_id, fix.fix) == ("INC-9", "The disk was emptied.")
    assert fix.variables == ("full_disk", "write_errors")
    assert fix.quote is not None
    assert text[fix.quote.start : fix.quote.end] == fix.quote.quote == "The disk was\nemptied."


def test_other_headings_mean_the_same() -> None:
    for heading in ("## What was done", "### Corrective actions", "**Mitigation**:"):
        document = _document(f"# Report\n\n{heading}\n\nIt was emptied.\n")
        (fix,) = find_fixes([document], GRAPH.variables, GRAPH.edges)
        assert fix.fix == "It was emptied."


def test_a_label_before_a_colon_will_do() -> None:
    (fix,) = find_fixes(
        [_document("It failed.\nResolution: restarted it.\n")], GRAPH.variables, GRAPH.edges
    )
    assert fix.fix == "restarted it."


def test_a_report_without_a_fix_or_without_grounded_edges_has_none() -> None:
    texts = [_document("# Report\n\n## Remarks\n\nThe fix is unknown."), _document("## Fix\n\n")]
    assert find_fixes(texts, GRAPH.variables, GRAPH.edges) == ()
    elsewhere = _document("## Fix\n\nIt was emptied.", doc_id="another")
    assert find_fixes([elsewhere], GRAPH.variables, GRAPH.edges) == ()
    rejected = [one.model_copy(update={"edge_status": "rejected"}) for one in GRAPH.edges]
    assert find_fixes([_document("## Fix\n\nDone.")], GRAPH.variables, rejected) == ()
