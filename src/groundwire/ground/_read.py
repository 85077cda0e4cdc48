"""What a text says causes what, read from its constructions. No model, no guess.

A small cross-encoder scores `A causes B` nearly as high as `B causes A` for the same sentence, and
does not see that two things only coincided. The construction tells: `caused by` points one way
and `led to` the other, `did not` denies and `may have` supposes. What has no known construction is
not read at all.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, Protocol

from pydantic import Field

from groundwire._patterns import lazy_pattern
from groundwire.ground._alike import Alike
from groundwire.ground._clauses import Joined, Mood, joined_in
from groundwire.ground._corefer import Event, Events, fullest
from groundwire.ground._joints import boundaries, has_verb, looks_past
from groundwire.ground._learned import Drafted as LearnedDraft
from groundwire.ground._lexicon import Relation
from groundwire.ground._match import roots
from groundwire.ground._phrases import (
    clause_before,
    is_anaphor,
    is_generic,
    object_after,
    subject_of,
)
from groundwire.ground._points import COMMA, NOT_THAT
from groundwire.ground._variables import (
    is_generic_name,
    label_of,
    listed_in,
    variable_names,
    whole_name,
)
from groundwire.model import DraftEdge, EdgeSign, Model, Span
from groundwire.text import (
    STOP_WORDS,
    Block,
    Words,
    first_finite,
    is_auxiliary,
    marks_in,
    read,
    sentences_of_words,
    status_in,
    tokens_of,
    unmarked_words,
    word_set,
)

MAX_SENTENCE_WORDS = 100
MAX_READINGS = 1_000
"""Of one text: a page has some twenty."""
# such as "Incident on 2024-05-01 - Slow ingress"
_BESIDE = lazy_pattern(
    r"^(?:incident|post-?mortem|outage|report|review)?\W*(?:(?:on|of|from)\s+)?"
    r"(?:\d{4}-\d\d-\d\d|\w+-\d+)?\W*",
    re.IGNORECASE,
)
# such as "12:04 the pump tripped", "Impact: no water"
_LABEL = lazy_pattern(
    r"^(?:\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?|\[?\d\d:\d\d\]?|[A-Z][\w /-]{0,30}:)\s*[:-]?\s+(?=\S)"
)
_MARKS = "*_`"
# such as "the pump from being started"
_KEPT_FROM = lazy_pattern(r"\s+(?:from|against)\s+(?:being\s+)?")
# such as "the damp out of the barley"
_OUT_OF = lazy_pattern(r"\s+out\s+of\s+")
# such as "the outage"
_ARTICLE = lazy_pattern(r"^(?:the|an?)\s+", re.IGNORECASE)
# such as "The loss of the sessions had three consequences:"
_CONSEQUENCES = lazy_pattern(
    r"^(.{3,120}?)\s+(?:had|has)\s+(?:\w+\s+){0,2}(?:consequences|effects|results)\s*:\s*$",
    re.IGNORECASE,
)
# such as "Why was the milk too warm?"
_WHY = lazy_pattern(
    r"^(?:(?:so|but|and)\s+)?why\s+(?:was|were|is|are|did|does|do|had|has|could|couldn't|didn't)\s+"
    r"(.{3,120}?)\?\s*$",
    re.IGNORECASE,
)
# such as "We could not settle this", "Nobody knows", "That is open": no reason is given
_NO_ANSWER = lazy_pattern(
    r"^(?:we|i|you|they|nobody|no\s+one|nothing|it|this|that|there|yes|no)\b", re.IGNORECASE
)
# such as "this delay", "such heat", "cooling of this kind": what was told last
_THIS_ONE = lazy_pattern(
    r"^(?:this|that|these|those|such(?:\s+an?)?)\s+\w|\sof\s+th(?:is|at)\s+(?:kind|sort)\b",
    re.IGNORECASE,
)
# such as "them grey", "it up": what a verb acts on
_OBJECT = lazy_pattern(r"^(?:them|it)\s+(?=\w)", re.IGNORECASE)
# such as "They timed out": what they are was said before
_PRONOUN = lazy_pattern(r"^(?:they|it)\s+(?=\w)", re.IGNORECASE)
# such as "since", "because" left at the head of a clause
_OPENING = lazy_pattern(
    r"^(?:(?:since|because|when|whenever|once|so|and|then)\s+|there\s+(?:is|was|were|are)\s+)",
    re.IGNORECASE,
)
# such as "While we were at it, node 2 ran out of disk": it speaks of node 2
_SUBORDINATE = lazy_pattern(
    r"^(?:while|when|whenever|once|after|before|as|since|because|although|though|if|until)\s[^,;]{3,90},\s+",
    re.IGNORECASE,
)
# such as "Once it had tripped,"
_SUBORDINATED = lazy_pattern(r"(?:once|when|after|because|since|as)\s+(?:it|they)\s", re.IGNORECASE)
# such as "Especially given", "Although", "as each one came up": no cause and no effect of anything
_FRAGMENT = lazy_pattern(
    r"^(?:\w+ed$|(?:at\s+)?noon\b|especially|although|though|but|even|as|while|given|over\s+time|during|if|only|somehow|approx"
    r"|currently|apparently|note|e\.?g|i\.?e|including|according|regardless|instead|how|whether|please)\b",
    re.IGNORECASE,
)
# such as "KIAM - a service that assumes roles - expired"
_ASIDE = lazy_pattern(r"\s+[-–—]\s+[^-–—.;:]{3,90}?\s+[-–—]\s+")
# such as ", and not the soap," in "The glove, and not the soap, caused the rash"
_SET_AGAINST = lazy_pattern(rf"{NOT_THAT}[^,;:]{{2,60}}{COMMA}(?=\s)", re.IGNORECASE)
# such as ", e.g. on Route 9" in "icy roads, e.g. on Route 9, and to three crashes"; what "led to,
# e.g., delays" names is no aside
_FOR_EXAMPLE = lazy_pattern(
    rf"(?<!\bto)(?<!\bby)(?<!ed),\s+(?:e\.g\.|i\.e\.|for\s+(?:example|instance)\b(?!,)),?\s+[^,;:]"
    rf"{{2,60}}?(?={COMMA}|[.;:]?$)",
    re.IGNORECASE,
)
# such as "their delay"
_POSSESSED = lazy_pattern(r"^(?:its|their)\s+\w+$", re.IGNORECASE)
_SUPPOSED_SECTIONS = frozenset({"asked", "planned", "example", "hidden"})
_PROSE = ("paragraph", "item", "row", "quote")
_MOST_LEARNED = 200
"""Sentences of one document that the learned reader drafts from."""
_MAX_EVENT_WORDS = 20
_MAX_OBJECT_WORDS = 8
_NEW = word_set("a an some")
# such as "Root cause: a full disk"
_ROOT_CAUSE_LABEL = lazy_pattern(r"^(?:(?:root|immediate|direct)\s+)?cause:\s+", re.IGNORECASE)


class Named(NamedTuple):
    """One name for an event, and all phrases of the text that mean it."""

    label: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class CausalReading:
    """One construction: `cause` and `effect` as worded, and the words of the text that say so.

    `cause_names` and `effect_names` are all phrases of the text that mean the same. `span` covers
    the sentence, and the one before where the sentence begins with `This`.
    """

    cause: str
    effect: str
    relation: Relation
    mood: Mood
    cue: str
    span: Span
    cause_names: tuple[str, ...] = ()
    effect_names: tuple[str, ...] = ()
    is_open: bool = False
    is_linked: bool = False
    """Another sentence says what brought the cause about, or what came of the effect."""
    sentence: str = ""
    """What it was read from, with what `it` and `they` mean there in their place."""
    state: str = ""
    """Of what is lessened or ended, what became of it in the sentence's own words."""
    is_learned: bool = False
    """Drafted by the learned reader, which then has no say in whether it holds."""
    causes: tuple[Named, ...] = ()
    effects: tuple[Named, ...] = ()
    """Each variable by itself: a list has several."""

    def moved(self, chars: int) -> "CausalReading":
        """The same at another place."""
        span = Span(start=self.span.start + chars, end=self.span.end + chars)
        return replace(self, span=span)

    @property
    def is_asserted_cause(self) -> bool:
        return self.mood == "asserted" and self.relation != "correlates"

    @property
    def sign(self) -> EdgeSign:
        signs: dict[str, EdgeSign] = {"lowers": "lowers", "prevents": "prevents"}
        return signs.get(self.relation, "raises")


