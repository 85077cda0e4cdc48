"""What the learned reader finds in a sentence, as statements that can be checked."""

import re
from collections.abc import Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass

from groundwire._patterns import lazy_pattern
from groundwire.actions import _action_words as words, _test_words as tests
from groundwire.actions._anchors import (
    IsFile,
    Token,
    begins_anew,
    features,
    no_file,
    segments_of,
    tokens_of,
)
from groundwire.actions._clauses_of_report import Clause
from groundwire.actions._learned import Reading, read_place, reader
from groundwire.actions._mentions import LIKE_A_TEST, Mention, without_code
from groundwire.actions._prose_tests import succeeds
from groundwire.actions._reservations import tells_deed
from groundwire.actions._sentence_details import OPTION, TEST_NOUNS, counted_times
from groundwire.actions._statement import Statement, StatementKind
from groundwire.text import is_negation, status_in, word_set
from groundwire.traces import CheckName

_SUPPOSED = frozenset({"conditional", "hedged", "planned", "asked", "example"})


# who is not the agent: "you", "the reviewer", "upstream"
_OTHERS = lazy_pattern(
    r"(?i)(?:you|they|he|she|some(?:one|body)|upstream|(?:the|an?|your) (?:\w+ )?(?:user|team"
    r"|reviewer|author|maintainers?|colleague|customer|owner|teammate|developer)s?)\b"
)
_OF_STATE = frozenset({"same", "exists", "absent", "present", "not_run"})
"""What may be told in a sentence about somebody else: "You declined the edit, it is as before"."""
# such as "installed", "a dependency now", "via npm"
_OF_PACKAGES = lazy_pattern(r"(?i)install|dependenc|package|\b(?:npm|pip|cargo|gem)\b")


@dataclass(frozen=True, slots=True)
class Place:
    token: Token
    reading: Reading
    before: tuple[str, ...]
    """The shapes of what stands right before it."""
    after: tuple[str, ...]
    is_denied: bool
    """Whether its stretch has a "not"."""

    @property
    def sure(self) -> bool:
        return self.reading.certainty >= reader().sure

    def is_surely(self, labels: AbstractSet[str]) -> bool:
        """Whether it is one of them without doubt, and the likeliest label, too."""
        return self.label in labels and self.reading.any_of(labels) >= reader().sure

    @property
    def label(self) -> str:
        return self.reading.label


_MADE = frozenset({"changed", "created", "written"})
_THERE = _MADE | {"exists", "to"}
_GONE = frozenset({"deleted", "absent", "from"})
_WELL = frozenset({"ok", "pass"})
_BADLY = frozenset({"bad", "fail"})
_RUN = _WELL | _BADLY | {"ran"}
_KINDRED = {"file": (_THERE, _GONE), "code": (_RUN,)}
"""Labels that say the same in part: what was made, and what was changed, is there."""


def _likelihood(kind: str, reading: Reading) -> float:
    groups = [group for group in _KINDRED.get(kind, ()) if reading.label in group]
    return max([reading.certainty, *(reading.any_of(group) for group in groups)])


def _places(text: str, tokens: Sequence[Token], segments: Sequence[int]) -> list[Place]:
    """Every place that is not only supposed, with what is likely said of it."""
    found = []
    for at, token in enumerate(tokens):
        if not token.is_anchor or is_supposed(text, token):
            continue
        reading = read_place(token.kind, features(tokens, segments, at, reader().kin))
        before = tuple(one.shape for one in tokens[max(0, at - _NEAR) : at])
        after = tuple(one.shape for one in tokens[at + 1 : at + 3])
        is_denied = _is_denied(tokens, segments, at)
        found.append(Place(token, reading, before, after, is_denied))
    return found


def _is_said(one: Place) -> bool:
    """Whether something is likely said of it."""
    if one.label == "none" or _likelihood(one.token.kind, one.reading) < reader().likely:
        return False
    return not (one.is_denied and one.label in _DEEDS)


_DEEDS = frozenset({"changed", "created", "written", "deleted", "ran", "done", "installed"})


def _is_denied(tokens: Sequence[Token], segments: Sequence[int], at: int) -> bool:
    """A "not" beside a deed makes it none, whatever else was learned."""
    return any(
        token.kind == "word" and segment == segments[at] and is_negation(token.shape)
        for token, segment in zip(tokens, segments, strict=True)
    )


