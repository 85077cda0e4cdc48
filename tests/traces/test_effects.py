"""What commands, tools and patches do to files, as far as their words tell."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.traces import TraceEvent, checks_in
from groundwire.traces._commands import parse
from groundwire.traces._effects import Effects, effects_of_command, only_reads
from groundwire.traces._shell_words import NotUnderstood
from groundwire.traces._tools import effects_of


def files(effects: Effects) -> list[tuple[str, str]]:
    return [(file.path, file.action) for file in effects.files]


@pytest.mark.parametrize("line", ["echo 'open", 'echo "open', "a\\", "x" * 60_000])
def test_a_line_that_is_not_understood_may_write_anything(line: str) -> None:
    with pytest.raises(NotUnderstood):
        parse(line)
    assert effects_of_command(line, 0).anywhere


_WORDS = st.sampled_from(
    """sort rm mv cp touch tee sed find git awk curl pytest npm make python -m -o -i -e --output
    -exec {} ; | && > >> a.txt dir/ *.py $X . run test xargs sudo env bash -c cd""".split()
)


@given(st.lists(_WORDS, max_size=8).map(" ".join))
def test_no_command_breaks_the_reader_of_effects(line: str) -> None:
    """Programs without their words, options without their values."""
    effects_of_command(line, 0)
    checks_in(line, 0)


@given(st.text(alphabet="ab '\"\\|&;<>()$`#\n=-/", max_size=60))
def test_no_line_breaks_the_reader(line: str) -> None:
    effects_of_command(line, 0)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("echo x > out.txt", [("out.txt", "write")]),
        ("echo x >> out.txt", [("out.txt", "edit")]),
        ("make &> log.txt", [("log.txt", "write")]),
        ("ls 2>/dev/null >&2", []),
        ("cd sub && touch a b", [("sub/a", "edit"), ("sub/b", "edit")]),
        ("rm -f a.txt b.txt", [("a.txt", "delete"), ("b.txt", "delete")]),
        ("git rm a.txt", [("a.txt", "delete")]),
        ("mv a.txt b.txt", [("a.txt", "delete"), ("b.txt", "write")]),
        ("cp a.txt dir/", [("dir/a.txt", "write")]),
        ("sed -i 's/a/b/' x.py y.py", [("x.py", "edit"), ("y.py", "edit")]),
        ("sed 's/a/b/' x.py", []),
        ("ls | tee out.txt", [("out.txt", "edit")]),
    ],
)
def test_plain_commands_name_their_files(line: str, expected: list[tuple[str, str]]) -> None:
    effects = effects_of_command(line, 0)
    assert files(effects) == expected
    assert all(file.sure for file in effects.files)
    assert not effects.anywhere


@pytest.mark.parametrize("line", ["rm a.txt", "false && rm a.txt", "rm a.txt || true"])
def test_what_a_command_that_may_have_failed_did_is_not_sure(line: str) -> None:
    exit_code = 0 if "||" in line else 1
    assert [file.sure for file in effects_of_command(line, exit_code).files] == [False]


@pytest.mark.parametrize(
    "line",
    [
        "black .",
        "git checkout x",
        "rm *.py",
        "find . -delete",
        "find . -name '*.py' -exec rm {} +",
        "xargs rm",
        "ruff check --fix .",
        "cd $HOME && touch x",
    ],
)
def test_broad_writers_may_have_written_any_file(line: str) -> None:
    assert effects_of_command(line, 0).anywhere


@pytest.mark.parametrize("line", ["ls -la", "git log", "cat a | grep b", "mypy src", "sort a"])
def test_readers_write_nothing(line: str) -> None:
    """Nothing was written only where every command is known to write nothing."""
    assert effects_of_command(line, 0) == Effects()


@pytest.mark.parametrize("line", ["pytest -q", "cargo test", "npm test", "make check"])
def test_tests_run_the_projects_own_code(line: str) -> None:
    """They are not known to write, and not known to write nothing."""
    assert effects_of_command(line, 0) == Effects(ran_project=True)


@pytest.mark.parametrize(
    "line",
    [
        "cargo build",
        "make",
        "make all",
        "npm install",
        "npm run build",
        "go generate ./...",
        "uniq a b",
        "xxd -r a b",
        "python gen.py",
        "docker run x",
        "docker exec web touch a",
        "ssh host rm a",
        "bash ci.sh",
        "curl x | sh",
        "$TOOL x",
    ],
)
def test_a_program_not_known_to_only_read_may_have_written(line: str) -> None:
    effects = effects_of_command(line, 0)
    assert effects.unknown or effects.anywhere


def test_the_output_option_of_a_reader_names_a_file() -> None:
    for line in ("sort -o b a", "sort -ob a", "sort --output=b a", "sort a --output b"):
        assert files(effects_of_command(line, 0)) == [("b", "write")]
    assert files(effects_of_command("cat a | sort -o b", 0)) == [("b", "write")]


def test_what_a_here_document_writes_is_known_unless_the_shell_changes_it() -> None:
    plain = effects_of_command("cat > a.txt <<'EOF'\none\ntwo\nEOF", 0)
    assert plain.files[0].content == "one\ntwo\n"
    assert effects_of_command("cat > a.txt <<EOF\n$HOME\nEOF", 0).files[0].content is None


def test_commands_that_only_look_are_told_apart() -> None:
    assert only_reads("ls && cat a | head")
    assert not only_reads("git commit -m x")
    assert not only_reads("echo x > a")


def event(tool: str, **arguments: Any) -> TraceEvent:
    return TraceEvent(tool=tool, arguments=arguments)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (event("Write", file_path="a", content="x"), [("a", "write")]),
        (event("mcp__files__write_file", path="a", content="x"), [("a", "write")]),
        (event("create_file", filename="a", content="x"), [("a", "write")]),
        (event("str_replace_editor", command="create", path="a", file_text="x"), [("a", "write")]),
        (event("str_replace_editor", command="view", path="a"), []),
        (
            event("str_replace_editor", command="str_replace", path="a", old_str="x", new_str="y"),
            [("a", "edit")],
        ),
        (event("edit_file", path="a", edits=[{"oldText": "x", "newText": "y"}]), [("a", "edit")]),
        (event("edit_file", path="a", edits=[], dryRun=True), []),
        (event("delete_file", target_file="a"), [("a", "delete")]),
        (event("move_file", source="a", destination="b"), [("a", "delete"), ("b", "write")]),
        (event("Read", file_path="a"), []),
        (event("shell", command=["bash", "-lc", "rm a"]), [("a", "delete")]),
    ],
)
def test_the_usual_tools_are_known(made: TraceEvent, expected: list[tuple[str, str]]) -> None:
    effects = effects_of(made)
    assert files(effects) == expected
    assert not effects.unknown


def test_a_tool_nobody_knows_may_have_done_anything() -> None:
    assert effects_of(event("deploy", target="x")).unknown


ENVELOPE = """*** Begin Patch
*** Add File: new.txt
+one
+two
*** Update File: old.py
@@ def f():
 def f():
