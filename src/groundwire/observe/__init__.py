"""What happened: request context, structured logs, metrics, spans, audit trail."""

from groundwire._door import door

__getattr__ = door(__name__)
