"""Sentences that may answer a question, with exact places in their documents. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from groundwire.model import EvidenceBundle
from groundwire.text import sentence_ranges

LEAST_WORDS = 3
_LEADING = re.compile(r"(?:[-*+•>]|\d{1,3}[.)]|\|)[ \t]+")
_TRAILING = re.compile(r"[ \t]*\|?[ \t]*$")
_RULE = re.compile(r"[|\s:=_*-]*")
_FIELD = re.compile(
    r"(?:\*\*)?(?:number|status|date|owner|review|driver|approvers|title|parent|nav_order|deciders)"
    r"(?:\*\*)?[ \t]*[:|]|superseded by\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[[^\[\]]{0,500}\]\([^()\s]{0,1000}\)")
LONGEST_PARAGRAPH_WORDS = 70
"""A paragraph up to this size is quoted whole: the answer often stands beside the best match."""


@dataclass(frozen=True)
class Sentence:
    """`passage` is the one it stands in; `rank` that passage's place among the hits.

    A row of a table has the table's first row as its `header`.
    """

    text: str
    start: int
    passage: EvidenceBundle
    rank: int
    header: str = ""

    @property
    def doc_id(self) -> str:
        return self.passage.source.doc_id

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def context(self) -> str:
        """The title and the headings above it."""
        return f"{self.passage.source.title or ''}\n{self.passage.section or ''}\n{self.header}"

    @property
    def shown(self) -> str:
        """As a reader can understand it: the cells of a row under their names."""
        return f"{self.header}: {self.text}" if self.header else self.text


def sentences(hits: Sequence[EvidenceBundle]) -> list[Sentence]:
    """Every sentence, list item and table row of the passages, each once, best passage first."""
    found: dict[tuple[str, int], Sentence] = {}
    for rank, passage in enumerate(hits):
        for text, start in quotable(passage.content):
            at = passage.location.start + start
            header = table_header(passage.content, start)
            if header == text:
                continue
            sentence = Sentence(text, at, passage, rank, header)
            found.setdefault((sentence.doc_id, at), sentence)
    return list(found.values())


def quotable(text: str) -> Iterator[tuple[str, int]]:
    """Slices of the text that read by themselves: no headings, fields, questions, list marks."""
    for start, end in sentence_ranges(text):
        whole = text[start:end]
        line = text[text.rfind("\n", 0, start) + 1 : start] + whole
        if line.lstrip().startswith(("#", "<!--", "```")) or _RULE.fullmatch(whole):
            continue
        lead = _LEADING.match(whole)
        skipped = lead.end() if lead else 0
        bare = _TRAILING.sub("", whole[skipped:])
        asks = bare.endswith("?")
        if len(_LINK.sub("", bare).split()) >= LEAST_WORDS and not asks and not _FIELD.match(bare):
            yield bare, start + skipped


def table_header(text: str, start: int) -> str:
    """The first row of the table in which a place stands, without its outer bars."""
    first = text.rfind("\n", 0, start) + 1
    if not text.startswith("|", first):
        return ""
    while first > 0:
        before = text.rfind("\n", 0, first - 1) + 1
        if not text.startswith("|", before):
            break
        first = before
    return text[first : text.find("\n", first) % (len(text) + 1)].strip().strip("|").strip()


def with_paragraph(sentence: Sentence) -> Sentence:
    """The paragraph around a sentence, where it is short; list items and rows stay alone."""
    content, offset = sentence.passage.content, sentence.passage.location.start
    start, end = sentence.start - offset, sentence.end - offset
    first = max(content.rfind("\n\n", 0, start) + 2, 0) if "\n\n" in content[:start] else 0
    last = _block_end(content, end)
    paragraph = content[first:last]
    if paragraph.rstrip().endswith(":"):  # what it announces belongs to it
        return _announcing(sentence, content[start : _block_end(content, last + 2)])
    lead = len(paragraph) - len(paragraph.lstrip())
    bare = paragraph.strip()
    if _LEADING.match(bare) or bare.startswith("#") or ("\n" in bare and _has_items(bare)):
        return sentence
    if len(bare.split()) > LONGEST_PARAGRAPH_WORDS:
        return sentence
    return Sentence(bare, offset + first + lead, sentence.passage, sentence.rank)


def _announcing(sentence: Sentence, whole: str) -> Sentence:
    bare = whole.rstrip()
    if not sentence.text.endswith(":") or len(bare.split()) > 2 * LONGEST_PARAGRAPH_WORDS:
        return sentence
    return replace(sentence, text=bare)


def _block_end(content: str, start: int) -> int:
    end = content.find("\n\n", start)
    return len(content) if end < 0 else end


def _has_items(paragraph: str) -> bool:
    return any(_LEADING.match(line.lstrip()) for line in paragraph.split("\n"))


def joined(chosen: Iterable[Sentence]) -> list[Sentence]:
    """Sentences of one passage that follow each other are one quote."""
    merged: list[Sentence] = []
    for one in sorted(chosen, key=lambda sentence: (sentence.doc_id, sentence.start)):
        before = merged[-1] if merged else None
        if before is not None and _adjoin(before, one):
            text = _between(before.passage, before.start, one.end)
            merged[-1] = Sentence(text, before.start, before.passage, min(before.rank, one.rank))
        elif before is None or before.doc_id != one.doc_id or one.start >= before.end:
            merged.append(one)
    return merged


def _adjoin(before: Sentence, after: Sentence) -> bool:
    passage = before.passage
    if before.doc_id != after.doc_id or after.end > passage.location.end:
        return False
    gap = _between(passage, before.end, after.start) if after.start >= before.end else "?"
    return not gap.strip() and "\n" not in gap


def _between(passage: EvidenceBundle, start: int, end: int) -> str:
    offset = passage.location.start
    return passage.content[start - offset : end - offset]