def is_supposed(text: str, token: Token) -> bool:
    """Under an "if" or a "should"; what code says supposes nothing."""
    plain = _AS_EXPECTED.sub(lambda match: "x" * len(match[0]), without_code(text))
    marks = status_in(plain, token.start, token.end).marks
    # what only opens like an order may be a report: "Update: `a.py`", "pass 3, fail 0"
    return any(
        mark.label in _SUPPOSED or (mark.label == "ordered" and mark.cue != (0, 1))
        for mark in marks
    )


# such as "As expected, " before what is so all the same
_AS_EXPECTED = lazy_pattern(
    r"(?i)\b(?:as|wie) (?:expected|planned|requested|asked|intended|agreed|erwartet|geplant)\b"
)


def statements_in(clause: Clause, is_file: IsFile = no_file) -> Iterator[Statement]:
    """What a sentence says; what somebody else did is not said of the agent."""
    tokens = tokens_of(clause.text, is_file)
    places = _places(clause.text, tokens, segments_of(tokens))
    found = [one for one in places if _is_said(one)]
    if is_of_others(clause):
        found = [one for one in found if one.label in _OF_STATE and one.sure]
    yield from _files(clause, [one for one in found if one.token.kind == "file"])
    yield from _codes(clause, found)
    if not is_of_others(clause):
        yield from _if_nowhere(clause, places)
    yield from _checks(clause, found)
    is_named = any(one.label in {"installed", "not_installed"} for one in found)
    deeds = [one for one in found if one.token.kind == "deed"]
    yield from _deeds(
        clause, [one for one in deeds if not (is_named and one.token.deed == _INSTALL)]
    )


def is_of_others(clause: Clause) -> bool:
    """ "You created it"; what "you will find" is there, whoever made it."""
    return bool(_OTHERS.match(clause.text)) and not words.YOU_FIND.match(clause.text)


_FILE_KINDS: dict[str, StatementKind] = {
    "changed": "changed", "created": "created", "written": "added", "deleted": "deleted",
    "same": "reverted", "exists": "exists", "absent": "absent",
}  # fmt: skip


def _mention(token: Token) -> Mention:
    return Mention(token.text, in_code=token.in_code)


def _files(clause: Clause, found: list[Place]) -> Iterator[Statement]:
    old = [one for one in found if one.label == "from"]
    new = [one for one in found if one.label == "to"]
    if len(old) == len(new) == 1:
        both = (_mention(old[0].token), _mention(new[0].token))
        yield Statement("moved", clause, both, certain=old[0].sure and new[0].sure)
    for one in found:
        if one.label in {"from", "to"}:
            continue
        if one.label in {"pass", "fail"}:
            kind: StatementKind = "passes" if one.label == "pass" else "fails"
            yield Statement(kind, clause, name=one.token.text, certain=one.sure, if_known=True)
        elif one.is_surely(_MADE):
            kind = _FILE_KINDS[one.label] if one.sure else "changed"
            yield Statement(kind, clause, (_mention(one.token),), certain=tells_deed(clause.text))
        else:
            kind = _FILE_KINDS[one.label]
            things = (_mention(one.token),) if one.sure or kind != "changed" else ()
            # "A test for `a.py` does not exist" is not about the file
            is_of_file = kind != "absent" or one.before[-1:] not in _BESIDE
            yield Statement(kind, clause, things, certain=one.sure and is_of_file)
            if not one.sure and (one.is_surely(_THERE) or one.is_surely(_GONE)):
                kind = "exists" if one.label in _THERE else "absent"
                yield Statement(kind, clause, (_mention(one.token),))


_BESIDE = [(word,) for word in ("for", "of", "about", "to", "f\u00fcr", "zu")]
"""Words that make a file the place of what is spoken of."""


