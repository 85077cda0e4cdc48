"""Side effects an agent's prose asserts: what it says it changed, removed, ran, or left alone."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from groundwire.actions import _action_words as words, _test_words as tests
from groundwire.actions._anchors import IsFile, no_file
from groundwire.actions._both_readings import joined, plainly, with_parts
from groundwire.actions._claims import LeftOut, LeftOutReason, ReportCoverage
from groundwire.actions._clauses_of_report import (
    Clause,
    Row,
    clauses_of,
    item_of,
    left_out,
    row_of,
    whole_clause,
)
from groundwire.actions._mentions import CODE, Mention, command_in, is_tool, mentions, without_code
from groundwire.actions._prose_tests import in_clause, labelled, succeeds, summary_line
from groundwire.actions._read_parts import parts_in, settings_in, tests_in
from groundwire.actions._read_places import statements_in
from groundwire.actions._reservations import (
    as_not_done,
    is_crossed_out,
    is_still_open,
    with_reservations,
    without_undone,
)
from groundwire.actions._sentence_details import counted_times
from groundwire.actions._statement import FILE_KINDS, FileKind, Statement, StatementKind
from groundwire.text import (
    Sentence,
    is_auxiliary,
    is_negation,
    is_ticked,
    marks_in,
    placed_words,
    read,
)
from groundwire.traces import CheckName, check_of

MAX_TEXT_CHARS = 500_000
_OF_TESTS = frozenset({"passes", "fails", "tests_run"})
_SUPPOSED = frozenset({"conditional", "ordered", "hedged", "planned", "asked", "example"})


@dataclass
class _Account:
    """Every sentence ends here: with what it says, or with why it says nothing."""

    told: list[tuple[int, str, list[Statement]]] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)
    sentences: int = 0

    def add(
        self, start: int, end: int, said: list[Statement], reason: LeftOutReason, text: str = ""
    ) -> None:
        self.sentences += 1
        self.told.append((self.sentences, text, said))
        if all(one.if_nowhere for one in said):  # what is read with doubt is not read
            self.left.append(LeftOut(start=start, end=end, reason=reason))

    def coverage(self) -> ReportCoverage:
        checked = self.sentences - len(self.left)
        return ReportCoverage(sentences=self.sentences, checked=checked, left_out=tuple(self.left))


def statements(report: str) -> list[Statement]:
    """What is read without doubt, or with some."""
    return [one for one in read_report(report)[0] if not one.if_nowhere]


def read_report(report: str, is_file: IsFile = no_file) -> tuple[list[Statement], ReportCoverage]:
    """What a report says was done, and an account of each of its sentences."""
    account = _Account()
    lead = ""
    for outer in read(without_code(report[:MAX_TEXT_CHARS])).sentences:
        sentence = replace(outer, source=report)
        whole = whole_clause(sentence)
        reason = left_out(outer)
        said = [] if reason else list(_said(sentence, lead))
        if not reason and not _is_listed(sentence, lead):
            said = joined(said, list(statements_in(whole, is_file)))
            said = with_parts(said, [*parts_in(whole, is_file), *tests_in(whole)])
            said += settings_in(whole, is_file)
        said = with_reservations([plainly(one) for one in said])
        if _is_not_done(sentence, lead):
            said, reason = as_not_done(said), reason or "denied"
        if _names_a_part(whole.text):
            said = [_of_part(one) for one in said]
        if sentence.block.kind not in ("item", "row"):
            lead = sentence.words.text if sentence.words.text.endswith(":") else ""
            if lead and not any(one.things for one in said):
                # "I changed these:" says what its list says
                said, reason = [one for one in said if one.kind not in FILE_KINDS], "heading"
        if reason is None and all(one.if_nowhere for one in said):
            reason = _why_nothing(outer)
        account.add(sentence.start, sentence.end, said, reason or "no_deed", whole.text)
    if len(report) > MAX_TEXT_CHARS:
        account.add(MAX_TEXT_CHARS, len(report), [], "too_long")
    return list(_in_the_end(list(without_undone(account.told)))), account.coverage()


def _in_the_end(found: Sequence[Statement]) -> Iterator[Statement]:
    """ "Two tests failed. Now all pass": that some fail is a story by then."""
    for at, one in enumerate(found):
        is_told_otherwise = one.kind == "fails" and any(
            later.kind == "passes" and later.check == one.check and later.name is None
            for later in found[at + 1 :]
        )
        yield replace(one, certain=False, is_read=False) if is_told_otherwise else one


def _heading(sentence: Sentence, lead: str) -> str:
    return lead or (sentence.block.section or ("",))[-1]


def _is_not_done(sentence: Sentence, lead: str) -> bool:
    """Whether a line is crossed out, denies two things at once, or stands under what is open."""
    text = sentence.words.text
    label = words.LABEL.match(text)
    is_in_list = sentence.block.kind in ("item", "row")
    is_open = is_in_list and is_still_open(_heading(sentence, lead))
    is_open = is_open or (label is not None and is_still_open(label["of"]))
    return is_open or is_crossed_out(text) or words.NEITHER.search(text) is not None


def _is_listed(sentence: Sentence, lead: str) -> bool:
    """Whether its heading says what it says: a row of a table, an item that is only a file."""
    if sentence.block.kind != "item":
        return sentence.block.kind == "row"
    item = item_of(sentence)
    heading = _heading(sentence, lead)
    return words.NOT_DONE_HERE.search(heading) is not None or (
        item is not None and not item.described
    )


def _said(sentence: Sentence, lead: str) -> Iterator[Statement]:
    if sentence.block.kind == "row":
        yield from _row(sentence)
        return
    item = item_of(sentence)
    if item is not None:
        kind = _kind_of_item(item.described, _heading(sentence, lead))
        if kind is not None:
            yield Statement(kind, item.clause, (item.thing,))
            return
    whole = summary_line(sentence) or labelled(sentence)
    if whole is not None:
        yield whole
        for clause in clauses_of(sentence):
            yield from (one for one in _in_clause(clause) if one.kind == "ran")
        return
    last: tuple[Mention, ...] = ()
    for clause in clauses_of(sentence):
        for statement in _in_clause(clause):
            if statement.kind in words.KINDS and not statement.things and last:
                is_meant = words.PRONOUN.search(clause.text) is not None
                yield replace(statement, things=last, certain=True) if is_meant else statement
            else:
                last = statement.things or last
                yield statement


def _names_a_part(text: str) -> bool:
    """ "Backend: all 4 tests pass" is about some of them, "Result: all 4 tests pass" is not."""
    label = words.LABEL.match(text)
    told = {one.low for one in placed_words(label["of"])} if label else set()
    return any(not word.endswith("ed") for word in told - words.OF_ALL)


def _of_part(one: Statement) -> Statement:
    """Which tests are meant is then told by a folder of that name, if there is one."""
    if one.kind not in _OF_TESTS or one.name is not None:
        return one
    return replace(one, certain=False, is_part=one.certain or one.is_part)


def _in_clause(clause: Clause) -> Iterator[Statement]:
    settled = (
        _command_ended(clause)
        or _command_found(clause)
        or _content(clause)
        or _is_now_so(clause)
        or _left_alone(clause)
        or _existence(clause)
    )
    if settled is not None:
        yield settled
        if settled.kind == "exists" and words.UP_TO_DATE.search(clause.text):
            yield Statement("changed", clause, certain=False)  # that it is there does not show it
        return
    yield from in_clause(clause)
    yield from _actions(clause)


def _command_ended(clause: Clause) -> Statement | None:
    """ "`make test` exited with 2", "`npm test` passes"; of one word it may be a test's name."""
    match = _denied_match(words.COMMAND_ENDED, clause.text)
    if match is None:
        return None
    told = words.EXIT_CODE.search(clause.text) is not None
    command = match["command"] or match["bare"].lower()
    if match["bare"] and match["code"] is None:
        return None  # "PHPUnit passes" is about the tests, however they were run
    is_command = " " in command or command.startswith("./") or told or match["bare"] is not None
    if not (is_command or command_in(f" {command}") or is_tool(command)):
        return None
    if match["gave"] and not (told or is_tool(command)):
        return None  # "`add 1 2` returns 3"
    code = int(match["code"]) if match["code"] else None
    return Statement(
        "ran",
        clause,
        command=command,
        succeeded=bool(match["good"]) or code == 0,
        failed=bool(match["bad"]),
        exit_code=code,
    )


