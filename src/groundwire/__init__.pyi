from groundwire.actions import VerificationResult as VerificationResult
from groundwire.config import Config as Config, load_config as load_config
from groundwire.engine import (
    Engine as Engine,
    audit_trace as audit_trace,
    verify_claim as verify_claim,
    verify_claims as verify_claims,
)
from groundwire.errors import (
    ConfigError as ConfigError,
    GroundwireError as GroundwireError,
    InputError as InputError,
    MissingExtra as MissingExtra,
    UnreadableSource as UnreadableSource,
)
from groundwire.evidence import IndexOutcome as IndexOutcome
from groundwire.ground import EdgeOutcome as EdgeOutcome, GroundingReport as GroundingReport
from groundwire.model import (
    Abstention as Abstention,
    Answer as Answer,
    AnswerSource as AnswerSource,
    CausalGraphFile as CausalGraphFile,
    Check as Check,
    CheckReport as CheckReport,
    CheckSummary as CheckSummary,
    Citation as Citation,
    ClaimResult as ClaimResult,
    Coverage as Coverage,
    DiagnosisReport as DiagnosisReport,
    Document as Document,
    EvidenceBundle as EvidenceBundle,
    MemoryOutcome as MemoryOutcome,
    Quote as Quote,
    Reason as Reason,
    Recollection as Recollection,
    ResponseReport as ResponseReport,
    Span as Span,
    Status as Status,
    TermReport as TermReport,
    TraceAudit as TraceAudit,
    Unread as Unread,
)
from groundwire.verify import GivenEvidence as GivenEvidence

__all__: list[str]  # noqa: PYI035 -- it is made from this file
__version__: str
