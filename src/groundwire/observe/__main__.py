"""`python -m groundwire.observe --dump`: the metrics of this home directory [S3 Gap F]."""

import sys

from groundwire.config import load_config
from groundwire.observe._metrics import MetricsStore


def main() -> int:
    if sys.argv[1:] != ["--dump"]:
        sys.stderr.write("usage: python -m groundwire.observe --dump\n")
        return 2
    home = load_config().config.home.expanduser()
    with MetricsStore(home / "metrics.sqlite") as store:
        sys.stdout.write(store.exposition())
    return 0


if __name__ == "__main__":
    sys.exit(main())