-    return 1
+    return 2
*** Delete File: gone.py
*** End Patch
"""
DIFF = """diff --git a/old.py b/old.py
--- a/old.py
+++ b/old.py
@@ -1,2 +1,2 @@
 def f():
-    return 1
+    return 2
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+one
+two
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
"""


@pytest.mark.parametrize("patch", [ENVELOPE, DIFF])
def test_patches_are_read_file_by_file(patch: str) -> None:
    effects = effects_of(event("apply_patch", input=patch))
    by_path = {file.path: file for file in effects.files}
    assert sorted(files(effects)) == [
        ("gone.py", "delete"),
        ("new.txt", "write"),
        ("old.py", "edit"),
    ]
    assert by_path["new.txt"].content == "one\ntwo\n"
    [hunk] = by_path["old.py"].replacements
    assert (hunk.old, hunk.new) == ("def f():\n    return 1\n", "def f():\n    return 2\n")


def test_a_patch_in_a_command_line_is_read() -> None:
    """Some agents send their patches through the shell."""
    line = f"cd sub && apply_patch <<'EOF'\n{ENVELOPE}EOF\n"
    done = TraceEvent(tool="shell", arguments={"command": line}, exit_code=0)
    effects = effects_of(done)
    assert sorted(files(effects)) == [
        ("sub/gone.py", "delete"),
        ("sub/new.txt", "write"),
        ("sub/old.py", "edit"),
    ]
    assert all(file.sure for file in effects.files)
    assert not effects.unknown
    failed = effects_of(done.model_copy(update={"exit_code": 1}))
    assert not any(file.sure for file in failed.files)
    assert effects_of(event("shell", command="apply_patch < x.patch")).unknown


def test_a_patch_without_files_may_have_done_anything() -> None:
    assert effects_of(event("apply_patch", input="garbage")).unknown


@given(st.text(alphabet="*+-@ \n/abBegin PatchUpdFile:", max_size=120))
def test_no_text_breaks_the_patch_reader(text: str) -> None:
    for patch in (text, f"*** Begin Patch\n{text}", f"--- a\n+++ b\n{text}"):
        effects_of(event("apply_patch", input=patch))
