"""Causal edges: drafted, tested against evidence in a loop, grounded or rejected with reasons."""

from groundwire.ground._agent import VerificationAgent
from groundwire.ground._ask import BundleSearch, EdgeDesk, edge_search
from groundwire.ground._belief import belief_of, strength_of
from groundwire.ground._build import EdgeParts, build_parts, edge_backend, edge_client
from groundwire.ground._evidence import EdgeReader
from groundwire.ground._extract import Drafted, Extractor, LLMExtractor, WordingExtractor
from groundwire.ground._graph import contest_cycles
from groundwire.ground._judge import EmbeddedEdgeJudge, FallingBackJudge, LLMEdgeJudge
from groundwire.ground._match import VariableNames, roots, spelled_apart
from groundwire.ground._read import CausalDrafts, CausalReading, draft_edges, read_causal
from groundwire.ground._retriever import EvidenceSearch, GroundingRetriever, Retriever, normal_form
from groundwire.ground._run import GroundingReport, GroundingRun, Ledger, Progress
from groundwire.ground._session import GroundingSession
from groundwire.ground._types import (
    AdversarialVerdict,
    EdgeJudge,
    EdgeOutcome,
    Hypothesis,
    LoopState,
    Passage,
    VerificationVerdict,
)
from groundwire.ground._variables import Vocabulary, acronyms_in, label_of, variable_type

__all__ = [
    "AdversarialVerdict",
    "BundleSearch",
    "CausalDrafts",
    "CausalReading",
    "Drafted",
    "EdgeDesk",
    "EdgeJudge",
    "EdgeOutcome",
    "EdgeParts",
    "EdgeReader",
    "EmbeddedEdgeJudge",
    "EvidenceSearch",
    "Extractor",
    "FallingBackJudge",
    "GroundingReport",
    "GroundingRetriever",
    "GroundingRun",
    "GroundingSession",
    "Hypothesis",
    "LLMEdgeJudge",
    "LLMExtractor",
    "Ledger",
    "LoopState",
    "Passage",
    "Progress",
    "Retriever",
    "VariableNames",
    "VerificationAgent",
    "VerificationVerdict",
    "Vocabulary",
    "WordingExtractor",
    "acronyms_in",
    "belief_of",
    "build_parts",
    "contest_cycles",
    "draft_edges",
    "edge_backend",
    "edge_client",
    "edge_search",
    "label_of",
    "normal_form",
    "read_causal",
    "roots",
    "spelled_apart",
    "strength_of",
    "variable_type",
]
