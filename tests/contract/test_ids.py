"""Every id of the five documents, whether it is built, and a test that stands for it.

A test names an id as the document writes it, in brackets in its docstring (`[SPEC-08.05]`), or as
the id of a parameter set (`pytest.param(..., id="INTENT-01")`). Documents without ids of their own
are named by their headings: `[S0 2]`, `[S1 step 3]`, `[S2 level 1]`, `[S3 Gap D]`. A rule of the
rulings is `[RULINGS S2]`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
BUILT = "built"

_SPEC_08 = {f"SPEC-08.{n:02}": BUILT for n in range(1, 44)}

IDS: dict[str, str] = {
    # S0, a diagnosis that may abstain
    "S0 1": BUILT,
    "S0 2": BUILT,
    "S0 3": BUILT,
    # S1, the grounding loop for causal edges
    **{f"S1 step {n}": BUILT for n in range(1, 8)},
    # S2, what an agent says it did
    "S2 level 1": BUILT,
    "S2 level 2": BUILT,
    "S2 level 3": BUILT,
    "S2 metrics": BUILT,
    # S3, questions over documents and a vocabulary
    "S3 Gap A": BUILT,
    "S3 Gap B": BUILT,
    "S3 Gap C": BUILT,
    "S3 Gap D": BUILT,
    "S3 Gap E": BUILT,
    "S3 Gap F": BUILT,
    **{f"INTENT-{n:02}": BUILT for n in range(1, 8)},
    **{f"SKOS-CLIENT-{n:02}": BUILT for n in range(1, 7)},
    **{f"SKOS-{n:02}": BUILT for n in range(1, 6)},
    **{f"OBS-{n:02}": BUILT for n in range(1, 7)},
    **{f"THRESH-{n:02}": BUILT for n in range(1, 4)},
    **{f"CONF-{n:02}": BUILT for n in range(1, 6)},
    "S3 test_deterministic_lists": BUILT,
    "S3 test_list_routing": BUILT,
    "S3 verify_doc_identity": BUILT,
    # S4, hallucination detection
    **_SPEC_08,
}

# "[OBS-02, OBS-03]", "[S1 step 7]", "[RULINGS S4]"; not "[SEP]" and other text in brackets
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")
_LOOKS_LIKE_AN_ID = re.compile(r"(?:INTENT|SKOS|CONF|OBS|THRESH|SPEC|S[0-4])\b")
# "test_obs_03_obs_05_while_the_circuit_is_open"
_ID_IN_A_NAME = re.compile(r"(spec_08|intent|skos_client|conf|obs|thresh)_(\d\d)(?=_|$)")
_A_WHOLE_DOCUMENT = re.compile(r"S[0-4]")


def _names_of(docstring: str) -> Iterator[str]:
    for inside in _BRACKETS.findall(docstring):
        for part in inside.split(","):
            name = " ".join(part.split())
            if _LOOKS_LIKE_AN_ID.match(name) and not _A_WHOLE_DOCUMENT.fullmatch(name):
                yield name


def _ids_of_parameters(test: ast.AST) -> Iterator[str]:
    for node in ast.walk(test):
        if (
            isinstance(node, ast.keyword)
            and node.arg == "id"
            and isinstance(node.value, ast.Constant)
        ):
            name = str(node.value.value)
            if _LOOKS_LIKE_AN_ID.match(name):
                yield name


def _tests() -> Iterator[tuple[str, set[str]]]:
    """Every test and the ids it names."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if not node.name.startswith("test_"):
                continue
            names = set(_names_of(ast.get_docstring(node) or ""))
            names |= {name for one in node.decorator_list for name in _ids_of_parameters(one)}
            yield f"{path.relative_to(TESTS)}::{node.name}", names


def test_every_id_that_is_built_has_its_test() -> None:
    """Where this fails: write the test, or say in the table which issue brings it."""
    named = {name for _, names in _tests() for name in names}
    assert [name for name, state in IDS.items() if state == BUILT and name not in named] == []


def test_no_test_names_an_id_that_nobody_knows() -> None:
    """Where this fails: a slip of the pen, or a document that is not in the table."""
    unknown = {test: names - IDS.keys() for test, names in _tests()}
    assert {test: names for test, names in unknown.items() if names} == {}


def test_an_id_in_the_name_of_a_test_stands_in_its_docstring_too() -> None:
    """One place to look: where this fails, name the id in brackets as the others do."""
    left_out = [
        test
        for test, names in _tests()
        for kind, number in _ID_IN_A_NAME.findall(test.partition("::")[2])
        if f"{kind.upper().replace('_', '-')}{'.' if kind == 'spec_08' else '-'}{number}"
        not in names
    ]
    assert left_out == []
