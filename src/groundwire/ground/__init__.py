"""Causal edges: drafted, tested against evidence in a loop, grounded or rejected with reasons."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.ground._agent import VerificationAgent
    from groundwire.ground._ask import BundleSearch, EdgeVerifier, edge_search
    from groundwire.ground._belief import belief_of, strength_of
    from groundwire.ground._build import EdgeParts, build_parts
    from groundwire.ground._evidence import EdgeReader
    from groundwire.ground._extract import Drafted, Extractor, LLMExtractor, WordingExtractor
    from groundwire.ground._graph import contest_cycles
    from groundwire.ground._judge import EmbeddedEdgeJudge, FallingBackJudge, LLMEdgeJudge
    from groundwire.ground._match import VariableNames, roots, spelled_apart
    from groundwire.ground._read import CausalDrafts, CausalReading, draft_edges, read_causal
    from groundwire.ground._retriever import (
        EvidenceSearch,
        GroundingRetriever,
        Retriever,
        normal_form,
    )
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
    "EdgeJudge",
    "EdgeOutcome",
    "EdgeParts",
    "EdgeReader",
    "EdgeVerifier",
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
    "edge_search",
    "label_of",
    "normal_form",
    "read_causal",
    "roots",
    "spelled_apart",
    "strength_of",
    "variable_type",
]

__getattr__ = door(
    __name__,
    {
        "_agent": "VerificationAgent",
        "_ask": "BundleSearch EdgeVerifier edge_search",
        "_belief": "belief_of strength_of",
        "_build": "EdgeParts build_parts",
        "_evidence": "EdgeReader",
        "_extract": "Drafted Extractor LLMExtractor WordingExtractor",
        "_graph": "contest_cycles",
        "_judge": "EmbeddedEdgeJudge FallingBackJudge LLMEdgeJudge",
        "_match": "VariableNames roots spelled_apart",
        "_read": "CausalDrafts CausalReading draft_edges read_causal",
        "_retriever": "EvidenceSearch GroundingRetriever Retriever normal_form",
        "_run": "GroundingReport GroundingRun Ledger Progress",
        "_session": "GroundingSession",
        "_types": """
            AdversarialVerdict EdgeJudge EdgeOutcome Hypothesis LoopState Passage
            VerificationVerdict
        """,
        "_variables": "Vocabulary acronyms_in label_of variable_type",
    },
)
