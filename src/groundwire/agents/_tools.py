"""Tools a conversation may call: named, described, their arguments typed."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from groundwire.errors import GroundwireError
from groundwire.ground import EdgeVerifier
from groundwire.model import CausalGraphFile, Model, Quote


class ToolResult(Model):
    """What a tool found: `facts` for people, `quotes` verbatim from sources."""

    tool: str
    arguments: dict[str, str]
    is_error: bool = False
    facts: str
    quotes: tuple[Quote, ...] = ()


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    arguments: type[Model]
    run: Callable[[Any], Awaitable[ToolResult]]

    async def call(self, given: Mapping[str, str]) -> ToolResult:
        """A call with wrong arguments or one that fails is an answer too, not an exception."""
        try:
            return await self.run(self.arguments.model_validate(dict(given)))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            facts = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        except GroundwireError as error:
            facts = str(error)
        return ToolResult(tool=self.name, arguments=dict(given), is_error=True, facts=facts)


class VerifyEdge(Model):
    cause: str
    effect: str


class CausesOf(Model):
    effect: str


def verify_edge_tool(verifier: EdgeVerifier) -> Tool:
    """`verify_edge`: test again, now, whether one thing causes another [S1 step 6]."""

    async def run(asked: VerifyEdge) -> ToolResult:
        edge = (await verifier.verify(asked.cause, asked.effect)).edge
        belief = "" if edge.belief is None else f", belief {edge.belief:.2f}"
        return ToolResult(
            tool="verify_edge",
            arguments=asked.model_dump(),
            facts=f"{edge.from_var} -> {edge.to_var} is {edge.edge_status} "
            f"({edge.reason}{belief}). {edge.message or ''}".strip(),
            quotes=tuple(one.quote for one in (*edge.evidence, *edge.refutations)),
        )

    return Tool(
        "verify_edge",
        "Test against the evidence whether a cause brings about an effect.",
        VerifyEdge,
        run,
    )


class EffectsOf(Model):
    cause: str


def effects_of_tool(graph: CausalGraphFile, find: Callable[[str], str | None]) -> Tool:
    """`effects_of`: what the graph holds as effects of something, with what each edge does."""

    async def run(asked: EffectsOf) -> ToolResult:
        wanted = find(asked.cause)
        edges = [
            edge
            for edge in graph.edges
            if edge.from_var == wanted and edge.edge_status == "grounded"
        ]
        effects = ", ".join(
            edge.to_var if edge.sign == "raises" else f"{edge.sign} {edge.to_var}" for edge in edges
        )
        return ToolResult(
            tool="effects_of",
            arguments=asked.model_dump(),
            facts=f"{wanted or asked.cause} leads to: {effects or 'nothing that is grounded'}.",
            quotes=tuple(edge.evidence[0].quote for edge in edges if edge.evidence),
        )

    return Tool("effects_of", "List the grounded effects of a cause.", EffectsOf, run)


def causes_of_tool(graph: CausalGraphFile, find: Callable[[str], str | None]) -> Tool:
    """`causes_of`: what the graph holds as causes of something."""

    async def run(asked: CausesOf) -> ToolResult:
        wanted = find(asked.effect)
        edges = [
            edge for edge in graph.edges if edge.to_var == wanted and edge.edge_status == "grounded"
        ]
        causes = ", ".join(edge.from_var for edge in edges) or "none that is grounded"
        return ToolResult(
            tool="causes_of",
            arguments=asked.model_dump(),
            facts=f"Causes of {wanted or asked.effect}: {causes}.",
            quotes=tuple(edge.evidence[0].quote for edge in edges if edge.evidence),
        )

    return Tool("causes_of", "List the grounded causes of an effect.", CausesOf, run)
