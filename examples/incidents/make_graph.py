"""Writes `graph.json`: the causal graph that a perfect reader of the incidents would make.

`gw ground` makes a graph from the reports alone. This one is made from `truth.json`, so that what
a diagnosis does can be tried and measured apart from how well documents were read.

    python examples/incidents/make_graph.py
"""

import json
from pathlib import Path
from typing import Any

from groundwire.config import LimitsSection
from groundwire.evidence import read_document
from groundwire.graph import find_fixes, save_graph
from groundwire.model import (
    CausalEdge,
    CausalGraphFile,
    Document,
    EdgeEvidence,
    EvidenceBundle,
    GraphRun,
    GraphSource,
    Quote,
    Variable,
    edge_id,
    evidence_id,
)

FOLDER = Path(__file__).parent
BELIEF_OF_ONE, BELIEF_OF_SEVERAL = 0.8, 0.95


def graph_of(truth: dict[str, Any]) -> CausalGraphFile:
    documents = {name: _read(name) for name in truth["reports"]}
    variables = tuple(Variable.model_validate(one) for one in truth["variables"])
    evidence: dict[str, EvidenceBundle] = {}
    edges = tuple(_edge(one, documents, evidence) for one in truth["edges"])
    return CausalGraphFile(
        variables=variables,
        edges=edges,
        evidence=evidence,
        fixes=find_fixes(documents.values(), variables, edges),
        sources=tuple(
            GraphSource(doc_id=name, title=one.title, path=name, sha256=one.sha256)
            for name, one in documents.items()
        ),
        run=GraphRun(judge="truth.json", documents=len(documents), grounded=len(edges)),
    )


def _read(name: str) -> Document:
    document = read_document(FOLDER / name, LimitsSection())
    return document.model_copy(update={"doc_id": name})


def _edge(
    stated: dict[str, Any], documents: dict[str, Document], evidence: dict[str, EvidenceBundle]
) -> CausalEdge:
    found: list[EdgeEvidence] = []
    for one in stated["stated"]:
        document, sentence = documents[one["report"]], one["sentence"]
        start = document.text.index(sentence)
        bundle = EvidenceBundle.of(sentence, document.doc_id, title=document.title, start=start)
        evidence[evidence_id(bundle)] = bundle
        quote = Quote(
            doc_id=document.doc_id, quote=sentence, start=start, end=start + len(sentence)
        )
        found.append(EdgeEvidence(evidence_id=evidence_id(bundle), quote=quote))
    several = len({one.quote.doc_id for one in found}) > 1
    return CausalEdge(
        id=edge_id(stated["from"], stated["to"]),
        from_var=stated["from"],
        to_var=stated["to"],
        mechanism=stated["stated"][0]["sentence"],
        edge_status="grounded",
        belief=BELIEF_OF_SEVERAL if several else BELIEF_OF_ONE,
        evidence_strength="strong" if several else "moderate",
        evidence=tuple(found),
        reason="supported",
        message="A sentence of a report says so.",
    )


if __name__ == "__main__":
    read = json.loads((FOLDER / "truth.json").read_text("utf-8"))
    save_graph(graph_of(read), FOLDER / "graph.json")
