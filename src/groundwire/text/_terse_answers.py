"""A terse answer and its question as one statement: "How long are logs kept?", "42 days."

Where the form of the question is known, its words are put in the order of a statement; where it
is not, the question stands before the answer. Nothing is added but the question's own words.
"""

from collections.abc import Sequence
from itertools import pairwise

from groundwire._patterns import lazy_pattern
from groundwire.text._cues import is_negation
from groundwire.text._grammar import (
    AUXILIARIES,
    BE_FORMS,
    PREPOSITIONS,
    first_finite,
    is_base,
    is_finite,
    is_past,
)
from groundwire.text._reading import sentence_ranges
from groundwire.text._references import refers_back
from groundwire.text._status import is_instruction
from groundwire.text._words import PRONOUNS, Token, tokens_of, word_set

_ASKING = word_set("what which who whom whose when where why how")
_YES = word_set("yes yeah yep")
_NO = word_set("no nope")
_DETERMINERS = word_set("a an the this that these those my your our its his her their each every")
_ALL = word_set("all both every each")
_DIMENSIONS = word_set("high long wide tall deep old thick heavy")
_AMOUNTS = word_set("many much")
_SHARES = word_set("percentage percent share proportion fraction")
_KINDS = word_set("kind type sort")
# such as "Q:", "A2.", "Answer:"
_LABEL = lazy_pattern(r"(?i:q|a|question|answer|frage|antwort) ?\d{0,3}[.:)] +")
_PREDICATES = word_set("open available due valid ready free possible necessary responsible")
"""What is said of a thing without being a participle: "When is the library | open"."""
_ECHO_WORDS = (2, 3)
"""So long is what only repeats a yes: "Yes, it is.", "No, it was not."."""


def is_terse(sentence: str) -> bool:
    """Whether it needs its question to assert anything: it has no verb, or is a yes or a no."""
    tokens = tokens_of(sentence)
    if tokens and tokens[0].low in _YES | _NO:
        return _is_echo(tokens[1:]) or first_finite(tokens[1:]) is None
    return bool(tokens) and first_finite(tokens) is None and tokens[0].low not in AUXILIARIES


def _is_echo(tokens: Sequence[Token]) -> bool:
    words = [token.low for token in tokens if token.low[:1].isalpha()]
    if len(words) not in _ECHO_WORDS:
        return False
    return words[0] in PRONOUNS and words[1] in AUXILIARIES


def statement_of(question: str, answer: str) -> str | None:
    """What the answer asserts: "Logs are kept 42 days.".

    None for a yes or a no that cannot be put in words: beside its question, a "No" reads as a yes.
    """
    asked = _last_question(question)
    said = answer.strip().rstrip(".! ")
    words = asked.rstrip("? ").split()
    opening = [word.lower() for word in words[:2]]
    stated = None
    is_yes_or_no = said.lower().split(",")[0].split(" ")[0] in _YES | _NO
    if opening[:1] and opening[0] in AUXILIARIES:
        stated = _yes_or_no(words, said)
    elif is_yes_or_no:
        return None
    elif opening[:1] and opening[0] in _ASKING:
        stated = _wh(words, _lowered(said))
    elif opening[1:] and opening[0] in PREPOSITIONS and opening[1] in _ASKING:
        stated = _wh(words[1:], f"{opening[0]} {_lowered(said)}")
    if stated is None:
        return None if is_yes_or_no or not asked else f"{asked} {said}."
    return f"{stated[:1].upper()}{stated[1:]}."


def names_only(words: str) -> bool:
    """Whether words name something and have no verb: "a second lift". Not what has a label or may
    be an order ("Lift to all floors"), nor what is to be done ("crane 6 to be moved")."""
    low = [token.low for token in tokens_of(words)]
    is_order = is_instruction(words) or (low != [] and is_base(low[0]))
    is_verbal = not low or low[0] in AUXILIARIES or is_order or ": " in f"{words} "
    is_due = any(one == "to" and is_base(after) for one, after in pairwise(low))
    return not is_verbal and not is_due and first_finite(tokens_of(words)) is None


def stated_by_answer(question: str, answer: str) -> str | None:
    """What a document states where it asks and answers in words that need the question: "Q: Do you
    ship to Norway?", "A: Yes, within a week."; None where a form offers the answers."""
    asked, said = (_LABEL.sub("", one.strip()) for one in (question, answer))
    words = [token.low for token in tokens_of(said)]
    if not asked.endswith("?") or said.endswith("?") or not words:
        return None
    if refers_back(said) and not is_terse(said):
        return f"{asked} {said}"
    says_yes, says_no = (not answers.isdisjoint(words) for answers in (_YES, _NO))
    wants_either = tokens_of(asked)[:1] and tokens_of(asked)[0].low in AUXILIARIES
    is_unclear = (says_yes and says_no) or (wants_either and words[0] not in _YES | _NO)
    return statement_of(asked, said) if is_terse(said) and not is_unclear else None


