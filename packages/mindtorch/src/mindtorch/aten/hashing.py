"""The hash of a tensor's elements: ``hash_tensor``."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import uint64

from ..call.elementwise_meta import COMPLEX, UNSIGNED, refuse
from ..call.row import Out, op
from ..core.dims import all_dims, reduced_shape
from .reduction import keep

__all__: list[str] = []


def _meta(self: Any, dim: Any, keepdim: bool, mode: int) -> Out:
    shape = self.shape
    if 0 in shape and not dim:
        raise RuntimeError(
            "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. "
            "Specify the reduction dim with the 'dim' argument."
        )
    axes = all_dims(dim, len(shape))
    for axis in axes:
        if shape[axis] == 0:
            raise IndexError(f"hash_tensor: Expected reduction dim {axis} to have non-zero size.")
    if mode:
        raise RuntimeError(f"Unknown hash_tensor mode: {mode}")
    if self.numel():
        refuse(self.dtype, {"xor_sum_cpu": COMPLEX | UNSIGNED}, self)
    return Out(reduced_shape(shape, axes, keepdim), uint64)


def _onto(target: Any, self: Any, dim: Any, keepdim: bool, mode: int) -> Out:
    if target.dtype is not uint64:
        raise RuntimeError(
            f"Expected result to be of dtype uint64, but got {target.dtype.scalar_type}"
        )
    if target.device != self.device:
        raise RuntimeError(
            f"Expected out tensor to have device {self.device}, but got {target.device} instead"
        )
    return _meta(self, dim, keepdim, mode)


def _kernel(self: Any, dim: Any, keepdim: bool, mode: int) -> Any:
    """The exclusive or of the elements' bits, each widened to 64 of its own kind."""
    axes = all_dims(dim, self.ndim)
    if not self.size:
        return np.zeros(reduced_shape(self.shape, axes, keepdim), np.uint64)
    whole = self.dtype.kind in "iub"
    wide = self.astype(np.int64 if whole else np.float64, order="C")
    if not whole:
        wide[np.isnan(wide)] = np.nan  # every NaN has the same bits
    found = np.bitwise_xor.reduce(wide.view(np.uint64), axes or None)
    return keep(np.asarray(found), self.shape, axes, keepdim)


op(
    "hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor",
    says="Return a hash of the elements, of the whole tensor or along dimensions.",
    meta=_meta,
    kernel=_kernel,
    grad=None,
    half=False,
    out=True,
    out_meta=_onto,
    samples="hash_tensor",
)
