"""The phrases beside a causal construction: its subject, its object, the clause it explains."""

import re

from groundwire._patterns import lazy_pattern
from groundwire.ground._joints import clause_end
from groundwire.ground._points import COMMA, NOT_THAT, STOP
from groundwire.ground._variables import NUMBER_WORDS, UNITS
from groundwire.text import (
    Mark,
    first_finite,
    is_auxiliary,
    is_base,
    is_finite,
    is_negation,
    is_preposition,
    marks_in,
    singular,
    status_of,
    tokens_of,
    word_set,
)

# such as "a tenth" in "reduced by a tenth", "two full hours", "an hour": how much, not by what; "by
# two days of rain" says by what
BY_HOW_MUCH = lazy_pattern(
    r"\s+(?:(?:about|around|over|nearly|almost|roughly|up\s+to|at\s+least|(?:more|less)\s+than"
    r"|another|(?:an?|the)\s+(?:further|additional|extra|whole))\s+)*"
    r"(?:[$€£]?\d|(?:an?|one|two|three)\s+(?:half|third|quarter|fifth|sixth|eighth|tenth|factor)\b"
    rf"|half\b|(?:(?:an?|an?\s+few|an?\s+couple\s+of|{NUMBER_WORDS})\s+"
    rf"(?:(?:full|whole|more|further|working|good)\s+)?)?(?:{UNITS})\b(?!-|'|\s+of\b))",
    re.IGNORECASE,
)
# such as "overnight", "last week", "Monday": when, and nothing that something is done to;
# "cut the day short" and "that night shift" name things
WHEN = lazy_pattern(
    r"\s*(?:overnight|yesterday|today|tonight|tomorrow|twice|once|again|indoors|outdoors|upstream"
    r"|downstream|midway|halfway|(?:(?:early|late|last|next|this|that|all|every|each|one|two|three"
    r"|several|many)\s+)+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|nights?|days?|mornings?"
    r"|evenings?|afternoons?|weeks?|months?|years?|hours?|minutes?|weekends?|winter|summer|spring"
    r"|autumn|times?)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?=\s*$|\s*[,.;]"
    r"|\s+(?:in|on|at|for|after|before|during|night|morning|evening|afternoon)\b)",
    re.IGNORECASE,
)
# such as "; then", "done. The"; not "St. Olav"
_STRONG = lazy_pattern(rf"[;:]\s+|\s+[–—-]\s+|{STOP}\s+|(?<=[,:]\s)[\"“”](?=\w)")
# such as "(see below)"
_PARENTHESIS = lazy_pattern(r"\s*[(\[][^()\[\]]*[)\]]")
# such as "; then", " but it", ", which", ", not to staff shortage"
_STOPS_RIGHT = lazy_pattern(
    r"[;:]\s+|\s+[–—]\s+|,?\s+(?:but|although|though|whereas|while|however|until|rather\s+than"
    r"|instead\s+of|despite|in\s+spite\s+of|even\s+though)\b"
    r"|,\s+(?:which|who|where|when|and\s+(?:the|a|an|this|it|they|we"
    r"|then|so|is|was|were)|as|if|after|before|since)\b"
    rf"|{STOP}\s|{NOT_THAT}",
    re.IGNORECASE,
)
# such as "not the pump", "not because of"
_CONTRASTED = lazy_pattern(r"\s+(?:the|its|because|due|by|before|an?|from)\b", re.IGNORECASE)
# such as ", and"
_CONJUNCTION_END = lazy_pattern(r"[\s,]+(?:and\s+)?$", re.IGNORECASE)
# such as "it was hot, but the fan"
_LEFT_CONJUNCTION = lazy_pattern(
    r"^.*(?:,\s*|\s)(?:but|although|though|whereas|while|because)\s+",
    re.IGNORECASE,
)
# such as "the review found that"
_REPORTED = lazy_pattern(
    r"^.*\b(?:found|show(?:s|ed|n)?|confirm(?:s|ed)?|reveal(?:s|ed)?|determined|established|noted"
    r"|concluded|discovered|noticed|indicate[sd]?|report(?:s|ed)?|said|says|know[ns]?|knew|learn(?:ed|t)"
    r"|identified|realised|realized|observed|saw|states?|stated|agrees?|explains?|explained|fact|case"
    r"|evidence|confirmation)\s+(?:out\s+)?(?:that|how|there\s+(?:is|are|was|were))\s+",
    re.IGNORECASE,
)
# the last word, such as "often" in "the fan often"
_LAST_WORD = lazy_pattern(r"[\s,]+([\w']+)\s*$")
_TRAILING = word_set(
    """having shall also then to turn in itself themselves just only still often even both and or
    thereby thus always soon later further again this it known shown found seen proven tend tends
    tended continued began started what"""
)
_NOUNS_IN_LY = word_set("anomaly assembly supply reply family july italy fly rally tally ally")
_LINKING = word_set("and but is was were are only this just in part also")
# such as "and", "in turn", "there was"
_LEAD_IN = lazy_pattern(
    r"^\W*(?:(?:and|but|or|so|then|also|however|moreover|furthermore|additionally|in\s+addition"
    r"|that(?=\s+(?:the|an?|its|their|our|it|they|we|no|this|these|all|there)\b)"
    r"|there\s+(?:is|was|were|are)|it\s+(?:is|was|were)|both|either|what|this\s+time|in\s+turn"
    r"|eventually|later|meanwhile|specifically|finally|again|once\s+again|in\s+this\s+case"
    r"|in\s+(?:practice|general|fact|effect|the\s+end))\b[\s,]*)+",
    re.IGNORECASE,
)
# such as "the disk, which"
_RELATIVE_END = lazy_pattern(r"(?:,\s*(?:which|who|that)|\s(?:that|which|who))\s*$", re.IGNORECASE)
# such as "which was full", "in turn", "and this was", ""
_INSERTED = lazy_pattern(
    r"\s*(?:(?:which|who|whose|where|when|that|seen|known|found|made|even|except|especially|\w+ed"
    r"|\w+ing)\b"
    r"|(?:in turn|however|for example|in fact|as expected|of course|therefore|then|again|too"
    r"|eventually|later|indeed|for instance|in this case|\w+ly)\s*$"
    r"|(?:and\s+)?(?:this|that|it|which)"
    r"(?:\s+(?:is|was|has|had|in turn|then|also|mainly|all))*\s*$"
    r"|$)",
    re.IGNORECASE,
)
# such as "this", "the latter"
_ANAPHOR = lazy_pattern(
    r"^(?:(?:all\s+of\s+)?(?:this|that|these|those|it|they|which|he|she|both)(?:\s+in\s+turn)?"
    r"|(?:this|these|that|those)\s+(?:behaviou?r|change|state|condition|situation|effect|events?)"
    r"|the\s+(?:latter|former))$",
    re.IGNORECASE,
)
# such as "the whole incident"
_GENERIC = lazy_pattern(
    r"^(?:the|this|that|our|these|its)\s+(?:(?:whole|above|same|entire|main|initial|overall)\s+)?"
    r"(?:issues?|problems?|incidents?|situation|event|disruption)$",
    re.IGNORECASE,
)
# such as "the pump, the fan"; not "6,200 litres"
_COMMA = lazy_pattern(COMMA)
_MAX_LIST_WORDS = 5
_MAX_PHRASE_WORDS = 8
_SETTINGS = word_set("on in at during for within under near")
_INSIDE = word_set("of to in on for with from at between")
_DETERMINERS = word_set("the a an this these those its our their some any two")


