"""Samples of operators that functions and formulas stand for: casts, shapes, gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]


def transposes(make: Maker) -> Calls:
    """Matrices alone: of others all or some are deprecated, or refused."""
    yield call(make(0, 3))
    yield call(make(2, 3))
    yield call(make(2, 3, noncontiguous=True))
    yield call(make(3, 2).t())


def bad_transposes(make: Maker) -> Calls:
    yield call(1)


def another(make: Maker) -> Calls:
    yield call(make(3, 4), make(2))
    yield call(make(3, 2).t(), make(2, dtype="complex128", grad=False))
    yield call(make(0), make(1, dtype="int32"))


def truths(make: Maker) -> Calls:
    yield call(make(2, 3, dtype="bool"))
    yield call(make(values=[True, True], dtype="bool"))
    yield call(make(0, dtype="bool"))
    yield call(make(values=False, dtype="bool"))


def bad_truths(make: Maker) -> Calls:
    yield call(make(2, dtype="int64"))


def _dim_arange(make: Maker) -> Calls:
    yield call(make(2, 3), 0)
    yield call(make(2, 3), -1)
    yield call(make(0), 0)


def bad__dim_arange(make: Maker) -> Calls:
    yield call(make(2, 3), 2)
    yield call(make(), 0)


def _reshape_from_tensor(make: Maker) -> Calls:
    yield call(make(2, 3), make(values=[3, 2], dtype="int64", grad=False))
    yield call(make(3, 2).t(), make(values=[6, 1], dtype="int64", grad=False))


def bad__reshape_from_tensor(make: Maker) -> Calls:
    yield call(make(2, 3), make(values=[4], dtype="int64"))
    yield call(make(2, 3), make(values=6, dtype="int64"))
    yield call(make(2, 3), make(values=[6], dtype="int32"))


def _reshape_copy(make: Maker) -> Calls:
    yield call(make(2, 3), (3, 2))
    yield call(make(3, 2).t(), (3, -1))
    yield call(make(2, 3, noncontiguous=True), (6,))
    yield call(make(), (1, 1))


def bad__reshape_copy(make: Maker) -> Calls:
    yield call(make(2, 3), (4, -1))
    yield call(make(2, 3), (2, -2))


def flatten_dense_tensors(make: Maker) -> Calls:
    yield call([make(2, 3), make(3, 2).t()])
    yield call([make(2, 3)])
    yield call([make(3, noncontiguous=True), make()])


def bad_flatten_dense_tensors(make: Maker) -> Calls:
    yield call([])


def unflatten_dense_tensors(make: Maker) -> Calls:
    yield call(make(10), [make(2, 3), make(0, 2), make(), make(3)])
    yield call(make(20, noncontiguous=True), [make(2, 3), make(4)])
    yield call(make(3), [])


def bad_unflatten_dense_tensors(make: Maker) -> Calls:
    yield call(make(4), [make(2, 3)])


def chain_matmul(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call([make(2, 3), make(3, 4), make(4, 2)])
        yield call([make(2, 3), make(2, 3).t()])
        yield call([make(2, 3)])


def bad_chain_matmul(make: Maker) -> Calls:
    yield call([])
    yield call([make(2, 3), make(3)])


def unique_dim_consecutive(make: Maker) -> Calls:
    if make.kind == "complex":
        return
    x = make(values=[[1, 1, 0], [1, 1, 0], [0, 1, 1]])
    for dim in (0, 1, -1):
        yield call(x, dim)
        yield call(x, dim, True, True)
    yield call(make(0, 2), 0, True, True)


def bad_unique_dim_consecutive(make: Maker) -> Calls:
    yield call(make(2, 3), 2)
    yield call(make(), 0)
    yield call(make(2, 0), 0)


def two_floats(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3), make(2, 3))
        yield call(make(3, 2).t(), make(2, 3))


def trace_backward(make: Maker) -> Calls:
    yield call(make(), (2, 3))
    yield call(make(), (3, 2))
    yield call(make(), (0, 2))


def bad_trace_backward(make: Maker) -> Calls:
    yield call(make(), (2,))


def cumprod_backward(make: Maker) -> Calls:
    if make.kind in ("float", "complex"):
        x = make(values=[[1.0, 2.0, 3.0], [2.0, -1.0, 0.5]])
        yield call(make(2, 3), x, 1, x.detach().cumprod(1))
        yield call(make(2, 3), x, 0, x.detach().cumprod(0))
        x = make(values=[[1.0, 0.0, 3.0], [0.0, -1.0, 0.0]], grad=False)
        yield call(make(2, 3, grad=False), x, 1, x.cumprod(1))
        yield call(make(2, 3, grad=False), x, 0, x.cumprod(0))


def cummaxmin_backward(make: Maker) -> Calls:
    places = make(values=[[0, 0, 2], [0, 1, 1]], dtype="int64")
    yield call(make(2, 3), make(2, 3), places, 1)
    yield call(make(3, 2).t(), make(2, 3), places, -1)


def gather_backward(make: Maker) -> Calls:
    places = make(values=[[0, 0, 1], [1, 0, 1]], dtype="int64")
    yield call(make(2, 3), make(2, 3), 0, places, False)
    yield call(make(3, 2).t(), make(2, 4), 1, places, False)


def index_select_backward(make: Maker) -> Calls:
    yield call(make(2, 3), (4, 3), 0, make(values=[3, 1], dtype="int64"))
    yield call(make(2, 3), (2, 5), 1, make(values=[3, 1, 3], dtype="int64"))


def masked_select_backward(make: Maker) -> Calls:
    mask = make(values=[[True, False, True], [False, True, False]], dtype="bool")
    yield call(make(3), make(2, 3), mask)
    yield call(make(3, noncontiguous=True), make(3, 2).t(), mask)


def _weight_norm_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        v = make(3, 4)
        for dim, shape in ((0, (3, 1)), (1, (1, 4))):
            yield call(make(3, 4), v, make(*shape), make(*shape, low=1, high=2), dim)


def ambiguous_numbers(make: Maker) -> Calls:
    yield call(make(2))
    yield call(make(2), 1, 1)
    yield call(make(2), 2, 1)
    yield call(make(2), 1, 2)


def ambiguous_texts(make: Maker) -> Calls:
    yield call(make(2))
    yield call(make(2), 2, "2")
    yield call(make(2), 1)
    yield call(make(2), 2, "3")


def text_defaults(make: Maker) -> Calls:
    yield call(make(2))
    yield call(make(2), "x")
    yield call(make(3, 2).t(), b="x")


def with_truth(make: Maker) -> Calls:
    yield call(make(2, 3), True)
    yield call(make(3, 2).t(), False)


def subcmul(make: Maker) -> Calls:
    if make.kind != "bool":
        yield call(make(2, 3), make(3))
        yield call(make(3, 2).t(), make(2, 3), 2)


def _optional(make: Maker, *addends: Any) -> Calls:
    yield call(make(2, grad=False), None)
    for one in (addends, (*addends, 3)):
        yield call(make(2), one)
    yield call(make(4)[::2], addends)


def optional_integers(make: Maker) -> Calls:
    if make.dtype == "int64":
        for args, _ in _optional(make, 3, 2**40 + 1):
            yield call(args[0].to(make.type("int32")), args[1])


def bad_optional_integers(make: Maker) -> Calls:
    yield call(make(2), (1, 2))
    yield call(make(2).to(make.type("int32")), (1,))
    yield call(make(2, 2).to(make.type("int32")), (1, 2))


def optional_floats(make: Maker) -> Calls:
    if make.dtype == "float32":
        yield from _optional(make, 3.0, 1e-9)


def bad_optional_floats(make: Maker) -> Calls:
    yield call(make(2, dtype="float64"), (1.0, 2.0))
    yield call(make(2, dtype="float32"), (1.0,))
    yield call(make(2, 2, dtype="float32"), (1.0, 2.0))
