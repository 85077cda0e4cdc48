"""Single tests that a runner's own lines name, and how each ended."""

import re
from collections.abc import Mapping

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern

MAX_NAMED_CHARS = 20_000
MAX_LINE_CHARS = 300

_GOOD = r"ok|PASS(?:ED)?|Passed"
# each as its runner writes it, at the start of a line
_LINES = (
    # such as "FAILED tests/test_a.py::test_add - assert 1 == 2", "ERROR tests/test_a.py"
    r"(?P<bad>FAILED|ERROR) (?P<name>\S+::\S+?)(?: - .*)?",
    # such as "tests/test_a.py::test_add PASSED  [ 50%]"
    rf"(?P<name>\S+::\S+) (?:(?P<good>{_GOOD})|(?P<bad>FAILED|ERROR))\b.*",
    # such as "--- FAIL: TestMid (0.00s)"
    r"[ \t]*--- (?:(?P<good>PASS)|(?P<bad>FAIL)): (?P<name>\S+) \([\d.]+s\)",
    # such as "test shape::area_works ... FAILED"
    rf"test (?P<name>\S+) \.\.\. (?:(?P<good>{_GOOD})|(?P<bad>FAILED))",
    # such as "not ok 2 adds two numbers", "ok 1 - default # in 3 ms"
    (
        r"[ \t]*(?:(?P<bad>not ok)|(?P<good>ok)) \d+ (?:- )?(?P<name>[^#\n]+?)"
        r"(?: # (?!SKIP|skip|TODO|todo).*| in \d+ms)?"
    ),
    # such as "FAIL: test_upper (test_s.Upper.test_upper)", "test_a (t.A.test_a) ... ok"
    r"(?P<bad>FAIL|ERROR): (?P<name>\w+) \([\w.]+\)",
    rf"(?P<name>\w+) \([\w.]+\) \.\.\. (?:(?P<good>{_GOOD})|(?P<bad>FAIL|ERROR))",
    # such as "  \u2713 adds (2 ms)", "  \u2715 adds (3 ms)", "\u2716 high tide (0.5ms)"
    (
        r"[ \t]*(?:(?P<good>[\u2713\u2714\u221a])|(?P<bad>[\u2715\u2716\u00d7\u2717]))"
        r" (?P<name>[^(\n]+?)(?: \(?[\d.]+ ?m?s\)?)?"
    ),
    # such as "1) Tides\\MoneyTest::testCents"
    r"\d+\) (?P<bad>)(?P<name>[\w\\]+::\w+)",
    # such as "    1) knows high", where no line with the test's own name and a colon follows
    r"[ \t]{2,}\d+\) (?P<bad>)(?P<name>[^\n:]+?)(?!\n[ \t]+[^\n]+:\n)",
    # such as "t/a.t .. ok", "t/a.t .. Failed 1/2 subtests"
    r"(?P<name>\S+\.t) \.+ (?:(?P<good>ok)|(?P<bad>Failed|Dubious)).*",
    # such as "1/2 Test #1: doubles ....   Passed    0.00 sec", "...***Failed"
    r"[ \t]*\d+/\d+ Test +#\d+: (?P<name>\S+) [ .]*(?:(?P<good>Passed)|\**(?P<bad>Failed)).*",
)
# one line of a runner, whole, such as "--- FAIL: TestMid (0.00s)"
_NAMED = tuple(lazy_pattern(rf"^{line}$", re.MULTILINE) for line in _LINES)
_SIGNS = (
    "::",
    "--- ",
    " ... ",
    "ok ",
    "FAIL",
    "ERROR",
    ".t ..",
    "1) ",
    " Test ",
    *"\u2713\u2714\u221a\u2715\u2716\u00d7\u2717",
)
"""Without one of these no line names a test."""
# what stands before a test's own name: "tests/test_a.py::", "shape::", "suite > ", "m.Class."
_BEFORE_NAME = lazy_pattern(r".*(?:::| > | \u203a |\.)(?=\w)", re.DOTALL)


@kept(64, MAX_NAMED_CHARS)
def named_tests(output: str) -> Mapping[str, bool]:
    """Whether each test passed that the output names; one named both ways is left out."""
    lines = output.replace("\r\n", "\n").split("\n")
    text = "\n".join(line for line in lines if len(line) <= MAX_LINE_CHARS)
    if not any(sign in text for sign in _SIGNS):
        return {}
    good: set[str] = set()
    bad: set[str] = set()
    for pattern in _NAMED:
        can_fail = "bad" in pattern.groupindex
        for match in pattern.finditer(text):
            found = bad if can_fail and match["bad"] is not None else good
            whole = match["name"].strip()
            found.add(whole)
            found.add(_BEFORE_NAME.sub("", whole))
    return {name: name in good for name in good ^ bad}
