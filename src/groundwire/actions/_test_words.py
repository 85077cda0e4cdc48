"""The patterns of `_prose_tests` for single tests, summaries, and tests that were not run."""

from groundwire.actions._action_words import phrase

_BE = "(?:was|were|is|are|has been|have been|had been)"
_END = r"(?: (?:yet|here|myself|now|too|though))?(?:, only .*)?\s*$"
# `cue` must be a denial: "I did not run the tests", "no tests were run", "Tests wurden nicht ..."
NOT_RUN = (
    phrase(
        r"^(?:(?:so|and|but) )?(?:(?:i|we) )?(?:have|did|had)\s*(?P<cue>\S+) (?:yet )?",
        rf"(?:run|ran|executed?) (?:(?:any|the|all) )*(?:unit )?(?:tests?|test suite){_END}",
    ),
    phrase(rf"^(?:(?:i|we) )?(?:have )?(?:ran|run|executed) (?P<cue>\w+) tests?{_END}"),
    phrase(rf"^(?P<cue>\w+) (?:unit )?tests? {_BE} (?:run|executed){_END}"),
    phrase(
        r"^(?:the |all |any )*(?:tests?|test suite) (?:was|were|have|has)\s*(?P<cue>\S+)",
        rf" (?:been )?(?:run|executed){_END}",
    ),
    phrase(r"^(?:ich habe |es wurden )?(?P<cue>\w+) tests? (?:wurden? )?ausgef\u00fchrt\s*$"),
    phrase(r"^(?:die |alle )?tests? (?:wurden?|habe ich) (?P<cue>\w+) ausgef\u00fchrt\s*$"),
)

# such as "all Maven tests were run", "both test suites were executed"
WERE_RUN = phrase(
    r"^(?P<all>(?:(?:all|both|every|each|the|these|entire|whole|full|complete) )*)(?:\w+ ){0,2}?"
    r"(?:tests?|test suites?|suites?|test (?:files|modules|cases)|specs|examples)"
    r"(?: of (?:the \w+|`[^`]+`))? ",
    r"(?:was|were|have been|has been) (?:all |also |successfully |actually )*(?:run|executed)\b",
    r"(?! (?:in|for|on|by)\b)",
)
_NAME = r"`[^`\n]+`"
_ENDS = (
    r"(?P<good>pass(?:es|ed)?|succeed(?:s|ed)?|(?:is|are) (?:now |still )?(?:passing|green))"
    r"|(?P<bad>fail(?:s|ed)?|(?:is|are) (?:now |still )?(?:failing|red|broken)|panic(?:s|ked)"
    r"|errors? out|did(?: not|n't) pass|does(?: not|n't) pass)"
)
_OF_TESTS = r"(?:tests?|test cases?|examples?|specs?|scenarios?)"
# such as "the test `adds` fails", "`TestDist` and `TestMid` both fail", "`t/a.t` passes"
ONE_TEST = phrase(
    rf"^(?:the )?(?P<kind>(?:\w+ )?{_OF_TESTS} )?(?P<names>{_NAME}(?:(?:, | and |, and ){_NAME})*)",
    rf"(?P<after> {_OF_TESTS})? (?:(?:was|were) (?:run|executed) and )?"
    rf"(?:(?:now|still|both|all|also) )*(?:{_ENDS})(?: now| too| again| as well)*\s*$",
)


# such as "2 examples", "Failures: 0", "14 passed", "no failures"
PAIR = phrase(
    r"(?:(?P<number>\d+|no) (?P<noun>tests?(?: run)?|examples?|specs?|passed|passing|failed|failing"
    r"|failures?|errors?|pending|skipped|ignored|assertions?|tests? (?P<ended>passed|failed))"
    r"|(?P<label>tests(?: run)?|passed|failed|failures|errors|skipped|pending): (?P<value>\d+))\b"
)
# a line that is a runner's summary and nothing else: "Tests run: 2, Failures: 0, Errors: 0."
SUMMARY = phrase(
    rf"^\W*(?:100% tests passed, |ok \(|ran )?(?:{PAIR.pattern}(?:,|;|\||and|/"
    rf"|\s)*){{2,}}(?:out of \d+)?"
    r"(?:in [\d.]+ ?m?s(?:ec\w*)?)?\W*$"
    .replace("(?P<number>", "(?:").replace("(?P<noun>", "(?:").replace("(?P<ended>", "(?:")
    .replace("(?P<label>", "(?:").replace("(?P<value>", "(?:")
)  # fmt: skip

# what ran, before its summary: "rspec: ", "`mvn test`: ", "Ran `bats a.bats`: "
RUNNER = phrase(r"^\W*(?:ran |run |running )?(?P<line>\w[\w.-]*(?: [\w./-]+){0,3}): ")

