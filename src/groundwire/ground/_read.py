"""What a text says causes what, read from its constructions. No model, no guess.

A small cross-encoder scores `A causes B` nearly as high as `B causes A` for the same sentence, and
does not see that two things only coincided. The construction tells: `caused by` points one way
and `led to` the other, `did not` denies and `may have` supposes. What has no known construction is
not read at all.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import Field

from groundwire.ground._clauses import Joined, Mood, joined_in
from groundwire.ground._lexicon import Relation
from groundwire.ground._match import roots
from groundwire.ground._phrases import clause_before, is_anaphor, is_generic, object_after
from groundwire.ground._variables import label_of, variable_names
from groundwire.model import DraftEdge, Model, Span
from groundwire.text import Block, Words, read, sentences_of_words, unmarked_words

MAX_SENTENCE_WORDS = 100
# such as "Incident on 2024-05-01 - Slow ingress"
_BESIDE = re.compile(
    r"^(?:incident|post-?mortem|outage|report|review)?\W*(?:(?:on|of|from)\s+)?"
    r"(?:\d{4}-\d\d-\d\d|\w+-\d+)?\W*",
    re.IGNORECASE,
)
# such as "12:04 the pump tripped", "Impact: no water"
_LABEL = re.compile(
    r"^(?:\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?|\[?\d\d:\d\d\]?|[A-Z][\w /-]{0,30}:)\s*[:-]?\s+(?=\S)"
)
_MARKS = "*_`"
# such as "the pump from being started"
_KEPT_FROM = re.compile(r"\s+from\s+(?:being\s+)?")
# such as "Root cause: a full disk"
_ROOT_CAUSE_LABEL = re.compile(r"^(?:(?:root|immediate|direct)\s+)?cause:\s+", re.IGNORECASE)


@dataclass(frozen=True)
class CausalReading:
    """One construction: `cause` and `effect` as worded, and the words of the text that say so.

    `span` covers the sentence, and the one before where the sentence begins with `This`.
    """

    cause: str
    effect: str
    relation: Relation
    mood: Mood
    cue: str
    span: Span
    prevented: str = ""
    """The effect, where the cause keeps it from happening; `effect` is then its denial."""

    @property
    def is_asserted_cause(self) -> bool:
        return self.mood == "asserted" and self.relation != "correlates"


@dataclass(frozen=True)
class _Before:
    """The sentence before: where it stands, and what `this` would mean after it."""

    start: int
    meaning: str


def read_causal(text: str, title: str | None = None) -> tuple[CausalReading, ...]:
    """Every causal and correlational construction of a text, in order."""
    return tuple(_Reader(text, title).run())


class _Reader:
    def __init__(self, text: str, title: str | None) -> None:
        self._text = text
        self._subject = _title_subject(title)

    def run(self) -> Iterator[CausalReading]:
        before: _Before | None = None
        for block in read(self._text).blocks:
            if block.kind in ("code", "comment", "front_matter") or block.is_header:
                before = None
                continue
            for words in self._pieces(block):
                for start, end in sentences_of_words(words, MAX_SENTENCE_WORDS):
                    found = list(self._sentence(words, start, end, before))
                    yield from found
                    before = _Before(
                        words.places[start],
                        _meaning(words.text[start:end].replace("\n", " "), found),
                    )

    def _pieces(self, block: Block) -> list[Words]:
        ranges = [block.pieces]
        if block.kind == "row":
            ranges = [((cell.start, cell.end),) for cell in block.cells]
        found = (unmarked_words(self._text, pieces) for pieces in ranges)
        return [words for words in found if words.text]

    def _sentence(
        self, words: Words, start: int, end: int, before: _Before | None
    ) -> Iterator[CausalReading]:
        sentence = words.text[start:end].replace("\n", " ")
        body = _LABEL.sub("", sentence)
        found = joined_in(body)
        if not found and _ROOT_CAUSE_LABEL.match(sentence):
            found = joined_in(f"The cause was {body}")
        own = _with_marks(self._text, words.places[start], words.places[end - 1] + 1)
        for joined in found:
            resolved = self._resolved(joined, own, before)
            if resolved is not None:
                yield resolved

    def _resolved(self, joined: Joined, own: Span, before: _Before | None) -> CausalReading | None:
        names: list[str] = []
        span = own
        for phrase in (joined.cause, joined.effect):
            if is_anaphor(phrase):
                if before is None or not before.meaning:
                    return None
                names.append(before.meaning)
                span = Span(start=before.start, end=own.end)
            elif is_generic(phrase):
                names.append(self._subject or phrase)
            else:
                names.append(phrase)
        cause, effect = names
        prevented = ""
        if joined.relation == "prevents":
            effect, prevented = _not(effect), _KEPT_FROM.sub(" ", effect)
        if not cause or not effect or cause.casefold() == effect.casefold():
            return None
        return CausalReading(
            cause, effect, joined.relation, joined.mood, joined.cue, span, prevented
        )


def _with_marks(text: str, start: int, end: int) -> Span:
    """A quote begins and ends with the marks that belong to its first and last word."""
    while start and text[start - 1] in _MARKS:
        start -= 1
    while end < len(text) and text[end] in _MARKS:
        end += 1
    return Span(start=start, end=end)


def _meaning(sentence: str, found: list[CausalReading]) -> str:
    """What `This` means after a sentence: its last effect, else its main clause."""
    if found and found[-1].relation == "causes":
        return found[-1].effect
    if sentence.rstrip().endswith((":", "?")):
        return ""
    return clause_before(object_after(_LABEL.sub("", sentence)))


def _title_subject(title: str | None) -> str | None:
    """What a report is about: `Incident on 2024-05-01 - Slow ingress` is about slow ingress."""
    if not title:
        return None
    bare = _BESIDE.sub("", title.lstrip("# "), count=1)
    causes = [joined for joined in joined_in(bare) if joined.mood == "asserted"]
    subject = causes[0].effect if causes else bare
    return subject or None


def _not(effect: str) -> str:
    kept_from = _KEPT_FROM.search(effect)
    if kept_from:
        return f"{effect[: kept_from.start()]} not {effect[kept_from.end() :]}"
    return f"no {effect}"


# such as "reduced", "blocking"
_DONE_BY_PEOPLE = re.compile(
    r"^(?:increas|rais|elevat|boost|reduc|lower|decreas|worsen|amplif|accelerat|delay|slow|degrad"
    r"|generat|produc|block|mitigat|avoid|suppress|forc|prompt|determin|activat|allow|enabl|explain)"
    r"\w*(?:ed|ing)$"
)
"""In reports these mostly say what somebody did: they are evidence, but draft nothing."""
_WEAK_CUES = ("contribut", "affect", "influenc", "allow", "enabl", "depend", "attribut")
_TOO_GENERAL = {"issue", "problem", "incident", "situation", "event", "disruption", "change"}
MAX_DRAFTS_PER_DOCUMENT = 500


class Drafted(Model):
    """What one document gave. `set_aside` counts what was denied, supposed or only correlated."""

    edges: tuple[DraftEdge, ...] = ()
    set_aside: dict[str, int] = Field(default_factory=dict)


def draft_edges(text: str, title: str | None = None) -> Drafted:
    """Each pair of variables once, in the order in which the text first joins them."""
    readings = read_causal(text, title)
    drafts: dict[tuple[frozenset[str], frozenset[str]], DraftEdge] = {}
    for reading in readings:
        is_drafted = reading.is_asserted_cause and not _DONE_BY_PEOPLE.match(reading.cue.lower())
        if is_drafted and len(drafts) < MAX_DRAFTS_PER_DOCUMENT:
            for draft in _drafts(reading):
                drafts.setdefault((roots(draft.from_var), roots(draft.to_var)), draft)
    set_aside = Counter(_set_aside(readings))
    return Drafted(edges=tuple(drafts.values()), set_aside=dict(sorted(set_aside.items())))


def _drafts(reading: CausalReading) -> Iterable[DraftEdge]:
    cue = " ".join(reading.cue.lower().split())
    verb = "prevents" if reading.relation == "prevents" else "causes"
    for cause in variable_names(reading.cause):
        for effect in variable_names(reading.effect):
            is_about = roots(cause) and roots(effect) and not {cause, effect} & _TOO_GENERAL
            if is_about and roots(cause) != roots(effect):
                yield DraftEdge(
                    from_var=cause,
                    to_var=effect,
                    mechanism=f"{label_of(reading.cause)} {verb} {label_of(reading.effect)}",
                    strength="moderate" if cue.startswith(_WEAK_CUES) else "strong",
                    chain_of_thought=f"The text joins them by {cue!r}.",
                )


def _set_aside(readings: Iterable[CausalReading]) -> Iterable[str]:
    for reading in readings:
        if reading.mood != "asserted":
            yield reading.mood
        elif reading.relation == "correlates":
            yield "correlation"