def _last_question(question: str) -> str:
    """The question that is answered: the last, where context stands before it."""
    flat = " ".join(question.split())
    sentences = [flat[start:end].strip() for start, end in sentence_ranges(flat)]
    asked = [one for one in sentences if one.endswith("?")]
    return asked[-1] if asked else (sentences or [""])[-1]


def _lowered(said: str) -> str:
    """Within a sentence: "the control centre", and names as they are."""
    first = said.split(" ", 1)[0].lower()
    return said[:1].lower() + said[1:] if first in _DETERMINERS | PREPOSITIONS else said


def _wh(words: list[str], said: str) -> str | None:
    """ "When was the station built?": after the asking words comes a verb, or there is none."""
    head, rest = _head(words)
    asks_twice = any(word.lower() in _ASKING for word in words[1:])
    if not rest or asks_twice or head[:1] == ["far"]:
        return None
    verb = rest[0].lower()
    subject, predicate = _split(rest[1:], verb) if verb in AUXILIARIES else ([], None)
    if not subject:  # "Who manages Vik?", "How many customers lost power?", "Who was elected?"
        return " ".join([_counted(said, head), *rest])
    if predicate is None and verb not in BE_FORMS:
        return None
    if predicate is None:
        dimension = head[-1].lower() if head and head[0].lower() in _DIMENSIONS else ""
        is_said = dimension in said.lower().split() or not any(map(str.isalpha, said))
        told = "" if is_said else dimension
        return " ".join([*subject, rest[0], said, told]).strip()
    return " ".join([*subject, rest[0], *predicate, _counted(said, head)])


def _head(words: list[str]) -> tuple[list[str], list[str]]:
    """What is asked for, without the asking word, and what follows: "many customers", "lost …"."""
    for place in range(1, len(words)):
        low, before = words[place].lower(), words[place - 1].lower()
        is_noun = before in _DETERMINERS | PREPOSITIONS
        is_verb = low in AUXILIARIES or (is_finite(low) and not is_noun)
        if is_verb or (place > 1 and is_base(low) and words[0].lower() != "how"):
            return words[1:place], words[place:]
    return words[1:], []


def _counted(said: str, head: list[str]) -> str:
    """ "4,100" of "how many customers" are "4,100 customers"; what says so itself is left."""
    first = head[0].lower() if head else ""
    if head[1:2] == ["of"] and first in _SHARES:
        return said if "of" in said.split() else f"{said} {' '.join(head[1:])}"
    if head[1:2] == ["of"] and first in _KINDS:
        head = head[1:]
    elif first not in _AMOUNTS:
        return said
    noun = " ".join(head[1:])
    return said if not noun or head[-1].lower() in said.lower() else f"{said} {noun}"


def _split(words: list[str], verb: str) -> tuple[list[str], list[str] | None]:
    """Subject and predicate after a verb that came first; no predicate after "is" alone."""
    if [word.lower() for word in words[:1]] == ["there"]:
        return words[:1], words[1:]
    is_predicate = is_base
    if verb in BE_FORMS or verb in ("has", "have", "had"):
        is_predicate = _is_predicate
    if words and is_predicate(words[0].lower()):
        return [], words
    for place in range(1, len(words)):
        low, before = words[place].lower(), words[place - 1].lower()
        if is_predicate(low) and before not in _DETERMINERS | PREPOSITIONS:
            return words[:place], words[place:]
    return words, None


def _split_adjective(words: list[str]) -> tuple[list[str], list[str] | None]:
    """ "the mast | red", "the mast | 40 m high", "Vik | a substation", "the school | near Vik"."""
    subject_words = 2 if words and words[0].lower() in _DETERMINERS else 1
    if len(words) == subject_words + 1:
        return words[:subject_words], words[subject_words:]
    for place in range(subject_words, len(words)):
        low = words[place].lower()
        opens = low[:1].isdigit() or low in ("a", "an", "the") or low in PREPOSITIONS
        if opens and low != "of" and words[place - 1].lower() not in PREPOSITIONS:
            return words[:place], words[place:]
    return words, None


def _is_predicate(word: str) -> bool:
    return word == "been" or is_past(word) or word in _PREDICATES


def _yes_or_no(words: list[str], said: str) -> str | None:
    """ "Was it built in 1974?", "No." is "It was not built in 1974."."""
    first, _, more = said.partition(" ")
    low = first.strip(",.;:").lower()
    verb = words[0].lower()
    subject, predicate = _split(words[1:], verb)
    if predicate is None and verb in BE_FORMS:
        subject, predicate = _split_adjective(words[1:])
    if low not in _YES | _NO or predicate is None or not subject:
        return None
    tail = tokens_of(more)
    if _is_echo(tail):
        tail, more = [], ""
    if first_finite(tail) is not None or any(is_negation(one.low) for one in tail):
        return None
    denial = ["not"] if low in _NO else []
    if denial and subject[0].lower() in _ALL:  # all of them, or not all of them
        return None
    # "you ship", not "you do ship"
    auxiliary = [verb] if denial or verb != "do" else []
    stated = " ".join([*subject, *auxiliary, *denial, *predicate])
    return f"{stated}, {more}" if more else stated
