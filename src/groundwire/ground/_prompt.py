"""Prompts of the grounding loop: files with a version in their name."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files

from groundwire.ground._types import Hypothesis, Passage
from groundwire.judge import Fence

VERSION = "v1"


@cache
def _text(name: str) -> str:
    file = files("groundwire.ground") / "_prompts" / f"{name}.{VERSION}.txt"
    return file.read_text(encoding="utf-8")


class EdgePrompts:
    """What comes from documents stands between marks that no document can forge."""

    def __init__(self) -> None:
        self._fence = Fence()
        texts = "".join(_text(name) for name in ("judge", "adversary", "extract"))
        self.prompt_id = f"edges.{VERSION}"
        self.prompt_hash = sha256(texts.encode()).hexdigest()

    def judge(
        self, hypothesis: Hypothesis, passages: Sequence[Passage], attempted: Sequence[str]
    ) -> str:
        shown = _shown(passages)
        return _text("judge").format(
            fence=self._fence.around(hypothesis.statement, shown),
            cause=_names(hypothesis.cause.names),
            effect=_names(hypothesis.effect.names),
            mechanism=hypothesis.edge.mechanism or "not known",
            passages=shown,
            attempted="; ".join(attempted) or "none",
        )

    def adversary(self, hypothesis: Hypothesis, passages: Sequence[Passage]) -> str:
        shown = _shown(passages)
        return _text("adversary").format(
            fence=self._fence.around(hypothesis.statement, shown),
            cause=_names(hypothesis.cause.names),
            effect=_names(hypothesis.effect.names),
            passages=shown,
        )

    def extract(self, text: str) -> str:
        return _text("extract").format(fence=self._fence.around(text), text=text)


def _names(names: Sequence[str]) -> str:
    label, *aliases = names
    return f"{label} (also: {', '.join(aliases[:5])})" if aliases else label


def _shown(passages: Sequence[Passage]) -> str:
    return "\n\n".join(
        f"[{number}] {passage.bundle.source.title or passage.bundle.source.doc_id}\n"
        f"{passage.bundle.content}"
        for number, passage in enumerate(passages, start=1)
    )
