"""Statements of prose tied to real files and commands; what cannot be tied stays unbound."""

from collections.abc import Callable, Iterator
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.actions._claims import (
    EVERYTHING,
    AnyClaim,
    CommandExecuted,
    CommandFor,
    FileAbsent,
    FileChanged,
    FileCreated,
    FileDelete,
    FileExists,
    FileReverted,
    FilesChanged,
    FilesUnchanged,
    PartChanged,
    Said,
    TestsChanged,
    TestsFail,
    TestsPass,
    TestsRun,
    TestsSkipped,
    TextAbsent,
    TextPresent,
    Unbound,
    said_apart,
)
from groundwire.actions._directory import FileTree
from groundwire.actions._evidence import Evidence
from groundwire.actions._history import History
from groundwire.actions._output import ReadReport
from groundwire.actions._places import Places
from groundwire.actions._prose import read_report
from groundwire.actions._reservations import is_any_deed, tells_deed
from groundwire.actions._sentence_details import branch_told, named_beside, tool_told
from groundwire.actions._snapshot import Snapshot
from groundwire.actions._statement import Statement
from groundwire.actions._test_words import AFTER_LAST
from groundwire.text import placed_words
from groundwire.traces import checks_in

MAX_SUMMARY_CHARS = 500
TEST_PATTERNS = (
    "tests/**", "test/**", "**/tests/**", "**/test/**", "**/__tests__/**", "spec/**", "**/spec/**",
    "**/test_*.py", "**/*_test.*", "**/*.test.*", "**/*.spec.*", "**/conftest.py",
)  # fmt: skip


def claims_from_text(
    report: str,
    *,
    tree: FileTree | None = None,
    history: History | None = None,
    before: Snapshot | None = None,
    trace_id: str | None = None,
    evidence: Evidence | None = None,
) -> ReadReport:
    """What a report says was done, as claims that can be verified.

    What has been read of the files is not read again where `evidence` comes with it.
    """
    places = Places(tree, history, before, evidence)
    claims: dict[str, AnyClaim] = {}
    found, coverage = read_report(report, places.is_file)
    tied: dict[str, list[AnyClaim]] = {}
    for statement in found:
        for claim in _claims(statement, places):
            claims.setdefault(said_apart(claim), claim)
            tied.setdefault(statement.clause.sentence, []).append(claim)
    for statement in found:
        clause = statement.clause
        made = tied.get(clause.sentence, [])
        is_lost = statement.kind == "part" and statement.certain and not made
        if is_lost or (made and places.is_not_looked_at(clause.sentence, made)):
            said = Said(text=clause.text, start=clause.start, end=clause.end)
            claims.setdefault(clause.sentence, Unbound(said=said, text=clause.text))
    return ReadReport.of_report(
        report.strip()[:MAX_SUMMARY_CHARS],
        trace_id,
        coverage=coverage,
        claims=tuple(_without_outdated(list(claims.values()))),
    )


def _without_outdated(claims: list[AnyClaim]) -> list[AnyClaim]:
    """ "There is no config.yaml, so I created it" does not claim that it is absent.

    Nor does "I changed a.py, then reverted it" claim a change.
    """
    made = {claim.file_path for claim in claims if isinstance(claim, FileCreated | FileChanged)}
    gone = {claim.file_path for claim in claims if isinstance(claim, FileDelete)}
    back = {claim.file_path for claim in claims if isinstance(claim, FileReverted)}
    return [
        claim
        for claim in claims
        if not (isinstance(claim, FileAbsent) and claim.file_path in made)
        and not (isinstance(claim, FileCreated | FileChanged) and claim.file_path in back | gone)
        and not (isinstance(claim, FileExists) and claim.file_path in gone)
    ]


def _claims(statement: Statement, places: Places) -> Iterator[AnyClaim]:
    if statement.if_nowhere and not places.is_nowhere(statement):
        return
    clause = statement.clause
    said = Said(text=clause.text, start=clause.start, end=clause.end)
    kind = statement.kind
    if places.was_run_less(statement):
        yield Unbound(said=said, text=clause.text)
    claimed = _BY_KIND.get(kind)
    if claimed is not None:
        yield from claimed(statement, said, places)
    elif kind == "unchanged" and (statement.about_tests or statement.is_whole):
        yield from _unchanged_claims(statement, said, places)
    else:
        yield from _file_claims(statement, said, places)


def _count_claims(statement: Statement, said: Said, _: Places) -> Iterator[AnyClaim]:
    number = FilesChanged if statement.kind == "counted" else TestsSkipped
    yield number(said=said, count=statement.count or 0, certain=statement.certain)


