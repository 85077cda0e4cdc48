"""A small graph and reports about it."""

from groundwire.graph import CausalKnowledgeGraph
from groundwire.model import CausalGraphFile, HistoricalFix
from tests.graph.make import graph_of, variable

FIX = HistoricalFix(
    case_id="fix_7",
    fix="The vote is released after 3 s.",
    variables=("cm_voting", "raised_vcore_ceiling"),
)
GRAPH: CausalGraphFile = graph_of(
    ("CM voting", "raised VCORE ceiling", "CM voting caused the raised VCORE ceiling."),
    (
        "raised VCORE ceiling",
        "high VCORE 725 mV usage",
        "The raised VCORE ceiling led to high VCORE 725 mV usage of 40 %.",
    ),
    (
        "high VCORE 725 mV usage",
        "high SoC power draw",
        "High VCORE 725 mV usage caused a high SoC power draw of 6.1 W.",
    ),
    (
        "PowerHal boost",
        "high SoC power draw",
        "The PowerHal boost resulted in a high SoC power draw.",
    ),
    variables=(
        variable("CM voting", "SW_REQ2", kind="component"),
        variable("high VCORE 725 mV usage", "VCORE 725mV usage", kind="metric"),
        variable("high SoC power draw", "SoC power draw", kind="metric"),
    ),
    fixes=(FIX,),
)
CKG = CausalKnowledgeGraph(GRAPH)

HOT = "VCORE 725mV usage is 29.32 %. SoC power draw is 5.7 W."
"""Explained by CM voting alone."""
DRAW_ONLY = "SoC power draw is 5.7 W."
"""Explained by both causes."""
UNSEEN = "The oven shows 230 °C. The dough is 2 °C too cold."
