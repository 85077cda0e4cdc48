"""What every step of a session needs: a clock, the device, and files that other steps make."""

import time
from pathlib import Path

import numpy as np
import torch

from training.groups import Example
from training.measure import by_set

STARTED = time.monotonic()


def report(line: str) -> None:
    print(f"[{time.monotonic() - STARTED:6.1f}s] {line}", flush=True)


def device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def wait_for(path: Path) -> Path:
    while not path.exists():
        time.sleep(0.2)
    return path


def show(title: str, held: list[Example], scores: np.ndarray) -> None:
    labels = np.array([1 if example.hard == 0 else 0 for example in held])
    table = by_set([example.source for example in held], scores, labels, 0.5)
    for name, (area, accuracy, count) in table.items():
        report(f"{title} {name:42s} {area:.3f} {accuracy:.3f} {count}")
