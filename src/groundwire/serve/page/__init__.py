"""The page: forms and results rendered here, swapped in by htmx; it works without scripts, too."""

from groundwire._door import door

__getattr__ = door(__name__)
