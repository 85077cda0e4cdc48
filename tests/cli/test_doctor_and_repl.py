import json
import os
from pathlib import Path

import pytest

from groundwire.graph import save_graph
from tests.cli.conftest import Run
from tests.diagnose.make import GRAPH, HOT, UNSEEN


def test_a_healthy_installation_is_told_apart_from_what_is_merely_absent(gw_here: Run) -> None:
    done = gw_here("doctor", "--json")
    shown = json.loads(done.stdout)
    states = {one["part"]: one["state"] for one in shown["findings"]}
    assert (done.returncode, shown["healthy"]) == (0, True)
    assert (states["embedded judge"], states["home"]) == ("ok", "ok")
    assert (states["language model"], states["index"]) == ("absent", "absent")


def test_what_is_configured_and_fails_is_broken(gw_here: Run) -> None:
    done = gw_here(
        "--set",
        "llm.model=some-model",
        "--set",
        "llm.base_url=http://127.0.0.1:9/v1",
        "--set",
        "verification.max_retries=0",
        "doctor",
    )
    assert done.returncode == 1
    assert "✗ language model" in done.stdout


def test_a_gate_that_never_ran_is_named_and_one_that_did_is_counted(
    gw_here: Run, tmp_path: Path
) -> None:
    """Health is summed over commands; what is enabled and has never run is seen."""
    save_graph(GRAPH, tmp_path / "graph.json")
    for number, text in enumerate((HOT, UNSEEN)):
        report = tmp_path / f"{number}.txt"
        report.write_text(text)
        gw_here("diagnose", str(report), "--graph", str(tmp_path / "graph.json"))
    shown = json.loads(gw_here("doctor", "--json").stdout)
    gates = {one["gate"]: one for one in shown["gates"]}
    coverage = gates["coverage"]
    assert (coverage["runs"], coverage["passed"], coverage["abstained"]) == (2, 1, 1)
    assert (coverage["never_ran"], coverage["error_share"]) == (False, 0.0)
    assert gates["low_coverage_verifier"]["skip_share"] == 1.0
    assert gates["low_coverage_verifier"]["never_ran"]
    assert gates["confidence"]["never_ran"]
    findings = {one["part"]: (one["state"], one["detail"]) for one in shown["findings"]}
    assert findings["gate coverage"] == (
        "ok",
        "on failure: abstain; runs: 2 (1 passed, 1 abstained); errors 0.0%, skips 0.0%",
    )
    assert findings["gate confidence"] == ("idle", "enabled and never ran; skips: 0")
    assert "! gate confidence" in gw_here("doctor").stdout
    counted = gw_here("metrics").stdout
    assert 'gate_decisions_total{effect="abstain",gate="coverage"} 1.0' in counted
    assert 'gate_enabled{gate="confidence"} 1.0' in counted


def test_a_gate_that_is_off_is_said_to_be_off(gw_here: Run) -> None:
    """What is switched off is not called idle."""
    done = gw_here("--set", "diagnosis.enable_abstain_gate=false", "doctor", "--json")
    findings = {one["part"]: one for one in json.loads(done.stdout)["findings"]}
    assert findings["gate coverage"]["state"] == "absent"
    assert findings["gate coverage"]["detail"] == (
        "switched off; on failure: abstain; runs: 0, skips: 0"
    )


def test_spec_08_31_the_shell_has_the_functions_loaded(gw: Run) -> None:
    """[SPEC-08.31] Both functions answer at the prompt, and an error does not end it."""
    lines = [
        "r = verify_claim('The mast is 40 m high.', 'The mast is 40 m high.', 0.9)",
        "print(r.status, r.p0 < r.p1, r.required_bits > 0, r.observed_bits > 0, r.budget_gap < 9)",
        "print(verify_claims('The mast is 40 m high.', 'The mast is 40 m high.').message)",
        "1 / 0",
        "print('still here')",
    ]
    done = gw("repl", stdin="\n".join(lines) + "\n")
    assert done.stdout.splitlines() == [
        "grounded True True True True",
        "1 of 1 claim grounded.",
        "still here",
    ]
    assert "ZeroDivisionError" in done.stderr


def test_a_vocabulary_that_was_added_is_not_called_absent(gw_here: Run, tmp_path: Path) -> None:
    """Files in the home directory count as much as those the settings name."""
    words = tmp_path / "words.ttl"
    words.write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        '<urn:mast> a skos:Concept ; skos:prefLabel "mast"@en ; skos:definition "A pole."@en .\n'
    )
    assert _findings(gw_here)["vocabulary"]["state"] == "absent"
    assert gw_here("vocabulary", "add", str(words)).returncode == 0
    found = _findings(gw_here)["vocabulary"]
    assert (found["state"], found["detail"]) == ("ok", "SKOS files: 1, concepts: 1")
    next(Path(os.environ["GROUNDWIRE_HOME"]).rglob("words.ttl")).write_text("@prefix ???")
    assert _findings(gw_here)["vocabulary file"]["state"] == "broken"


def test_an_extra_is_there_when_all_of_it_is(gw_here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what the installed package says it needs, versions included."""
    needed = [
        "rich>=14",
        "pytest>=1; extra == 'a'",
        "nowhere; extra == 'b'",
        "pytest; extra == 'b'",
    ]
    needed.append("pytest>=900; extra == 'c'")
    monkeypatch.setattr("importlib.metadata.requires", lambda _: needed)
    found = _findings(gw_here)
    assert found["core packages"]["state"] == "ok"
    assert (found["extra a"]["state"], found["extra a"]["detail"]) == ("ok", "installed")
    assert found["extra b"]["detail"] == 'without nowhere; pip install "groundwire[b]" adds it'
    assert found["extra c"]["state"] == "absent"
    needed.append("nothing-such>=2")
    assert _findings(gw_here)["core packages"]["state"] == "broken"


def _findings(gw_here: Run) -> dict[str, dict[str, str]]:
    return {one["part"]: one for one in json.loads(gw_here("doctor", "--json").stdout)["findings"]}
