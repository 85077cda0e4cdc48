"""The words before and after a cue that name what it joins."""

import re

_STRONG = re.compile(r"[;:]\s+|\s+[–—-]\s+|\.\s+|(?<=[,:]\s)[\"“”](?=\w)")
_PARENTHESIS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_STOPS_RIGHT = re.compile(
    r"[;:]\s+|\s+[–—]\s+|,?\s+(?:but|although|though|whereas|while|however|until|rather\s+than"
    r"|instead\s+of|despite|in\s+spite\s+of|even\s+though)\b"
    r"|,?\s+(?:and\s+)?(?:not|never|nor)\s+(?:the|its|because|due|by|before|an?|from)\b"
    r"|,\s+(?:which|who|where|when|and\s+(?:the|a|an|this|it|they|we"
    r"|then|so|is|was|were)|as|if|after|before|since)\b|\.\s",
    re.IGNORECASE,
)
_LEFT_CONJUNCTION = re.compile(
    r"^.*(?:,\s*|\s)(?:but|although|though|whereas|while|because)\s+",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"^.*\b(?:found|show(?:s|ed|n)?|confirm(?:s|ed)?|reveal(?:s|ed)?|determined|established|noted"
    r"|concluded|discovered|noticed|indicate[sd]?|report(?:s|ed)?|said|says|know[ns]?|knew|learn(?:ed|t)"
    r"|identified|realised|realized|observed|saw|states?|stated|agrees?|explains?|explained|fact|case"
    r"|evidence|confirmation)\s+(?:out\s+)?(?:that|how|there\s+(?:is|are|was|were))\s+",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"(?:[\s,]+(?:had|has|have|having|is|was|are|were|be|been|being|will|can|could|would|may|might|must"
    r"|should|shall|do|does|did|don't|doesn't|didn't|wasn't|isn't|aren't|weren't|hasn't|haven't|hadn't"
    r"|cannot|can't|couldn't|won't|not|never|also|then|to|turn|in|itself|themselves|just|only|still"
    r"|often|even|both|and|or|thereby|thus|directly|eventually|ultimately|subsequently|quickly"
    r"|repeatedly|usually|typically|always|soon|later|finally|further|again|this|it|known|shown|found"
    r"|seen|proven|tends?|tended|continued|began|started|what"
    r"|(?!anomaly|assembly|supply|reply|family|july|italy|fly|rally|tally|ally)\w+ly))+\s*$",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"^\W*(?:(?:and|but|or|so|then|also|however|moreover|furthermore|additionally|in\s+addition"
    r"|that|there\s+(?:is|was|were|are)|it\s+(?:is|was|were)|both|either|what|this\s+time|in\s+turn"
    r"|eventually|later|meanwhile|specifically|finally|again|once\s+again|in\s+this\s+case"
    r"|in\s+(?:practice|general|fact|effect|the\s+end))\b[\s,]*)+",
    re.IGNORECASE,
)
_RELATIVE_END = re.compile(r"(?:,\s*(?:which|who|that)|\s(?:that|which|who))\s*$", re.IGNORECASE)
_RELATIVE_START = re.compile(
    r"^\s*(?:which|who|whose|where|when|that|seen|known|found|made|\w+ed|\w+ing)\b", re.IGNORECASE
)
_ADVERB_PIECE = re.compile(
    r"^\s*(?:in turn|however|for example|in fact|as expected|of course|therefore|then|again|too"
    r"|eventually|later|indeed|for instance|in this case|\w+ly)\s*$",
    re.IGNORECASE,
)
_POINTING_PIECE = re.compile(
    r"^\s*(?:and\s+)?(?:this|that|it|which)"
    r"(?:\s+(?:is|was|has|had|in turn|then|also|mainly|all))*\s*$",
    re.IGNORECASE,
)
_ANAPHOR = re.compile(
    r"^(?:(?:all\s+of\s+)?(?:this|that|these|those|it|they|which|he|she|both)(?:\s+in\s+turn)?"
    r"|(?:this|these)\s+(?:behaviou?r|change|state|condition|situation|effect|events?)"
    r"|the\s+(?:latter|former))$",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"^(?:the|this|that|our|these|its)\s+(?:(?:whole|above|same|entire|main|initial|overall)\s+)?"
    r"(?:issues?|problems?|incidents?|situation|event|disruption)$",
    re.IGNORECASE,
)
_MAX_LIST_WORDS = 5


def plain(text: str) -> str:
    """Without parentheses, quotes and surrounding punctuation."""
    return _PARENTHESIS.sub("", text).strip(" \t\n,.;:!?\"'“”‘’`*_")


