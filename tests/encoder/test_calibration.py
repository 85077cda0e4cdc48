import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest

from groundwire.encoder import (
    _calibration as calibration,
    adapter_calibration,
    judge_calibration,
    memory_calibration,
    reader_calibration,
)
from groundwire.encoder._tuned import AdapterCalibration
from groundwire.encoder._weights import FOLDER
from groundwire.errors import StoreCorrupt
from tests.sources import modules

CHECKOUT = Path(__file__).parents[2]
FILES = sorted(FOLDER.glob("*.calibration.json"))
SHIPPED = (judge_calibration, memory_calibration, reader_calibration, adapter_calibration)

DURATION = re.compile(r"_m?s$", re.IGNORECASE)
"""A name that ends in its unit of time: `TIMEOUT_S`, `delay_ms`."""

NOT_TUNED: dict[str, dict[float, str]] = {
    "evidence/_cell_formats.py": {1e15: "larger numbers are not written digit by digit"},
    "agents/_retry.py": {2.0: "each wait twice the last", 0.1: "so that callers spread out"},
    "answer/_documents.py": {0.999: "the whole, but for rounding"},
    "answer/_kinds.py": {0.5: "half of a question's words: more would be nearly all of it"},
    "answer/_lists.py": {
        0.999: "the whole, but for rounding",
        0.5: "a list whose condition was not understood may be right or not",
    },
    "answer/_semantic.py": {
        0.999: "the whole, but for rounding",
        0.5: "half of a question's words: more would be nearly all of it",
    },
    "claims/_extract.py": dict.fromkeys(
        (0.95, 0.99, 0.9, 0.2, 0.75), "what a wording says of its own confidence: a definition"
    ),
    "cli/_graph.py": {0.5: "how like a name must be to be offered for a typing error"},
    "config/_documents.py": dict.fromkeys(
        (0.5, 0.2, 0.45, 0.35, 0.3, 0.15), "the specification's thresholds [S3 Gap B]"
    )
    | {0.6: "abstain_below [RULINGS, S3]"},
    "config/_llm.py": {0.5: "even odds: nothing is known of an external judge"},
    "config/_load.py": dict.fromkeys(
        (0.4, 0.5), "how like a name must be to be offered for a typing error"
    ),
    "config/_section.py": dict.fromkeys((0.001, 60.0, 3600.0, 86400.0), "units of time")
    | {0.4: "how like a name must be to be offered for a typing error"},
    "config/_tree.py": {
        0.5: "memory_gate.min_confidence [RULINGS, S4]",
        2.0: "memory_gate.max_budget_gap_bits [SPEC-08.16]",
        0.75: "target_confidence [RULINGS, S4]",
        3.0: "memory.promote_at: two recalls in one half-life",
        0.05: "memory.archive_below: four half-lives without a recall",
    },
    "config/_verification.py": {
        0.6: "grounding_confidence_threshold [S1 step 7]",
        0.03: "max_canary_acceptance [RULINGS, S1]",
        0.9: "acceptance_warning [RULINGS, S1]",
        0.5: "abstain_min_input_coverage [RULINGS, S0]",
    },
    "encoder/_weights.py": {7.5: "the middle of sixteen levels"},
    "cli/_eval.py": {0.05: "how far a figure may fall [S3 Gap B]"},
    "evaluate/_calibrate.py": dict.fromkeys((0.025, 0.975), "a 95 % interval")
    | {0.01: "the clamp [RULINGS, S4]", 1e-10: "when Newton's method has settled"},
    "evaluate/_compare.py": dict.fromkeys((0.025, 0.975), "a 95 % interval")
    | {0.05: "how far a figure may fall [S3 Gap B]", 1e-9: "rounding"},
    "evaluate/_measures.py": {1.959963984540054: "a 95 % interval"},
    "evaluate/_tune.py": dict.fromkeys(
        (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.1, 0.15, 0.2, 0.25),
        "the values that are tried: what is chosen goes into thresholds.yaml",
    ),
    "evaluate/_claims.py": {0.5: "chance", 0.75: "target_confidence [RULINGS, S4]"},
    "evaluate/_scores.py": dict.fromkeys((0.025, 0.975), "a 95 % interval"),
    "evaluate/_status.py": dict.fromkeys((0.025, 0.975), "a 95 % interval"),
    "evidence/_parsed.py": {1e6: "bytes in a megabyte"},
    "evidence/_candidates.py": {
        0.5: "of BM25's inverse document frequency, and where it turns zero"
    },
    "graph/_meaning.py": {1e-3: "keeps a logarithm finite"},
    "graph/_ckg.py": {0.5: "a belief that is not stated: even odds"},
    "graph/_picture.py": dict.fromkeys((40.0, 0.5), "pixels and rows of a drawing"),
    "evaluate/_answers.py": dict.fromkeys(
        (0.05, 0.1), "the shares of unanswerable questions that figures are given for"
    ),
    "ground/_decode.py": dict.fromkeys(
        (2.0, 3.0, 4.0, 6.0, 8.0), "steps of a search that ends at the first that finds both"
    ),
    "ground/_agent.py": {0.5: "nothing was found: even odds"},
    "ground/_judge.py": {0.5: "nothing was found: even odds"},
    "guard/_queue.py": {2.0: "each wait twice the last"},
    "memory/_exclusion.py": {1e-3: "keeps a logarithm finite"},
    "verify/_fault.py": {1e-3: "keeps a logarithm finite"},
    "memory/_recall.py": {0.5: "of the inverse document frequency"},
    "memory/_strength.py": {2.0: "what a half-life halves"},
    "judge/_prompt.py": {0.5: "unsure: even odds", 1.959963984540054: "a 95 % interval"},
    "judge/_bits.py": dict.fromkeys((0.01, 0.99), "the clamp [RULINGS, S4]"),
    "judge/_canaries.py": {0.5: "even odds"},
    "judge/_cascade.py": {1e-4: "keeps a logarithm finite"},
    "judge/_external.py": {0.5: "even odds: nothing is known of an external judge"},
    "judge/_llm_backend.py": {0.5: "even odds: nothing is known of an uncalibrated judge"},
    "judge/_llm_calls.py": {0.1: "a limit: with more mass elsewhere the answer is asked for again"},
    "judge/_narrow.py": {0.5: "of BM25's inverse document frequency"},
    "llm/_caller.py": {2.0: "each wait twice the last [S1 step 7]"},
    "llm/_spending.py": {1e6: "prices are per million tokens"},
    "model/_answer.py": {
        0.8: "the penalty of a fallback [S3 Gap D]",
        0.85: "where confidence is called high [S3 Gap D]",
        0.6: "where confidence is called medium [S3 Gap D]",
    },
    "observe/_metrics.py": dict.fromkeys((0.1, 0.2, 0.5), "buckets of a histogram"),
    "terms/_index.py": {1e6: "bytes in a megabyte"},
    "terms/_skosmos.py": {0.1: "a limit: a miss is kept for a tenth of what a hit is kept"},
    "testing/_models.py": {0.001: "a scripted log probability"},
    "testing/_server.py": {0.02: "seconds between two looks"},
    "testing/_skosmos.py": dict.fromkeys((0.01, 0.02), "seconds between two looks"),
    "verify/_decide.py": {0.2: "where evidence opposes a claim [RULINGS, S4]"},
    "verify/_result.py": {0.75: "target_confidence [RULINGS, S4]"},
}
"""Numbers in code that nobody fitted, and why they stay there."""