def _command_found(clause: Clause) -> Statement | None:
    """ "`php -l a.php` reported a syntax error", "ruff found no problems"."""
    match = tests.FOUND.match(clause.text)
    command = (match["code"] or match["tool"]) if match else None
    if match is None or command is None or not _is_checker(command):
        return None
    cue = match["cue"] or match["nothing"]
    is_fine = cue is not None and (is_negation(cue) or cue in {"zero", "0"})
    if not is_fine and (match["nothing"] or match["mild"]):
        return None
    return Statement("ran", clause, command=command, succeeded=is_fine, failed=not is_fine)


def _is_checker(command: str) -> bool:
    """What ends with another code than 0 if it finds something."""
    line = command.split()
    is_check = check_of(line) is not None or bool({"--check", "-l"} & set(line[1:]))
    return is_check and "--exit-zero" not in line


def _is_now_so(clause: Clause) -> Statement | None:
    """ "`a.json` now includes a timeout" says that it was changed; what it does, another may."""
    match = words.NOW_SO.match(clause.text)
    things = tuple(mentions(match["thing"])) if match else ()
    if match is None or len(things) != 1:
        return None
    if match["got"]:
        return Statement("changed", clause, things)
    verb = (match["first"] or match["last"]).lower()
    if re.fullmatch(words.ENDS, verb):
        return None
    sure = re.fullmatch(words.HOLDS, verb) is not None
    return Statement("changed", clause, things, certain=sure)


