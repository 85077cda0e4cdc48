from typing import Literal

from pydantic import Field

from groundwire.config._section import Section


class AnswerSection(Section):
    """How questions over documents are answered."""

    drafting: Literal["auto", "quotes", "llm"] = Field(
        default="auto",
        description="`quotes`: verbatim passages only; `llm`: a language model's words, verified; "
        "`auto`: `llm` where `llm.model` is set.",
    )
    unsupported: Literal["cut", "mark"] = Field(
        default="cut",
        description="What becomes of a drafted sentence the evidence does not support.",
    )
    max_quotes: int = Field(default=3, ge=1, le=10, description="Quotes an answer is made of.")
    passages: int = Field(default=8, ge=1, le=50, description="Passages looked at for an answer.")
    suggestions: int = Field(
        default=3, ge=0, le=20, description="Documents offered when there is no answer."
    )