def floats_in(node: ast.AST, owner: ast.AST | str = "") -> Iterator[tuple[float, int]]:
    """Float literals but 0 and 1 and those whose name says that they are a duration."""
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, float) and value not in {0.0, 1.0} and not is_duration(owner):
            yield value, node.lineno
        return
    if isinstance(node, ast.Assign):
        owner = node.targets[-1]
    elif isinstance(node, ast.AnnAssign):
        owner = node.target
    elif isinstance(node, ast.keyword):
        owner = node.arg or ""
    if isinstance(node, ast.arguments):
        named = [*node.posonlyargs, *node.args]
        pairs = [*zip(reversed(named), reversed(node.defaults), strict=False)]
        required_or_not = zip(node.kwonlyargs, node.kw_defaults, strict=True)
        pairs += [(one, default) for one, default in required_or_not if default is not None]
        for argument, default in pairs:
            yield from floats_in(default, argument.arg)
        return
    for child in ast.iter_child_nodes(node):
        yield from floats_in(child, owner)


def is_duration(owner: ast.AST | str) -> bool:
    """A name, or what is assigned to."""
    name = owner if isinstance(owner, str) else ast.unparse(owner).strip("()")
    return DURATION.search(name) is not None


def strays(module: ast.Module, not_tuned: Iterable[float]) -> list[tuple[float, int]]:
    return [found for found in floats_in(module) if found[0] not in not_tuned]


