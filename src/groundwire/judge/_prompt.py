"""Judge prompts: files with a version in their name, hashed into the record of every verdict."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Literal

from groundwire.judge._fence import Fence

Answers = Literal["yes_no", "yes_no_unsure"]
VERSION = "v1"


@cache
def prompt_text(name: str) -> str:
    file = files("groundwire.judge") / "_prompts" / f"{name}.{VERSION}.txt"
    return file.read_text(encoding="utf-8")


class Prompts:
    """The prompts for one set of allowed answers.

    Evidence and claims stand between marks that nobody can guess who wrote the evidence.
    """

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.prompt_id = f"{answers}.{VERSION}"
        texts = prompt_text(answers) + prompt_text(f"{answers}_batch")
        self.prompt_hash = sha256(texts.encode()).hexdigest()
        self._fence = Fence()

    def single(self, claim: str, context: str) -> str:
        return prompt_text(self.answers).format(
            fence=self._fence.around(claim, context), claim=claim, context=context
        )

    def batch(self, claims: dict[str, str], context: str) -> str:
        """`claims` by the id under which each is to be answered, in the order they are shown."""
        shown = "\n".join(f"{id_}: {claim}" for id_, claim in claims.items())
        return prompt_text(f"{self.answers}_batch").format(
            fence=self._fence.around(shown, context), claims=shown, context=context
        )