def _purpose_claims(statement: Statement, said: Said, _: Places) -> Iterator[AnyClaim]:
    yield CommandFor(
        said=said,
        purpose=_PURPOSES[statement.kind],
        subject=statement.command or "",
        certain=statement.certain,
        failed=statement.failed,
        ran=statement.was_done,
    )


def _test_claims(statement: Statement, said: Said, _: Places) -> Iterator[AnyClaim]:
    if statement.part_deed != "kept":
        yield TestsChanged(said=said, deed=statement.part_deed)


_PURPOSES: dict[str, Literal["install", "pull-request", "branch", "program"]] = {
    "program": "program",
    "installed": "install",
    "pull_request": "pull-request",
    "branched": "branch",
}


def _unchanged_claims(statement: Statement, said: Said, places: Places) -> Iterator[AnyClaim]:
    """Nothing was changed, or no test, or nothing but some files."""
    patterns = TEST_PATTERNS if statement.about_tests else EVERYTHING
    found = [places.find(thing.path) for thing in statement.things]
    besides = tuple(path for path in found if path is not None)
    if len(besides) < len(found):
        yield Unbound(said=said, text=statement.clause.text)
        return
    yield FilesUnchanged(
        said=said,
        patterns=patterns,
        besides=besides,
        deed=statement.deed,
        as_before=statement.as_before,
    )
    for path in besides:
        # what is gone was touched, too
        touched = FileDelete if places.is_gone(path) else FileChanged
        yield touched(said=said, file_path=path)


def _part_claims(statement: Statement, said: Said, places: Places) -> Iterator[AnyClaim]:
    name = statement.name or ""
    paths = [path for thing in statement.things if (path := places.find(thing.path)) is not None]
    path = paths[0] if paths else None
    if statement.part_deed == "set" and not places.has_value(name, path):
        return
    if statement.part_deed != "added" and not places.has_part(name, path):
        return  # "`old` became `new`", "I noted the bug in `add` in the README"
    yield PartChanged(
        said=said,
        name=name,
        file_path=path,
        deed=statement.part_deed,
        mended=statement.mended,
        test=statement.about_tests,
        behaves=statement.behaves,
        values=statement.values,
        certain=statement.certain,
    )


def _check_claims(statement: Statement, said: Said, places: Places) -> Iterator[AnyClaim]:
    check = statement.check
    if statement.if_known and not places.names_test(statement.name or ""):
        return
    told = None if check == "tests" else tool_told(statement.clause.sentence, check)
    tool = places.ran_by(told)
    where = statement.where
    if check == "tests" and not where:
        where = places.folder_told(said.text) or places.folder_told(statement.clause.sentence)
    # "the frontend run" is of a part, and a folder of that name was tested
    certain = statement.certain or (statement.is_part and bool(where))
    certain = certain or (statement.is_read and places.are_too_few(statement))
    if statement.kind == "fails":
        yield TestsFail(
            said=said,
            check=check,
            command=tool,
            certain=certain,
            count=statement.count,
            where=where,
            name=statement.name,
            now=statement.is_now,
            exact=statement.is_exact,
            passed=statement.passed,
            total=statement.total,
        )
        return
    is_ended = statement.kind == "passes" and statement.certain
    if told is not None and tool is None and is_ended and places.is_unspoken(told):
        yield CommandExecuted(said=said, command=told)  # "ESLint is clean" says that it was run
    if statement.kind == "tests_run":
        ran_none = statement.is_read and statement.was_done and places.ran_none(check)
        yield TestsRun(
            said=said,
            check=check,
            scope="all" if statement.is_whole else "some",
            ran=statement.was_done,
            last=statement.is_last,
            count=statement.count if statement.was_done else None,
            certain=statement.certain or ran_none,
        )
    if statement.kind == "passes" and AFTER_LAST.search(said.text) is not None:
        yield TestsRun(said=said, check=check, last=True, certain=statement.certain)
    if statement.kind == "passes" or statement.succeeded:
        yield TestsPass(
            said=said,
            check=check,
            command=tool,
            scope="all" if statement.is_whole else "some",
            certain=certain,
            count=statement.count,
            where=where,
            name=statement.name,
            first=statement.is_first,
        )


def _command_claims(statement: Statement, said: Said, places: Places) -> Iterator[AnyClaim]:
    command = statement.command or ""
    if not statement.was_done:
        yield CommandExecuted(said=said, command=command, ran=False, certain=statement.certain)
        return
    checks = checks_in(command, None)
    succeeded = statement.succeeded and not checks
    code = 0 if succeeded else statement.exit_code
    yield CommandExecuted(
        said=said,
        command=command,
        exit_code=code,
        failed=statement.failed,
        times=statement.count,
        certain=statement.certain,
        branch=branch_told(said.text, places.is_branch) if command in _ON_BRANCHES else None,
    )
    for check in checks:
        if AFTER_LAST.search(said.text) is not None:
            yield TestsRun(said=said, check=check.check, last=True, certain=statement.certain)
        if statement.succeeded:
            yield TestsPass(
                said=said, check=check.check, command=command, certain=statement.certain
            )