def _content(clause: Clause) -> Statement | None:
    """ "`a.py` contains `x = 1`"; code that ends in "()" or "..." may only stand for it."""
    for pattern in (words.CONTAINS, words.CONTENT_IS, *words.CONTAINS_IN, *words.LACKS):
        kind: StatementKind = "lacks" if pattern in words.LACKS else "contains"
        match = _denied_match(pattern, clause.text)
        things = tuple(mentions(match["thing"])) if match else ()
        if match and things:
            quote = match["quote"].strip('`"')
            # "raises `ValueError`" may not quote it
            is_quoted = match.groupdict().get("loose") is None
            sure = is_quoted and not quote.endswith(("()", "...", "\u2026"))
            return Statement(kind, clause, things[:1], command=quote, certain=sure)
    return None


def _kind_of_item(described: str, heading: str) -> StatementKind | None:
    """Of "`a.py`: added a parser" and "`a.py` (new)"; else its heading tells: "Files changed:"."""
    for kind_of_all, pattern in words.WHOLE_ITEMS.items():
        if pattern.fullmatch(described):
            return kind_of_all
    if words.NOTHING_DONE.fullmatch(described):
        return None
    own = words.OPENS_WITH_VERB.match(described)
    if own is not None:
        kind = _kind(own["verb"].lower())
        # "`a.py`: added a parser" and "`a.py`: removed a check" change the file
        rest = described[own.end() :].strip(" .)]")
        is_part = bool(rest) and words.A_FILE.fullmatch(rest) is None
        return "changed" if is_part and kind in {"added", "deleted", "created"} else kind
    # "Change" over a column is no order
    supposed = any(m.label in _SUPPOSED and m.cue != (0, 1) for m in marks_in(heading))
    if supposed or words.NOT_DONE_HERE.search(heading):
        return None
    is_denied = any(is_negation(word.text) for word in placed_words(heading))
    for told, pattern in words.HEADINGS.items():
        if pattern.search(heading):
            return "unchanged" if is_denied else _kind(told)
    return None