def users() -> dict[str, ast.Module]:
    """All source but what reads the files."""
    return {name: one for name, one in modules().items() if name != "encoder/_calibration.py"}


def test_no_tuned_number_stands_in_code() -> None:
    """Every float in code is listed above with its reason, or is 0, 1 or a duration."""
    found = {
        f"{name}:{line}: {value}"
        for name, module in users().items()
        for value, line in strays(module, NOT_TUNED.get(name, ()))
    }
    assert not found, f"tuned? to a calibration file; else list it with its reason: {found}"


def test_the_list_names_only_numbers_that_are_there() -> None:
    """A reason without its number would let the next one through."""
    for name, reasons in NOT_TUNED.items():
        there = {value for value, _ in floats_in(users()[name])}
        assert reasons.keys() <= there, name


@pytest.mark.parametrize(
    "source",
    [
        "FLOOR = 0.45",
        "def f(floor: float = 0.45): ...",
        "def f(*, floor: float = 0.45): ...",
        "class C:\n    floor: float = 0.45",
        "def f(p):\n    return 0.45 * p",
        "LIMITS = {'a': (1, 0.45)}",
    ],
)
def test_a_number_in_code_is_seen_wherever_it_stands(source: str) -> None:
    """Module, default, class, function body and table alike."""
    assert [value for value, _ in strays(ast.parse(source), ())] == [0.45]


@pytest.mark.parametrize("source", ["WAIT_S = 0.45", "def f(*, wait_ms: float = 0.45): ..."])
def test_a_duration_is_no_tuned_number(source: str) -> None:
    """Its name ends in its unit."""
    assert not strays(ast.parse(source), ())


def entries() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path in FILES:
        for section, numbers in json.loads(path.read_text(encoding="utf-8")).items():
            yield from ((section, name, entry) for name, entry in numbers.items())


def test_every_model_has_its_file() -> None:
    """One beside each of the weights, and one for what is fitted to the judge by memory alone."""
    names = [path.name.split(".")[0] for path in FILES]
    assert names == ["adapter", "judge", "memory", "reader"]