def denials(text: str) -> list[Mark]:
    """Those of a verb or a phrase; `the absence of power caused` denies nothing."""
    return [
        mark
        for mark in marks_in(text)
        if mark.label == "negated"
        and (" " in text[slice(*mark.cue)] or is_negation(text[slice(*mark.cue)]))
    ]


def _without_trailing(text: str) -> str:
    """`the fan had not often` without what belongs to the verb that follows."""
    while (last := _LAST_WORD.search(text)) is not None:
        word = last[1].lower()
        if not (word in _TRAILING or is_auxiliary(word) or is_negation(word) or _is_adverb(word)):
            break
        text = text[: last.start()]
    return text


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") and word not in _NOUNS_IN_LY


def plain(text: str) -> str:
    """Without parentheses, quotes and surrounding punctuation."""
    return _PARENTHESIS.sub("", text).strip(" \t\n,.;:!?\"'“”‘’`*_")


def subject_before(text: str) -> str:
    """What a verb's subject is, given all that stands before the verb in its clause."""
    text = _STRONG.split(_PARENTHESIS.sub("", text))[-1]
    text = _REPORTED.sub("", text)
    text = _without_trailing(f" {text}")
    relative = _RELATIVE_END.search(text)
    if relative:
        text = text[: relative.start()]
        return plain(_last_noun_phrase(text) if "," not in relative[0] else _last_piece(text))
    return plain(_without_setting(_LEAD_IN.sub("", _last_piece(text))))


def noun_phrase_before(text: str) -> str:
    """`the damage` in `beyond the damage caused by`: what a participle without `was` describes."""
    return plain(_last_noun_phrase(_without_trailing(f" {_STRONG.split(text)[-1]}")))


def clause_before(text: str) -> str:
    """The clause that a link like `because` explains."""
    text = _STRONG.split(_PARENTHESIS.sub("", text).rstrip(" ;:,.-–—"))[-1]
    text = _REPORTED.sub("", text)
    last = _LAST_WORD.search(text)
    if last is not None and _leads_to_link(last[1].lower()):
        text = text[: last.start()]
    return plain(_LEAD_IN.sub("", _last_piece(text)))


def subject_of(clause: str) -> str:
    """What a clause speaks of: `handwritten tags` in `handwritten tags cannot be read`."""
    tokens = tokens_of(clause)
    verb = first_finite(tokens)
    return plain(clause[: tokens[verb].start]) if verb is not None else ""


