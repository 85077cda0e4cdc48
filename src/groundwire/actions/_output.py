"""Level 1: does the output have the shape of a `SpecialistOutput`?"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Self, cast

from pydantic import AfterValidator, ValidationError

from groundwire.actions._claims import CLAIM_TYPES, AnyClaim, GivenClaim, ReportCoverage, path_of
from groundwire.actions._evidence import Evidence
from groundwire.actions._history import History
from groundwire.actions._result import (
    ClaimVerdict,
    ErrorCategory,
    VerificationError,
    VerificationWarning,
)
from groundwire.errors import InputError
from groundwire.traces import Given

ARTIFACT_LIMIT_BYTES = 1024
TRACE_PREFIX = "trace:"
MAX_ERRORS = 100
_KNOWN_TYPES = ", ".join(CLAIM_TYPES)


def _small(artifact: dict[str, Any]) -> dict[str, Any]:
    size = len(json.dumps(artifact, ensure_ascii=False, default=str).encode(errors="replace"))
    if size >= ARTIFACT_LIMIT_BYTES:
        raise ValueError(
            f"an artifact describes a large output in under {ARTIFACT_LIMIT_BYTES} bytes;"
            f" this one has {size}"
        )
    return artifact


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("is empty")
    return text


def _trace_reference(text: str) -> str:
    if _not_blank(text) and not text.startswith(TRACE_PREFIX):
        raise ValueError(f"must start with {TRACE_PREFIX!r}, as in 'trace:run-42'")
    _not_blank(text.removeprefix(TRACE_PREFIX))
    return text


class SpecialistOutput(Given):
    """What a specialist hands in [S2 Level 1]."""

    summary: Annotated[str, AfterValidator(_not_blank)]
    trace_ref: Annotated[str, AfterValidator(_trace_reference)]
    claims: tuple[GivenClaim, ...] = ()
    artifacts: tuple[Annotated[dict[str, Any], AfterValidator(_small)], ...] = ()

    @property
    def trace_id(self) -> str:
        return self.trace_ref.removeprefix(TRACE_PREFIX)

    @classmethod
    def of_report(cls, text: str, trace_id: str | None, **more: Any) -> Self:
        """Prose as an output. Nothing in it needs a check, and making one takes 25 ms."""
        summary = text.strip() or "(nothing was reported)"
        reference = f"{TRACE_PREFIX}{trace_id or 'unknown'}"
        made = cls.model_construct(summary=summary, trace_ref=reference, **more)
        return cast("Self", made)


class ReadReport(SpecialistOutput):
    """An output made by reading a report: its claims are all that the words say."""

    coverage: ReportCoverage = ReportCoverage()


def check_structure(raw: Any, *, max_claims: int) -> SpecialistOutput | list[VerificationError]:
    """The output as a typed value, or everything that is wrong with its shape."""
    if isinstance(raw, SpecialistOutput):
        return raw
    if not isinstance(raw, Mapping):
        return [_error("invalid_type", f"the output is {_kind(raw)}, not an object")]
    claims = raw.get("claims")
    if isinstance(claims, list | tuple) and len(claims) > max_claims:
        return [_error("invalid_type", f"claims: {len(claims)} are more than {max_claims}")]
    try:
        return _hardened(SpecialistOutput.model_validate(_without_nulls(raw)))
    except ValidationError as error:
        return [_explained(detail) for detail in error.errors(include_url=False)[:MAX_ERRORS]]


def _hardened(output: SpecialistOutput) -> SpecialistOutput:
    """What an agent supplies never softens a check: it is held to every claim it hands in."""
    claims = tuple(
        claim if claim.certain else claim.model_copy(update={"certain": True})
        for claim in output.claims
    )
    return output.model_copy(update={"claims": claims})


def parse_output(text: str | bytes, *, where: str = "the output") -> Mapping[str, Any]:
    """JSON to a mapping; what is not JSON at all is bad input, not a failed check."""
    if not text.strip():
        raise InputError(f"{where} is empty.", hint="Give the agent's output as a JSON object.")
    try:
        raw = json.loads(text, parse_constant=_not_json)
        json.dumps(raw, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{where} holds half a character: {error.reason}.") from error
    except json.JSONDecodeError as error:
        raise InputError(
            f"{where}:{error.lineno}:{error.colno} is not valid JSON: {error.msg}.",
            hint="For an agent's prose, see `gw claims-from-text`.",
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} cannot be read as JSON: {error}.") from error
    if not isinstance(raw, dict):
        raise InputError(f"{where} holds {_kind(raw)}, not an object.")
    return raw


def _not_json(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _without_nulls(raw: Mapping[str, Any]) -> dict[str, Any]:
    """An optional list written as null is a list that is not there."""
    optional = {"claims", "artifacts"}
    return {name: value for name, value in raw.items() if value is not None or name not in optional}


def _explained(detail: Mapping[str, Any]) -> VerificationError:
    where = _location(detail["loc"])
    kind = detail["type"]
    if kind == "missing":
        return _error("missing_field", f"{where} is missing")
    if kind == "union_tag_not_found":
        return _error("missing_field", f"{where}.type is missing; it is one of {_KNOWN_TYPES}")
    if kind == "union_tag_invalid":
        given = detail.get("ctx", {}).get("tag")
        return _error("invalid_type", f"{where}.type {given!r} is not one of {_KNOWN_TYPES}")
    if kind == "string_too_short" or detail["msg"] == "Value error, is empty":
        return _error("missing_field", f"{where} is empty")
    if kind.endswith(("_type", "_parsing")):
        problem = detail["msg"][0].lower() + detail["msg"][1:]
        return _error("invalid_type", f"{where} is {_kind(detail['input'])}: {problem}")
    return _error("invalid_type", f"{where}: {detail['msg'].removeprefix('Value error, ')}")


def _location(parts: tuple[int | str, ...]) -> str:
    """`claims[3].anchor.before_snippet`, without the tag pydantic puts between."""
    where = ""
    for part in parts:
        if isinstance(part, int):
            where += f"[{part}]"
        elif part not in CLAIM_TYPES:
            where += f".{part}" if where else part
    return where or "the output"


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false"}
    names |= {int: "a number", float: "a number", type(None): "null"}
    return names.get(type(value), f"a {type(value).__name__}")


def _error(category: ErrorCategory, message: str) -> VerificationError:
    return VerificationError(level=1, category=category, message=message)


MAX_WARNINGS = 500
_CONTENT = {"file-write", "file-edit", "code-inserted", "file-delete"}


def warnings_of(
    claims: Sequence[AnyClaim], verdicts: Iterable[ClaimVerdict], evidence: Evidence
) -> tuple[VerificationWarning, ...]:
    history = evidence.history
    if history is None:
        return ()
    claimed = {evidence.key(path) for claim in claims if (path := path_of(claim))}
    found = [*_unclaimed(claimed, history), *_unrecorded(verdicts, evidence, history)]
    return tuple(found[:MAX_WARNINGS])


def _unclaimed(claimed: set[str], history: History) -> Iterator[VerificationWarning]:
    for path, changes in history.changes.items():
        done = [change for change in changes if not change.refused and change.effect.sure]
        # an absolute path may be a claimed one, where nobody said what its root is
        rooted = path.startswith("/") and any(path.endswith(f"/{one}") for one in claimed)
        if not done or path in claimed or rooted:
            continue
        last = done[-1]
        verb = "deleted" if last.effect.action == "delete" else "wrote"
        message = f"event {last.event_id} {verb} {path}, and no claim mentions it"
        yield VerificationWarning(category="unclaimed_write", file_path=path, message=message)


def _unrecorded(
    verdicts: Iterable[ClaimVerdict], evidence: Evidence, history: History
) -> Iterator[VerificationWarning]:
    if not history.complete or history.unclear:
        return
    for verdict in verdicts:
        path = verdict.file_path
        if path is None or verdict.type not in _CONTENT or verdict.status != "verified":
            continue
        if not history.changes_of(evidence.key(path)):
            message = f"{path} is as claimed, but nothing in the trace wrote it"
            yield VerificationWarning(category="unrecorded_write", file_path=path, message=message)
