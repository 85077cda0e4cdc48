"""The references a text makes, and which evidence they lead to.

Understood: `[1]`, `[1, 3]`, `[2-4]`, `[doc:3]`, `[^note]`, `(source: x)`, `[words](target)`, and
the definitions `[1]: target`, `[^note]: target`, `[1] target` at the end of a text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from groundwire._patterns import lazy_pattern
from groundwire.model import Citation, Source, Span
from groundwire.text import first_finite, tokens_of

_NUMBERS = r"\d{1,3}(?:\s*[-–,;]\s*\d{1,3})*"
_MARKER = lazy_pattern(
    rf"\[(?P<numbers>{_NUMBERS})\](?![(:])"
    r"|【(?P<lens>\d{1,3})[^】]{0,40}】"
    r"|\[\^(?P<note>[^\]\s]{1,60})\](?!:)"
    r"|\[(?:doc(?:ument)?|source|ref|evidence|passage|chunk|cite)"
    r"\s*[:# ]\s*(?P<tagged>[^\]]{1,120})\]"
    r"|\((?:source|sources|see|ref|reference|from|cf\.)\s*:\s*(?P<named>[^)]{1,160})\)"
    r"|(?<!!)\[(?P<words>[^\]\n]{1,300})\]\((?P<target>[^)\s]{1,500})(?:\s+\"[^\"]*\")?\)",
    re.IGNORECASE,
)
# such as "[1]: report.md", "[^note]: https://...", "[1] The storm report"
_DEFINITION = lazy_pattern(
    r"^[ \t]{0,3}(?:[-*][ \t]+)?\[\^?(?P<label>[^\]\s]{1,60})(?:\]:|(?<=\d)\])[ \t]+"
    r"(?P<target>\S[^\n]*)$",
    re.MULTILINE,
)
_URL_SCHEMES = ("http://", "https://", "file://")
_MIN_NAME_CHARS = 4
_IGNORED_TARGETS = ("#", "mailto:", "tel:")


@dataclass(frozen=True)
class Marker:
    """A citation as it stands in the text; `kept` is the part that belongs to the sentence."""

    span: Span
    targets: tuple[str, ...]
    kept: Span | None = None


def find_markers(text: str) -> list[Marker]:
    return [marker for match in _MARKER.finditer(text) if (marker := _marker(match)) is not None]


def find_definitions(text: str) -> dict[str, str]:
    """What footnotes and reference lists say a label stands for.

    `[1] words` without a colon is a definition only when it stands on a line of its own.
    """
    return {match["label"].lower(): match["target"].strip() for match in _DEFINITION.finditer(text)}


def definition_spans(text: str) -> list[Span]:
    """Of lines that only say where a source is; a note that says something is no such line."""
    return [
        Span(start=match.start(), end=match.end())
        for match in _DEFINITION.finditer(text)
        if match["label"].lower() != "x" and first_finite(tokens_of(match["target"])) is None
    ]


def _marker(match: re.Match[str]) -> Marker | None:
    span = Span(start=match.start(), end=match.end())
    if match["numbers"] or match["lens"]:
        return Marker(span, tuple(_numbers(match["numbers"] or match["lens"])))
    if match["target"]:
        if match["target"].startswith(_IGNORED_TARGETS):
            return None
        kept = Span(start=match.start("words"), end=match.end("words"))
        return Marker(span, (match["target"],), kept)
    listed = match["note"] or match["tagged"] or match["named"]
    return Marker(span, tuple(part.strip() for part in re.split(r"[;,]", listed) if part.strip()))


def _numbers(text: str) -> list[str]:
    found: list[str] = []
    for part in re.split(r"[,;]", text):
        first, _, last = part.replace("–", "-").partition("-")
        if last and int(first) <= int(last):
            found += [str(number) for number in range(int(first), int(last) + 1)]
        else:
            found.append(first.strip())
    return found


class Resolver:
    """Leads targets to evidence: by the text's own definitions, by name, then by position."""

    def __init__(self, sources: Sequence[Source], definitions: dict[str, str]) -> None:
        self._sources = list(sources)
        self._definitions = definitions
        self._by_name: dict[str, str] = {}
        for source in self._sources:
            for name in _names(source.doc_id) | (_names(source.title) if source.title else set()):
                self._by_name.setdefault(name, source.doc_id)

    def citations(self, marker: Marker, text: str) -> list[Citation]:
        return [
            Citation(
                marker=marker.span.of(text),
                span=marker.span,
                target=target,
                doc_id=self._doc_id(target),
            )
            for target in marker.targets
        ]

    def _doc_id(self, target: str) -> str | None:
        defined = self._definitions.get(target.lower())
        if defined is not None:
            return self._named(defined)
        return self._named(target) or self._positioned(target)

    def _named(self, target: str) -> str | None:
        for name in _names(target):
            if name in self._by_name:
                return self._by_name[name]
        if target.startswith(_URL_SCHEMES):
            return None
        words = target.casefold()
        mentioned = (
            doc_id
            for name, doc_id in self._by_name.items()
            if len(name) >= _MIN_NAME_CHARS and name in words
        )
        return next(mentioned, None)

    def _positioned(self, target: str) -> str | None:
        if not target.isdecimal() or not 1 <= int(target) <= len(self._sources):
            return None
        return self._sources[int(target) - 1].doc_id


def _names(text: str) -> set[str]:
    """The forms under which a document may be cited: whole, file name, file name's stem."""
    whole = text.strip().strip("<>\"'`").casefold().rstrip("/.")
    path = PurePosixPath(whole.split("#")[0].split("?")[0])
    return {name for name in (whole, path.name, path.stem) if name}
