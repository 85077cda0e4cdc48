"""The wheel, installed outside the checkout, judges by itself."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_an_installed_wheel_carries_its_weights_and_checks_a_claim(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
        names = archive.namelist()
    assert "groundwire/encoder/weights/judge.onnx" in names
    assert not [name for name in names if name.startswith(("tests/", "training/", "lab/"))]
    program = (
        "import groundwire\n"
        "r = groundwire.verify_claim('The mast is 40 m high.', 'The mast is 40 m high.')\n"
        "print(groundwire.__file__, r.status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.split() == [str(site / "groundwire" / "__init__.py"), "grounded"]
