"""Claim and evidence to bits: one estimator protocol, many engines."""

from groundwire._door import door

__getattr__ = door(__name__)
