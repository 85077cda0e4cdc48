import json
from pathlib import Path

from tests.cli.conftest import Run


def test_config_show_names_the_source_of_each_value(gw: Run, tmp_path: Path) -> None:
    (tmp_path / "groundwire.yaml").write_text("judge: {threads: 3}\n")
    shown = json.loads(gw("--set", "log.level=error", "config", "show", "--json").stdout)
    assert shown["judge.threads"]["value"] == 3
    assert shown["judge.threads"]["source"].endswith("groundwire.yaml")
    assert shown["log.level"] == {"value": "error", "source": "command line"}
    assert shown["audit.retention"] == {"value": "90d", "source": "default"}


def test_a_bad_setting_is_exit_2_and_one_sentence(gw: Run) -> None:
    done = gw("--set", "judge.thread=3", "config", "show", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "config"
    assert "Did you mean 'judge.threads'?" in done.stderr
    assert "Traceback" not in done.stderr
