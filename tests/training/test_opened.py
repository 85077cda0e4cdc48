"""The sets that have been opened, as the fits read them."""

from training.reasoning import traces

from training import opened


def test_pairs_of_facts_are_labelled_in_every_set() -> None:
    """Each set has pairs that contradict and pairs that only look so."""
    found = opened.contradictions()
    assert list(found) == ["fresh", "third", "fourth"]
    for rows in found.values():
        assert {row["label"] for row in rows} == {"contradicts", "consistent"}


def test_the_faulty_steps_of_a_trace_are_among_its_steps() -> None:
    """A label that points nowhere would be learned from."""
    found = list(traces())
    assert {one.set for one in found} == {"open", "sealed", "fresh", "third", "fourth", "own"}
    assert all(one.wrong | one.left_out <= set(range(len(one.steps))) for one in found)


def test_the_numbered_lines_of_our_own_rows_are_steps_before() -> None:
    """Of such a row the claim alone is labelled."""
    ours = [one for one in traces() if one.set == "own"]
    assert any(one.left_out for one in ours)
    assert all(len(one.steps) - 1 not in one.left_out for one in ours)
