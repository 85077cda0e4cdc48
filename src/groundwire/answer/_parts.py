"""The parts of one document: the section that says a thing, the line that states a fact."""

from collections.abc import Iterable, Sequence
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.answer._choose import REASONING, Sentence, quotable, quote_of, sentences
from groundwire.evidence import IndexedDocument, Part, Section, reading, sections
from groundwire.model import Document, EvidenceBundle
from groundwire.text import has_phrase, stem, topic_words, word_set, words_of

Aspect = Literal["status", "date", "people", "options", "why", "consequences", "decision"]

MOST_WORDS = 90
"""Of a section this much is quoted, in whole sentences."""

_ASKS: dict[Aspect, str] = {
    "date": "when, date, wanneer, datum",
    "status": "status, still valid, in force, superseded, accepted, obsolete, current",
    "people": "who, whose, owner, driver, approver, approvers, wie, eigenaar",
    "options": "which options, what options, which alternatives, what alternatives, options were,"
    " alternatives were, options considered, alternatives considered, options are, optionen,"
    " alternativen",
    "why": "why, reason, reasons, rationale, context, background, motivation, driver, drivers,"
    " drove, waarom",
    "consequences": "consequence, consequences, implication, implications, impact, follow, follows,"
    " gevolgen",
}
_HEADINGS: dict[Aspect, str] = {
    "why": "rationale context motivation reason purpose background problem aanleiding",
    "consequences": "consequences implications gevolgen implicaties konsequenzen folgen",
    "decision": "outcome decision statement besluit stelling",
}
_FIRST_SECTIONS = 4
# such as "This PEP proposes", "This document therefore defines"
_PROPOSES = lazy_pattern(
    r"\b[Tt]his (?:[A-Z]{2,5}|proposal|document|record|decision|standard|specification)"
    r" (?:\w+ )?(?:propose|recommend|define|introduce|specifie|require|add|remove|deprecate|mandate"
    r"|suggest|replace|extend|change)s\b"
)
_OPTION = word_set(
    "option options alternative alternatives ideas idea rejected considered pros cons use using"
)
_OPTION_HEADINGS = word_set("options alternatives optionen alternativen opties alternatieven")
_AGAINST = word_set("cons disadvantages drawbacks negative against weaknesses nadelen")
_CHOOSING = word_set(
    "chosen choose choosing selected select picked pick adopted adopt used use taken preferred"
    " prefer prefers over instead rather against ruled discarded dismissed rejected decided reason"
    " reasons rationale option alternative"
)
_GIST = ("purpose summary introduction", "rules periods requirements times policy")
"""Of documents that decide nothing, such as policies: what they are for, and what they demand."""
_AROUND = word_set(
    "drivers driver makers maker process record log date options criteria needed ideas idea"
    " alternatives alternative proposals suggestions"
)
_ASPECT_WORDS = word_set(
    "status valid force superseded obsolete current when date since who whose owner driver approver"
    " approvers approved why reason reasons rationale context background motivation drivers drove"
    " consequence consequences implication implications impact follow follows decide decides"
    " decided say says said contain contains cover covers talk mean means summary summarise"
    " summarize compare compared comparison differ differs difference differences versus vs does"
    " made accepted proposed requirement requirements content state states stand option options"
    " alternative alternatives consider considered weighed listed propose proposes suggest suggests"
    " recommend recommends"
)


def aspect_of(question: str) -> Aspect:
    """What of a document a question asks about; what it decides, unless it says otherwise."""
    for aspect, phrases in _ASKS.items():
        if has_phrase(question, phrases.split(", ")):
            return aspect
    return "decision"


def beyond_aspect(topic: Sequence[str]) -> tuple[str, ...]:
    """The words of a question that are about the matter, not about the document."""
    return tuple(word for word in topic if word not in _ASPECT_WORDS)


def section_quotes(document: Document, aspect: Aspect) -> list[tuple[str, int]]:
    """The beginning of the section that bears on an aspect, with its place."""
    if aspect == "options":
        return _options(document)
    found = [_headed(document, _HEADINGS.get(aspect, ""))]
    if found == [None] and aspect == "decision":
        found = [_headed(document, names) for names in _GIST]
    if not any(found) and aspect == "decision":
        found = [_proposing(document)]
    return sorted(filter(None, found), key=lambda quote: quote[1])


def _options(document: Document) -> list[tuple[str, int]]:
    """What a record weighs: all that stands under "Considered options", or the headings there."""
    found = sections(document)
    for section in found:
        if not section.path or _OPTION_HEADINGS.isdisjoint(words_of(section.path[-1])):
            continue
        if section.parts:
            start, end = section.parts[0].start, section.parts[-1].end
            return [(_shortened(document.text[start:end]), start)]
        below = [one.heading for one in found if one.path[:-1] == section.path]
        lines = [(document.text[one.start : one.end].lstrip("# "), one.end) for one in below if one]
        return [(words, end - len(words)) for words, end in lines]
    return []


def _proposing(document: Document) -> tuple[str, int] | None:
    """Where a document without such a section says what it is for: "This proposal adds …"."""
    for section in sections(document)[:_FIRST_SECTIONS]:
        for part in section.parts:
            said = document.text[part.start : part.end]
            if part.kind == "paragraph" and (match := _PROPOSES.search(said)):
                is_short = len(said.split()) <= MOST_WORDS
                start = 0 if is_short else match.start()
                return _shortened(said[start:]), part.start + start
    return None


