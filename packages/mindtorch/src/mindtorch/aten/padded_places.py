"""A given number of places of elements that are not zero: ``nonzero_static``."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import int64

from ..call.elementwise_meta import UNSIGNED, refuse_array
from ..call.row import Out, op

__all__: list[str] = []


def _meta(self: Any, size: int, fill_value: int) -> Out:
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    return Out((size, len(self.shape)), int64)


def _onto(target: Any, self: Any, size: int, fill_value: int) -> Out:
    if target.dtype is not int64:
        raise RuntimeError(
            "nonzero_static: Expected out tensor to have scalar type Long but got scalar type"
            f"{target.dtype.scalar_type}"
        )
    return _meta(self, size, fill_value)


def _kernel(self: Any, size: int, fill_value: int) -> Any:
    """The first *size* places; rows of *fill_value* after the last."""
    if size and self.ndim:
        refuse_array(self, {"nonzero_count_cpu": UNSIGNED})
    out = np.full((size, self.ndim), fill_value, np.int64)
    if self.ndim:
        found = np.argwhere(self)[:size]
        out[: len(found)] = found
    return out


op(
    "nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor",
    says="Return the indices of a fixed number of elements that are not zero, filled "
    "up with a value.",
    meta=_meta,
    kernel=_kernel,
    grad=None,
    half=False,
    out=True,
    out_meta=_onto,
    samples="nonzero_static",
    tangent="refused",
)
