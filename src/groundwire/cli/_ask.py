import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import console, print_outcome, say, shortened
from groundwire.cli._shared import (
    NOT_DETERMINED,
    IndexOption,
    JsonFlag,
    VocabularyOption,
    chosen_id,
    open_engine,
    vocabulary_settings,
)

if TYPE_CHECKING:
    from groundwire.engine import Engine
    from groundwire.model import Answer, AnswerSource, Turn

MAX_SHOWN_QUOTE_CHARS = 200


def ask(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUESTION]",
            help="What to ask; without it, questions are read line by line, each going on from "
            "the one before.",
        ),
    ] = None,
    index_file: IndexOption = None,
    vocabulary: VocabularyOption = None,
    choose: Annotated[
        int | None, typer.Option(min=1, help="Take this one of the choices that are offered.")
    ] = None,
    backend: Annotated[
        str | None, typer.Option(help="Which judge verifies a model's draft: embedded, self, …")
    ] = None,
    quotes: Annotated[
        bool, typer.Option("--quotes", help="Quotes only, even where a language model is set.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Answer from documents and the vocabulary, with sources; or say why there is no answer."""
    overrides = {
        "evidence.index": index_file,
        **vocabulary_settings(vocabulary),
        "hallucination.backend.type": backend,
        "answer.drafting": "quotes" if quotes else None,
    }
    if not words:
        if as_json:
            from groundwire.errors import InputError

            raise InputError("--json needs a QUESTION.", hint="A session prints text.")
        with open_engine(context, overrides) as engine:
            history = _converse(engine)
        if history and not any(turn.answer.mode == "ANSWER" for turn in history):
            raise typer.Exit(NOT_DETERMINED)
        return
    with open_engine(context, overrides) as engine:
        answer = _asked(engine, " ".join(words), choose, interactive=not as_json)
    print_outcome(answer, _print, as_json=as_json)
    if answer.mode != "ANSWER":
        raise typer.Exit(NOT_DETERMINED)


def _converse(engine: "Engine") -> "list[Turn]":
    """One question a line, until the input ends."""
    from groundwire.model import Turn

    history: list[Turn] = []
    is_person = sys.stdin.isatty()
    while True:
        try:
            question = input("? " if is_person else "").strip()
        except EOFError:
            return history
        if question:
            answer = engine.ask_sync(question, history=history)
            history.append(Turn(question=question, answer=answer))
            _print(answer)
            say()


def _asked(engine: "Engine", question: str, choose: int | None, *, interactive: bool) -> "Answer":
    answer = engine.ask_sync(question)
    if not answer.suggestions or answer.mode == "ANSWER":
        return answer
    choice = chosen_id(answer.suggestions, choose, partial(_print, answer), ask=interactive)
    return answer if choice is None else engine.ask_sync(question, choice=choice)


def _print(answer: "Answer") -> None:
    from rich.text import Text

    out = console()
    if answer.answer is not None:
        out.print(Text(answer.answer))
        _print_sources(answer)
    else:
        out.print(Text(answer.message, "bold"))
        for note in answer.observations:
            out.print(Text(f"  {note}"))
        _print_choices(answer)
    if answer.transparency.show_to_user and answer.transparency.statement:
        out.print(Text(answer.transparency.statement, "yellow"))
    _print_quality(answer)


def _print_sources(answer: "Answer") -> None:
    from rich.text import Text

    out = console()
    out.print()
    for number, source in enumerate(answer.sources, start=1):
        line = f"[{number}] {_source_line(source)}"
        out.print(Text(line, "dim"), soft_wrap=True)


def _source_line(source: "AnswerSource") -> str:
    where = f"{source.doc_id}, characters {source.start} to {source.end}"
    if source.name is not None:
        where = f"{source.name}, {source.doc_id}"
    return f"{source.title} ({where})"


def _print_quality(answer: "Answer") -> None:
    from rich.text import Text

    quality = answer.retrieval_quality
    said = f"confidence {quality.confidence_score:.2f} ({quality.confidence_level})"
    if answer.reason is not None:
        said = f"{said}, reason {answer.reason}"
    console().print(Text(said, "dim"))


def _print_choices(answer: "Answer") -> None:
    from rich.text import Text

    if not answer.suggestions:
        return
    out = console()
    out.print("Did you mean" if answer.mode == "ABSTAIN" else "It may be")
    for number, choice in enumerate(answer.suggestions, start=1):
        told = shortened(choice.detail, MAX_SHOWN_QUOTE_CHARS) if choice.detail else ""
        detail = f": {told}" if told else ""
        out.print(Text(f"  {number}. {choice.label}{detail}"))
    out.print(Text("Pick one by asking again with --choose NUMBER."))
