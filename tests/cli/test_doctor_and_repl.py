import json

from tests.cli.conftest import Run


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
