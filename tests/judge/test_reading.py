import json
import math

from hypothesis import given, strategies as st

from groundwire.judge._prompt import first_word, masses_at_answers
from groundwire.llm import TokenPosition


def token(text: str, **top: float) -> TokenPosition:
    alternatives = tuple((other, math.log(p)) for other, p in top.items())
    return TokenPosition(text, alternatives or ((text, 0.0),))


def test_blank_tokens_before_the_answer_are_passed_over() -> None:
    positions = [token("\n"), token(" "), token("YES", YES=0.9, NO=0.1)]
    place = first_word(positions)
    assert place is not None
    assert place.token == "YES"
    assert first_word([token("\n")]) is None


def test_each_answer_gets_the_masses_at_its_own_place() -> None:
    positions = [
        token('{"answers": [{"id": "a", "answer": "'),
        token("YES", YES=0.9, NO=0.1),
        token('"}, {"id": "b", "answer":'),
        token(' "'),
        token("N", N=0.7, Y=0.3),
        token("O"),
        token('"}]}'),
    ]
    text = "".join(position.token for position in positions)
    found = masses_at_answers(text, positions)
    assert found is not None
    assert [round(masses.yes, 3) for masses in found] == [0.9, 0.3]


def test_thoughts_and_blanks_that_stand_in_the_tokens_only_do_no_harm() -> None:
    positions = [
        token("<think>hm</think>"),
        token("\n"),
        token('{"answer": "'),
        token("NO", NO=0.8, YES=0.2),
        token('"}'),
        token(""),
    ]
    found = masses_at_answers('{"answer": "NO"}', positions)
    assert found is not None
    assert [round(masses.no, 3) for masses in found] == [0.8]


def test_tokens_that_do_not_spell_the_text_give_no_masses() -> None:
    assert masses_at_answers('{"answer": "YES"}', [token("something else")]) is None


@given(
    st.lists(st.sampled_from(["YES", "NO"]), min_size=1, max_size=6),
    st.lists(st.integers(1, 7), min_size=1, max_size=60),
)
def test_however_a_tokenizer_cuts_no_answer_gets_anothers_masses(
    words: list[str], cuts: list[int]
) -> None:
    """Each token is certain of itself, so the masses must name the answer that stands there."""
    text = json.dumps({"answers": [{"id": str(n), "answer": w} for n, w in enumerate(words)]})
    positions, start = [], 0
    for cut in [*cuts, *[3] * len(text)]:
        if start < len(text):
            positions.append(token(text[start : start + cut]))
            start += cut
    found = masses_at_answers(text, positions)
    assert found is not None
    for word, masses in zip(words, found, strict=True):
        assert not (masses.yes and word == "NO")
        assert not (masses.no and word == "YES")
