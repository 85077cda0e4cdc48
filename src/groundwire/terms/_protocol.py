from typing import Protocol

from groundwire.errors import InputError
from groundwire.model import SKOSMOSResult, Suggestion
from groundwire.terms._fold import MAX_TERM_CHARS


class Vocabulary(Protocol):
    """Anything that knows terms: a server, local files, or several of those in order.

    `lookup` raises `SKOSMOSTimeout` or `SKOSMOSError` when it cannot tell; a term that is not
    there is a result. The `a` methods are the same for coroutines.
    """

    def lookup(self, term: str) -> SKOSMOSResult: ...

    async def alookup(self, term: str) -> SKOSMOSResult: ...

    def has_label(self, phrase: str, *, in_any_number: bool = False) -> bool:
        """Whether a phrase, or its singular or plural, is a label; false when nobody can tell."""

    async def ahas_label(self, phrase: str, *, in_any_number: bool = False) -> bool: ...

    def suggest(self, term: str, limit: int) -> list[Suggestion]:
        """The labels nearest to a term that is not there, best first."""

    async def asuggest(self, term: str, limit: int) -> list[Suggestion]: ...

    def lookup_uri(self, uri: str) -> SKOSMOSResult:
        """The one concept with this address."""

    async def alookup_uri(self, uri: str) -> SKOSMOSResult: ...

    def problems(self) -> list[str]:
        """What of it cannot be read at present."""

    def close(self) -> None: ...


def checked_term(term: str) -> str:
    """A term as it is looked up; what cannot be one is refused."""
    bare = " ".join(term.replace("*", " ").split())
    if not bare:
        raise InputError("There is no term to look up.")
    if len(bare) > MAX_TERM_CHARS:
        raise InputError(f"A term of {len(bare)} characters is longer than {MAX_TERM_CHARS}.")
    return bare
