from pydantic import Field

from groundwire.config._duration import Duration, parse_duration
from groundwire.config._section import Section


class ActionsSection(Section):
    """What an agent says it did: the three levels of S2."""

    assume_current: bool = Field(
        default=True,
        description="The caller verifies right after the work, so that with neither trace nor "
        "snapshot a mismatch refutes the claim.",
    )
    max_claims: int = Field(
        default=100_000, ge=1, description="Outputs with more claims are refused."
    )
    time_limit: Duration = Field(
        default=parse_duration("5m"),
        description="Claims not looked at by then end unverified.",
    )
    max_text_mb: float = Field(
        default=20, gt=0, description="Anchors are not searched in files larger than this."
    )
    max_hash_mb: float = Field(
        default=2_000, gt=0, description="Files larger than this are not hashed."
    )
    max_trace_mb: float = Field(
        default=1_000, gt=0, description="Traces larger than this are refused; they are streamed."
    )
    max_event_mb: float = Field(
        default=32, gt=0, description="One event of a trace may not be larger than this."
    )
    max_snapshot_files: int = Field(
        default=500_000, ge=1, description="Folders with more files are not recorded."
    )
    signature_max_age: Duration = Field(
        default=parse_duration("10m"), description="Signed verdicts older than this are refused."
    )
    stop_hook_max_blocks: int = Field(
        default=3, ge=0, description="How often in a row the stop hook may hold one session back."
    )
