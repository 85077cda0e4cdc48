"""Command lines: which programs they run, where, and whose status the line's is."""

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st

from groundwire.traces import NotUnderstood, SimpleCommand, parse
from groundwire.traces._commands import Status


def words(line: str) -> list[list[str]]:
    return [list(command.words) for command in parse(line).commands if command.words]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a b 'c d' \"e f\"", [["a", "b", "c d", "e f"]]),
        ("a && b || c; d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
        ("a \\\n b # comment\nc", [["a", "b"], ["c"]]),
        ("cat <<'EOF' > x\nrm -rf /\nEOF\nb", [["cat"], ["b"]]),
        ("cat <<A; cat <<-B\n1\nA\n\t2\n\tB\nc", [["cat"], ["cat"], ["c"]]),
        ("echo $(date) `id`", [["date"], ["id"], ["echo", "$(date)", "`id`"]]),
        ('echo "$(a "$(b)")"', [["b"], ["a", "$(b)"], ["echo", '$(a "$(b)")']]),
        ("diff <(a) <(b)", [["a"], ["b"], ["diff", "<(a)", "<(b)"]]),
        ("(a; b) && { c; }", [["a"], ["b"], ["c"]]),
        ("if a; then b; elif c; then d; else e; fi", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("for x in $(ls); do a $x; done", [["ls"], ["a", "$x"]]),
        ("while read l; do a; done < f", [["read", "l"], ["a"]]),
        ("case $x in a|b) c;; *) d ;; esac", [["c"], ["d"]]),
        ("f() { a; }; f", [["a"], ["f"]]),
        ("function f { a; }", [["a"]]),
        ("[[ -f a && $b < c ]] && d", [["[["], ["d"]]),
        ("((i++)); a $((1 + 2)) ${b:-c d}", [["(("], ["a", "$((1 + 2))", "${b:-c d}"]]),
        ("names=(a b); c", [["c"]]),
        ("a $'x\\ny'", [["a", "x\ny"]]),
        ("! a", [["a"]]),
        ("", []),
        ("# only a comment", []),
    ],
)
def test_a_line_is_cut_into_commands(line: str, expected: list[list[str]]) -> None:
    """Quotes, here-documents, substitutions and control structures, in the order they stand."""
    assert words(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "X=1 sudo -E -u ci timeout -k 5 60 nice -n 5 pytest -q",
        "env -u C A=1 B=2 pytest -q",
        "uv run --with x --python 3.12 pytest -q",
        "uv run -- pytest -q",
        "poetry run pytest -q",
        "npx --yes -p x pytest -q",
        "bash -lc 'pytest -q'",
        "bash -c \"sh -c 'pytest -q'\"",
        "bash -euo pipefail -c 'pytest -q'",
        "bash <<'EOF'\npytest -q\nEOF",
        "docker exec -it -e A=1 web pytest -q",
        "docker compose run --rm web pytest -q",
        "ssh -p 22 host pytest -q",
        "conda run -n dev pytest -q",
        "time -p pytest -q",
        "/usr/bin/time -f x pytest -q",
        "watch -n 2 pytest -q",
        "xargs -n 1 pytest -q",
        "find . -name x -exec pytest -q \\;",
        "nohup stdbuf -oL pytest -q",
        "if pytest -q; then true; fi",
    ],
)
def test_wrappers_are_taken_off_with_the_values_of_their_options(line: str) -> None:
    assert ["pytest", "-q"] in words(line)


def of(line: str, program: str) -> SimpleCommand:
    return next(one for one in parse(line).commands if one.program == program)


