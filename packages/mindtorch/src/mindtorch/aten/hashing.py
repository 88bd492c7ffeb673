"""The hash of a tensor's elements: ``hash_tensor``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import uint64

from ..call.elementwise_meta import COMPLEX, UNSIGNED, refuse
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import all_dims, reduced_shape

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


def _prepare(self: Any, dim: Any, keepdim: bool, mode: int) -> Callable[..., Any]:
    """The exclusive or of the elements' bits, each widened to 64 of its own kind."""
    axes = all_dims(dim, self.ndim)
    shape, bits = reduced_shape(self.shape, axes, keepdim), np.dtype(np.uint64)
    if not self.size:
        return lambda self, *_: np.zeros(shape, bits)
    whole = self.dtype.kind in "iub"
    wider, nan = np.dtype(np.int64 if whole else np.float64), np.array(np.nan)
    reduce, isnan, put = np.bitwise_xor.reduce, np.isnan, np.putmask

    def kernel(self: Any, *_: Any) -> Any:
        wide = self.astype(wider, "C")
        if not whole:
            put(wide, isnan(wide), nan)  # every NaN has the same bits
        return reduce(wide.view(bits), axes or None, None, None, True).reshape(shape)

    return kernel


op(
    "hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor",
    says="Return a hash of the elements, of the whole tensor or along dimensions.",
    meta=_meta,
    prepare=_prepare,
    grad=None,
    half=False,
    out=OutForm(meta="native", overlap="unchecked"),
    out_meta=_onto,
    samples="hash_tensor",
    tags=("loops: functional",),
)
