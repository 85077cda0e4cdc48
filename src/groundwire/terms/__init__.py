"""Question to term: is a meaning asked for, and what does the vocabulary say it is?"""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.terms._fold import normalize
    from groundwire.terms._index import IndexedFile, check_vocabulary
    from groundwire.terms._intent import is_terminology_query
    from groundwire.terms._layers import LayeredVocabulary
    from groundwire.terms._local import LocalVocabulary
    from groundwire.terms._open import (
        VocabularyReport,
        add_vocabularies,
        has_vocabulary,
        list_vocabularies,
        open_local,
        open_terminology,
        open_vocabulary,
        own_vocabularies,
        remove_vocabulary,
    )
    from groundwire.terms._protocol import Vocabulary
    from groundwire.terms._rdf import RDF_SUFFIXES
    from groundwire.terms._skosmos import SKOSMOSClient
    from groundwire.terms._terminology import Terminology

__all__ = [
    "RDF_SUFFIXES",
    "IndexedFile",
    "LayeredVocabulary",
    "LocalVocabulary",
    "SKOSMOSClient",
    "Terminology",
    "Vocabulary",
    "VocabularyReport",
    "add_vocabularies",
    "check_vocabulary",
    "has_vocabulary",
    "is_terminology_query",
    "list_vocabularies",
    "normalize",
    "open_local",
    "open_terminology",
    "open_vocabulary",
    "own_vocabularies",
    "remove_vocabulary",
]

__getattr__ = door(
    __name__,
    {
        "_fold": "normalize",
        "_index": "IndexedFile check_vocabulary",
        "_intent": "is_terminology_query",
        "_layers": "LayeredVocabulary",
        "_local": "LocalVocabulary",
        "_open": """
            VocabularyReport add_vocabularies has_vocabulary list_vocabularies open_local
            open_terminology open_vocabulary own_vocabularies remove_vocabulary
        """,
        "_protocol": "Vocabulary",
        "_rdf": "RDF_SUFFIXES",
        "_skosmos": "SKOSMOSClient",
        "_terminology": "Terminology",
    },
)
