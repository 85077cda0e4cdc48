"""How good it all is: golden sets, suites, measures with intervals, thresholds, regressions."""

from groundwire._door import door

__getattr__ = door(__name__)
