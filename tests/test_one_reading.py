"""Prose is read in `text/`, numbers in `values/`, and nowhere else."""

import ast
import re
from collections.abc import Iterator

import pytest

from groundwire.text import STOP_WORDS, word_set
from tests.sources import SOURCE, modules

Nodes = list[ast.AST]
Strings = list[tuple[str, int]]

READERS = {"nupunkt": "text", "py3langid": "text", "snowballstemmer": "text", "markdown_it": "text"}
"""Packages that read prose, and the one folder that may import each."""
TELLING: dict[str, tuple[frozenset[str], int]] = {
    "negations": (word_set("not never no without cannot nor neither none n't didn't"), 3),
    "hedges": (word_set("may might perhaps possibly maybe probably presumably seems"), 3),
    "endings": (word_set("ing ed ies ation ly es er s"), 3),
    "stop words": (STOP_WORDS, 15),
}
"""Words that tell a list of such words, and how many of them do."""
NUMBER = re.compile(r"\\d(?:[+*]|\{[\d,]+\})?\)?(?:\(\?:)?(?:\[[., ']*[.,][., ']*\]|\\\.)\??\\d")
"""Digits with their separators, as in `\\d+[.,]\\d+`."""

ALLOWED: dict[str, str] = {
    "config/_section.py": "durations of settings, which stand below `values` in the layers",
    "traces/_checks.py": "the version in the name of a program, as in python3.11",
    "actions/_action_words.py": "what a cell or an item says of its row: none, not done",
    "actions/_read_places.py": "what denies a whole list of tools, German too",
    "actions/_reservations.py": "what excepts a part from what is said of all: all but one, 92 %",
    "actions/_anchors.py": "the places of a report: code, paths, shares and versions as written",
    "ground/_decode.py": "words at the edge of a span that belong to neither side",
    "ground/_joints.py": "words that open a noun phrase",
    "answer/_query.py": "words that rule a status out, or say that a field is missing",
    "ground/_phrases.py": "words that end what stands before a causal construction",
}
"""Where words are listed for another reason than to read prose, each with it."""


def offences(name: str, tree: ast.Module) -> list[str]:
    folder = name.split("/", maxsplit=1)[0]
    nodes = list(ast.walk(tree))
    strings = list(_strings(nodes))
    found = [f"imports {one}" for one in _imports(nodes) if READERS.get(one, folder) != folder]
    if folder != "text":
        found += [*_reads_prose(nodes, strings), *_stems(tree)]
    if folder not in ("text", "values"):
        found += [f"{line} reads {text!r}" for text, line in strings if NUMBER.search(text)]
    return [f"{name}: {what}" for what in found]


def _stems(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.strip("_") == "stem":
            yield f"{node.lineno} stems"


def _imports(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def _strings(nodes: Nodes) -> Iterator[tuple[str, int]]:
    """What is written down in code, docstrings left out; f-strings count by their parts."""
    told = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value, node.lineno


def _patterns(strings: Strings) -> Iterator[tuple[set[str], int]]:
    """Words that are alternatives of a pattern: "a|b"."""
    for text, line in strings:
        if "|" in text:
            yield {item.strip("\\bs+*^$ ") for item in re.split(r"[|()?:]+", text.lower())}, line


def _lists(nodes: Nodes, strings: Strings) -> Iterator[tuple[set[str], int]]:
    """Words listed in one string ("a b c d") or in a collection."""
    for text, line in strings:
        words = text.split()
        if len(words) > 3 and all(re.fullmatch(r"[a-z']+", one) for one in words):
            yield set(words), line
    for node in nodes:
        if isinstance(node, ast.Set | ast.List | ast.Tuple):
            yield set(_words(node)), node.lineno


def _words(collection: ast.AST) -> Iterator[str]:
    for node in ast.walk(collection):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _reads_prose(nodes: Nodes, strings: Strings) -> Iterator[str]:
    patterns, lists = _patterns(strings), _lists(nodes, strings)
    for found, kinds in ((patterns, ("negations", "hedges")), (lists, TELLING)):
        for listed, line in found:
            for kind in kinds:
                words, many = TELLING[kind]
                if len(listed & words) >= many:
                    yield f"{line} lists {kind}: {sorted(listed & words)[:6]}"


def test_prose_and_numbers_are_read_in_one_place() -> None:
    """A rule that another folder needs is added to `text/` or `values/`, not written again."""
    found = [
        offence
        for name, tree in modules().items()
        if name not in ALLOWED
        for offence in offences(name, tree)
    ]
    assert found == []


def test_what_is_allowed_is_still_there() -> None:
    """An exception does not outlive its reason."""
    assert [name for name in ALLOWED if not offences(name, modules()[name])] == []


@pytest.mark.parametrize(
    "planted",
    [
        "from nupunkt import sent_spans",
        "import snowballstemmer",
        'NOT = re.compile(r"\\b(?:not|never|no)\\b")',
        'WORDS = {"may", "might", "perhaps"}',
        'LISTED = frozenset("not no never neither".split())',
        'ENDINGS = (("ing", ""), ("ed", ""), ("ies", "y"))\nALL = ("ing", "ed", "ies")',
        "def stem(word: str) -> str: ...",
        'NUMBER = re.compile(r"\\d+[.,]\\d+")',
    ],
)
def test_a_second_reader_is_found(planted: str) -> None:
    """Each kind of reading is seen where it is planted."""
    assert offences("answer/_planted.py", ast.parse(planted))


def test_every_pattern_has_an_example_beside_it() -> None:
    """A comment above it or in it, or a docstring under it, shows what it is for."""
    bare: list[str] = []
    for name, tree in modules().items():
        lines = (SOURCE / name).read_text(encoding="utf-8").splitlines()
        for node in tree.body:
            if isinstance(node, ast.Assign) and _compiles(node):
                own = lines[node.lineno - 1 : node.end_lineno]
                after = lines[node.end_lineno : (node.end_lineno or 0) + 1]
                explained = lines[node.lineno - 2].startswith("#") or any("#" in one for one in own)
                if not explained and not "".join(after).startswith('"""'):
                    bare.append(f"{name}:{node.lineno}")
    assert bare == []


def _compiles(node: ast.Assign) -> bool:
    calls = [one for one in ast.walk(node.value) if isinstance(one, ast.Call)]
    return any(ast.unparse(one.func).endswith(("compile", "pattern", "phrase")) for one in calls)
