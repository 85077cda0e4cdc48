import json

from tests.cli.conftest import Run


def test_a_fresh_home_has_no_verdicts(gw: Run) -> None:
    assert json.loads(gw("audit-log", "--json").stdout) == []
    assert gw("audit-log").stdout == "No verdicts fit.\n"


def test_a_bad_age_is_exit_2(gw: Run) -> None:
    done = gw("audit-log", "--since", "yesterday")
    assert done.returncode == 2
    assert "number with its unit" in done.stderr
