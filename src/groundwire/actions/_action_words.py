"""The patterns of `_prose`. A blank in a phrase is any white space; case does not matter."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.actions._mentions import TOOLS, Mention
from groundwire.text import word_set
from groundwire.traces import CheckName


def phrase(*parts: str) -> re.Pattern[str]:
    return lazy_pattern("".join(parts).replace(" ", r"\s+"), re.IGNORECASE | re.DOTALL)


# such as "created X"
CREATED = "created|introduced|scaffolded|set up|initiali[sz]ed|new"
# such as "added X": a file that was there may be meant
ADDED = (
    "added|wrote|written|generated|saved|built|compiled|copied|stored|exported|dumped|produced"
    "|made|(?:kept|left) an? (?:backup|copy)|packed"
    "|archived|zipped|compressed|put|placed|downloaded|unpacked|backed up|packaged|emitted|recorded"
)
REVERTED = "reverted|restored|undid|rolled back|reset"
_CHANGED_SO = (
    "updated|modified|edited|changed|refactored|rewrote|adjusted|extended|improved|patched"
    "|overwritten|rewritten|overwrote|adapted|upgraded|downgraded|pinned|shortened|appended|set"
    "|linked|repaired|applied|converted|corrected|simplified"
    "|bumped|reformatted|formatted|cleaned up|tweaked|reworked|expanded"
)
CHANGED = (
    f"{_CHANGED_SO}|touched up|relaxed|tightened|loosened|hardened|sorted|reordered|reorgani[sz]ed"
    "|restructured|rearranged|trimmed|stripped|tidied(?: up)?|polished|switched|flipped|toggled"
    "|raised|lowered|increased|decreased|enabled|disabled|commented out|uncommented|inlined"
    "|extracted|wrapped|annotated|reworded|rephrased|translated|inserted|prepended|truncated"
    "|emptied|cleared|amended|altered|registered|hard-?coded|indented|deduplicated|redacted"
    "|configured|marked|completed|filled in|swapped|stubbed|silenced|doubled|halved|widened"
    "|narrowed|renumbered|capitali[sz]ed|mended|revised|noted|mentioned|described"
)
FIXED = "fixed|resolved|implemented|addressed|handled|replaced|documented|migrated"
"""Verbs whose place may be where the trouble was seen rather than where it was mended."""
DONE_AT_PLACE = "implemented|replaced|documented|migrated"
"""Those of them that say where it was done: "replaced x by y in `a.txt`"."""
SWAPPED = frozenset({"replaced", "swapped", "exchanged", "substituted", "migrated", "converted"})
"""Verbs of one file in another's stead."""
# what stands between the two: "`a.md` with `b.md`", "`a.md` durch `b.md`"
FOR_ANOTHER = phrase(r"`[^`]+` (?:with|by|for|to|into|durch|gegen) (?:(?:the|a|an|new|file) )*`")
DELETED = "removed|deleted|dropped|erased|got rid of|wiped|purged"
RAN = "ran|re-?ran|executed|re-?executed|invoked"
GIT_DEEDS = {
    "committed": "git commit",
    "pushed": "git push",
    "merged": "git merge",
    "tagged": "git tag",
    "stashed": "git stash",
    "rebased": "git rebase",
    "cherry-picked": "git cherry-pick",
    "cloned": "git clone",
}
"""Deeds that only a command of git does."""
KINDS = {"created": CREATED, "added": ADDED, "deleted": DELETED, "reverted": REVERTED}
_FILE_VERBS = f"{CREATED}|{ADDED}|{CHANGED}|{FIXED}|{DELETED}|{REVERTED}"

# a verb by itself that tells of a deed: "narrowed"
DEED = phrase(f"(?:{_FILE_VERBS}|moved|renamed)")

# the same of what can be done to a test: not "compiled", not "mentioned"
TEST_DEED = phrase(
    r"changed|modified|updated|adjusted|adapted|rewrote|rewritten|edited|extended|expanded|added|wrote"
    rf"|written|created|introduced|implemented|renamed|refactored|reworked|relaxed|replaced|{DELETED}"
)

_STARTER = (
    "^(?:(?:and|also|then|now|finally|first|second|lastly|next|additionally|in addition|so|done"
    "|yes|great|okay|ok|as requested|as asked|afterwards|besides|again|in the end|at the end"
    "|to finish|meanwhile|furthermore|moreover)\\b[,:\\s]*)*"
    # "After the rename I ran the tests"
    "(?:(?:(?:after|before|during|for|with|at|in|from|because of|thanks to) [^,`]{1,60}? )?"
    "(?:i|we)(?:'ve| have| had)? )?"
    "(?:(?:also|just|then|now|successfully|manually|already|carefully|fully) )*"
)
# such as "Also, I have updated X and Y"
ACTIVE = phrase(
    _STARTER,
    f"(?P<verb>{_FILE_VERBS}|moved|renamed|{RAN}|installed|opened|{'|'.join(GIT_DEEDS)})\\b",
    "(?P<rest>.*)$",
)
# one task by its first word: "Update" of "Update `a.py`"; "Add `a.py` and remove `b.py`" is two
OPENS_WITH_WORD = phrase(r"^(?P<verb>[a-z]+)(?P<rest> (?!.*(?:\band|\bthen|[,;&]) [a-z]).*)$")
IRREGULAR = {"write": "wrote", "run": "ran", "rewrite": "rewrote", "make": "made", "build": "built"}
_BY_PERSON = rf"(?! by (?!(?:the )?(?:`|(?:{'|'.join(sorted(TOOLS))})\b)))"
# such as "the file `a.py`"
THING = r"(?:the (?:file )?)?(?P<thing>`[^`]+`|\S+)(?: file)?"
# such as "`a.py` has been updated"
PASSIVE = phrase(
    "^(?P<thing>.+?) (?:(?:(?:has|have) (?:also |now )?been|(?P<past>was|were))"
    f" (?:now |also |successfully )*(?P<done>{CREATED}|{ADDED}|{CHANGED}|{DELETED})"
    f"|(?:is|are) (?:now |also )*(?P<so>{CREATED}|{ADDED}|{_CHANGED_SO}|{DELETED}))\\b",
    _BY_PERSON,
    "(?P<rest>.*)$",
)
# what may stand beside the files a passive is about: "the files ... and ..."
ONLY_THINGS = phrase(
    r"(?:\s|,|&|`|\*|\b(?:the|both|and|new|files?|also|test|module|script|config|a|an|binary"
    r"|report|tests?|page|document)\b)*"
)
# such as "`a.py` was updated in v2", "... last year"
OLD_STORY = phrase(
    r"\s+(?:in|when|before|last|since|during|years?|months?|earlier|previously|upstream)\b"
)


