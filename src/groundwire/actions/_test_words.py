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
    r"^(?:(?:all|both|the|these) )*(?:\w+ ){0,2}?(?:tests?|test suites?|suites?)(?: of the \w+)? ",
    r"(?:was|were|have been|has been) (?:all |also |successfully )*(?:run|executed)\b",
    r"(?! (?:in|for|on|by)\b)",
)
_NAME = r"`[^`\n]+`"
_ENDS = (
    r"(?P<good>pass(?:es|ed)?|succeed(?:s|ed)?|(?:is|are) (?:now |still )?(?:passing|green))"
    r"|(?P<bad>fail(?:s|ed)?|(?:is|are) (?:now |still )?(?:failing|red|broken)|panic(?:s|ked)"
    r"|errors? out|did \S+ pass)"
)
# such as "the test `adds` fails", "`TestDist` and `TestMid` both fail", "`t/a.t` passes"
ONE_TEST = phrase(
    rf"^(?:the )?(?P<kind>(?:\w+ )?tests? )?(?P<names>{_NAME}(?:(?:, | and |, and ){_NAME})*)",
    rf"(?P<after> tests?)? (?:(?:now|still|both|all|also) )*(?:{_ENDS})(?: now| too| again)?\s*$",
)
# what is a test by its name alone: "test_add", "TestMid", "testCents", "t/a.t"
LIKE_A_TEST = phrase(r"(?:tests?_\w+|Test[A-Z0-9]\w*|test[A-Z]\w*|\w+_tests?|\S+\.t)")

# such as "2 examples", "Failures: 0", "14 passed"
PAIR = phrase(
    r"(?:(?P<number>\d+) (?P<noun>tests?(?: run)?|examples?|specs?|passed|passing|failed|failing"
    r"|failures?|errors?|pending|skipped|ignored|tests? (?P<ended>passed|failed))"
    r"|(?P<label>tests(?: run)?|passed|failed|failures|errors|skipped|pending): (?P<value>\d+))\b"
)
# a line that is a runner's summary and nothing else: "Tests run: 2, Failures: 0, Errors: 0."
SUMMARY = phrase(
    rf"^\W*(?:100% tests passed, )?(?:{PAIR.pattern}(?:,|;|\||and|/|\s)*){{2,}}(?:out of \d+)?"
    r"(?:in [\d.]+ ?m?s(?:ec\w*)?)?\W*$"
    .replace("(?P<number>", "(?:").replace("(?P<noun>", "(?:").replace("(?P<ended>", "(?:")
    .replace("(?P<label>", "(?:").replace("(?P<value>", "(?:")
)  # fmt: skip

# such as "`php -l a.php` reported a syntax error", "ruff found no problems"
FOUND = phrase(
    r"^(?:the )?(?:(?:first|last|final|second) )?(?:`(?P<code>[^`]+)`"
    r"|(?P<tool>ruff|mypy|eslint|flake8|pylint|tsc|clippy|shellcheck|pyright|black|prettier))"
    r" (?:found|finds|reported|reports|showed|shows|gave|gives)"
    r" (?:(?:(?P<cue>\w+) (?:\w+ )?(?:errors?|problems?|issues?|findings?|violations?"
    r"|(?P<mild>warnings?))"
    r"|(?P<nothing>\w+) to (?:format|fix|report|change|complain about|do))"
    r"|(?P<plain>errors|problems|issues|violations))(?: \(exit \d+\)| in .*)?\s*$"
)
# German, with the verb before or after: "laufen alle Tests durch", "ein Test schl\u00e4gt fehl"
GERMAN_PASS = phrase(
    r"\b(?:laufen|liefen) (?:(?:jetzt|nun|wieder) )?(?:alle |die |s\u00e4mtliche )?"
    r"(?:\d+ )?tests?(?: (?:erfolgreich|sauber|wieder|nun))* durch\b"
)
GERMAN_FAIL = phrase(
    r"\b(?P<count>\w+) tests? (?:schl\u00e4gt|schlagen) (?:(?:noch|weiterhin|immer) )*fehl\b"
)
"""Such as "zwei Tests schlagen fehl"."""