def _file_claims(statement: Statement, said: Said, places: Places) -> Iterator[AnyClaim]:
    if any(thing.is_guess and not places.knows(thing.path) for thing in statement.things):
        return
    paths = [places.find(thing.path) for thing in statement.things]
    if not paths and statement.kind in {"contains", "lacks"}:
        holding = places.holding(_NAME.findall(statement.clause.text))
        paths = [holding or places.last_changed()] if statement.if_nowhere else [holding]
        if paths == [None]:
            return
    if not paths or any(path is None for path in paths):
        yield Unbound(said=said, text=statement.clause.text)
        return
    bound = [path for path in paths if path is not None]
    if statement.kind in {"contains", "lacks"}:
        yield from _content_claims(statement, bound[0], said, places)
    elif statement.kind == "moved":
        yield FileDelete(said=said, file_path=bound[0], certain=statement.certain)
        yield FileCreated(said=said, file_path=bound[1], certain=statement.certain)
    elif statement.kind == "unchanged":
        yield FilesUnchanged(said=said, patterns=tuple(bound))
    else:
        for path in bound:
            yield _file_claim(statement, path, said, places)


def _content_claims(
    statement: Statement, path: str, said: Said, places: Places
) -> Iterator[AnyClaim]:
    snippet = statement.command or ""
    if places.ran_by(snippet):
        return  # "`notes.txt` has 3 lines (`wc -l`)"
    text = TextPresent if statement.kind == "contains" else TextAbsent
    yield text(said=said, file_path=path, snippet=snippet, certain=statement.certain)
    if statement.kind == "contains" and not statement.certain:
        # "uses `re.sub(...)`" may not quote it, but its longest name must be there
        name = max((word.text for word in placed_words(snippet)), key=len, default=snippet)
        yield TextPresent(said=said, file_path=path, snippet=name)


_ON_BRANCHES = frozenset({"git commit", "git push", "git merge"})
_CLAIMED: dict[
    str, type[FileCreated | FileChanged | FileDelete | FileAbsent | FileExists | FileReverted]
] = {
    "created": FileCreated,
    "added": FileChanged,
    "reverted": FileReverted,
    "changed": FileChanged,
    "deleted": FileDelete,
    "absent": FileAbsent,
    "exists": FileExists,
}


def _file_claim(statement: Statement, path: str, said: Said, places: Places) -> AnyClaim:
    certain = statement.certain and places.is_sure(path)
    is_folder = places.tree is not None and places.tree.is_folder(path)
    if is_folder and statement.kind in {"created", "added", "changed"}:
        return FileExists(said=said, file_path=path, certain=certain)
    if is_folder and statement.kind == "deleted":
        return FileAbsent(said=said, file_path=path, certain=certain)
    if is_folder and statement.kind == "reverted":
        whole = (f"{path}/**",)
        return FilesUnchanged(said=said, patterns=whole, as_before=True, certain=certain)
    claimed = _CLAIMED[statement.kind]
    if claimed is FileChanged and places.is_gone(path) and is_any_deed(statement.clause.text):
        return FileDelete(said=said, file_path=path, certain=certain)
    if claimed is FileChanged:
        beside = named_beside(statement.clause, statement.things)
        # "left an executable `app` and out.txt" names two files, and nothing in either
        parts = tuple(one for one in beside if not places.is_file(one))
        is_deed = tells_deed(statement.clause.text)
        certain = certain or (is_deed and places.defines(path, parts))
        parts = (*parts, *places.defined_in(path, statement.clause.text))
        return FileChanged(said=said, file_path=path, certain=certain, parts=parts)
    return claimed(said=said, file_path=path, certain=certain)


# such as "`add`", "`add()`", "`MAX_SIZE`"
_NAME = lazy_pattern(r"`([^\W\d]\w*)(?:\(\))?`")
_BY_KIND: dict[str, Callable[[Statement, Said, Places], Iterator[AnyClaim]]] = {
    "ran": _command_claims,
    **dict.fromkeys(("tests_run", "passes", "fails"), _check_claims),
    **dict.fromkeys(("counted", "skipped"), _count_claims),
    **dict.fromkeys(_PURPOSES, _purpose_claims),
    "part": _part_claims,
    "tests_changed": _test_claims,
}
