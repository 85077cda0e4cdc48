"""Asks the golden set and writes the results: `gw eval run` with the options of S3.

python scripts/eval_rag_quality.py --config config/thresholds.yaml --output results.json
                                   [--baseline baseline.json]
"""

import sys

from groundwire.cli import main

if __name__ == "__main__":
    sys.argv[1:1] = ["eval", "run"]
    main()
