"""Which document is this: its type, number, status and date [S3, Migration invariants].

Each is taken from the strongest place that states it: the user's settings, the front matter, the
file name, the first heading, the folder.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import PurePosixPath

from groundwire.config import EvidenceSection
from groundwire.evidence._sections import body, first_heading
from groundwire.evidence._status import (
    APPROVAL_TYPE_SUFFIX,
    Label,
    Labels,
    Statements,
    leading_number,
    normal_status,
    parse_date,
)
from groundwire.model import Document, DocumentIdentity, RegistryEntry
from groundwire.text import Block, links_in, singular, unmarked, words_of

STUB_WORDS = 40
UNNUMBERED_TYPES = ("overview", "registry", "template")
"""Types whose documents describe others and need no number."""

_TYPE_WORDS = {
    "adr": "adr adrs decision decisions madr",
    "principle": "principle principles pcp",
    "policy": "policy policies",
    "standard": "standard standards",
    "pattern": "pattern patterns",
    "vocabulary": "vocabulary vocabularies",
}
_TYPE_OF_WORD = {word: kind for kind, words in _TYPE_WORDS.items() for word in words.split()}
_TYPE_KEYS = ("doc_type", "type")
_HINT_KEYS = ("collection", "layout", "parent")
_LABEL_KEYS = ("id", "number", "nav_order", "identifier", "dct.identifier")
_REGISTRY_WORDS = ("registry", "register")
# such as "field guide"
_SLUG = re.compile(r"[a-z][a-z0-9_ -]{0,39}")


class Identifier:
    def __init__(self, settings: EvidenceSection) -> None:
        self._settings = settings
        self._labels = Labels(settings.prefixes)
        self._known = {*settings.prefixes.values(), *_TYPE_WORDS}

    def identify(
        self, document: Document, place: str, *, collection: str | None = None
    ) -> DocumentIdentity:
        """`place` is the document's path from the folder it was found in, that folder included."""
        path = PurePosixPath(place)
        metadata = document.metadata
        heading = first_heading(document.text, document.body_start) or ""
        label = self._label(metadata, path.stem, heading)
        number, is_approval = _number(metadata, path.stem, heading, label)
        chosen = collection or self._configured(place)
        doc_type = chosen or self._doc_type(metadata, path, label, document)
        if is_approval and chosen is None and doc_type not in UNNUMBERED_TYPES:
            doc_type += APPROVAL_TYPE_SUFFIX
        says = Statements(document)
        return DocumentIdentity(
            doc_type=doc_type,
            number=None if doc_type in UNNUMBERED_TYPES else number,
            status=says.status(),
            date=says.date(),
            superseded_by=says.superseded_by(doc_type, self._labels),
            is_stub=_is_stub(document),
            heading_number=self._other_number(heading, number),
        )

    def _label(self, metadata: Mapping[str, str], stem: str, heading: str) -> Label | None:
        stated = (metadata.get(key, "") for key in _LABEL_KEYS)
        places = (*stated, stem, heading)
        return next(filter(None, map(self._labels.first, places)), None)

    def _other_number(self, heading: str, number: int | None) -> int | None:
        label = self._labels.leading(heading)
        stated = (label.number, label.is_approval) if label else leading_number(heading)
        return stated[0] if stated and number is not None and stated[0] != number else None

    def _configured(self, place: str) -> str | None:
        for name, patterns in self._settings.collections.items():
            if any(_fits(place, pattern) for pattern in patterns):
                return name
        return None

    def _doc_type(
        self,
        metadata: Mapping[str, str],
        path: PurePosixPath,
        label: Label | None,
        document: Document,
    ) -> str:
        return (
            self._stated_type(metadata)
            or self._type_of_name(path.stem, document)
            or self._hinted_type(metadata)
            or (label.doc_type if label else None)
            or self._type_of_folders(path.parts[:-1])
            or "document"
        )

    def _stated_type(self, metadata: Mapping[str, str]) -> str | None:
        for key in _TYPE_KEYS:
            value = metadata.get(key, "").strip().lower()
            if _SLUG.fullmatch(value):
                return self._known_type(value) or _slug(value)
        return None

    def _hinted_type(self, metadata: Mapping[str, str]) -> str | None:
        hints = (self._known_type(metadata.get(key, "")) for key in _HINT_KEYS)
        return next(filter(None, hints), None)

    def _type_of_name(self, stem: str, document: Document) -> str | None:
        name = stem.lower()
        if "template" in name:
            return "template"
        if any(word in name for word in _REGISTRY_WORDS) and leading_number(stem) is None:
            return "registry" if any(registry_entries(document, self._settings)) else None
        return "overview" if name in {"index", "readme"} else None

    def _type_of_folders(self, folders: Sequence[str]) -> str | None:
        """The nearest folder that names a known type; else the nearest below the one given."""
        known = next(filter(None, map(self._known_type, reversed(folders))), None)
        below = [name.lower() for name in folders[1:] if _SLUG.fullmatch(name.lower())]
        return known or (_slug(singular(below[-1])) if below else None)

    def _known_type(self, words: str) -> str | None:
        for word in words_of(words.replace("_", " ")):
            if word in _TYPE_OF_WORD:
                return _TYPE_OF_WORD[word]
            if word in self._known:
                return word
        return None


