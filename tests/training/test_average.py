import numpy as np
from training.average import average


def test_an_average_lies_between_by_the_shares() -> None:
    one = {"w": np.array([1.0, 4.0], np.float32)}
    other = {"w": np.array([3.0, 0.0], np.float32)}
    found = average([(0.75, one), (0.25, other)])["w"]
    assert found.tolist() == [1.5, 3.0]
