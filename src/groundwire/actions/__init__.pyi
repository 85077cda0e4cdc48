from groundwire.actions._attest import (
    Attestation as Attestation,
    is_readable_by_others as is_readable_by_others,
)
from groundwire.actions._claims import (
    CLAIM_TYPES as CLAIM_TYPES,
    Anchor as Anchor,
    CodeInserted as CodeInserted,
    CommandExecuted as CommandExecuted,
    CommandFor as CommandFor,
    FileAbsent as FileAbsent,
    FileChanged as FileChanged,
    FileCreated as FileCreated,
    FileDelete as FileDelete,
    FileEdit as FileEdit,
    FileExists as FileExists,
    FileReverted as FileReverted,
    FilesChanged as FilesChanged,
    FilesUnchanged as FilesUnchanged,
    FileWrite as FileWrite,
    LeftOut as LeftOut,
    ReportCoverage as ReportCoverage,
    Said as Said,
    TestsFail as TestsFail,
    TestsPass as TestsPass,
    TestsRun as TestsRun,
    TextAbsent as TextAbsent,
    TextPresent as TextPresent,
    Unbound as Unbound,
)
from groundwire.actions._content import Content as Content
from groundwire.actions._derive import (
    claims_for_change as claims_for_change,
    claims_from_trace as claims_from_trace,
    compress as compress,
)
from groundwire.actions._directory import Directory as Directory, FileTree as FileTree, Look as Look
from groundwire.actions._git import git_head as git_head
from groundwire.actions._history import history_of as history_of
from groundwire.actions._observed import (
    Observed as Observed,
    ObservedCall as ObservedCall,
    ObservedWrite as ObservedWrite,
    read_observed as read_observed,
)
from groundwire.actions._output import (
    ReadReport as ReadReport,
    SpecialistOutput as SpecialistOutput,
    parse_output as parse_output,
)
from groundwire.actions._resolve_paths import claims_from_text as claims_from_text
from groundwire.actions._result import (
    CATEGORIES as CATEGORIES,
    ClaimCounts as ClaimCounts,
    ClaimVerdict as ClaimVerdict,
    VerificationError as VerificationError,
    VerificationResult as VerificationResult,
    VerificationWarning as VerificationWarning,
)
from groundwire.actions._scan import (
    UNWATCHED_FOLDERS as UNWATCHED_FOLDERS,
    state_hash as state_hash,
)
from groundwire.actions._schemas import SchemaRegistry as SchemaRegistry
from groundwire.actions._snapshot import (
    FileChange as FileChange,
    Snapshot as Snapshot,
    compare as compare,
    read_snapshot as read_snapshot,
    snapshot_path as snapshot_path,
    take_snapshot as take_snapshot,
    write_snapshot as write_snapshot,
)
from groundwire.actions._strategies import (
    Case as Case,
    Strategy as Strategy,
    compare_strategies as compare_strategies,
)
from groundwire.actions._verifier import TaskVerifier as TaskVerifier
from groundwire.actions._watch import (
    Watch as Watch,
    WatchError as WatchError,
    session_root as session_root,
)
from groundwire.actions._work import (
    GivenSnapshot as GivenSnapshot,
    audit_entries as audit_entries,
    changes_since as changes_since,
    check_signed as check_signed,
    derive_claims as derive_claims,
    find_claims as find_claims,
    read_schemas as read_schemas,
    record_folder as record_folder,
    sign_snapshot as sign_snapshot,
    sign_verdict as sign_verdict,
    snapshot_of as snapshot_of,
    verify_work as verify_work,
)
