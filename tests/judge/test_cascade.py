"""Which claims are looked at twice, and what is made of two opinions."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.errors import BackendError, BackendTimeout, BackendUnavailable, DeepModelUnfit
from groundwire.judge import Backend, CachedJudge, CascadeBackend, Estimate, Health, Question
from groundwire.judge._canaries import _KNOWN
from groundwire.judge._cascade import mix
from groundwire.observe import metrics

pytestmark = pytest.mark.anyio

Opinion = float | BackendError
_P = st.floats(0, 1)


class Fixed(Backend):
    """Has an opinion of each claim, made beforehand."""

    context_words = 180
    threshold = 0.4

    def __init__(self, name: str, opinions: dict[str, Opinion]) -> None:
        self.name = name
        self.asked: list[str] = []
        self.closed = False
        self._opinions = opinions

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        self.asked += [question.claim for question in questions]
        found = [self._opinions[question.claim] for question in questions]
        return [
            one if isinstance(one, BackendError) else Estimate(p=one, refute=(1 - one) / 2)
            for one in found
        ]

    async def aclose(self) -> None:
        self.closed = True


def cascade(
    fast: dict[str, Opinion], deep: dict[str, Opinion], **more: Any
) -> tuple[CascadeBackend, Fixed]:
    second = Fixed("deep", deep)
    settings: dict[str, Any] = {"band": (0.1, 0.9), "deep_weight": 0.9} | more
    return CascadeBackend(Fixed("embedded", fast), second, **settings), second


def ask(*claims: str) -> list[Question]:
    return [Question(claim=claim, context="evidence") for claim in claims]


async def test_only_claims_inside_the_band_are_looked_at_twice() -> None:
    opinions: dict[str, Opinion] = {"no": 0.05, "low": 0.1, "maybe": 0.5, "high": 0.9, "yes": 0.95}
    backend, deep = cascade(opinions, dict.fromkeys(opinions, 0.99))
    answers = await backend.estimate(ask(*opinions))
    assert deep.asked == ["low", "maybe", "high"]
    assert [one.judged_by for one in answers if isinstance(one, Estimate)] == [
        None,
        "cascade(deep)",
        "cascade(deep)",
        "cascade(deep)",
        None,
    ]
    assert float(answers[0]) == 0.05  # type: ignore[arg-type]
    assert float(answers[4]) == 0.95  # type: ignore[arg-type]


async def test_nobody_is_asked_where_all_is_clear() -> None:
    backend, deep = cascade({"a": 0.01}, {})
    await backend.estimate(ask("a"))
    assert deep.asked == []


async def test_with_depth_deep_everything_is_looked_at_twice() -> None:
    backend, deep = cascade({"a": 0.0, "b": 1.0}, {"a": 0.5, "b": 0.5}, band=(0.0, 1.0))
    await backend.estimate(ask("a", "b"))
    assert deep.asked == ["a", "b"]


async def test_where_the_deep_judge_fails_the_fast_estimate_stands_marked_and_counted(
    captured_logs: Callable[[], list[dict[str, Any]]],
) -> None:
    backend, _ = cascade({"a": 0.5, "b": 0.6}, {"a": BackendTimeout("slow"), "b": 0.6})
    labels = {"backend": "cascade", "reason": "deep_backend_timeout"}
    before = metrics().value("judge_fallback_total", **labels)
    first, second = await backend.estimate(ask("a", "b"))
    assert isinstance(first, Estimate)
    assert isinstance(second, Estimate)
    assert (first.p, first.judged_by, first.degraded) == (0.5, "cascade(fast)", True)
    assert not second.degraded
    assert metrics().value("judge_fallback_total", **labels) == before + 1
    assert any(entry["event"] == "judge_tier_failed" for entry in captured_logs())


async def test_where_the_fast_judge_fails_the_deep_one_is_asked() -> None:
    backend, _ = cascade({"a": BackendUnavailable("gone")}, {"a": 0.7})
    (answer,) = await backend.estimate(ask("a"))
    assert isinstance(answer, Estimate)
    assert (answer.p, answer.judged_by, answer.degraded) == (0.7, "cascade(deep only)", True)


async def test_where_both_fail_there_is_no_estimate() -> None:
    backend, _ = cascade({"a": BackendUnavailable("gone")}, {"a": BackendTimeout("slow")})
    (answer,) = await backend.estimate(ask("a"))
    assert isinstance(answer, BackendError)


async def test_a_makeshift_estimate_is_not_kept_for_later() -> None:
    backend, deep = cascade({"a": 0.5}, {"a": BackendTimeout("slow")})
    cached = CachedJudge(backend, ttl_s=60)
    for _ in range(2):
        (judged,) = await cached.ask(ask("a"))
        assert not judged.cached
    assert deep.asked == ["a", "a"]


async def test_both_are_closed() -> None:
    backend, deep = cascade({}, {})
    await backend.aclose()
    assert deep.closed


def test_the_threshold_is_the_fast_judges() -> None:
    backend, _ = cascade({}, {})
    assert backend.threshold == 0.4


@given(fast=_P, deep=_P, weight=st.floats(0, 1))
def test_a_mixed_opinion_lies_between_the_two(fast: float, deep: float, weight: float) -> None:
    mixed = mix(Estimate(p=fast), Estimate(p=deep), weight)
    low, high = min(fast, deep), max(fast, deep)
    assert low - 2e-4 <= mixed.p <= high + 2e-4
    assert mixed.refute is None


@given(fast=st.tuples(_P, _P), deep=st.tuples(_P, _P), weight=st.floats(0, 1))
def test_support_and_refutation_never_pass_one(
    fast: tuple[float, float], deep: tuple[float, float], weight: float
) -> None:
    first, second = (Estimate(p=p, refute=(1 - p) * share) for p, share in (fast, deep))
    mixed = mix(first, second, weight)
    assert mixed.refute is not None
    assert 0 <= mixed.refute <= 1 - mixed.p + 1e-9


async def test_a_deep_model_that_fails_known_answers_is_an_error() -> None:
    """[RULINGS second edition] judge health is a gate; the fast judge does not cover it up."""
    backend, deep = cascade({"a": 0.5}, {claim: 0.9 for known in _KNOWN for claim in known})
    deep.health = Health(deep, ttl_s=60)
    with pytest.raises(DeepModelUnfit, match="does not go with its adapter"):
        await backend.estimate(ask("a"))


async def test_a_language_that_only_the_deep_judge_covers_it_judges_alone() -> None:
    deep = Fixed("deep", {"a": 0.9})
    german = "Der Hafenkran hebt vierzig Tonnen, und zwei Menschen bedienen ihn jeden Tag."
    fast = Fixed("embedded", {"a": 0.01, "b": 0.01})
    fast.languages, deep.languages = frozenset({"en"}), frozenset({"en", "de"})
    backend = CascadeBackend(fast, deep, band=(0.1, 0.9), deep_weight=0.9)
    assert backend.languages == frozenset({"en", "de"})
    questions = [Question(claim="a", context=german), *ask("b")]
    answers = await backend.estimate(questions)
    assert [float(answer) for answer in answers if isinstance(answer, Estimate)] == [0.9, 0.01]
    assert deep.asked == ["a"]
