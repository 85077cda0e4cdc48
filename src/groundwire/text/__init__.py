"""Text, located: the only place that reads prose. Blocks, sentences, clauses, words, statuses."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.text._acts import assertion_start, exclusion, is_fragment
    from groundwire.text._blocks import Block, BlockKind, Cell, unmarked
    from groundwire.text._clauses import Clause, Joint, coordinations, split_clauses
    from groundwire.text._cues import VERB_NEGATION, denies_verb, is_negation
    from groundwire.text._grammar import (
        first_finite,
        is_auxiliary,
        is_base,
        is_finite,
        is_preposition,
    )
    from groundwire.text._language import detect_language
    from groundwire.text._quotes import find_quote
    from groundwire.text._reading import (
        Reading,
        Sentence,
        Words,
        parts_of,
        read,
        segment_ranges,
        sentence_ranges,
        sentences_of_words,
        unmarked_words,
    )
    from groundwire.text._references import Subject, resolve, subject_of
    from groundwire.text._sentences import log_lines
    from groundwire.text._status import (
        Label,
        Mark,
        Status,
        denial_before,
        is_instruction,
        marks_in,
        status_in,
        status_of,
    )
    from groundwire.text._words import (
        STOP_WORDS,
        Atom,
        Kind,
        Token,
        atoms_of,
        content_terms,
        placed_words,
        plain,
        same_letters,
        singular,
        stem,
        tokens_of,
        word_list,
        word_set,
        words_of,
    )

__all__ = [
    "STOP_WORDS",
    "VERB_NEGATION",
    "Atom",
    "Block",
    "BlockKind",
    "Cell",
    "Clause",
    "Joint",
    "Kind",
    "Label",
    "Mark",
    "Reading",
    "Sentence",
    "Status",
    "Subject",
    "Token",
    "Words",
    "assertion_start",
    "atoms_of",
    "content_terms",
    "coordinations",
    "denial_before",
    "denies_verb",
    "detect_language",
    "exclusion",
    "find_quote",
    "first_finite",
    "is_auxiliary",
    "is_base",
    "is_finite",
    "is_fragment",
    "is_instruction",
    "is_negation",
    "is_preposition",
    "log_lines",
    "marks_in",
    "parts_of",
    "placed_words",
    "plain",
    "read",
    "resolve",
    "same_letters",
    "segment_ranges",
    "sentence_ranges",
    "sentences_of_words",
    "singular",
    "split_clauses",
    "status_in",
    "status_of",
    "stem",
    "subject_of",
    "tokens_of",
    "unmarked",
    "unmarked_words",
    "word_list",
    "word_set",
    "words_of",
]

__getattr__ = door(
    __name__,
    {
        "_acts": "assertion_start exclusion is_fragment",
        "_blocks": "Block BlockKind Cell unmarked",
        "_clauses": "Clause Joint coordinations split_clauses",
        "_cues": "VERB_NEGATION denies_verb is_negation",
        "_grammar": "first_finite is_auxiliary is_base is_finite is_preposition",
        "_language": "detect_language",
        "_quotes": "find_quote",
        "_reading": """
            Reading Sentence Words parts_of read segment_ranges sentence_ranges
            sentences_of_words unmarked_words
        """,
        "_references": "Subject resolve subject_of",
        "_sentences": "log_lines",
        "_status": "Label Mark Status denial_before is_instruction marks_in status_in status_of",
        "_words": """
            STOP_WORDS Atom Kind Token atoms_of content_terms placed_words plain same_letters
            singular stem tokens_of word_list word_set words_of
        """,
    },
)
