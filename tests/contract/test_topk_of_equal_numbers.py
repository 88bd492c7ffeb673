"""Of equal numbers torch.topk takes those that torch takes, which no stable sort does."""

import pytest

from tests.contract.both_frameworks import agree


@pytest.mark.parametrize("length", [1, 3, 4, 8, 17, 64, 200, 700, 3000])
@pytest.mark.parametrize("largest", [True, False])
def test_which_of_equal_numbers_are_taken(length, largest):
    def run(t):
        t.manual_seed(length)
        found = []
        for kinds in (1, 2, 5, 60):
            x = t.randint(0, kinds, (3, length))
            for k in {0, 1, 2, 3, 20, length} & set(range(length + 1)):
                found.append(t.topk(x, k, largest=largest))
                found.append(t.topk(x.T.double(), k, 0, largest=largest))
        return [list(pair) for pair in found]

    agree(run)


def test_several_nan_are_equal_numbers():
    nan = float("nan")
    agree(lambda t: str(t.topk(t.tensor([nan, 1.0, nan, 3.0, nan, 2.0]), 4)[1].tolist()))
    agree(lambda t: str(t.topk(t.tensor([nan, 1.0, nan, 3.0, nan]), 4, largest=False)[1].tolist()))
    agree(lambda t: t.topk(t.full((2, 50), -float("inf")), 3)[1])