def without(things: Iterable[Mention], text: str) -> str:
    for thing in things:
        text = text.replace(thing.path, "")
    return text


# such as "added a parser" of "`a.py`: added a parser", "new)" of "`a.py` (new)"
OPENS_WITH_VERB = phrase(
    rf"(?:\[)?(?:(?:newly|freshly|now|was|is|has been) )*(?P<verb>{_FILE_VERBS})\b"
)
# what a list of files was, by its heading: "Files changed", "New files:", "What I removed"
HEADINGS = {
    "deleted": phrase(r"\b(?:deleted|removed|deletions?)\b"),
    "added": phrase(r"\b(?:created|added|new files?|additions?)\b"),
    "changed": phrase(r"\b(?:changed|modified|updated|edited|changes?|modifications?|edits)\b"),
}
# such as "weder committet noch gepusht"
NEITHER = phrase(r"\bweder\b.+\bnoch\b")
# such as "Files to change", "Files you changed", "Existing changes upstream"
NOT_DONE_HERE = phrase(
    r"\b(?:to|you|your|they|their|user|upstream|suggested|recommended|proposed|possible|required"
    r"|needed|should|could|might|previous|existing|breaking)\b"
)
# all that a row or an item says of its file: "unchanged", "no changes", "unver\u00e4ndert)"
AS_IT_WAS = phrase(
    r"[\s(\[]*(?:(?:left |kept |is |remains )?(?:unchanged|untouched|unmodified|not changed"
    r"|not modified|not touched|unver\u00e4ndert)|no changes?(?: made| needed| required"
    r"| necessary)?|keine \u00e4nderung(?:en)?)[\s)\].!]*"
)
# such as "2 replacements", "one line changed", "+3 -1"
SO_MANY_EDITS = phrase(
    r"\s*(?:\d+|one|two|three|a|several) (?:replacements?|lines?|places?|occurrences?|changes?"
    r"|edits?|hunks?|fix(?:es)?)(?: (?:changed|replaced|added|edited|made))?\W*"
    r"|\s*\+\d+ [-\u2212]\d+\W*"
)
WHOLE_ITEMS: dict[Literal["reverted", "changed"], re.Pattern[str]] = {
    "reverted": AS_IT_WAS,
    "changed": SO_MANY_EDITS,
}
# the same of what may mean anything but a deed: "none", "-", "n/a", "not needed", "to be updated"
NOTHING_DONE = phrase(
    r"(?:[\W_]+|(?:\W*\b(?:none|no|n/?a|nil|nothing|keine?r?s?|nein|nichts|0|false)\b\W*)+"
    r"|[\W_]*(?:not|never|nicht|no need|kein|nothing|nichts|to be|needs?|still|will|should|tbd"
    r"|todo|pending|later)\b.*)"
)
# a cell that says of its whole row that it is open: "not done", "pending", "\u274c no"
NOT_DONE_CELL = phrase(
    r"\W*(?:not (?:yet )?(?:done|started|changed|updated|touched|implemented)|pending|todo|to do"
    r"|open|missing|skipped|deferred|not yet|offen|ausstehend|nicht erledigt)\W*"
    r"|[^\w\s]*[\u274c\u2717\u2718\u2716\u26d4\u2b1c\u2610\u23f3\u23ed\U0001f6ab\U0001f6d1].*"
)
# who is not the agent: "You created X", "The reviewer updated X", "Upstream removed X"
OTHERS = phrase(
    r"^(?:you|they|he|she|someone|upstream|the (?!change|fix|test|build|code|file|new)\w+(?: \w+)?"
    rf"|[A-Z]\w+) (?:has |have |had |already )*(?:{_FILE_VERBS}|{RAN}|moved|renamed)\b"
)
# what is there, told to the reader: "You'll find a new `a.md`"
YOU_FIND = phrase(r"^you(?:(?:'|\u2019)ll| will| can)? (?:also |now )?(?:find|see|notice)\b")
# such as "I did not run the tests"
OURS = phrase(r"^(?:i|we)\b")
# such as "`a.py` now contains `x = 1`"; the verbs behind `loose` may not quote it
CONTAINS = phrase(
    r"^(?:the )?(?:file )?(?P<thing>`[^`]+`|\S+) (?:(?:now|still|also|only|already) )*"
    r"(?:contains?|includes?|has|reads|says|sets|lists|holds|keeps|carries|starts with|begins with"
    r"|ends with|(?:is |was )?(?:set|switched|changed|bumped|pinned|flipped) to"
    r"|(?P<loose>uses|shows|documents|prints|imports|raises|defines|calls|returns|exports|declares"
    r"|mentions|specifies|requires|states|logs|throws|emits|checks|depends on))"
    r" (?:(?:the|a|an) (?:\w+ ){0,3})?"
    r"(?P<quote>`[^`]+`|\"[^\"]+\")(?P<tail>(?: (?:now|again|too|as well|instead|anymore))*"
    r"(?: (?:in|at|as|on|for|inside|near) [^`]+)?)\s*$"
)
_SAYS = r"(?:now |still )*(?P<loose>returns|reads|uses|has|is|contains|says|computes|calls)"
# such as "`add` returns `a + b` in `a.py`", "`mul` in `a.py` now reads `b * c`": by its code
CONTAINS_IN = (
    phrase(
        rf"^(?:the (?:\w+ )?)?`[^`]+`(?: function)? {_SAYS} (?P<quote>`[^`]+`)(?: now)?"
        r" in (?P<thing>`[^`]+`)\s*$"
    ),
    phrase(rf"^(?:the (?:\w+ )?)?`[^`]+` in (?P<thing>`[^`]+`) {_SAYS} (?P<quote>`[^`]+`)\s*$"),
)
# such as "`a.py` no longer raises `X`", "`X` is gone from `a.py`"
LACKS = (
    phrase(
        r"^(?:the )?(?P<thing>`[^`]+`|\S+) (?:no longer|does (?P<cue>\S+))"
        r" (?:contains?|includes?|has|have|uses?|raises?|imports?|lists?|prints?|mentions?|sets?"
        r"|holds?|reads?|exports?|calls?|defines?)"
        r" (?:the |any |a )?(?:\w+ )?(?P<quote>`[^`]+`)(?: anymore| any more| any longer| now)?\s*$"
    ),
    phrase(
        r"^(?:the )?(?:\w+ )?(?P<quote>`[^`]+`) (?:is gone|is (?:now )?missing|was removed"
        r"|has been removed|no longer appears|does (?P<cue>\S+) appear)"
        r" (?:from|in) (?P<thing>`[^`]+`|\S+)(?: anymore| any more| now)?\s*$"
    ),
    phrase(
        r"^(?:the )?(?P<thing>`[^`]+`|\S+) (?:now )?(?:contains|has|includes|holds) (?P<cue>no)"
        r" (?:\w+ )?(?P<quote>`[^`]+`)(?: anymore| any more| any longer| now)?\s*$"
    ),
    phrase(r"^there is (?P<cue>no) (?P<quote>`[^`]+`) in (?P<thing>`[^`]+`)(?: anymore)?\s*$"),
)
# such as "`make test` exited with 2", "`ruff check .` is clean", "`npm test` failed"
COMMAND_ENDED = phrase(
    r"^(?:ok, )?(?:the )?(?:(?:command|script|call|run of|final|last) )*(?:`(?P<command>[^`]+)`"
    r"|(?P<bare>pytest|tsc|mypy|ruff|eslint|jest|vitest|mocha|rspec|phpunit|ctest|make|black|prettier"
    r"|(?:npm|go|cargo|mvn) test|(?:npm run|go|cargo) build))"
    r"(?: (?:(?:now|still|also) )*"
    r"(?:(?:exited|exits|ended|ends|finished|finishes|failed|fails|succeeded|completed)"
    r"(?: with| in)?(?: (?:an? )?(?:exit )?(?:code|status)(?: of)?)?"
    r"|(?P<gave>returned|returns|gave|gives|came back with|had|has)"
    r"(?: (?:an? )?(?:exit )?(?:code|status)(?: of)?)?) (?P<code>\d+)"
    r"|(?P<good> (?:now |still |also )*(?:succeeds|succeeded|passe[sd]|worked|works"
    r"|(?:is|was|came back|comes back) (?:now |all )?(?:clean|green|successful|fine|ok(?:ay)?)"
    r"|(?:completed|ran|runs|finished|finishes|ended|exited|exits|went through|goes through|builds)"
    r"(?: (?:successfully|fine|cleanly|through|without (?:any )?(?:errors?|problems?|issues?)"
    r"|with no (?:errors?|problems?|failures?)))))"
    r"|(?P<bad> (?:still |also )*(?:failed|fails|crashed|crashes|errored|breaks|is (?:still )?red"
    r"|(?:does|did)\s*(?P<cue>\S+) (?:pass|work|succeed))))"
    r"(?: now| too| again| as well| for .*| in [\d.]+ ?\w+)?\s*$"
)
# such as "`a.json` now includes a timeout", "`a.js` multiplies now"
NOW_SO = phrase(
    r"^(?:the )?(?:file )?(?P<thing>`[^`]+`|\S+) (?:(?P<got>got|received|gained|lost) (?:an?|its"
    r"|the"
    r"|one|two|some|new|more|another) .+|now (?P<first>[a-z]+s) .+"
    r"|(?P<last>[a-z]+s)(?: .+)? now)\s*$"
)
HOLDS = (
    "contains|includes|has|lists|expects|describes|defines|imports|mentions|documents|sets|declares"
    "|specifies|requires|exports|states|pins|enables|disables"
)
"""Verbs of a file's own content."""
ENDS = "passes|works|exists|fails|runs|compiles|builds|loads|succeeds|is|was|does"
"""Verbs of how a program fares."""
# such as "The push failed because there is no remote", "the commit went through"
SENDING = phrase(
    r"^the (?P<deed>push|commit|merge|rebase) (?:(?P<good>succeeded|went through|worked"
    r"|was successful|was accepted)|(?P<bad>failed|was rejected|was refused|did not go through))\b"
)
# what begins another statement: "removed `a.py`, and only the test in `b.py` is left"
NEXT_CLAUSE = phrase(
    r",\s*(?:and|but|so|while|because|since|which|where|leaving) (?!(?:the (?:file )?)?`)"
)
# such as "with `make all`", "by running `black .`"
BY_COMMAND = phrase(r"\b(?:with|using|via|by running|by) `(?P<command>[^`]+)`")
# such as "the branch", "into main"
A_BRANCH = phrase(r"\bbranch\b|\binto `?(?:main|master|develop|trunk)\b")
# such as "The final content of `version.txt` is 4"
CONTENT_IS = phrase(
    r"^the (?:(?:final|new|current) )?contents? of (?:the file )?(?P<thing>`[^`]+`) (?:is|are)"
    r" (?:now )?(?P<quote>`[^`]+`|\"[^\"]+\"|[\w.+-]+)\s*$"
)
# such as "with exit code 0"
EXIT_CODE = phrase(
    r"\b(?:exit(?: (?:code|status))?|exit(?:ed|s) with|ended with|status)(?: of| was| is"
    r"|:)? (?P<code>\d+)\b"
)
# such as "a new branch `fix`", "the branch fix"
NEW_BRANCH = phrase(r"\s+(?:an?|new|separate|git|feature|\s)*branch\b(?! of)")
# such as "a PR", "pull request #12"
PULL_REQUEST = phrase(r"\s+(?:an?|the|new|draft|\s)*(?:PR|MR|pull request|merge request)\b")
# what a deed was done for: "bumped it so that the tests could run"
SO_THAT = phrase(r" (?:so(?: that)?|in order that|because|since|which|to) ")
# such as "requests", "pytest 9.2.0", "the `left-pad` package"
PACKAGE = phrase(
    r"\s+(?:the (?:package |dependency |module )?|package |an? )?"
    r"(?P<tick>`)?(?P<name>@?[a-z0-9][\w./@+-]*)(?(tick)`)"
    r"(?: (?:package|dependency|module|library))?(?P<version> v?\d\w*\.[\w.]*\w)?"
    r"(?: (?:first|again|too|locally))?\s*(?:$|(?P<next>[,;(]"
    r"|(?:and|und|via|with|using|as|for|to|from|in|into|inside|globally|so|mit|\u00fcber)\b))"
)
NO_PACKAGE = word_set(
    """it them everything nothing all dependencies dependency deps packages package requirements
    modules tools project app hooks hook version versions this that missing new required wheel
    wheels archive tarball environment venv"""
)
"""What "installed" may be followed by that is no package's name."""
# what stands between the two names of a move: "a.py to b.py", "a.py \u2192 b.py"
MOVE = phrase(r"\s(?:to|into|as|nach|in)\s|\s*(?:\u2192|->)\s*")
_TOUCHED = "(?:changed|modified|updated|edited|touched)"
# such as "Changed 3 files", "3 files were modified", "I updated 12 files in total"
FILE_COUNT = phrase(
    rf"^(?:(?:i|we)(?:'ve| have)? )?(?P<verb>{_TOUCHED} )?(?P<count>\d{{1,5}}) files?"
    rf"(?P<passive> (?:were |was )?{_TOUCHED})?(?: in total| overall)?\s*(?:$|,|\()"
)
MODULE = phrase(
    r"\s+(?:the|an?|our) (?:old |new )?(?P<name>[\w-]+) (?:module|script|file|package)\b"
)
"""A file called by its name without path or extension: "the legacy module"."""