def _codes(clause: Clause, found: list[Place]) -> Iterator[Statement]:
    exits = [one for one in found if one.token.kind == "number" and one.label == "exit"]
    for one in found:
        if one.label == "value" and one.token.text.isdigit():
            yield from _content(clause, one)
        if one.token.kind != "code":
            continue
        token, label = one.token, one.label
        is_command = token.shape == "<c>"
        if is_command and label == "not_run":
            yield _not_run(clause, token.text, one)
        elif is_command and label in _RUN:
            yield from _run(clause, one, exits)
        elif label in _WELL | _BADLY and not is_command and token.shape in _NAMES:
            kind: StatementKind = "passes" if label in _WELL else "fails"
            is_told = token.in_code and LIKE_A_TEST.fullmatch(token.text) is not None
            sure = one.is_surely(_WELL) or one.is_surely(_BADLY)
            sure = sure and _DID_NOT_RUN.search(clause.text) is None
            yield Statement(
                kind,
                clause,
                name=token.text,
                certain=sure,
                if_known=not is_told,
                is_exact=kind == "fails" and _is_alone(one),
            )
        elif label in {"installed", "not_installed"} and not is_command:
            if _OF_PACKAGES.search(clause.sentence) is None:
                continue
            failed = label == "not_installed"
            yield Statement(
                "installed", clause, command=token.text, certain=one.sure, failed=failed
            )
        elif label in {"present", "absent"}:
            yield from _content(clause, one)


# such as "I didn't run `test_add`", "`test_add` was not executed"
_DID_NOT_RUN = lazy_pattern(
    r"(?i)(?:\b(?:not|never)|n['\u2019]t) (?:been )?(?:run|executed?|started?|ausgef\u00fchrt)\b"
)


def _is_alone(one: Place) -> bool:
    """ "Only `adds` fails", "`adds` alone is red"."""
    return one.before[-1:] == ("only",) or "alone" in one.after


def _run(clause: Clause, one: Place, exits: Sequence[Place]) -> Iterator[Statement]:
    """A command that was run, and how it ended; that it was run may be surer than the rest."""
    label = one.label
    count = counted_times(re.split("[,;:(]", clause.text[one.token.end :], maxsplit=1)[0])
    made = _MADE_IT.match(clause.text[one.token.end :]) is not None
    if label == "ran" and (made or succeeds(clause.text)):
        # "`make test` passes on the final state", "`make all` compiled the app" say more than that
        # it was run
        yield Statement("ran", clause, command=one.token.text, succeeded=True, certain=False)
        return
    is_told = one.sure or one.is_surely(_WELL) or one.is_surely(_BADLY)
    if not is_told and one.is_surely(_RUN):
        yield Statement("ran", clause, command=one.token.text, count=count)
        if label == "ran":
            return
    code = exits[0].token.value if len(exits) == 1 and label != "ran" else None
    yield Statement(
        "ran",
        clause,
        command=one.token.text,
        succeeded=label in _WELL and not code,
        failed=label in _BADLY and code is None,
        exit_code=code,
        count=count,
        certain=is_told and "warn" not in clause.text.casefold(),
    )


# what a command is said to have made: " built the app", " compiled it"
_MADE_IT = lazy_pattern(
    r"(?i)`? (?:(?:has|also|then|now) )*(?:built|compiled|bundled|generated|produced|created"
    r"|packaged|wrote|emitted|installed|applied)\b"
)


def _not_run(clause: Clause, command: str, one: Place) -> Statement:
    """Where it was not run once more, or not for some file, it was perhaps run."""
    names_files = any(token.kind == "file" for token in tokens_of(clause.text))
    is_whole = not (names_files or _is_once_more(clause))
    sure = is_whole and one.reading.certainty >= reader().very_sure
    return Statement("ran", clause, command=command, was_done=False, certain=sure)


def _is_once_more(clause: Clause) -> bool:
    return any(token.shape in _ONCE_MORE for token in tokens_of(clause.text))


_ELSEWHERE = word_set("on with against under via")
_ONCE_MORE = word_set(
    "again since afterwards after later further twice separately anymore more erneut danach"
    " einmal nochmal nochmals wieder nach seitdem seither"
)
_NAMES = frozenset({"<t>", "<x>", "<o>", "<q>"})


