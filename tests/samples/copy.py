"""Samples of the rows that write their first argument, and of views shaped like another tensor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call


def _own(make: Maker, *shape: int, **options: Any) -> Any:
    """A tensor that may be written, whether or not tensors under test require grad."""
    return make(*shape, grad=False, **options)


def zero_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4))
    yield call(_own(make))
    yield call(_own(make, 0, 2))
    yield call(_own(make, 4, 3, noncontiguous=True))


def fill_(make: Maker) -> Iterator[Call]:
    for value in (0, 2, -1.5, True, 2**40):
        yield call(_own(make, 3, 4), value)
    yield call(_own(make), 1)
    yield call(_own(make, 4, 3, noncontiguous=True), 3)


def bad_fill_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3), "x")
    yield call(_own(make, 3), 1j)
    yield call(_own(make, 3))


def fill_tensor(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4), make())
    yield call(_own(make, 3, 4), make(dtype="int64"))
    yield call(_own(make), make())


def bad_fill_tensor(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4), make(1))
    yield call(_own(make, 3, 4), make(2, 2))


def copy_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3, 4), make(3, 4))
    yield call(_own(make, 3, 4), make(4))
    yield call(_own(make, 3, 4), make())
    yield call(_own(make), make())
    yield call(_own(make, 4, 3, noncontiguous=True), make(3, 4).transpose(0, 1))
    yield call(_own(make, 2, 3), make(2, 3, dtype="int64"))
    yield call(_own(make, 2, 3, dtype="int64"), make(2, 3))
    yield call(_own(make, 2, 3), make(2, 3), True)


def bad_copy_(make: Maker) -> Iterator[Call]:
    yield call(_own(make, 3), make(4))
    yield call(_own(make, 3), make(2, 3))
    yield call(_own(make, 3), 1)


def as_other(make: Maker) -> Iterator[Call]:
    yield call(make(2, 6), make(3, 4))
    yield call(make(6), make(2, 3, dtype="int64"))
    yield call(make(0, 2), make(2, 0))
    yield call(make(), make(1))


def bad_as_other(make: Maker) -> Iterator[Call]:
    yield call(make(2, 6), make(5))
    yield call(make(2, 6), (3, 4))


def expand_as(make: Maker) -> Iterator[Call]:
    yield call(make(3, 1), make(3, 4))
    yield call(make(4), make(2, 3, 4, dtype="int64"))
    yield call(make(), make(2))


def bad_expand_as(make: Maker) -> Iterator[Call]:
    yield call(make(3), make(4))
    yield call(make(2, 3), make(3))


def narrow_tensor(make: Maker) -> Iterator[Call]:
    yield call(make(4, 3), 0, make(dtype="int64", values=1), 2)
    yield call(make(4, 3), 1, make(dtype="int32", values=-2), 2)


def bad_narrow_tensor(make: Maker) -> Iterator[Call]:
    yield call(make(4, 3), 0, make(1, dtype="int64"), 2)
    yield call(make(4, 3), 0, make(dtype="float32"), 2)
    yield call(make(4, 3), 0, make(dtype="int64", values=3), 2)


def axis_split_indices(make: Maker) -> Iterator[Call]:
    yield call(make(4, 4, 4), (1, 3))
    yield call(make(4, 4, 4), [2])
    yield call(make(4, 4, 4), ())


def tensor_split_tensor(make: Maker) -> Iterator[Call]:
    yield call(make(7, 2), make(dtype="int64", values=3))
    yield call(make(7, 2), make(dtype="int64", values=[2, 5]))
    yield call(make(2, 7), make(dtype="int64", values=[2, 5]), 1)


def bad_tensor_split_tensor(make: Maker) -> Iterator[Call]:
    yield call(make(7, 2), make(dtype="float32", values=3.0))
    yield call(make(7, 2), make(dtype="int64", values=[[1]]))
    yield call(make(7, 2), make(dtype="int64", values=0))


def norm_dim_dtype(make: Maker) -> Iterator[Call]:
    for p in (2, 1, 0.5):
        yield call(make(3, 4), p, 1, False, dtype=make.type("float64"))
    yield call(make(3, 4), 2, (0, 1), True, dtype=make.type("float64"))


def to_copy(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4))
    yield call(make(4, 3, noncontiguous=True))
    wider = "complex128" if make.kind == "complex" else "float64"
    yield call(make(2, 3, 4).transpose(0, 2), dtype=make.type(wider))
    yield call(make(2, 3, 4, 5), memory_format=make.torch.channels_last)
    yield call(make(3, 4).t(), memory_format=make.torch.contiguous_format)
    yield call(make(0, 2), dtype=make.type("complex64"))


def bad_to_copy(make: Maker) -> Iterator[Call]:
    yield call(make(3, 4), memory_format=make.torch.channels_last)
