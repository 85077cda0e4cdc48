"""What callers give: evidence in any of its forms, claims and texts within bounds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.config import LimitsSection
from groundwire.errors import InputError
from groundwire.evidence import read_evidence
from groundwire.model import Document, EvidenceBundle, Unread

EvidenceLike = str | Path | Document | EvidenceBundle
GivenEvidence = EvidenceLike | Sequence[EvidenceLike] | Mapping[str, str | Path]
"""A text, the path of a file or folder, a document, a bundle, several of them, or texts and paths
by their ids."""

_FORMS = (
    "pass a str (the text itself), a pathlib.Path (a file or folder to read), a Document, an "
    "EvidenceBundle, a list of these, or a dict of texts by their ids"
)
_PAIR = 2


@dataclass(frozen=True)
class Given:
    """Evidence as it is judged by, and what of it could not be read."""

    bundles: tuple[EvidenceBundle, ...]
    unread: tuple[Unread, ...] = ()


def evidence_of(evidence: GivenEvidence, limits: LimitsSection) -> Given:
    """Evidence in any of the forms a caller has it, each piece with a document id."""
    given: object = evidence  # whatever a caller without a type checker passes
    pieces: list[tuple[str, object, bool]]
    if isinstance(given, Mapping):
        pieces = [(str(doc_id), piece, True) for doc_id, piece in given.items()]
    elif isinstance(given, str | Path | Document | EvidenceBundle):
        pieces = [("evidence", given, False)]
    elif isinstance(given, Sequence) and not isinstance(given, bytes | bytearray):
        pieces = [(str(number), one, False) for number, one in enumerate(given, start=1)]
    else:
        raise TypeError(f"The evidence is {_named(given)}; {_FORMS}.")
    bundles: list[EvidenceBundle] = []
    unread: list[Unread] = []
    for doc_id, piece, is_named in pieces:
        read = _given(piece, doc_id, limits, is_named=is_named)
        bundles += read.bundles
        unread += read.unread
    return Given(tuple(bundles), tuple(unread))


def _given(piece: object, doc_id: str, limits: LimitsSection, *, is_named: bool) -> Given:
    if isinstance(piece, EvidenceBundle):
        return Given((piece,))
    if isinstance(piece, Document):
        return Given((_bundle(piece, piece.doc_id),))
    if isinstance(piece, str):
        return Given((EvidenceBundle.of(piece, doc_id),))
    if not isinstance(piece, Path):
        raise TypeError(f"Piece {doc_id} of the evidence is {_named(piece)}; {_FORMS}.")
    documents, unread = read_evidence([piece], limits)
    is_renamed = is_named and not piece.is_dir()
    bundles = [_bundle(one, doc_id if is_renamed else one.doc_id) for one in documents]
    return Given(tuple(bundles), tuple(unread))


def _bundle(document: Document, doc_id: str) -> EvidenceBundle:
    return EvidenceBundle.of(
        document.text[document.body_start :],
        doc_id,
        title=document.title,
        start=document.body_start,
        places=document.places,
    )


def require_claim(claim: str, confidence: float | None, max_chars: int) -> None:
    """Refuse what is no claim, or no probability."""
    require_text(claim, max_chars, what="claim")
    if confidence is not None and not isinstance(confidence, int | float):
        raise TypeError(f"The confidence is {_named(confidence)}; pass a float from 0 to 1.")
    if confidence is not None and not 0 <= confidence <= 1:
        raise InputError(
            f"A confidence of {confidence} is not a probability.", hint="Give one from 0 to 1."
        )


def require_text(text: object, max_chars: int, *, what: str = "text") -> None:
    """Refuse what is no text, an empty one, and one that is too long to be checked at once."""
    if isinstance(text, Path):
        raise TypeError(f"The {what} to check is a path; pass what it holds: path.read_text().")
    if not isinstance(text, str):
        raise TypeError(f"The {what} to check is {_named(text)}; pass a str.")
    if not text.strip():
        raise InputError(f"There is no {what} to check.")
    if len(text) > max_chars:
        raise InputError(
            f"The {what} has {len(text):,} characters; {max_chars:,} can be checked at once.",
            hint="Check it in parts, or raise limits.max_text_chars.",
        )


def require_pairs(
    cases: Iterable[tuple[str, GivenEvidence]], max_chars: int
) -> list[tuple[str, GivenEvidence]]:
    """Pairs of a text and its evidence; the first that is none is named by its place."""
    given: object = cases
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise TypeError(f"The batch is {_named(given)}; pass pairs: [(text, evidence), …].")
    pairs = list(given)
    for place, pair in enumerate(pairs):
        if not isinstance(pair, tuple | list) or len(pair) != _PAIR:
            raise TypeError(f"Item {place} of the batch is no pair; pass (text, evidence).")
        try:
            require_text(pair[0], max_chars)
        except (TypeError, InputError) as error:
            raise type(error)(f"Item {place} of the batch: {error}") from error
    return pairs


def _named(value: Any) -> str:
    """ "None", "of type bytes": what a message calls a value of the wrong type."""
    return "None" if value is None else f"of type {type(value).__name__}"