def _content(clause: Clause, one: Place) -> Iterator[Statement]:
    """What stands in a file: code, a quotation, a version, a number in figures."""
    if not one.sure or _LIKE_A_COMMAND.match(one.token.text) or _EARLIER.search(clause.text):
        return
    tokens = tokens_of(clause.text)
    at = next(number for number, token in enumerate(tokens) if token.start == one.token.start)
    files = [
        token
        for number, token in enumerate(tokens)
        if token.kind == "file" and not begins_anew(tokens, at, number)
    ]
    quote = one.token.text
    is_written_out = one.token.shape in {"<o>", "<q>", "<v>", "<n>", "<0>"}
    # a call may be written otherwise
    sure = is_written_out and "(" not in quote and not quote.endswith(("...", "\u2026"))
    kind: StatementKind = "lacks" if one.label == "absent" else "contains"
    if files:
        segments = segments_of(tokens)
        beside = [token for token in files if segments[tokens.index(token)] == segments[at]]
        nearest = min(beside or files, key=lambda token: abs(token.start - one.token.start))
        sure = sure and bool(beside or len(files) == 1)
        yield Statement(kind, clause, (_mention(nearest),), command=quote, certain=sure)
    elif one.token.shape in {"<o>", "<n>", "<v>"}:
        yield Statement(kind, clause, command=quote, certain=sure)


# what tells how things were: "it already existed with `x` in it"
_EARLIER = lazy_pattern(
    r"(?i)\b(?:existed|already|previously|formerly|originally|used to|had|before (?:the|my)|vorher"
    r"|bisher|hatte)\b"
)


@dataclass(frozen=True, slots=True)
class _Doubt:
    """What is looked for, and what must not be likely."""

    kind: str
    wanted: frozenset[str]
    other: frozenset[str]

    def allows(self, reading: Reading) -> bool:
        is_possible = reading.any_of(self.wanted) >= reader().possible[self.kind]
        return is_possible and reading.any_of(self.other) < reader().unlikely


_DOUBTFUL = {
    one.kind: one
    for one in (
        _Doubt("file", _THERE, _GONE | {"same"}),
        _Doubt("command", _RUN, frozenset({"not_run", "before"})),
        _Doubt("code", frozenset({"present"}), frozenset({"absent"})),
        _Doubt("deed", frozenset({"done"}), frozenset({"not_done", "failed"})),
    )
}


def _if_nowhere(clause: Clause, places: Sequence[Place]) -> Iterator[Statement]:
    """What may be said of a file, of code, or of a command that is nowhere else.

    Of what neither files nor trace have, only that it is not there can be true: much doubt is left.
    """
    files = [one.token for one in places if one.token.kind == "file"]
    is_run_denied = _is_not_run(clause)
    for one in places:
        token = one.token
        doubt = _DOUBTFUL.get(_doubt_kind(token, one.before[-1:]))
        if doubt is None or one.is_denied or not (doubt.allows(one.reading) or _is_means(one)):
            continue
        if token.kind == "file":
            yield Statement("exists", clause, (_mention(token),), if_nowhere=True)
        elif token.kind == "deed":
            yield from _deed_if_nowhere(clause, one)
        elif doubt.kind == "command":
            is_means = _is_means(one) and not _is_not_run(clause, token.start)
            if (is_run_denied and not is_means) or _TOLD_AS_DONE.search(clause.text) is None:
                continue
            command = token.text.lower() if token.kind == "check" else token.text
            yield Statement("ran", clause, command=command, if_nowhere=True)
        else:
            distances = {abs(file.start - token.start): file for file in files}
            things = (_mention(distances[min(distances)]),) if files else ()
            # beside a file it stands in it more likely than by itself
            if things or one.reading.any_of(doubt.wanted) >= reader().possible["code_alone"]:
                yield Statement("contains", clause, things, command=token.text, if_nowhere=True)


def _deed_if_nowhere(clause: Clause, one: Place) -> Iterator[Statement]:
    """What may be said to have been installed, committed or pushed where no command did that."""
    deed = one.token.deed
    if _denies(clause):
        return
    if deed == _INSTALL:
        if not (_IS_INSTALLED.search(clause.text) or _describes_package(one)):
            yield Statement("installed", clause, command="", if_nowhere=True)
    # "uncommitted"; "both commits still show up in the log"
    elif not (one.token.shape.startswith("un") or _OF_HISTORY.search(clause.text)):
        yield Statement("ran", clause, command=deed, succeeded=True, if_nowhere=True)


