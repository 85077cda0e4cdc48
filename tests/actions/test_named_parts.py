"""Named parts of files: where they begin and end; what is not defined once is none."""

import pytest

from groundwire.actions._named_parts import part_of

PYTHON = "def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n"
RUST = "pub fn area(w: u32) -> u32 {\n    w * w\n}\n\npub fn side() -> u32 {\n    1\n}\n"


@pytest.mark.parametrize(
    ("text", "name", "part"),
    [
        (PYTHON, "add", "def add(a, b):\n    return a + b"),
        (PYTHON, "mul()", "def mul(a, b):\n    return a * b"),
        (RUST, "area", "pub fn area(w: u32) -> u32 {\n    w * w\n}"),
        ("DEBUG = True\nNAME = 1\n", "DEBUG", "DEBUG = True"),
        ("port: 80\nhost: a\n", "port", "port: 80"),
        ("greet() {\n  echo hi\n}\nbye\n", "greet", "greet() {\n  echo hi\n}"),
    ],
)
def test_a_part_is_what_its_name_defines(text: str, name: str, part: str) -> None:
    assert part_of(text, name) == part


@pytest.mark.parametrize(
    ("text", "name"), [(PYTHON, "div"), (PYTHON + PYTHON, "add"), ("", "add"), ("x == 1", "x")]
)
def test_what_is_not_defined_once_is_no_part(text: str, name: str) -> None:
    assert part_of(text, name) is None
