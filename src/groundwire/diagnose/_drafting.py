"""What a language model adds: a draft of the wording, and a second look where coverage is low."""

import json
from functools import cache
from importlib.resources import files
from secrets import token_hex
from typing import Any, Protocol, TypeVar

from groundwire.diagnose._enforce import enforce
from groundwire.errors import BackendUnsupported
from groundwire.gate import leading
from groundwire.llm import LLMClient
from groundwire.model import (
    UNKNOWN_CAUSE,
    CoverageReport,
    Diagnosis,
    DiagnosisContext,
    Model,
    VerifierVerdict,
)

VERSION = "v1"
MAX_STATEMENTS = 60
MAX_CHAINS = 20
MAX_TOKENS = 4_096

Output = TypeVar("Output", bound=Model)


@cache
def prompt_text(name: str) -> str:
    file = files("groundwire.diagnose") / "_prompts" / f"{name}.{VERSION}.txt"
    return file.read_text(encoding="utf-8")


class LLMDrafter:
    """Asks the configured model for a draft, with native schema where it has one."""

    def __init__(self, client: LLMClient) -> None:
        self._client = client
        self.name = f"llm:{client.model}"

    async def draft(self, context: DiagnosisContext, coverage: CoverageReport) -> Diagnosis:
        material = summary(context) | {"coverage": coverage.figures()}
        return await ask(self._client, "draft", material, Diagnosis)


async def ask(
    client: LLMClient, prompt: str, material: dict[str, Any], output: type[Output]
) -> Output:
    """A draft is no verdict: a model without a schema mode may be asked in words."""
    shown = json.dumps(material, ensure_ascii=False, indent=1)
    text = prompt_text(prompt).format(fence=f"data-{token_hex(12)}", material=shown)
    try:
        answer = await client.generate_structured_native(text, output, max_tokens=MAX_TOKENS)
    except BackendUnsupported as error:
        if error.capability != "native_schema":
            raise
        answer = await client.generate_structured(text, output, max_tokens=MAX_TOKENS)
    return answer.value


def summary(context: DiagnosisContext) -> dict[str, Any]:
    """What a model is shown of a case: bounded, and all of it quoted or named."""
    likeliest = {root.id for root in leading(context)}
    return {
        "observations": [one.statement for one in context.symptoms[:MAX_STATEMENTS]],
        "root_causes": [
            {
                "label": one.label,
                "explains": [context.label(name) for name in one.explains],
                "likeliest": one.id in likeliest,
            }
            for one in context.root_causes[:MAX_CHAINS]
        ],
        "causal_chains": [
            [context.label(node) for node in chain.nodes]
            for chain in context.causal_chains[:MAX_CHAINS]
        ],
        "nodes": [one.label for one in context.subgraph.variables],
        "quotes": [one.quote.quote for edge in context.subgraph.edges for one in edge.evidence[:1]],
        "fixes": [{"case_id": one.case_id, "fix": one.fix} for one in context.relevant_fixes],
    }


class DraftVerifier(Protocol):
    """Answers OK, NEEDS_REWRITE with a new draft, or ABSTAIN. Raises when it cannot tell."""

    async def verify(
        self, draft: Diagnosis, context: DiagnosisContext, coverage: CoverageReport
    ) -> VerifierVerdict: ...


class RuleVerifier:
    """The verifier's rules without a model: what enforcement would take out is the verdict."""

    async def verify(
        self, draft: Diagnosis, context: DiagnosisContext, coverage: CoverageReport
    ) -> VerifierVerdict:
        held, problems = enforce(draft, context, coverage)
        if draft.conclusion.root_cause != UNKNOWN_CAUSE and not coverage.root_causes_count:
            return VerifierVerdict(status="ABSTAIN", problems=problems)
        if not problems:
            return VerifierVerdict(status="OK")
        return VerifierVerdict(status="NEEDS_REWRITE", problems=problems, rewritten_report=held)


class LLMVerifier:
    def __init__(self, client: LLMClient) -> None:
        self._client = client

    async def verify(
        self, draft: Diagnosis, context: DiagnosisContext, coverage: CoverageReport
    ) -> VerifierVerdict:
        material = summary(context) | {
            "coverage": coverage.figures(),
            "draft": draft.model_dump(mode="json"),
        }
        return await ask(self._client, "verify", material, VerifierVerdict)
