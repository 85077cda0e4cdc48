"""Every error Groundwire raises on purpose.

    GroundwireError
    ├── InputError                 what the caller gave cannot be used
    │   └── UnreadableSource       a file or stream that is missing, too large, or not text
    ├── ConfigError                a setting is unknown or has a bad value
    │   └── DeepModelUnfit         the deep judge's model and its adapter do not go together
    ├── MissingExtra               an optional part of Groundwire is not installed
    │   └── MissingPackage         a package that comes with Groundwire cannot be loaded
    ├── StoreError                 a database of ours cannot be used
    │   ├── StoreCorrupt           the file is damaged
    │   └── StoreTooNew            written by a newer Groundwire
    ├── BackendError               a judge or a model behind it could not answer
    │   ├── BackendTimeout
    │   ├── BackendUnavailable
    │   ├── BackendRateLimited
    │   ├── BackendRefused         wrong key, unknown model, no permission
    │   │   └── BackendUnsupported the model does not offer what was asked of it
    │   ├── BackendMalformed       an answer came that says nothing we can read
    │   ├── JudgeUnhealthy         a judge fails questions with known answers
    │   └── SpendingCapReached     the next call could pass the spending cap
    ├── CircuitOpen                a service failed so often that it is left alone for a while
    ├── EvidenceError              a source of evidence could not answer
    │   ├── EmbeddingFailed        texts could not be turned into vectors
    │   ├── SKOSMOSTimeout         a vocabulary server did not answer in time
    │   └── SKOSMOSError           a vocabulary server answered with an error, or not at all
    ├── ErrFactNotGrounded         the memory gate refused a fact; the verdict is attached
    └── SignatureRefused           a signed verdict is forged, changed, stale or seen before

An error carries a stable `code`, whether trying again may help (`retryable`), what to do next
(`hint`), and the exit code of a command that ends with it: 1 for a failed check, 2 for bad input
or settings, 3 for "could not be determined".
"""

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from groundwire.model import ClaimResult, MemoryOutcome


class GroundwireError(Exception):
    """The root of all: a stable `code`, whether to retry, and what to do next (`hint`)."""

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False
    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class InputError(GroundwireError):
    """What the caller gave cannot be used."""

    code = "input"
    exit_code = 2


class UnreadableSource(InputError):
    """A file or stream that is missing, too large, or not text."""

    code = "unreadable_source"


class ConfigError(GroundwireError):
    """A setting is unknown or has a bad value."""

    code = "config"
    exit_code = 2


class DeepModelUnfit(ConfigError):
    """The deep judge's model and its adapter do not go together."""

    code = "deep_model_unfit"


class MissingExtra(GroundwireError):
    """An optional part of Groundwire is not installed."""

    code = "missing_extra"
    exit_code = 2

    def __init__(self, extra: str, *, needed_for: str) -> None:
        super().__init__(
            f"{needed_for} needs the optional part '{extra}', which is not installed.",
            hint=f'Install it with: pip install "groundwire[{extra}]"',
        )
        self.extra = extra


class MissingPackage(MissingExtra):
    """Of those that every installation has: this one is damaged, or was made without them."""

    code = "missing_package"

    def __init__(self, package: str, *, needed_for: str, why: object = "") -> None:
        because = f": {why}" if why else "."
        GroundwireError.__init__(
            self,
            f"{needed_for} needs {package}, which cannot be loaded{because}",
            hint="It comes with Groundwire: pip install --force-reinstall groundwire",
        )
        self.extra = package


class StoreError(GroundwireError):
    """A database of ours cannot be used."""

    code = "store"


class StoreCorrupt(StoreError):
    """The file is damaged."""

    code = "store_corrupt"


class StoreTooNew(StoreError):
    """It was written by a newer Groundwire."""

    code = "store_too_new"


class BackendError(GroundwireError):
    """`retry_after_s` is how long the other side asked to be left alone, where it said so."""

    code = "backend_error"

    def __init__(
        self, message: str, *, hint: str | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.retry_after_s = retry_after_s


class BackendTimeout(BackendError):
    """It did not answer in time."""

    code = "backend_timeout"
    retryable = True


class BackendUnavailable(BackendError):
    """It cannot be reached."""

    code = "backend_unavailable"
    retryable = True


class BackendRateLimited(BackendError):
    """It asks to be left alone for a while."""

    code = "backend_rate_limited"
    retryable = True


class BackendRefused(BackendError):
    """A wrong key, an unknown model, or no permission."""

    code = "backend_refused"


class BackendUnsupported(BackendRefused):
    """Ask for something else, not again: `capability` names what is missing."""

    def __init__(self, message: str, *, capability: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.capability = capability


class BackendMalformed(BackendError):
    """An answer came that says nothing we can read."""

    code = "backend_malformed"
    retryable = True


class JudgeUnhealthy(BackendError):
    """A judge fails questions with known answers."""

    code = "judge_unhealthy"


class CircuitOpen(GroundwireError):
    """A service failed so often that it is left alone for a while."""

    code = "circuit_open"
    retryable = True


class SpendingCapReached(BackendError):
    """The next call could pass the spending cap."""

    code = "spending_cap"


class EvidenceError(GroundwireError):
    """A source of evidence could not answer."""

    code = "evidence_unavailable"
    retryable = True


class EmbeddingFailed(EvidenceError):
    """Texts could not be turned into vectors."""

    code = "embedding_failed"


class SKOSMOSTimeout(EvidenceError):
    """A vocabulary server did not answer in time."""

    code = "terminology_timeout"


class SKOSMOSError(EvidenceError):
    """A vocabulary server answered with an error, or not at all."""

    code = "terminology_error"


class ErrFactNotGrounded(GroundwireError):
    """`outcome` is what became of the fact, `result` the verdict on it [SPEC-08.16]."""

    code = "fact_not_grounded"
    exit_code = 1

    def __init__(self, outcome: "MemoryOutcome") -> None:
        super().__init__(
            f"The fact was not stored: {outcome.message}",
            hint="Give evidence that says it, or word it as the evidence does; "
            "gw memory rejected shows it.",
        )
        self.outcome = outcome

    @property
    def result(self) -> "ClaimResult | None":
        """The verdict that refused it, where one was reached."""
        return self.outcome.result


class SignatureRefused(GroundwireError):
    """A signed verdict is forged, changed, stale or seen before."""

    code = "signature_refused"
    exit_code = 1
