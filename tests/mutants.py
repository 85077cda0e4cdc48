"""Do the tests bite? Each deciding module is changed in small ways, one at a time, and its tests
have to notice. `make mutants` runs all of it; `python tests/mutants.py verify/_decide` one module.

The changes are those of mutmut, applied to the whole file (its own driver leaves out constants and
decorated functions), and two more: a digit of a number that stands in a string or has a fraction,
and a flag taken out of a union. The tests are collected once; each mutant is a forked process that
runs them with the module changed.

What survives stands with its reason in `mutants.md` beside this file. The command ends with 1 when
fewer than 90 % of a module's mutants are killed, or when one survives that is not listed there.
"""

import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import NamedTuple

import libcst as cst
import pytest
from _pytest.main import pytest_runtestloop as run_collected
from mutmut.mutation.mutators import mutation_operators, operator_string

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
REASONS = ROOT / "tests" / "mutants.md"
REQUIRED_SHARE = 0.9

MODULES: dict[str, tuple[str, ...]] = {
    "verify/_decide": ("verify/test_decide.py",),
    "judge/_bits": ("judge/test_bits.py",),
    "judge/_scrub": ("judge/test_scrub.py",),
    "actions/_claim_matches_state": ("actions/test_claim_matches_state.py",),
    "actions/_safe_open": ("actions/test_safe_open.py",),
    "gate/_gate": ("gate/test_gate.py",),
    "gate/_coverage": ("gate/test_coverage.py",),
    "gate/_confidence": ("gate/test_confidence.py",),
    "graph/_ckg": ("graph/test_ckg.py", "graph/test_walk.py"),
    "values/_units": ("values/test_units.py",),
    "ground/_belief": ("ground/test_belief.py", "ground/test_acceptance.py"),
    "guard/_breaker": ("guard/test_breaker.py",),
}
"""Each deciding module beneath src/groundwire, and the tests that have to notice a change in it."""

