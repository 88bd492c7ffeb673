"""Samples of the rows with one index per element, and of diagonals."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call
from .index import long
from .view import layouts

Calls = Iterator[Call]


def gather(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, 0, long(make, [[0, 2, 1, 0], [1, 1, 0, 2]]))
        yield call(x, -1, long(make, [[3], [0]]))
    yield call(make(3, 4), 0, long(make, [[0], [0], [0], [1], [2]]))
    yield call(make(), 0, long(make, 0))
    yield call(make(), 0, long(make, [0]))
    yield call(make(3), 0, make(values=[1, 1], dtype="int32"))


def bad_gather(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, long(make, [0]))
    yield call(x, 0, long(make, [[2]]))
    yield call(x, 0, long(make, [[-1]]))
    yield call(x, 0, make(values=[[0.0]], dtype="float32"))
    yield call(x, 0, make(values=[[0]], dtype="int16"))
    yield call(x, 0, long(make, [[0, 0, 0, 0]]))
    yield call(x, 3, long(make, [[0]]))


def scatter_src(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, 0, long(make, [[0, 2, 1, 0], [1, 1, 0, 2]]), make(2, 4))
        yield call(x, -1, long(make, [[3], [0]]), make(3, 4, grad=False))
        yield call(x, -1, long(make, [[3], [0]]), make(2, 1))
    yield call(make(), 0, long(make, 0), make())
    yield call(make(3), 0, make(values=[], dtype="int64"), make(3, grad=False))


def bad_scatter_src(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, long(make, [[0]]), make(2, 3, dtype="complex64"))
    yield call(x, 0, long(make, [[2]]), x)
    yield call(x, 0, make(values=[[0.0]], dtype="float32"), x)
    yield call(x, 0, long(make, [0]), x)
    yield call(x, 0, long(make, [[0, 0, 0]] * 3), x)
    yield call(x, 0, long(make, [[0, 0, 0, 0]]), make(1, 4))
    yield call(x, 4, long(make, [[0]]), x)


def scatter_value(make: Maker) -> Calls:
    yield call(make(3, 4), 0, long(make, [[0, 2, 1, 0]]), 1)
    yield call(make(4, 3).t(), 1, long(make, [[0], [2]]), 0)


def bad_scatter_value(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, long(make, [[2]]), 1)
    yield call(x, 4, long(make, [[0]]), 1)
    yield call(x, 0, long(make, [[0]]), 1j)


def scatter_reduce(make: Maker) -> Calls:
    for kind in ("add", "multiply"):
        yield call(make(3, 4), 0, long(make, [[0, 0, 1, 2], [0, 2, 1, 1]]), make(2, 4), reduce=kind)


def bad_scatter_reduce(make: Maker) -> Calls:
    yield call(make(2, 3), 0, long(make, [[0]]), make(2, 3), reduce="foo")


def scatter_value_reduce(make: Maker) -> Calls:
    yield call(make(3, 4), 0, long(make, [[0, 2, 1, 0]]), 2, reduce="add")
    yield call(make(3, 4), 1, long(make, [[0, 2, 1, 0]]), 2, reduce="multiply")


def scatter_reduce_two(make: Maker) -> Calls:
    where = long(make, [[0, 0, 1, 2], [0, 2, 1, 1]])
    kinds = (
        ["sum", "prod", "mean"]
        if make.kind == "complex"
        else ["sum", "prod", "mean", "amax", "amin"]
    )
    for kind in kinds:
        for include in (True, False):
            yield call(make(3, 4), 0, where, make(2, 4), kind, include_self=include)
            yield call(
                make(3, 4), 0, where, make(2, 4, noncontiguous=True), kind, include_self=include
            )


def bad_scatter_reduce_two(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, 0, long(make, [[0]]), x, "foo")
    yield call(x, 0, long(make, [[0]]), make(2, 3, dtype="complex64"), "sum")
    yield call(x, 0, long(make, [[9]]), x, "sum")


def take(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, long(make, [[0, 11], [-1, 5]]))
    yield call(make(), long(make, 0))


def bad_take(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, long(make, [6]))
    yield call(x, long(make, [-7]))
    yield call(x, make(values=[0.0], dtype="float32"))
    yield call(make(0, 3), long(make, [0]))


def put(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        yield call(x, long(make, [0, 11, -2]), make(3))
        yield call(x, long(make, [[0, 1, 0]]), make(3), True)


def bad_put(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, long(make, [6]), make(1))
    yield call(x, long(make, [0]), make(2))
    yield call(x, make(values=[0.0], dtype="float32"), make(1))
    yield call(x, long(make, [0]), make(1, dtype="complex64"))


def take_along_dim(make: Maker) -> Calls:
    yield call(make(3, 4), long(make, [[0, 2, 1, 0]]), 0)
    yield call(make(3, 4), long(make, [[1], [0], [3]]), 1)
    yield call(make(1, 4), long(make, [[1], [0], [3]]), 1)
    yield call(make(3, 4), long(make, [[1], [0], [11]]))


def bad_take_along_dim(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, long(make, [0]), 0)
    yield call(x, make(values=[[0.0]], dtype="float32"), 0)
    yield call(x, long(make, [[0]]), 5)


def tril(make: Maker) -> Calls:
    for x in layouts(make, 3, 4):
        for diagonal in (-1, 0, 2):
            yield call(x, diagonal)
    yield call(make(2, 3, 3))
    yield call(make(0, 3))


def bad_tril(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make())


def diag_embed(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(2, 3), 1)
    yield call(make(2, 3), -1, 0, 2)


def bad_diag_embed(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 3), 0, 0, 0)
    yield call(make(2, 3), 0, 0, 5)


def diag(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(3), -1)
    yield call(make(3, 4))
    yield call(make(3, 4), 2)


def bad_diag(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 2, 2))


def diagflat(make: Maker) -> Calls:
    yield call(make())
    yield call(make(2, 2), 1)
