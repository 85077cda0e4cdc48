"""Judges by name, and `configurable`: one per operation [SPEC-08.27]."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from groundwire._registry import Registry
from groundwire.config import JUDGE_ENTRY_POINTS, Config, Operation
from groundwire.errors import BackendError
from groundwire.judge._calibrated import CalibratedBackend, load_map
from groundwire.judge._canaries import health_of
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend, close_all
from groundwire.llm import Clients

_MODELS = ("self", "haiku")


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
        self.has_knowledge = default.has_knowledge
        self.health = default.health

    def for_operation(self, operation: Operation) -> VerifierBackend:
        return self._operations.get(operation, self._default)

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return await self._default.estimate(questions)

    async def aclose(self) -> None:
        await close_all((self._default, *self._operations.values()))


class JudgeFactory(Protocol):
    """What stands in the registry of judges (entry points `groundwire.judges`).

    `clients` has the language models of the settings, for judges that ask one.
    """

    def __call__(self, config: Config, clients: Clients) -> VerifierBackend: ...


JUDGES = Registry[JudgeFactory](
    JUDGE_ENTRY_POINTS,
    "judge",
    {
        "embedded": "groundwire.judge._deep:build",
        "self": "groundwire.judge._llm_backend:build_self",
        "haiku": "groundwire.judge._llm_backend:build_haiku",
        "external": "groundwire.judge._external:build",
    },
    Callable,
)


def build_judge(name: str, config: Config, clients: Clients | None = None) -> VerifierBackend:
    """The judge of a registered name; it is asked what has known answers before its verdicts."""
    judge = JUDGES.get(name)(config, clients or Clients(config))
    if config.llm.canaries or name not in _MODELS:
        judge.health = health_of(judge, config)
    if config.judge.calibration_file is None:
        return judge
    mapped = load_map(config.judge.calibration_file)
    return CalibratedBackend(judge, mapped) if mapped.backend == judge.name else judge


def build_backend(
    config: Config, *, operation: Operation | None = None, clients: Clients | None = None
) -> VerifierBackend:
    """The judge these settings ask for; with an `operation`, the judge of that one alone."""
    section = config.hallucination.backend
    clients = clients or Clients(config)
    if section.type != "configurable":
        return build_judge(section.type, config, clients)
    if operation is not None:
        return build_judge(section.operations.get(operation, section.default), config, clients)
    names = dict.fromkeys([section.default, *section.operations.values()])
    built = {name: build_judge(name, config, clients) for name in names}
    return ConfigurableBackend(
        built[section.default],
        {one: built[name] for one, name in section.operations.items()},
    )
