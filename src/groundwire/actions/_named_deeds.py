"""Names a report says were put into a file, taken out of it, or given another name."""

import re
from collections.abc import Iterator

from groundwire._patterns import lazy_pattern
from groundwire.actions import _action_words as words
from groundwire.actions._clauses_of_report import Clause
from groundwire.actions._mentions import Mention, as_path, mentions
from groundwire.actions._statement import Statement, StatementKind

# what a name may be the name of: "the function `add`", "the `add` helpers"
_NOUN = (
    "(?:functions?|methods?|class(?:es)?|constants?|variables?|helpers?|fields?|propert(?:y|ies)"
    "|attributes?|keys?|types?|interfaces?|structs?|enums?|traits?|macros?|parameters?|arguments?"
    "|fixtures?|exceptions?|dependenc(?:y|ies)|packages?"
    "|funktion(?:en)?|methoden?|klassen?|konstanten?|variablen?)"
)
# what stands before it and takes nothing back; "the second `add`" leaves the first
_LEAD = rf"(?:(?:the|an?|my|our|new|old|unused|obsolete|die|der|das|eine?n?|neue?n?|{_NOUN}) )*"
# such as "`save`", "save()", "save_all": what can be no plain word
_ONE = r"(?:`[^`\n]+`|[^\W\d]\w*\(\)|[^\W\d_]+_\w+)"
_NAMES = rf"(?P<names>{_ONE}(?:(?:,| and|, and| und) {_ONE})*)"
_OBJECT = rf"{_LEAD}(?:(?:called|named|namens) )?{_NAMES}(?: {_NOUN})?"
_FILE = (
    " (?:to|into|in|inside|within|from|out of|aus|zu|von) (?:the )?(?:file )?(?P<file>`[^`]+`|\\S+)"
    # "added `a` to `b.py` would help" tells no deed
    r"\s*(?:$|[,;:(.\u2013\u2014]|(?:and|so|as|because|since|which|that|und|with|for|using)\b)"
)
_IN, _OUT = "added|introduced|created|implemented|inserted|wrote", words.DELETED
_BEEN = " (?:(?:has|have) been|was|were) (?:now |also )*"
_PUT = words.phrase(rf"^\s*{_OBJECT}{_FILE}")
"""Such as "a function `save` to `a.py`", after its verb."""
_NAMED_ANEW = words.phrase(rf"^\s*{_OBJECT} (?:to|as|into) (?P<new>{_ONE}){_FILE}")
"""Such as "`load` to `read` in `a.py`", after its verb."""
_PASSIVE = words.phrase(rf"^{_OBJECT}{_BEEN}(?P<verb>{_IN}|{_OUT}){_FILE}")
"""Such as "The function `retry` was removed from `a.py`"."""
_RENAMED = words.phrase(rf"^{_OBJECT}{_BEEN}renamed (?:to|as) (?P<new>{_ONE}){_FILE}")
"""Such as "`load` was renamed to `read` in `a.py`"."""
# such as "`save`", "`save()`", "`Store.save`"
_NAME = lazy_pattern(r"`?(?:\w+(?:\.|::))*(?P<name>[^\W\d]\w*)(?:\(\))?`?")


def named_deeds(clause: Clause) -> Iterator[Statement]:
    """ "I added `save` to `a.py`" says more than that the file was changed."""
    active, german = words.ACTIVE.match(clause.text), words.GERMAN.match(clause.text)
    if active is not None:
        yield from deeds_in(clause, active["verb"].lower(), active["rest"])
    elif german is not None:
        verb = words.GERMAN_KINDS[german["verb"].lower()]
        yield from deeds_in(clause, verb, f"{german['rest']}{german['middle'] or ''}")
    elif (renamed := _RENAMED.match(clause.text)) is not None:
        yield from _renamed(clause, renamed)
    elif (passive := _PASSIVE.match(clause.text)) is not None:
        yield from _put(clause, passive["verb"].lower(), passive)


def deeds_in(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    if verb == "renamed":
        renamed = _NAMED_ANEW.match(rest)
        if renamed is not None:
            yield from _renamed(clause, renamed)
        return
    put = _PUT.match(rest)
    if put is not None:
        yield from _put(clause, verb, put)


def _put(clause: Clause, verb: str, told: re.Match[str]) -> Iterator[Statement]:
    if re.fullmatch(_IN, verb):
        yield from _said(clause, "contains", told["names"], told["file"])
    elif re.fullmatch(_OUT, verb):
        yield from _said(clause, "lacks", told["names"], told["file"])


def _renamed(clause: Clause, told: re.Match[str]) -> Iterator[Statement]:
    yield from _said(clause, "lacks", told["names"], told["file"])
    yield from _said(clause, "contains", told["new"], told["file"])


def _said(clause: Clause, kind: StatementKind, names: str, file: str) -> Iterator[Statement]:
    things: list[Mention] = list(mentions(file.rstrip(".,;:")))
    for code in re.findall(_ONE, names):
        named = _NAME.fullmatch(code)
        if len(things) == 1 and named is not None and as_path(code.strip("`")) is None:
            yield Statement(kind, clause, tuple(things), command=named["name"], is_deed=True)
