"""What flows: the frozen types every other folder shares. Imports nothing of ours."""

from groundwire._door import door

__getattr__ = door(__name__)
