"""Errors that go to other processes."""

import pickle

import pytest
from mindtorch_npu import errors


@pytest.mark.parametrize(
    "error",
    [
        errors.OutOfMemoryError("no room"),
        errors.AcceleratorError("refused", 7),
        errors.DeferredNpuCallError("late"),
    ],
)
def test_errors_are_pickled_whole(error):
    """Their classes say they live in torch; what is read back is of the same class."""
    error.facts = (1, 2, 3, 4)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert again.args == error.args
    assert again.__dict__ == error.__dict__