@dataclass(frozen=True)
class _Before:
    """What was said last: where its sentence begins, and what `this` would mean after it.

    `listed`: items follow, and what `it` means in each of them is this. `subject` is what the
    sentence spoke of.
    """

    start: int
    meaning: str
    event: Event | None = None
    listed: bool = False
    subject: str = ""
    is_asked: bool = False
    """Why that was so is asked: the sentence that follows is the answer."""


@dataclass(frozen=True)
class _Found:
    joined: Joined
    cause: Event
    effect: Event
    span: Span
    is_news: bool = False
    """The effect was neither cause nor effect of anything before."""
    sentence: str = ""

    @property
    def is_told(self) -> bool:
        """By a listed word, and asserted."""
        joined = self.joined
        is_sure = joined.mood == "asserted" and not joined.is_open
        return is_sure and joined.relation != "correlates"


class Learned(Protocol):
    """Who drafts where no construction is known."""

    def prepare(self, sentences: Iterable[str]) -> None: ...

    def drafts(self, sentence: str) -> "list[LearnedDraft]": ...


class Signs(Protocol):
    """Who says what a verb of no list does to what goes on."""

    def relation(self, cause: str, thing: str, sentence: str) -> Relation: ...


def read_causal(
    text: str,
    title: str | None = None,
    signs: Signs | None = None,
    alike: Alike | None = None,
    learned: Learned | None = None,
) -> tuple[CausalReading, ...]:
    """Every causal and correlational construction of a text, in order."""
    found = _went_on(_Reader(text, title, signs, alike, learned).run())
    told = [one for one in found if one.is_told]
    return tuple(
        _reading(
            one,
            any(
                other.span != one.span
                and (other.effect.meets(one.cause) or other.cause.meets(one.effect))
                for other in told
            ),
        )
        for one in found
    )


