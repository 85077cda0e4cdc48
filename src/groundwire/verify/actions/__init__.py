"""What an agent says it did, checked: structure, tool outputs, claims [S2]."""

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
from groundwire.verify.actions._content import Content
from groundwire.verify.actions._directory import Directory
from groundwire.verify.actions._history import History
from groundwire.verify.actions._metrics import (
    LevelMetrics,
    SpecialistMetrics,
    VerificationMetrics,
)
from groundwire.verify.actions._output import SpecialistOutput, parse_output
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
from groundwire.verify.actions._stream import Record, read_records
from groundwire.verify.actions._trace import RecordedWrite, ToolTrace, TraceEvent, read_event
from groundwire.verify.actions._tree import FileTree, Look
from groundwire.verify.actions._verifier import TaskVerifier

__all__ = [
    "CATEGORIES",
    "CLAIM_TYPES",
    "Anchor",
    "AnyClaim",
    "Category",
    "ClaimCounts",
    "ClaimStatus",
    "ClaimVerdict",
    "CodeInserted",
    "CommandExecuted",
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
    "Record",
    "RecordedWrite",
    "Said",
    "SchemaRegistry",
    "Snapshot",
    "SpecialistMetrics",
    "SpecialistOutput",
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
    "compare",
    "parse_output",
    "read_event",
    "read_records",
    "read_snapshot",
    "take_snapshot",
    "write_snapshot",
]
