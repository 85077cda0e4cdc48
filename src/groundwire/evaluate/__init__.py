"""How good the judges are: labelled claims, measures with intervals, baselines beside them."""

from groundwire._door import door

__getattr__ = door(__name__)
