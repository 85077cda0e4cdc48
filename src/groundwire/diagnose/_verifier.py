"""The second look at a draft, taken only when the graph knows little [S0 3]."""

from typing import Protocol

from groundwire.diagnose._drafting import ask, summary
from groundwire.diagnose._enforce import enforce
from groundwire.llm import LLMClient
from groundwire.model import (
    UNKNOWN_CAUSE,
    CoverageReport,
    Diagnosis,
    DiagnosisContext,
    VerifierVerdict,
)


class DraftVerifier(Protocol):
    """Answers OK, NEEDS_REWRITE with a new draft, or ABSTAIN. Raises when it cannot tell."""

    name: str

    async def verify(
        self, draft: Diagnosis, context: DiagnosisContext, coverage: CoverageReport
    ) -> VerifierVerdict: ...


class RuleVerifier:
    """The verifier's rules without a model: what enforcement would take out is the verdict."""

    name = "rules"

    async def verify(
        self, draft: Diagnosis, context: DiagnosisContext, coverage: CoverageReport
    ) -> VerifierVerdict:
        if draft.conclusion.root_cause != UNKNOWN_CAUSE and not coverage.root_causes_count:
            _, problems = enforce(draft, context, coverage)
            return VerifierVerdict(status="ABSTAIN", problems=problems)
        held, problems = enforce(draft, context, coverage)
        if not problems:
            return VerifierVerdict(status="OK")
        return VerifierVerdict(status="NEEDS_REWRITE", problems=problems, rewritten_report=held)


class LLMVerifier:
    def __init__(self, client: LLMClient) -> None:
        self._client = client
        self.name = f"llm:{client.model}"

    async def verify(
        self, draft: Diagnosis, context: DiagnosisContext, coverage: CoverageReport
    ) -> VerifierVerdict:
        material = summary(context) | {
            "coverage": coverage.figures(),
            "draft": draft.model_dump(mode="json"),
        }
        return await ask(self._client, "verify", material, VerifierVerdict)
