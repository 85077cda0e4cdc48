"""Question to term: is a meaning asked for, and what does the vocabulary say it is?"""

from groundwire._door import door

__getattr__ = door(__name__)