# such as "the app", "your script locally": what a project runs as
THE_PROGRAM = phrase(
    r"\s+(?:the|your|our|this) (?:\w+ )?(?:app|application|program|script|server|service|binary"
    r"|executable|tool|cli|demo|game|bot)\b(?! (?:tests?|suite|through|of|in|on|with|under|build"
    r"|config))"
)
# such as "so the tests pass", "most tests pass", "once the tests pass", "your tests pass"
NOT_ACHIEVED = phrase(
    r"\b(?:until|once|when|to make|so that|ensure[sd]?|making sure|expect\w*|hope\w*|goal|need\w*",
    r"|want\w*|try|tries|tried|attempt\w*|plan\w*|fail\w*|almost|nearly|most|some|few|only",
    r"|except|apart from|originally|previously|before|you|your|they|their|user)\b",
)
# such as "all green", "exits cleanly"
SUCCESS = phrase(
    r"\b(?:success\w*|pass(?:es|ed|ing)?|green|clean(?:ly)?|succeed\w*"
    r"|gr\u00fcn|bestanden|erfolgreich)\b"
)
# such as "two errors", "it crashed"; "no errors" is a success
FAILURE = phrase(r"\b(?:fail\w*|errors?|errored|broken?|crash\w*|fehlgeschlagen|rot)\b")
# such as "0 failed", "without any errors"
NO_FAILURE = phrase(r"\b(?:0|no|zero|without(?: any)?) (?:test )?(?:fail\w*|errors?|skipped)\b")
# such as "I ran mypy"
A_RUN = phrase(rf"\b(?:{RAN})\b")
# such as "the full suite"
WHOLE = phrase(
    r"\b(?:all|both|full|whole|entire|every\w*|complete|suite|alle|alles|voll(?:e[rsn]?"
    r"|st\u00e4ndig\w*)|gesamte\w*|komplette\w*|ganze\w*|s\u00e4mtliche\w*)\b"
)

