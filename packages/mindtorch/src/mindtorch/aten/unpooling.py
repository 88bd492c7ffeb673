"""``max_unpool2d`` and ``max_unpool3d``: elements put back where a pooling found them.

Source: torch aten/src/ATen/native/MaxUnpooling.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindtorch.aten.adaptive_pooling import at_indices
from mindtorch.aten.index_bounds import bounds
from mindtorch.aten.pooling_window import finisher, like_input
from mindtorch.call.elementwise_meta import FLOATING, refuse
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name

__all__: list[str] = []


def _check(self: Any, indices: Any, n: int) -> None:
    name = f"max_unpooling{n}d"
    if indices.dtype.name != "int64":
        told = f" but got: {scalar_name(indices.dtype)}" if n == 2 else ""
        raise RuntimeError(f"elements in indices should be type int64{told}")
    if self.dim() not in (n + 1, n + 2):
        raise RuntimeError(
            f"Input to {name} should be a {n + 1}d or {n + 2}d Tensor, but got a tensor with "
            f"{self.dim()} dimensions."
        )
    if tuple(self.shape) != tuple(indices.shape):
        raise RuntimeError(
            "Expected shape of indices to be same as that of the input tensor "
            f"({list(self.shape)}) but got indices tensor with shape: {list(indices.shape)}"
        )


def _check_filled(self: Any, n: int) -> None:
    for i, size in enumerate(self.shape):
        if i and not size:
            raise RuntimeError(
                f"max_unpooling{n}d_forward_out_cpu(): Expected input to have non-zero size for "
                f"non-batch dimensions, but got {list(self.shape)} with dimension {i} being empty."
            )


def _check_size(output_size: Sequence[int], n: int) -> None:
    if min(output_size) < 0:
        raise RuntimeError(
            f"max_unpooling{n}d(): output_size must contain non-negative spatial dimensions, but "
            f"got output_size={tuple(output_size)}"
        )


def _meta_2d(self: Any, indices: Any, output_size: Sequence[int]) -> Out:
    if len(output_size) != 2:
        raise RuntimeError(
            "There should be exactly two elements (height, width) in output_size, but got "
            f"{len(output_size)} elements."
        )
    _check(self, indices, 2)
    _check_filled(self, 2)
    _check_size(output_size, 2)
    shape = (*self.shape[:-2], *output_size)
    refuse(self.dtype, {"max_unpool2d": frozenset({self.dtype.name}) - FLOATING}, self)
    as_input = self.dim() == 4 and self.device.type != "meta"
    return Out(shape, self.dtype, like_input(shape, self) if as_input else None)


def _meta_3d(
    self: Any, indices: Any, output_size: Sequence[int], stride: Sequence[int],
    padding: Sequence[int],
) -> Out:  # fmt: skip
    if len(output_size) != 3:
        raise RuntimeError(
            "There should be exactly three elements (depth, height, width) in output_size, but got "
            f"{len(output_size)} elements."
        )
    for name, values in (("stride", stride), ("padding", padding)):
        if len(values) != 3:
            raise RuntimeError(
                "There should be exactly three elements (depth, height, width) in "
                f"{name}, but got: {len(values)} elements."
            )
    _check(self, indices, 3)
    if min(stride) <= 0:
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(stride)}")
    _check_size(output_size, 3)
    _check_filled(self, 3)
    refuse(self.dtype, {"max_unpool3d": frozenset({self.dtype.name}) - FLOATING}, self)
    return Out((*self.shape[:-3], *output_size), self.dtype)


def _prepare(self: Any, indices: Any, output_size: Sequence[int], *rest: Any) -> Callable[..., Any]:
    n, dtype = len(output_size), self.dtype
    planes, volume = math.prod(self.shape[:-n]), math.prod(output_size)
    each, flat = math.prod(self.shape[-n:]), math.prod(self.shape)
    shape = (*self.shape[:-n], *output_size)
    start = np.arange(0, planes * volume, volume or 1)[:planes].repeat(each)
    find_bounds, zeros, size = bounds(flat), np.zeros, planes * volume
    finished, several, some = finisher(self, shape), planes > 1, bool(flat and volume)

    def kernel(self: Any, indices: Any, *_: Any) -> Any:
        out = zeros(size, dtype)
        if some:
            at = indices.reshape(flat)
            lowest, highest = find_bounds(at)
            if lowest < 0 or highest >= volume:
                raise _invalid(at[(at < 0) | (at >= volume)][-1], output_size)
            out[at + start if several else at] = self.reshape(flat)
        return finished(out)

    return kernel


def _invalid(index: Any, output_size: Sequence[int]) -> RuntimeError:
    said = "x".join(map(str, output_size))
    return RuntimeError(
        f"Found an invalid max index: {int(index)} (output volumes are of size {said})"
    )


op(
    "max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor",
    says="Put maxima back to the places where pooling in 2 dimensions found them, zeros elsewhere.",
    meta=_meta_2d,
    prepare=_prepare,
    half=False,
    module="nn",
    variants="function",
    grad={"self": lambda g, c: at_indices(g, c.indices, 2)},
    samples="max_unpool2d",
    tags=(
        "devices: indices, self",
        "loops: functional",
        "nondeterministic: max_unpooling2d_forward_out",
    ),
    tangent="linear",
    autocast=("float32", ""),
)
op(
    "max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, "
    "int[3] padding) -> Tensor",
    says="Put maxima back to the places where pooling in 3 dimensions found them, zeros elsewhere.",
    meta=_meta_3d,
    prepare=_prepare,
    half=False,
    module="nn",
    variants="function",
    grad={"self": lambda g, c: at_indices(g, c.indices, 3)},
    samples="max_unpool3d",
    tags=(
        "devices: indices, self",
        "loops: functional",
        "nondeterministic: max_unpooling3d_forward_out",
    ),
    tangent="linear",
    autocast=("float32", ""),
)
