"""What another package adds to Groundwire: a judge, a document format and a trace format.

`pip install ./examples/plugin`, and `gw check --backend verbatim`, `gw index team.notes` and
`gw verify-output --trace run.acme.jsonl` use them; `gw doctor` lists them.
"""

from collections.abc import Iterator, Sequence

from groundwire.config import Config
from groundwire.errors import BackendError
from groundwire.evidence import Bounds, DocumentReader, Parsed, Unparsable
from groundwire.judge import Backend, Estimate, Question
from groundwire.llm import Clients
from groundwire.traces import Answer, Call, Part, Record, TraceReader


class VerbatimJudge(Backend):
    """Believes what stands in the evidence word for word, and nothing else."""

    name = "verbatim"
    context_words = 300
    threshold = 0.5

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return [Estimate(p=0.99 if one.claim in one.context else 0.01) for one in questions]


def build_judge(config: Config, clients: Clients) -> VerbatimJudge:
    """Judges that ask a language model take it from `clients`."""
    del config, clients
    return VerbatimJudge()


def _parse_notes(data: bytes, bounds: Bounds) -> Parsed:
    """A title after `!`, then one note a line after `*`; the text is Markdown."""
    lines = data.decode().splitlines()
    if not lines or not lines[0].startswith("!"):
        raise Unparsable("does not begin with a title", "Write it in the first line, after `!`.")
    title = lines[0].lstrip("! ")
    notes = [line.lstrip("* ") for line in lines[1:] if line.strip()]
    return Parsed("\n\n".join([f"# {title}", *notes])[: bounds.max_chars], title=title)


NOTES = DocumentReader("notes", _parse_notes)


def _parts(record: Record) -> Iterator[Part]:
    """`{"acme_step": 7, "ran": "make", "code": 0}` is a command and how it ended."""
    step = record.value
    yield Call(str(step["acme_step"]), "Bash", {"command": step["ran"]})
    yield Answer(str(step["acme_step"]), step.get("printed", ""), exit_code=step["code"])


STEPS = TraceReader(_parts, recognises=lambda record: "acme_step" in record.value)
