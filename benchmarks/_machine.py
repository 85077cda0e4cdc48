import os
import platform
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
