from groundwire.terms._fold import normalize as normalize
from groundwire.terms._index import check_vocabulary as check_vocabulary
from groundwire.terms._intent import is_terminology_query as is_terminology_query
from groundwire.terms._local import (
    LayeredVocabulary as LayeredVocabulary,
    LocalVocabulary as LocalVocabulary,
)
from groundwire.terms._open import (
    VocabularyReport as VocabularyReport,
    add_vocabularies as add_vocabularies,
    has_vocabulary as has_vocabulary,
    list_vocabularies as list_vocabularies,
    open_local as open_local,
    open_terminology as open_terminology,
    remove_vocabulary as remove_vocabulary,
)
from groundwire.terms._protocol import Vocabulary as Vocabulary
from groundwire.terms._rdf import RDF_SUFFIXES as RDF_SUFFIXES
from groundwire.terms._skosmos import SKOSMOSClient as SKOSMOSClient
from groundwire.terms._terminology import Terminology as Terminology