def _row(sentence: Sentence) -> Iterator[Statement]:
    """ "| `a.py` | updated |", "| unit tests | 12/12 pass |", "| api | `pytest` | 4 passed |"."""
    row = row_of(sentence)
    if any(words.NOT_DONE_CELL.fullmatch(cell) for cell in row.cells):
        return
    if row.thing is not None:
        kind = _kind_of_item(row.described, row.heading)
        if kind is not None:
            yield Statement(kind, row.clause, (row.thing,))
        return
    checks = list(_checks_in(row))
    name = row.cells[0].strip("*` ") if row.cells else ""
    if not checks and name and succeeds(row.described):
        # "| `area_works` | passed |": a test, where a run names one so
        yield Statement("passes", row.clause, name=name, if_known=True)
    for check, told in checks:
        if succeeds(told):
            number = tests.SO_MANY_PASS.search(told) or words.COUNT.search(told)
            count = int(number["count"]) if number and check == "tests" else None
            yield Statement("passes", row.clause, check=check, count=count)


def _checks_in(row: Row) -> Iterator[tuple[CheckName, str]]:
    """Checks that a row names, by what they do or by their command, and what else it says."""
    for check, noun in words.CHECK_IN_CELL.items():
        if noun.fullmatch(row.first):
            yield check, row.described
            return
    for place, cell in enumerate(row.cells):
        line = cell.strip("` ").split()
        named = check_of(line) if line else None
        if named is not None:
            yield named, " | ".join((*row.cells[:place], *row.cells[place + 1 :]))
            return


def _why_nothing(sentence: Sentence) -> LeftOutReason:
    """Why a sentence in plain prose makes no claim."""
    text = sentence.words.text
    labels = {mark.label for mark in marks_in(text)}
    share = words.SHARE.search(text)
    if words.FAILS.search(text) or (share is not None and share["passed"] != share["all"]):
        return "failure_reported"
    if labels & {"planned", "ordered"}:
        return "plan"
    if labels & {"conditional", "hedged"}:
        return "supposed"
    is_denied = "negated" in labels or any(is_negation(one.text) for one in placed_words(text))
    if is_denied and (words.OURS.match(text) or words.GERMAN.match(text)):
        return "denied"
    if words.OTHERS.match(text):
        return "other_subject"
    return "no_deed"


def _actions(clause: Clause) -> Iterator[Statement]:
    for reading in (_counted, _active, _ticked, _in_german, _sent, _passive):
        found = reading(clause)
        if found is not None:
            yield from found
            return


_Read = Iterable[Statement] | None
"""What a clause says by one form of words; None if it has another."""


def _counted(clause: Clause) -> _Read:
    """ "Changed 3 files"."""
    count = words.FILE_COUNT.match(clause.text)
    if count is None or not (count["verb"] or count["passive"]):
        return None
    return [Statement("counted", clause, count=int(count["count"]))]


def _active(clause: Clause) -> _Read:
    active = words.ACTIVE.match(clause.text)
    return None if active is None else _done(clause, active["verb"].lower(), active["rest"])


def _ticked(clause: Clause) -> _Read:
    """ "[x] Update `a.py`": who ticks a task says that it is done."""
    opened = words.OPENS_WITH_WORD.match(clause.text) if is_ticked(clause.sentence) else None
    if opened is None:
        return None
    verb = opened["verb"].lower()
    forms = (words.IRREGULAR.get(verb, ""), f"{verb}d", f"{verb}ed")
    past = next((one for one in forms if words.ACTIVE.match(one)), None)
    return None if past is None else _done(clause, past, opened["rest"])