def fate_quote(document: Document, fates: Iterable[str]) -> tuple[str, int] | None:
    """The beginning of a section on what became of the document: of "Rejection notice" where
    "reject" is asked for; "Rejected ideas" are not the document's. That it was rejected, and no
    more, is no reason."""
    told = _headed(document, " ".join(sorted(fates)))
    if told is None:
        return None
    is_reasoned = has_phrase(told[0], REASONING) or len(list(quotable(told[0]))) > 1
    return told if is_reasoned else None


def option_quotes(document: Document, question: str) -> list[tuple[str, int]]:
    """What a record says of an option that the question names, where it weighs them: the section
    "RACI" beneath "Pros and cons of the options". Whatever else is named must be in the record."""
    asked = {stem(word) for word in words_of(question)}
    own_words = {stem(word) for word in words_of(f"{document.doc_id} {document.text}")}
    telling = {stem(word) for word in topic_words(question) if word not in _CHOOSING}
    if not telling <= own_words:
        return []
    found: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for section in sections(document):
        quote = _beginning(document.text, section)
        option = _option_of(section.path, asked)
        if option and quote:
            is_against = not _AGAINST.isdisjoint(words_of(section.path[-1]))
            quotes = found.setdefault(option, [])
            quotes.insert(0 if is_against else len(quotes), quote)
    return [quotes[0] for quotes in found.values()]


def _option_of(path: Sequence[str], asked: set[str]) -> tuple[str, ...] | None:
    """The headings down to the option that is named, beneath one on options."""
    for place in range(1, len(path)):
        named = {
            stem(word)
            for word in topic_words(path[place])
            if word not in _OPTION and not word.isdigit()
        }
        is_weighed = any(not _OPTION.isdisjoint(words_of(one)) for one in path[:place])
        if is_weighed and named and named <= asked:
            return tuple(path[: place + 1])
    return None


def _headed(document: Document, names: str) -> tuple[str, int] | None:
    found = sections(document)
    quotes = (
        _beginning(document.text, section)
        for wanted in names.split()
        for section in found
        if section.path and wanted in section.path[-1].lower() and not _is_about(section)
    )
    return next(filter(None, quotes), None)


def _is_about(section: Section) -> bool:
    """ "Decision drivers" and "Rejected ideas" say what led to a decision, not what it is."""
    return not _AROUND.isdisjoint(section.path[-1].lower().split())


def first_words(document: Document) -> tuple[str, int] | None:
    """What a document without the usual sections begins with."""
    quotes = (_beginning(document.text, section) for section in sections(document))
    return next(filter(None, quotes), None)


def stating_line(document: Document, *words: str) -> tuple[str, int] | None:
    """The first sentence or row that has all the words: `status: accepted`, `| Date | 2022 |`."""
    lowered = [word.lower() for word in words if word]
    for sentence in reading(document).sentences:
        if all(word in sentence.text.lower() for word in lowered):
            quote = quote_of(sentence)
            return quote.text, quote.start
    return None


def title_line(document: Document, title: str) -> tuple[str, int]:
    """Where the title stands in the text; the text's first line where it does not stand there."""
    start = document.text.find(title)
    if start >= 0 and title:
        return title, start
    bare = document.text.lstrip()
    return bare.split("\n", 1)[0].rstrip(), len(document.text) - len(bare)


def all_sentences(document: Document, indexed: IndexedDocument) -> list[Sentence]:
    """Every sentence of a document, each with the section it stands in."""
    return sentences([_passage(document, indexed, one) for one in sections(document) if one.parts])


def _passage(document: Document, indexed: IndexedDocument, section: Section) -> EvidenceBundle:
    start, end = section.parts[0].start, section.parts[-1].end
    return EvidenceBundle.of(
        document.text[start:end],
        indexed.doc_id,
        title=indexed.title,
        section=" > ".join(section.path) or None,
        start=start,
    )


def _beginning(text: str, section: Section) -> tuple[str, int] | None:
    """The first parts that say something, as many as fit; a list goes with what announces it."""
    start = end = -1
    for part in section.parts:
        if start >= 0 and (part.kind in ("comment", "code") or not _fits(text, start, end, part)):
            break
        if part.kind in ("comment", "code") or (start < 0 and _is_field(text, part)):
            continue
        start = part.start if start < 0 else start
        end = part.end
    quote = text[start:end] if start >= 0 else ""
    return (_shortened(quote), start) if any(map(str.isalnum, quote)) else None


def _fits(text: str, start: int, end: int, part: Part) -> bool:
    """Whether a further part still belongs to the beginning: announced by it, or short."""
    is_announced = text[start:end].endswith(":")
    return is_announced or len(text[start : part.end].split()) <= MOST_WORDS


def _is_field(text: str, part: Part) -> bool:
    """Tables and lines of facts about the document, before its text begins."""
    return part.kind == "table" or not any(quotable(text[part.start : part.end]))


def _shortened(quote: str) -> str:
    """Whole sentences, as many as fit."""
    if len(quote.split()) <= MOST_WORDS:
        return quote
    end = 0
    for text, start, _ in quotable(quote):
        if end and len(quote[: start + len(text)].split()) > MOST_WORDS:
            break
        end = start + len(text)
    return quote[:end] if end else quote[: quote.rfind(" ", 0, MOST_WORDS * 8)]
