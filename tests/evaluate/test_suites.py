"""The suites run on cases of the repository and say when they cannot."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from groundwire.encoder import EmbeddedEmbedder
from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.evaluate import SUITES, judge_claims, read_claim_cases, run_evaluation
from groundwire.evaluate._suites import missing

ROOT = Path(__file__).parents[2]


def test_every_suite_finds_its_cases_in_a_checkout() -> None:
    """Outside of one it says what is missing."""
    for name, suite in SUITES.items():
        assert all((ROOT / one).exists() for one in suite.files), name
        assert missing(name, ROOT) is None
        assert missing(name, Path("elsewhere")) is not None


def test_a_suite_that_cannot_be_run_is_an_error_and_in_all_it_is_named(tmp_path: Path) -> None:
    """Nothing is left out in silence."""
    with Engine() as engine, pytest.raises(InputError, match="claims cannot be run"):
        run_evaluation(engine, None, suite="claims", root=tmp_path)
    with Engine() as engine, pytest.raises(InputError, match="nonsense cannot be run"):
        run_evaluation(engine, None, suite="nonsense", root=tmp_path)


def test_labelled_claims_are_measured(tmp_path: Path) -> None:
    """With labels 1 and 0 "grounded" is what is wanted; with words a verdict is."""
    evidence = "The mill has three floors. The mill was built in 1862."
    rows = [
        {"claim": "The mill was built in 1862.", "evidence": evidence, "label": 1},
        {"claim": "The mill was built in 1907.", "evidence": evidence, "label": 0},
        {"claim": "The mill was built in 1907.", "evidence": evidence, "label": "refuted"},
        {"claim": "The miller had a dog.", "evidence": evidence, "label": "neutral"},
    ]
    path = tmp_path / "claims.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    with Engine() as engine:
        found = judge_claims(engine, read_claim_cases(path), "claims")
        results = run_evaluation(engine, path)
    assert [one.passed for one in found] == [True] * 4
    assert [one.given for one in found] == [True, False, True, False]
    assert results.meta.golden_set_hash is None
    assert results.suites.keys() == {"claims"}


class EmbedsEachTextOnce(EmbeddedEmbedder):
    """The shipped one, for many questions about one graph."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, np.ndarray[Any, Any]] = {}

    def embed(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, super().embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def test_diagnosis_is_run_whole() -> None:
    """The quickest suite stands for the others: every case ends as something."""
    with Engine(embedder=EmbedsEachTextOnce()) as engine:
        results = run_evaluation(engine, None, suite="diagnosis", root=ROOT)
    assert results.metrics.overall.count == 61
    assert results.metrics.overall.precision == 1.0
    assert {one.ended for one in results.cases} == {"concluded", "abstained"}


@pytest.mark.parametrize("suite", ["memory", "audit"])
def test_memory_and_audit_are_measured_by_the_engines_calls(
    suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their cases are read, and what the calls return is compared with what each case expects."""
    fact = SimpleNamespace(stored=True, status="verified", reason="supported")
    audited = SimpleNamespace(status="VALID", steps=())
    calls: list[Any] = []

    def answer(result: Any) -> Any:
        def call(self: Engine, *given: Any, **named: Any) -> Any:
            calls.append((given, named))
            return result

        return call

    for name, result in {"remember": fact, "audit_trace": audited}.items():
        monkeypatch.setattr(Engine, name, answer(result), raising=False)
        monkeypatch.setattr(Engine, f"{name}_sync", answer(result), raising=False)
    with Engine() as engine:
        found = SUITES[suite].run(engine, ROOT, None)
    assert len(calls) == len(found) > 10
    assert {one.given for one in found} == {suite == "memory"}
    assert {one.passed for one in found} == {True, False}
