"""Which labels are near to a term that is not there. Pure: the candidates come from elsewhere."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

from groundwire.encoder import reader_calibration
from groundwire.errors import EvidenceError, GroundwireError, StoreError
from groundwire.model import Suggestion, TermReport
from groundwire.observe import Metrics, metrics, request, span
from groundwire.terms._intent import Asked, read_question
from groundwire.terms._protocol import Vocabulary
from groundwire.terms._report import failure_report, report
from groundwire.text import STOP_WORDS, words_of

MAX_CANDIDATES = 200
MAX_GRAMS = 60
MOST_WORDS, LONGEST_LABEL, MOST_LABELS = 24, 3, 3
"""Of a question so many words are looked up, so many together, and so many labels taken."""


def grams(key: str) -> list[str]:
    """The letters of a key in threes, as the index has them; quotes would end the query."""
    padded = f"  {key} ".replace('"', " ")
    threes = (padded[start : start + 3] for start in range(len(padded) - 2))
    return list(dict.fromkeys(three for three in threes if three.strip()))[:MAX_GRAMS]


class Candidate(NamedTuple):
    key: str
    label: str
    uri: str


def nearest(key: str, candidates: Iterable[Candidate], limit: int) -> list[tuple[Candidate, float]]:
    """The labels most like a key, with a score from 0 to 1, best first, no concept twice."""
    least = reader_calibration().terms.least_likeness
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(key)
    scored: list[tuple[float, Candidate]] = []
    for candidate in candidates:
        matcher.set_seq1(candidate.key)
        if matcher.quick_ratio() >= least and (score := matcher.ratio()) >= least:
            scored.append((round(score, 3), candidate))
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    chosen: list[tuple[Candidate, float]] = []
    seen: set[str] = set()
    for score, candidate in scored:
        if candidate.key not in seen and candidate.uri not in seen:
            chosen.append((candidate, score))
            seen |= {candidate.key, candidate.uri}
    return chosen[:limit]


class Terminology:
    """Definitions from a vocabulary and from nowhere else [S3 Gap A]."""

    def __init__(
        self, vocabulary: Vocabulary, *, suggestions: int = 3, counted: Metrics | None = None
    ) -> None:
        self._vocabulary = vocabulary
        self._suggestions = suggestions
        self._metrics = counted or metrics()

    def close(self) -> None:
        self._vocabulary.close()

    def recognise(self, question: str) -> str | None:
        """The term a question asks the meaning of; a label of the vocabulary always counts."""
        asked = read_question(question)
        if asked is None:
            return None
        for phrase in _to_look_up(asked):
            if self._vocabulary.has_label(phrase, in_any_number=asked.plural):
                return phrase
        return asked.phrases[0] if asked.certain else None

    def also(self, question: str) -> tuple[str, ...]:
        """What else the things are called that a question names, as far as files say so."""
        words = words_of(question)[:MOST_WORDS]
        phrases = [
            words[start : start + size]
            for size in range(LONGEST_LABEL, 0, -1)
            for start in range(len(words) - size + 1)
        ]
        found: list[str] = []
        try:
            for phrase in phrases:
                if STOP_WORDS.isdisjoint((phrase[0], phrase[-1])):
                    found += self._vocabulary.other_labels(" ".join(phrase))[:MOST_LABELS]
        except GroundwireError:  # documents can be asked without it; who asks for a term is told
            return ()
        return tuple(dict.fromkeys(found))

    def define(self, term: str) -> TermReport:
        """What the vocabulary says about a term, or why it says nothing. Counts the outcome."""
        with request() as context, span("term.define"):
            try:
                result = self._vocabulary.lookup(term)
            except (EvidenceError, StoreError) as error:
                return self._counted(failure_report(term, error, context))
            near: list[Suggestion] = []
            if not result.found:
                near = self._vocabulary.suggest(term, self._suggestions)
            return self._counted(report(result, near, self._vocabulary.problems(), context))

    def pick(self, uri: str) -> TermReport:
        """The meaning a person chose among several, by its id."""
        with request() as context:
            try:
                result = self._vocabulary.lookup_uri(uri)
            except (EvidenceError, StoreError) as error:
                return self._counted(failure_report(uri, error, context))
            return self._counted(report(result, [], [], context))

    def _counted(self, outcome: TermReport) -> TermReport:
        if outcome.reason is not None:
            kind = "clarification" if outcome.mode == "CLARIFY" else "abstention"
            self._metrics.count(f"rag_{kind}_total", reason=outcome.reason)
        return outcome


def _to_look_up(asked: Asked) -> tuple[str, ...]:
    """Labels to try before a phrase is taken as it stands. A label is matched as written, article
    included, before anything is stripped [S3]."""
    with_article = asked.phrases[1:]
    is_plain = asked.certain and not asked.within
    return with_article if is_plain else (*with_article, asked.phrases[0], *asked.within)
