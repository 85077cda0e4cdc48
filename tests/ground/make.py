"""Edges, passages and small corpora for the tests of the loop."""

from collections.abc import Sequence
from pathlib import Path

from groundwire.config import Config, VerificationConfig
from groundwire.ground import (
    BundleSearch,
    EdgeJudge,
    EdgeReader,
    EmbeddedEdgeJudge,
    GroundingRetriever,
    Hypothesis,
    VariableNames,
    VerificationAgent,
    Vocabulary,
)
from groundwire.judge import build_backend
from groundwire.model import CausalEdge, EvidenceBundle, edge_id

BACKEND = build_backend(Config())

REPORTS = {
    "one.md": "# Historian out of space\n\nThe stopped archive job led to a full disk. The full "
    "disk caused write errors. A slow consumer did not cause the write errors.\n\n## Fix\n\nThe "
    "archive job was started again.\n",
    "two.md": "# Gaps in the readings\n\nThe write errors were traced back to the full disk. The "
    "write errors resulted in missing readings. Peak load was correlated with the full disk.\n",
    "three.md": "# Late settlement\n\nMissing readings led to a late settlement. Rain may have "
    "caused the late settlement. The load rose at noon.\n",
}


def hypothesis(cause: str, effect: str) -> Hypothesis:
    names = Vocabulary([cause, effect])
    first, second = names.variable(cause), names.variable(effect)
    edge = CausalEdge(id=edge_id(first.id, second.id), from_var=first.id, to_var=second.id)
    return Hypothesis(edge, first, second)


def bundles(*texts: str) -> list[EvidenceBundle]:
    return [EvidenceBundle.of(text, f"doc-{number}") for number, text in enumerate(texts)]


def reader_for(*hypotheses: Hypothesis) -> EdgeReader:
    return EdgeReader(VariableNames(end for one in hypotheses for end in (one.cause, one.effect)))


def agent_for(
    *hypotheses: Hypothesis,
    texts: Sequence[str],
    judge: EdgeJudge | None = None,
    **settings: float | bool,
) -> VerificationAgent:
    """The real parts; only the passages are given, and the judge where a test brings its own."""
    reader = reader_for(*hypotheses)
    return VerificationAgent(
        GroundingRetriever(BundleSearch(bundles(*texts))),
        judge or EmbeddedEdgeJudge(BACKEND, reader),
        reader,
        VerificationConfig.model_validate(settings),
    )


def write_reports(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in REPORTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
