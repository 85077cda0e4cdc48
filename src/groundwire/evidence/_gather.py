"""Evidence as callers name it: files and folders become documents, and what could not be read is
named."""

from collections.abc import Callable, Sequence
from pathlib import Path

from groundwire.config import LimitsSection
from groundwire.errors import InputError, UnreadableSource
from groundwire.evidence._readers import find_files, find_unread, read_document
from groundwire.evidence._source import FORMATS
from groundwire.model import Document, Unread


def read_evidence(
    paths: Sequence[Path],
    limits: LimitsSection,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Document], list[Unread]]:
    """Every named file, and in named folders every file that can be read; and what could not.

    A named file that cannot be read is an error; one of a folder is left out, and said to be.
    """
    found: list[tuple[Path, str | None]] = []
    for path in paths:  # in the order given: `[2]` means the second
        if path.is_dir():
            found += [(one.path, one.place) for one in find_files([path])]
        else:
            found.append((path, None))
    documents: list[Document] = []
    unread: list[Unread] = []
    for done, (path, place) in enumerate(found, start=1):
        try:
            document = read_document(path, limits)
            documents.append(document.model_copy(update={"doc_id": place}) if place else document)
        except UnreadableSource as error:
            if place is None:
                raise
            unread.append(Unread(path=place, reason=str(error)))
        if progress is not None:
            progress(done, len(found))
    unread += [
        Unread(path=one.place, reason=f"files of type {one.path.suffix} cannot be read")
        for one in find_unread([path for path in paths if path.is_dir()])
    ]
    unread += [
        Unread(path=document.doc_id, reason=f"{document.metadata['unread']} is not read")
        for document in documents
        if "unread" in document.metadata
    ]
    if not documents:
        raise InputError(
            f"There is no document in {', '.join(map(str, paths))}.",
            hint=f"Groundwire reads {FORMATS}.",
        )
    return documents, unread