# such as "12" in "12 tests pass", "12/12 passing", and no "100% passed"
COUNT = phrase(r"\b(?P<count>\d{1,6})(?!\s*%)(?!\s*(?:/|(?:out )?of(?: the)?)\s*\d)\b")
# such as "one of 3 tests", "of the 5 tests"
OUT_OF = phrase(r"\b(?:of|from)(?: the)?(?: \d+)?(?: \w+)? (?:tests?|specs?|examples)\b")
# such as "12/12 tests", "3 of 5 passing"
SHARE = phrase(r"\b(?P<passed>\d+)\s*(?:/|(?:out )?of(?: the)?)\s*(?P<all>\d+)\b")

# such as "42 unit tests", "the type checker"
CHECK_NOUNS: dict[CheckName, str] = {
    "tests": r"(?:(?:\d+|unit|integration|existing|new|full|whole|complete|entire) )*"
    r"(?:tests?(?:[- ]?(?:suites?|cases?|runs?|files?|modules?))?|specs?|suites?|examples|pytest"
    r"|jest|vitest|rspec|phpunit|ctest|mocha|unittest)(?: run)?"
    r"(?: in (?:`[^`]+`|both files|\S+))?(?: of (?:the \w+|`[^`]+`))?",
    "build": r"(?:build|compilation|typescript build|(?:project|crate|code|package|app(?:lication)?"
    r"|workspace|program|library|site|bundle|module|binary|projekt|code)(?= (?:now |still |again )?"
    r"(?:builds?|built|compile[sd]?|baut|kompiliert|does|fails to)\b))",
    "lint": "(?:lint(?:er|ing)?|linters|eslint|ruff|clippy|flake8|pylint)(?: checks?)?",
    "types": "(?:type[- ]?check(?:s|er|ing)?|mypy|pyright|tsc)",
}  # fmt: skip
_CHECK_HINTS: dict[CheckName, tuple[str, ...]] = {
    "tests": tuple("test spec suite examples jest phpunit mocha".split()),
    "build": tuple(
        "build built compil project crate code package app workspace program library site bundle"
        " module binary projekt".split()
    ),
    "lint": tuple("lint ruff clippy flake8".split()),
    "types": tuple("type mypy pyright tsc".split()),
}
"""One of them stands in every text that names a check."""


