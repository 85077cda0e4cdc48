"""Names become variables: one id for all spellings of a thing."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from groundwire.ground._labels import bases_of, variable_type
from groundwire.ground._roots import roots, spelled_apart
from groundwire.model import Variable

_SLUG = re.compile(r"[^\w]+")
_MAX_ID_CHARS = 60
_ACRONYM = re.compile(r"\b((?:[A-Za-z][\w-]*\s+){1,6}?)\(([A-Z][A-Za-z0-9]{1,9})\)")


class Vocabulary:
    """Variables by every name they go under.

    The same names give the same variables in whatever order they come: the commonest spelling is
    the label, the shorter and then the alphabetically first among equals.
    """

    def __init__(self, names: Iterable[str], acronyms: Mapping[str, str] | None = None) -> None:
        self._acronyms = acronyms or {}
        spellings: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)
        for name in names:
            spellings[self._key(name)][name] += 1
        self._meaning = _merged(spellings, self._key)
        groups: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)
        for key, counted in spellings.items():
            groups[self._meaning[key]].update(counted)
        self._by_key = {key: self._variable(groups[key], spellings[key]) for key in groups}
        self._make_ids_unique()

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(sorted(self._by_key.values(), key=lambda variable: variable.id))

    def variable(self, name: str) -> Variable:
        return self._by_key[self._meaning[self._key(name)]]

    def _key(self, name: str) -> frozenset[str]:
        words = [self._acronyms.get(word, word) for word in name.split()]
        return roots(spelled_apart(" ".join(words))) or frozenset([name.casefold()])

    def _variable(self, counted: Counter[str], own: Counter[str]) -> Variable:
        label = min(own, key=lambda name: (-own[name], len(name), name))
        aliases = sorted(set(counted) - {label}, key=lambda name: (len(name), name))
        short = [acronym for acronym, words in self._acronyms.items() if words in label.lower()]
        return Variable(
            id=_slug(label), label=label, aliases=(*aliases, *short), type=variable_type(label)
        )

    def _make_ids_unique(self) -> None:
        """`disk full` and `full-disk` meet in one key; what differs only in signs does not."""
        taken: Counter[str] = Counter()
        for key, variable in sorted(self._by_key.items(), key=lambda item: item[1].label):
            taken[variable.id] += 1
            if taken[variable.id] > 1:
                numbered = f"{variable.id}_{taken[variable.id]}"
                self._by_key[key] = variable.model_copy(update={"id": numbered})


def _merged(
    spellings: Mapping[frozenset[str], Counter[str]], key_of: Callable[[str], frozenset[str]]
) -> dict[frozenset[str], frozenset[str]]:
    """`full disk on the historian` means `full disk` where that is a name too.

    A base of one root takes in a longer name only if it is the only one: `errors in billing` and
    `errors in routing` are not the same errors.
    """
    base: dict[frozenset[str], frozenset[str]] = {}
    for key, counted in spellings.items():
        shorter = [key_of(one) for name in sorted(counted) for one in bases_of(name)]
        base[key] = next((one for one in shorter if one in spellings and one < key), key)
    extended = Counter(one for key, one in base.items() if one != key)
    sure = {key: one if len(one) > 1 or extended[one] == 1 else key for key, one in base.items()}
    return {key: _end(key, sure) for key in sure}


def _end(key: frozenset[str], base: Mapping[frozenset[str], frozenset[str]]) -> frozenset[str]:
    while base[key] != key:
        key = base[key]
    return key


def acronyms_in(texts: Sequence[str]) -> dict[str, str]:
    """`out of memory (OOM)`: what short names stand for, where a text says so itself."""
    found: dict[str, str] = {}
    for text in texts:
        for match in _ACRONYM.finditer(text):
            words = match[1].split()[-len(match[2]) :]
            initials = "".join(word[0] for word in words).lower()
            if initials == match[2].lower():
                found.setdefault(match[2], " ".join(words).lower())
    return found


def _slug(label: str) -> str:
    return _SLUG.sub("_", label.lower()).strip("_")[:_MAX_ID_CHARS].strip("_") or "unnamed"
