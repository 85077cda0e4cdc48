"""One encoder, many heads: each says what it is asked, from the weights that are shipped."""

from groundwire.encoder import PairScorer, QuestionReader, SpanReader

PASSAGE = (
    "The night shift restarted the boiler at 02:40 because the pressure valve had frozen. "
    "Steam was back in the laundry by four."
)


def test_a_passage_that_answers_scores_above_one_that_only_shares_words() -> None:
    """The same passage answers why the boiler was restarted and not who made it."""
    answered, other, elsewhere = QuestionReader().read(
        [
            ("Why was the boiler restarted?", PASSAGE),
            ("Which company built the boiler?", PASSAGE),
            ("Why was the boiler restarted?", "The cafeteria opens at seven on weekdays."),
        ]
    )
    assert answered.answers > 0 > other.answers
    assert elsewhere.answers < -2


def test_the_reranker_puts_the_passage_about_it_first() -> None:
    """Only the order means anything."""
    about, near, far = QuestionReader().read(
        [
            ("boiler restart cause", PASSAGE),
            ("boiler restart cause", "The boiler room has two exits."),
            ("boiler restart cause", "The cafeteria opens at seven on weekdays."),
        ]
    )
    assert about.rank > near.rank > far.rank


def test_spans_are_whole_words_of_the_text() -> None:
    """Cause and effect are found where they stand, whichever comes first."""
    text = "The outage was caused by an expired certificate."
    (spans,) = SpanReader().read([text])
    found = {span.kind: text[span.start : span.end] for span in spans}
    assert "outage" in found["effect"]
    assert "expired certificate" in found["cause"]


def test_whether_a_text_is_causal_at_all() -> None:
    """A timetable is not."""
    causal, plain = SpanReader().causal(
        ["The outage was caused by an expired certificate.", "The shop opens at nine on Mondays."]
    )
    assert causal > 0.5 > plain


def test_heads_do_not_disturb_each_other() -> None:
    """A verdict is the same to the bit before and after another head was asked."""
    pair = ("The boiler was restarted in the night.", PASSAGE)
    before = PairScorer().score([pair])
    QuestionReader().read([pair])
    assert PairScorer().score([pair]) == before