def of_checks(
    patterns: Mapping[CheckName, re.Pattern[str]], text: str
) -> Iterator[tuple[CheckName, re.Pattern[str]]]:
    """The patterns of the checks that a text may name; the others need not be made."""
    low = text.lower()
    for check, pattern in patterns.items():
        if any(hint in low for hint in _CHECK_HINTS[check]):
            yield check, pattern


# such as "now all pass", "are green", "went through", "laufen durch"
_ENDS_WELL = (
    r":?(?: (?:was|were) (?:all )?(?:run|executed) and)? (?:all |both )?(?:now |also )?(?:still )?"
    r"(?:pass(?:es|ed|ing)?"
    r"|(?:is|are|was|were|came back|come back|ran|stay(?:s|ed)?|look(?:s|ed)?) (?:now |all "
    r"|still )*"
    r"(?:passing|green|clean|successful|fine|ok(?:ay)?|run successfully|executed successfully)"
    r"|succeed(?:s|ed)?|went through|go(?:es)? through|green|check(?:s|ed)? out"
    r"|(?:ran?|runs?|finish(?:es|ed)?|complete[sd]?|build[s]?|built|compile[sd]?|executed?|work(?:s|ed)?"
    r"|baut|kompiliert|laufen|liefen)"
    r" (?:(?:all|alle|now|wieder|again) )*(?:successfully|fine|cleanly|clean|through|durch"
    r"|fehlerfrei"
    r"|sauber|erfolgreich|ohne fehler|again|(?:without|with (?:no|zero)) (?:any |a single )?"
    r"(?:errors?|failures?|problems?|issues?|warnings?))"
    r"|(?:builds|compiles)(?=\s*$)|(?:laufen|liefen) (?:alle )?(?:(?:erfolgreich|sauber"
    r"|wieder) )?durch"
    r"|(?:sind|ist|waren|war) (?:(?:alle|jetzt|nun|wieder) )*(?:gr\u00fcn|erfolgreich|in ordnung)"
    r"|(?:sind |wurden )?(?:alle )?(?:erfolgreich )?bestanden|bestehen|erfolgreich)\b"
)
# such as "12/12 passing", "47 passed", "0 failures", "everything is green", "alles gr\u00fcn"
ENDS_WELL_ALONE = phrase(
    r"^(?:\W*)(?:\d+\s*/\s*\d+|\d+ (?:out )?of \d+|all \d+) (?:are |now |are now )?"
    r"(?:pass(?:ed|ing|es)?|green)\b"
    r"|^(?:\W*)\d+ pass(?:ed|ing)\b"
    r"|\b(?:everything|all|all checks|all of them)"
    r"(?: (?:is|are|now|looks|look|still|comes? back|came back|were|was|all))*"
    r" (?:green|pass(?:es|ing|ed)?|went through)\b"
    r"|\balles (?:ist )?gr\u00fcn\b|\b(?:no|zero|0) (?:test )?(?:failures|failing tests)\b"
)
# such as "all tests pass", "the build is green"
PASSES = {check: phrase(rf"\b{noun}{_ENDS_WELL}") for check, noun in CHECK_NOUNS.items()}
# such as "ran all the unit tests", "ran the linter"
THE_CHECK = {
    check: phrase(
        r"\s+(?:(?:all|both|of|the|full|our|existing|unit|whole|entire|complete|new|relevant|project's"
        rf"|project|die|alle|python|go|rust|java|php|ruby|node|npm|maven) )*{noun}\b"
    )
    for check, noun in CHECK_NOUNS.items()
}
# such as "Tests: 12 passed", "Build: ok"
LABELLED = {
    check: phrase(rf"^\W*(?:the |all )*{noun}\W*: (?P<rest>.*)$")
    for check, noun in CHECK_NOUNS.items()
}
# such as "the build", "mypy": what "all green" may be about where the tests are not meant
OTHER_CHECKS: dict[CheckName, re.Pattern[str]] = {
    check: phrase(rf"\b{noun}\b") for check, noun in CHECK_NOUNS.items() if check != "tests"
}
# such as "then deleted it"
PRONOUN = phrase(
    r"\b(?:it|them|this|that|everything)(?: again| all)?\s*$"
    r"|\b(?:\w+ed|wrote|made|rewrote) (?:it|them) (?:with|from|by|as|again|anew|too)\b"
)
# such as "file" in "`a.py` (new file)"
A_FILE = phrase(r"(?:test |config )?(?:file|module|script|component)s?")
# such as "Unit tests" in the first cell of a row
CHECK_IN_CELL = {check: phrase(rf"(?:the |all )*{noun}") for check, noun in CHECK_NOUNS.items()}
# who may stand before "tests" without narrowing them: "all 12 unit tests", "the pytest suite"
ANY_TESTS = word_set(
    """all the our my these those both every and of that now alle die two three four five six
    bats go maven mvn npm node python pytest perl rust cargo java php ruby mocha jest vitest full
    whole entire unit new existing phpunit rspec ctest junit unittest dotnet gradle examples
    complete das der this s\u00e4mtliche ran executed run background final last whose with project
    project's prove"""
)
# such as "Backend:" in front of what is said
LABEL = phrase(r"^\W*(?P<of>\w+(?:[ -]\w+){0,2})\W*?: ")
OF_ALL = ANY_TESTS | word_set(
    """test tests testing suite suites spec specs result results runs status state summary outcome
    check checks verification validation finally done update note after end conclusion ergebnis
    stand fix change changes good news great build lint types quality success green ok tl dr short
    version bottom line to in"""
)
"""What a label may say without narrowing it to some tests: "Test results:", "Bottom line:".

Nor does a participle: "Finished: …"."""
# such as "2 tests fail", "the build is broken", "one test is still failing"
FAILS_NOW = {
    check: phrase(
        rf"\b{noun} (?:is |are |was |were |still |both |all |also |now )*"
        r"(?:fails?|failing|failed|broken|breaks|red|panick?(?:s|ed)|errors? out|errored"
        r"|crash(?:es|ed)|unsuccessful|schl\u00e4gt fehl|schlagen fehl"
        r"|(?P<denied>(?:do(?:es)?|did|is|are)(?: not|n't) (?:all |yet |fully |entirely )*"
        r"(?:pass(?:ing)?|green|succeed|compile|build|work)))\b"
    )
    for check, noun in CHECK_NOUNS.items()
}
# of what holds at the end: "fails", "is still failing"; "failed" may be an earlier run
NOW_FAILS = phrase(r"\b(?:fails?|failing|broken|red|still|panics|errors? out|crashes)\b")
# such as "all new tests pass", "the tests in `a.py`": not all there are
SOME_TESTS = phrase(
    r"\b(?:new|existing|relevant|related|other|remaining|added|affected|updated|corresponding|for"
    r"|matching|only)\b|\b(?:in|of) `|\bin (?:\S+\.\w+)|\bof (?:the )?\w+ (?:module|file|package"
    r"|class)"
)
_EARLIER = "first|initial|initially|before|earlier|previously|originally|had|until"
_FROM_FAILURES = r"\bfrom \w+ (?:test )?(?:fail\w*|errors?)\b"
# such as "the first run", "before the fix", "the test `a`", "from one failure to none": not all of
# them, or not at the end
NOT_ALL_NOW = phrase(rf"\b(?:{_EARLIER}|was|were)\b|`|:|{_FROM_FAILURES}")
# such as "at first", "before the fix"
NOT_AT_THE_END = phrase(rf"\b(?:{_EARLIER})\b|{_FROM_FAILURES}")
# such as "2 tests still fail", "the build is broken", "pytest reports 3 errors"
FAILS = phrase(
    r"\b(?:(?:tests?|suite|build|lint\w*|specs?|checks?)\b.{0,40}\b(?:fail\w*|broken|errors?|red)"
    r"|(?:fail\w*|broken) (?:tests?|builds?|specs?|checks?))\b"
)

