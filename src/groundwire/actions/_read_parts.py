"""What a sentence says was done to a part of the code that it names: "I fixed `mul`"."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from groundwire._patterns import lazy_pattern
from groundwire.actions._action_words import DEED, TEST_DEED
from groundwire.actions._anchors import (
    PLACES,
    IsFile,
    Token,
    as_part,
    begins_anew,
    features,
    no_file,
    part_place,
    segments_of,
    tokens_of,
)
from groundwire.actions._clauses_of_report import Clause
from groundwire.actions._learned import Reading, read_place, reader
from groundwire.actions._mentions import Mention
from groundwire.actions._read_places import is_of_others, is_supposed
from groundwire.actions._sentence_details import branch_told
from groundwire.actions._statement import PartDeed, Statement
from groundwire.text import is_negation, word_set

# such as "add", "add()", "Money::cents()", "Store.save", "test_add[1]", "low(2)"; "x.lower()" calls
_NAME = lazy_pattern(
    r"(?:[\w$]{2,}(?:\.|::|#|->))*(?P<name>[^\W\d][\w$]*)(?:\([^()]*\)|\[[^\]]*\])?[?!]?"
)
# a word that is none: "Queue2", "AddTest", "slugIfy", "DEBUG"
_LIKE_CODE = lazy_pattern(r"[^\W\d_]+\d\w*|[a-z]+[A-Z]\w*|(?:[A-Z][a-z]+){2,}\w*|[A-Z][A-Z0-9]{3,}")
_TESTS = word_set("test tests spec specs example examples case cases scenario scenarios")
_DONE = frozenset({"changed", "added", "removed", "from", "to"})
_DEEDS: dict[str, PartDeed] = {
    "changed": "changed", "added": "added", "removed": "removed", "same": "kept",
    "from": "removed", "to": "added",
}  # fmt: skip


@dataclass(frozen=True)
class _Named:
    """A place that may name a part, and what is said of it."""

    tokens: Sequence[Token]
    segments: Sequence[int]
    at: int
    name: str

    @cached_property
    def reading(self) -> Reading:
        told, at = self._told
        return read_place("part", features(told, segments_of(told), at, reader().kin))

    @cached_property
    def _told(self) -> tuple[list[Token], int]:
        return as_part(self.tokens, self.at)

    @property
    def _after(self) -> list[Token]:
        """What follows, up to what is said of something else."""
        told, at = self._told
        return list(takewhile(lambda token: token.shape != ";", told[at + 1 :]))

    @property
    def deed(self) -> PartDeed | None:
        """What was done without doubt; "changed" where it is sure that something was, not what."""
        label = self.reading.label
        if label in _DONE and self.reading.certainty < reader().sure:
            label = "changed"
        return _DEEDS.get(label)

    @property
    def likelihood(self) -> float:
        if self.reading.label not in _DONE:
            return self.reading.certainty
        return 0.0 if self._is_denied else self.reading.any_of(_DONE)

    @property
    def _is_denied(self) -> bool:
        """A "not" makes a deed none; "no longer" tells of one."""
        for number, token in enumerate(self.tokens):
            if self.segments[number] == self.segments[self.at] and is_negation(token.shape):
                after = {one.shape for one in self.tokens[number + 1 :]}
                if not after & _ANY_MORE:
                    return True
        return False

    def _senses(self, tokens: Iterable[Token]) -> set[str]:
        known = reader().kin.senses
        return {sense for token in tokens if (sense := known.get(token.shape))}

    @property
    def is_sure(self) -> bool:
        """A deed must be told in words, too: a reading alone is too easily misled."""
        if self._is_one_of_some or self._is_of_code or self._describes:
            return False
        if self.reading.label not in _DONE:
            is_kept = bool(self._near_senses & _STAYS) or any(map(is_negation, self._near_words))
            return is_kept and self.likelihood >= reader().sure
        told = self._near_senses & _TELLS or self._near_words & _SINCE
        is_told = bool(told) or any(DEED.fullmatch(word) for word in self._near_words)
        return is_told and self.likelihood >= reader().sure_of_part

    @property
    def is_sure_of_test(self) -> bool:
        """Of tests much is told: what was done must be said by a verb, and is not "fixed"."""
        is_deed = any(TEST_DEED.fullmatch(word) for word in self._near_words)
        is_sure = self.reading.label in _DONE and self.likelihood >= reader().sure
        return is_deed and is_sure and not self.is_mended and not self.is_undone

    @property
    def is_undone(self) -> bool:
        """ "I renamed it and then changed it back"."""
        return self.reading.label in _DONE and "undo" in self._senses(self.tokens)

    @property
    def _is_one_of_some(self) -> bool:
        """ "I removed the second `retry`"."""
        return self.at > 0 and self.tokens[self.at - 1].shape in _ONE_OF_SOME

    @property
    def _describes(self) -> bool:
        """ "I added a `null` check": another thing is named by it, and need not have its name."""
        before = self.tokens[self.at - 1].shape if self.at else ""
        after = self.tokens[self.at + 1 : self.at + 2]
        is_noun = bool(after) and after[0].kind == "word" and after[0].shape not in _NOUNS | PLACES
        return before in _ONE and is_noun

    @property
    def _is_of_code(self) -> bool:
        """ "`main` prints `NAME`": what code does is no deed."""
        return any(
            token.kind == "code"
            and after.kind == "word"
            and after.shape.endswith("s")
            and after.shape not in _NO_VERBS
            for number, (token, after) in enumerate(pairwise(self.tokens[: self.at]))
            if self.segments[number] == self.segments[self.at]
        )

    @property
    def _near(self) -> list[Token]:
        mine = self.segments[self.at]
        return [one for one, place in zip(self.tokens, self.segments, strict=True) if place == mine]

    @property
    def _near_words(self) -> set[str]:
        return {token.shape for token in self._near}

    @property
    def _near_senses(self) -> set[str]:
        return self._senses(self._near)

    @property
    def file(self) -> Token | None:
        """Where it is said to be: "`add` in `a.py`", "`add` was removed from `a.py`"."""
        beside = part_place(self.tokens, self.at).file
        mine = self.segments[self.at]
        later = [
            after
            for number, (token, after) in enumerate(pairwise(self.tokens))
            if number > self.at and self.segments[number] == mine
            if token.shape in PLACES and after.kind == "file"
            if not begins_anew(self.tokens, self.at, number + 1)
        ]
        return later[0] if beside is None and len(later) == 1 else beside

    @property
    def is_called_test(self) -> bool:
        return _is_called_test(self.tokens, self.at)

    @property
    def is_mended(self) -> bool:
        """Whether a fault is said to be gone, wherever that was done."""
        return "fix" in self._near_senses

    @property
    def behaves(self) -> bool:
        """Whether it is told what it does: "`add` now rounds", not "`add` is now fixed"."""
        after = [one.shape for one in self._after]
        if after[:1] and after[0] in _NOUNS:
            after = after[1:]
        is_now = bool(after) and (after[0] in _NOW or "now" in after[-3:] or "jetzt" in after)
        verb = next((word for word in after if word not in _NOW), "")
        return is_now and verb not in _BE

    @property
    def values(self) -> tuple[str, ...]:
        """Code, quotations and figures after it: what is said of it, up to a file or the tests."""
        found = []
        for token in self._after:
            is_written = token.kind == "code" and token.shape in _WRITTEN
            if is_written or (token.kind == "number" and token.text.isdigit()):
                found.append(token.text)
            elif token.kind in {"file", "check"}:
                break
        return tuple(found)


_NO_VERBS = word_set("is was has as its this does us")
_TELLS = frozenset({"change", "fix", "create", "delete", "move"})
"""Senses of words that tell of a deed."""
_STAYS = frozenset({"stay", "undo", "no"})
"""Senses of words that tell that nothing was done, or that it was undone."""
_SINCE = word_set("now longer anymore jetzt nun")
_ONE_OF_SOME = word_set("first second third last other another extra duplicate remaining")
_ONE = word_set("a an another ein eine einen")
_ANY_MORE = word_set("longer more anymore")
_NOW = word_set("now no longer also from on by jetzt nun")
_BE = word_set("is are was were has have got been ist wurde")
_NOUNS = word_set("function method class helper constant test option key target rule setting")
_WRITTEN = frozenset({"<o>", "<q>", "<x>", "<v>"})


def parts_in(clause: Clause, is_file: IsFile = no_file) -> Iterator[Statement]:
    """What is likely said of each part; of what others did, or may be done, nothing."""
    if is_of_others(clause):
        return
    is_of_git = any(token.kind == "deed" for token in tokens_of(clause.text))
    branch = branch_told(clause.text) if is_of_git else None
    named = [one for one in _named(clause, is_file) if one.name != branch]
    is_renamed = "renamed" in clause.text.lower() or any(one.reading.label == "to" for one in named)
    for one in named:
        if one.deed is None or one.likelihood < reader().likely or one.is_undone:
            continue
        file = one.file
        yield Statement(
            "part",
            clause,
            () if file is None else (Mention(file.text, in_code=file.in_code),),
            name=one.name,
            # "`DEBUG` is `False` now" gives it no other name
            part_deed="changed" if one.reading.label == "from" and not is_renamed else one.deed,
            certain=one.is_sure,
            mended=one.is_mended,
            about_tests=one.is_called_test,
            behaves=one.behaves,
            values=one.values,
        )


def tests_in(clause: Clause) -> Iterator[Statement]:
    """Tests that are said to be changed without a name: "I changed the default-port test"."""
    if is_of_others(clause):
        return
    tokens = tokens_of(clause.text)
    segments = segments_of(tokens)
    for at, token in enumerate(tokens):
        beside = tokens[max(0, at - 1) : at] + tokens[at + 1 : at + 2]
        is_test = token.kind == "check" and token.shape in _A_TEST
        if not is_test or any(one.kind == "code" or one.shape in _OF_TESTING for one in beside):
            continue
        one = _Named(tokens, segments, at, token.text)
        if one.is_sure_of_test and not is_supposed(clause.text, token):
            yield Statement("tests_changed", clause, part_deed=one.deed or "changed")


_VALUE = r"(?P<value>`[^`]+`|'[^']*'|\"[^\"]*\"|-?\d[\w.]*|true|false|on|off|none|null)"
_ENDS = (
    r"(?= ?(?:now|again|instead|too|jetzt|gesetzt|in (?:the |der )?`?[\w./-]+`?)*"
    r"\s*(?:$|[,;:(]|\.(?:\s|$)|and\b|und\b))"
)
_SET = "(?:set|switched|changed|turned|flipped|bumped|raised|lowered|gesetzt|gestellt)"
# what follows a name: " is `False` now", " in `a.py` was set to 3", " steht auf `x`"
_HAS_VALUE = lazy_pattern(
    r"\W?(?: (?:in|of) (?:the |file )*`?[\w./-]+`?)?"
    r"(?: (?:is|ist|steht)(?: (?:now|still|again|back|currently|jetzt|nun|wieder|noch))*"
    rf"(?: {_SET})?"
    rf"| (?:has been|was|wurde) {_SET})(?: (?:back )?(?:to|auf|at))? {_VALUE}{_ENDS}",
    re.IGNORECASE,
)
# what stands before one whose value follows: "I set ", "Switched "
_SETS = lazy_pattern(rf"(?:^|[,;:.] |\band |\bI |\bwe )(?:now )?{_SET} (?:the )?$", re.IGNORECASE)
# what follows then: " to 30", " off in `a.py`"
_TO_VALUE = lazy_pattern(
    rf"\W?(?: in (?:the )?`?[\w./-]+`?)? (?:to |back to |auf )?{_VALUE}{_ENDS}", re.IGNORECASE
)
# what makes a case of it: "when `DEBUG` is `True`"
_A_CASE = lazy_pattern(
    r"(?i)\b(?:if|when\w*|where|unless|while|once|until|before|after|with|wenn|falls|solange|bevor)\b"
)


# what tells that it did not stay so: ", then back to 3"
_AND_THEN = lazy_pattern(r"(?i)\b(?:back|then|later|afterwards|finally|dann|danach|zur\u00fcck)\b")
_IS_NOW = lazy_pattern(r"(?i) (?:is|ist|steht) ")
"""Such as " is " of "`DEBUG` is `False`": how it is in the end, not what was done to it."""


def settings_in(clause: Clause, is_file: IsFile = no_file) -> Iterator[Statement]:
    """Which value something is said to have now: "`DEBUG` is `False`", "set `port` to 80"."""
    if is_of_others(clause):
        return
    for one in _named(clause, is_file):
        token = one.tokens[one.at]
        before, after = clause.text[: token.start], clause.text[token.end :]
        is_set = _SETS.search(before.rstrip("`") if before.endswith("`") else before)
        told = _HAS_VALUE.match(after) or (_TO_VALUE.match(after) if is_set else None)
        is_of_it = one.at > 0 and one.tokens[one.at - 1].shape in PLACES
        if told is None or is_of_it or _A_CASE.search(before):
            continue  # "the factor in `cents` is 100"
        if _AND_THEN.search(after[told.end() :]):
            continue
        file = one.file
        yield Statement(
            "part",
            clause,
            () if file is None else (Mention(file.text, in_code=file.in_code),),
            name=one.name,
            part_deed="set",
            behaves=_IS_NOW.search(told[0]) is not None,
            values=(told["value"].strip("`'\""),),
        )


_A_TEST = word_set("test tests spec specs")
_OF_TESTING = word_set(
    """script target command run runs runner output data setup config configuration suite harness
    environment framework file files folder directory"""
)
"""What makes another thing of a test: "the test script"."""


def _named(clause: Clause, is_file: IsFile) -> Iterator[_Named]:
    tokens = tokens_of(clause.text, is_file)
    segments = segments_of(tokens)
    for at, token in enumerate(tokens):
        name = _name_of(tokens, at)
        if name is not None and not is_supposed(clause.text, token):
            yield _Named(tokens, segments, at, name)


def _name_of(tokens: Sequence[Token], at: int) -> str | None:
    """The name a place gives; of a quotation only where it is called a test."""
    token = tokens[at]
    if token.kind == "word" and _LIKE_CODE.fullmatch(token.text):
        return token.text
    if token.kind != "code" or token.shape in {"<c>", "<v>"}:
        return None
    if token.shape == "<q>" or " " in token.text:
        return token.text if _is_called_test(tokens, at) else None
    match = _NAME.fullmatch(token.text)
    return match["name"] if match else None


def _is_called_test(tokens: Sequence[Token], at: int) -> bool:
    """ "The `add` test", "the spec `add`"."""
    beside = {one.shape for one in (*tokens[max(0, at - 2) : at], *tokens[at + 1 : at + 2])}
    return bool(beside & _TESTS)
