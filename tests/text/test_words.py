"""Words, read by several threads at once."""

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from groundwire.text import stem

ENDINGS = ("", "ed", "ing", "ion", "ions", "ation", "ness", "ity", "ally", "edly")


def test_threads_do_not_mix_their_words() -> None:
    """A stemmer works on a word in place; each thread has its own."""
    uncached: Any = stem.__wrapped__  # type: ignore[attr-defined]
    words = [f"{start}{end}" for start in ("exhaust", "calculat", "generous") for end in ENDINGS]
    alone = [uncached(word) for word in words]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: [uncached(word) for word in words], range(40)))
    finally:
        sys.setswitchinterval(before)
    assert all(one == alone for one in found)
