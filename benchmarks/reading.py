"""What never reaches a judge: English that is refused as another language, statements that yield
no claim.

    python benchmarks/reading.py DATA/claims/dev.jsonl.xz DATA/claims/open.jsonl.xz [--limit N]

A row is refused where its evidence is told as another language. A plain statement is a claim of one
sentence, of four words or more, that ends in a full stop and is no question.
"""

import argparse
import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from _claims import lines

from groundwire.claims import extract_claims
from groundwire.text import detect_language, sentence_ranges

SEED = 12
_SHORTEST_WORDS = 4


def main() -> None:
    arguments = _arguments()
    for path in arguments.data:
        rows = list(lines(path))
        if arguments.limit:
            rows = random.Random(SEED).sample(rows, min(arguments.limit, len(rows)))
        refused = [row for row in rows if detect_language(row["evidence"]) not in (None, "en")]
        plain = [row["claim"] for row in rows if _is_plain(row)]
        silent = [claim for claim in plain if not extract_claims(claim).claims]
        print(f"{path.name}: {len(refused)} of {len(rows)} rows told as another language")
        print(f"{path.name}: {len(silent)} of {len(plain)} plain statements without a claim")
        for text in silent[: arguments.show]:
            print(f"    {text}")


def _is_plain(row: dict[str, Any]) -> bool:
    claim = row["claim"].strip()
    is_long = len(claim.split()) >= _SHORTEST_WORDS
    return is_long and claim.endswith(".") and "?" not in claim and len(sentence_ranges(claim)) == 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", type=int, default=0, help="so many statements without a claim")
    return parser.parse_args()


if __name__ == "__main__":
    main()