# what is told of commits that are not the work's own, or of their end
_OF_HISTORY = lazy_pattern(
    r"(?i)\b(?:log|history|existing|last|previous|latest|earlier|head|still|your|upstream|start|initial"
    r"|first|since|introduced|broke|undo\w*|reset|revert\w*|roll\w*|squash\w*|amend\w*|zur\u00fcck\w*)\b"
)


def _is_means(one: Place) -> bool:
    """ "It was built with `make all`": what something was done with was run."""
    is_command = _doubt_kind(one.token, one.before[-1:]) == "command"
    is_told = one.reading.any_of({"not_run", "before"}) < reader().unlikely
    return is_command and is_told and one.before[-1:] in _MEANS


_MEANS = [(word,) for word in "with via using through by under mit per \u00fcber".split()]


def _is_not_run(clause: Clause, at: int | None = None) -> bool:
    """Whether something is said not to have been run: perhaps this, in a list perhaps all.

    With a place, in its own stretch: "As `x` was missing, I built it with `make`".
    """
    text = without_code(clause.text)
    if at is not None:
        begin = max(text.rfind(mark, 0, at) for mark in ",;:") + 1
        text = re.split("[,;:]", text[begin:], maxsplit=1)[0]
    return _NOT_RUN.search(_FOUND_NOTHING.sub(" ", text)) is not None


# a deed is told in the first person or the past: "I", "Ran", "was checked"; "CI runs eslint" is not
_TOLD_AS_DONE = lazy_pattern(
    r"(?i)\b(?:I|we|was|were|has been|have been|ich|wurden?)\b"
    r"|^\W*(?:(?:also|then|finally|and) )*(?:re-?)?(?:ran|\w+ed)\b"
)
_LEFT_OUT = r"skip\w*|omit\w*|left out|leave out|verzicht\w*|ausgelassen|\u00fcbersprungen"
# that something was not run, of whichever of the tools it is said: "did not run a or b"
_NOT_RUN = lazy_pattern(
    r"(?i)\b(?:not|never|neither|nor|no|none|without|cannot|unable|instead of|rather than"
    r"|refrain\w*|unavailable|missing|yet to|to be run|out of scope|declined"
    r"|avoid\w*|nicht|nie|weder|kein\w*|ohne"
    rf"|statt|{_LEFT_OUT})\b|n['\u2019]t\b"
)
# the same of all that a sentence names: "linters (ruff, mypy) were skipped"
_LEFT_UNRUN = lazy_pattern(
    rf"(?i)\b(?:{_LEFT_OUT}"
    r"|(?:not|never|nicht) (?:been )?(?:run|executed|started|ausgef\u00fchrt))\b"
)
# a denial that tells how a run ended: "no errors", "did not find any issues", "nothing to fix"
_FOUND_NOTHING = lazy_pattern(
    r"(?i)\b(?:(?:did|does|do)(?: not|n['\u2019]t)|not|no|without|nothing|none|kein\w*|ohne|nichts)"
    r"(?: \w+){0,3}? (?:errors?|findings?|problems?|issues?|warnings?|complain\w*|failures?"
    r"|violations?|regressions?|objections?|hits?|report|fix|anything|diagnostics|fehlern?|probleme?n?"
    r"|warnungen|befunde?|beanstandet)\b"
)
_UNDER = [(word,) for word in "under via through unter".split()]
# such as "coverage run", "valgrind --leak-check=full"
_A_PROGRAM = lazy_pattern(r"[a-z][\w.-]+ [\w.=-]+(?: .*)?")
# such as "wc -l", "grep -n x a.py"
_LIKE_A_COMMAND = lazy_pattern(r"[a-z][\w.-]* --?[A-Za-z]")


def _doubt_kind(token: Token, before: tuple[str, ...] = ()) -> str:
    if token.kind == "file" or token.deed in _GIT_DEEDS | {_INSTALL}:
        return token.kind
    if token.in_code and before in _UNDER and _A_PROGRAM.fullmatch(token.text):
        return "command"
    is_option = token.in_code and OPTION.fullmatch(token.text) is not None
    if is_option or token.shape == "<c>" or (token.kind == "check" and token.shape[:1] == "<"):
        return "command"
    is_code = token.in_code and _LIKE_A_COMMAND.match(token.text) is None
    return "code" if is_code and _is_written_out(token.text) else ""


