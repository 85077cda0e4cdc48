"""Which phrases of one document mean the same event: `started evicting keys`, `the evictions`.

A later mention takes up an earlier one when its words are found there in some form, and the words
that are not only describe: `the dead printers` after `the printers refused to print`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.encoder import judge_calibration, reader_calibration
from groundwire.ground._alike import Alike
from groundwire.ground._joints import has_verb
from groundwire.ground._variables import label_of
from groundwire.text import (
    STOP_WORDS,
    is_auxiliary,
    is_base,
    is_negation,
    is_preposition,
    stem,
    word_set,
    words_of,
)

# such as "half-set", "slow-moving", "wide-open": how a thing is, not which
_COMPOUND = lazy_pattern(
    r"\b[a-z]+-(?:set|open|full|shut|dead|dry|empty|[a-z]+(?:ed|en|ing))\b", re.IGNORECASE
)
_REACH = 40
"""So many events back are looked at: what is further off is no longer meant by `the loop`."""
_REACH_BY_MEANING = 12
_REACH_BY_JUDGE = 6
_ASKED_OF = 2
_MOST_ASKED = 60
"""Phrases of one document that the judge is asked about."""
_MOST_GISTS = 8
_LEAST_STEM_CHARS = 4
_LONGEST_ENDING = 2
_FULL = 3
_DERIVED = frozenset(
    "ur ure ion at ati ation al ment anc enc abl e y i ier ity ness en ten ag age th".split()
)
_DEFINITE = word_set("the this that these those its their such his her our")
_ACTED_ON = _DEFINITE | word_set("a an it them up out off down over back")
_PARTICLES = word_set("in up out off down over back")
_DESCRIBING = word_set(
    """high low slow late early dead full empty wrong long longer short bad poor whole first second
    last new old other same total steady sudden repeated wave rush delay delays loss drop lack rise
    surge spike growth shortage increase decrease problem trouble failure fault issue more less many
    little few several level number amount rate hour minutes"""
)
_ANOTHER = [["a", one] for one in ("second", "third", "further", "new", "different")]
_NEW = [[one] for one in ("a", "an", "another", "some", "one", "two", "several")]
_COUNTS = word_set("one two three four five six seven eight nine ten half several many some")
_WEAK = frozenset(map(stem, word_set("begin start become get go come happen make cause result")))


@dataclass(frozen=True)
class _Gist:
    """The words that carry a phrase, as stems, and those of them that only describe."""

    stems: tuple[str, ...]
    describing: frozenset[str]
    is_definite: bool
    is_denied: bool
    is_another: bool
    """ "a second trip": none that was spoken of before."""
    moves: frozenset[str] = frozenset()
    """What moves and where to, in one word: "inrush" of "rush in", "outflow" of "flowed out"."""
    done: frozenset[str] = frozenset()
    """The stems of its verb forms: "melt" of "the frost melted"."""


@kept(20_000)
def _gist(phrase: str) -> _Gist:
    words = words_of(label_of(phrase) or phrase)
    is_clause = words_of(phrase)[:1] in (["they"], ["it"])
    stems: dict[str, None] = {}
    describing: set[str] = set()
    compounds = {word for match in _COMPOUND.finditer(phrase) for word in words_of(match[0])}
    for place, word in enumerate(words):
        if word in STOP_WORDS or is_auxiliary(word) or is_negation(word):
            continue
        # "began to evict" is evicting; "the start of the run" and "a late start" are starts
        if stem(word) in _WEAK and place + 1 < len(words) and words[place + 1] != "of":
            continue
        if word[0].isdigit() or word in _COUNTS:
            continue
        root = _verb_in(stem(word))
        following = words[place + 1] if place + 1 < len(words) else ""
        stems[root] = None
        # "removing the patch" is what somebody does, not a sort of patch
        is_deed = (
            place == 0
            and word.endswith("ing")
            and (following in _DEFINITE or following in _PARTICLES or following in ("a", "an"))
        )
        # "the blocked stands" describes them, "the stands blocked" says what happened
        is_last = not any(one not in STOP_WORDS for one in words[place + 1 :])
        # so does "half-set" of a blade
        is_compound = word in compounds
        if word in _DESCRIBING or (
            (word.endswith(("ed", "ing", "en")) or is_compound)
            and not is_deed
            and not is_clause
            and not is_last
        ):
            describing.add(root)
    particles = [word for word in words_of(phrase) if word in _PARTICLES]
    verbs = (word for word in words if word.endswith(("ed", "ing")))
    return _Gist(
        tuple(stems),
        frozenset(describing),
        words_of(phrase)[:1] != [] and words_of(phrase)[0] in _DEFINITE,
        any(map(is_negation, words)),
        words_of(phrase)[:2] in _ANOTHER or words_of(phrase)[:1] == ["another"],
        frozenset(f"{particle}{root}" for particle in particles for root in stems),
        frozenset(root for word in verbs if len(root := stem(word)) >= _LEAST_STEM_CHARS),
    )


def _verb_in(root: str) -> str:
    """ "login" and "rollback" are what one does to "log in" and to "roll back"."""
    for particle in _PARTICLES:
        verb = root.removesuffix(particle)
        if verb != root and is_base(verb):
            return verb
    return root


def _same_stem(one: str, other: str) -> bool:
    """ "departed" and "departure"; a label is no labeller."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    # "stop" and "stoppage": the last letter may be doubled
    ending = long[len(short) :].removeprefix(short[-1:]) or long[len(short) :]
    is_form = long.startswith(short) and (long[len(short) :] in _DERIVED or ending in _DERIVED)
    return len(short) >= _LEAST_STEM_CHARS and is_form