@pytest.mark.parametrize(
    ("section", "name", "entry"),
    list(entries()),
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_every_number_says_where_it_is_from_and_how_it_is_refitted(
    section: str, name: str, entry: dict[str, Any]
) -> None:
    """And what it names is there: decisions, pages and commands."""
    assert entry.keys() == calibration.ENTRY, (section, name)
    assert entry["origin"].strip()
    assert re.match(r"none: |python |gw ", entry["refit"])
    for number in re.findall(r"decision (\d{4})", entry["origin"]):
        assert list((CHECKOUT / "docs/decisions").glob(f"{number}-*.md"))
    for page in re.findall(r"docs/\S+\.md", entry["origin"]):
        assert (CHECKOUT / page).is_file()
    for module in re.findall(r"python -m (\S+)", entry["refit"]):
        assert (CHECKOUT / f"{module.replace('.', '/')}.py").is_file()
    for script in re.findall(r"python (\S+\.py)", entry["refit"]):
        assert (CHECKOUT / script).is_file()


class Reading(NamedTuple):
    """What a module takes in hand of calibrations, and all the attributes it reads."""

    sections: frozenset[str]
    attributes: frozenset[str]

    @classmethod
    def of(cls, module: ast.Module) -> Self:
        nodes = list(ast.walk(module))
        reads = [node for node in nodes if isinstance(node, ast.Attribute)]
        taken = {
            node.attr
            for node in reads
            if isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func).endswith("_calibration")
        }
        named = {
            node.id
            for node in nodes
            if isinstance(node, ast.Name) and node.id.endswith("Calibration")
        }
        return cls(frozenset(taken | named), frozenset(node.attr for node in reads))


def test_every_number_is_read_by_code() -> None:
    """A number nobody reads is a number somebody fits in vain."""
    readings = [Reading.of(module) for module in users().values()]
    for load in SHIPPED:
        for section, numbers in load()._asdict().items():
            having = {section, type(numbers).__name__}
            read = {name for one in readings if one.sections & having for name in one.attributes}
            assert set(numbers._fields) <= read, section


def test_reading_is_seen_only_where_the_section_is_in_hand() -> None:
    """An attribute of the same name elsewhere does not count."""
    read = Reading.of(ast.parse("judge_calibration().support.slope"))
    assert "support" in read.sections
    assert "slope" in read.attributes
    for other in ("views.support.slope", "support.slope"):
        assert "support" not in Reading.of(ast.parse(other)).sections


def test_a_calibration_cannot_be_changed() -> None:
    """What was read holds for the whole process."""
    with pytest.raises(AttributeError):
        judge_calibration().support.slope = 1.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file["deep"].pop("threshold"), "lacks threshold"),
        (lambda file: file["deep"].update(extra={}), "has extra, which nothing reads"),
        (lambda file: file.pop("deep"), "lacks deep"),
        (lambda file: file["deep"]["threshold"].pop("origin"), "threshold lacks origin"),
        (lambda file: file["deep"]["threshold"].update(value="0.5"), "no float"),
        (lambda file: file["deep"]["threshold"].update(value=True), "no float"),
        (lambda file: file["deep"]["threshold"].update(value=float("nan")), "no float"),
        (lambda file: file["deep"]["context_words"].update(value=1.5), "no int"),
        (lambda file: file.update(deep=[]), "no object"),
    ],
)
def test_a_file_that_does_not_fit_the_code_is_refused_by_name(
    spoil: Callable[[dict[str, Any]], object], said: str, tmp_path: Path
) -> None:
    """Never a default in the place of a number that is gone."""
    file = json.loads((FOLDER / "adapter.calibration.json").read_text(encoding="utf-8"))
    spoil(file)
    path = tmp_path / "adapter.calibration.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    with pytest.raises(StoreCorrupt, match=f"adapter.calibration.json: .*{said}"):
        calibration.read_calibration(AdapterCalibration, path)


def test_a_file_that_is_gone_or_broken_is_refused(tmp_path: Path) -> None:
    """With its path and what to do."""
    path = tmp_path / "adapter.calibration.json"
    for content in (None, "{"):
        if content is not None:
            path.write_text(content, encoding="utf-8")
        with pytest.raises(StoreCorrupt, match="cannot be read") as caught:
            calibration.read_calibration(AdapterCalibration, path)
        assert "Install" in (caught.value.hint or "")


def test_reading_the_numbers_loads_no_numpy() -> None:
    """What needs only thresholds must not wait for what computes."""
    code = (
        "import sys; from groundwire import encoder as e;"
        "e.judge_calibration(), e.reader_calibration(), e.adapter_calibration();"
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