def _went_on(found: Sequence[_Found]) -> list[_Found]:
    """`It lowered the pH, and the low pH irritated the eyes`: what goes on from there is that it
    was low, so that is what was brought about."""
    told: list[_Found] = []
    for place, one in enumerate(found):
        joined = one.joined
        is_state = joined.relation == "lowers" and joined.mood == "asserted" and joined.state
        if (
            is_state
            and one.is_news
            and any(two.cause.meets(one.effect) for two in found[place + 1 :])
        ):
            one.effect.tell(joined.state)
            joined = replace(joined, relation="causes", effect=joined.state)
        told.append(replace(one, joined=joined))
    return told


def _reading(found: _Found, is_linked: bool) -> CausalReading:  # noqa: FBT001
    joined = found.joined
    causes = tuple(map(_named, found.cause.each))
    effects = tuple(map(_named, found.effect.each))
    return CausalReading(
        joined.cause,
        joined.effect,
        joined.relation,
        joined.mood,
        joined.cue,
        found.span,
        tuple(dict.fromkeys(name for one in causes for name in one.names)),
        tuple(dict.fromkeys(name for one in effects for name in one.names)),
        joined.is_open,
        is_linked,
        found.sentence,
        joined.state if joined.relation != "causes" else "",
        joined.is_learned,
        causes,
        effects,
    )


def _named(event: Event) -> Named:
    return Named(_label(event), tuple(dict.fromkeys((*event.core, *event.names))))


def _label(event: Event) -> str:
    """One name for all mentions: the fullest under which it is a cause or an effect."""
    labels = [label for name in event.core for label in variable_names(name)[:1]]
    if labels and not is_generic_name(fullest(labels)):
        return fullest(labels)
    # "the patch" goes under what was said of it: "a patch went onto the charging node"
    others = [label for name in event.names for label in variable_names(name)[:1]]
    return fullest([*labels, *others]) if labels or others else ""


