"""What a report says of tests and other checks: run or not, passing, failing, how many."""

import re
from collections.abc import Iterator

from groundwire import values
from groundwire.actions import _action_words as words, _test_words as tests
from groundwire.actions._anchors import number_of, tokens_of
from groundwire.actions._clauses_of_report import Clause, whole_clause
from groundwire.actions._mentions import CODE, LIKE_A_TEST
from groundwire.actions._statement import Statement, StatementKind
from groundwire.text import Sentence, is_negation, placed_words, status_in, word_set
from groundwire.traces import check_of


def in_clause(clause: Clause) -> Iterator[Statement]:
    """Everything a clause says of checks."""
    found = _not_run(clause) or _from_the_start(clause) or _tests_by_name(clause)
    if found:
        yield from found
        return
    were_run = tests.WERE_RUN.match(clause.text)
    if were_run is not None and not _is_suspended(clause.text, *were_run.span()):
        whole = words.WHOLE.search(were_run["all"]) is not None
        yield Statement("tests_run", clause, is_whole=whole)
    skipped = tests.SKIPPED.match(clause.text)
    if skipped is not None and (count := _number(skipped["count"])) is not None:
        yield Statement("skipped", clause, count=count)
    yield from _passes(clause)
    yield from _fails(clause)


def _not_run(clause: Clause) -> list[Statement]:
    """ "I did not run the tests", "no tests were run"."""
    for pattern in tests.NOT_RUN:
        match = pattern.match(clause.text)
        if match is not None and is_negation(match["cue"]):
            return [Statement("tests_run", clause, was_done=False)]
    return []


def _from_the_start(clause: Clause) -> list[Statement]:
    """ "The first ruff run was already clean"."""
    if tests.FROM_THE_START.match(clause.text) is None:
        return []
    named = [one.check for one in tokens_of(clause.text) if one.kind == "check"]
    return [Statement("passes", clause, check=named[0] if named else "tests", is_first=True)]


def _tests_by_name(clause: Clause) -> list[Statement]:
    """ "The test `adds` fails"; without the word, its name must be one of a test."""
    match = tests.ONE_TEST.match(clause.text)
    if match is None or _is_suspended(clause.text, match.start("names"), len(clause.text)):
        return []
    names = [name.strip("`") for name in CODE.findall(match["names"])]
    is_told = bool(match["kind"] or match["after"])
    is_told = is_told or all(LIKE_A_TEST.fullmatch(name) for name in names)
    kind: StatementKind = "fails" if match["bad"] else "passes"
    # what only may be a test's name counts if a run names it
    return [Statement(kind, clause, name=name, if_known=not is_told) for name in names]


def summary_line(sentence: Sentence) -> Statement | None:
    """ "Tests run: 2, Failures: 0", "rspec: 2 examples, 1 failure": what a runner would print."""
    text = sentence.words.text
    runner = tests.RUNNER.match(text)
    if runner is not None and check_of(runner["line"].split()) == "tests":
        text = text[runner.end() :]
    if tests.SUMMARY.fullmatch(text) is None:
        return None
    counts: dict[str, int] = {}
    for match in tests.PAIR.finditer(text):
        noun = (match["ended"] or match["noun"] or match["label"]).lower()
        first = "bad" if noun[:4] in {"fail", "erro"} else "good" if noun[:4] == "pass" else "all"
        kind = "skipped" if noun[:4] in {"skip", "pend", "igno"} else first
        kind = "other" if noun.startswith("assert") else kind
        number = match["number"] or match["value"]
        counts[kind] = counts.get(kind, 0) + (int(number) if number.isdigit() else 0)
    clause = whole_clause(sentence)
    if counts.get("bad"):
        return Statement("fails", clause, count=counts["bad"], passed=counts.get("good"))
    passed = counts.get("good", counts.get("all", 0) - counts.get("skipped", 0))
    return Statement("passes", clause, count=passed) if passed else None


def _fails(clause: Clause) -> Iterator[Statement]:
    """ "2 tests still fail"; where it may be some earlier run or one test, it is not certain."""
    german = tests.GERMAN_FAIL.search(clause.text)
    if german is not None:
        yield Statement("fails", clause, count=number_of(german["count"].lower()))
        return
    told = tests.FAILURES.search(clause.text)
    if told is not None and (count := _number(told["count"])) is not None:
        is_of_tests = "error" not in told["what"] or tests.OF_TESTS.search(clause.text)
        if is_of_tests and not _is_suspended(clause.text, told.start(), told.start()):
            exact = tests.EXACTLY.search(told.group()) is not None
            sure = bool(count) or words.NOT_AT_THE_END.search(clause.text) is None
            kind: StatementKind = "fails" if count else "passes"
            yield Statement(
                kind, clause, count=count or None, is_exact=exact, is_now=False, certain=sure
            )
            return
    for check, pattern in words.of_checks(words.FAILS_NOW, clause.text):
        match = pattern.search(clause.text)
        before = clause.text[: match.start()] if match else ""
        last = placed_words(before)[-1:]
        if match is not None and last and is_negation(before.strip()):
            whole = speaks_of_all(clause.sentence)
            yield Statement("passes", clause, check=check, is_whole=whole)  # "no test fails"
            continue
        if match is None:
            continue
        end = match.start("denied") if match["denied"] else match.end()
        if _is_suspended(clause.text, match.start(), end):
            continue
        is_share = words.OUT_OF.search(before + match.group()) is not None  # "one of 3 tests"
        count = _count(match.group()) or (values.whole_number(last[0].low) if last else None)
        count = None if is_share else count
        if count == 0:
            whole = speaks_of_all(clause.sentence)
            yield Statement("passes", clause, check=check, is_whole=whole)
            continue
        sure = count is not None or is_share or _means_all(before)
        where = "" if sure or check != "tests" else last[0].low
        is_read = words.NOT_ALL_NOW.search(clause.text) is None
        sure = (sure or bool(where)) and is_read
        is_now = words.NOW_FAILS.search(match.group()) is not None
        yield Statement(
            "fails",
            clause,
            check=check,
            certain=sure,
            count=count,
            where=where,
            is_now=is_now,
            is_exact=tests.EXACTLY.search(before) is not None,
            is_read=is_read,
        )


