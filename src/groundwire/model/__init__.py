"""What flows: the frozen types every other folder shares. Imports nothing of ours."""

from groundwire.model._base import Model
from groundwire.model._claim import Citation, Claim, Excluded, ExclusionReason, Extraction
from groundwire.model._document import (
    Document,
    DocumentFormat,
    DocumentIdentity,
    DocumentKey,
    RegistryEntry,
)
from groundwire.model._evidence import (
    EvidenceBundle,
    Quote,
    RetrievalTrace,
    Source,
    bytes_hash,
    content_hash,
)
from groundwire.model._outcome import Abstention, Action, Mode, Suggestion
from groundwire.model._quality import ConfidenceLevel, RetrievalQuality, TransparencyStatement
from groundwire.model._search import SearchMethod, SearchResult
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
from groundwire.model._text import Span
from groundwire.model._verdict import (
    Check,
    CheckKind,
    CheckReport,
    CheckSummary,
    ClaimResult,
    Clamp,
    Interval,
    Reason,
    Status,
    VerifierInfo,
)

__all__ = [
    "Abstention",
    "Action",
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
    "ConfidenceLevel",
    "Document",
    "DocumentFormat",
    "DocumentIdentity",
    "DocumentKey",
    "EvidenceBundle",
    "Excluded",
    "ExclusionReason",
    "Extraction",
    "Interval",
    "LabelKind",
    "Mode",
    "Model",
    "Quote",
    "Reason",
    "RegistryEntry",
    "RetrievalQuality",
    "RetrievalTrace",
    "SKOSMOSResult",
    "SearchMethod",
    "SearchResult",
    "Source",
    "Span",
    "Status",
    "Suggestion",
    "TermOutcome",
    "TermReason",
    "TermReport",
    "TermSourceCited",
    "TransparencyStatement",
    "VerifierInfo",
    "bytes_hash",
    "content_hash",
]