def _is_written_out(code: str) -> bool:
    """More than a name: "h < 1", "import re"; "f(...)" stands for something else."""
    is_cut = "..." in code or "\u2026" in code or code.endswith("()")
    return not is_cut and re.search(r"\w\W+\w", code) is not None


def _checks(clause: Clause, found: list[Place]) -> Iterator[Statement]:
    """The tests, the build, the linter: by their names, and by what is counted."""
    checks = {one.token.check for one in found if one.token.kind == "check"}
    numbers = [one for one in found if one.token.kind == "number"]
    named = sum(one.token.kind == "code" and one.label == "fail" for one in found)
    if named and not any(one.token.kind == "check" and one.label == "fail" for one in found):
        # "`test_add` fails, 7 instead of 8": a number of what it got
        numbers = [one for one in numbers if one.label != "fail" or _counts(one, named)]
    # a number alone speaks of tests only without doubt: "3 about files, 2 about commands"
    if any(one.label in {"pass", "fail", "ran"} and one.sure for one in numbers):
        checks.add("tests")
    for check in sorted(checks):
        about = [one for one in found if one.token.kind == "check" and one.token.check == check]
        counted = numbers if check == "tests" else []
        yield from _check(clause, about, counted)
    for one in numbers:
        if one.label == "skip":
            yield Statement("skipped", clause, count=one.token.value, certain=one.sure)
        elif one.label == "files" and one.token.value:
            yield Statement("counted", clause, count=one.token.value, certain=one.sure)


# such as "no passing tests"
_NONE_PASS = lazy_pattern(r"(?i)\b(?:no|zero|0|keine?) (?:passing|green|successful|gr\u00fcnen)\b")


def _counts(one: Place, named: int) -> bool:
    return one.token.whole is not None or (one.token.value or 0) <= named


def _check(clause: Clause, about: list[Place], numbers: list[Place]) -> Iterator[Statement]:
    check = about[0].token.check if about else "tests"
    failing = [one for one in about if one.label == "fail"]
    passing = [one for one in about if one.label == "pass"]
    for one in numbers:
        token = one.token
        is_bad = one.label == "fail"
        if token.whole is not None and one.label in {"pass", "fail"}:
            is_part = token.value != token.whole
            (failing if is_part or is_bad else passing).append(one)
        elif one.label == "fail":
            (failing if token.value else passing).append(one)
        elif one.label == "pass":
            (passing if token.value else failing).append(one)
    if failing:
        passed = [
            one.token.value
            for one in numbers
            if one.label == "pass" and one.token.whole is None and one.sure
        ]
        yield _failing(clause, check, failing, passed[0] if len(passed) == 1 else None)
    elif passing and not (
        any(_NOT_ALL & set(one.before) for one in passing) or _NONE_PASS.search(clause.text)
    ):
        yield _passing(clause, check, passing)
    run = [one for one in about if one.label == "ran"]
    if (failing or passing or run) and not any(one.label in _COUNTED for one in numbers):
        yield from _said_in_all(clause, about, check)
    if run:
        yield _were_run(clause, check, run, numbers)
    left_out = [one for one in about if one.label == "not_run"]
    if left_out and not (failing or passing):
        sure = any(one.reading.certainty >= reader().very_sure for one in left_out)
        sure = sure and _means_all(left_out) and not _is_once_more(clause)
        sure = sure and not any(_ELSEWHERE & set(one.after) for one in left_out)
        # that they were collected or listed leaves open whether they were run
        sure = sure and _IDLE.search(clause.text) is None
        is_last = _is_once_more(clause)  # then they were run before
        yield Statement(
            "tests_run", clause, check=check, was_done=False, certain=sure, is_last=is_last
        )


