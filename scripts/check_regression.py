"""Ends with 1 where results fell below a baseline: `gw eval compare` with the options of S3.

python scripts/check_regression.py --current results.json --baseline baseline.json
                                   [--precision-threshold 0.05] [--recall-threshold 0.05]
"""

import argparse
import sys

from groundwire.cli import main

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--current", required=True)
    parser.add_argument("--baseline", required=True)
    files, rest = parser.parse_known_args()
    sys.argv[1:] = ["eval", "compare", files.baseline, files.current, *rest]
    main()
