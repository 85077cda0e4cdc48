"""Which documents a document replaces, is replaced by and needs, by the words before each."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from groundwire._patterns import lazy_pattern
from groundwire.evidence._labels import Labels, leading_number
from groundwire.model import Document, DocumentField, DocumentKey, FieldRole
from groundwire.text import links_in, unmarked, word_set, words_of

# such as "This record supersedes ADR 3", "This ADR has been replaced by ADR.12"
_IN_PROSE = lazy_pattern(
    r"\bthis (?:adr|pep|rfc|record|decision|document|policy|proposal|standard|principle)"
    r" (?:supersedes|replaces|obsoletes|(?:is|was|has been) (?:superseded|replaced|obsoleted) by)\b"
    r"(?:[^.]|\.(?=\d)){0,80}",
    re.IGNORECASE,
)
# such as "Accepted, supersedes [3. Use X](0003-x.md)" of "Accepted, supersedes … . See ADR 7."
# or the whole of "Superseded. See ADR 4"
_SENTENCE = lazy_pattern(
    r"(?:\[[^\[\]]*\]\([^()]*\)|[^.;]|[.;](?=\S)|(?<=ed)[.;](?=\s+see\b))+", re.IGNORECASE
)
# such as "supersedes", "Superseded by", "replacing", "would supersede", "Replaced" of "(ADR 7)"
# or "ersetzt durch", "abgel\u00f6st durch"
_VERB = lazy_pattern(
    r"\b(?:(?:super[sc]ed|replac|obsolet)(?P<form>ed by|ed|es|ing|e)"
    r"|(?:ersetzt|abgel\u00f6st) (?P<german>durch))\b",
    re.IGNORECASE,
)
_ROLE_OF_FORM: dict[str, FieldRole] = {
    "ed by": "superseded_by",
    "ed": "superseded_by",
    "es": "supersedes",
    "ing": "supersedes",
}
# before the clause "not superseded" of "Accepted, not superseded", "Accepted (not superseded"
_CLAUSE = lazy_pattern(r"[,(:]")
# "not", "to be", "partly" and "which" right before a verb: it is not so, not yet, or of another
_OFF = word_set("not never longer be partly partially part which that")
# "superseded in part by ADR 14", "replaces section 3 of ADR 2"
_IN_PART = lazy_pattern(r"\W*(?:in part|partly|partially|parts?|sections?)\b", re.IGNORECASE)
_CONDITIONS = word_set("if unless once")
# a list of nothing but numbers: "649, 749"
_NUMBERS = lazy_pattern(r"[#\d][#\d,; ]*|(?:\d+ and )+\d+")
_ROLES: tuple[FieldRole, ...] = ("supersedes", "superseded_by", "requires")


def successions(
    document: Document, fields: Sequence[DocumentField], doc_type: str, labels: Labels
) -> dict[FieldRole, tuple[DocumentKey, ...]]:
    """What it replaces, what replaces it, what it needs."""
    said = [(one.role, one.value) for one in fields if one.role in _ROLES]
    sentences = [one.value for one in fields if one.role == "status"]
    sentences += [one[0] for one in _IN_PROSE.finditer(document.text, document.body_start)]
    said += [pair for one in sentences for pair in _said_in(one)]
    return {
        role: tuple(
            dict.fromkeys(
                k for r, value in said if r == role for k in _keys_in(value, doc_type, labels)
            )
        )
        for role in _ROLES
    }


def _said_in(text: str) -> Iterator[tuple[FieldRole, str]]:
    """ "Accepted, supersedes ADR 1" and "replaced by ADR 3": each verb with what it names."""
    for sentence in _SENTENCE.finditer(text):
        words = sentence[0]
        verbs = list(_VERB.finditer(_without_links(words)))
        for verb, after in zip(verbs, [*verbs[1:], None], strict=False):
            named = words[verb.end() : after.start() if after else None]
            yield from _said_by(verb, words, named)
        if not verbs:
            # the verb may be the words of the link: "[Superseded](0033-ip.md)"
            for verb in list(_VERB.finditer(words))[:1]:
                yield from _said_by(verb, words, words)


def _said_by(verb: re.Match[str], sentence: str, named: str) -> Iterator[tuple[FieldRole, str]]:
    """Nothing where it is not so: "not", "to be", "partly superseded by ADR 4", "if accepted"."""
    form = "ed by" if verb["german"] else verb["form"].lower()
    before = _CLAUSE.split(sentence[: verb.start()])[-1]
    # "it replaced ADR 3" does not say that it is replaced, as "Replaced (ADR 3)" does
    is_active = form == "ed" and before.strip(" [") and named.lstrip()[:1].isalnum()
    is_so = (
        _OFF.isdisjoint(words_of(before))
        and _CONDITIONS.isdisjoint(words_of(sentence))
        and not _IN_PART.match(named)
    )
    if form in _ROLE_OF_FORM and is_so and not is_active:
        yield _ROLE_OF_FORM[form], named.strip()


def _without_links(text: str) -> str:
    """With blanks for each link, so that every place stays."""
    for link in links_in(text):
        text = text[: link.start] + " " * (link.end - link.start) + text[link.end :]
    return text


def _keys_in(value: str, doc_type: str, labels: Labels) -> list[DocumentKey]:
    """Documents a text names: by label, by the file name of a link, or by number alone."""
    found = [label.key for label in labels.find(unmarked(value))]
    for link in links_in(value):
        number = leading_number(PurePosixPath(link.target).name)
        if number is not None:
            found.append(DocumentKey(doc_type=doc_type, number=number[0]))
    if not found and _NUMBERS.fullmatch(value.strip()):
        numbers = (word for word in words_of(value) if word.isdigit())
        found = [DocumentKey(doc_type=doc_type, number=int(number)) for number in numbers]
    return found
