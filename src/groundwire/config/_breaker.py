from pydantic import Field

from groundwire.config._section import Section


class BreakerSection(Section):
    failure_threshold: int = Field(
        default=5, ge=1, description="Failures in a row before the circuit opens."
    )
    success_threshold: int = Field(
        default=2, ge=1, description="Successes in a row that close a half-open circuit."
    )
    timeout_seconds: float = Field(
        default=30, gt=0, description="Time an open circuit waits before it lets one call through."
    )


class CircuitBreakerSection(Section):
    """When a failing service is left alone [S3 Gap D]."""

    embeddings: BreakerSection = BreakerSection()
