"""What the package says of its weights: the hashes it knows them by, and their calibration."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

LABELS_END = "labels_end"
"""There when the teacher has given all its opinions."""
RANKS = "ranks.npy"
"""How the ms-marco model ranks the pairs that its head is to rank the same way."""


def note(folder: Path, *names: str) -> None:
    """Write down in the card what these files are now."""
    path = folder / "card.json"
    card = json.loads(path.read_text(encoding="utf-8"))
    for name in names:
        card["files"][name] = sha256((folder / name).read_bytes()).hexdigest()
    path.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def calibrate(path: Path, section: str, values: Mapping[str, float]) -> None:
    """Write what was fitted into a calibration file; where it is from and how stays as it is."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    for name, value in values.items():
        stored[section][name]["value"] = value
    path.write_text(json.dumps(stored, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
