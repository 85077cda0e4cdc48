"""`configurable`: a judge per operation [SPEC-08.27]."""

from collections.abc import Mapping, Sequence

from groundwire.config import Operation
from groundwire.errors import BackendError
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend


class ConfigurableBackend(Backend):
    """`for_operation` gives an operation its judge; asked itself, it is the default one."""

    def __init__(
        self, default: VerifierBackend, operations: Mapping[Operation, VerifierBackend]
    ) -> None:
        self._default = default
        self._operations = dict(operations)
        self.name = default.name
        self.context_words = default.context_words
        self.threshold = default.threshold
        self.languages = default.languages

    def for_operation(self, operation: Operation) -> VerifierBackend:
        return self._operations.get(operation, self._default)

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return await self._default.estimate(questions)

    async def aclose(self) -> None:
        for backend in {
            id(each): each for each in (self._default, *self._operations.values())
        }.values():
            close = getattr(backend, "aclose", None)
            if close is not None:
                await close()
