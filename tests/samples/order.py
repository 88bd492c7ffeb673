"""Samples of the rows that sort, search and count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call
from .index import long

Calls = Iterator[Call]


def _orderable(make: Maker) -> list[Any]:
    out = [make(), make(5), make(3, 4), make(4, 3).t(), make(3, 4, noncontiguous=True)]
    out.append(make(values=[[2, 1, 2, 1, 0], [1, 1, 1, 0, 0]]))
    if make.kind == "float":
        nan = float("nan")
        out.append(make(values=[[1.0, nan, 0.0, 2.0], [nan, 3.0, 3.0, nan]]))
    return out


def sort(make: Maker) -> Calls:
    for x in _orderable(make):
        yield call(x)
        yield call(x, 0, True)
    yield call(make(0, 3), 0)


def bad_sort(make: Maker) -> Calls:
    yield call(make(2, 3), 2)
    yield call(make(2, dtype="complex64"))


def sort_stable(make: Maker) -> Calls:
    for x in _orderable(make):
        yield call(x, stable=True)
        yield call(x, stable=True, dim=0, descending=True)


def msort(make: Maker) -> Calls:
    yield call(make(4, 3))
    yield call(make())


def topk(make: Maker) -> Calls:
    yield call(make(), 1)
    yield call(make(values=[[5, 1, 4, 3], [2, 8, 6, 7]]), 2)
    yield call(make(values=[[5, 1, 4, 3], [2, 8, 6, 7]]), 3, 1, False)
    yield call(make(values=[[5, 1], [2, 8], [4, 3]]), 2, 0)
    yield call(make(2, 3), 0)
    if make.kind == "float" and make.dtype in ("float32", "float64"):
        yield call(make(3, 700), 5)
        yield call(make(700, 2), 5, 0, False)
        yield call(make(values=[1.0, float("nan"), 3.0, 2.0]), 2)


def bad_topk(make: Maker) -> Calls:
    yield call(make(2, 3), 4)
    yield call(make(2, 3), -1)
    yield call(make(2, 3), 1, 3)
    yield call(make(2, dtype="complex64"), 1)
    yield call(make(2, dtype="bool"), 1)


def kthvalue(make: Maker) -> Calls:
    yield call(make(), 1)
    yield call(make(values=[[5, 1, 4, 3], [2, 8, 6, 7]]), 2)
    yield call(make(values=[[5, 1], [2, 8], [4, 3]]), 3, 0, True)


def bad_kthvalue(make: Maker) -> Calls:
    yield call(make(2, 3), 0)
    yield call(make(2, 3), 4)
    yield call(make(2, 3), 1, 4)
    yield call(make(2, dtype="bool"), 1)
    yield call(make(0, 3), 1, 0)


def unique(make: Maker) -> Calls:
    x = make(values=[[2, 1, 2], [3, 1, 0]])
    yield call(x)
    yield call(x, True, True, True)
    yield call(x.t(), True, True)
    if make.kind == "float":
        yield call(make(values=[1.0, float("nan"), 1.0, float("nan")]), True, True, True)


def unique_inverse(make: Maker) -> Calls:
    x = make(values=[[2, 1, 2], [3, 1, 0]])
    yield call(x)
    yield call(x, False)
    yield call(x.t(), True, True)


def unique_dim(make: Maker) -> Calls:
    x = make(values=[[2, 1, 2], [3, 1, 3], [2, 1, 2]])
    yield call(x, 0, True, True, True)
    yield call(x, 1, True, True, True)


def bad_unique_dim(make: Maker) -> Calls:
    yield call(make(2, 3), 3)
    yield call(make(), 0)
    yield call(make(0, 0), 0)


def unique_consecutive(make: Maker) -> Calls:
    x = make(values=[[1, 1, 2], [1, 1, 2], [2, 0, 0]])
    yield call(x)
    yield call(x, True, True)
    yield call(x, True, True, 0)
    yield call(x, True, True, 1)
    yield call(make(1, 3), True, True, 0)


def bad_unique_consecutive(make: Maker) -> Calls:
    yield call(make(2, 3), dim=3)


def searchsorted_tensor(make: Maker) -> Calls:
    bounds = make(values=[1, 3, 5, 7])
    yield call(bounds, make(values=[[0, 3, 9], [5, 6, 1]]))
    yield call(bounds, make(values=[3, 5]), right=True)
    yield call(bounds, make(values=[3, 5]), side="right", out_int32=True)
    yield call(make(values=[[1, 3, 5], [0, 2, 4]]), make(values=[[3, 4], [2, 9]]))
    yield call(make(values=[5, 1, 3]), make(values=[2, 3]), sorter=long(make, [1, 2, 0]))


def bad_searchsorted_tensor(make: Maker) -> Calls:
    x, v = make(2, 3), make(3)
    yield call(x, v)
    yield call(x, make(3, 2))
    yield call(v, v, side="foo")
    yield call(v, v, right=True, side="left")
    yield call(v, v, sorter=long(make, [0]))
    yield call(v, v, sorter=make(3, dtype="float32"))
    yield call(make(), v)
    yield call(v, v, sorter=long(make, [0, 1, 5]))


def searchsorted_scalar(make: Maker) -> Calls:
    yield call(make(values=[1, 3, 5, 7]), 4)
    yield call(make(values=[1, 3, 5, 7]), 5, right=True)


def bad_searchsorted_scalar(make: Maker) -> Calls:
    yield call(make(2, 3), 1)


def bucketize_tensor(make: Maker) -> Calls:
    yield call(make(values=[[0, 3, 9], [5, 6, 1]]), make(values=[1, 3, 5, 7]))
    yield call(make(values=[0, 3, 9]), make(values=[1, 3, 5, 7]), right=True, out_int32=True)


def bad_bucketize_tensor(make: Maker) -> Calls:
    yield call(make(3), make(2, 3))
    yield call(make(3), make())


def bucketize_scalar(make: Maker) -> Calls:
    yield call(4, make(values=[1, 3, 5, 7]))


def histc(make: Maker) -> Calls:
    yield call(make(20), 4)
    yield call(make(20), 5, -1, 1)
    yield call(make(values=[1.0, 1.0]), 3)


def bad_histc(make: Maker) -> Calls:
    x = make(2, 3, dtype="float32")
    yield call(x, 0)
    yield call(x, 3, 2, 1)
    yield call(make(2, 3, dtype="int64"))


def bincount(make: Maker) -> Calls:
    x = long(make, [1, 0, 3, 1])
    yield call(x)
    yield call(x, None, 6)
    if make.kind != "complex":
        yield call(x, make(4))
    yield call(long(make, []))


def bad_bincount(make: Maker) -> Calls:
    yield call(make(3, dtype="float32"))
    yield call(long(make, [[1]]))
    yield call(long(make, [-1]))
    yield call(long(make, [1]), make(3))
    yield call(long(make, [1]), None, -1)


def old_aminmax(make: Maker) -> Calls:
    yield call(make(3, 4))
    yield call(make())


def bad_old_aminmax(make: Maker) -> Calls:
    yield call(make(0, 2))


def old_aminmax_dim(make: Maker) -> Calls:
    yield call(make(3, 4), 1)
    yield call(make(3, 4), 0, True)


def bad_old_aminmax_dim(make: Maker) -> Calls:
    yield call(make(0, 2), 0)
    yield call(make(3, 2), 2)