def subject_before(text: str) -> str:
    """What a verb's subject is, given all that stands before the verb in its clause."""
    text = _last_part(_STRONG, _PARENTHESIS.sub("", text))
    text = _REPORTED.sub("", text)
    text = _TRAILING.sub("", f" {text}")
    relative = _RELATIVE_END.search(text)
    if relative:
        text = text[: relative.start()]
        return plain(_last_noun_phrase(text) if "," not in relative[0] else _last_piece(text))
    return plain(_without_setting(_LEAD_IN.sub("", _last_piece(text))))


def noun_phrase_before(text: str) -> str:
    """`the damage` in `beyond the damage caused by`: what a participle without `was` describes."""
    return plain(_last_noun_phrase(_TRAILING.sub("", f" {_last_part(_STRONG, text)}")))


def clause_before(text: str) -> str:
    """The clause that a link like `because` explains."""
    text = _last_part(_STRONG, _PARENTHESIS.sub("", text).rstrip(" ;:,.-–—"))
    text = _REPORTED.sub("", text)
    text = re.sub(
        r"[\s,]+(?:and|but|is|was|were|are|mainly|largely|partly|only|not|this|simply"
        r"|just|in\s+part|probably|possibly|likely|perhaps|also|\w+ly)*\s*$",
        "",
        text,
    )
    return plain(_LEAD_IN.sub("", _last_piece(text)))


def object_after(text: str) -> str:
    """What a verb acts on, or a link introduces: as far as its clause reaches."""
    stop = _STOPS_RIGHT.search(text)
    return plain(_PARENTHESIS.sub("", text[: stop.start()] if stop else text))


def split_fronted(text: str) -> tuple[str, str] | None:
    """`Because A, B`: what follows the cue, cut at the comma that ends the first clause."""
    bare = _PARENTHESIS.sub("", text)
    for match in re.finditer(r",\s+|\s+(?=there\s+(?:is|was|were|are)\b)", bare):
        first, rest = bare[: match.start()], bare[match.end() :]
        if len(rest.split()) > 1 and not re.match(r"(?:and|or)\b", rest) and first.strip():
            return plain(first), object_after(_LEAD_IN.sub("", rest))
    return None


def is_anaphor(phrase: str) -> bool:
    return not phrase or bool(_ANAPHOR.match(phrase))


def is_generic(phrase: str) -> bool:
    """`the issue`: a word for whatever the document is about."""
    return bool(_GENERIC.match(phrase))


def _last_part(boundary: re.Pattern[str], text: str) -> str:
    ends = [match.end() for match in boundary.finditer(text)]
    return text[ends[-1] :] if ends else text


def _last_piece(text: str) -> str:
    """After the last comma, unless commas separate a list or an insertion."""
    text = _LEFT_CONJUNCTION.sub("", text)
    pieces = text.split(",")
    while len(pieces) > 1 and (
        _POINTING_PIECE.match(pieces[-1])
        or _ADVERB_PIECE.match(pieces[-1])
        or _RELATIVE_START.match(pieces[-1])
        or not pieces[-1].strip()
    ):
        pieces.pop()
    if len(pieces) == 1:
        return pieces[0]
    is_list = re.match(r"^\s*(?:and|or)\s", pieces[-1]) or re.search(r"\s(?:and|or)\s", pieces[-1])
    if is_list and len(pieces) > 1:
        kept = [pieces[-1]]
        for piece in reversed(pieces[:-1]):
            if len(piece.split()) > _MAX_LIST_WORDS:
                break
            kept.insert(0, piece)
        return ",".join(kept)
    return pieces[-1]


def _without_setting(text: str) -> str:
    """`On those nodes the ceiling`: the ceiling. `In spite of the fan` has no second phrase."""
    words = text.split()
    if not words or words[0].lower() not in _SETTINGS:
        return text
    for place in range(2, min(len(words) - 1, _MAX_PHRASE_WORDS)):
        is_inside = words[place - 1].lower() in _INSIDE
        if words[place].lower() in _ARTICLES and not is_inside:
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


_MAX_PHRASE_WORDS = 8
_SETTINGS = {"on", "in", "at", "during", "for", "within", "under", "near"}
_ARTICLES = {"the", "a", "an"}
_INSIDE = {"of", "to", "in", "on", "for", "with", "from", "at", "between"}
_DETERMINERS = {
    "the",
    "a",
    "an",
    "this",
    "these",
    "those",
    "its",
    "our",
    "their",
    "some",
    "any",
    "two",
}
