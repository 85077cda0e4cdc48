"""Judge prompts: files with a version in their name, hashed into the record of every verdict."""

import hmac
from functools import cache
from hashlib import sha256
from importlib.resources import files
from secrets import token_bytes
from typing import Literal

Answers = Literal["yes_no", "yes_no_unsure"]
VERSION = "v1"


@cache
def prompt_text(name: str) -> str:
    file = files("groundwire.judge") / "_prompts" / f"{name}.{VERSION}.txt"
    return file.read_text(encoding="utf-8")


class Prompts:
    """The prompts for one set of allowed answers.

    Evidence and claims stand between marks that nobody can guess who wrote the evidence: a keyed
    hash of the content, under a key that never leaves the process. The same question is fenced
    the same way again, so that a provider's prompt cache still works.
    """

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.prompt_id = f"{answers}.{VERSION}"
        texts = prompt_text(answers) + prompt_text(f"{answers}_batch")
        self.prompt_hash = sha256(texts.encode()).hexdigest()
        self._key = token_bytes(32)

    def single(self, claim: str, context: str) -> str:
        return prompt_text(self.answers).format(
            fence=self._fence(claim, context), claim=claim, context=context
        )

    def batch(self, claims: dict[str, str], context: str) -> str:
        """`claims` by the id under which each is to be answered, in the order they are shown."""
        shown = "\n".join(f"{id_}: {claim}" for id_, claim in claims.items())
        return prompt_text(f"{self.answers}_batch").format(
            fence=self._fence(shown, context), claims=shown, context=context
        )

    def _fence(self, *content: str) -> str:
        digest = hmac.new(self._key, digestmod=sha256)
        for part in content:
            digest.update(sha256(part.encode("utf-8", "surrogatepass")).digest())
        return f"data-{digest.hexdigest()[:24]}"
