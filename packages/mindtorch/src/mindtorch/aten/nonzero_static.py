"""A given number of places of elements that are not zero: ``nonzero_static``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int64

from ..call.elementwise_meta import UNSIGNED, refuse_array
from ..call.row import Out, op

__all__: list[str] = []


def _meta(self: Any, size: int, fill_value: int) -> Out:
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    ndim = len(self.shape)
    strides = (1, size) if self.device.type == "meta" else None  # there as nonzero() lays it out
    return Out((size, ndim), int64, strides)


def _onto(target: Any, self: Any, size: int, fill_value: int) -> Out:
    if target.dtype is not int64:
        raise RuntimeError(
            "nonzero_static: Expected out tensor to have scalar type Long but got scalar type"
            f"{target.dtype.scalar_type}"
        )
    return _meta(self, size, fill_value)


def _prepare(self: Any, size: int, fill_value: int) -> Callable[..., Any]:
    """The first *size* places; rows of *fill_value* after the last."""
    ndim, empty, number = self.ndim, np.empty, np.array(fill_value, np.int64)
    if size and ndim:
        refuse_array(self, {"nonzero_count_cpu": UNSIGNED})
    elif not size:
        return lambda self, *_: empty((0, ndim), np.int64)

    def kernel(self: Any, *_: Any) -> Any:
        out = empty((size, ndim), np.int64)
        out.fill(number)
        for d, places in enumerate(self.nonzero() if ndim else ()):
            out[: len(places), d] = places[:size]
        return out

    return kernel


op(
    "nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor",
    says="Return the indices of a fixed number of elements that are not zero, filled "
    "up with a value.",
    meta=_meta,
    prepare=_prepare,
    grad=None,
    half=False,
    out=True,
    out_meta=_onto,
    samples="nonzero_static",
    tangent="refused",
    tags=("loops: functional",),
)