@dataclass
class Event:
    """What several phrases of a document mean; the fullest of them is its name."""

    names: dict[str, None] = field(default_factory=dict)
    core: dict[str, None] = field(default_factory=dict)
    """Those under which it is a cause or an effect."""
    gists: list[_Gist] = field(default_factory=list)
    members: "tuple[Event, ...]" = ()
    """Of a list what it lists: each is spoken of by itself, `the leak and the heat` by nobody."""

    @property
    def each(self) -> "tuple[Event, ...]":
        return self.members or (self,)

    def meets(self, other: "Event") -> bool:
        """Whether they are the same, or have a member in common."""
        return any(one is two for one in self.each for two in other.each)

    def tell(self, phrase: str) -> None:
        """It is a cause or an effect under this name; the members of a list under their own."""
        if not self.members:
            self.core.setdefault(phrase)
            return
        for one, part in zip(self.members, self.names, strict=False):
            one.core.setdefault(part)


class Events:
    """The events of a document in the order in which they are spoken of."""

    def __init__(self) -> None:
        self._recent: list[Event] = []
        self._asked = 0

    def mention(self, phrase: str, near: Iterable[Event] = (), other: Event | None = None) -> Event:
        """The event a phrase means: one spoken of before, what is `near` first; else a new one.

        `other` is what the phrase is set against: a cause is never its own effect.
        """
        event = self.known(phrase, near, other)
        return self._named(event or Event(), phrase)

    def known(
        self,
        phrase: str,
        near: Iterable[Event] = (),
        other: Event | None = None,
        *,
        is_thing: bool = False,
    ) -> Event | None:
        gist = _gist(phrase)
        if gist.stems and not (is_thing and gist.describing.issuperset(gist.stems)):
            for event in (*near, *reversed(self._recent[-_REACH:])):
                if not (other and event.meets(other)) and any(
                    _takes_up(gist, one) for one in event.gists[:_MOST_GISTS]
                ):
                    return event
        return None

    def thing(self, subject: str, near: Iterable[Event], other: Event | None) -> Event | None:
        """The event a clause goes on about: its name ends with the subject, or is headed by it.

        `handwritten tags` after `wrote bag tags by hand`; not `the run` after `the start of it`."""
        event = self.known(subject, near, other, is_thing=True)
        stems = _gist(subject).stems
        if event is None or not stems:
            return None
        return event if any(stems[-1] in _heads(name) for name in event.names) else None

    def meant(self, phrase: str, following: Event | None, alike: Alike) -> Event | None:
        """The event that other words mean: what the sentence before ended with if a word of it is
        taken up, else the one that is by far the nearest to `the water in the oil`."""
        tuned = reader_calibration().events
        label = label_of(phrase)
        is_thing = not has_verb(phrase)
        if (
            following is not None
            and not (is_thing and any(_is_other(phrase, one) for one in following.gists))
            and any(_shares(_gist(phrase), one) for one in following.gists)
        ):
            near = alike.near(label, [label_of(name) for name in following.names])
            if max(near) >= tuned.near_next:
                return following
        if not is_thing or not _gist(phrase).is_definite:
            return None
        events = [
            one
            for one in self._recent[-_REACH_BY_MEANING:]
            if phrase not in one.names and not any(_is_other(phrase, gist) for gist in one.gists)
        ]
        names = [(label_of(name), event) for event in events for name in event.names]
        if not names:
            return None
        near = alike.near(label, [name for name, _ in names])
        best, event = max(
            ((score, one) for score, (_, one) in zip(near, names, strict=True)),
            key=lambda pair: pair[0],
        )
        others = (score for score, (_, one) in zip(near, names, strict=True) if one is not event)
        is_clear = best - max(others, default=0.0) >= tuned.near_margin
        return event if best >= tuned.near_far and is_clear else None

    def told(
        self, phrase: str, near: Sequence[Event], other: Event | None, alike: Alike
    ) -> Event | None:
        """The event that says, in the judge's eyes, that there was what a phrase names: `the weak
        inflow` after `the inflow was throttled`. It is asked about the nearest by meaning."""
        # "a damp breaker" is brought up, not taken up; "removing the patch" is what somebody did
        if words_of(phrase)[:1] in _NEW or _is_deed(phrase) or self._asked >= _MOST_ASKED:
            return None
        recent = [one for one in reversed(self._recent) if phrase not in one.names]
        if not has_verb(phrase) and not _gist(phrase).is_definite:
            # "higher speed" after "congestion increased" brings up a thing of its own
            near, recent = _sharing(phrase, near), _sharing(phrase, recent)
        events = list(
            {id(one): one for one in (*near, *recent) if not (other and one.meets(other))}.values()
        )
        names = [
            (name, event)
            for event in events[:_REACH_BY_JUDGE]
            for name in list(event.core or event.names)[-1:]
        ]
        if not names:
            return None
        self._asked += 1
        near_by = alike.near(label_of(phrase), [label_of(name) for name, _ in names])
        # of a lone noun the judge believes too much: "the fleece" after "the cucumbers wilted"
        least = reader_calibration().events.near_told
        ranked = [
            at
            for at in sorted(range(len(names)), key=lambda at: -near_by[at])[:_ASKED_OF]
            if near_by[at] >= least
        ]
        if not ranked:
            return None
        scores = alike.told(phrase, [names[at][0] for at in ranked])
        best = max(range(len(ranked)), key=scores.__getitem__)
        is_told = scores[best] >= judge_calibration().spans.least_support
        return names[ranked[best]][1] if is_told else None

    def listed(self, parts: Mapping[str, Event]) -> Event:
        """What several phrases name together; nothing takes it up as a whole."""
        members = {id(event): (part, event) for part, event in parts.items()}.values()
        if len(members) == 1:
            return next(event for _, event in members)
        return Event(
            names=dict.fromkeys(part for part, _ in members),
            members=tuple(event for _, event in members),
        )

    def merge(self, event: Event, phrase: str) -> Event:
        """The last mention turns out to be an event that was spoken of before."""
        self._recent = [one for one in self._recent if list(one.names) != [phrase]]
        return self._named(event, phrase)

    def join(self, event: Event, phrase: str) -> Event:
        """A phrase that is known to mean an event: `this`, `their delay`."""
        return self._named(event, phrase)

    def _named(self, event: Event, phrase: str) -> Event:
        if event.members:
            return event  # "these delays": all of them
        if phrase not in event.names:
            event.names[phrase] = None
            if _gist(phrase) not in event.gists[-_MOST_GISTS:]:
                event.gists.append(_gist(phrase))
        if event in self._recent[-_REACH:]:
            self._recent.remove(event)
        self._recent.append(event)
        return event


