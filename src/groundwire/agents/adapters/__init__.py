"""Adapters for agent frameworks, one file each: the engine's calls as their tools, and its check
of an answer as their own kind of guard. A framework is imported when its adapter is first used.
"""

from groundwire._door import door

__getattr__ = door(__name__)
