"""What callers give: evidence in any of its forms, claims and texts within bounds."""

from collections.abc import Mapping, Sequence

from groundwire.errors import InputError
from groundwire.model import Document, EvidenceBundle

EvidenceLike = str | Document | EvidenceBundle
GivenEvidence = EvidenceLike | Sequence[EvidenceLike] | Mapping[str, str]
"""A text, a document, a bundle, several of them, or texts by their ids."""


def bundles_of(evidence: GivenEvidence) -> list[EvidenceBundle]:
    """Evidence in any of the forms a caller has it, each piece with a document id."""
    if isinstance(evidence, Mapping):
        return [EvidenceBundle.of(text, doc_id) for doc_id, text in evidence.items()]
    if isinstance(evidence, str | Document | EvidenceBundle):
        return [_bundle(evidence, "evidence")]
    return [_bundle(piece, str(number)) for number, piece in enumerate(evidence, start=1)]


def _bundle(piece: EvidenceLike, doc_id: str) -> EvidenceBundle:
    if isinstance(piece, EvidenceBundle):
        return piece
    if isinstance(piece, Document):
        body = piece.text[piece.body_start :]
        return EvidenceBundle.of(body, piece.doc_id, title=piece.title, start=piece.body_start)
    return EvidenceBundle.of(piece, doc_id)


def require_claim(claim: str, confidence: float | None, max_chars: int) -> None:
    require_text(claim, max_chars)
    if confidence is not None and not 0 <= confidence <= 1:
        raise InputError(
            f"A confidence of {confidence} is not a probability.", hint="Give one from 0 to 1."
        )


def require_text(text: str, max_chars: int) -> None:
    if not text.strip():
        raise InputError("There is no text to check.")
    if len(text) > max_chars:
        raise InputError(
            f"The text has {len(text):,} characters; {max_chars:,} can be checked at once.",
            hint="Check it in parts, or raise limits.max_text_chars.",
        )
