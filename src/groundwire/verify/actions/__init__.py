"""What an agent says it did, checked: structure, tool outputs, claims [S2]."""

from groundwire.verify.actions._attest import (
    Attestation,
    NonceLog,
    SigningKey,
    attest,
    canonical,
    check_attestation,
    hash_of_files,
    is_readable_by_others,
    parse_attestation,
    read_key,
)
from groundwire.verify.actions._bind import claims_from_text
from groundwire.verify.actions._claims import (
    CLAIM_TYPES,
    Anchor,
    AnyClaim,
    CodeInserted,
    CommandExecuted,
    FileAbsent,
    FileChanged,
    FileCreated,
    FileDelete,
    FileEdit,
    FileExists,
    FilesUnchanged,
    FileWrite,
    Said,
    TestsPass,
    TestsRun,
    TextAbsent,
    TextPresent,
    Unbound,
)
from groundwire.verify.actions._compress import claims_for_change, compress
from groundwire.verify.actions._content import Content
from groundwire.verify.actions._derive import claims_from_trace
from groundwire.verify.actions._directory import Directory
from groundwire.verify.actions._history import History
from groundwire.verify.actions._metrics import (
    LevelMetrics,
    SpecialistMetrics,
    VerificationMetrics,
)
from groundwire.verify.actions._output import SpecialistOutput, parse_output
from groundwire.verify.actions._paths import history_of
from groundwire.verify.actions._result import (
    CATEGORIES,
    Category,
    ClaimCounts,
    ClaimStatus,
    ClaimVerdict,
    VerificationError,
    VerificationResult,
    VerificationWarning,
)
from groundwire.verify.actions._schemas import SchemaRegistry
from groundwire.verify.actions._snapshot import (
    FileChange,
    Snapshot,
    compare,
    read_snapshot,
    take_snapshot,
    write_snapshot,
)
from groundwire.verify.actions._strategies import (
    Case,
    Comparison,
    Strategy,
    StrategyFigures,
    compare_strategies,
)
from groundwire.verify.actions._stream import Record, read_records
from groundwire.verify.actions._trace import RecordedWrite, ToolTrace, TraceEvent, read_event
from groundwire.verify.actions._tree import FileTree, Look
from groundwire.verify.actions._verifier import TaskVerifier

__all__ = [
    "CATEGORIES",
    "CLAIM_TYPES",
    "Anchor",
    "AnyClaim",
    "Attestation",
    "Case",
    "Category",
    "ClaimCounts",
    "ClaimStatus",
    "ClaimVerdict",
    "CodeInserted",
    "CommandExecuted",
    "Comparison",
    "Content",
    "Directory",
    "FileAbsent",
    "FileChange",
    "FileChanged",
    "FileCreated",
    "FileDelete",
    "FileEdit",
    "FileExists",
    "FileTree",
    "FileWrite",
    "FilesUnchanged",
    "History",
    "LevelMetrics",
    "Look",
    "NonceLog",
    "Record",
    "RecordedWrite",
    "Said",
    "SchemaRegistry",
    "SigningKey",
    "Snapshot",
    "SpecialistMetrics",
    "SpecialistOutput",
    "Strategy",
    "StrategyFigures",
    "TaskVerifier",
    "TestsPass",
    "TestsRun",
    "TextAbsent",
    "TextPresent",
    "ToolTrace",
    "TraceEvent",
    "Unbound",
    "VerificationError",
    "VerificationMetrics",
    "VerificationResult",
    "VerificationWarning",
    "attest",
    "canonical",
    "check_attestation",
    "claims_for_change",
    "claims_from_text",
    "claims_from_trace",
    "compare",
    "compare_strategies",
    "compress",
    "hash_of_files",
    "history_of",
    "is_readable_by_others",
    "parse_attestation",
    "parse_output",
    "read_event",
    "read_key",
    "read_records",
    "read_snapshot",
    "take_snapshot",
    "write_snapshot",
]