class _Reader:
    def __init__(
        self,
        text: str,
        title: str | None,
        signs: Signs | None,
        alike: Alike | None,
        learned: Learned | None = None,
    ) -> None:
        self._learned = learned
        self._text = text
        self._signs = signs
        self._alike = alike
        self._subject = _title_subject(title)
        self._events = Events()

    def run(self) -> list[_Found]:
        if self._learned is not None:
            self._learned.prepare(islice(self._unread(), _MOST_LEARNED))
        found: list[_Found] = []
        before: _Before | None = None
        for block in read(self._text).blocks:
            if block.kind in ("code", "comment", "front_matter") or block.is_header:
                before = None
                continue
            listed = before if block.kind == "item" and before and before.listed else None
            for words in self._pieces(block):
                for start, end in sentences_of_words(words, MAX_SENTENCE_WORDS):
                    new = self._sentence(words, start, end, listed or before, block)
                    found += new
                    if len(found) >= MAX_READINGS:
                        return found
                    sentence = words.text[start:end].replace("\n", " ")
                    before = listed or self._after(sentence, words.places[start], new)
        return found

    def _unread(self) -> Iterator[str]:
        """Sentences of prose that no known construction is found in."""
        for block in read(self._text).blocks:
            if block.kind not in _PROSE or block.is_header:
                continue
            for words in self._pieces(block):
                for start, end in sentences_of_words(words, MAX_SENTENCE_WORDS):
                    body = _body(words.text[start:end].replace("\n", " "))
                    if all(one.is_open for one in joined_in(body)):
                        yield body

    def _after(self, sentence: str, start: int, found: Sequence[_Found]) -> _Before:
        """What `this` means after a sentence: its last effect, else its main clause."""
        subject = subject_of(_SUBORDINATE.sub("", sentence))
        if not any(one.is_told for one in found):
            # "found flakes of iron": later they are the flakes
            for thing in _objects(_without_label(sentence)):
                self._events.mention(thing)
        if found and found[-1].joined.relation != "correlates":
            last = found[-1]
            return _Before(start, last.joined.effect, last.effect, subject=subject)
        asked = _WHY.match(sentence)
        if asked:
            return _Before(start, asked[1], self._events.mention(asked[1]), is_asked=True)
        listed = _CONSEQUENCES.match(sentence)
        if listed:
            return _Before(start, listed[1], self._events.mention(listed[1]), listed=True)
        if sentence.rstrip().endswith((":", "?")):
            return _Before(start, "")
        meaning = clause_before(object_after(_without_label(sentence)))
        if not meaning or len(meaning.split()) > _MAX_EVENT_WORDS:
            return _Before(start, meaning)
        return _Before(start, meaning, self._events.mention(meaning), subject=subject)

    def _pieces(self, block: Block) -> list[Words]:
        ranges = [block.pieces]
        if block.kind == "row":
            ranges = [((cell.start, cell.end),) for cell in block.cells]
        found = (unmarked_words(self._text, pieces) for pieces in ranges)
        return [words for words in found if words.text]

    def _sentence(
        self, words: Words, start: int, end: int, before: _Before | None, block: Block
    ) -> list[_Found]:
        sentence = words.text[start:end].replace("\n", " ")
        body = _body(sentence)
        found = joined_in(body)
        if not found and _ROOT_CAUSE_LABEL.match(sentence):
            found = joined_in(f"The cause was {body}")
        if all(one.is_open for one in found) and self._learned and block.kind in _PROSE:
            found += tuple(
                Joined(
                    one.cause,
                    one.effect,
                    "causes",
                    "asserted",
                    "",
                    one.place,
                    True,
                    is_learned=True,
                )
                for one in self._learned.drafts(body)
                if not any(roots(one.effect) & roots(two.effect) for two in found)
            )
        own = _with_marks(self._text, words.places[start], words.places[end - 1] + 1)
        supposed = status_in(sentence, 0, 0, block).labels & _SUPPOSED_SECTIONS if found else ()
        read: list[_Found] = []
        for joined in found:
            one = replace(joined, mood="hypothetical") if supposed else self._signed(joined, body)
            resolved = self._resolved(one, own, before, read, body)
            if resolved is not None:
                read.append(resolved)
        if before is not None and before.is_asked and not supposed:
            read += self._answered(body, own, before, read)
        return read

    def _answered(
        self, body: str, own: Span, before: _Before, read: Sequence[_Found]
    ) -> list[_Found]:
        """`Why was the milk warm? The valve stuck, so the pump ran dry`: the valve is why."""
        asked = before.event
        if asked is None or any(asked in (one.cause, one.effect) for one in read):
            return []
        told = next((one for one in read if one.is_told), None)
        if told is not None:
            cause, event = told.joined.cause, told.cause
        else:
            cause = clause_before(object_after(body))
            if not has_verb(cause) or _NO_ANSWER.search(body) or marks_in(body):
                return []
            event = self._events.mention(cause, other=asked)
        joined = Joined(cause, before.meaning, "causes", "asserted", "why")
        event.tell(cause)
        asked.tell(before.meaning)
        span = Span(start=before.start, end=own.end)
        return [_Found(joined, event, asked, span, sentence=f"{before.meaning} because {cause}.")]

    def _signed(self, joined: Joined, sentence: str) -> Joined:
        if self._signs is None or not joined.thing or joined.mood != "asserted":
            return joined
        relation = self._signs.relation(joined.cause, joined.thing, sentence)
        if relation == "causes":
            return joined
        return replace(joined, relation=relation, effect=joined.thing, state=joined.effect)

    def _resolved(
        self,
        joined: Joined,
        own: Span,
        before: _Before | None,
        read: Sequence[_Found],
        body: str,
    ) -> _Found | None:
        span, told = own, body
        ends: list[tuple[str, Event]] = []
        for phrase in (joined.cause, joined.effect):
            if is_anaphor(phrase):
                if read:
                    ends.append((read[-1].joined.effect, read[-1].effect))
                    continue
                if before is None or not before.meaning:
                    return None
                event = before.event or self._events.mention(before.meaning)
                ends.append((before.meaning, event))
                told = _in_place(told, phrase, before.meaning)
                span = Span(start=before.start, end=own.end)
            elif is_generic(phrase) and self._subject:
                ends.append((self._subject, self._events.mention(self._subject)))
            else:
                bare = _OPENING.sub("", phrase)
                name = _named_again(bare, body, before, joined, read)
                told = told.replace(bare, name, 1)
                name = _kept_from(name) if joined.relation == "prevents" else name
                other = ends[0][1] if ends else None
                event = self._event(name, before, read, other, is_told=joined.mood == "asserted")
                ends.append((name, event))
        if joined.mood == "asserted" and any(_FRAGMENT.match(phrase) for phrase, _ in ends):
            return None
        (cause, cause_event), (effect, effect_event) = ends
        if not cause or not effect or cause_event is effect_event:
            return None
        is_news = not effect_event.core
        if joined.mood == "asserted":
            cause_event.tell(cause)
            effect_event.tell(effect)
        joined = replace(joined, cause=cause, effect=effect)
        return _Found(joined, cause_event, effect_event, span, is_news, told)

    def _event(
        self,
        phrase: str,
        before: _Before | None,
        read: Sequence[_Found],
        other: Event | None,
        *,
        is_told: bool,
    ) -> Event:
        """Nearest first: what this sentence said before, then the sentence before it. The members
        of a list are events of their own."""
        parts = listed_in(phrase)
        if parts:
            each = {part: self._event(part, before, read, other, is_told=is_told) for part in parts}
            return self._events.listed(each)
        last = [one.effect for one in reversed(read)]
        if before is not None and before.event is not None:
            last.append(before.event)
        near = [one for event in last for one in event.each]
        if (
            _POSSESSED.match(phrase)
            and before is not None
            and before.event is not None
            and not read
        ):
            return self._events.join(before.event, phrase)
        event = self._events.mention(phrase, near, other)
        if len(event.names) == 1 and last and last[0] is not other and _THIS_ONE.search(phrase):
            return self._events.merge(last[0], phrase)
        subject = subject_of(phrase)
        if len(event.names) == 1 and subject:
            # "handwritten tags cannot be read": they are the tags that were written by hand
            known = self._events.thing(subject, near, other)
            if known:
                return self._events.join(known, phrase)
        is_new = len(event.names) == 1 and event not in near
        if is_new and other is None and self._alike is not None:
            meant = self._events.meant(phrase, near[0] if near else None, self._alike)
            if meant is None and is_told:
                meant = self._events.told(phrase, near, other, self._alike)
            return self._events.merge(meant, phrase) if meant else event
        return event


