"""Arrays and numbers of numpy beside tensors: compared, looked for, put in."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from tests.contract.both_frameworks import same

ARRAYS = {
    "as long": lambda: np.ones(2),
    "another dtype": lambda: np.array([1, 2], np.int8),
    "complex": lambda: np.array([1 + 1j, 1]),
    "broadcast": lambda: np.ones((2, 1)),
    "a number": lambda: np.array(1),
    "without elements": lambda: np.ones((0, 2)),
    "too long": lambda: np.ones(3),
    "text": lambda: np.array(["a"]),
    "objects": lambda: np.array([1], object),
    "dates": lambda: np.ones(2, "datetime64[s]"),
    "other byte order": lambda: np.array([1, 2], ">i4"),
    "backwards": lambda: np.ones(4)[::-2],
}


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize(
    "compare",
    [
        lambda x, a: x == a,
        lambda x, a: a == x,
        lambda x, a: x.__eq__(a) is NotImplemented,
        lambda x, a: x.__ne__(a) is NotImplemented,
        lambda x, a: x.__lt__(a) is NotImplemented,
    ],
)
def test_an_array_is_compared_as_the_oracle_compares_it(compare, kind):
    for dtype in ("float32", "int64", "bfloat16", "complex64"):
        same(lambda t, d=dtype: compare(t.ones(2, dtype=getattr(t, d)), ARRAYS[kind]()))


def test_comparing_with_an_array_records_nothing_and_comes_again():
    def program(t):
        x = t.ones(2, requires_grad=True)
        return [(x == np.arange(2.0)).requires_grad for _ in range(4)]

    same(program)


@pytest.mark.parametrize(
    "element",
    [np.int64(1), np.int8(7), np.float32(2), np.bool_(True), np.ones(1),
     Decimal(1), "a", None, [1]],
    ids=repr,
)  # fmt: skip
def test_an_element_is_looked_for(element):
    same(lambda t: element in t.arange(3))


@pytest.mark.parametrize("index", [0, slice(1), Ellipsis, "a"])
def test_no_element_is_deleted(index):
    def program(t):
        x = t.ones(2)
        del x[index]

    same(program)


INDICES = {
    "a number": lambda: np.array(1),
    "a small number": lambda: np.array(1, np.int8),
    "not whole": lambda: np.array(1.5),
    "a bool": lambda: np.array(True),
    "bytes": lambda: np.array(0, np.uint8),
    "too large": lambda: np.array(7),
    "from the end": lambda: np.array(-2),
    "beside a number": lambda: (np.array(1), 0),
    "behind a slice": lambda: (slice(None), np.array(1)),
    "behind dots": lambda: (..., np.array(1)),
    "beside an array": lambda: (np.array([0, 1]), np.array(1)),
    "new dimension": lambda: (np.array(1), None),
}


@pytest.mark.parametrize("kind", INDICES)
@pytest.mark.filterwarnings("ignore")
def test_an_array_without_dimensions_is_an_index_as_the_oracles_is(kind):
    """A number selects, and gives a view; a bool and a byte are masks."""

    def read(t):
        x = t.arange(24.0).view(2, 3, 4)
        found = x[INDICES[kind]()]
        return found, found.storage_offset(), found._is_view()

    def write(t):
        x = t.arange(24.0).view(2, 3, 4)
        x[INDICES[kind]()] = t.arange(4.0)
        return x

    same(read)
    same(write)
