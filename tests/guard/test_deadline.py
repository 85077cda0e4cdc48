from groundwire.guard import deadline, remaining_s


def test_there_is_no_deadline_until_one_is_set() -> None:
    assert remaining_s() is None


def test_an_inner_deadline_cannot_outlast_the_outer_one() -> None:
    with deadline(5):
        with deadline(500):
            left = remaining_s()
            assert left is not None
            assert left <= 5
        with deadline(0):
            assert remaining_s() == 0
        assert remaining_s() != 0
    assert remaining_s() is None
