"""What a question means that goes on from the one before: "and ADR 12?", "why?", "by whom?"."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.answer._facts import FACT_WORDS
from groundwire.answer._library import type_name
from groundwire.answer._parts import beyond_aspect
from groundwire.answer._titles import KIND_WORDS
from groundwire.evidence import Labels
from groundwire.model import Answer, Turn
from groundwire.text import topic_words, words_of

MOST_WORDS = 8
"""A longer question speaks for itself."""
# such as "and ADR 12", "what about ADR 12", "how about principle 3"
_AND = lazy_pattern(
    r"(?:and(?: for| in| of| what about)?|what about|how about|en)\s+", re.IGNORECASE
)
# such as "why", "why not", "when", "since when", "by whom"
_BARE = lazy_pattern(
    r"(?P<word>why|when|who|since when|by whom|waarom|wanneer)(?: not| so| exactly)?", re.IGNORECASE
)
_WHOLE = {
    "why": "What is the reason for {}",
    "waarom": "What is the reason for {}",
    "when": "What is the date of {}",
    "since when": "What is the date of {}",
    "wanneer": "What is the date of {}",
    "who": "Who is the author of {}",
    "by whom": "Who is the author of {}",
}
# such as "it", "this decision", "that one"
_PRONOUN = lazy_pattern(
    r"\b(?:it|its|(?:this|that|the same) (?:one|adr|pep|decision|record|policy|principle|document"
    r"|standard|proposal))\b",
    re.IGNORECASE,
)


class Meant(NamedTuple):
    """The whole question; `choice` is the document it is about where no label names that, and
    `named` the words for a document that were put in."""

    question: str
    choice: str | None = None
    named: str | None = None


class _Before(NamedTuple):
    """The question before as it was understood, and its answer."""

    meant: Meant
    answer: Answer


IsTitle = Callable[[str], bool]
"""Whether words are those of a document's title: "the travel policy"."""


def follow_up(
    question: str,
    history: Sequence[Turn],
    labels: Labels,
    is_title: IsTitle = lambda _: False,
) -> Meant | None:
    """None where the question stands by itself or nothing before it tells what is meant.

    What was asked before is understood first, in its turn: "who decided it?" names no document.
    """
    before: _Before | None = None
    for turn in history:
        meant = _going_on(turn.question, before, labels, is_title)
        before = _Before(meant or Meant(turn.question), turn.answer)
    return _going_on(question, before, labels, is_title)


def _going_on(
    question: str, before: _Before | None, labels: Labels, is_title: IsTitle
) -> Meant | None:
    text = " ".join(question.split()).rstrip("?!. ")
    if before is None or len(text.split()) > MOST_WORDS:
        return None
    opening = _AND.match(text)
    named = list(labels.find(text))
    other = text[opening.end() :] if opening else ""
    if other and (named or is_title(other)):
        return _other_document(other, before.meant, labels)
    subject = _subject(before, labels)
    bare = _BARE.fullmatch(text)
    if subject is None or named:
        return None if named else _of_matter(other or text, before)
    if bare:
        return _about(_WHOLE[bare["word"].lower()].format("{}"), subject)
    plain = (other or text).replace("{", "").replace("}", "")
    if _PRONOUN.search(plain):
        return _about(_PRONOUN.sub("{}", plain, count=1), subject)
    return _about(f"{plain} in {{}}", subject) if _is_of_it(plain) else None


def _of_matter(text: str, before: _Before) -> Meant | None:
    """A part of whatever was asked about, where no document is known to be meant: without it any
    document would answer "what are the consequences"."""
    matter = " ".join(topic_words(before.meant.question))
    is_told = before.answer.kind not in ("list", "term")
    return Meant(f"{text} of {matter}?") if is_told and matter and _is_of_it(text) else None


def _is_of_it(text: str) -> bool:
    """Whether it asks for a part of a document and for nothing else: "what are the consequences",
    "which options were considered", "who approved"; "which ADRs are accepted" asks for others."""
    words = words_of(text)
    about = beyond_aspect([word for word in topic_words(text) if word not in FACT_WORDS])
    return len(words) > 1 and not about and KIND_WORDS.isdisjoint(words)


class _Subject(NamedTuple):
    name: str
    choice: str | None


def _about(form: str, subject: _Subject) -> Meant:
    return Meant(f"{form.format(subject.name)}?", subject.choice, subject.name)


def _other_document(other: str, before: Meant, labels: Labels) -> Meant | None:
    """The question before, asked of another document."""
    once = labels.left_out(before.question, "\0")
    once = once.replace(before.named, "\0") if before.named else once
    if "\0" not in once:
        return None
    first, _, rest = once.partition("\0")
    return Meant(first + other + rest.replace("\0", " "), named=other)


def _subject(before: _Before, labels: Labels) -> _Subject | None:
    """The one document the question before named, or the first its answer rests on."""
    if before.meant.named:
        return _Subject(before.meant.named, before.meant.choice)
    named = list(dict.fromkeys(label.key for label in labels.find(before.meant.question)))
    if len(named) == 1:
        return _Subject(f"{type_name(named[0].doc_type)} {named[0].number}", None)
    sources = list({one.doc_id: one for one in before.answer.sources}.values())
    if before.answer.mode != "ANSWER" or not sources or before.answer.kind in ("list", "term"):
        return None
    return _Subject(f"“{sources[0].title}”", sources[0].doc_id)
