"""Causal edges: drafted, tested against evidence in a loop, grounded or rejected with reasons."""

from groundwire.verify.edges._agent import VerificationAgent
from groundwire.verify.edges._ask import BundleSearch, EdgeDesk, edge_search
from groundwire.verify.edges._belief import belief_of, strength_of
from groundwire.verify.edges._build import EdgeParts, build_parts, edge_backend, edge_client
from groundwire.verify.edges._cycles import contest_cycles
from groundwire.verify.edges._extract import Drafted, Extractor, LLMExtractor, WordingExtractor
from groundwire.verify.edges._findings import EdgeReader
from groundwire.verify.edges._judge_embedded import EmbeddedEdgeJudge
from groundwire.verify.edges._judge_llm import FallingBackJudge, LLMEdgeJudge
from groundwire.verify.edges._ledger import Ledger
from groundwire.verify.edges._queries import normal_form
from groundwire.verify.edges._retriever import EvidenceSearch, GroundingRetriever, Retriever
from groundwire.verify.edges._run import GroundingReport, GroundingRun, Progress
from groundwire.verify.edges._session import GroundingSession
from groundwire.verify.edges._types import (
    AdversarialVerdict,
    EdgeJudge,
    EdgeOutcome,
    Hypothesis,
    LoopState,
    Passage,
    VerificationVerdict,
)

__all__ = [
    "AdversarialVerdict",
    "BundleSearch",
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
    "VerificationAgent",
    "VerificationVerdict",
    "WordingExtractor",
    "belief_of",
    "build_parts",
    "contest_cycles",
    "edge_backend",
    "edge_client",
    "edge_search",
    "normal_form",
    "strength_of",
]
