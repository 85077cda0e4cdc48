"""Which document is this: its type, number, status and date [S3, Migration invariants].

Each is taken from the strongest place that states it: the user's settings, the front matter, the
file name, the first heading, the folder.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import PurePosixPath

from groundwire._patterns import lazy_pattern
from groundwire.config import EvidenceSection
from groundwire.evidence._fields import (
    fields_of,
    records_of,
    role_of,
    stated_date,
    stated_status,
)
from groundwire.evidence._labels import APPROVAL_TYPE_SUFFIX, Label, Labels, leading_number
from groundwire.evidence._registry import is_registry, registry_entries
from groundwire.evidence._sections import body, first_heading
from groundwire.evidence._states import normal_status, state_of
from groundwire.evidence._succession import successions
from groundwire.evidence._tables import IndexedDocument
from groundwire.model import Document, DocumentIdentity, DocumentKey, RegistryEntry
from groundwire.text import Block, heading_words, singular, words_of

STUB_WORDS = 40
_SENTENCE_WORDS = 3
_FILLED_SECTIONS = 2
_FIELD_CELLS = 2
# such as "To be written", "TBD."
_OPEN = lazy_pattern(r"(?:to be|to do|tbd|tbc|todo|n/a|none yet)\b", re.IGNORECASE)
UNNUMBERED_TYPES = ("overview", "registry", "template")
"""Types whose documents describe others and need no number."""

_TYPE_WORDS = {
    "adr": "adr adrs decision decisions madr entscheidung entscheidungen architekturentscheidungen",
    "principle": "principle principles pcp",
    "policy": "policy policies",
    "standard": "standard standards",
    "pattern": "pattern patterns",
    "vocabulary": "vocabulary vocabularies",
}
_TYPE_OF_WORD = {word: kind for kind, words in _TYPE_WORDS.items() for word in words.split()}
_CONTAINERS = frozenset(
    "text texts doc docs documents documentation content contents src source"
    " files pages md markdown wiki".split()
)
"""Names of folders that say nothing of what is in them."""
_TYPE_KEYS = ("doc_type", "type")
_HINT_KEYS = ("collection", "layout", "parent")
_LABEL_KEYS = ("id", "number", "nav_order", "identifier", "dct.identifier")
# letters and number a file name begins with: "pep-0387", "RFC_12"
_SERIES = lazy_pattern(r"(?P<word>[A-Za-z]{2,5})[-_. ]?(?P<number>\d{1,6})(?:[-_. ].*)?")
# such as "KEP-44: " of "KEP-44: Graceful drain"; not "KEP-44 and its neighbours"
_TITLED = lazy_pattern(
    r"(?P<word>[A-Z]{2,20})[-_. #]?(?P<number>\d{1,6})(?:\s*[:–—-]|\.?\s*$|\.\s)"
)
# such as "kep-number" of "kep-number: 44"
_NUMBER_KEY = lazy_pattern(r"(?P<word>[a-z]{2,20})[-_]number")
_RECORD_SECTIONS = ({"context", "decision"}, {"kontext", "entscheidung"}, {"context", "besluit"})
"""What the headings of a decision record begin with."""
# such as "field guide"
_SLUG = lazy_pattern(r"[a-z][a-z0-9_ -]{0,39}")


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
        own = self._own_label(metadata, heading, path) if _is_overview(path.stem) else None
        if own is not None:
            path = path.parent  # a record in a folder of its own: the folder bears its name
        label = self._label(metadata, path.stem, heading) or own
        number, is_approval = _number(metadata, path.stem, heading, label)
        chosen = collection or self._configured(place)
        entries = self._entries(document, place) if number is None else []
        if chosen is None and is_registry(document, len(entries)):
            return DocumentIdentity(doc_type="registry", fields=fields_of(document))
        is_record = number is not None and _records_decision(document)
        doc_type = chosen or self._doc_type(metadata, path, label, is_record=is_record)
        if is_approval and chosen is None and doc_type not in UNNUMBERED_TYPES:
            doc_type += APPROVAL_TYPE_SUFFIX
        fields = fields_of(document)
        status = stated_status(fields)
        wording = normal_status(status.value) if status else None
        known = Labels({**self._settings.prefixes, doc_type: doc_type})
        related = successions(document, fields, doc_type, known)
        return DocumentIdentity(
            doc_type=doc_type,
            number=None if doc_type in UNNUMBERED_TYPES else number,
            status=wording,
            state=state_of(wording),
            date=stated_date(fields),
            fields=fields,
            supersedes=related["supersedes"],
            superseded_by=related["superseded_by"],
            requires=related["requires"],
            is_stub=_is_stub(document),
            heading_number=self._other_number(heading, number),
            records=records_of(document),
        )

    def retyped(self, documents: Sequence[IndexedDocument]) -> Iterator[IndexedDocument]:
        """Numbered documents whose type only their folder's name gave, where some of them say of
        what type the folder is: "Superseded by ADR 4" beside the file with the number 4."""
        folders: dict[PurePosixPath, list[IndexedDocument]] = {}
        for one in documents:
            if one.identity.number is not None:
                folders.setdefault(PurePosixPath(one.path).parent, []).append(one)
        held: dict[DocumentKey | None, set[PurePosixPath]] = {}
        for one in documents:
            held.setdefault(one.identity.key, set()).add(PurePosixPath(one.path).parent)
        for folder, beside in folders.items():
            series = [one for one in beside if self._is_by_folder(one)]
            numbers = {one.identity.number for one in beside}
            named = {
                key.doc_type
                for one in beside
                for key in (*one.identity.supersedes, *one.identity.superseded_by)
                if key.number in numbers
                and key.number != one.identity.number
                and held.get(key, {folder}) == {folder}
            } - {one.identity.doc_type for one in series}
            if len(named) == 1:
                yield from (_of_type(one, *named) for one in series)

    def _is_by_folder(self, one: IndexedDocument) -> bool:
        """Nothing but the name of a folder, which means no type, said of what type it is."""
        identity = one.identity
        folders = [_slug(singular(name.lower())) for name in PurePosixPath(one.doc_id).parts[:-1]]
        is_stated = any(stated.name in _TYPE_KEYS for stated in identity.fields)
        is_chosen = is_stated or self._configured(one.doc_id) is not None
        is_plain = identity.doc_type == "document" or identity.doc_type in folders
        return is_plain and not is_chosen and identity.doc_type not in self._known

    def entries(self, document: Document, place: str) -> list[RegistryEntry]:
        """What a registry lists; of any other document nothing."""
        found = self._entries(document, place)
        return found if is_registry(document, len(found)) else []

    def _entries(self, document: Document, place: str) -> list[RegistryEntry]:
        folder = PurePosixPath(place).parent
        return list(
            registry_entries(
                document,
                self._labels,
                lambda target: self._type_of_folders((folder / target).parts[:-1]),
            )
        )

    def _label(self, metadata: Mapping[str, str], stem: str, heading: str) -> Label | None:
        stated = (metadata.get(key, "") for key in _LABEL_KEYS)
        places = (*stated, stem, heading)
        return next(filter(None, map(self._labels.first, places)), None)

    def _own_label(
        self, metadata: Mapping[str, str], heading: str, path: PurePosixPath
    ) -> Label | None:
        """What a file named "README" bears, and not what it tells of: `kep-number: 44` or the
        heading "KEP-44: Drain". Letters nobody set need the number twice: "ISO 27001: a guide"."""
        titled = _TITLED.match(heading)
        keys = filter(None, map(_NUMBER_KEY.fullmatch, metadata))
        named = [(key["word"], metadata[key[0]].strip()) for key in keys]
        named += [(titled["word"], titled["number"])] if titled else []
        found = [
            self._labels.first(f"{word} {number}") or Label(word.lower(), int(number), False)
            for word, number in named
            if number.isdigit()
        ]
        numbers = [one.number for one in found]
        numbers += [int(number) for number in re.findall(r"\d{1,6}", path.parent.name)]
        is_borne = (one.doc_type in self._known or numbers.count(one.number) > 1 for one in found)
        return next((one for one, borne in zip(found, is_borne, strict=True) if borne), None)

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
        *,
        is_record: bool,
    ) -> str:
        series = _SERIES.fullmatch(path.stem)
        word = series["word"].lower() if series else None
        return (
            # a header that begins "PEP: 387" says what kind of document bears the number
            (word if word in metadata else None)
            or self._stated_type(metadata)
            or _type_of_name(path.stem)
            or self._hinted_type(metadata)
            or (label.doc_type if label else None)
            or word
            or self._type_of_folders(path.parts[:-1], "adr" if is_record else None)
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

    def _type_of_folders(self, folders: Sequence[str], by_form: str | None = None) -> str | None:
        """The nearest folder that names a known type; else the nearest below the one given, or
        that one, where it names several of a kind: "rfcs" of "rfcs/text". What a document is by
        its form, it is in a folder that names nothing of the kind: "export"."""
        known = next(filter(None, map(self._known_type, reversed(folders))), None)
        named = [name.lower() for name in folders if _SLUG.fullmatch(name.lower())]
        telling = [name for name in named if name not in _CONTAINERS]
        below = [name for name in telling if name in named[1:] or singular(name) != name]
        is_kind = bool(below) and singular(below[-1]) != below[-1]
        by_name = _slug(singular(below[-1])) if below else None
        return known or (by_name if is_kind else by_form or by_name)

    def _known_type(self, words: str) -> str | None:
        for word in words_of(words.replace("_", " ")):
            if word in _TYPE_OF_WORD:
                return _TYPE_OF_WORD[word]
            if word in self._known:
                return word
        return None


def _records_decision(document: Document) -> bool:
    """Whether it has the sections of a decision record: the context, and what is decided."""
    said = {
        word
        for block in body(document)
        if block.kind == "heading"
        for word in words_of(heading_words(document.text, block))[:1]
    }
    return any(pair <= said for pair in _RECORD_SECTIONS)


def _of_type(document: IndexedDocument, doc_type: str) -> IndexedDocument:
    """With what it names by number alone, which is of its own type."""
    identity = document.identity

    def typed(keys: tuple[DocumentKey, ...]) -> tuple[DocumentKey, ...]:
        renamed = (
            DocumentKey(doc_type=doc_type, number=key.number)
            if key.doc_type == identity.doc_type
            else key
            for key in keys
        )
        return tuple(dict.fromkeys(renamed))

    changed = {
        "doc_type": doc_type,
        "supersedes": typed(identity.supersedes),
        "superseded_by": typed(identity.superseded_by),
        "requires": typed(identity.requires),
    }
    return document.model_copy(update={"identity": identity.model_copy(update=changed)})


def _type_of_name(stem: str) -> str | None:
    name = stem.lower()
    if "template" in name:
        return "template"
    return "overview" if _is_overview(stem) else None


def _is_overview(stem: str) -> bool:
    return stem.lower() in {"index", "readme"}


def _slug(words: str) -> str:
    return "_".join(words.replace("-", " ").split())


def _fits(place: str, pattern: str) -> bool:
    """A pattern may leave out the folder that was indexed."""
    return fnmatch(place, pattern) or fnmatch(place.partition("/")[2], pattern)


def _number(
    metadata: Mapping[str, str], stem: str, heading: str, label: Label | None
) -> tuple[int | None, bool]:
    stated = label if _says_number(metadata) else None
    series = _SERIES.fullmatch(stem)
    found = (
        (stated.number, stated.is_approval) if stated else None,
        _trailing_number(metadata.get("id", "")) or leading_number(metadata.get("number", "")),
        leading_number(stem),
        (label.number, label.is_approval) if label else None,
        (int(series["number"]), False) if series else None,
        leading_number(heading),
    )
    return next(filter(None, found), (None, False))


def _says_number(metadata: Mapping[str, str]) -> bool:
    return any(any(map(str.isdigit, metadata.get(key, ""))) for key in ("id", "nav_order"))


def _trailing_number(value: str) -> tuple[int, bool] | None:
    # such as "STD-00015"
    match = re.fullmatch(r"[A-Za-z]{1,20}[-._ ]?(\d{1,6})", value.strip())
    return (int(match[1]), False) if match else None


def _is_data(document: Document, block: Block) -> bool:
    """A row that says more than a field of the document: `| north | 4 |`, not `| Status | x |`."""
    if block.kind != "row" or block.is_header:
        return False
    first = document.text[block.cells[0].start : block.cells[0].end] if block.cells else ""
    return len(block.cells) != _FIELD_CELLS or role_of(first) == "other"


def _is_stub(document: Document) -> bool:
    """Too few words to decide or to say anything, apart from headings and fields. A table says
    something, and so does a record that decides or that fills two sections, however short."""
    words = 0
    filled: set[tuple[str, ...]] = set()
    for block in body(document):
        if block.kind == "heading" or block.is_hidden:
            continue
        shown = document.text[block.start : block.end].split()
        words += sum(any(map(str.isalnum, word)) for word in shown)
        if words >= STUB_WORDS or _is_data(document, block):
            return False
        heading = block.section[-1] if block.section else ""
        is_said = len(shown) >= _SENTENCE_WORDS and not _OPEN.match(" ".join(shown))
        if is_said and heading not in ("", document.title) and role_of(heading) == "other":
            filled.add(block.section)
    decides = any("decision" in words_of(path[-1]) for path in filled)
    return not decides and len(filled) < _FILLED_SECTIONS