GERMAN_KINDS = {
    participle: verb
    for verb, participles in {
        "created": "erstellt angelegt erzeugt",
        "added": "hinzugef\u00fcgt geschrieben erg\u00e4nzt generiert",
        "updated": "aktualisiert ge\u00e4ndert bearbeitet angepasst \u00fcberarbeitet erweitert"
        " korrigiert",
        "fixed": "behoben implementiert ersetzt umgesetzt",
        "deleted": "gel\u00f6scht entfernt",
        "moved": "umbenannt verschoben",
        "ran": "ausgef\u00fchrt gestartet",
        "installed": "installiert",
        "reverted": "zur\u00fcckgesetzt",
        "committed": "committet",
        "pushed": "gepusht",
    }.items()
    for participle in word_set(participles)
}
# such as "Ich habe `a.py` angepasst", "Die Datei `a.py` wurde gel\u00f6scht", "`a.py` erstellt"
GERMAN = phrase(
    r"^(?:(?:au\u00dferdem|zudem|dann|anschlie\u00dfend|und) )*"
    r"(?:(?:habe ich|(?:ich |wir )?haben?) |(?:die |der |das )?(?:datei(?:en)? )?)?"
    r"(?P<rest>.*?)(?: (?:wurden?|habe ich|worden|ist|sind))*(?P<middle> .*?)?"
    rf" (?P<verb>{'|'.join(GERMAN_KINDS)})(?: worden)?\s*(?:$|[,;.]|und\b)"
)

