"""What a text defines, by the shape of its lines: where it begins and ends, and its name."""

import pytest

from groundwire.actions._definitions import definitions_in, loose_lines, names_in, part_of

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


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("async def load(p):\n    x = 1\n", {"load", "x"}),
        ("export const low = (h) => h < 1;\n", {"low"}),
        ("class Queue2\n  def pop\n    @a.pop\n  end\nend\n", {"Queue2", "pop"}),
        ("func (q *Queue) Pop() int {\n\treturn 1\n}\n", {"Pop"}),
        ("int twice(int x) { return 2 * x; }\n", {"twice"}),
        ("static int add(int a,\n               int b)\n{\n    return a;\n}\n", {"add"}),
        ("class AddTest {\n    @Test void adds() { f(); }\n}\n", {"AddTest", "adds"}),
        ("class A {\n  async push(x) {\n    if (x) {\n    }\n  }\n}\n", {"A", "push"}),
        ("public function cents(float $x): int\n{\n    return 1;\n}\n", {"cents"}),
        ("test('knows high', () => {\n});\nit('low', f);\n", {"knows high", "low"}),
        ('@test "default" {\n  run x\n}\n', {"default"}),
        ("add_test(NAME twice COMMAND t)\n", {"twice"}),
        ("#define MAX 3\nprivate static final int SIZE = 4;\n", {"MAX", "SIZE"}),
        ('{\n  "port": 80,\n  "hosts": {\n    "a": 1\n  }\n}\n', {"port", "hosts", "a"}),
        ("all: app\n\nclean:\n\trm app\n", {"all", "clean"}),
        ("mod tests {\n    #[test]\n    fn t() {}\n}\n", {"tests", "t"}),
        ("return add(x) {\nif (x) {\nelse:\nx == 1\nfoo(bar)\n", set()),
    ],
)
def test_definitions_are_known_by_their_shape(text: str, names: set[str]) -> None:
    """In many languages, none of which is parsed; calls and conditions define nothing."""
    assert names_in(text) == names


def test_what_stands_right_above_belongs_to_a_definition() -> None:
    """Who takes a mark off a test has changed the test."""
    text = "import pytest\n\n\n@pytest.mark.slow\n# why\ndef test_a():\n    ...\n"
    assert part_of(text, "test_a") == "@pytest.mark.slow\n# why\ndef test_a():\n    ..."


def test_a_class_has_its_own_lines_apart_from_its_methods() -> None:
    """A change of one method is none of the other, nor of what the class itself says."""
    text = "class A:\n    size = 1\n\n    def f(self):\n        ...\n"
    (found,) = (one for one in definitions_in(text) if one.name == "A")
    assert (found.own.split(), "def f" in found.text) == (["class", "A:", "size", "=", "1"], True)
    assert not loose_lines(text)


def test_lines_outside_of_everything_are_loose() -> None:
    """Imports and calls are no definition."""
    assert set(loose_lines("import os\n\ndef f():\n    ...\n\nf()\n")) == {"import os", "f()"}