def _in_place(sentence: str, pronoun: str, meaning: str) -> str:
    """A sentence with what a pronoun means; what has none goes on from what is meant."""
    if sentence.startswith("Because"):
        return f"{meaning} {sentence[0].lower()}{sentence[1:]}"
    word = re.compile(rf"\b{re.escape(pronoun)}\b", re.IGNORECASE)
    if not pronoun or not word.search(sentence):
        return f"{meaning}. {sentence}"
    return word.sub(lambda _: meaning, sentence, count=1)


def _named_again(
    phrase: str,
    sentence: str,
    before: _Before | None,
    joined: Joined,
    read: Sequence[_Found],
) -> str:
    """`They timed out` with what they are: the subject of the sentence before where it opens the
    sentence, else that of its own: `The trucks missed it because they departed late`. Once `it` had
    tripped, the watchdog locked the door: it is the watchdog. What a verb acts on is not its own
    subject: `the soil turned them grey` speaks of what was told before."""
    if joined.is_open and phrase == joined.effect and not joined.cue.startswith("Because"):
        subject = subject_of(read[-1].joined.effect) if read else before.subject if before else ""
        return _OBJECT.sub(f"{subject} ".replace("\\", ""), phrase) if subject else phrase
    if not _PRONOUN.match(phrase):
        return phrase
    opens = sentence.lower().startswith(phrase[:20].lower())
    if not opens and phrase == joined.cause and _SUBORDINATED.match(sentence):
        main = subject_of(joined.effect)
        return _PRONOUN.sub(f"{main} ".replace("\\", ""), phrase) if main else phrase
    subject = (before.subject if before else "") if opens else subject_of(sentence)
    return _PRONOUN.sub(f"{subject} ".replace("\\", ""), phrase) if subject else phrase


