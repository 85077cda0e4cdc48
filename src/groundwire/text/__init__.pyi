from groundwire.text._blocks import (
    Block as Block,
    Cell as Cell,
    heading_words as heading_words,
    links_in as links_in,
    unmarked as unmarked,
)
from groundwire.text._clauses import (
    Clause as Clause,
    Joint as Joint,
    coordinations as coordinations,
    split_clauses as split_clauses,
)
from groundwire.text._common import topical as topical
from groundwire.text._cues import (
    VERB_NEGATION as VERB_NEGATION,
    announces_check as announces_check,
    concludes as concludes,
    denies_verb as denies_verb,
    is_negation as is_negation,
    rules_out_others as rules_out_others,
)
from groundwire.text._exclusions import (
    assertion_start as assertion_start,
    exclusion as exclusion,
    is_fragment as is_fragment,
)
from groundwire.text._forms import (
    inflections as inflections,
    plural as plural,
    singular as singular,
)
from groundwire.text._gapping import conjuncts as conjuncts
from groundwire.text._grammar import (
    COPULAS as COPULAS,
    first_finite as first_finite,
    is_auxiliary as is_auxiliary,
    is_base as is_base,
    is_finite as is_finite,
    is_preposition as is_preposition,
)
from groundwire.text._labels import (
    is_meant as is_meant,
    record_label as record_label,
)
from groundwire.text._language import (
    detect_language as detect_language,
    language_name as language_name,
)
from groundwire.text._opposites import tells_state as tells_state
from groundwire.text._questions import (
    MAX_QUESTION_WORDS as MAX_QUESTION_WORDS,
    leaves_open as leaves_open,
    query_words as query_words,
    question_language as question_language,
    topic_words as topic_words,
)
from groundwire.text._reading import (
    Reading as Reading,
    Sentence as Sentence,
    Words as Words,
    parts_of as parts_of,
    read as read,
    segment_ranges as segment_ranges,
    sentence_ranges as sentence_ranges,
    sentences_of_words as sentences_of_words,
    unmarked_words as unmarked_words,
)
from groundwire.text._references import (
    bare_mentions as bare_mentions,
    name_of as name_of,
    refers_back as refers_back,
    resolve as resolve,
)
from groundwire.text._sentences import log_lines as log_lines
from groundwire.text._status import (
    Label as Label,
    Mark as Mark,
    Mode as Mode,
    Status as Status,
    denial_before as denial_before,
    does_not_work as does_not_work,
    is_question as is_question,
    is_ticked as is_ticked,
    marks_in as marks_in,
    same_mode as same_mode,
    status_in as status_in,
    status_of as status_of,
)
from groundwire.text._terse_answers import (
    is_terse as is_terse,
    names_only as names_only,
    stated_by_answer as stated_by_answer,
    statement_of as statement_of,
)
from groundwire.text._words import (
    PRONOUNS as PRONOUNS,
    STOP_WORDS as STOP_WORDS,
    VERBS as VERBS,
    Atom as Atom,
    Kind as Kind,
    Token as Token,
    atoms_of as atoms_of,
    content_terms as content_terms,
    find_quote as find_quote,
    has_phrase as has_phrase,
    placed_words as placed_words,
    plain as plain,
    same_letters as same_letters,
    stem as stem,
    tokens_of as tokens_of,
    unaccented as unaccented,
    word_list as word_list,
    word_set as word_set,
    words_of as words_of,
)
