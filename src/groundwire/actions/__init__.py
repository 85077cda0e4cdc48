"""What an agent says it did, checked: structure, tool outputs, claims [S2]."""

from groundwire._door import door

__getattr__ = door(__name__)
