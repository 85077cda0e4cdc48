from groundwire.evidence._days import parse_date as parse_date
from groundwire.evidence._embedding import (
    Embedder as Embedder,
    EmbeddingReport as EmbeddingReport,
    EmbeddingService as EmbeddingService,
    embed_pending as embed_pending,
)
from groundwire.evidence._fields import DATES as DATES, PEOPLE as PEOPLE
from groundwire.evidence._gather import read_evidence as read_evidence
from groundwire.evidence._index import (
    Index as Index,
    Indexer as Indexer,
    IndexReport as IndexReport,
    Progress as Progress,
    Refused as Refused,
)
from groundwire.evidence._labels import Label as Label, Labels as Labels
from groundwire.evidence._make import (
    IndexOutcome as IndexOutcome,
    StageProgress as StageProgress,
    UnavailableEmbedder as UnavailableEmbedder,
    index_documents as index_documents,
    index_path as index_path,
    make_breaker as make_breaker,
    make_embedder as make_embedder,
    require_index as require_index,
)
from groundwire.evidence._parsed import (
    READERS as READERS,
    Bounds as Bounds,
    DocumentReader as DocumentReader,
    Parsed as Parsed,
    Unparsable as Unparsable,
)
from groundwire.evidence._passages import passages as passages
from groundwire.evidence._readers import (
    find_files as find_files,
    find_unread as find_unread,
    read_document as read_document,
    read_plain as read_plain,
    read_text as read_text,
)
from groundwire.evidence._search import (
    Searcher as Searcher,
    fuse as fuse,
    search_flags as search_flags,
)
from groundwire.evidence._sections import (
    Part as Part,
    Section as Section,
    reading as reading,
    sections as sections,
)
from groundwire.evidence._states import (
    STILL_HOLDS as STILL_HOLDS,
    normal_status as normal_status,
    same_state as same_state,
    same_wording as same_wording,
    state_of as state_of,
    statuses_in as statuses_in,
)
from groundwire.evidence._tables import IndexedDocument as IndexedDocument
from groundwire.evidence._verify import (
    IdentityReport as IdentityReport,
    StatedStatus as StatedStatus,
    by_key as by_key,
    listed as listed,
    verify_identity as verify_identity,
)