def _said_in_all(clause: Clause, about: list[Place], check: CheckName) -> Iterator[Statement]:
    """ "The suite has 12 tests, all green": so many must have been run."""
    if (
        check != "tests"
        or not any(one.sure for one in about)
        or words.SOME_TESTS.search(clause.text)
    ):
        return
    tokens = tokens_of(clause.text)
    counts = [
        token.value
        for at, token in enumerate(tokens)
        if token.kind == "number"
        and token.whole is None
        and TEST_NOUNS & {one.shape for one in tokens[at + 1 : at + 3]}
        and tokens[at + 1].shape != "%"
    ]
    if len(counts) == 1 and counts[0]:
        yield Statement("tests_run", clause, count=counts[0])


_COUNTED = frozenset({"pass", "fail", "ran", "skip"})


def _were_run(
    clause: Clause, check: CheckName, run: list[Place], numbers: list[Place]
) -> Statement:
    counted = [one.token.value for one in numbers if one.label == "ran" and one.sure]
    is_told = _IDLE.search(clause.text) is None and not _is_not_run(clause)
    is_read = is_told and any(one.sure for one in run)
    return Statement(
        "tests_run",
        clause,
        check=check,
        is_whole=_is_whole(clause),
        certain=is_read and _means_all(run),
        is_read=is_read,
        is_last=tests.AFTER_LAST.search(clause.text) is not None,
        count=counted[0] if len(counted) == 1 else None,
    )


# what runs nothing: "a dry run", "collected", "--list"
_IDLE = lazy_pattern(r"(?i)\bdry\b|\blist|\bcollect|\bsimulat|\bno-run\b|\bcompiled\b|\bhelp\b")


def _is_whole(clause: Clause) -> bool:
    text = clause.text
    return bool(words.WHOLE.search(text)) and not words.SOME_TESTS.search(text)


def _failing(clause: Clause, check: CheckName, found: list[Place], passed: int | None) -> Statement:
    count = next(
        (
            one.token.value
            if one.token.whole is None or one.label == "fail"
            else one.token.whole - (one.token.value or 0)
            for one in found
            if one.token.kind == "number" and one.token.value is not None
        ),
        None,
    )
    is_read = sure = any(one.sure for one in found)
    total = None
    if not _means_all(found):
        # "3 of the 4 parser tests pass": a run of 4 in all is of those
        shares = [one.token.whole for one in found if one.token.whole is not None and one.sure]
        total = shares[0] if len(shares) == 1 else None
        sure = total is not None
    is_early = words.NOT_AT_THE_END.search(clause.text) is not None or "runs" in clause.text.split()
    is_share = any(one.token.whole is not None for one in found)
    is_exact = is_share or tests.EXACTLY.search(clause.text) is not None
    return Statement(
        "fails",
        clause,
        check=check,
        count=count,
        certain=sure and not is_early,
        is_now=not is_early,
        is_exact=is_exact and count is not None,
        passed=passed,
        total=total,
        is_read=is_read and not is_early,
    )


def _passing(clause: Clause, check: CheckName, found: list[Place]) -> Statement:
    numbers = [one for one in found if one.token.kind == "number" and one.token.value]
    # "the factor is 100 now and PHPUnit is OK": a number that may be of something else
    counted = [
        one
        for one in numbers
        if one.sure or len(numbers) == len(found) or TEST_NOUNS & set(one.after)
    ]
    count = counted[0].token.value if counted else None
    sure = any(one.sure for one in found) and words.NOT_AT_THE_END.search(clause.text) is None
    # "linters (ruff, mypy) were skipped"; tests are skipped while the others pass
    sure = sure and (check == "tests" or _LEFT_UNRUN.search(clause.text) is None)
    return Statement(
        "passes",
        clause,
        check=check,
        count=count if check == "tests" else None,
        certain=sure and _means_all(found),
        is_part=sure and not any(_is_some(one) for one in found),
        is_read=sure,
        is_whole=_is_whole(clause),
    )


_NEAR = 4
_PART = word_set(
    """new existing relevant related other remaining rest added affected updated corresponding
    matching filtered some few most several many first second last anderen neuen restlichen"""
)
_NOT_ALL = word_set("most almost nearly some few hardly fast meisten")
_OF = word_set("in of for from under inside that which aus von f\u00fcr")
_ONE_TEST = word_set("test spec example")
_ANY_ONE = word_set("every each any no single one a") | {"<0>", "zero"}
_IN_ALL = word_set("total all sum the which them those these")


