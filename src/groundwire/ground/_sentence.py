"""One sentence: its cues, and for each who causes what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.ground._lexicon import BASE_FORMS, Cue, FoundCue, Relation, find_cues
from groundwire.ground._mood import Mood, mood_of
from groundwire.ground._segments import (
    clause_before,
    noun_phrase_before,
    object_after,
    plain,
    split_fronted,
    subject_before,
)


@dataclass(frozen=True)
class Joined:
    """What one cue joins, as worded; an empty phrase points to the sentence before."""

    cause: str
    effect: str
    relation: Relation
    mood: Mood
    cue: str


_CAUSE_NOUN = r"(?:causes?|reasons?|triggers?|culprits?|explanations?)"
_BE = (
    r"(?:is|was|were|are|has\s+been|turned\s+out\s+to\s+be|proved\s+to\s+be|lay\s+in|lies\s+in)"
    r"(?:n't|\s+not|\s+never)?(?:\s+(?:that|because|found\s+to\s+be|identified\s+as|traced\s+to))?"
)
_CAUSE_OF = re.compile(
    rf"(?:^|[,;:]\s+|\bthat\s+|\band\s+)(?P<lead>(?:\w+\s+){{0,3}}?){_CAUSE_NOUN}\s+"
    rf"(?:of|for|behind|why)\s+(?P<effect>[^;]+?)\s+(?P<be>{_BE})\s+(?P<cause>.+)$",
    re.IGNORECASE,
)
_CAUSE_WAS = re.compile(
    rf"^\W*(?:(?:the|its|our|this)\s+)?(?:\w+\s+){{0,2}}?{_CAUSE_NOUN}\s+(?P<be>{_BE})\s+"
    r"(?P<cause>.+)$",
    re.IGNORECASE,
)
_COINCIDED = re.compile(
    r"^(?P<first>[^,;]{2,80}?)\s+and\s+(?P<second>[^,;]{2,80}?)\s+(?:(?:both|were|was|are|have|had|often"
    r"|usually|always|all)\s+)*(?:(?:rose|rises?|fell|happen(?:ed)?|occur(?:red)?|went|go|seen|observed|noticed"
    r"|reported|recorded|noted|moved?|appear(?:ed)?|increased?|decreased?|came|grew|began|started)\s+)?"
    r"(?:together|(?:at|on|in|during)\s+the\s+same\s+\w+"
    r"|hand\s+in\s+hand|correlated|coincided?|in\s+(?:parallel|step)|peak(?:ed)?\s+in)\b",
    re.IGNORECASE,
)
_BE_BEFORE = re.compile(
    r"\b(?:is|was|were|are|been|being|be|gets?|got)(?:n't|\s+not)?(?:\s+\w+ly)?\s*$", re.IGNORECASE
)
_NO_VERB_AFTER = re.compile(
    r"(?<!^)\bthis\s*$|(?-i:\ba)\s*$|\b(?:the|an|its|of|with|by|for|our|their|any|some|more|from|in|on|at|each|every|whose"
    r"|recent|main|root|new|high|low|first|direct|possible|further|total|immediate|no)\s*$",
    re.IGNORECASE,
)
_BASE_SUBJECT = re.compile(
    r"(?:s|\b(?:not|to|never|also|and|do|did|does|n't|can|will|would|could|may|might|must|should"
    r"|cannot|they|we|you|people|both|which|that|data|\w+ly)|[^\x00-\x7f\w])\s*$",
    re.IGNORECASE,
)
_NO_OBJECT = re.compile(
    r"^\s*(?:$|[.,;:!?)]|(?:to|by|from|in|at|on|for|with|during|after|until|over|of|and|or|that|how|why"
    r"|what|whether|when|as|than|between|under|again|since|because|due|owing|thanks)\b)",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"^(?:we|i|you|he|she|someone|somebody|anyone|who|the\s+team|our\s+team|users?|the\s+users?"
    r"|people|everyone|they|(?:\S+\s+){0,3}(?:teams?|developers?|engineers?|operators?|staff))$",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(
    r"\s*,?\s*\b(?:and|but|while|whereas|or)\s+(?:then\s+|also\s+)?", re.IGNORECASE
)
_SHARED_SUBJECT = re.compile(
    r"^(?P<object>.*?)[\s,]*\b(?:and|or|but)(?:\s+(?:then|also|eventually|thereby|so|has|have|had|\w+ly"
    r"|finally|later|again|in\s+turn|did\s+not|does\s+not|not|may|might|could))*\s*$",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(r"^(?:no|neither|none\s+of)\s+(?:the\s+)?", re.IGNORECASE)
_INVERTED = re.compile(
    r"^\W*(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have)\s", re.IGNORECASE
)
_BEING = re.compile(r"\s+being\s*$", re.IGNORECASE)
_ENDED = re.compile(r"[.;!?]\s+(?=[A-Z0-9])")
_RELATIVE = re.compile(r"\b(?:which|that|who)(?:\s+\w+){0,2}\s*$", re.IGNORECASE)


def joined_in(sentence: str) -> list[Joined]:
    is_question = sentence.rstrip().endswith("?") or bool(_INVERTED.match(sentence))
    named = _by_noun(sentence, is_question=is_question)
    if named is not None:
        return [named]
    found = [one for one in _Walk(sentence, is_question=is_question) if _is_about_something(one)]
    return found or _together(sentence)


def _by_noun(sentence: str, *, is_question: bool) -> Joined | None:
    """`The cause of B was A`, and `The cause was A` of whatever was spoken of."""
    match = _CAUSE_OF.search(sentence)
    if match and not _BE_BEFORE.search(sentence[: match.start("lead")]):
        effect = plain(match["effect"])
    else:
        match = _CAUSE_WAS.match(sentence)
        effect = "the incident"
    if not match:
        return None
    mood = mood_of(
        sentence[: match.start("be")], match["be"], match["cause"], is_question=is_question
    )
    cause = object_after(match["cause"])
    return Joined(cause, effect, "causes", mood, "cause") if cause and effect else None


def _together(sentence: str) -> list[Joined]:
    """`A and B rose together`: they coincided, and nothing more is said."""
    match = _COINCIDED.match(sentence)
    if not match:
        return []
    first, second = plain(match["first"]), plain(match["second"])
    return [Joined(first, second, "correlates", "asserted", "together")]


def _is_about_something(joined: Joined) -> bool:
    return not _PERSONAL.match(joined.cause) and joined.cause != joined.effect


class _Walk:
    """From cue to cue; what one cue acts on may be what the next one starts from."""

    def __init__(self, sentence: str, *, is_question: bool) -> None:
        self._sentence = sentence
        self._is_question = is_question
        self._cues = [found for found in find_cues(sentence) if self._is_used(found)]
        self._last_subject = ""

    def __iter__(self) -> Iterator[Joined]:
        for place, found in enumerate(self._cues):
            ends = self._ends(place, found)
            if ends is None:
                continue
            first, second = ends
            self._last_subject = first
            first = _NO_SUBJECT.sub("", first)
            cause, effect = (first, second) if found.cue.direction == "forward" else (second, first)
            yield Joined(
                cause, effect, found.cue.relation, self._mood(place, found), self._at(found)
            )

    def _at(self, found: FoundCue) -> str:
        return self._sentence[found.start : found.end]

    def _left(self, place: int, found: FoundCue) -> str:
        begin = self._cues[place - 1].end if place else 0
        return self._sentence[begin : found.start]

    def _right(self, place: int, found: FoundCue) -> str:
        following = self._cues[place + 1] if place + 1 < len(self._cues) else None
        if following is None:
            return self._sentence[found.end :]
        text = self._sentence[found.end : following.start]
        return _own_object(text, following.cue)

    def _mood(self, place: int, found: FoundCue) -> Mood:
        """Supposition carries over the whole sentence, denial only within its clause."""
        left = self._left(place, found)
        mood = mood_of(
            left,
            self._at(found),
            self._sentence[found.end :],
            is_question=self._is_question,
            is_participle=found.cue.form == "participle",
        )
        if mood == "asserted" and place:
            before = _ENDED.split(self._sentence[: found.start])[-1]
            whole = mood_of(before, "", "", is_question=False)
            return whole if whole == "hypothetical" else mood
        return mood

    def _ends(self, place: int, found: FoundCue) -> tuple[str, str] | None:
        left = self._left(place, found)
        if found.cue.form == "link":
            return self._linked(place, found, left)
        second = object_after(self._right(place, found))
        if not left.strip(" ,;:-*_") or second.lower().startswith(("which ", "who ", "that ")):
            return None
        shared = _SHARED_SUBJECT.match(left) if place else None
        if shared and found.cue.form == "verb" and self._last_subject:
            return (self._last_subject, second) if second else None
        if place and found.cue.form == "verb" and not _RELATIVE.search(left):
            left = _CONJUNCTION.split(left)[-1]
        if not second:
            return None
        return noun_phrase_before(left) if self._describes(found, left) else subject_before(
            left
        ), second

    def _describes(self, found: FoundCue, left: str) -> bool:
        """`the rule being triggered by`: a participle that belongs to the noun before it."""
        is_passive = self._at(found).lower().endswith(" by")
        ends_clause = left.rstrip().endswith((",", ";", ":", "-", "–", "—"))
        is_verb = _BE_BEFORE.search(_BEING.sub("", left))
        return is_passive and not ends_clause and not is_verb

    def _linked(self, place: int, found: FoundCue, left: str) -> tuple[str, str] | None:
        clause = clause_before(left)
        if found.cue.direction == "backward" and not clause and not _mentions_this(left):
            fronted = split_fronted(self._sentence[found.end :])
            return (fronted[1], fronted[0]) if fronted else None
        second = object_after(self._right(place, found).lstrip(" ,"))
        return (clause, second) if second else None

    def _is_used(self, found: FoundCue) -> bool:
        """Whether the word is the verb it looks like: `the increased load` increases nothing."""
        if found.cue.form == "link" or found.cue.relation == "correlates":
            return True
        before, word = self._sentence[: found.start], self._at(found).lower()
        if found.cue.direction == "backward" or word.startswith(("is ", "was ", "are ", "were ")):
            return True
        if _NO_VERB_AFTER.search(before) or _NO_OBJECT.match(self._sentence[found.end :]):
            return False
        if " " not in word and word.endswith("ed") and _BE_BEFORE.search(before):
            return False
        return word not in BASE_FORMS or _has_plural_subject(before)


def _own_object(text: str, following: Cue) -> str:
    """`B and C` before `led to`: B is acted on, C is the subject of what follows."""
    if following.form == "link":
        return re.sub(r"[\s,]+(?:is|was|are|were|and|mainly|largely|\w+ly)*\s*$", "", text)
    if following.form == "participle" or _RELATIVE.search(text):
        return _RELATIVE.sub("", text)
    parts = _CONJUNCTION.split(text)
    return "".join(parts[:-1]) if len(parts) > 1 else text


def _has_plural_subject(before: str) -> bool:
    asked = re.match(r"\W*(?:do|does|did|can|could|will)\b", before, re.IGNORECASE)
    return bool(asked or _BASE_SUBJECT.search(before)) or " and " in before[-60:]


def _mentions_this(left: str) -> bool:
    return bool(re.search(r"\b(?:this|that|it|these|which)\b", left, re.IGNORECASE))