def _is_deed(phrase: str) -> bool:
    """ "Removing the patch": what follows the gerund is what it is done to."""
    words = words_of(phrase)
    return len(words) > 1 and words[0].endswith("ing") and words[1] in _ACTED_ON


def _is_other(phrase: str, earlier: _Gist) -> bool:
    """ "the finance dashboard" after "the blank dashboard": the same kind, and another of it."""
    gist = _gist(phrase)
    found = {one for one in gist.stems if any(_same_stem(one, two) for two in earlier.stems)}
    return _head(phrase) in found and not gist.describing.issuperset(set(gist.stems) - found)


def _shares(later: _Gist, earlier: _Gist) -> bool:
    """Whether a word is taken up, and neither denies what the other says."""
    return later.is_denied == earlier.is_denied and any(
        _same_stem(one, other) for one in later.stems for other in earlier.stems
    )


def _sharing(phrase: str, events: Iterable[Event]) -> list[Event]:
    """Those whose names have a word of a phrase."""
    return [one for one in events if any(_shares(_gist(phrase), gist) for gist in one.gists)]


def _takes_up(later: _Gist, earlier: _Gist) -> bool:
    if later.is_denied != earlier.is_denied or later.is_another:
        return False
    if later.is_definite and len(later.stems) == 1 and _is_made_of(later.stems[0], earlier):
        return True
    found = [one for one in later.stems if any(_same_stem(one, other) for other in earlier.stems)]
    if not found or (
        len(later.stems) == 1 and not later.is_definite and later.stems != earlier.stems
    ):
        return False
    if len(earlier.stems) >= _FULL and set(earlier.stems) <= set(later.stems):
        return True  # the same, said more fully
    missing = set(later.stems) - set(found)
    carried = [one for one in found if one not in later.describing]
    return (
        missing <= later.describing
        and (bool(carried) or not missing)
        and 2 * len(found) >= len(later.stems)
    )


def _is_made_of(word: str, earlier: _Gist) -> bool:
    """ "the inrush" after "cold air rushed in", "the meltwater" after "the frost melted"."""
    return word in earlier.moves or any(
        word.startswith(root) and len(word) > len(root) + _LONGEST_ENDING for root in earlier.done
    )


def _heads(name: str) -> set[str]:
    """The last word that carries a name, and the last before its first preposition."""
    words = words_of(label_of(name) or name)
    return {_head(name), *(_verb_in(stem(one)) for one in words[-1:])}


def _head(name: str) -> str:
    words = words_of(label_of(name) or name)
    ends = (place for place, word in enumerate(words) if place and is_preposition(word))
    core = words[: next(ends, len(words))]
    return _verb_in(stem(core[-1])) if core else ""


def fullest(names: Sequence[str]) -> str:
    """The name that says most; of equals the first."""
    return max(names, key=lambda name: len(_gist(name).stems))