def _slug(words: str) -> str:
    return "_".join(words.replace("-", " ").split())


def _fits(place: str, pattern: str) -> bool:
    """A pattern may leave out the folder that was indexed."""
    return fnmatch(place, pattern) or fnmatch(place.partition("/")[2], pattern)


def _number(
    metadata: Mapping[str, str], stem: str, heading: str, label: Label | None
) -> tuple[int | None, bool]:
    stated = label if _says_number(metadata) else None
    found = (
        (stated.number, stated.is_approval) if stated else None,
        _trailing_number(metadata.get("id", "")) or leading_number(metadata.get("number", "")),
        leading_number(stem),
        (label.number, label.is_approval) if label else None,
        leading_number(heading),
    )
    return next(filter(None, found), (None, False))


def _says_number(metadata: Mapping[str, str]) -> bool:
    return any(any(map(str.isdigit, metadata.get(key, ""))) for key in ("id", "nav_order"))


def _trailing_number(value: str) -> tuple[int, bool] | None:
    # such as "STD-00015"
    match = re.fullmatch(r"[A-Za-z]{1,20}[-._ ]?(\d{1,6})", value.strip())
    return (int(match[1]), False) if match else None


def _is_stub(document: Document) -> bool:
    """Too few words to decide or to say anything, apart from headings and fields."""
    words = 0
    for block in body(document):
        if block.kind != "heading" and not block.is_hidden:
            shown = document.text[block.start : block.end].split()
            words += sum(any(map(str.isalnum, word)) for word in shown)
            if words >= STUB_WORDS:
                return False
    return True


_ID_HEADINGS = {"id", "number", "nr", "label", "document"}


def registry_entries(document: Document, settings: EvidenceSection) -> Iterator[RegistryEntry]:
    """What a registry says of each document it lists, with the place of its row."""
    labels = Labels(settings.prefixes)
    for block in body(document):
        entry = _entry(document.text, block, labels) if not block.is_header else None
        if entry is not None:
            yield entry


def _entry(text: str, block: Block, labels: Labels) -> RegistryEntry | None:
    row = {cell.column.lower(): text[cell.start : cell.end] for cell in block.cells}
    stated = next((value for name, value in row.items() if name in _ID_HEADINGS), "")
    label = labels.first(stated)
    if label is None:
        return None
    title = row.get("title", "")
    return RegistryEntry(
        key=label.key,
        title=unmarked(title),
        status=normal_status(row.get("status", "")),
        date=parse_date(row.get("date", "")),
        target=next((link.target for link in links_in(f"{title} {stated}") if link.target), None),
        start=block.start,
        end=block.end,
    )