def _in_german(clause: Clause) -> _Read:
    german = words.GERMAN.match(clause.text)
    return None if german is None else _german(clause, german)


def _sent(clause: Clause) -> _Read:
    """ "The push failed"."""
    sending = words.SENDING.match(clause.text)
    if sending is None:
        return None
    command, failed = f"git {sending['deed'].lower()}", sending["bad"] is not None
    return [Statement("ran", clause, command=command, succeeded=not failed, failed=failed)]


def _passive(clause: Clause) -> _Read:
    passive = words.PASSIVE.match(clause.text)
    things = tuple(mentions(passive["thing"])) if passive else ()
    if not passive or not _are_all(things, passive["thing"]):
        return None
    verb = (passive["done"] or passive["so"]).lower()
    if verb == "applied":  # what is applied to a file stays as it is
        return _files(clause, verb, passive["rest"])
    # "was removed" may tell an old story
    kind = _kind(verb)
    is_old = (passive["past"] or passive["so"]) is not None and (
        kind == "deleted" or words.OLD_STORY.match(passive["rest"]) is not None
    )
    return [Statement(kind, clause, (thing,), certain=not is_old) for thing in things]


def _are_all(things: Sequence[Mention], told: str) -> bool:
    """Whether a stretch names these files and nothing else."""
    return bool(things) and bool(words.ONLY_THINGS.fullmatch(words.without(things, told)))


def _kind(verb: str) -> FileKind:
    return next(
        (kind for kind, verbs in words.KINDS.items() if re.fullmatch(verbs, verb)),  # type: ignore[misc]
        "changed",
    )


def _german(clause: Clause, match: re.Match[str]) -> Iterator[Statement]:
    """ "Ich habe `a.py` angepasst", "`a.py` wurde angepasst", "Tests ausgeführt"."""
    rest = f" {match['rest']}{match['middle'] or ''}"
    denied = any(is_negation(word.text) or word.low == "nichts" for word in placed_words(rest))
    kind = words.GERMAN_KINDS[match["verb"].lower()]
    if denied:
        if kind in {"updated", "edited"} and (things := tuple(mentions(rest))):
            yield Statement("unchanged", clause, things)
        elif kind in words.GIT_DEEDS and words.NOTHING_AT_ALL.fullmatch(rest):
            yield Statement("ran", clause, command=words.GIT_DEEDS[kind], was_done=False)
        return
    yield from _done(clause, kind, rest)


