"""Text, located: the only place that reads prose. Blocks, sentences, clauses, words, statuses."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.text._acts import assertion_start, exclusion, is_fragment
    from groundwire.text._blocks import (
        Block,
        BlockKind,
        Cell,
        Link,
        heading_words,
        links_in,
        unmarked,
    )
    from groundwire.text._clauses import Clause, split_clauses
    from groundwire.text._cues import is_negation
    from groundwire.text._forms import inflections, plural, singular
    from groundwire.text._grammar import COPULAS, first_finite, is_base, is_finite
    from groundwire.text._language import detect_language
    from groundwire.text._questions import (
        MAX_QUESTION_WORDS,
        query_words,
        question_language,
        topic_words,
    )
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
    from groundwire.text._status import (
        Label,
        Mark,
        Status,
        is_instruction,
        is_question,
        marks_in,
        status_in,
        status_of,
    )
    from groundwire.text._words import (
        PRONOUNS,
        STOP_WORDS,
        Atom,
        Kind,
        Token,
        atoms_of,
        content_terms,
        has_phrase,
        plain,
        same_letters,
        stem,
        tokens_of,
        unaccented,
        word_list,
        word_set,
        words_of,
    )

__all__ = [
    "COPULAS",
    "MAX_QUESTION_WORDS",
    "PRONOUNS",
    "STOP_WORDS",
    "Atom",
    "Block",
    "BlockKind",
    "Cell",
    "Clause",
    "Kind",
    "Label",
    "Link",
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
    "detect_language",
    "exclusion",
    "find_quote",
    "first_finite",
    "has_phrase",
    "heading_words",
    "inflections",
    "is_base",
    "is_finite",
    "is_fragment",
    "is_instruction",
    "is_negation",
    "is_question",
    "links_in",
    "marks_in",
    "parts_of",
    "plain",
    "plural",
    "query_words",
    "question_language",
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
    "topic_words",
    "unaccented",
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
        "_blocks": "Block BlockKind Cell Link heading_words links_in unmarked",
        "_clauses": "Clause split_clauses",
        "_cues": "is_negation",
        "_forms": "inflections plural singular",
        "_grammar": "COPULAS first_finite is_base is_finite",
        "_language": "detect_language",
        "_questions": "MAX_QUESTION_WORDS query_words question_language topic_words",
        "_quotes": "find_quote",
        "_reading": """
            Reading Sentence Words parts_of read segment_ranges sentence_ranges
            sentences_of_words unmarked_words
        """,
        "_references": "Subject resolve subject_of",
        "_status": "Label Mark Status is_instruction is_question marks_in status_in status_of",
        "_words": """
            Atom Kind PRONOUNS STOP_WORDS Token atoms_of content_terms has_phrase plain
            same_letters stem tokens_of unaccented word_list word_set words_of
        """,
    },
)
