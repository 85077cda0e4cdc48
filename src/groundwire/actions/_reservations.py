"""What a sentence takes out of what it seems to say: exceptions, shares, crosses, what was undone.

None of these makes a statement. Each makes one of another reading none, or an open one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.actions import _action_words as words
from groundwire.actions._anchors import tokens_of
from groundwire.actions._mentions import CODE, Mention, mentions
from groundwire.actions._statement import FILE_KINDS, Statement, StatementKind
from groundwire.text import is_negation, placed_words
from groundwire.traces import checks_in

_EXCEPT = (
    r"(?:apart from|aside from|except(?:ing)?(?: for)?|with the exception of|excluding|other than"
    r"|besides|barring|bar|save(?: for)?|minus|instead of|rather than|in place of|in lieu of"
    r"|(?:an)?statt|anstelle von|au\u00dfer|ausser|ausgenommen|bis auf|mit ausnahme"
    r"(?: von| der| des)?|abgesehen von)"
)
_CODE_OR_WORD = r"(?:`[^`]+`|[\w./-]+)"
_LISTED = rf"{_CODE_OR_WORD}(?:(?:, | and | or | und | oder |, and | & ){_CODE_OR_WORD})*"
_ALL = r"\b(?:all|every\w*|any\w*|alles?|each)\b(?: [\w']+){0,4}?"
# such as "apart from `a.py` and `b.py`", "instead of editing `a.py`", "all files but `a.py`"
_EXCEPTION = words.phrase(
    rf"(?:\b{_EXCEPT}|{_ALL} but(?: for)?)(?: (?:the|a|an|any|der|die|das|den|dem|file|files"
    rf"|\w+ing|datei|dateien))* (?P<what>{_LISTED})"
)
_SOME_NUMBER = r"(?:one|two|three|four|five|a few|a couple|einen?|einem|einer|zwei|drei|\d+)\b"
_OF_TESTS = r"(?:tests?|specs?|cases?|fail\w*|flak\w*|fehl\w*|examples?)"
# such as "except for `test_h`", "bis auf einen", "apart from the two flaky tests"
_BUT_SOME_TESTS = words.phrase(
    rf"\b{_EXCEPT} (?:(?:the|a|an|der|die|das|den|dem) )?"
    rf"(?:(?:test|spec|case) )?(?:`|{_SOME_NUMBER}|(?:[\w-]+ ){{0,3}}{_OF_TESTS}\b|tests?_\w)"
)
# such as "all but one", "everything passes but `test_h`", "every test but `test_h`"
_ALL_BUT_SOME = words.phrase(
    rf"{_ALL} but (?:for )?(?:the )?(?:`|tests?_\w|{_SOME_NUMBER}"
    rf"(?=\s*(?:$|[:;,.()\u2014-]|of\b|{_OF_TESTS}|pass|are|is\b)))"
)
# such as "one test aside", "`test_h` excepted", "with one exception"
_BUT_AFTERWARDS = words.phrase(
    rf"(?:`|\b{_SOME_NUMBER}(?: {_OF_TESTS})?),?"
    r" (?:aside|excepted|excluded|ausgenommen|exceptions?)\b"
)
# such as "92% of the tests", "91.7 % pass"; 100% are all of them
_NOT_EVERY_PERCENT = words.phrase(
    r"(?<![\d.,])(?!100(?:[.,]0+)?\s?%)\d{1,2}(?:[.,]\d+)?\s?(?:%|percent\b|prozent\b)"
    r"(?: (?:of|the|all|our|der|aller))*"
    r" (?:tests?|specs?|suite|examples|cases|pass\w*|are (?:green|passing)|gr\u00fcn)\b"
)


# such as "the edits of `a.py` and `b.py` were both rejected", "`a.py` wurde abgelehnt"
_REFUSED = words.phrase(
    rf"(?P<what>{_LISTED}) (?:was|were|got|has been|have been|wurden?)"
    r"(?: (?:all|both|each|also|then|auch|alle|beide))*(?: (?:by|von|vom) [\w ]+?)? "
    r"(?:rejected|refused|declined|denied|blocked|vetoed|turned down|disallowed"
    r"|not (?:accepted|allowed|applied|permitted)|abgelehnt|verweigert|blockiert"
    r"|zur\u00fcckgewiesen|nicht (?:angenommen|erlaubt|\u00fcbernommen))\b"
)


def with_reservations(said: Sequence[Statement]) -> list[Statement]:
    """What a sentence says beside what it makes an exception of."""
    kept = [one for statement in said if (one := _but_exceptions(statement)) is not None]
    return list(_beside_failures(kept))


def _but_exceptions(one: Statement) -> Statement | None:
    text = one.clause.sentence
    if one.kind == "passes" and one.count == _BOTH and _BOTH_SUITES.search(text):
        one = replace(one, count=None)
    if one.kind == "passes" and is_of_some(text):
        # the one that is named is no more said to pass than all are
        return replace(one, certain=False, is_read=False, is_part=False)
    is_none = _is_run_excepted(one, text) or _ANSWERED_NO.search(text) is not None
    if one.kind in _RUNS and one.was_done and is_none:
        return None
    is_deed = one.kind in FILE_KINDS or (one.kind == "part" and one.part_deed != "kept")
    if not is_deed or one.is_whole:
        return one
    named = {thing.path for thing in one.things} or {one.name or ""}
    none = _excepted(text) | (set() if one.kind == "reverted" else _refused(text))
    is_none = bool(named & none) or _DENIED_LIST.search(text) is not None
    return None if is_none or _only_left(one) else one


# such as "Pushed: no", "`b.py` updated: no"
_ANSWERED_NO = words.phrase(r": (?:no|none|nein|not (?:yet|done)|nothing)\W*$")
# such as "Neither file was changed: `a.py`, `b.py`", "`b.py` updated: no"
_DENIED_LIST = words.phrase(rf"^\W*(?:neither|none|no|keine?r?) [^:`]*:|{_ANSWERED_NO.pattern}")
_RUNS: frozenset[StatementKind] = frozenset({"ran", "tests_run", "passes"})


def _is_run_excepted(one: Statement, text: str) -> bool:
    """ "All checks except mypy were run", "everything but the build was run"."""
    what = [match["what"] for match in _exceptions(text)]
    if one.kind == "ran":
        program = (one.command or "").lower().partition(" ")[0]
        return any(program in {word.strip("`.,") for word in told.lower().split()} for told in what)
    if one.kind == "passes" and one.check == "tests":
        return False  # what is excepted of them is told by `is_of_some`
    named = {token.check for told in what for token in tokens_of(told) if token.kind == "check"}
    return one.check in named


_BOTH = 2
# such as "both suites pass": no number of tests
_BOTH_SUITES = words.phrase(
    r"\bboth (?:\w+ )?(?:suites|runs|(?:test )?(?:files|modules|packages)|projects)\b"
)


def is_of_some(text: str) -> bool:
    """Whether not all tests are meant: "all but one", "92% of the tests"."""
    return any(
        pattern.search(text) is not None
        for pattern in (_BUT_SOME_TESTS, _ALL_BUT_SOME, _BUT_AFTERWARDS, _NOT_EVERY_PERCENT)
    )


def _excepted(text: str) -> set[str]:
    """The names an exception is made of; "nothing but `a.py`" and "no file other than" make none.

    "Besides `a.py` I also changed `b.py`" says of `a.py` that it was changed; that is left out.
    """
    found: set[str] = set()
    for match in _exceptions(text):
        found |= {one.path for one in mentions(match["what"])}
        found |= {name.strip("`") for name in CODE.findall(match["what"])}
    return found


def _refused(text: str) -> set[str]:
    """The files whose change is said to have been refused."""
    listed = [match["what"] for match in _REFUSED.finditer(text)]
    return {one.path for what in listed for one in mentions(what)}


def _exceptions(text: str) -> Iterator[re.Match[str]]:
    for match in _EXCEPTION.finditer(text):
        before = placed_words(text[: match.start("what")])[-_NEAR_WORDS:]
        if not any(is_negation(word.text) for word in before):
            yield match


_NEAR_WORDS = 8
"""So many words before a name may stand its "no": "did not touch any of the files other than".
"""
# such as "I left `u` in `u.py`", "kept the `retry` helper in `a.py`"; "left a note in" is a deed
_LEFT_THERE = words.phrase(r"\b(?:left|kept|leave|keep|retained) (?:the |both )?`[^`]+`")
# such as "updated" of "I left `u` and updated `u.py`", "aktualisiert"; not "sind gel\u00f6scht"
_ANY_DEED = words.phrase(
    rf"\b(?:{words.DEED.pattern}"
    rf"|{'|'.join(one for one, deed in words.GERMAN_KINDS.items() if deed != 'deleted')})\b"
)


# a word of a deed: "changed", "wrote", "now", "the fix"; in "The limit is set to 5, see `a.py`" and
# "`a.py` is documented" is none: they tell how things are
_OF_A_DEED = words.phrase(
    rf"(?<!\bis\s)(?<!\bare\s)\b(?:{words.DEED.pattern}|\w+ed)\b"
    r"|\b(?:i|we|my|our|ich|wir|now|new\w*|no longer|any ?more|jetzt|nun"
    r"|neu\w*|got|gets?|became|becomes|been|was|were|wurden?|worden|done|gone|again|wieder"
    r"|there(?! (?:is|are|was|were|will)\b)"
    r"|went|came|grew|drew|took|gave|found|kept|left|brought|cut|lost|began|through|out|different"
    r"|differs?|repair\w*|replace\w*"
    r"|ge\w+t|ge\w+en|\w+iert|(?:bug)?fix\w*|changes?|edits?|updates?|patch\w*|tweaks?|additions?"
    r"|re(?:write|work|name|factor)\w*|modif\w+|\w*\u00e4nder\w*|\w*anpass\w*|korrektur\w*)\b"
)
# what is still to be done: "A change to `a.py` is needed", "The fix belongs in `a.py`"
_WANTED = words.phrase(
    r"\b(?:is|are|ist|sind) (?:(?:still|also|only|noch|nur) )*(?:needed|necessary|required|missing"
    r"|due|n\u00f6tig|notwendig|erforderlich|f\u00e4llig)\b|\b(?:belongs?|geh\u00f6rt|geh\u00f6ren)\b"
)


def tells_deed(text: str) -> bool:
    """Whether something is said to have been done, not how things are or should be."""
    return _OF_A_DEED.search(text) is not None and _WANTED.search(text) is None


# such as "touched `old.py`", "Files changed: `a.py`, `old.py`": to delete one is that, too
_TOUCHED = words.phrase(
    r"\b(?:touch\w*|affect\w*|files? (?:\w+ )?(?:changed|modified)|(?:changed|modified) files?"
    r"|ge\u00e4nderte dateien)\b"
)


def is_any_deed(text: str) -> bool:
    """Whether what is told of a file may be that it was deleted: no verb says what was done."""
    return _TOUCHED.search(text) is not None or _ANY_DEED.search(text) is None


def _only_left(one: Statement) -> bool:
    """Whether all that is told of a file is that something was left in it."""
    if one.kind != "changed" or not one.things:
        return False
    text = one.clause.text
    return _LEFT_THERE.search(text) is not None and _ANY_DEED.search(text) is None


def _beside_failures(said: Sequence[Statement]) -> Iterator[Statement]:
    """ "`pytest -q`: 11 passed, 1 failed": the command did not pass, nor did everything.

    What passes after something failed tells how it ended: "one failed, now all pass".
    """
    for one in said:
        failing = [
            other
            for other in said
            if other.kind == "fails" and other.clause.start >= one.clause.start
        ]
        if one.kind == "passes" and one.name is None and _is_failing(one, failing):
            yield replace(one, certain=False, is_read=False)
        elif one.kind == "ran" and one.succeeded and _ran_failing(one, failing):
            yield replace(one, succeeded=False)
        else:
            yield one


def _is_failing(one: Statement, failing: Sequence[Statement]) -> bool:
    return any(other.check == one.check and other.certain for other in failing)


def _ran_failing(one: Statement, failing: Sequence[Statement]) -> bool:
    checks = {check.check for check in checks_in(one.command or "", None)}
    return any(other.check in checks for other in failing)


# such as "❌ `b.py` updated", "[ ] tests", "⏭️ skipped"
_CROSSED = words.phrase(
    r"^\W*?(?:\[ \]|[\u274c\u2717\u2718\u2716\u2715\u274e\u26d4\u2b1c\u2610\u23f3\u23ed"
    r"\U0001f6ab\U0001f532\U0001f533\U0001f6d1])"
)
# over a list: "Not done", "Still missing", "Remaining work", "Noch offen", "TODO", "Option B"
_STILL_OPEN = words.phrase(
    r"\b(?:(?:not|n't|nicht)(?: \w+)? (?:do(?:ne)?|get to|finished|completed?|implemented|addressed"
    r"|included|started|covered|erledigt|gemacht|umgesetzt|fertig)|undone|unfinished|incomplete|missing"
    r"|remain(?:s|ing)?|outstanding|pending|todos?|to-dos?|open(?: \w+)?(?=\W*$)|left(?=\W*$)"
    r"|left (?:over|out|for|to)|still (?:to|open)|deferred|postponed|skipped|omitted|out of scope"
    r"|later|next steps?|follow[- ]?ups?|offen\w*|ausstehend\w*|fehlt|fehlend\w*"
    r"|\u00fcbersprungen|options?|alternatives?|proposals?|suggestions?|recommend\w*|ideas?"
    r"|vorschl\w*|empfehl\w*)\b"
)
_REPORTS_FAILURE: frozenset[StatementKind] = frozenset({"fails", "skipped"})


def is_crossed_out(text: str) -> bool:
    """Whether a line opens with a cross or an empty box."""
    return _CROSSED.match(text) is not None


def is_still_open(heading: str) -> bool:
    """Whether what is listed under a heading was not done."""
    return _STILL_OPEN.search(heading) is not None


def as_not_done(said: Sequence[Statement]) -> list[Statement]:
    """What is crossed out or listed as open was not done; that something fails, it still says."""
    return [one for one in said if one.kind in _REPORTS_FAILURE or one.failed or not one.was_done]


_AT_ONCE = (
    r"(?=\s*(?:$|[,.;:()|\u2014]|(?:it|them|this|that|these|those|everything|all|both|again|later"
    r"|then|afterwards|since|because|as|before|after|by|in the end|when|once|und|wieder)\b"
    r"|(?:the|my|its|that|this) (?:change|edit|original|file|old|previous|modification|update"
    r"|whole)))"
)
# such as "reverted it", "was later restored.", "rolled the change back", "dann zur\u00fcckgesetzt"
_UNDONE = words.phrase(
    rf"\b(?:(?:reverted|restored|undid|undone|reset|rolled back|backed out|discarded){_AT_ONCE}"
    r"|(?:rolled|put|took|changed|brought|taken|set|moved) (?:\w+ ){1,2}?back\b"
    r"|backed (?:\w+ ){1,2}?out\b|temporarily|tempor\u00e4r"
    r"|zur\u00fcckgesetzt|r\u00fcckg\u00e4ngig|wiederhergestellt|zur\u00fcckgenommen)"
)


_MADE = FILE_KINDS - {"reverted", "deleted"}


def without_undone(found: Sequence[tuple[int, str, list[Statement]]]) -> Iterator[Statement]:
    """Statements of sentences in their order, each with its number and text.

    A change that the same or the next sentence takes back is tied to no file: what is meant by
    "it", and whether all of it was taken back, is not told.
    """
    told = {number: text for number, text, _ in found}
    is_undone = any(_UNDONE.search(text) for text in told.values())
    for number, text, said in found:
        # what is said to be back can be checked, and outdates the change by itself
        back = {thing.path for one in said if one.kind == "reverted" for thing in one.things}
        for one in said:
            is_open = one.kind in _MADE and not back & {thing.path for thing in one.things}
            following = _what_follows(one, text, told.get(number + 1, ""))
            is_back = is_open and any(map(_is_taken_back, following))
            is_set = one.part_deed == "set" and is_undone
            is_part = one.kind == "part" and (is_set or _is_taken_back(text))
            untied = replace(one, certain=False, things=() if is_back else one.things)
            yield untied if is_back or is_part else one


def _what_follows(one: Statement, text: str, following: str) -> Iterator[str]:
    for thing in one.things:
        yield text.partition(thing.path)[2]
    yield following


def _is_taken_back(text: str) -> bool:
    """Whether something is undone that is not named: "then I reverted it"."""
    match = _UNDONE.search(text)
    named: list[Mention] = list(mentions(text)) if match else []
    return match is not None and not named