# what stands around the verb in "Es wurde nichts committet", "Bisher habe ich nichts gepusht"
NOTHING_AT_ALL = phrase(
    r"(?:\s|\b(?:es|ich|wir|habe|haben|wurde|wurden|ist|bisher|noch|hier|auch|nichts|gar)\b)*"
)
# the commands of "ran `a x`, `b y` and `c`"
LIST_OF_CODE = phrase(
    r"\s*(?:(?:the|both|command|commands) )*`[^`\n]+`"
    r"(?:\s*(?:, and|,|and|und|as well as|&)\s*`[^`\n]+`)+"
)
_TOUCH = r"(?:chang|modif|touch|edit|alter|updat)"
_WAS = "(?:were|was|have been|has been)"
# `cue` must be a denial: "did not change X", "without touching X", "no X was edited"
UNTOUCHED_IF_DENIED = (
    phrase(rf"\bdid\s*(?P<cue>\S+) {_TOUCH}\w* (?P<thing>.+)"),
    phrase(rf"(?P<cue>[\w']+) {_TOUCH}\w*(?:ed|ing) (?P<thing>.+)"),
    phrase(
        r"^(?P<thing>`[^`]+`|(?:the |any )?(?:tests?|specs?)(?: files?)?)"
        r" (?:is|was|were|has|have|did)"
        rf" (?P<cue>\w+) (?:been )?{_TOUCH}\w*\s*$"
    ),
    phrase(rf"^(?:there (?:were|are) )?(?P<cue>\w+) (?P<thing>.+?) {_WAS} {_TOUCH}"),
    phrase(rf"\b(?P<cue>\w+) changes? (?:{_WAS} made )?(?:to|in) (?P<thing>.+)"),
)
# such as "left X alone", "the tests are unchanged"
UNTOUCHED = (
    phrase(r"\b(?:left|kept) (?P<thing>.+?) (?:unchanged|untouched|alone|intact|as is)\b"),
    phrase(
        r"^(?:the )?(?P<thing>.+?) (?:is|are|was|were|remain(?:s|ed)?|stay(?:s|ed)?)",
        r" (?:still |now |left )*(?:unchanged|untouched|unmodified|intact)\b",
    ),
)
# such as "`a.py` is as it was", "I left the README as it was": edits may have been undone
AS_BEFORE = (
    phrase(
        r"\b(?:left|kept) (?P<thing>.+?) (?:exactly |just )?(?:as (?:it|they) (?:was|were|is|are)"
        r"|as before)\b"
    ),
    phrase(
        r"^(?:the )?(?P<thing>.+?) (?:is|are|was|were|remain(?:s|ed)?|stay(?:s|ed)?)",
        r" (?:still |exactly |now |left |again |back "
        r"|byte[- ]for[- ]byte )*(?:identical(?: to before)?"
        r"|(?:the )?same as before|as before|as (?:it|they) (?:is|was|were))(?: before)?\s*$",
    ),
)
# such as "`a.py` but `b.py`" after "not"
BUT_ANOTHER = phrase(r"\S (?:but|sondern) ")
# such as "but `a.py`" in "nothing but `a.py` was edited", "any files other than `a.py`"
ALL_BUT = phrase(
    r"\s*(?:any )?(?:(?:file|files|thing) )?(?:but|except(?: for)?|other than|apart from|besides)\b"
)
# such as "No changes were made", "I did not change any files", "Nothing was modified"
NOTHING_TOUCHED = phrase(
    r"^(?:(?:i|we) )?(?:(?:have )?made no (?:code |file |further )?changes"
    rf"|no (?:code |file |source )?(?:changes|files?) {_WAS} (?:made|{_TOUCH}\w*)"
    rf"|(?:did not|didn't) (?:change|modify|touch|edit|alter) any (?:files?|code)"
    rf"|(?:have )?{_TOUCH}\w*ed (?:nothing|no (?:source |code |other )?(?:files?|code))(?: at all)?"
    rf"|nothing {_WAS} {_TOUCH}\w*|es wurden? (?:keine dateie?n?|nichts) (?:ver|ge)\u00e4ndert"
    rf"|(?:ich habe|wir haben) nichts (?:ver|ge)\u00e4ndert"
    rf"|(?:none of the files|not (?:one|a single) file)(?: in [\w ]+)? {_WAS} {_TOUCH}\w*ed)"
    r"(?:(?: at all)?(?: in (?:the|this|your) (?:repo\w*|project|tree|folder|files))?"
    r"| (?:while|when|during) [^,;]+)?\s*(?:$|, (?:this|it|that) )"
)
# the same of how things are in the end: "No file differs from before", "Nothing has changed"
NOTHING_DIFFERS = phrase(
    r"^(?:(?:at|in) the end(?: of [\w ]+?)?,? )?(?:(?:none of the|no|not (?:one|a single)) files?"
    r"(?: in [\w ]+)?|nothing)"
    r" (?:differs?|is (?:any )?different|has changed)(?: at all)?(?: from .+| in the end)?\s*$"
    r"|^(?:am ende )?(?:es )?(?:hat|ist) (?:sich )?(?:am ende )?nichts (?:ge\u00e4ndert|anders)\s*$"
)
_NOTHING = r"(?:nothing|no (?:new |other |existing )*(?P<what>(?:test )?files?|tests?|specs?))"
_FULL_STOP = r"(?: (?:at all|here|so far|in the process|along the way|behind))?\s*$"


