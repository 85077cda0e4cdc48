"""What requests hold: the arguments of the commands, with an example each."""

import json
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from groundwire.evaluate import ClaimCase, GoldenQuery
from groundwire.model import Model, Status

_EXAMPLE_DOCUMENT = {"doc_id": "mast.md", "content": "The mast is 42 m high. It was built in 1974."}
_EXAMPLE_INCIDENTS = [
    {"doc_id": "incident-1.md", "content": "The pump failed because its bearing had overheated."}
]
Text = Annotated[str, Field(min_length=1, max_length=1_000_000)]
Line = Annotated[str, Field(min_length=1, max_length=4_000)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
"""As in `grid-2026`: it becomes the name of a file."""


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]}, defer_build=False)


class Body(Model):
    @model_validator(mode="before")
    @classmethod
    def _whole_characters(cls, given: Any) -> Any:
        """JSON can spell half of a character pair, which nothing further on can hold."""
        try:
            json.dumps(given, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise ValueError("it holds half a character") from error
        except (TypeError, ValueError):  # what is not JSON is refused field by field
            return given
        return given


class Evidence(Model):
    """A document: its text and the name by which it is quoted."""

    doc_id: Annotated[str, Field(min_length=1, max_length=300)]
    content: Text


EvidenceList = Annotated[list[Text | Evidence], Field(min_length=1, max_length=1_000)]


def by_name(evidence: list[str | Evidence]) -> dict[str, str]:
    """Texts by their names; those without one, and the later of two with the same, get a number."""
    named: dict[str, str] = {}
    for number, piece in enumerate(evidence, start=1):
        name = str(number) if isinstance(piece, str) else piece.doc_id
        content = piece if isinstance(piece, str) else piece.content
        named[name if name not in named else f"{name} ({number})"] = content
    return named


class CheckBody(Body):
    """`gw check TEXT --against EVIDENCE…`; `question` is what the text answers."""

    model_config = _example(text="The mast is 40 m high.", evidence=[_EXAMPLE_DOCUMENT])
    text: Text
    evidence: EvidenceList
    question: Line | None = None


class AskBody(Body):
    """`gw ask QUESTION`; `choice` is the id of a suggestion."""

    model_config = _example(question="How long are access logs kept?")
    question: Line
    choice: Line | None = None


class TermBody(Body):
    """`gw term TERM`; `choice` is the id of a suggestion."""

    model_config = _example(term="remote terminal unit")
    term: Line
    choice: Line | None = None


class GroundBody(Body):
    """`gw ground DOC…`; with a `name` the graph is kept under it."""

    model_config = _example(documents=_EXAMPLE_INCIDENTS, name="pumps")
    documents: EvidenceList
    name: Name | None = None


class DiagnoseBody(Body):
    """`gw diagnose REPORT --graph GRAPH`: the name of a graph that is kept, or a graph."""

    model_config = _example(report="The pump failed at 14:02.", graph="pumps")
    report: Text
    graph: Name | dict[str, Any]


class EdgeBody(Body):
    """Does `cause` cause `effect`, by the index or by the evidence of a graph?"""

    model_config = _example(cause="bearing overheats", effect="pump fails", graph="pumps")
    cause: Line
    effect: Line
    graph: Name | dict[str, Any] | None = None


class AuditBody(Body):
    """`gw audit TRACE`: the steps of a reasoning, what they rest on, what they lead to."""

    model_config = _example(
        context="The pump has 3 bearings, of which one failed.",
        steps=["The pump has 3 bearings.", "One failed, so two are left."],
        answer="Two bearings still work.",
    )
    steps: Annotated[list[Text], Field(min_length=1, max_length=1_000)]
    context: Text | None = None
    answer: Text | None = None


class OutputBody(Body):
    """`gw verify-output OUTPUT --trace T --base-path DIR`.

    A trace is the text of a transcript, or its JSON. `base_path` lies in the folder `serve.files`.
    """

    model_config = _example(
        output={
            "summary": "I ran the tests.",
            "trace_ref": "trace:run-1",
            "claims": [{"type": "command-executed", "command": "make test", "exit_code": 0}],
        },
        trace=[
            {
                "trace_id": "run-1",
                "invocations": [{"tool": "bash", "input": {"command": "make test"}}],
            }
        ],
    )
    output: dict[str, Any]
    trace: Annotated[
        list[Text | dict[str, Any] | list[Any]], Field(default_factory=list, max_length=20)
    ]
    trace_format: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")] = "auto"
    base_path: Annotated[str, Field(min_length=1, max_length=1_000)] | None = None


class MemoryBody(Body):
    """`gw memory add TEXT --evidence FILE…`"""

    model_config = _example(text="The mast is 42 m high.", evidence=[_EXAMPLE_DOCUMENT])
    text: Text
    evidence: EvidenceList
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None


class EvaluateBody(Body):
    """`gw eval run --data ROWS`: questions for the documents that are indexed, or labelled claims.

    All rows are of one kind. `split` leaves out those of the other one.
    """

    model_config = _example(
        rows=[
            {
                "id": "1",
                "claim": "The mast is 40 m high.",
                "evidence": "The mast is 42 m high.",
                "label": "refuted",
            }
        ]
    )
    rows: (
        Annotated[list[GoldenQuery], Field(min_length=1, max_length=20_000)]
        | Annotated[list[ClaimCase], Field(min_length=1, max_length=20_000)]
    )
    split: Literal["open", "held"] | None = None


class ReviewBody(Body):
    """A person confirms a verdict of the trail, or overturns it to another status."""

    model_config = _example(verdict_id=17, decision="overturn", status="grounded", note="page 4")
    verdict_id: Annotated[int, Field(ge=1, lt=2**63)]
    decision: Literal["confirm", "overturn"]
    status: Status | None = None
    note: Annotated[str, Field(max_length=2_000)] = ""
    reviewer: Annotated[str, Field(max_length=100)] = ""

    @model_validator(mode="after")
    def _says_what_it_is(self) -> Self:
        if (self.decision == "overturn") != (self.status is not None):
            raise ValueError("an overturned verdict needs its right status, a confirmed one none")
        return self
