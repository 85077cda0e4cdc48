"""Which variable a phrase speaks of, by the roots of its words."""

from collections.abc import Iterable
from functools import lru_cache

from groundwire.claims.causal._roots import NEGATION, roots, spellings
from groundwire.model import Variable

_WHOLE_BELOW = 3
"""A name of fewer roots than this must be there whole."""
_LEAST_SHARE = 0.7
_READS_WHOLE = 0.8


class VariableNames:
    """The variables of one graph. A phrase means the most specific one that fits it.

    Where `disk` and `full disk` are both variables, `the full disk` is not about `disk`.
    """

    def __init__(self, variables: Iterable[Variable]) -> None:
        self._forms = {variable.id: _forms(variable) for variable in variables}
        self._all = frozenset(form for forms in self._forms.values() for form in forms)

    def fit(self, variable: Variable, phrase: str) -> float:
        """0 when the phrase is about something else, up to 1 when it is the variable's name."""
        forms = self._forms.get(variable.id) or _forms(variable)
        said = _roots(phrase)
        return max((self._form_fit(form, said, forms) for form in forms), default=0.0)

    def is_mentioned(self, variable: Variable, text: str) -> bool:
        """Whether a text speaks of it at all, whatever else it speaks of."""
        forms = self._forms.get(variable.id) or _forms(variable)
        said = _roots(text)
        return any(_share(form - {NEGATION}, said) > 0 for form in forms)

    def _form_fit(
        self, form: frozenset[str], said: frozenset[str], own: frozenset[frozenset[str]]
    ) -> float:
        if not form or (NEGATION in form) != (NEGATION in said):
            return 0.0
        share = _share(form, said)
        if not share or any(form < other <= said for other in self._all - own):
            return 0.0
        return share * (_READS_WHOLE + (1 - _READS_WHOLE) * len(form & said) / len(said))


def _share(form: frozenset[str], said: frozenset[str]) -> float:
    """How much of a name is there; 0 when it is too little, or lacks a number of the name."""
    found = form & said
    if not form or any(root[:1].isdigit() for root in form - found):
        return 0.0
    share = len(found) / len(form)
    return share if share >= (1.0 if len(form) < _WHOLE_BELOW else _LEAST_SHARE) else 0.0


def _forms(variable: Variable) -> frozenset[frozenset[str]]:
    names = {name for given in variable.names for name in spellings(given)}
    return frozenset(form for name in names if (form := _roots(name)))


@lru_cache(maxsize=50_000)
def _roots(phrase: str) -> frozenset[str]:
    return roots(phrase)
