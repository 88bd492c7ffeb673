"""Samples of the rows that reduce or accumulate along dims."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]


def _inputs(make: Maker) -> list[Any]:
    """Every layout, sizes small and large enough for the blocked paths, scalars, NaN."""
    out = [
        make(),
        make(5),
        make(3, 4),
        make(4, 3).t(),
        make(3, 4, noncontiguous=True),
        make(2, 3, 4).permute(2, 0, 1),
    ]
    if make.kind == "float":
        nan = float("nan")
        out.append(make(values=[[1.0, nan, 2.0], [nan, nan, nan], [-1.0, 0.5, 3.0]]))
        out.append(make(values=[[1.0, float("inf")], [float("-inf"), float("inf")]]))
    return out


def _large(make: Maker) -> list[Any]:
    return [make(30, 70), make(70, 30).t(), make(8, 9, 30).transpose(0, 1)]


def all_elements(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x)
    yield call(make(0, 3))


def sum(make: Maker) -> Calls:
    yield from all_elements(make)
    for x in _large(make):
        yield call(x)
    for name in ("float64", "int64", "float16", "float32"):
        yield call(make(3, 4), dtype=make.type(name))


def one_dim(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x, 0)
        yield call(x, -1, True)
    yield call(make(0, 3), 1)
    yield call(make(0, 3), 0)


def bad_one_dim(make: Maker) -> Calls:
    yield call(make(2, 3), 2)
    yield call(make(), 1)


def sum_dim(make: Maker) -> Calls:
    yield from one_dim(make)
    yield call(make(2, 3), ())
    yield call(make(2, 3), None)
    yield call(make(2, 3, 4), (0, 2))
    yield call(make(2, 3, 4), (-1, 0), True)
    yield call(make(2, 3, 4), (1, 2), True, dtype=make.type("float64"))
    for x in _large(make):
        for axis in range(x.dim()):
            yield call(x, axis)
    yield call(make(6, 7, 8, 9), (0, 2, 3))
    yield call(make(6, 7, 8, 9), (0, 2))


def bad_sum_dim(make: Maker) -> Calls:
    yield from bad_one_dim(make)
    yield call(make(2, 3), (0, 0))


def mean(make: Maker) -> Calls:
    yield from all_elements(make)
    yield call(make(3, 4), dtype=make.type("float64"))
    yield call(make(3, 4), dtype=make.type("float32"))


def bad_mean(make: Maker) -> Calls:
    yield call(make(3, 4), dtype=make.type("int64"))
    yield call(make(3, dtype="int64"))


def mean_dim(make: Maker) -> Calls:
    yield from one_dim(make)
    yield call(make(2, 3), ())
    yield call(make(2, 3, 4), (0, 2))
    yield call(make(2, 3, 4), (-1, 0), True)


def bad_mean_dim(make: Maker) -> Calls:
    yield from bad_sum_dim(make)
    yield call(make(3, dtype="int64"), 0)


def nansum(make: Maker) -> Calls:
    yield from all_elements(make)
    yield from one_dim(make)


def prod_dim(make: Maker) -> Calls:
    yield from one_dim(make)
    if make.kind in ("float", "complex"):
        yield call(make(values=[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0], [1.0, 2.0, 3.0]]), 1)
    yield call(make(3, 4), 1, dtype=make.type("float64"))


bad_prod_dim = bad_one_dim


def dims(make: Maker) -> Calls:
    yield call(make(2, 3))
    yield call(make(2, 3), ())
    yield call(make(2, 3, 4), (0, -1))
    yield call(make(2, 3, 4), (0,), True)
    yield call(make(), (0,))


bad_dims = bad_sum_dim


def count(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x)
        yield call(x, -1)


bad_count = bad_one_dim


def count_dims(make: Maker) -> Calls:
    yield call(make(2, 3, 4), (0, 2))
    yield call(make(2, 3), ())


bad_count_dims = bad_sum_dim


def extreme(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x)
    yield call(make(values=[1, 1, 0, 1]))


def bad_extreme(make: Maker) -> Calls:
    yield call(make(0, 3))
    yield call(make(2, dtype="complex64"))


def amax(make: Maker) -> Calls:
    yield from extreme(make)
    for x in _inputs(make):
        yield call(x, 0)
        yield call(x, -1, True)
    yield call(make(2, 3, 4), (0, 2))
    yield call(make(2, 3, 4), (), True)
    yield call(make(0, 3), 1)


def bad_amax(make: Maker) -> Calls:
    yield from bad_extreme(make)
    yield call(make(0, 3), (0,))
    yield call(make(2, 3), (0, 0))
    yield call(make(2, 3), (4,))


def aminmax(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x)
        yield call(x, dim=-1)
        yield call(x, dim=0, keepdim=True)


def bad_aminmax(make: Maker) -> Calls:
    yield call(make(0, 3))
    yield call(make(0, 3), dim=0)
    yield call(make(2, dtype="complex64"))
    yield call(make(2, 3), dim=3)


def max_dim(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x, 0)
        yield call(x, -1, True)
    yield call(make(0, 3), 1)
    yield call(make(values=[[1, 2, 2], [3, 3, 1]]), 1)


def bad_max_dim(make: Maker) -> Calls:
    yield call(make(0, 3), 0)
    yield call(make(2, 3), 2)
    yield call(make(2, dtype="complex64"), 0)


def argmax(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x)
        yield call(x, -1)
        yield call(x, 0, True)
        yield call(x, keepdim=True)
    yield call(make(0, 3), 1)


def bad_argmax(make: Maker) -> Calls:
    yield call(make(0, 3))
    yield call(make(0, 3), 0)
    yield call(make(2, 3), 3)
    yield call(make(2, dtype="complex64"))
    yield call(make(2, dtype="bool"))


def binary_real(make: Maker) -> Calls:
    yield call(make(3, 4), make(4))
    yield call(make(2, 1), make(2, 3))


# -- statistics ---------------------------------------------------------------------------------


def var(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x)
        yield call(x, False)


def bad_var(make: Maker) -> Calls:
    yield call(make(3, dtype="int64"))


def var_dim(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x, 0)
        yield call(x, -1, False, True)
    yield call(make(2, 3, 4), (0, 2))
    yield call(make(2, 3), None)


bad_var_dim = bad_sum_dim


def var_correction(make: Maker) -> Calls:
    for x in _inputs(make) + _large(make):
        yield call(x)
        yield call(x, (0,), correction=0)
        yield call(x, (-1,), correction=0.5, keepdim=True)
    yield call(make(2, 3, 4), (0, 2), correction=2)
    yield call(make(3, 4, low=1000, high=1001), (1,))


def bad_var_correction(make: Maker) -> Calls:
    yield call(make(3, dtype="int64"))
    yield call(make(2, 3), (3,))
    yield call(make(2, 3), (0, 0))


def _orders() -> list[float]:
    return [2, 1, 0, float("inf"), float("-inf"), 3, 1.5, 0.5, -1]


def norm(make: Maker) -> Calls:
    for p in _orders():
        yield call(make(3, 4), p)
        yield call(make(4, 3).t(), p)
    yield call(make())
    if make.kind in ("float", "complex"):
        yield call(make(values=[0.0, 0.0]))
        yield call(make(values=[[3.0, 3.0], [1.0, -3.0]]), float("inf"))
    yield call(make(0, 3))


def bad_norm(make: Maker) -> Calls:
    yield call(make(3, dtype="int64"))
    yield call(make(0, 3), float("inf"))
    yield call(make(0, 3), -1)


def norm_dtype(make: Maker) -> Calls:
    yield call(make(3, 4), 2, dtype=make.type("float64"))
    yield call(make(3, 4), None, dtype=make.type("float64"))


def norm_dim(make: Maker) -> Calls:
    for p in _orders():
        yield call(make(3, 4), p, 0)
        yield call(make(2, 3, 4), p, (0, 2), True)
    yield call(make(3, 4), None, 1)
    yield call(make(3, 4), 2, ())


def bad_norm_dim(make: Maker) -> Calls:
    yield call(make(2, 3), 2, 3)
    yield call(make(3, dtype="int64"), 2, 0)


def vector_norm(make: Maker) -> Calls:
    for p in _orders():
        yield call(make(3, 4), p)
        yield call(make(2, 3, 4), p, (0, 2), True)
    yield call(make(3, 4), 2, None, True)
    yield call(make(3, 4), 2, 1, dtype=make.type("float64"))


def bad_vector_norm(make: Maker) -> Calls:
    yield call(make(3, dtype="int64"))
    yield call(make(2, 3), 2, (0,), dtype=make.type("int64"))
    yield call(make(2, 3), 2, (0, 0))
    yield call(make(0, 3), float("inf"))
    yield call(make(0, 3), float("inf"), (0,))
    yield call(make(2, dtype="complex64"), 2, dtype=make.type("float32"))
    yield call(make(2, 3), 2, dtype=make.type("float16"))


def logsumexp(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x, 0)
        yield call(x, -1, True)
    yield call(make(2, 3, 4), (0, 2))
    if make.kind == "float":
        low = float("-inf")
        yield call(make(values=[[low, low], [1.0, low], [1000.0, 1000.0]]), 1)
    yield call(make(0, 3), 0)


bad_logsumexp = bad_sum_dim


def median(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x)


def bad_median(make: Maker) -> Calls:
    yield call(make(3, dtype="bool"))
    yield call(make(3, dtype="complex64"))


def median_dim(make: Maker) -> Calls:
    yield call(make(), 0)
    if make.kind != "bool":
        yield call(make(values=[[5, 1, 3], [2, 6, 4]]), 1)
        yield call(make(values=[[5, 1], [2, 6], [7, 0], [3, 3]]), 0, True)
    if make.kind == "float":
        nan = float("nan")
        yield call(make(values=[[nan, 1.0, 2.0], [3.0, 4.0, nan], [7.0, 8.0, 9.0]]), 1)


def bad_median_dim(make: Maker) -> Calls:
    yield call(make(0, 3), 0)
    yield call(make(2, 3), 3)
    yield call(make(2, dtype="bool"), 0)


def mode(make: Maker) -> Calls:
    yield call(make())
    yield call(make(values=[[1, 2, 2, 0], [3, 1, 3, 1]]))
    yield call(make(values=[[1, 2], [1, 0], [0, 2]]), 0, True)


def bad_mode(make: Maker) -> Calls:
    yield call(make(0, 3), 0)
    yield call(make(2, 3), 3)
    yield call(make(2, dtype="complex64"))


# -- running ------------------------------------------------------------------------------------


def cumsum(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x, 0)
        yield call(x, -1)
    yield call(make(0, 3), 0)
    yield call(make(3, 4), 1, dtype=make.type("float64"))
    yield call(make(3, 4), 1, dtype=make.type("int64"))


bad_cumsum = bad_one_dim


def diff(make: Maker) -> Calls:
    for x in _inputs(make):
        if x.dim():
            yield call(x)
            yield call(x, 2, 0)
    yield call(make(3, 4), 0)
    yield call(make(3, 4), 9, 1)
    yield call(make(0, 3), 1, 0)
    yield call(make(3, 4), 1, 1, make(3, 1))
    yield call(make(3, 4), n=2, dim=0, append=make(2, 4))
    yield call(make(5), 1, -1, make(1), make(2))


def bad_diff(make: Maker) -> Calls:
    yield call(make())
    yield call(make(3), -1)
    yield call(make(3), 1, 4)
    yield call(make(3, 2), 1, 0, make(2))
    yield call(make(3, 2), 1, 0, None, make(2, 3))


def cumprod(make: Maker) -> Calls:
    yield from cumsum(make)
    if make.kind in ("float", "complex"):
        yield call(make(values=[[1.0, 0.0, 3.0], [0.0, 0.0, 2.0], [3.0, 2.0, 0.0]]), 1)
        yield call(make(values=[[1.0, 0.0, 3.0], [2.0, 3.0, 2.0]]), 0)


bad_cumprod = bad_one_dim


def cummax(make: Maker) -> Calls:
    for x in _inputs(make):
        yield call(x, 0)
        yield call(x, -1)
    yield call(make(values=[1, 2, 2, 1, 0, 2, 3]), 0)
    yield call(make(0, 3), 0)


def bad_cummax(make: Maker) -> Calls:
    yield from bad_one_dim(make)
    yield call(make(2, dtype="complex64"), 0)


def logcumsumexp(make: Maker) -> Calls:
    yield call(make(3, 4), 0)
    yield call(make(4, 3).t(), 1)
    yield call(make(), 0)


def trace(make: Maker) -> Calls:
    yield call(make(3, 3))
    yield call(make(2, 4))
    yield call(make(4, 3).t())


def bad_trace(make: Maker) -> Calls:
    yield call(make(3))
    yield call(make(3, 3, dtype="bool"))