def _body(sentence: str) -> str:
    bare = _ASIDE.sub(" ", _without_label(sentence))
    return _SET_AGAINST.sub("", _FOR_EXAMPLE.sub("", bare))


def _objects(sentence: str) -> list[str]:
    """What the clauses of a sentence act on and bring up: `flakes of iron` in `sieved it and found
    flakes of iron`; `its signal` was known before."""
    starts = [0, *(one.end for one in boundaries(sentence))]
    ends = [*(one.start for one in boundaries(sentence)), len(sentence)]
    found = []
    for start, end in zip(starts, ends, strict=True):
        tokens = [one for one in tokens_of(sentence[start:end]) if one.text[0].isalnum()]
        verb = 0 if tokens and looks_past(tokens[0].low) else first_finite(tokens)
        if verb is None or is_auxiliary(tokens[verb].low):
            continue
        thing = object_after(sentence[start + tokens[verb].end : end])
        words = thing.lower().split()
        is_new = words[:1] != [] and (words[0] in _NEW or words[0] not in STOP_WORDS)
        if is_new and 1 < len(words) <= _MAX_OBJECT_WORDS and not has_verb(thing):
            found.append(thing)
    return found


def _without_label(sentence: str) -> str:
    """`Impact: no water` without its label; `It goes back to a merge: …` tells something itself."""
    label = _LABEL.match(sentence)
    if label is None or first_finite(tokens_of(label[0])) is not None:
        return sentence
    return sentence[label.end() :]


def _with_marks(text: str, start: int, end: int) -> Span:
    """A quote begins and ends with the marks that belong to its first and last word."""
    while start and text[start - 1] in _MARKS:
        start -= 1
    while end < len(text) and text[end] in _MARKS:
        end += 1
    return Span(start=start, end=end)


def _kept_from(effect: str) -> str:
    """`the flood from reaching D`: the flood reaching D; so too `the ward from the outage`, and the
    damp in the barley where it was kept out of it."""
    effect = _OUT_OF.sub(" in ", effect)
    match = _KEPT_FROM.search(effect)
    if match is None:
        return effect
    return f"{effect[: match.start()]} {_ARTICLE.sub('', effect[match.end() :])}"