_PYTEST = (
    "-x -q --no-header --tb=no -p no:cacheprovider -p no:faulthandler"
    " -p pytest_timeout -p anyio.pytest_plugin -p _hypothesis_pytestplugin"
    " -o addopts= -o tmp_path_retention_policy=none"
).split()
_ENVIRONMENT = {
    "HYPOTHESIS_PROFILE": "mutants",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    # a forked process must find no thread that stayed behind
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
_WALL_LIMIT_S = 60


class Mutant(NamedTuple):
    where: str
    before: str
    after: str
    source: str

    @property
    def name(self) -> str:
        """`decide`: `p1 < p0` → `p1 <= p0`: the same wherever the line moves."""
        return f"`{self.where}`: `{self.before}` → `{self.after}`"


def nudged(number: str) -> str:
    """The number with its last digit changed: 1609.344 → 1609.345, 1e6 → 1e7, 0.99 → 0.98."""
    last = number[-1]
    return number[:-1] + ("8" if last == "9" else str(int(last) + 1))


def nudged_string(node: cst.SimpleString) -> Iterator[cst.CSTNode]:
    # "1609.344", "1e-6"; not "."
    if re.fullmatch(r"\d[\d.]*(e-?\d+)?", node.raw_value):
        yield node.with_changes(value=f'"{nudged(node.raw_value)}"')


def nudged_float(node: cst.Float) -> Iterator[cst.CSTNode]:
    yield node.with_changes(value=nudged(node.value))


def without_one_side(node: cst.BinaryOperation) -> Iterator[cst.CSTNode]:
    if isinstance(node.operator, cst.BitOr):
        yield node.left
        yield node.right


def changes_of(node: cst.CSTNode) -> Iterable[cst.CSTNode]:
    """All that one node can be changed to. Of the three ways to spoil a string, one is enough."""
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            yield from islice(operator(node), 1 if operator is operator_string else None)
    if isinstance(node, cst.SimpleString):
        yield from nudged_string(node)
    if isinstance(node, cst.Float):
        yield from nudged_float(node)
    if isinstance(node, cst.BinaryOperation):
        yield from without_one_side(node)


def changes_within(
    node: cst.CSTNode, within: tuple[str, ...] = ()
) -> Iterator[tuple[str, cst.CSTNode, cst.CSTNode]]:
    """Every change to a node and what is in it, with the function around it."""
    if _only_types(node):
        return
    if isinstance(node, cst.FunctionDef | cst.ClassDef):
        within = (*within, node.name.value)
    for changed in changes_of(node):
        yield ".".join(within) or "module", node, changed
    for child in node.children:
        yield from changes_within(child, within)


def _only_types(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Annotation | cst.Import | cst.ImportFrom):
        return True
    if isinstance(node, cst.Subscript):
        return isinstance(node.value, cst.Name) and node.value.value == "Literal"
    # as mutmut has it: every change in these calls is a crash
    is_call = isinstance(node, cst.Call) and isinstance(node.func, cst.Name)
    return is_call and node.func.value in {"len", "isinstance", "getattr"}


def mutants_of(source: str) -> Iterator[Mutant]:
    tree = cst.parse_module(source)
    for where, node, changed in changes_within(tree):
        mutated = tree.deep_replace(node, changed)
        code = mutated.code if isinstance(mutated, cst.Module) else source
        if code != source and _compiles(code):
            yield Mutant(where, *_difference(source, code), code)


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _difference(before: str, after: str) -> tuple[str, str]:
    """The lines that differ, on one line each."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return " ".join(line.strip() for line in old), " ".join(line.strip() for line in new)


class Trials:
    """A plugin of pytest: in place of one run of the collected tests, one for each mutant.

    Each is a forked process, in which the changed source is run in the module's own namespace and
    whoever imported a name from it is given the new one. What others computed from it when they
    were loaded stays: such a mutant survives here, none is killed by that.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._path = SOURCE / "groundwire" / f"{module}.py"
        self._name = f"groundwire.{module.replace('/', '.')}"
        self.result: Result | None = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        source = self._path.read_text("utf-8")
        usual_s = self._run(session, source, 600)
        if usual_s is None:
            raise pytest.UsageError(f"{self._module}: its tests fail before any change.")
        killed, survivors = 0, []
        for mutant in mutants_of(source):
            if self._run(session, mutant.source, int(5 * usual_s) + 5) is None:
                killed += 1
            else:
                survivors.append(mutant.name)
        self.result = Result(killed, survivors)
        return True

    def _run(self, session: pytest.Session, source: str, cpu_limit_s: int) -> float | None:
        """The seconds of CPU that the tests took, or None where one of them failed."""
        child = os.fork()
        if child == 0:
            code = 1
            try:
                _limit(cpu_limit_s)
                self._swap(compile(source, str(self._path), "exec", dont_inherit=True))
                run_collected(session)
                code = int(session.testsfailed > 0)
            finally:
                os._exit(code)
        _, status, usage = os.wait4(child, 0)
        return usage.ru_utime + usage.ru_stime if status == 0 else None

    def _swap(self, code: CodeType) -> None:
        names = sys.modules[self._name].__dict__
        before = dict(names)
        exec(code, names)  # noqa: S102
        changed = {name: old for name, old in before.items() if names.get(name) is not old}
        for module in list(sys.modules.values()):
            if module.__name__.partition(".")[0] in {"groundwire", "tests"}:
                held = module.__dict__
                held.update(
                    {name: names[name] for name, old in changed.items() if held.get(name) is old}
                )


def _limit(cpu_s: int) -> None:
    """A change can make a loop endless or a lock wait for ever: that is noticed too."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_WALL_LIMIT_S)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Result(NamedTuple):
    killed: int
    survivors: list[str]

    @property
    def share(self) -> float:
        return self.killed / (self.killed + len(self.survivors))


def examined(module: str) -> Result:
    """In a process of its own, since the tests of one module load much that the next need not."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        trials = Trials(module)
        tests = [str(ROOT / "tests" / test) for test in MODULES[module]]
        pytest.main([*_PYTEST, *tests], plugins=[trials])
        with os.fdopen(writing, "w", encoding="utf-8") as answer:
            json.dump(trials.result, answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as answer:
        found = json.loads(answer.read() or "null")
    os.waitpid(child, 0)
    if found is None:
        raise SystemExit(f"{module} could not be examined: run its tests first.")
    return Result(*found)


def reasons() -> dict[str, dict[str, str]]:
    """What may survive: for each module its mutants by name, and why."""
    listed: dict[str, dict[str, str]] = {}
    module = name = ""
    for line in REASONS.read_text("utf-8").splitlines():
        if line.startswith("## "):
            module, name = line.removeprefix("## "), ""
            listed[module] = {}
        elif line.startswith("- "):
            name = line.removeprefix("- ")
            listed[module][name] = ""
        elif name:
            listed[module][name] += line.strip()
    return listed


def main(modules: Sequence[str]) -> int:
    os.environ.update(_ENVIRONMENT)
    sys.path[:0] = [str(SOURCE), str(ROOT)]
    listed = reasons()
    is_fine = True
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = scratch
        for module in modules or MODULES:
            began_s = time.monotonic()
            result = examined(module)
            known = listed.get(module, {})
            unexplained = [name for name in result.survivors if not known.get(name)]
            is_fine &= result.share >= REQUIRED_SHARE and not unexplained
            print(
                f"{module}: {result.killed} killed, {len(result.survivors)} survived"
                f" ({result.share:.1%}) in {time.monotonic() - began_s:.0f} s",
                flush=True,
            )
            for name in unexplained:
                print(f"- {name}", flush=True)
            for name in known.keys() - set(result.survivors):
                print(f"  listed and killed, take it out: {name}", flush=True)
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
