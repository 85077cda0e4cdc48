"""Does a claim about a file fit one state of it? Pure: the state is given, nothing is read."""

from collections.abc import Iterable

from groundwire.actions._claims import (
    Anchor,
    AnyClaim,
    CodeInserted,
    FileDelete,
    FileEdit,
    FileWrite,
)
from groundwire.actions._content import Content, Match, hash_of, match_edit, normal, squeeze
from groundwire.actions._directory import Look
from groundwire.actions._evidence import Finding
from groundwire.actions._replay import Version, apply_effect
from groundwire.actions._result import Category
from groundwire.traces import FileEffect

_CANNOT_TELL = {"unreadable", "too_large", "changing", "special"}


WHITESPACE = Finding(None, "it differs in white space alone", "whitespace_only")


def fits_look(claim: AnyClaim, look: Look) -> Finding:
    """Whether the claim fits what was found."""
    is_deletion = isinstance(claim, FileDelete)
    if look.kind == "missing":
        return Finding(is_deletion, look.detail, None if is_deletion else "file_not_found")
    if is_deletion:
        return Finding(False, "it is still there", "filesystem_mismatch")
    if look.kind in _CANNOT_TELL:
        return Finding(None, look.detail, "filesystem_mismatch")
    if look.content is None:
        return Finding(False, look.detail, "filesystem_mismatch")
    return fits_content(claim, look.content)


def fits_content(claim: AnyClaim, content: Content) -> Finding:
    if isinstance(claim, FileWrite):
        return _fits_hash(claim, content)
    if isinstance(claim, FileEdit | CodeInserted):
        return _fits_anchor(claim.anchor, content)
    # the other claims only say that there is a file
    return Finding(True, "it is there")


def _fits_hash(claim: FileWrite, content: Content) -> Finding:
    if content.has_hash(claim.content_hash):
        return Finding(True, "the content has the claimed hash")
    if content.has_visible_hash(claim.content_hash):
        return WHITESPACE
    if not content.complete or not content.encoding_is_sure:
        return Finding(None, "not all of the file is known", "hash_mismatch")
    return Finding(False, "the content has another hash", "hash_mismatch")


def _fits_anchor(anchor: Anchor, content: Content) -> Finding:
    if not content.texts:
        what = "binary" if content.complete else "not known"
        return Finding(None, f"the file is {what} or too large to search", "filesystem_mismatch")
    match = match_edit(content, anchor)
    if match is Match.HOLDS:
        return Finding(True, "the claimed text stands between its anchors")
    if match is Match.WHITESPACE:
        return WHITESPACE
    if match is Match.TOO_COMMON:
        return Finding(None, "its anchors stand in too many places", "anchor_mismatch")
    detail = "its anchors are there, with other text between them"
    category: Category = "hash_mismatch"
    if match is Match.NO_ANCHOR:
        detail, category = "an anchor is not in the file", "anchor_mismatch"
    if content.complete and content.encoding_is_sure:
        return Finding(False, detail, category)
    return Finding(None, f"{detail}, as far as the file is known", category)


def fits_version(claim: AnyClaim, version: Version) -> bool | None:
    """Whether the claim was true of the file after that change; None where nobody knows.

    The same words may have been written in two places, so that words alone do not beat a content
    they do not fit; but then they do not refute the claim either.
    """
    if isinstance(claim, FileDelete):
        return version.deleted if version.sure else None
    if version.deleted:
        return False if version.sure else None
    named = is_about(claim, version.effect) if version.sure else None
    if version.content is not None:
        holds = fits_content(claim, version.content).holds
        return None if named and not holds else holds
    if isinstance(claim, FileWrite) and version.content_hash is not None:
        return version.content_hash == claim.content_hash
    return True if named else None


def is_about(claim: AnyClaim, effect: FileEffect, past_texts: Iterable[str] = ()) -> bool | None:
    """Whether the claim is of this change: what it would have written is what was claimed.

    `past_texts` are texts it may have been applied to: a hash that fits leaves no doubt. None when
    the trace does not say what the change would have written.
    """
    if isinstance(claim, FileDelete):
        return effect.action == "delete"
    if not isinstance(claim, FileWrite | FileEdit | CodeInserted):
        return effect.action != "delete"
    texts = _written_texts(effect)
    if not texts:
        if isinstance(claim, FileWrite) and effect.content_hash is not None:
            return effect.content_hash == claim.content_hash
        return None
    applied = [apply_effect(past, effect) for past in past_texts if effect.action == "edit"]
    whole = [text for text in applied if text is not None]
    if any(fits_content(claim, Content.of_text(text)).holds for text in (*texts, *whole)):
        return True
    # blank text is written everywhere: it names no change
    return isinstance(claim, FileEdit | CodeInserted) and any(
        claim.anchor.content_hash in _edge_hashes(text) for text in texts if text.strip()
    )


def _written_texts(effect: FileEffect) -> list[str]:
    parts = [replacement.new for replacement in effect.replacements]
    if effect.content is not None:
        parts.append(effect.content)
    return parts


def _edge_hashes(text: str) -> set[str]:
    """Hashes of a text with and without the line feeds at its ends."""
    lines = normal(text)
    trimmed = {lines, lines.removeprefix("\n"), lines.removesuffix("\n"), lines.strip("\n")}
    trimmed |= {f"{lines}\n", f"\n{lines}", f"\n{lines}\n"}
    return {hash_of(one) for one in trimmed | {one.replace("\n", "\r\n") for one in trimmed}}


def differs_in_white_space(claim: AnyClaim, content: Content, effects: list[FileEffect]) -> bool:
    """Whether the claimed text, where the trace holds it, is there but for white space.

    An editor that strips trailing blanks on saving does not make a claim false.
    """
    wanted = _claimed_hash(claim)
    texts = (text for effect in effects for text in _written_texts(effect) if text.strip())
    for text in texts:
        if wanted is None or wanted not in _edge_hashes(text):
            continue
        if isinstance(claim, FileWrite) and squeeze(text) in content.squeezed:
            return True
        if isinstance(claim, FileEdit | CodeInserted):
            around = (claim.anchor.before_snippet, text, claim.anchor.after_snippet)
            if any(squeeze("".join(around)) in form for form in content.squeezed):
                return True
    return False


def _claimed_hash(claim: AnyClaim) -> str | None:
    if isinstance(claim, FileWrite):
        return claim.content_hash
    if isinstance(claim, FileEdit | CodeInserted):
        return claim.anchor.content_hash
    return None
