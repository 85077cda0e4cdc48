"""What the learned reader finds in a sentence, as statements that can be checked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire._patterns import lazy_pattern
from groundwire.actions import _action_words as words, _test_words as tests
from groundwire.actions._anchors import Token, features, segments_of, tokens_of
from groundwire.actions._clauses_of_report import Clause
from groundwire.actions._learned import Reading, read_place, reader
from groundwire.actions._mentions import LIKE_A_TEST, Mention
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

    @property
    def sure(self) -> bool:
        return self.reading.certainty >= reader().sure

    @property
    def label(self) -> str:
        return self.reading.label


def _places(text: str, tokens: Sequence[Token], segments: Sequence[int]) -> list[Place]:
    """Every place of which something is likely said."""
    found = []
    for at, token in enumerate(tokens):
        if not token.is_anchor:
            continue
        reading = read_place(token.kind, _features(tokens, segments, at))
        if reading.label == "none" or reading.certainty < reader().likely:
            continue
        if _is_supposed(text, token):
            continue
        if reading.label in _DEEDS and _is_denied(tokens, segments, at):
            continue
        before = tuple(one.shape for one in tokens[max(0, at - _NEAR) : at])
        after = tuple(one.shape for one in tokens[at + 1 : at + 3])
        found.append(Place(token, reading, before, after))
    return found


_DEEDS = frozenset({"changed", "created", "written", "deleted", "ran", "done", "installed"})


def _is_denied(tokens: Sequence[Token], segments: Sequence[int], at: int) -> bool:
    """A "not" beside a deed makes it none, whatever else was learned."""
    return any(
        token.kind == "word" and segment == segments[at] and is_negation(token.shape)
        for token, segment in zip(tokens, segments, strict=True)
    )


def _is_supposed(text: str, token: Token) -> bool:
    """Under an "if" or a "should"."""
    return bool(status_in(text, token.start, token.end).labels & _SUPPOSED)


def statements_in(clause: Clause) -> Iterator[Statement]:
    """What a sentence says; what somebody else did is not said of the agent."""
    tokens = tokens_of(clause.text)
    found = _places(clause.text, tokens, segments_of(tokens))
    if _OTHERS.match(clause.text):
        found = [one for one in found if one.label in _OF_STATE]
    yield from _files(clause, [one for one in found if one.token.kind == "file"])
    yield from _codes(clause, found)
    yield from _checks(clause, found)
    yield from _deeds(clause, [one for one in found if one.token.kind == "deed"])


def named_beside(clause: Clause, things: Sequence[Mention]) -> tuple[str, ...]:
    """Code, quotations and values that stand in one stretch with a file: what is said of it."""
    tokens = tokens_of(clause.text)
    segments = segments_of(tokens)
    paths = {thing.path for thing in things}
    mine = {
        segment
        for token, segment in zip(tokens, segments, strict=True)
        if token.kind == "file" and token.text in paths
    }
    return tuple(
        token.text
        for at, token in enumerate(tokens)
        if segments[at] in mine and _is_specific(tokens, segments, at)
    )


def _is_specific(tokens: Sequence[Token], segments: Sequence[int], at: int) -> bool:
    token = tokens[at]
    if token.kind == "number" and token.text.isdigit():
        return read_place(token.kind, _features(tokens, segments, at)).label == "value"
    return token.kind == "code" and token.shape != "<c>"


def _features(tokens: Sequence[Token], segments: Sequence[int], at: int) -> list[str]:
    return features(tokens, segments, at, reader().groups)


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
        else:
            kind = _FILE_KINDS[one.label]
            things = (_mention(one.token),) if one.sure or kind != "changed" else ()
            yield Statement(kind, clause, things, certain=one.sure)


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
        elif is_command and label in {"ran", "ok", "bad", "pass", "fail"}:
            code = exits[0].token.value if len(exits) == 1 and label != "ran" else None
            yield Statement(
                "ran",
                clause,
                command=token.text,
                succeeded=label in {"ok", "pass"} and not code,
                failed=label in {"bad", "fail"} and code is None,
                exit_code=code,
                certain=one.sure and "warning" not in clause.text,
            )
        elif label in {"pass", "fail", "ok", "bad"} and not is_command and token.shape in _NAMES:
            kind: StatementKind = "passes" if label in {"pass", "ok"} else "fails"
            is_told = token.in_code and LIKE_A_TEST.fullmatch(token.text) is not None
            yield Statement(kind, clause, name=token.text, certain=one.sure, if_known=not is_told)
        elif label in {"installed", "not_installed"} and not is_command:
            if _OF_PACKAGES.search(clause.sentence) is None:
                continue
            failed = label == "not_installed"
            yield Statement(
                "installed", clause, command=token.text, certain=one.sure, failed=failed
            )
        elif label in {"present", "absent"}:
            yield from _content(clause, one)


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
)
_NAMES = frozenset({"<t>", "<x>", "<o>"})


def _content(clause: Clause, one: Place) -> Iterator[Statement]:
    """What stands in a file: code, a quotation, a version, a number in figures."""
    if not one.sure:
        return
    files = [token for token in tokens_of(clause.text) if token.kind == "file"]
    quote = one.token.text
    is_written_out = one.token.shape in {"<o>", "<q>", "<v>", "<n>", "<0>"}
    sure = is_written_out and not quote.endswith(("()", "...", "\u2026"))
    kind: StatementKind = "lacks" if one.label == "absent" else "contains"
    if files:
        nearest = min(files, key=lambda token: abs(token.start - one.token.start))
        yield Statement(kind, clause, (_mention(nearest),), command=quote, certain=sure)
    elif one.token.shape in {"<o>", "<n>", "<v>"}:
        yield Statement(kind, clause, command=quote, certain=sure)


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
    elif passing and not any(_NOT_ALL & set(one.before) for one in passing):
        yield _passing(clause, check, passing)
    run = [one for one in about if one.label == "ran"]
    # "a second run was green" was run
    run = run or [one for one in passing if one.token.shape in _RUNS]
    if run:
        yield _were_run(clause, check, run, numbers)
    left_out = [one for one in about if one.label == "not_run"]
    if left_out and not (failing or passing):
        sure = any(one.reading.certainty >= reader().very_sure for one in left_out)
        sure = sure and _means_all(left_out) and not _is_once_more(clause)
        sure = sure and not any(_ELSEWHERE & set(one.after) for one in left_out)
        yield Statement("tests_run", clause, check=check, was_done=False, certain=sure)


def _were_run(
    clause: Clause, check: CheckName, run: list[Place], numbers: list[Place]
) -> Statement:
    counted = [one.token.value for one in numbers if one.label == "ran" and one.sure]
    sure = any(one.sure for one in run) and _means_all(run)
    return Statement(
        "tests_run",
        clause,
        check=check,
        is_whole=_is_whole(clause),
        certain=sure and _IDLE.search(clause.text) is None,
        is_last=tests.AFTER_LAST.search(clause.text) is not None,
        count=counted[0] if len(counted) == 1 else None,
    )


# what runs nothing: "a dry run", "collected", "--list"
_IDLE = lazy_pattern(r"(?i)\bdry\b|\blist|\bcollect|\bsimulat|\bno-run\b|\bcompiled\b|\bhelp\b")
_RUNS = frozenset({"run", "rerun", "lauf", "testlauf"})


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
    sure = any(one.sure for one in found)
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
    )


def _passing(clause: Clause, check: CheckName, found: list[Place]) -> Statement:
    count = next(
        (one.token.value for one in found if one.token.kind == "number" and one.token.value), None
    )
    sure = any(one.sure for one in found) and _means_all(found)
    sure = sure and words.NOT_AT_THE_END.search(clause.text) is None
    return Statement(
        "passes",
        clause,
        check=check,
        count=count if check == "tests" else None,
        certain=sure,
        is_whole=_is_whole(clause),
    )


_NEAR = 4
_PART = word_set(
    """new existing relevant related other remaining rest added affected updated corresponding
    matching filtered some few most several many first second last anderen neuen restlichen"""
)
_NOT_ALL = word_set("most almost nearly some few hardly fast meisten")
_OF = word_set("in of for from under inside that which aus von f\u00fcr")
_IN_ALL = word_set("total all sum the which them those these")


def _means_all(found: Sequence[Place]) -> bool:
    """ "All tests", "the pytest suite"; "the parser tests" and "the other two" are some of them."""
    return all(_is_all(one) for one in found)


def _is_all(one: Place) -> bool:
    if _PART & set(one.before[-2:]):
        return False
    if one.after and one.after[0] in _OF and one.after[-1] not in _IN_ALL:
        return False
    last = one.before[-1] if one.before else ""
    return one.token.kind == "number" or last in words.ANY_TESTS or not last.isalpha()


_GIT_DEEDS = frozenset({"git commit", "git push"})
"""Others are words of everyday, too: "I merged the two functions"."""


def _deeds(clause: Clause, found: list[Place]) -> Iterator[Statement]:
    for one in found:
        deed = one.token.deed
        if one.label == "not_done":
            if deed in _GIT_DEEDS:
                yield _not_run(clause, deed, one)
            continue
        failed = one.label == "failed"
        if deed in _GIT_DEEDS:
            yield Statement(
                "ran", clause, command=deed, succeeded=not failed, failed=failed, certain=one.sure
            )
        elif deed in {"pull-request", "branch"} and not failed:
            kind: StatementKind = "pull_request" if deed == "pull-request" else "branched"
            yield Statement(kind, clause, certain=one.sure)