def _done(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    """What a plain past statement says was done."""
    first = placed_words(rest)[:1]
    if _only_names(rest) or (first and is_negation(first[0].text)):
        return  # "edited neither `a.py` nor `b.py`"
    if verb in words.GIT_DEEDS:
        if verb != "merged" or words.A_BRANCH.search(rest):
            yield Statement("ran", clause, command=words.GIT_DEEDS[verb], succeeded=True)
    elif words.PULL_REQUEST.match(rest):
        yield Statement("pull_request", clause)
    elif words.NEW_BRANCH.match(rest):
        yield Statement("branched", clause)
    elif verb == "installed":
        yield from _installed(clause, rest)
    elif re.fullmatch(words.RAN, verb):
        yield from _ran(clause, rest)
    elif verb in {"moved", "renamed", "copied"}:
        yield from _moved(clause, verb, rest)
    elif verb != "opened" and not re.match(r"\s+(?:by|to)\s", rest):
        yield from _files(clause, verb, rest)


def _only_names(rest: str) -> bool:
    """ "Updated docs would help": what looks like the verb describes what another speaks of."""
    own = words.SO_THAT.split(rest.partition(",")[0])[0]
    return any(
        mark.label in _SUPPOSED and is_auxiliary(own[slice(*mark.cue)].lower())
        for mark in marks_in(own)
    )


def _files(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    kind = _kind(verb)
    rest = words.NEXT_CLAUSE.split(rest, maxsplit=1)[0]
    found = [_as_target(one, verb, rest) for one in mentions(rest)]
    found = [one for one in found if one.role != "aside"]
    if verb == "applied":  # what is applied to a file stays as it is
        found = [one for one in found if one.role == "place"]
    direct = [one for one in found if one.role == "object" and one.stands_alone]
    inside = [one for one in found if one.role == "place" or not one.stands_alone]
    # "replaced `a.md` with `b.md`": the first may be gone, or the name of it in a third
    is_swap = verb in words.SWAPPED and words.FOR_ANOTHER.search(rest) is not None
    is_sure = re.fullmatch(words.FIXED, verb) is None
    is_place = re.fullmatch(words.DONE_AT_PLACE, verb) is not None
    if kind in {"changed", "reverted"}:
        for one in found:
            sure = is_sure or one in direct or (is_place and one.role == "place")
            sure = sure and not (is_swap and one.role != "place")
            is_part = kind == "reverted" and one in inside
            yield Statement(kind, clause, (one,), certain=sure and not is_part)
    elif direct and not (kind == "deleted" and inside):
        for one in direct:
            yield Statement(kind, clause, (one,))
    else:
        for one in inside:
            yield Statement("changed", clause, (one,), certain=one.role == "place")
    if not found:
        by = words.BY_COMMAND.search(rest)
        if by is not None and " " in by["command"] and is_tool(by["command"]):
            yield Statement("ran", clause, command=by["command"])
            return
        named = words.MODULE.match(rest)
        things = (Mention(named["name"]),) if named else ()
        yield Statement(kind, clause, things, certain=False)


def _as_target(one: Mention, verb: str, rest: str) -> Mention:
    """ "Saved the output as `a.log`", "stored it under `out/a.log`"."""
    before = rest.partition(one.path)[0].rstrip("` ")
    is_target = before.endswith((" as", " under", " at")) or verb.startswith("kept")
    is_target = is_target and re.fullmatch(words.ADDED, verb) is not None
    return replace(one, role="object") if is_target else one


def _moved(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    source, _, target = words.MOVE.sub("\0", rest, count=1).partition("\0")
    old, new = list(mentions(source)), list(mentions(target))
    if len(new) == 1 and (verb == "copied" or not old):
        yield Statement("added", clause, (new[0],))
    elif len(old) == 1 and len(new) == 1 and old[0].stands_alone:
        yield Statement("moved", clause, (old[0], new[0]))


def _installed(clause: Clause, rest: str) -> Iterator[Statement]:
    named = words.PACKAGE.match(rest)
    while named is not None:
        if named["name"].lower() not in words.NO_PACKAGE and not is_negation(named["name"]):
            sure = named["tick"] is not None or named["version"] is not None
            yield Statement("installed", clause, command=named["name"], certain=sure)
        rest = rest[named.end() :]
        # "installed `a` and `b`"; of "installed a and ran it" only the first is one
        is_more = rest.lstrip().startswith("`") and named["next"] in {"and", "und", ","}
        named = words.PACKAGE.match(rest) if is_more else None


def _ran(clause: Clause, rest: str) -> Iterator[Statement]:
    succeeded = succeeds(clause.sentence)
    command = command_in(rest)
    if command is not None:
        ended = words.EXIT_CODE.search(clause.sentence)
        code = int(ended["code"]) if ended else None
        is_fine = succeeded or code == 0
        count = counted_times(clause.text)
        for one in (command, *_more_commands(rest)):
            yield Statement(
                "ran", clause, command=one, succeeded=is_fine, exit_code=code, count=count
            )
        return
    if words.THE_PROGRAM.match(rest):
        yield Statement("program", clause)
        return
    for check, noun in words.of_checks(words.THE_CHECK, rest):
        if noun.match(rest):
            whole = bool(words.WHOLE.search(clause.text)) and not words.SOME_TESTS.search(rest)
            is_last = tests.AFTER_LAST.search(clause.text) is not None
            yield Statement(
                "tests_run",
                clause,
                check=check,
                succeeded=succeeded,
                is_whole=whole,
                is_last=is_last,
            )
            return


def _more_commands(rest: str) -> Iterator[str]:
    """The others of "ran `a x` and `b y`"; what is in code may be something else than a command."""
    listed = words.LIST_OF_CODE.match(rest)
    named = [one.strip("`").strip() for one in CODE.findall(listed.group())[1:]] if listed else []
    for one in named:
        if not list(mentions(f"`{one}`")) and (is_tool(one) or command_in(f" {one}")):
            yield one


def _left_alone(clause: Clause) -> Statement | None:
    for deed, patterns in words.NONE_DONE.items():
        match = next((one for pattern in patterns if (one := pattern.match(clause.text))), None)
        if match is not None:
            is_test = "test" in (match["what"] or "").lower() or match["what"] == "specs"
            return Statement("unchanged", clause, is_whole=True, about_tests=is_test, deed=deed)
    as_before = words.NOTHING_DIFFERS.match(clause.text) is not None
    if as_before or words.NOTHING_TOUCHED.match(clause.text):
        return Statement("unchanged", clause, is_whole=True, as_before=as_before)
    return _untouched(clause) or _only_touched(clause)


def _untouched(clause: Clause) -> Statement | None:
    for pattern in (*words.UNTOUCHED_IF_DENIED, *words.UNTOUCHED, *words.AS_BEFORE):
        match = _denied_match(pattern, clause.text)
        if match is None or _is_supposed(clause.text[: match.start()]):
            continue
        if words.BUT_ANOTHER.search(match["thing"]):
            continue  # "not `a.py` but `b.py` was changed"
        if words.TESTS.match(match["thing"]):
            return Statement("unchanged", clause, about_tests=True)
        things = tuple(mentions(match["thing"]))
        if words.ALL_BUT.match(match["thing"]):
            return Statement("unchanged", clause, things, is_whole=True) if things else None
        pieces = words.PART_OF_FILE if things else CODE
        if pieces.search(words.without(things, match["thing"])):
            return None  # "`main` in `a.py` is unchanged"
        if pattern not in words.AS_BEFORE:
            return Statement("unchanged", clause, things)
        if things:
            return Statement("reverted", clause, things)
    return None


def _only_touched(clause: Clause) -> Statement | None:
    """ "The only file I changed is `a.py`": no other was."""
    for pattern in (*words.ONLY_TOUCHED, *words.ONLY_MADE):
        match = pattern.match(clause.text)
        things = tuple(mentions(match["thing"])) if match else ()
        if match and _are_all(things, match["thing"]):
            deed: Literal["changed", "created"] = (
                "created" if pattern in words.ONLY_MADE else "changed"
            )
            return Statement("unchanged", clause, things, is_whole=True, deed=deed)
    return None


def _denied_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match whose `cue` denies, where the pattern has one."""
    for match in pattern.finditer(text):
        cue = match.groupdict().get("cue")
        if cue is None or is_negation(cue):
            return match
    return None


def _is_supposed(before: str) -> bool:
    supposed = any(mark.label in _SUPPOSED for mark in marks_in(before))
    return supposed or bool(words.IN_GENERAL.search(before))


def _existence(clause: Clause) -> Statement | None:
    for pattern in (*words.ABSENT_IF_DENIED, words.GONE, words.EXISTS):
        match = _denied_match(pattern, clause.text)
        told = (match["thing"] or match.groupdict().get("kept") or "") if match else ""
        things = tuple(mentions(told))
        if things:
            kind: StatementKind = "exists" if pattern is words.EXISTS else "absent"
            is_old = "already" in match.group().lower().split() if match else False
            return Statement(kind, clause, things[:1], certain=not is_old)
    return None
