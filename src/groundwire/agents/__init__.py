"""With agents: retry with feedback, message formats, the stop hook, a conversation with tools."""

from groundwire._door import door

__getattr__ = door(__name__)
