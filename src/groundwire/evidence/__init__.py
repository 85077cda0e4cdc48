"""Documents to passages: readers, identity, index, search, quality."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.evidence._embedding import (
        AlwaysClosed,
        Breaker,
        Embedder,
        EmbeddingReport,
        embed_pending,
    )
    from groundwire.evidence._embedding_service import EmbeddingService
    from groundwire.evidence._index import (
        INDEX_NAME,
        Index,
        Indexer,
        IndexReport,
        Progress,
        Refused,
    )
    from groundwire.evidence._make import (
        IndexOutcome,
        StageProgress,
        UnavailableEmbedder,
        index_documents,
        index_path,
        make_breaker,
        make_embedder,
    )
    from groundwire.evidence._parsed import READERS, Bounds, DocumentReader, Parsed, Unparsable
    from groundwire.evidence._passages import passages
    from groundwire.evidence._readers import find_files, read_document, read_text
    from groundwire.evidence._search import Searcher
    from groundwire.evidence._sections import Part, Section, reading, sections
    from groundwire.evidence._status import Label, Labels
    from groundwire.evidence._tables import IndexedDocument
    from groundwire.evidence._verify import (
        IdentityReport,
        StatedStatus,
        stated_statuses,
        verify_identity,
    )

__all__ = [
    "INDEX_NAME",
    "READERS",
    "AlwaysClosed",
    "Bounds",
    "Breaker",
    "DocumentReader",
    "Embedder",
    "EmbeddingReport",
    "EmbeddingService",
    "IdentityReport",
    "Index",
    "IndexOutcome",
    "IndexReport",
    "IndexedDocument",
    "Indexer",
    "Label",
    "Labels",
    "Parsed",
    "Part",
    "Progress",
    "Refused",
    "Searcher",
    "Section",
    "StageProgress",
    "StatedStatus",
    "UnavailableEmbedder",
    "Unparsable",
    "embed_pending",
    "find_files",
    "index_documents",
    "index_path",
    "make_breaker",
    "make_embedder",
    "passages",
    "read_document",
    "read_text",
    "reading",
    "sections",
    "stated_statuses",
    "verify_identity",
]

__getattr__ = door(
    __name__,
    {
        "_embedding": "AlwaysClosed Breaker Embedder EmbeddingReport embed_pending",
        "_embedding_service": "EmbeddingService",
        "_index": "INDEX_NAME Index Indexer IndexReport Progress Refused",
        "_make": """
            IndexOutcome StageProgress UnavailableEmbedder index_documents index_path
            make_breaker make_embedder
        """,
        "_parsed": "READERS Bounds DocumentReader Parsed Unparsable",
        "_passages": "passages",
        "_readers": "find_files read_document read_text",
        "_search": "Searcher",
        "_sections": "Part Section reading sections",
        "_status": "Label Labels",
        "_tables": "IndexedDocument",
        "_verify": "IdentityReport StatedStatus stated_statuses verify_identity",
    },
)
