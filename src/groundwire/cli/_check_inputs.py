"""What `gw check` is given: answers from files, standard input, lines of JSON or the command line,
and the evidence they are checked against."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from groundwire.cli._output import warn
from groundwire.cli._shared import read_body

if TYPE_CHECKING:
    from groundwire.config import Config
    from groundwire.model import Document, Unread

_ADDRESSES = ("http://", "https://", "ftp://", "file://", "s3://", "gs://")
_JSON_LINES = (".jsonl", ".ndjson")


class CheckCommand(TyperCommand):
    """Takes every file that follows `--against` as evidence, up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, each_with_its_option(args, "--against"))


def each_with_its_option(arguments: Sequence[str], option: str) -> list[str]:
    """`--against a b` is `--against a --against b`; what stands elsewhere stays where it is."""
    spelled: list[str] = []
    follows = False
    for place, argument in enumerate(arguments):
        if argument == "--":
            return [*spelled, *arguments[place:]]
        if argument.startswith("-") and argument != "-":
            follows = argument == option or argument.startswith(f"{option}=")
        elif follows and arguments[place - 1] != option:
            spelled.append(option)
        spelled.append(argument)
    return spelled


@dataclass(frozen=True)
class GivenAnswer:
    """A text to check, what it is called, and the question it answers."""

    name: str
    text: str
    question: str | None = None
    front_matter: str = ""
    """What stands before the text in its file."""


def read_answers(
    named: Sequence[str], texts: Sequence[str], question: str | None, config: "Config"
) -> list[GivenAnswer]:
    """Everything that was named is read before anything is judged."""
    from groundwire.errors import InputError

    answers = [one for name in named for one in _answers_of(name, question, config)]
    answers += [
        GivenAnswer("text" if len(texts) == 1 else f"text {number}", text, question)
        for number, text in enumerate(texts, start=1)
    ]
    if not answers:
        raise InputError(
            "There is no answer to check: what follows --against is evidence.",
            hint="Name the answer first (gw check ANSWER --against FILE…), or give it by --text.",
        )
    for one in answers:
        if not one.text.strip():
            raise InputError(f"{one.name} is empty.", hint="There is nothing to check in it.")
    return answers


def _answers_of(name: str, question: str | None, config: "Config") -> Iterator[GivenAnswer]:
    from groundwire.errors import UnreadableSource

    _refuse_address(name)
    if name != "-" and " " in name and not Path(name).exists():
        raise UnreadableSource(
            f"There is no file {name!r}: an argument names a file, not a text.",
            hint='To check a text, write gw check --text "TEXT" --against FILE, or pipe it to -.',
        )
    if name != "-" and Path(name).is_dir():
        raise UnreadableSource(
            f"{name} is a folder, and an answer is a file.",
            hint="Name the files: gw check answers/*.md --against FILE…",
        )
    if name.lower().endswith(_JSON_LINES):
        yield from _lines_of(name, question, config)
    else:
        from groundwire.evidence import read_document

        document = read_document(name if name == "-" else Path(name), config.limits)
        head, body = document.text[: document.body_start], document.text[document.body_start :]
        yield GivenAnswer(name, body, question, head)


def _lines_of(name: str, question: str | None, config: "Config") -> Iterator[GivenAnswer]:
    """One answer a line: a string, or an object with `answer` or `text`, and perhaps `question`
    and `id`."""
    from groundwire.errors import UnreadableSource

    for number, line in enumerate(read_body(name, config).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UnreadableSource(f"{name}, line {number} is not JSON: {error}.") from error
        row = {"answer": row} if isinstance(row, str) else row
        text = row.get("answer", row.get("text")) if isinstance(row, dict) else None
        asked = row.get("question", question) if isinstance(row, dict) else None
        if not isinstance(text, str) or not (asked is None or isinstance(asked, str)):
            raise UnreadableSource(
                f"{name}, line {number} holds no answer.",
                hint='Write one object a line: {"id": …, "question": …, "answer": "…"}.',
            )
        yield GivenAnswer(f"{name}:{row.get('id', number)}", text, asked)


def read_sources(
    paths: Sequence[str], config: "Config", progress: Callable[[int, int], None] | None
) -> "tuple[list[Document], list[Unread]]":
    """The evidence; what of it cannot be read is told at once."""
    from groundwire.evidence import read_evidence

    for path in paths:
        _refuse_address(path)
    documents, unread = read_evidence(
        [Path(path) for path in paths], config.limits, progress=progress
    )
    for one in unread:
        warn(f"left out: {one.path}: {one.reason}")
    return documents, unread


def _refuse_address(name: str) -> None:
    from groundwire.errors import UnreadableSource

    if name.lower().startswith(_ADDRESSES):
        raise UnreadableSource(
            f"{name} is an address, and nothing is fetched: what is judged is what you have.",
            hint=f"Save it first, then name the file: curl -L -o page.html {name}",
        )
