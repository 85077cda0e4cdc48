"""Whose documents are asked for: a series is a folder, known by its path or by whom it names.

"Halden AWS decision records" are those in `adr-halden-aws`; "Harbour Office standards" those of a
folder in which many documents name the Harbour Office, whether or not each of them does.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from groundwire._patterns import lazy_pattern
from groundwire.encoder import reader_calibration
from groundwire.evidence import IndexedDocument, statuses_in
from groundwire.text import STOP_WORDS, stem, words_of

# such as "Harbour Office", "Halden AWS", "Ministry of Works"
_NAME = r"[A-Z][\w.&'’-]*(?: (?:of |and |for )?[A-Z][\w.&'’-]*)*"
# such as "Halden infrastructure" before "decision records"
_BEFORE = rf"(?P<name>{_NAME})(?P<more>(?: [a-z][\w-]*){{{{0,2}}}}?) (?i:{{noun}})"
# such as "of the Cloud Platform" after "ADRs" or a label
_AFTER = (
    rf"(?:(?i:{{noun}})|\d)\b.{{{{0,40}}}}?\b(?:of|from|at|in) (?:the )?(?P<name>{_NAME})(?P<more>)"
)
# such as "does the Harbour Office publish", "issued by the Harbour Office"
# such as "halden-aws" before "decisions"
_SLUG = r"\b(?P<name>[a-z]\w*(?:-\w+)+)(?P<more>) (?i:{noun})"
_DOING = rf"\b(?:does|did|do|has|have|by) (?:the )?(?P<name>{_NAME})(?P<more>)"
# such as "in the folder adr-aws", "under decisions/aws/"
_PATH = lazy_pattern(
    r"\b(?:in|under|from|of) (?:the )?(?:folder |directory )?[\"“'`]?"
    r"(?P<path>[\w.-]+(?:/[\w.-]+)*)/?[\"”'`]?(?: folder| directory)?"
)
_OPENING = STOP_WORDS | frozenset("list show give name enumerate count".split())

Naming = Callable[[str], set[str]]
"""The ids of the documents in which a name stands."""


@dataclass(frozen=True)
class Series:
    """Folders, the words of the question that name them, and how that was understood."""

    folders: frozenset[str]
    words: str
    note: str | None = None

    def left_out(self, question: str) -> str:
        """The question without the names of the series: those found, and words of its path."""
        known = set().union(*map(_pieces, self.folders))
        rest = re.sub(rf"(?<!\w){re.escape(self.words)}(?!\w)", " ", question).split()
        return " ".join(
            word for word in rest if not (word[0].isupper() and _squeezed(word) <= known)
        )

    def has(self, document: IndexedDocument) -> bool:
        return folder_of(document) in self.folders


def folder_of(document: IndexedDocument) -> str:
    return document.doc_id.rpartition("/")[0]


def series_in(
    question: str, noun: str, documents: Sequence[IndexedDocument], naming: Naming
) -> Series | None:
    """`noun` is a pattern of what the documents are called, `documents` are those asked for."""
    paths = [match for match in _PATH.finditer(question) if _may_be_folder(match)]
    forms = (form.format(noun=noun) for form in (_SLUG, _BEFORE, _AFTER, _DOING))
    names = [match for match in (re.search(form, question) for form in forms) if match]
    if not paths and not names:
        return None
    folders: dict[str, list[IndexedDocument]] = defaultdict(list)
    for one in documents:
        folders[folder_of(one)].append(one)
    for match in paths:
        named = [folder for folder in folders if f"/{folder}".endswith(f"/{match['path']}")]
        if named:
            return Series(frozenset(named), match[0])
    for match in names:
        for words in dict.fromkeys([match["name"] + match["more"], match["name"]]):
            name = _without_opening(words)
            is_noun = re.fullmatch(noun, name, re.IGNORECASE) is not None
            found = None if is_noun else _called(name, folders, naming)
            if found is not None:
                return found
    return None


def _may_be_folder(match: re.Match[str]) -> bool:
    """ "in adr-aws", "in the folder decisions"; not "in decisions"."""
    return "folder" in match[0] or "directory" in match[0] or not match["path"].isalpha()


def _without_opening(words: str) -> str:
    """ "Which Harbour Office" is "Harbour Office"."""
    kept = words.split()
    while kept and kept[0].lower() in _OPENING:
        kept.pop(0)
    return " ".join(kept)


def _called(name: str, folders: dict[str, list[IndexedDocument]], naming: Naming) -> Series | None:
    if not name or statuses_in(name):
        return None
    said = set(name.split("-")) if name.islower() else _squeezed(name)
    by_path = [folder for folder in folders if said <= _pieces(folder)]
    if by_path:
        return Series(frozenset(by_path), name)
    shares = {folder: _share(name, own, naming) for folder, own in folders.items()}
    best = max(shares.values(), default=0.0)
    owned = [folder for folder, share in shares.items() if share and share >= best / 2]
    if not owned:
        return None
    those = ", ".join(sorted(owned))
    return Series(
        frozenset(owned),
        name,
        f"Taken for those of “{name}”: the documents in {those}, many of which name it.",
    )


def _share(name: str, documents: Sequence[IndexedDocument], naming: Naming) -> float:
    """How many of a folder's documents name whoever bears this name; 0 where it may be a topic."""
    words = name.split()
    is_acronym = len(words) == 1 and sum(map(str.isupper, name)) > 1
    if len(words) == 1 and not is_acronym:
        return 0.0
    ids = {one.doc_id for one in documents}
    tuned = reader_calibration().answers
    # "HBR Cloud Platform": of a longer name its end may be what documents say
    for phrase in (words, words[len(words) // 2 :]) if len(words) > 2 else (words,):  # noqa: PLR2004
        having = naming(" ".join(phrase)) & ids
        share = len(having) / len(ids)
        said = [stem(word) for word in words_of(" ".join(phrase))]
        titled = [one for one in documents if _has_run(one.title, said)]
        is_topic = len(titled) > tuned.titled_share * len(having)
        if share >= (tuned.acronym_share if is_acronym else tuned.named_share) and not is_topic:
            return share
    return 0.0


def _has_run(text: str, stems: Sequence[str]) -> bool:
    said = " ".join(map(stem, words_of(text)))
    return f" {' '.join(stems)} " in f" {said} "


def _squeezed(name: str) -> set[str]:
    """ "Halden AWS" is {"govuk", "aws"}."""
    return {"".join(filter(str.isalnum, word)).lower() for word in name.split()}


def _pieces(folder: str) -> set[str]:
    """ "uk/adr-halden-aws" is {"adr", "govuk", "aws"}: not the folder that was indexed."""
    below = PurePosixPath(folder).parts[1:]
    return {piece for part in below for piece in re.split(r"[\W_]+", part.lower()) if piece}
