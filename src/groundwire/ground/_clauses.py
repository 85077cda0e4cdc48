"""One sentence read for causes: its mood, and what causes what."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.ground._lexicon import (
    BASE_FORMS,
    STATE_VERBS,
    Cue,
    FoundCue,
    Relation,
    find_cues,
)
from groundwire.ground._open import OpenClause, nominals, open_clauses, participles, resulting
from groundwire.ground._phrases import (
    BY_HOW_MUCH,
    WHEN,
    clause_before,
    denials,
    names_event,
    noun_phrase_before,
    object_after,
    plain,
    split_fronted,
    subject_before,
)
from groundwire.ground._points import STOP
from groundwire.ground._rewrite import parts_of, rewritten
from groundwire.text import (
    VERB_NEGATION,
    denial_before,
    denies_verb,
    first_finite,
    is_auxiliary,
    is_negation,
    is_preposition,
    marks_in,
    placed_words,
    plain as plain_marks,
    stem,
    tokens_of,
    word_set,
    words_of,
)

Mood = Literal["asserted", "negated", "hypothetical"]

# what may stand between a denial and its cue: "did not, in turn, cause", "not have been caused"
_FILLERS = r"(?:\s+(?:\w+ly|have|has|had|be|been|being|in\s+turn|in\s+fact|just|itself|to))*\s*"
# words between a subject and its verb, as listed above
_FILLER = lazy_pattern(_FILLERS, re.IGNORECASE)
# such as "kept the outage from being caused by"
_KEPT_FROM = lazy_pattern(rf"\bfrom{_FILLERS}$", re.IGNORECASE)
# such as "ruled out that", "was wrongly said to", "it is a myth that"
_REFUTED = lazy_pattern(
    r"\b(?:rule[sd]\s+out|excluded|dismissed|eliminated|refuted|disproved|disproven|denied|denies"
    r"|wrongly|falsely|incorrectly|mistakenly|contrary\s+to|a\s+myth|it\s+is\s+false|doubts?\s+that)\b",
    re.IGNORECASE,
)
# what is denied of a whole statement: "no clear evidence that", "it is not the case that"
_STANDING = lazy_pattern(
    r"\b(?:evidence|indication|sign|proof|link|relation|true|the\s+case|suggests?|shows?)\b",
    re.IGNORECASE,
)
# such as "it was not the disk that"
_CLEFT = lazy_pattern(r"\bit\s+(?:is|was)\s*$", re.IGNORECASE)
# such as "the theory is that", "claims that"
_UNPROVEN = lazy_pattern(
    r"\b(?:theory|theor(?:ise|ize)[sd]?|claim(?:s|ed)?\s+that|unclear|guess(?:ed)?|considered|idea)\b",
    re.IGNORECASE,
)
# such as "was shown to", "tends to"
_AFFIRMED_INFINITIVE = lazy_pattern(
    r"\b(?:known|shown|found|proven|proved|seen|observed|continued|continues|began|begins|started"
    r"|starts|tends?|tended|went\s+on|goes\s+on|enough|confirmed|demonstrated|used)\s+to"
    r"(?:\s+\w+ly)?\s*$",
    re.IGNORECASE,
)
# such as "in order to"
_INFINITIVE = lazy_pattern(r"\bto(?:\s+\w+ly)?\s*$", re.IGNORECASE)
_SUPPOSED = frozenset({"hedged", "conditional", "asked", "planned"})
_STATES = frozenset(map(stem, STATE_VERBS))
# such as "would not open": it did not
_WOULD_NOT = lazy_pattern(r"would(?:n't|\s+not)(?!\s+have\b)", re.IGNORECASE)
# such as "11 May", which is no "may"
_MONTH = lazy_pattern(r"(?<=\d\s)May\b|\bMay(?=\s\d)")
# such as "looking into what", "why": the cause is asked for
_ASKED_FOR = lazy_pattern(r"(?<!is )(?<!was )\b(?:what|why|how|whether)\s*$", re.IGNORECASE)


def mood_of(
    before: str, cue: str, after: str, *, is_question: bool, has_own_denial: bool = False
) -> Mood:
    """`before` is the clause up to the cue, `after` what follows it: with a denial of its own in
    `because nobody had ordered it`.

    A participle has no mood of its own: `could fill the disk, causing ...` only supposes.
    """
    before = _MONTH.sub("Mai", before)
    if _is_denied(before, cue, "" if has_own_denial else after):
        return "negated"
    if _ASKED_FOR.search(before):
        return "hypothetical"
    if is_question or _is_supposed(before) or _is_supposed_at_start(after):
        return "hypothetical"
    if _INFINITIVE.search(before) and not _AFFIRMED_INFINITIVE.search(before):
        return "hypothetical"
    return "asserted"


def _is_denied(before: str, cue: str, after: str) -> bool:
    return (
        _denies(before, len(before))
        or _opens_with_denial(before, is_subject=True)
        or _opens_with_denial(after)
        or any(map(is_negation, words_of(cue)))
        or _KEPT_FROM.search(before) is not None
        or _REFUTED.search(before) is not None
        or any(_denies(before, found.start(), 1) for found in _STANDING.finditer(before))
        or any(_CLEFT.search(before[: one.cue[0]]) for one in denials(before))
    )


def _denies(text: str, place: int, reach_words: int = 0) -> bool:
    """Whether a denial stands right before a place: `did not directly cause`."""
    cue = denial_before(text, place)
    if cue is None or not any(mark.cue == cue for mark in denials(text)):
        return False
    between = text[cue[1] : place]
    return bool(_FILLER.fullmatch(between)) or len(between.split()) <= reach_words


def _opens_with_denial(text: str, *, is_subject: bool = False) -> bool:
    """`no pump caused`, `caused nothing`; `without power, X caused` denies nothing."""
    words = placed_words(text)
    if not words or denies_verb(words[0].text) or (is_subject and is_preposition(words[0].low)):
        return False
    return any(mark.cue[0] == words[0].start for mark in denials(text))


def _is_supposed(before: str) -> bool:
    """Whether a supposition reaches to the end: `the team suspects that the disk ...`."""
    for mark in marks_in(before):
        # of orders only "should" and "must": "is to present" gives none here
        if mark.label == "conditional" and _WOULD_NOT.match(plain_marks(before), mark.cue[0]):
            continue
        is_modal = mark.label == "ordered" and is_auxiliary(before[slice(*mark.cue)].lower())
        if mark.scope[1] == len(before) and (mark.label in _SUPPOSED or is_modal):
            return True
    return _UNPROVEN.search(before) is not None


def _is_unreal(clause: str) -> bool:
    """`could have led to injuries`; `it was not possible to start` and `it would not open` are
    facts."""
    return any(
        mark.label in _SUPPOSED
        and is_auxiliary(clause[slice(*mark.cue)].split(maxsplit=1)[0].lower())
        and not _WOULD_NOT.match(plain_marks(clause), mark.cue[0])
        for mark in marks_in(clause)
    )


def _is_supposed_at_start(after: str) -> bool:
    lead = len(after) - len(after.lstrip())
    return any(mark.label == "hedged" and mark.cue[0] == lead for mark in marks_in(after))


@dataclass(frozen=True)
class Joined:
    """What one cue joins, as worded; an empty phrase points to the sentence before."""

    cause: str
    effect: str
    relation: Relation
    mood: Mood
    cue: str
    place: int = 0
    is_open: bool = False
    """The verb is in no list: only the learned reader can say that it tells of a cause."""
    thing: str = ""
    """What such a verb acts on, if that is something that goes on: it may end or lessen it."""
    state: str = ""
    """Of what is lessened, what became of it: `the pH of the water lowered`."""
    is_learned: bool = False
    """The learned reader drafted it: no construction is known."""


# such as "we ruled it out", "the theory was dropped": whatever the sentence says, it takes back
_DISMISSED = lazy_pattern(
    r"\b(?:rule[sd]?\s+(?:(?:it|them|that|this)\s+)?out|off\s+the\s+hook|not\s+to\s+blame"
    r"|(?:was|were|been|is|and)\s+(?:later\s+|then\s+)?(?:dropped|discarded|dismissed|excluded|refuted"
    r"|disproved)|shows?\s+otherwise|no\s+(?:(?:connection|relation|link)\s+(?:with|to|between|has|was|is)|bearing)"
    r"|unrelated|unconnected"
    r"|independent\s+of|should\s+not\s+be\s+read\s+as)\b",
    re.IGNORECASE,
)
# such as "we rolled back": what people then did is no effect of the kind that is looked for
_PERSONAL_CLAUSE = lazy_pattern(r"(?:we|i|you)\s", re.IGNORECASE)
_RESULT_LINKS = ("so", "consequently", "therefore", "thus", "hence", "as a ", "as an ")
# such as "the turbidity down by the evening"
_BROUGHT_DOWN = lazy_pattern(r"(.+?)\s+(?:back\s+)?down\b", re.IGNORECASE)
# such as "the missing parcels come back": what was wrong is no more
_RESTORED = lazy_pattern(
    r"(.+?)\s+(?:come|came|go|went|return|returned)(?:\s+(?:back|away))?$", re.IGNORECASE
)
# such as "stopped the evictions", "cleared the backlog"
_STOPPED = lazy_pattern(
    r"(?:stop|clear|cure|end|halt|contain|resolve|fix|remove|relieve|remed(?:y|i)|lift|eliminate"
    r"|eradicate|dispel)(?:p?e?d|l?ed|s|d)?\b",
    re.IGNORECASE,
)
_CAUSE_NOUN = r"(?:causes?|reasons?|triggers?|culprits?|explanations?)"
_BE = (
    r"(?:is|was|were|are|has\s+been|turned\s+out\s+to\s+be|proved\s+to\s+be|lay\s+in|lies\s+in)"
    rf"{VERB_NEGATION}?(?:\s+(?:that|because|found\s+to\s+be|identified\s+as|traced\s+to))?"
)
# such as "the root cause of the outage was a full disk"
_CAUSE_OF = lazy_pattern(
    rf"(?:^|[,;:]\s+|\bthat\s+|\band\s+)(?P<lead>(?:\w+\s+){{0,3}}?){_CAUSE_NOUN}\s+"
    rf"(?:of|for|behind|why)\s+(?P<effect>[^;]+?)\s+(?P<be>{_BE})\s+(?P<cause>.+)$",
    re.IGNORECASE,
)
# such as "the cause was a full disk"
_CAUSE_WAS = lazy_pattern(
    rf"^\W*(?:(?:the|its|our|this)\s+)?(?:\w+\s+){{0,2}}?{_CAUSE_NOUN}\s+(?P<be>{_BE})\s+"
    r"(?P<cause>.+)$",
    re.IGNORECASE,
)
# such as "Ice on the apron was the culprit"
_CULPRIT = lazy_pattern(
    rf"^(?P<cause>[^,;:]{{3,80}}?)\s+(?P<be>(?:is|was|were|are){VERB_NEGATION}?)\s+"
    r"(?:the\s+(?:\w+\s+)?(?:culprit|cause|reason|trigger|explanation)|to\s+blame|at\s+fault)\s*(?=[,.;!]|$)",
    re.IGNORECASE,
)
# such as "still under investigation", "not clear", "yet to be found"
_NOT_KNOWN = lazy_pattern(
    r"(?:(?:still|currently|not|yet|never|as\s+yet|so\s+far|being|to\s+be)\s+)*"
    r"(?:under\s+(?:investigation|review|examination)|unknown|unclear|uncertain|clear|known|open|found"
    r"|looked\s+into|investigated|determined|established|identified|examined|reviewed|disputed)\b",
    re.IGNORECASE,
)
# such as "load and errors rose together"
_COINCIDED = lazy_pattern(
    r"^(?P<first>[^,;]{2,80}?)\s+and\s+(?P<second>[^,;]{2,80}?)\s+(?:(?:both|were|was|are|have|had|often"
    r"|usually|always|all)\s+)*(?:(?:rose|rises?|fell|happen(?:ed)?|occur(?:red)?|went|go|seen|observed|noticed"
    r"|reported|recorded|noted|moved?|appear(?:ed)?|increased?|decreased?|came|grew|began|started)\s+)?"
    r"(?:together|(?:at|on|in|during)\s+the\s+same\s+\w+"
    r"|hand\s+in\s+hand|correlated|coincided?|in\s+(?:parallel|step)|peak(?:ed)?\s+in)\b",
    re.IGNORECASE,
)
# such as "was not directly"
_BE_BEFORE = lazy_pattern(
    rf"\b(?:is|was|were|are|been|being|be|gets?|got){VERB_NEGATION}?(?:\s+\w+ly)?\s*$",
    re.IGNORECASE,
)
# such as "the", "recent": what follows is a noun
_NO_VERB_AFTER = lazy_pattern(
    r"(?<!^)(?<![,;]\s)(?<!\band\s)\bthis\s*$|(?-i:\ba)\s*$|\b(?:the|an|its|of|with|by|for|our|their|any|some|more|from|in|on|at|each|every|whose"
    r"|recent|main|root|new|high|low|first|direct|possible|further|total|immediate|no)\s*$",
    re.IGNORECASE,
)
# such as "to", "because": no object follows
_NO_OBJECT = lazy_pattern(
    r"^\s*(?:$|[.,;:!?)]|(?:down|up|off|out|apart|away)\s*(?:$|[.,;:!?)])|(?:to|by|from|in|at|on|for|with|during|after|until|over|of|and|or|that|how|why"
    r"|what|whether|when|as|than|between|under|again|since|because|due|owing|thanks)\b)",
    re.IGNORECASE,
)
# such as "we", "the on-call engineers"
_PERSONAL = lazy_pattern(
    r"^(?:we|i|you|he|she|someone|somebody|anyone|who|the\s+team|our\s+team|users?|the\s+users?"
    r"|people|everyone|they|@\S+.*|(?:\S+\s+){0,3}(?:teams?|developers?|engineers?|operators?|staff"
    r"|colleagues?|customers?|end-users?|managers?|committee|board|clerk|guide))$",
    re.IGNORECASE,
)
# such as ", and then"
_CONJUNCTION = lazy_pattern(
    r"\s*,?\s*\b(?:and|but|while|whereas|or)\s+(?:then\s+|also\s+)?", re.IGNORECASE
)
# such as "PAX team that some of their pods"
_BY_WHOM = lazy_pattern(r"\s+(?:that|which|who|on|in|at|about|after|from)\s.*$", re.IGNORECASE)
# such as "of the" in "none of the pumps"
_PARTITIVE = lazy_pattern(r"\s*(?:of\s+)?(?:the\s+)?", re.IGNORECASE)
_BE_FORMS = word_set("is are was were am be been being")
_BEFORE_BASE_FORM = word_set("to also and they we you people both which that data")
_SINGULAR = word_set("this its")
_AFTER_CONJUNCTION = word_set("then also thereby so later again in turn")
# such as "Does the disk"
_INVERTED = lazy_pattern(
    r"^\W*(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have)\s", re.IGNORECASE
)
# such as "the rule being"
_BEING = lazy_pattern(r"\s+being\s*$", re.IGNORECASE)
# such as "done. The"; not "Dr. Lund"
_ENDED = lazy_pattern(rf"(?:[;!?]|{STOP})\s+(?=[A-Z0-9])")
# such as "this" in "this is because"
_POINTING = lazy_pattern(r"\b(?:this|that|it|these|which)\b", re.IGNORECASE)
# such as ", and this", " and that is what"
_THIS = lazy_pattern(
    r"[\s,;]+(?:and\s+)?(?:this|that|it)(?:\s+(?:is|was)\s+what)?\s*$", re.IGNORECASE
)
# such as ", " between clauses
_MARK = lazy_pattern(rf"(?:[,;:]|{STOP})\s")
# such as "and that is what", ", and this"
_THAT_IS_WHAT = lazy_pattern(
    r"\b(?:that|this|it)\s+(?:is|was)\s+what\s*$|(?:[,;]\s+(?:and\s+)?|\band\s+)(?:this|that)\s*$",
    re.IGNORECASE,
)
# such as "will soon"
_WILL = lazy_pattern(r"\b(?:will|'ll|shall)(?:\s+\w+ly)?\s*$", re.IGNORECASE)
# such as "which in turn"
_RELATIVE = lazy_pattern(r"\b(?:which|that|who)(?:\s+\w+){0,2}\s*$", re.IGNORECASE)


@kept(2_048)
def joined_in(sentence: str) -> tuple[Joined, ...]:
    """What a sentence joins; a relative clause between commas is read as a sentence of its own."""
    found: list[Joined] = []
    for part in parts_of(sentence):
        plainly = rewritten(part)
        for one in _joined_in(plainly.text):
            is_time = plainly.is_open and one.cue.startswith("Because")
            found.append(replace(one, is_open=True) if is_time else one)
    return tuple(found)


def _joined_in(sentence: str) -> list[Joined]:
    asked = any(mark.label == "asked" and mark.scope[0] == 0 for mark in marks_in(sentence))
    is_question = asked or bool(_INVERTED.match(sentence))
    named = _by_noun(sentence, is_question=is_question)
    if named is not None:
        return [named]
    walk = _Walk(sentence, is_question=is_question)
    opened = list(_opened(sentence, walk, is_question=is_question))
    said_by_verb = {walk.link_before(one.place) for one in opened}
    found = [one for one in walk if one.place not in said_by_verb] + opened
    found = [
        one
        for one in sorted(found, key=lambda one: one.place)
        if not _PERSONAL.match(_BY_WHOM.sub("", one.cause))
        and not _PERSONAL_CLAUSE.match(one.effect)
        and one.cause != one.effect
    ]
    found = [one for one in _chained(sentence, found) if not _argues(one)]
    if _DISMISSED.search(sentence):
        found = [replace(one, mood="negated") for one in found]
    return found or _together(sentence)


# such as "this claim does not hold", "the theory": what is concluded, not what came about
_OPINION = lazy_pattern(
    r"\b(?:claim|theory|suspicion|hypothesis|assumption|explanation|suspect|idea)s?\b"
    r"|\b(?:can|could|may|might)\s*not\s+(?:have\s+been|be|explain|account)\b"
    r"|\b(?:is|was|are|were|did|does|do)\s*n[o']t\s+(?:be\s+)?(?:an?\s+|the\s+)?(?:cause|reason|make|explain"
    r"|trigger|lead|involved|at\s+fault|to\s+blame|responsible|relevant)"
    r"|^(?:there\s+(?:is|was)\s+)?(?:no|little)\s+(?:\w+\s+)?(?:sign|evidence|indication|proof|reason|link"
    r"|connection|doubt)\b|^nothing\s+(?:shows?|showed|suggests?|suggested|points?|pointed|indicates?)\b",
    re.IGNORECASE,
)
# such as "less than forecast", "no more": nothing happened to anything
_NO_EVENT = lazy_pattern(
    r"^(?:(?:less|more|fewer|better|worse)\s+than\b|(?:no\s+more|nothing|little|enough)\s*$)",
    re.IGNORECASE,
)
# such as "so that branches stay clear": what for
_PURPOSE = lazy_pattern(r"^\s*(?:[\w'-]+\s+){1,6}?(?:can|may|stay|remain|will)\b", re.IGNORECASE)


def _argues(one: Joined) -> bool:
    """`so the pool is not a cause`: the sentence reasons, it tells of nothing that happened."""
    is_purpose = one.cue.lower() == "so that" and _PURPOSE.match(one.effect)
    is_argued = one.cue.lower() in _ARGUING and _OPINION.search(one.effect)
    return bool(is_argued or is_purpose or _NO_EVENT.match(one.effect))


_ARGUING = frozenset({"so", "therefore", "thus", "hence", "consequently", "so that"})


def _chained(sentence: str, found: Sequence[Joined]) -> list[Joined]:
    """`A clogged B, so that C`: what leads to C is that B is clogged."""
    chained: list[Joined] = []
    for one in found:
        last = chained[-1] if chained else None
        if last is None and one.cause in ("that", "this", "it") and one.place:
            # "a valve stuck, and this": nothing else was read in what it points to
            said = clause_before(_THIS.sub("", sentence[: one.place]))
            one = replace(one, cause=said if _has_verb(said) else one.cause)  # noqa: PLW2901
        is_link = one.cue.lower().startswith(_RESULT_LINKS) and not one.is_open
        if last and is_link and last.relation == "causes" and last.place < one.place:
            one = replace(one, cause=last.effect)  # noqa: PLW2901 - the same link, its cause named
        chained.append(one)
    return chained


def _opened(sentence: str, walk: "_Walk", *, is_question: bool) -> Iterator[Joined]:
    """`because the fan stopped` explains by its whole clause: nothing more is read there."""
    found = [*open_clauses(sentence, walk.places), *participles(sentence, walk.places)]
    for one in () if walk.explains else (*found, *nominals(sentence)):
        before, after = sentence[: one.place], sentence[one.place + len(one.verb) :]
        before = _ENDED.split(before)[-1]
        mood = mood_of(before, one.verb, after, is_question=is_question)
        relation, effect = _ended(one)
        down = _BROUGHT_DOWN.match(one.thing) if one.verb.startswith("br") else None
        # what is brought down is lessened, or lies on the ground: the judge reads which
        thing = down[1] if down else one.thing if names_event(one.thing) else ""
        thing = thing if relation == "causes" else ""
        state = one.effect if relation == "prevents" and effect != one.effect else ""
        yield Joined(one.cause, effect, relation, mood, one.verb, one.place, True, thing, state)


def _ended(clause: OpenClause) -> tuple[Relation, str]:
    """`stopped the evictions` ends what went on, `stopped book loans` says what state they are in;
    `brought the turbidity down` lessens it."""
    if clause.thing == clause.effect and clause.verb.endswith(" by"):
        return "causes", clause.effect
    down = _BROUGHT_DOWN.match(clause.effect) if clause.verb.startswith("br") else None
    if down and names_event(down[1]):
        return "lowers", down[1]
    restored = _RESTORED.match(clause.effect)
    if restored and names_event(restored[1]):
        return "prevents", restored[1]
    if not _STOPPED.match(clause.verb):
        return "causes", clause.effect
    if names_event(clause.thing):
        return "prevents", clause.thing
    return "causes", resulting(clause.thing, clause.verb)


def _by_noun(sentence: str, *, is_question: bool) -> Joined | None:
    """`The cause of B was A`, and `The cause was A` of whatever was spoken of."""
    match = _CAUSE_OF.search(sentence)
    if match and not _BE_BEFORE.search(sentence[: match.start("lead")]):
        effect = plain(match["effect"])
    elif match := _CULPRIT.match(sentence):
        # of what was said before
        effect = "this"
    else:
        match = _CAUSE_WAS.match(sentence)
        effect = "the incident"
    if not match:
        return None
    before = sentence[: match.start("be")]
    mood = mood_of(before, match["be"], match["cause"], is_question=is_question)
    cause = object_after(match["cause"])
    if not cause or not effect or _NOT_KNOWN.match(cause):
        return None
    return Joined(cause, effect, "causes", mood, "cause")


def _together(sentence: str) -> list[Joined]:
    """`A and B rose together`: they coincided, and nothing more is said."""
    match = _COINCIDED.match(sentence)
    if not match:
        return []
    first, second = plain(match["first"]), plain(match["second"])
    return [Joined(first, second, "correlates", "asserted", "together")]


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
            self._last_subject, second = ends
            first, mood = self._last_subject, self._mood(place, found)
            if found.cue.form != "link":
                first = _without_denial(first)
            if found.cue.relation in ("prevents", "lowers") and _WILL.search(
                self._left(place, found)
            ):
                # "the alarm will keep …": what is hoped for
                mood = "hypothetical"
            cause, effect = (first, second) if found.cue.direction == "forward" else (second, first)
            # "With a full car, a derailment could have led to injuries"
            if found.cue.form == "link" and mood == "asserted" and _is_unreal(effect):
                mood = "hypothetical"
            if stem(self._at(found).split()[0]) in _STATES:
                effect = self._state(found, effect)
            relation = found.cue.relation
            state = self._state(found, effect) if relation == "lowers" else ""
            yield Joined(cause, effect, relation, mood, self._at(found), found.start, state=state)

    @property
    def places(self) -> list[int]:
        return [found.start for found in self._cues]

    @property
    def explains(self) -> bool:
        """Whether a link such as `because` joins clauses of the sentence."""
        cues = (found.cue for found in self._cues)
        return any(one.form == "link" and one.direction == "backward" for one in cues)

    def link_before(self, place: int) -> int:
        """Where the `so` stands that opens the clause of a place: there the verb says more."""
        for found in self._cues:
            between = self._sentence[found.end : place]
            if found.cue.form == "link" and found.end <= place and not _MARK.search(between):
                return found.start
        return -1

    def _state(self, found: FoundCue, thing: str) -> str:
        """`the memory exhausted`; a passive's subject stands before its verb anyway."""
        verb, *particle = self._at(found).lower().split()
        if found.cue.direction == "backward":
            return f"{thing} {verb}"
        return resulting(thing, verb, " ".join(particle))

    def _at(self, found: FoundCue) -> str:
        return self._sentence[found.start : found.end]

    def _left(self, place: int, found: FoundCue) -> str:
        begin = self._cues[place - 1].end if place else 0
        return self._sentence[begin : found.start]

    def _right(self, place: int, found: FoundCue) -> str:
        if place + 1 == len(self._cues):
            return self._sentence[found.end :]
        following = self._cues[place + 1]
        return _own_object(self._sentence[found.end : following.start], following.cue)

    def _mood(self, place: int, found: FoundCue) -> Mood:
        """Supposition carries over the whole sentence, denial only within its clause."""
        left, after = self._left(place, found), self._sentence[found.end :]
        mood = mood_of(
            left,
            self._at(found),
            after,
            is_question=self._is_question,
            has_own_denial=found.cue.form == "link" and _tells_of_nothing(after),
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
        is_relative = second.lower().startswith(("which ", "who ", "that "))
        if not second or is_relative or not left.strip(" ,;:-*_"):
            return None
        if _THAT_IS_WHAT.search(left):
            return "that", second
        if place and found.cue.form == "verb":
            if self._last_subject and (_shares_subject(left) or self._continues(place, left)):
                return self._last_subject, second
            if not _RELATIVE.search(left):
                left = _CONJUNCTION.split(left)[-1]
        subject = noun_phrase_before if self._describes(found, left) else subject_before
        return subject(left), second

    def _continues(self, place: int, left: str) -> bool:
        """`labels that resulted from the speed triggered`: after a relative clause the verb goes on
        with what the clause describes."""
        before = self._left(place - 1, self._cues[place - 1])
        is_defining = _RELATIVE.search(before) is not None and not before.rstrip().endswith(",")
        return is_defining and "," not in left and not _CONJUNCTION.search(left)

    def _describes(self, found: FoundCue, left: str) -> bool:
        """`the rule being triggered by`: a participle that belongs to the noun before it."""
        is_passive = self._at(found).lower().endswith(" by")
        ends_clause = left.rstrip().endswith((",", ";", ":", "-", "–", "—"))
        is_verb = _BE_BEFORE.search(_BEING.sub("", left))
        return is_passive and not ends_clause and not is_verb

    def _linked(self, place: int, found: FoundCue, left: str) -> tuple[str, str] | None:
        clause = clause_before(left)
        if found.cue.direction == "backward" and not clause and not _POINTING.search(left):
            fronted = split_fronted(self._sentence[found.end :])
            if fronted:
                return fronted[1], fronted[0]
            # "Why did it stop? Because the belt was off."
            said = object_after(self._right(place, found))
            return ("", said) if said and self._at(found) == "Because" else None
        second = object_after(self._right(place, found).lstrip(" ,"))
        is_word = self._at(found)[0].isalpha()
        is_inside = (
            found.cue.direction == "forward" and is_word and clause and not _has_verb(clause)
        )
        if is_inside and second and not left.rstrip().endswith((",", ";", ":", ".", " and")):
            # "customers therefore got nothing": the whole clause is the effect
            return "", f"{clause} {second}"
        if found.cue.direction == "forward" and clause and not _has_verb(clause):
            # "It counts any answer, even an empty one, so": what stands beside is not what led on
            whole = clause_before(left[: left.rfind(clause)])
            clause = whole if _has_verb(whole) else clause
        return (clause, second) if second else None

    def _is_used(self, found: FoundCue) -> bool:
        """Whether the word is the verb it looks like: `the increased load` increases nothing."""
        if found.cue.form == "link" or found.cue.relation == "correlates":
            return True
        before, word = self._sentence[: found.start], self._at(found).lower()
        # "Limited knowledge": at the head of a sentence it describes; "pods that depended on it"
        # says which pods, not why
        describes = word.endswith("ed") and not before.strip(" *_-#\"'“")
        measures = word.endswith(" by") and BY_HOW_MUCH.match(self._sentence, found.end)
        if describes or measures or (word.startswith("depend") and _RELATIVE.search(before)):
            return False
        if found.cue.direction == "backward" or word.startswith(("is ", "was ", "are ", "were ")):
            return True
        if _NO_VERB_AFTER.search(before) or not self._has_object(found):
            return False
        if " " not in word and word.endswith("ed") and _BE_BEFORE.search(before):
            return False
        return word not in BASE_FORMS or _has_plural_subject(before)

    def _has_object(self, found: FoundCue) -> bool:
        """`broke the boiler`; not `broke in the night`, nor `broke last night`."""
        is_time = found.cue.form == "verb" and WHEN.match(self._sentence, found.end)
        return not is_time and not _NO_OBJECT.match(self._sentence[found.end :])


def _has_verb(clause: str) -> bool:
    return first_finite(tokens_of(clause)) is not None


def _tells_of_nothing(after: str) -> bool:
    """`so no alarm was given`: that there was none is what came about. `so nothing shows that`
    argues, `because of no fault of ours` joins no clauses."""
    clause = object_after(after.lstrip(" ,"))
    is_argued = _STANDING.search(clause) or _DISMISSED.search(clause) or _OPINION.search(clause)
    return _has_verb(clause) and not is_argued


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
    return bool(asked) or _takes_base_form(before.rstrip()) or " and " in before[-60:]


def _takes_base_form(before: str) -> bool:
    """ "restarts" cause, "did not" cause, "they" cause; "→" cause."""
    if not before[-1:].isalnum():
        return not before[-1:].isascii()
    last = words_of(before)[-1]
    return (
        (last.endswith(("s", "ly")) and last not in _SINGULAR)
        or last in _BEFORE_BASE_FORM
        or denies_verb(last)
        or _is_helper(last)
    )


def _is_helper(word: str) -> bool:
    """ "did", "may", "has"."""
    return is_auxiliary(word) and word not in _BE_FORMS


def _shares_subject(left: str) -> bool:
    """ "the disk and then" in "filled the disk and then broke"."""
    for word in reversed(words_of(left)):
        if word in ("and", "or", "but"):
            return True
        is_between = word in _AFTER_CONJUNCTION or word.endswith("ly")
        if not (is_between or denies_verb(word) or _is_helper(word)):
            return False
    return False


def _without_denial(subject: str) -> str:
    """ "none of the pumps" are the pumps: the mood says that they did not."""
    words = placed_words(subject)
    if not words[1:] or not is_negation(words[0].text) or denies_verb(words[0].text):
        return subject
    # "nothing can", "nothing in the log", "without power" name no subject after the denial
    following = words[1].low
    is_phrase = is_auxiliary(following) or (is_preposition(following) and following != "of")
    if is_phrase or is_preposition(words[0].low):
        return subject
    return _PARTITIVE.sub("", subject[words[0].end :], count=1)
