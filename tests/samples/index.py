"""Samples of reading and writing by index tensors and masks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call
from .view import layouts

Calls = Iterator[Call]


def long(make: Maker, values: Any) -> Any:
    """int64 *values*, as indices are."""
    return make(values=values, dtype="int64")


def mask(make: Maker, *shape: int) -> Any:
    """A random mask."""
    return make(*shape, dtype="bool")


def index(make: Maker) -> Calls:
    for x in layouts(make, 3, 4, 5):
        yield call(x, [long(make, [0, 2])])
        yield call(x, [long(make, [[0, -1], [2, 1]])])
        yield call(x, [None, long(make, [3, 0, 3])])
        yield call(x, [None, None, long(make, [3, 0, -3])])
        yield call(x, [long(make, [0, 2]), long(make, [1, 3])])
        yield call(x, [long(make, [0, 2]), None, long(make, [1, 3])])
        yield call(x, [None, long(make, [[0], [2]]), long(make, [1, 3])])
        yield call(x, [mask(make, 3)])
        yield call(x, [mask(make, 3, 4)])
        yield call(x, [None, mask(make, 4, 5)])
        yield call(x, [long(make, 1)])
        yield call(x, [long(make, 1), None, long(make, 2)])
    yield call(make(4), [mask(make, 4)])
    yield call(make(4), [make(values=[0, 3, 3], dtype="int32")])
    yield call(make(0, 3), [long(make, []).reshape(0)])
    yield call(make(3, 4), [None, mask(make, 4)])


def bad_index(make: Maker) -> Calls:
    x = make(2, 3)
    one = long(make, [0])
    yield call(x, [one, one, one])
    yield call(x, [long(make, [2])])
    yield call(x, [long(make, [-3])])
    yield call(x, [None, long(make, [3])])
    yield call(x, [make(values=[0.0], dtype="float32")])
    yield call(x, [make(values=[0], dtype="int16")])
    yield call(x, [make(values=[True, False, True], dtype="bool")])
    yield call(x, [make(values=[[True, False]], dtype="bool")])
    yield call(x, [long(make, [0, 1]), long(make, [0, 1, 2])])
    yield call(x, [])
    yield call(make(), [one])
    yield call(make(0, 3), [one])


def index_put(make: Maker) -> Calls:
    for accumulate in (False, True):
        for x in layouts(make, 3, 4):
            yield call(x, [long(make, [0, 2])], make(2, 4), accumulate)
            yield call(x, [None, long(make, [3, 0, 1])], make(3, 3), accumulate)
            yield call(x, [long(make, [0, 2]), long(make, [1, 3])], make(2), accumulate)
            yield call(x, [make(values=[True, False, True], dtype="bool")], make(4), accumulate)
            yield call(x, [mask(make, 3, 4)], make(), accumulate)
    yield call(make(5, 3), [long(make, [0, 2, 0, -5])], make(4, 3), True)
    many = long(make, [(7 * i) % 5 for i in range(50)])
    yield call(make(5, 3), [many], make(50, 3), True)


def bad_index_put(make: Maker) -> Calls:
    x = make(2, 3)
    one = long(make, [0])
    yield call(x, [long(make, [2])], make())
    yield call(x, [one], make(2))
    yield call(x, [one], make(dtype="complex64"))
    yield call(x, [one, one, one], make())
    yield call(x, [one], make(2, 1, 3))


def index_put_impl(make: Maker) -> Calls:
    for args, _ in index_put(make):
        yield call(*args, False)
    yield call(make(5, 3), [long(make, [0, 2])], make(2, 3), False, True)


def bad_index_put_impl(make: Maker) -> Calls:
    yield from bad_index_put(make)


def index_select(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, 0, long(make, [0, 2, 0]))
        yield call(x, -1, long(make, [3]))
    yield call(make(3, 4), 0, long(make, 1))
    yield call(make(3, 4), 1, long(make, []))
    yield call(make(), 0, long(make, [0]))
    yield call(make(3), 0, make(values=[1, 1], dtype="int32"))


def bad_index_select(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, long(make, [2]))
    yield call(x, 0, long(make, [-1]))
    yield call(x, 3, long(make, [0]))
    yield call(x, 0, long(make, [[0]]))
    yield call(x, 0, make(values=[0.0], dtype="float32"))
    yield call(make(), 0, long(make, [0, 0]))
    yield call(make(), 0, long(make, [1]))


def index_add(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, 0, long(make, [0, 2, 0]), make(3, 4))
        yield call(x, -1, long(make, [3, 1]), make(3, 2))
    if make.kind != "bool":
        yield call(make(3, 4), 0, long(make, [1]), make(1, 4), alpha=2)
    yield call(make(), 0, long(make, [0]), make())
    many = long(make, [(7 * i) % 5 for i in range(40)])
    yield call(make(5, 3), 0, many, make(40, 3))


def bad_index_add(make: Maker) -> Calls:
    x = make(2, 3)
    one = long(make, [0])
    yield call(x, 0, one, make(2, 3))
    yield call(x, 0, long(make, [2]), make(1, 3))
    yield call(x, 0, long(make, [-1]), make(1, 3))
    yield call(x, 0, one, make(1, 2))
    yield call(x, 0, long(make, [[0]]), make(1, 3))
    yield call(x, 0, make(values=[0.0], dtype="float32"), make(1, 3))
    yield call(x, 0, one, make(1, 3, dtype="complex64"))
    yield call(x, 4, one, x)


def index_reduce(make: Maker) -> Calls:
    for kind in ("prod", "mean", "amax", "amin"):
        for include in (True, False):
            rows = long(make, [0, 2, 0])
            yield call(make(3, 4), 0, rows, make(3, 4), kind, include_self=include)
            yield call(make(2, 4, 3).mT, -2, long(make, [1, 1]), make(2, 2, 4), kind,
                       include_self=include)  # fmt: skip
    yield call(make(3), 0, long(make, 1), make(1), "amax")
    yield call(make(3), 0, make(values=[2, 2], dtype="int32"), make(2), "mean")
    yield call(make(), 0, long(make, 0), make(), "prod")
    yield call(make(3, 2), 0, long(make, []).reshape(0), make(0, 2), "amin")
    if make.kind == "float":
        zeros = make(values=[0.0, 2.0, 0.0, 0.0, 3.0])
        yield call(make(values=[1.0, 0.0, 2.0]), 0, long(make, [0, 0, 1, 2, 1]), zeros, "prod")


def bad_index_reduce(make: Maker) -> Calls:
    x, one = make(2, 3), long(make, [0])
    yield call(x, 0, one, make(1, 3), "sum")
    yield call(x, 0, one, make(2, 3), "prod")
    yield call(x, 0, long(make, [2]), make(1, 3), "prod")
    yield call(x, 0, long(make, [-1]), make(1, 3), "prod")
    yield call(x, 0, one, make(1, 2), "prod")
    yield call(x, 0, long(make, [[0]]), make(1, 3), "prod")
    yield call(x, 0, make(values=[0.0], dtype="float32"), make(1, 3), "prod")
    yield call(x, 0, one, make(1, 3, dtype="complex64"), "prod")
    yield call(x, 4, one, x, "prod")


def index_copy(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, 0, long(make, [0, 2]), make(2, 4))
        yield call(x, -1, long(make, [3, 1]), make(3, 2))
    yield call(make(), 0, long(make, [0]), make())


def bad_index_copy(make: Maker) -> Calls:
    x = make(2, 3)
    one = long(make, [0])
    yield call(x, 0, one, make(2, 3))
    yield call(x, 0, long(make, [2]), make(1, 3))
    yield call(x, 0, one, make(1, 2))
    yield call(x, 0, long(make, [[0]]), make(1, 3))
    yield call(x, 0, make(values=[0.0], dtype="float32"), make(1, 3))
    yield call(x, 0, one, make(1, 3, dtype="complex64"))
    yield call(x, 0, one, make(3))
    yield call(x, 0, one, make())
    yield call(x, 0, long(make, [0, 1]), make())


def index_fill(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, 0, long(make, [0, 2]), 1)
        yield call(x, -1, long(make, [-1]), 1)
    yield call(make(3, 4), 1, long(make, 1), True)


def bad_index_fill(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, long(make, [2]), 1)
    yield call(x, 0, long(make, [-3]), 1)
    yield call(x, 0, make(values=[0.0], dtype="float32"), 1)
    yield call(x, 0, long(make, [[0]]), 1)
    yield call(x, 3, long(make, [0]), 1)
    yield call(x, 0, long(make, [0]), 1j)


def index_fill_tensor(make: Maker) -> Calls:
    yield call(make(3, 4), 0, long(make, [0, 2]), make())


def bad_index_fill_tensor(make: Maker) -> Calls:
    yield call(make(2, 3), 0, long(make, [0]), make(2))


def masked_fill(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, mask(make, 3, 4), 1)
        yield call(x, mask(make, 4), 0)
    yield call(make(3, 1), mask(make, 3, 4), True)
    yield call(make(3), mask(make, 2, 3), 1)
    yield call(make(), mask(make), 1)


def bad_masked_fill(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, make(2, 3, dtype="int64"), 1)
    yield call(x, make(2, 3, dtype="uint8"), 1)
    yield call(x, mask(make, 2, 2), 1)
    yield call(x, mask(make, 2, 3), 1j)


def masked_fill_tensor(make: Maker) -> Calls:
    yield call(make(3, 4), mask(make, 3, 4), make())
    yield call(make(3, 1), mask(make, 4), make())


def bad_masked_fill_tensor(make: Maker) -> Calls:
    yield call(make(2, 3), mask(make, 2, 3), make(2))


def masked_select(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, mask(make, 3, 4))
    yield call(make(3, 1), mask(make, 4))
    yield call(make(), mask(make, 2))


def bad_masked_select(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 3, dtype="int64"))
    yield call(make(2, 3), mask(make, 2, 2))


def masked_scatter(make: Maker) -> Calls:
    yield call(make(3, 4), mask(make, 3, 4), make(12))
    yield call(make(3, 4), mask(make, 4), make(3, 5))
    yield call(make(4), mask(make, 3, 4), make(3, 4))


def masked_scatter_backward(make: Maker) -> Calls:
    yield call(make(3, 4), mask(make, 3, 4), [12])
    yield call(make(3, 4), mask(make, 4), (3, 5))
    yield call(make(0, 4), mask(make, 4), (0,))


def bad_masked_scatter(make: Maker) -> Calls:
    x = make(2, 3)
    every = make(values=[[True] * 3] * 2, dtype="bool")
    yield call(x, every, make(2))
    yield call(x, every, make(2, 3, dtype="complex64"))
    yield call(x, make(2, 3, dtype="int64"), x)
    yield call(x, mask(make, 2, 2), x)


def nonzero(make: Maker) -> Calls:
    yield call(make())
    yield call(make(0, 3))
    for x in layouts(make, 3, 4):
        yield call(x)
