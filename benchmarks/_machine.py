import os
import platform
from collections.abc import Sequence
from pathlib import Path


def describe_machine() -> dict[str, str | int | float]:
    """What figures were measured on; the load tells how quiet it was."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = names[0].partition(":")[2].strip() if names else cpu
    return {
        "cpu": cpu,
        "cores": os.cpu_count() or 0,
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_1m": round(os.getloadavg()[0], 2),
    }


def quantiles(values: Sequence[float]) -> dict[str, float]:
    """The middle one of some times, one of the slow, and the slowest."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        name: round(ordered[min(last, int(part * len(ordered)))], 2)
        for name, part in (("p50", 0.5), ("p95", 0.95), ("max", 1.0))
    }