def _none_done(verbs: str, plain: str, german: str) -> tuple[re.Pattern[str], ...]:
    """ "Nothing was deleted", "I removed no tests", "Es wurde keine Datei gel\u00f6scht"."""
    return (
        phrase(rf"^(?:i|we)(?: have|'ve)? (?:{verbs}) {_NOTHING}{_FULL_STOP}"),
        phrase(rf"^{_NOTHING} (?:was|were|has been|have been|got) (?:{verbs}){_FULL_STOP}"),
        phrase(
            rf"^(?:i|we) (?:did not|didn't) (?:{plain}) any(?:thing| (?P<what>(?:test )?files?"
            rf"|tests?|specs?)){_FULL_STOP}"
        ),
        phrase(
            rf"^(?:(?:{german}) (?:habe ich|wurde) (?:bisher )?nichts|ich habe nichts (?:{german})"
            rf"|es wurden? keine? (?P<what>(?:test)?dateie?n?|tests?) (?:{german}))\s*$"
        ),
    )


# what was done to no file at all
NONE_DONE: dict[Literal["created", "deleted"], tuple[re.Pattern[str], ...]] = {
    "deleted": (
        *_none_done("deleted|removed|dropped", "delete|remove|drop", "gel\u00f6scht|entfernt"),
        phrase(
            r"^all (?:the |of the |existing |old )*(?P<what>(?:test )?files|tests|specs)"
            r" (?:were|are|have been) (?:kept|retained|preserved)\s*$"
        ),
    ),
    "created": (
        *_none_done("created|added|left", "create|add|leave", "angelegt|erstellt|erzeugt"),
    ),
}
_ALONE = rf"(?:{_TOUCH}\w*|differs?)"
# such as "The only file I modified is `a.py`", "Only `a.py` differs from before"
ONLY_TOUCHED = (
    phrase(
        r"^the only (?:files?|thing|things)(?: that)? (?:(?:i|we)(?: have|'ve)? )?(?:was |is "
        r"|were |"
        rf"has been |have been )?{_ALONE}(?: (?:now|here|in \w+))? (?:is|are|was"
        rf"|were) (?P<thing>.+)$"
    ),
    phrase(
        rf"^only (?P<thing>.+?) (?:(?:was|were|has been|have been|is|are) )?{_ALONE}"
        r"(?: (?:now|from before|at all|in the end))?\s*$"
    ),
    phrase(rf"^(?:(?:i|we)(?: have|'ve)? )?only {_TOUCH}\w*ed (?P<thing>.+)$"),
)
# such as "The only new file is `a.py`", "`a.py` is the only file I added"
ONLY_MADE = (
    phrase(
        r"^the only (?:new files?|files?(?: that)? (?:(?:i|we)(?: have|'ve)? )?(?:was |were )?"
        r"(?:created|added|new)) (?:here )?(?:is|are|was|were) (?P<thing>.+)$"
    ),
    phrase(
        r"^(?P<thing>.+?) (?:is|are|was|were) the only (?:new files?|files? (?:created|added))\s*$"
    ),
    phrase(r"^only (?P<thing>.+?) (?:was|were|has been|have been) (?:created|added)\s*$"),
)
# such as "`main` in ``", where the path of the file is left out
PART_OF_FILE = phrase(r"`[^`\n]+` (?:function |method |class |test )?(?:in|of|from|inside|within) ")
# such as "any of the existing test files"
TESTS = phrase(
    r"(?:(?:any|the|of the|existing|a|single|unit) )*(?:tests?|specs?)"
    r"(?: (?:files?|cases?|code|suite))?\s*$"
)
# such as "can be used without changing X", "to do so without changing X"
IN_GENERAL = phrase(r"\b(?:can|to)\b")

# `cue` must be a denial: "X does not exist", "there is no X"
ABSENT_IF_DENIED = (
    phrase(rf"^{THING} does\s*(?P<cue>\S+) (?:yet )?exist"),
    phrase(
        r"^there (?:is|are) (?P<cue>\w+) (?:longer an? )?(?P<thing>`[^`]+`|\S+)(?: file)?"
        r"(?: in\b| any ?more|\s*$)"
    ),
    phrase(rf"^{THING} (?:is|was) (?P<cue>\w+) (?:there|present|in place)(?: any ?more| now)?\s*$"),
)
_IN_TREE = r"in the (?:project )?(?:root|folder|repo\w*|tree|directory)"
_THERE = rf"(?:there|in place|present|available|{_IN_TREE})"
GONE = phrase(
    rf"^{THING} (?:no longer exists|(?:is|are) (?:now )?(?:gone|missing|deleted|removed)"
    rf"|is no longer {_THERE}|has disappeared)(?: now| from the \w+)?\s*$"
)
"""Such as "`a.py` no longer exists"."""
# what says more of a file than that it is there
UP_TO_DATE = phrase(r"\bup[- ]to[- ]date\b")
# such as "X already exists", "X is still there", "I kept X"
EXISTS = phrase(
    rf"^{THING} (?:(?:now |already |still )*exists\b|is (?:still |now |already |also )*"
    rf"(?:{_THERE}|on disk|up[- ]to[- ]date)\b)"
    r"|^(?:(?:i|we) )?(?:also )?(?:kept|retained|preserved) (?:the (?:file )?)?"
    r"(?P<kept>`[^`]+`)\s*$"
)