def _leads_to_link(word: str) -> bool:
    """`mainly because`, `not because`, `perhaps because`."""
    hedges = not is_finite(word) and "hedged" in status_of(word).labels
    return word in _LINKING or hedges or is_negation(word) or word.endswith("ly")


def object_after(text: str) -> str:
    """What a verb acts on, or a link introduces: as far as its clause reaches."""
    stop = _STOPS_RIGHT.search(text)
    end = min(stop.start() if stop else len(text), _contrast_in(text), clause_end(text))
    return plain(_PARENTHESIS.sub("", text[:end]))


def _contrast_in(text: str) -> int:
    """Where `, and not the pump` begins."""
    for mark in denials(text):
        is_lack = text[slice(*mark.cue)].lower() == "without"
        if mark.cue[0] > 1 and not is_lack and _CONTRASTED.match(text, mark.cue[1]):
            return len(_CONJUNCTION_END.sub("", text[: mark.cue[0]]))
    return len(text)


def split_fronted(text: str) -> tuple[str, str] | None:
    """`Because A, B`: what follows the cue, cut at the comma that ends the first clause."""
    bare = _PARENTHESIS.sub("", text)
    for match in re.finditer(r",\s+|\s+(?=there\s+(?:is|was|were|are)\b)", bare):
        first, rest = bare[: match.start()], bare[match.end() :]
        if len(rest.split()) > 1 and not re.match(r"(?:and|or)\b", rest) and first.strip():
            return plain(first), object_after(_LEAD_IN.sub("", rest))
    return None


# such as "eviction", "leakage", "turbidity": made from a verb or an adjective
_NOMINAL = lazy_pattern(
    r"\w{3}(?:tion|sion|ing|ment|age|ure|sis|ance|ence|ancy|ency|ity|ness|lay|loss|load|flow|flood|lag|out)s?$"
)
_KNOWN = word_set("the this that these those its their further all such")
_HAPPENINGS = word_set(
    """leak jam trip spike dip drift stall flap reboot alarm surge crash backlog noise smoke fire
    slip"""
)
_STATES = word_set(
    """late slow high low stale missing wrong false long short double repeated lost dead full empty
    bad poor uneven heavy excessive too more"""
)


def names_event(phrase: str) -> bool:
    """Whether a phrase names what goes on and was spoken of: `the leak`, `the slow replies`.

    Who cuts off `desk phone calls` ends nothing that the text told of: they are cut off."""
    words = [one.low for one in tokens_of(phrase) if one.text[0].isalnum()]
    if words[:1] and words[0] not in _KNOWN:
        return False
    ends = (at for at, word in enumerate(words) if at and is_preposition(word))
    core = [word for word in words[: next(ends, len(words))] if word not in _DETERMINERS]
    if not core:
        return False
    head = singular(core[-1])
    described = any(word in _STATES or word.endswith("ed") for word in core[:-1])
    return described or bool(_NOMINAL.search(head)) or is_base(head) or head in _HAPPENINGS


def is_anaphor(phrase: str) -> bool:
    return not phrase or bool(_ANAPHOR.match(phrase))


def is_generic(phrase: str) -> bool:
    """`the issue`: a word for whatever the document is about."""
    return bool(_GENERIC.match(phrase))


def _last_piece(text: str) -> str:
    """After the last comma, unless commas separate a list or an insertion."""
    text = _LEFT_CONJUNCTION.sub("", text)
    pieces = _COMMA.split(text)
    while len(pieces) > 1 and _INSERTED.match(pieces[-1]):
        pieces.pop()
    kept = pieces[-1:]
    if re.search(r"(?:^|\s)(?:and|or)\s", kept[0]):
        for piece in reversed(pieces[:-1]):
            if len(piece.split()) > _MAX_LIST_WORDS:
                break
            kept.insert(0, piece)
    return ",".join(kept)


def _without_setting(text: str) -> str:
    """`On those nodes the ceiling`: the ceiling. `In spite of the fan` has no second phrase."""
    words = text.split()
    if not words or words[0].lower() not in _SETTINGS:
        return text
    for place in range(2, min(len(words) - 1, _MAX_PHRASE_WORDS)):
        is_inside = words[place - 1].lower() in _INSIDE
        if words[place].lower() in _DETERMINERS and not is_inside:
            return " ".join(words[place:])
    return text


def _last_noun_phrase(text: str) -> str:
    """`we reverted the change`: the change. `damage to the lungs` stays whole."""
    words = text.split()
    for place in range(len(words) - 1, max(-1, len(words) - _MAX_PHRASE_WORDS), -1):
        is_inside = place > 0 and words[place - 1].lower() in _INSIDE
        if words[place].lower() in _DETERMINERS and not is_inside:
            return " ".join(words[place:])
    return " ".join(words[-_MAX_PHRASE_WORDS:])