def _means_all(found: Sequence[Place]) -> bool:
    """ "All tests", "the pytest suite"; "the parser tests" and "the other two" are some of them."""
    return all(_is_all(one) for one in found)


def _is_some(one: Place) -> bool:
    """ "The other two", "the tests in `a.py`"."""
    is_within = bool(one.after) and one.after[0] in _OF and one.after[-1] not in _IN_ALL
    return is_within or bool(_PART & set(one.before[-2:]))


def _is_all(one: Place) -> bool:
    if _is_some(one):
        return False
    last = one.before[-1] if one.before else ""
    if one.token.shape in _ONE_TEST:
        return last in _ANY_ONE  # "its test" is one of them
    return one.token.kind == "number" or last in words.ANY_TESTS or not last.isalpha()


_INSTALL = "install"
_GIT_DEEDS = frozenset({"git commit", "git push"})
"""Others are words of everyday, too: "I merged the two functions"."""
_OF_BRANCHES = frozenset({"git merge", "git rebase"})


def _is_of_branch(clause: Clause) -> bool:
    """ "The branch was merged into main"; "I merged `setup` into `main`" names functions."""
    names_code = any(token.kind == "code" for token in tokens_of(clause.text))
    return words.A_BRANCH.search(clause.text) is not None and not names_code


def _denies(clause: Clause) -> bool:
    """ "Commit: there was nothing to record", "Committet habe ich nichts"."""
    shapes = [token.shape for token in tokens_of(clause.text)]
    return any(is_negation(shape) or shape == "nichts" for shape in shapes)


def _deeds(clause: Clause, found: list[Place]) -> Iterator[Statement]:
    is_denied = _denies(clause)
    for one in found:
        deed = one.token.deed
        if deed == _INSTALL:
            if not _describes_package(one):
                yield _install(clause, one)
        elif one.label == "not_done":
            if deed in _GIT_DEEDS:
                yield _not_run(clause, deed, one)
        elif deed in _GIT_DEEDS or (deed in _OF_BRANCHES and _is_of_branch(clause)):
            failed = one.label == "failed"
            yield Statement(
                "ran",
                clause,
                command=deed,
                succeeded=not failed,
                failed=failed,
                certain=one.sure and (failed or not is_denied),
            )
        elif deed in {"pull-request", "branch"} and one.label == "done":
            kind: StatementKind = "pull_request" if deed == "pull-request" else "branched"
            yield Statement(kind, clause, certain=one.sure)


_PACKAGES = [
    (word,) for word in "package packages version versions tools dependencies modules gems".split()
]
_DOERS = [(word,) for word in "i we and also then just ve have".split()]


def _describes_package(one: Place) -> bool:
    """ "The first two installed packages"."""
    return one.after[:1] in _PACKAGES and one.before[-1:] not in _DOERS


def _install(clause: Clause, one: Place) -> Statement:
    """That something was installed, whatever it is; "pytest is installed" tells no deed."""
    is_state = _IS_INSTALLED.search(clause.text) is not None
    was_done = one.label != "not_done"
    sure = one.sure and not is_state
    if not was_done:
        # "the new release was not installed" leaves open what was
        is_of_all = _NOTHING_AT_ALL.search(clause.text) is not None
        sure = is_of_all and one.reading.certainty >= reader().very_sure
    return Statement(
        "installed",
        clause,
        command="",
        failed=one.label == "failed",
        was_done=was_done,
        certain=sure,
    )


# such as "pytest is already installed"; "is installed now" tells of a deed
_IS_INSTALLED = lazy_pattern(
    r"(?i)\b(?:is|are|ist|sind|war|waren)(?: \w+){0,2} (?:installed|installiert)\b"
    r"(?! (?:now|too|as well|worden))|\balready\b|\bbereits\b|\bschon\b"
)
# such as "Nothing was installed", "no packages", "keine Pakete"
_NOTHING_AT_ALL = lazy_pattern(
    r"(?i)\b(?:nothing|nichts|(?:no|any|keine?) (?:[\w-]+ ){0,2}?(?:package|dependenc|module|gem"
    r"|librar|crate|paket|abh\u00e4ngigkeit|[\w-]+-pakete)\w*)\b"
)
