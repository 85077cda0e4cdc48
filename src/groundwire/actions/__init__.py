"""What an agent says it did, checked: structure, tool outputs, claims [S2]."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.actions._attest import (
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
    from groundwire.actions._claims import (
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
    from groundwire.actions._content import Content
    from groundwire.actions._derive import claims_for_change, claims_from_trace, compress
    from groundwire.actions._directory import Directory, FileTree, Look
    from groundwire.actions._history import History, history_of
    from groundwire.actions._output import SpecialistOutput, parse_output
    from groundwire.actions._resolve_paths import claims_from_text
    from groundwire.actions._result import (
        CATEGORIES,
        Category,
        ClaimCounts,
        ClaimStatus,
        ClaimVerdict,
        LevelMetrics,
        SpecialistMetrics,
        VerificationError,
        VerificationMetrics,
        VerificationResult,
        VerificationWarning,
    )
    from groundwire.actions._schemas import SchemaRegistry
    from groundwire.actions._snapshot import (
        FileChange,
        Snapshot,
        compare,
        read_snapshot,
        snapshot_path,
        take_snapshot,
        write_snapshot,
    )
    from groundwire.actions._strategies import (
        Case,
        Comparison,
        Strategy,
        StrategyFigures,
        compare_strategies,
    )
    from groundwire.actions._verifier import TaskVerifier
    from groundwire.actions._work import (
        GivenSnapshot,
        audit_entries,
        changes_since,
        check_signed,
        derive_claims,
        find_claims,
        read_schemas,
        record_folder,
        sign_verdict,
        snapshot_of,
    )

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
    "GivenSnapshot",
    "History",
    "LevelMetrics",
    "Look",
    "NonceLog",
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
    "Unbound",
    "VerificationError",
    "VerificationMetrics",
    "VerificationResult",
    "VerificationWarning",
    "attest",
    "audit_entries",
    "canonical",
    "changes_since",
    "check_attestation",
    "check_signed",
    "claims_for_change",
    "claims_from_text",
    "claims_from_trace",
    "compare",
    "compare_strategies",
    "compress",
    "derive_claims",
    "find_claims",
    "hash_of_files",
    "history_of",
    "is_readable_by_others",
    "parse_attestation",
    "parse_output",
    "read_key",
    "read_schemas",
    "read_snapshot",
    "record_folder",
    "sign_verdict",
    "snapshot_of",
    "snapshot_path",
    "take_snapshot",
    "write_snapshot",
]

__getattr__ = door(
    __name__,
    {
        "_attest": """
            Attestation NonceLog SigningKey attest canonical check_attestation hash_of_files
            is_readable_by_others parse_attestation read_key
        """,
        "_claims": """
            CLAIM_TYPES Anchor AnyClaim CodeInserted CommandExecuted FileAbsent FileChanged
            FileCreated FileDelete FileEdit FileExists FilesUnchanged FileWrite Said
            TestsPass TestsRun TextAbsent TextPresent Unbound
        """,
        "_content": "Content",
        "_derive": "claims_for_change claims_from_trace compress",
        "_directory": "Directory FileTree Look",
        "_history": "History history_of",
        "_output": "SpecialistOutput parse_output",
        "_resolve_paths": "claims_from_text",
        "_result": """
            CATEGORIES Category ClaimCounts ClaimStatus ClaimVerdict LevelMetrics
            SpecialistMetrics VerificationError VerificationMetrics VerificationResult
            VerificationWarning
        """,
        "_schemas": "SchemaRegistry",
        "_snapshot": """
            FileChange Snapshot compare read_snapshot snapshot_path take_snapshot
            write_snapshot
        """,
        "_strategies": "Case Comparison Strategy StrategyFigures compare_strategies",
        "_verifier": "TaskVerifier",
        "_work": """
            GivenSnapshot audit_entries changes_since check_signed derive_claims find_claims
            read_schemas record_folder sign_verdict snapshot_of
        """,
    },
)
