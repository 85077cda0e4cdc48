"""LlamaIndex: tools, and an evaluator of responses against their contexts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.tools import FunctionTool

from groundwire.agents.adapters._shared import told_tools
from groundwire.engine import Engine
from groundwire.errors import InputError


def llama_index_tools(
    engine: Engine, only: Sequence[str] | None = None, *, files: Path | None = None
) -> list[FunctionTool]:
    """For agents and workflows; they are asynchronous."""
    return [
        FunctionTool.from_defaults(async_fn=function)
        for function in told_tools(engine, only, files)
    ]


class LlamaIndexEvaluator(BaseEvaluator):  # type: ignore[misc]
    """`score` is the share of verified claims that the contexts bear out; `passing`: all are."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts: Any) -> None:
        """There are none: nothing is asked of a language model."""

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **_: Any,
    ) -> EvaluationResult:
        if not response or not contexts:
            raise InputError("An evaluation needs a response and its contexts.")
        numbered = {str(number): text for number, text in enumerate(contexts, start=1)}
        report = await self._engine.verify_claims(response, numbered)
        verified = [one for one in report.claims if one.status != "unverifiable"]
        stands = sum(one.status == "grounded" for one in verified)
        wrong = [f"{one.claim}: {one.message}" for one in verified if one.status != "grounded"]
        return EvaluationResult(
            query=query,
            response=response,
            contexts=list(contexts),
            passing=len(verified) == stands if verified else None,
            score=stands / len(verified) if verified else None,
            feedback="\n".join(wrong) or report.message,
            invalid_result=not verified,
            invalid_reason=None if verified else report.message,
        )