# such as "`php -l a.php` reported a syntax error", "ruff found no problems"
FOUND = phrase(
    r"^(?:the )?(?:(?:first|last|final|second) )?(?:`(?P<code>[^`]+)`"
    r"|(?P<tool>ruff|mypy|eslint|flake8|pylint|tsc|clippy|shellcheck|pyright|black|prettier))"
    r" (?:found|finds|reported|reports|showed|shows|gave|gives)"
    r" (?:(?:(?P<cue>\w+) (?:\w+ )?(?:errors?|problems?|issues?|findings?|violations?"
    r"|(?P<mild>warnings?))"
    r"|(?P<nothing>\w+) to (?:format|fix|report|change|complain about|do))"
    r"|(?P<plain>errors|problems|issues|violations))"
    r"(?: \(exit \d+\)| now| any ?more| in .*)?\s*$"
)
# such as "zwei Tests schlagen fehl"
GERMAN_FAIL = phrase(
    r"\b(?P<count>\w+) tests? (?:schl\u00e4gt|schlagen) (?:(?:noch|weiterhin|immer) )*fehl\b"
)
# such as "There was 1 failure in PHPUnit", "I got 3 failing tests", "mocha reports no failures"
FAILURES = phrase(
    r"\b(?:there (?:is|are|was|were)|(?:i|we) (?:have|had)|saw|see|got|with|shows?|showed|reports?"
    r"|reported|ends? with|ended with|had|has|found|finished with) (?:only |still |exactly |just )*"
    r"(?P<count>\w+) (?P<what>(?:test |tests? )?failures?|(?:failing|failed|broken"
    r"|red) (?:tests?|specs?"
    r"|examples?)|(?:test )?errors?)\b"
)
# what makes "errors" those of tests
OF_TESTS = phrase(
    r"\b(?:tests?|suites?|specs?|examples?|pytest|jest|vitest|mocha|rspec|phpunit|ctest|unittest"
    r"|test run|runner)\b"
)
# such as "No tests were skipped", "nothing was skipped", "one test was skipped", "2 tests pending"
SKIPPED = phrase(
    r"^(?:there (?:are|were) )?(?P<count>\w+)(?: (?:tests?|specs?|examples?|of them|cases?))?"
    r" (?:(?:is|are|was|were|got) )?(?:skipped|pending|ignored|marked as skipped)(?: tests?)?"
    r"(?: (?:on|because|by|in|for|since) .*)?\s*$"
)
# such as "The first ruff run was already clean", "The suite had been green from the start"
FROM_THE_START = phrase(
    r"^(?:(?:the|my|our|der|die) )*(?:very )?(?:first|initial|allererster?|erster?) [^,;]*?"
    r"\b(?:run|check|pass|\w*lauf) (?:[^,;]*? )?(?:was|is|came back|war|ist) (?:already |schon "
    r"|bereits )?(?:clean|green|fine|successful|gr\u00fcn|sauber|fehlerfrei)\s*$"
    r"|^(?:(?:the|all|our) )*(?:tests?|test suite|suite|specs|pytest|jest|vitest|mocha|rspec"
    r"|phpunit|ctest|ruff|mypy|eslint|tsc) (?:had been|have been|were|was"
    r"|passed|were passing) (?:(?:already )?(?:green|passing|clean) )?(?:all along"
    r"|from the (?:very )?(?:start|beginning|outset)"
    r"|(?:both )?before (?:and after )?(?:the|my|any) [\w ]+)(?:\s*$|,)"
)
# such as "no failures remain", "zero failing tests left"
NONE_LEFT = phrase(
    r"\b(?:no|zero|0) (?:test )?(?:failures?|failing tests?|errors) (?:remain|are left|left"
    r"|any ?more)\b"
)
# such as "11 passed", "12/12 tests passing"
SO_MANY_PASS = phrase(r"\b(?P<count>\d{1,6}) (?:tests? |specs? |are )?(?:pass\w*|green)\b")
# such as "only one test fails", "exactly 2"
EXACTLY = phrase(r"\b(?:only|exactly|just|precisely|a single)\b")
# such as "after the last change", "with the final code"
AFTER_LAST = phrase(
    r"\b(?:after|with|on) (?:(?:the|my|all|all the|all of the|every) )?(?:very )?"
    r"(?:last|final|latest|all|every)"
    r" (?:the |my )?(?:code |file )?(?:changes?|edits?|fix(?:es)?|modifications?|version|code"
    r"|state)\b"
)
# such as "ran it again", "a second time", "retried"
AGAIN = phrase(
    r"\b(?:again|once more|twice|second (?:time|run)|re-?(?:ran|run|tried|started)|repeated|erneut"
    r"|noch ?mals?|noch einmal)\b"
)
# such as "twice", "three times"; "three times faster" is no number of runs
TIMES = phrase(r"\b(?:(?P<twice>twice)|(?P<times>\w+) times)\b(?! (?:as|the|\w+er|more|less)\b)")
# such as "a dry run", "--dry-run"
DRY = phrase(r"\bdry[ -]?run\b|\btrockenlauf\b")
