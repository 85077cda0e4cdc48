"""Words reduced until `the certificate had expired` and `expired certificates` are the same."""

from collections.abc import Iterable
from dataclasses import dataclass

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.encoder import judge_calibration
from groundwire.model import Variable
from groundwire.text import content_terms, is_negation, stem, words_of

NEGATION = "not"
_EMPTY = frozenset(
    stem(word)
    for word in """be become get start begin happen occur go come due cause lead led result effect
    impact there thing certain various several many much lot able well new own part way""".split()
)
# such as "PrtStat" at its second capital, "a_b"
_CAMEL = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")
# such as "full-disk", "read/write"
_JOINT = lazy_pattern(r"[_\-/‐‑]")


@kept(20_000)
def roots(text: str) -> frozenset[str]:
    """The roots of the words that carry a phrase; `not` stands for every denial in it."""
    found = set(content_terms(_JOINT.sub(" ", text))) - _EMPTY
    if any(map(is_negation, words_of(text))):
        found.add(NEGATION)
    return frozenset(found)


def spelled_apart(name: str) -> str:
    """`PrtStatPaper` as `Prt Stat Paper`."""
    return " ".join(_CAMEL.sub(" ", name).split())


_WHOLE_BELOW = 3
"""A name of fewer roots than this must be there whole."""
# such as "PrtStatPaper", "cpu_load", "T2"
_IDENTIFIER = lazy_pattern(r"^(?=\S*(?:[a-z][A-Z]|[A-Z]{2}[a-z]|_|[A-Za-z]\d))\S+$")


def is_code(phrase: str) -> bool:
    """Whether a phrase is made of identifiers and numbers only: `PrtStatPaper`, `CKNI_12 30`."""
    words = phrase.split()
    return bool(words) and all(
        _IDENTIFIER.match(one) or one.isdigit() or (one.isupper() and len(one) > 1) for one in words
    )


@dataclass(frozen=True)
class _Names:
    """A variable's names: as sets of roots, and as the letters of identifiers."""

    forms: frozenset[frozenset[str]]
    identifiers: frozenset[str]


class VariableNames:
    """The variables of one graph. A phrase means the most specific one that fits it.

    Where `disk` and `full disk` are both variables, `the full disk` is not about `disk`.
    """

    def __init__(self, variables: Iterable[Variable]) -> None:
        self._names = {variable.id: _names(variable) for variable in variables}
        self._forms = frozenset(form for one in self._names.values() for form in one.forms)
        self._identifiers = frozenset(
            letters for one in self._names.values() for letters in one.identifiers
        )

    def fit(self, variable: Variable, phrase: str) -> float:
        """0 when the phrase is about something else, up to 1 when it is the variable's name."""
        names = self._of(variable)
        said = roots(phrase)
        by_roots = (self._form_fit(form, said, names.forms) for form in names.forms)
        by_letters = (self._letters_fit(letters, phrase) for letters in names.identifiers)
        return max((*by_roots, *by_letters), default=0.0)

    def is_mentioned(self, variable: Variable, text: str) -> bool:
        """Whether a text speaks of it at all, whatever else it speaks of."""
        names = self._of(variable)
        said = roots(text)
        return any(_share(form - {NEGATION}, said) > 0 for form in names.forms) or any(
            _spells(letters, text) for letters in names.identifiers
        )

    def _of(self, variable: Variable) -> _Names:
        return self._names.get(variable.id) or _names(variable)

    def _form_fit(
        self, form: frozenset[str], said: frozenset[str], own: frozenset[frozenset[str]]
    ) -> float:
        if not form or (NEGATION in form) != (NEGATION in said):
            return 0.0
        share = _share(form, said)
        if not share or any(form < other <= said for other in self._forms - own):
            return 0.0
        return share * _reads(len(form & said), len(said))

    def _letters_fit(self, letters: str, phrase: str) -> float:
        if not _spells(letters, phrase):
            return 0.0
        longer = (one for one in self._identifiers if letters in one and letters != one)
        if any(_spells(one, phrase) for one in longer):
            return 0.0
        said = sum(len(token) for token in _tokens(phrase))
        return _reads(len(letters), said)


def _share(form: frozenset[str], said: frozenset[str]) -> float:
    """How much of a name is there; 0 when it is too little, or lacks a number of the name."""
    found = form & said
    if not form or any(root[:1].isdigit() for root in form - found):
        return 0.0
    share = len(found) / len(form)
    least = 1.0 if len(form) < _WHOLE_BELOW else judge_calibration().edges.least_name_share
    return share if share >= least else 0.0


def _reads(own: int, said: int) -> float:
    """How much of a phrase is the name; a name among many other words still reads as it."""
    whole = judge_calibration().edges.reads_whole
    return whole + (1 - whole) * own / said


def _spells(letters: str, phrase: str) -> bool:
    """Whether neighbouring words of the phrase make up the identifier: `Prt Stat Paper`."""
    tokens = _tokens(phrase)
    for start in range(len(tokens)):
        spelled = ""
        for token in tokens[start:]:
            spelled += token
            if spelled == letters:
                return True
            if not letters.startswith(spelled):
                break
    return False


def _names(variable: Variable) -> _Names:
    identifiers = {name for name in variable.names if _IDENTIFIER.match(name)}
    words = (name for name in variable.names if name not in identifiers)
    return _Names(
        forms=frozenset(form for name in words if (form := roots(name))),
        identifiers=frozenset("".join(_tokens(name)) for name in identifiers),
    )


@kept(20_000)
def _tokens(phrase: str) -> tuple[str, ...]:
    return tuple(words_of(phrase.replace("_", " ")))
