"""`gw bench spans`: what is reported of the words that name cause and effect."""

from collections.abc import Sequence

import pytest

from groundwire.encoder import Span
from groundwire.errors import InputError
from groundwire.evaluate import SpanRow, benchmark_spans

TEXT = "Heavy rain caused the landslide"


class Fixed:
    """Reads the same spans in every text."""

    def __init__(self, *spans: Span) -> None:
        self._spans = list(spans)

    def read(self, texts: Sequence[str]) -> list[list[Span]]:
        return [self._spans for _ in texts]

    def causal(self, texts: Sequence[str]) -> list[float]:
        return [float("caused" in text) for text in texts]


def row(**changed: object) -> SpanRow:
    relation = {"cause": (0, 10), "effect": (18, 31)}
    return SpanRow.model_validate(
        {"id": "1", "set": "made", "text": TEXT, "relations": [relation]} | changed
    )


def test_words_are_counted_with_their_kind() -> None:
    """Two of three found words are among the four wanted; one is called the wrong thing."""
    reader = Fixed(Span(0, 10, "cause"), Span(22, 31, "cause"))
    assert benchmark_spans([row()], reader).macro.value == 2 * 2 / (3 + 4)


def test_all_found_is_one() -> None:
    """Exactly the wanted spans give an F1 of one."""
    reader = Fixed(Span(0, 10, "cause"), Span(18, 31, "effect"))
    assert benchmark_spans([row()], reader).sets[0].token_f1.value == 1


def test_only_zeros_that_mean_the_whole_text_tell_whether_it_is_causal() -> None:
    """A text of which one pair was judged may state another cause."""
    judged = row(id="2", text="It caused panic", relations=[], label=0, zero="pair")
    plain = row(id="3", text="It rained", relations=[], label=0, zero="text")
    assert benchmark_spans([row(), judged], Fixed()).causal_auroc is None
    told = benchmark_spans([row(), judged, plain], Fixed()).causal_auroc
    assert told is not None
    assert told.value == 1


def test_rows_without_spans_are_refused_together() -> None:
    """Nothing to compare is an error that says what is needed."""
    with pytest.raises(InputError, match="where its cause"):
        benchmark_spans([row(relations=None)], Fixed())
