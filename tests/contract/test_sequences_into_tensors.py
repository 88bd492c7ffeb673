"""``torch.tensor`` of nested sequences: shapes, dtypes and refusals are torch's."""

from __future__ import annotations

import array
import collections

import numpy as np
import pytest
import torch

from .both_frameworks import ours

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning"),
]


class Counted:
    """A sequence by its methods alone."""

    def __len__(self):
        return 2

    def __getitem__(self, place):
        if place > 1:
            raise IndexError
        return place


def itself():
    """A list that holds itself."""
    made = [1]
    made.append(made)
    return made


#: What is given, made with the tensors of one framework.
DATA = {
    "words": lambda t: ["a"],
    "a word": lambda t: "a",
    "a number and a word": lambda t: [1, "a"],
    "a word and a number": lambda t: ["a", 1],
    "an empty word": lambda t: [1, ""],
    "only empty words": lambda t: [[""], [""]],
    "rows of both": lambda t: [[1], ["a"]],
    "a row and a word": lambda t: [[1, 2], "ab"],
    "words in a row and a word": lambda t: [["a", "b"], "ab"],
    "bytes": lambda t: [b"ab", [1, 2]],
    "bytes among numbers": lambda t: [1, b"a"],
    "a bytearray": lambda t: [bytearray(b"ab"), [1, 2]],
    "ranges": lambda t: [range(2), (3, 4)],
    "a range and a word": lambda t: [range(2), "ab"],
    "a range among numbers": lambda t: [1, range(2)],
    "an empty range": lambda t: [range(0)],
    "a range and an array": lambda t: [range(2), np.arange(2)],
    "an array and a word": lambda t: [np.ones(2), "a"],
    "an array of words": lambda t: [np.array(["a"])],
    "a numpy number and a word": lambda t: [np.float32(1), "a"],
    "arrays of the standard library": lambda t: [array.array("d", [1.0, 2.0]), [3, 4]],
    "sequences by their methods": lambda t: [Counted(), [1, 2]],
    "one among numbers": lambda t: [1, Counted()],
    "deques": lambda t: [collections.deque([1, 2])],
    "lists of users": lambda t: [collections.UserList([1, 2]), [3, 4]],
    "texts of users": lambda t: [collections.UserString("ab")],
    "memory": lambda t: [memoryview(b"ab")],
    "sets": lambda t: [{1, 2}, [1, 2]],
    "a row and a set": lambda t: [[1, 2], {3, 4}],
    "a row and a dict": lambda t: [[1, 2], {3: 1, 4: 1}],
    "dicts": lambda t: [{}],
    "nothing": lambda t: [[[]], [[]]],
    "nothing and a number": lambda t: [[], [1]],
    "None": lambda t: [1, None],
    "a row and a number": lambda t: [[1], 2],
    "itself": lambda t: itself(),
    "a row and a tensor": lambda t: [[1, 2], t.ones(2)],
    "a tensor and a row": lambda t: [t.ones(2), [1, 2]],
    "a tensor and a word": lambda t: [t.ones(1), "a"],
    "tensors of one number": lambda t: [[t.ones(1), 2], range(2)],
}
DTYPES = (None, "float32", "int64", "bool", "complex64", "bfloat16", "uint8")


@pytest.mark.parametrize("name", DATA)
def test_shapes_dtypes_and_refusals(name):
    def outcomes(t):
        found = []
        for dtype in DTYPES:
            for function in (t.tensor, t.as_tensor):
                try:
                    made = function(DATA[name](t), dtype=dtype and getattr(t, dtype))
                    found.append((dtype, str(made.dtype), tuple(made.shape), made.tolist()))
                except Exception as error:
                    found.append((dtype, type(error), str(error)))
        return found

    assert outcomes(ours) == outcomes(torch)
