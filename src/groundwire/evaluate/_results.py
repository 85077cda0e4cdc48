"""What a run found: one outcome a case, and the document that S3 asks for made of them.

Every suite is measured in the same way. Something is *wanted* of a case (an answer, a grounded
claim, a caught lie) or not; it was *given* or not; and what was given was *right* or not.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import Field

from groundwire.model import Model

Interval = tuple[float, float]
Progress = Callable[[int, int], None]


class CaseOutcome(Model):
    """One case after its run. `reason` says why it failed; `trace` is what led to `actual`."""

    id: str
    suite: str
    category: str
    collection: str = "any"
    split: str = "open"
    wanted: bool
    given: bool
    right: bool
    passed: bool
    reason: str | None = None
    confidence: float | None = None
    """How sure what was given is, where it says so."""
    ended: str
    """What came out in one word: a mode, a status."""
    wanted_end: str
    abstained_for: str | None = None
    relevant: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    invented_term: bool = False
    """A definition was given that the vocabulary does not have."""
    input: str = Field(default="", exclude=True)
    expected: Mapping[str, Any] = Field(default={}, exclude=True)
    actual: Mapping[str, Any] = Field(default={}, exclude=True)
    trace: Mapping[str, Any] = Field(default={}, exclude=True)
    latency_ms: float = Field(default=0.0, exclude=True)


class Failure(Model):
    id: str
    suite: str
    query: str
    category: str
    expected: Mapping[str, Any]
    actual: Mapping[str, Any]
    reason: str
    trace: Mapping[str, Any] = {}


class Rates(Model):
    """Of what was given the right share, of what was wanted the share rightly given; unknown where
    nothing was given, or wanted. Intervals are Wilson's, at 95 %."""

    precision: float | None
    recall: float | None
    f1: float | None
    intervals: Mapping[str, Interval]
    count: int
    passed: int


class Abstention(Model):
    total_rate: float
    expected_rate: float
    by_reason: Mapping[str, float]


class Terminology(Model):
    """Definitions given that the vocabulary does not have; unknown where none was asked for."""

    queries: int
    hallucinated: int
    rate: float | None


class Point(NamedTuple):
    """With answers below `confidence` held back: the share answered, and how much is wrong."""

    confidence: float
    coverage: float
    risk: float


class Step(NamedTuple):
    """Answers of about the same confidence, and how many of them are right."""

    said: float
    true: float
    answers: int


class Metrics(Model):
    overall: Rates
    by_collection: Mapping[str, Rates]
    by_category: Mapping[str, Rates]
    by_split: Mapping[str, Rates]
    confusion: Mapping[str, Mapping[str, int]]
    """For each category how often an expected end (before `->`) came to another."""
    abstention: Abstention
    latency: Mapping[str, float]
    terminology: Terminology
    documents: Mapping[str, float | None]
    """How well the cited documents are ranked: P@1, R@3, RR, AP and nDCG@3."""
    reliability: tuple[Step, ...]
    risk_coverage: tuple[Point, ...]


class Meta(Model):
    timestamp: str
    commit: str | None
    groundwire_version: str
    config_hash: str
    golden_set_hash: str | None
    golden_set_version: str | None
    sources: Mapping[str, str]
    """The files the cases are from, with git's hash of each."""
    total_queries: int
    pass_count: int
    fail_count: int
    left_out: Mapping[str, str] = {}
    """Suites that could not be run, and why."""


class Results(Model):
    """The document of a run [S3 Gap B]. `metrics` are those of the first suite."""

    meta: Meta
    metrics: Metrics
    suites: Mapping[str, Metrics]
    failures: tuple[Failure, ...]
    cases: tuple[CaseOutcome, ...]
