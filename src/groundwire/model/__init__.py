"""What flows: the frozen types every other folder shares. Imports nothing of ours."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.model._answer import (
        FALLBACK_PENALTY,
        Answer,
        AnswerKind,
        AnswerReason,
        AnswerSource,
        ConfidenceLevel,
        RetrievalQuality,
        SearchMethod,
        SearchResult,
        TransparencyStatement,
        after_fallbacks,
    )
    from groundwire.model._claim import (
        Citation,
        Claim,
        Excluded,
        ExclusionReason,
        Extraction,
        Model,
        Span,
    )
    from groundwire.model._diagnosis import (
        UNKNOWN_CAUSE,
        CausalChain,
        Conclusion,
        CoverageReport,
        Diagnosis,
        DiagnosisConfidence,
        DiagnosisContext,
        DiagnosisProblem,
        DiagnosisReport,
        FixTaken,
        GroundedFact,
        Hypothesis,
        MatchedEntity,
        Metric,
        Observation,
        ProblemFix,
        ProblemType,
        RootCause,
        Subgraph,
        Symptom,
        VerifierOutcome,
        VerifierVerdict,
    )
    from groundwire.model._evidence import (
        Document,
        DocumentIdentity,
        DocumentKey,
        EvidenceBundle,
        Quote,
        RegistryEntry,
        RetrievalTrace,
        Source,
        bytes_hash,
        content_hash,
    )
    from groundwire.model._gate import Decision, GateHealth, GateName, Posture
    from groundwire.model._graph import (
        GRAPH_SCHEMA_VERSION,
        CausalEdge,
        CausalGraphFile,
        DraftEdge,
        EdgeEvidence,
        EdgeStatus,
        EvidenceSide,
        EvidenceStrength,
        GraphRun,
        GraphSource,
        HistoricalFix,
        SupportType,
        Variable,
        VariableType,
        edge_id,
        evidence_id,
    )
    from groundwire.model._outcome import Abstention, Action, Mode, Suggestion
    from groundwire.model._term import (
        Concept,
        ConceptLink,
        LabelKind,
        SKOSMOSResult,
        TermOutcome,
        TermReason,
        TermReport,
        TermSourceCited,
    )
    from groundwire.model._verdict import (
        Check,
        CheckKind,
        CheckReport,
        CheckSummary,
        ClaimResult,
        Clamp,
        Interval,
        QueueReport,
        Reason,
        Status,
        VerifierInfo,
    )

__all__ = [
    "FALLBACK_PENALTY",
    "GRAPH_SCHEMA_VERSION",
    "UNKNOWN_CAUSE",
    "Abstention",
    "Action",
    "Answer",
    "AnswerKind",
    "AnswerReason",
    "AnswerSource",
    "CausalChain",
    "CausalEdge",
    "CausalGraphFile",
    "Check",
    "CheckKind",
    "CheckReport",
    "CheckSummary",
    "Citation",
    "Claim",
    "ClaimResult",
    "Clamp",
    "Concept",
    "ConceptLink",
    "Conclusion",
    "ConfidenceLevel",
    "CoverageReport",
    "Decision",
    "Diagnosis",
    "DiagnosisConfidence",
    "DiagnosisContext",
    "DiagnosisProblem",
    "DiagnosisReport",
    "Document",
    "DocumentIdentity",
    "DocumentKey",
    "DraftEdge",
    "EdgeEvidence",
    "EdgeStatus",
    "EvidenceBundle",
    "EvidenceSide",
    "EvidenceStrength",
    "Excluded",
    "ExclusionReason",
    "Extraction",
    "FixTaken",
    "GateHealth",
    "GateName",
    "GraphRun",
    "GraphSource",
    "GroundedFact",
    "HistoricalFix",
    "Hypothesis",
    "Interval",
    "LabelKind",
    "MatchedEntity",
    "Metric",
    "Mode",
    "Model",
    "Observation",
    "Posture",
    "ProblemFix",
    "ProblemType",
    "QueueReport",
    "Quote",
    "Reason",
    "RegistryEntry",
    "RetrievalQuality",
    "RetrievalTrace",
    "RootCause",
    "SKOSMOSResult",
    "SearchMethod",
    "SearchResult",
    "Source",
    "Span",
    "Status",
    "Subgraph",
    "Suggestion",
    "SupportType",
    "Symptom",
    "TermOutcome",
    "TermReason",
    "TermReport",
    "TermSourceCited",
    "TransparencyStatement",
    "Variable",
    "VariableType",
    "VerifierInfo",
    "VerifierOutcome",
    "VerifierVerdict",
    "after_fallbacks",
    "bytes_hash",
    "content_hash",
    "edge_id",
    "evidence_id",
]

__getattr__ = door(
    __name__,
    {
        "_answer": """
            FALLBACK_PENALTY
            Answer AnswerKind AnswerReason AnswerSource ConfidenceLevel RetrievalQuality
            SearchMethod SearchResult TransparencyStatement after_fallbacks
        """,
        "_claim": "Citation Claim Excluded ExclusionReason Extraction Model Span",
        "_diagnosis": """
            UNKNOWN_CAUSE CausalChain Conclusion CoverageReport Diagnosis
            DiagnosisConfidence DiagnosisContext DiagnosisProblem DiagnosisReport FixTaken
            GroundedFact Hypothesis MatchedEntity Metric Observation ProblemFix ProblemType
            RootCause Subgraph Symptom VerifierOutcome VerifierVerdict
        """,
        "_evidence": """
            Document DocumentIdentity DocumentKey EvidenceBundle Quote
            RegistryEntry RetrievalTrace Source bytes_hash content_hash
        """,
        "_gate": "Decision GateHealth GateName Posture",
        "_graph": """
            GRAPH_SCHEMA_VERSION CausalEdge CausalGraphFile DraftEdge EdgeEvidence
            EdgeStatus EvidenceSide EvidenceStrength GraphRun GraphSource HistoricalFix
            SupportType Variable VariableType edge_id evidence_id
        """,
        "_outcome": "Abstention Action Mode Suggestion",
        "_term": """
            Concept ConceptLink LabelKind SKOSMOSResult TermOutcome TermReason TermReport
            TermSourceCited
        """,
        "_verdict": """
            Check CheckKind CheckReport CheckSummary ClaimResult Clamp Interval QueueReport
            Reason Status VerifierInfo
        """,
    },
)
