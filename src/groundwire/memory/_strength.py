"""How facts move between tiers: one number that recalls raise and time halves.

A fact begins with a strength of 1. Each recall adds 1 to what time has left of it. A verified fact
of a session that reaches `memory.promote_at` is long-term; what falls below `memory.archive_below`
is archived; an archived fact that is recalled goes back to where it was.
"""

import math
from sqlite3 import Row
from typing import Any, NamedTuple

from groundwire.config import MemorySection


class Strength(NamedTuple):
    value: float
    at: float

    def after(self, now: float, settings: MemorySection) -> float:
        age_s = max(0.0, now - self.at)
        return float(self.value * 2.0 ** (-age_s / settings.half_life.total_seconds()))


def fades_at(strength: Strength, settings: MemorySection) -> float:
    """When it will have fallen below the bound of the archive, if nobody recalls it."""
    halvings = math.log2(strength.value / settings.archive_below)
    return strength.at + halvings * settings.half_life.total_seconds()


def touched(row: Row, now: float, settings: MemorySection) -> dict[str, Any]:
    strength = Strength(
        Strength(row["strength"], row["touched_at"]).after(now, settings) + 1.0, now
    )
    tier = row["tier"]
    if tier == "archive":
        tier = row["wanted_tier"] if row["status"] == "verified" else "task"
    elif (
        tier == "session"
        and row["status"] == "verified"
        and (strength.value >= settings.promote_at)
    ):
        tier = "longterm"
    return {
        "key": row["key"],
        "strength": strength.value,
        "touched_at": now,
        "fades_at": fades_at(strength, settings),
        "tier": tier,
    }