def test_a_wrapper_says_how_its_command_runs() -> None:
    assert of("watch -n 2 a", "a").watched
    assert of("a & b", "a").background
    assert not of("a & b", "b").background
    assert of("docker exec web a", "a").elsewhere
    assert of("ls | xargs a", "a").repeated
    assert of("find . -exec a {} +", "a").repeated


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("a", ""),
        ("cd x && a", "x"),
        ("cd x && cd y; a", "x/y"),
        ("cd /x && a", "/x"),
        ("(cd x && b); a", ""),
        ("cd x | a", ""),
        ("bash -c 'cd x'; a", ""),
        ("env -C x a", "x"),
        ("cd $X && a", None),
        ("cd - && a", None),
        ("pushd x && a", None),
        ("docker exec web a", None),
    ],
)
def test_a_command_runs_where_the_line_led_it(line: str, folder: str | None) -> None:
    assert of(line, "a").folder == folder


@pytest.mark.parametrize(
    ("line", "exit_code", "status"),
    [
        ("t", 3, 3),
        ("t | tail", 0, None),
        ("ls | t", 2, 2),
        ("set -o pipefail; t | tail", 1, 1),
        ("set -euo pipefail\nt | tail -5\necho ok", 0, 0),
        ("set -o pipefail; t | grep x", 1, "perhaps"),
        ("t || true", 0, None),
        ("t || exit 1", 1, "failed"),
        ("t; echo done", 0, None),
        ("t && echo ok", 0, 0),
        ("t && echo ok", 2, 2),
        ("cd x && t", 2, 2),
        ("make && t", 2, "perhaps"),
        ("make && t", 0, 0),
        ("! t", 0, "failed"),
        ("! t", 1, 0),
        ("t &", 0, None),
        ("(a; t)", 4, 4),
        ("if t; then echo ok; fi", 0, None),
        ("for x in 1 2; do t; done", 0, None),
        ("set -e; t; echo ok", 0, 0),
        ("t; set -e; echo ok", 1, None),
        ("bash -c 't'", 5, 5),
        ("bash -ec 't; echo'", 0, 0),
        ("out=$(t)", 6, 6),
        ("echo $(t)", 0, None),
        ("find . -exec t \\;", 0, None),
        ("timeout 5 t", 7, 7),
    ],
)
def test_the_lines_status_is_shared_out(line: str, exit_code: int, status: Status) -> None:
    """A status counts for a command only where no other can have set it."""
    script = parse(line)
    place = next(n for n, one in enumerate(script.commands) if one.program == "t")
    assert script.statuses(exit_code)[place] == status


@pytest.mark.parametrize(
    "line",
    [
        *("echo 'open", 'echo "open', "a\\", "a && ", "a | | b", "( a", "a )", "$(a", "`a"),
        *("if a; then b", "for x in", "case x in a) b", "fi", "a > ", "x" * 60_000),
        *("(" * 500, "$(" * 500),
    ],
)
def test_what_is_no_line_of_a_shell_is_not_understood(line: str) -> None:
    """It is never read as an empty line: an empty line would mean that nothing was run."""
    with pytest.raises(NotUnderstood):
        parse(line)


_PIECES = st.sampled_from(
    [*"ab '\"\\|&;<>()$`#\n=-/{}![]*", "$(", "${", "$((", "<<EOF\n", "EOF\n", "<<<", "if ", "then ",
     "fi", "case ", " in ", "esac", ";;", "bash -c ", "xargs ", "find . -exec ", "for ", " do ",
     "done", "function ", "sudo -u "]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=40).map("".join) | st.text(max_size=80))
def test_no_line_breaks_the_reader(line: str) -> None:
    """It reads the line or says that it does not; every command gets a status."""
    try:
        script = parse(line)
    except NotUnderstood:
        return
    assert len(script.statuses(1)) == len(script.commands)


@settings(max_examples=25, deadline=None)
@given(_PIECES, _PIECES, _PIECES)
def test_hostile_lines_take_bounded_time(one: str, two: str, three: str) -> None:
    line = ((one + two + three) * 20_000)[:49_000]
    start = time.process_time()
    with suppress(NotUnderstood):
        parse(line)
    assert time.process_time() - start < 5