def speaks_of_all(text: str) -> bool:
    """Whether "no test fails" is said of all there are: no run, file or test is named beside it."""
    is_named = words.A_RUN.search(text) or words.SOME_TESTS.search(text) or "`" in text
    return not is_named and words.NOT_AT_THE_END.search(text) is None


def _means_all(before: str) -> bool:
    """ "All tests", "the pytest suite"; "the backend tests" are some of them."""
    last = placed_words(before)[-1:]
    return not last or last[0].low in words.ANY_TESTS or _is_number(last[0].low)


def labelled(sentence: Sentence) -> Statement | None:
    """ "Tests: 12/12 passed"."""
    for check, pattern in words.of_checks(words.LABELLED, sentence.words.text):
        match = pattern.match(sentence.words.text)
        if match is not None and succeeds(match["rest"]):
            whole = bool(words.SHARE.search(match["rest"]))
            clause = whole_clause(sentence)
            number = tests.SO_MANY_PASS.search(match["rest"]) if check == "tests" else None
            count = int(number["count"]) if number else None
            return Statement("passes", clause, check=check, is_whole=whole, count=count)
    return None


def succeeds(told: str) -> bool:
    """ "no errors" succeeds, "did not pass" fails."""
    good = [_is_denied(told, match.start()) for match in words.SUCCESS.finditer(told)]
    bad = [_is_denied(told, match.start()) for match in words.FAILURE.finditer(told)]
    partly = words.SHARE.search(told)
    if partly is not None and partly["passed"] != partly["all"]:
        return False
    return bool(good or bad) and not any(good) and all(bad)


def _is_denied(text: str, place: int) -> bool:
    """Whether the word before a place denies what follows: "no errors", "without any failure"."""
    before = [word.text for word in placed_words(text[:place])]
    while before and before[-1].lower() in _EVEN_ONE:
        before.pop()
    return bool(before) and (is_negation(before[-1]) or before[-1] == "0")


_EVEN_ONE = word_set("a an any one single further new")


def _passes(clause: Clause) -> Iterator[Statement]:
    share = words.SHARE.search(clause.text)
    if share is not None and share["passed"] != share["all"]:
        return
    passing = words.of_checks(words.PASSES, clause.text)
    found = {check: pattern.search(clause.text) for check, pattern in passing}
    others = words.of_checks(words.OTHER_CHECKS, clause.text)
    about_others = words.A_RUN.search(clause.sentence) or any(
        pattern.search(clause.text) for _, pattern in others
    )
    if not any(found.values()) and not about_others:
        # "I ran mypy, all green" is about mypy; "All green" alone is about the tests
        found["tests"] = words.ENDS_WELL_ALONE.search(clause.text)
    for check, match in found.items():
        if match is not None and _is_achieved(clause.text, match):
            whole = bool(words.WHOLE.search(clause.text)) or share is not None
            is_none_left = tests.NONE_LEFT.search(clause.text) is not None
            whole = whole or (is_none_left and speaks_of_all(clause.sentence))
            before = clause.text[: match.start()]
            sure = match.re.pattern == words.ENDS_WELL_ALONE.pattern or _means_all(before)
            last = placed_words(before)[-1:]
            where = "" if sure or check != "tests" or not last else last[0].low
            near = clause.text[max(0, match.start() - _COUNT_REACH_CHARS) : match.end()]
            count = _count(near) if check == "tests" else None
            sure = (sure or bool(where)) and words.SOME_TESTS.search(clause.text) is None
            yield Statement(
                "passes",
                clause,
                check=check,
                is_whole=whole and not where,
                certain=sure,
                count=count,
                where=where,
                is_read=True,
            )


_COUNT_REACH_CHARS = 12
"""So far before "tests" a number may stand: "All 5 ctest tests"."""


def _count(told: str) -> int | None:
    """ "All 12 tests pass", "12/12 passing", "12 passed"."""
    found = words.COUNT.search(told)
    if found is not None:
        return int(found["count"])
    spelled = [word.low for word in placed_words(told) if not word.low.isdigit()]
    numbers = [values.whole_number(word) for word in spelled]
    return next((number for number in numbers if number is not None), None)


def _is_achieved(text: str, match: re.Match[str]) -> bool:
    is_no_failure = words.NO_FAILURE.fullmatch(match.group()) is not None
    if not is_no_failure and _is_suspended(text, *match.span()):
        return False
    around = words.NO_FAILURE.sub(" ", text[: match.start()] + " " + text[match.end() :])
    fails = [not _is_denied(around, one.start()) for one in words.FAILURE.finditer(around)]
    return not words.NOT_ACHIEVED.search(around) and not any(fails)


def _is_suspended(text: str, start: int, end: int) -> bool:
    """Supposed, planned, ordered or reported; or denied before its end ("pass with no errors").

    "Tests pass" is no order to test.
    """
    return any(
        mark.cue[0] < end if mark.label == "negated" else (mark.cue, start) != ((0, 1), 0)
        for mark in status_in(text, start, end).marks
    )


def _number(word: str) -> int | None:
    """ "no", "none" and "nothing" are 0."""
    if is_negation(word) or word.lower() == "nothing":
        return 0
    return values.whole_number(word.lower())


def _is_number(word: str) -> bool:
    return values.whole_number(word) is not None