def _title_subject(title: str | None) -> str | None:
    """What a report is about: `Incident on 2024-05-01 - Slow ingress` is about slow ingress."""
    if not title:
        return None
    bare = _BESIDE.sub("", title.lstrip("# "), count=1)
    causes = [joined for joined in joined_in(bare) if joined.mood == "asserted"]
    subject = causes[0].effect if causes else bare
    return subject or None


_WEAK_CUES = ("contribut", "affect", "influenc", "allow", "enabl", "depend", "attribut")
_TOO_GENERAL = {"issue", "problem", "incident", "situation", "event", "disruption", "change"}
MAX_DRAFTS_PER_DOCUMENT = 500


class Drafted(Model):
    """What one document gave. `set_aside` counts what was denied, supposed or only correlated.

    `aliases` are the other names of a variable in this document, `stated` the numbers of the
    readings that each edge rests on.
    """

    edges: tuple[DraftEdge, ...] = ()
    stated: tuple[tuple[int, ...], ...] = ()
    set_aside: dict[str, int] = Field(default_factory=dict)
    aliases: dict[str, tuple[str, ...]] = Field(default_factory=dict)


def draft_edges(text: str, title: str | None = None) -> Drafted:
    return drafted_from(read_causal(text, title))


def drafted_from(readings: Sequence[CausalReading]) -> Drafted:
    """Each pair of variables once, in the order in which the text first joins them."""
    drafts: dict[tuple[frozenset[str], frozenset[str]], DraftEdge] = {}
    stated: dict[tuple[frozenset[str], frozenset[str]], list[int]] = {}
    aliases: dict[str, tuple[str, ...]] = {}
    for number, reading in enumerate(readings):
        if len(drafts) >= MAX_DRAFTS_PER_DOCUMENT:
            break
        if not reading.is_asserted_cause:
            continue
        for draft in _drafts(reading):
            key = roots(draft.from_var), roots(draft.to_var)
            drafts.setdefault(key, draft)
            stated.setdefault(key, []).append(number)
        for label, names in (*reading.causes, *reading.effects):
            aliases[label] = _others(label, names) if label else ()
    set_aside = Counter(_set_aside(readings))
    if len(readings) >= MAX_READINGS:
        set_aside["beyond_limit"] += 1
    return Drafted(
        edges=tuple(drafts.values()),
        stated=tuple(map(tuple, stated.values())),
        set_aside=dict(sorted(set_aside.items())),
        aliases={name: others for name, others in aliases.items() if others},
    )


def _drafts(reading: CausalReading) -> Iterable[DraftEdge]:
    cue = " ".join(reading.cue.lower().split())
    verb = {"raises": "causes"}.get(reading.sign, reading.sign)
    for cause in _labels(reading.causes):
        for effect in _labels(reading.effects):
            is_about = roots(cause) and roots(effect) and not {cause, effect} & _TOO_GENERAL
            # nothing brings itself about: "240 pupils came early" and "240 pupils"
            is_same = roots(cause) == roots(effect) or cause.startswith(effect)
            if is_about and not is_same:
                yield DraftEdge(
                    from_var=cause,
                    to_var=effect,
                    mechanism=f"{label_of(reading.cause)} {verb} {label_of(reading.effect)}",
                    sign=reading.sign,
                    strength="moderate" if cue.startswith(_WEAK_CUES) else "strong",
                    chain_of_thought=f"The text joins them by {cue!r}.",
                )


def _labels(named: Sequence[Named]) -> list[str]:
    return list(dict.fromkeys(one.label for one in named if one.label))


def _others(label: str, names: Sequence[str]) -> tuple[str, ...]:
    """The other names, and those that a label cuts short as they are worded; a list of several
    things is the name of none of them."""
    single = [name for name in names if not listed_in(name)]
    labels = dict.fromkeys((*map(label_of, single), *map(whole_name, single)))
    return tuple(one for one in labels if one and one != label)


def _set_aside(readings: Iterable[CausalReading]) -> Iterable[str]:
    for reading in readings:
        if reading.mood != "asserted":
            yield reading.mood
        elif reading.relation == "correlates":
            yield "correlation"
