"""What was done: transcripts, command lines and test reports become one model of events."""

from groundwire._door import door

__getattr__ = door(__name__)
