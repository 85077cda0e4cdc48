"""Evidence read once and indexed by its words, to check many claims against."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from groundwire.judge.facts._sentence import Sentence, word_key
from groundwire.judge.facts._words import stem
from groundwire.values import Name

_NEAR_A_ROW = 2


@dataclass(frozen=True, slots=True)
class IndexedEvidence:
    """Sentences, and in which of them each word and each name stands."""

    sentences: tuple[Sentence, ...]
    mute: frozenset[int]
    """Sentences that accuse nobody: questions, cut numbers, and what stands in or by a table."""
    postings: dict[str, list[int]]
    names: dict[tuple[str, ...], list[tuple[int, Name]]]
    is_whole: bool
    """Whether every value was looked at; nothing is accused by evidence half read."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        sentences = tuple(Sentence(text) for text in texts)
        postings, names = defaultdict(list), defaultdict(list)
        for place, sentence in enumerate(sentences):
            for key in sentence.keys:
                postings[key].append(place)
            for _, name in sentence.named:
                names[name.words].append((place, name))
        is_whole = not any(sentence.is_cut for sentence in sentences)
        return cls(sentences, _mute(sentences), dict(postings), dict(names), is_whole)

    def knows(self, word: str) -> bool:
        return word_key(word) in self.postings

    def shared_words(self, claim: Sentence) -> Counter[int]:
        """How many of the claim's words each sentence has, where it has any."""
        shared: Counter[int] = Counter()
        for word in claim.stems:
            shared.update(self.postings.get(word_key(word), ()))
        return shared

    def speaking_of(self, words: Iterable[str]) -> frozenset[int]:
        """The sentences that have one of some words."""
        keys = {word_key(stem(word)) for word in words}
        return frozenset(place for key in keys for place in self.postings.get(key, ()))

    def around(self, place: int) -> Sequence[Sentence]:
        return self.sentences[max(0, place - 1) : place + 2]


def _mute(sentences: Sequence[Sentence]) -> frozenset[int]:
    rows = [place for place, sentence in enumerate(sentences) if sentence.is_row]
    beside = range(-_NEAR_A_ROW, _NEAR_A_ROW + 1)
    mute = {row + step for row in rows for step in beside}
    mute |= {place for place, sentence in enumerate(sentences) if sentence.asks}
    mute |= {
        place for place in range(len(sentences) - 1) if _is_torn(*sentences[place : place + 2])
    }
    return frozenset(mute)


def _is_torn(sentence: Sentence, following: Sentence) -> bool:
    """Whether a sentence ends within a number: "an impressive 1." and "1 million"."""
    head, dot = sentence.text.rstrip()[-2:-1], sentence.text.rstrip()[-1:]
    return dot == "." and head.isdigit() and following.text.lstrip()[:1].isdigit()
