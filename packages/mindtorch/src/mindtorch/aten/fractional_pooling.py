"""Fractional max pooling: windows whose places are drawn, so that sizes shrink by any factor.

Source: torch aten/src/ATen/native/FractionalMaxPool2d.cpp, FractionalMaxPool3d.cpp,
FractionalMaxPooling.h.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int64

from mindtorch.aten.adaptive_pooling import at_indices
from mindtorch.aten.number_first import zeros_of
from mindtorch.call.elementwise_meta import FLOATING, refuse
from mindtorch.call.row import Out, op
from mindtorch.core.operators import ops

__all__: list[str] = []

_AXES = {2: ("height", "width"), 3: ("time", "height", "width")}


def _meta(n: int) -> Any:
    name = f"fractional_max_pool{n}d"
    where = name if n == 2 else f"{name}_out"

    def meta(
        self: Any, kernel_size: Sequence[int], output_size: Sequence[int], random_samples: Any
    ) -> tuple[Out, Out]:
        for what, values in (("kernel_size", kernel_size), ("output_size", output_size)):
            if len(values) != n:
                kind = f"a single Int or tuple of {'' if n == 2 else 'three '}Ints"
                raise RuntimeError(f"{name}: {what} must either be {kind}")
        ndim = self.dim()
        if ndim not in (n + 1, n + 2):
            raise RuntimeError(
                f"{where}(): Expected {n + 1}D or {n + 2}D tensor, but got: {list(self.shape)}"
            )
        for i in range(ndim - n - 1, ndim):
            if not self.shape[i]:
                raise RuntimeError(
                    f"{where}(): Expected input to have non-zero size for non-batch dimensions, "
                    f"but got{list(self.shape)} with dimension {i} being empty."
                )
        for axis, size, out, pool in zip(
            _AXES[n], self.shape[-n:], output_size, kernel_size, strict=True
        ):
            if out + pool - 1 > size:
                raise RuntimeError(
                    f"{where}(): pool {axis} {pool} too large relative to input {axis} {size}"
                )
        if random_samples.dtype is not self.dtype:
            raise RuntimeError("Expect _random_samples to have the same dtype as input")
        if random_samples.dim() != 3:
            raise RuntimeError(
                f"Expect _random_samples to have 3 dimensions, got {random_samples.dim()}"
            )
        batch = self.shape[0] if ndim == n + 2 else 1
        if random_samples.shape[0] < batch:
            raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
        if random_samples.shape[1] != self.shape[-n - 1]:
            raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
        if random_samples.shape[2] != n:
            raise RuntimeError(
                f"Expect _random_samples.size(2) equals to {n}; got {random_samples.shape[2]}."
            )
        refuse(self.dtype, {f"{name}_out_frame": frozenset({self.dtype.name}) - FLOATING}, self)
        shape = (*self.shape[:-n], *output_size)
        return Out(shape, self.dtype), Out(shape, int64)

    return meta


def _starts(samples: Any, size: int, out: int, pool: int) -> Any:
    """Where the windows of each plane begin: one row of *out* for each sample."""
    last = np.full((len(samples), 1), size - pool, np.int64)
    if out == 1:
        return last
    kind = samples.dtype.type
    alpha = kind(size - pool) / kind(out - 1)
    steps = np.arange(out - 1).astype(samples.dtype)
    places = ((steps + samples[:, None]) * alpha).astype(np.int64)
    return np.concatenate((places - (samples[:, None] * alpha).astype(np.int64), last), 1)


def _pool(n: int) -> Any:
    def kernel(
        self: Any, kernel_size: Sequence[int], output_size: Sequence[int], random_samples: Any
    ) -> tuple[Any, Any]:
        sizes, lead = self.shape[-n:], self.shape[:-n]
        planes, volume = math.prod(lead), math.prod(sizes)
        if not math.prod(output_size):
            shape = (*lead, *output_size)
            return np.empty(shape, self.dtype), np.empty(shape, np.int64)
        drawn = random_samples.reshape(-1, n)[:planes]
        if n == 2:
            drawn = drawn[:, ::-1]  # of images the width is drawn first
        flat = self.reshape(planes, volume)
        number: Any = 0
        count = n * 2
        for d in range(n):
            starts = _starts(drawn[:, d], sizes[d], output_size[d], kernel_size[d])
            inner = np.arange(kernel_size[d])
            shape = [planes] + [1] * count
            shape[1 + d], shape[1 + n + d] = output_size[d], kernel_size[d]
            places = (starts[:, :, None] + inner).reshape(shape)
            number = number * sizes[d] + places
        number = number.reshape(planes, math.prod(output_size), math.prod(kernel_size))
        row = np.arange(planes)[:, None, None]
        values = flat[row, number]
        best = values.argmax(-1)
        unknown = np.isnan(values)
        if unknown.any():  # the last NaN wins
            last = values.shape[-1] - 1 - unknown[..., ::-1].argmax(-1)
            best = np.where(unknown.any(-1), last, best)
        out = np.take_along_axis(values, best[..., None], -1)[..., 0]
        where = np.take_along_axis(number, best[..., None], -1)[..., 0]
        shape = (*lead, *output_size)
        return out.reshape(shape), where.reshape(shape)

    return kernel


def _backward_meta(n: int) -> Any:
    def meta(grad_output: Any, self: Any, kernel_size: Any, output_size: Any, indices: Any) -> Out:
        name = f"fractional_max_pool{n}d_backward"
        for d, axis in enumerate(_AXES[n]):
            if grad_output.shape[grad_output.dim() - n + d] != output_size[d]:
                raise RuntimeError(f"{name}: gradOutput {axis} unexpected")
        kinds = frozenset({self.dtype.name}) - FLOATING
        refuse(self.dtype, {f"{name}_out_frame": kinds}, self)
        return Out(tuple(self.shape), self.dtype)

    return meta


def _backward(n: int) -> Any:
    def kernel(
        grad_output: Any, self: Any, kernel_size: Any, output_size: Any, indices: Any
    ) -> Any:
        planes, volume = math.prod(self.shape[:-n]), math.prod(self.shape[-n:])
        if not planes:
            return np.zeros(self.shape, grad_output.dtype)
        places = indices.reshape(planes, -1) + (np.arange(planes) * volume)[:, None]
        total = np.bincount(places.reshape(-1), grad_output.reshape(-1), planes * volume)
        return total.astype(grad_output.dtype).reshape(self.shape)

    return kernel


_BACK = {
    2: lambda g, c: ops.fractional_max_pool2d_backward(
        g[0], c.self, c.kernel_size, c.output_size, c.result1
    ),
    3: lambda g, c: ops.fractional_max_pool3d_backward(
        g[0], c.self, c.kernel_size, c.output_size, c.result1
    ),
}
_TWICE = {
    2: lambda g, c: at_indices(g, c.indices, 2),
    3: lambda g, c: at_indices(g, c.indices, 3),
}
for _n in (2, 3):
    op(
        f"fractional_max_pool{_n}d(Tensor self, int[{_n}] kernel_size, int[{_n}] output_size, "
        "Tensor random_samples) -> (Tensor, Tensor)",
        says=f"Return maxima of windows of random places, in {_n} dimensions, and their indices.",
        meta=_meta(_n),
        kernel=_pool(_n),
        half=False,
        module="nn",
        variants="function",
        grad={"self": _BACK[_n]},
        autocast=("float32", ""),
        samples=f"fractional_max_pool{_n}d",
    )
    op(
        f"fractional_max_pool{_n}d_backward(Tensor grad_output, Tensor self, int[{_n}] kernel_size,"
        f" int[{_n}] output_size, Tensor indices) -> Tensor",
        meta=_backward_meta(_n),
        kernel=_backward(_n),
        variants="",
        grad={"grad_output": _TWICE[_n], "self": lambda g, c: zeros_of(g, tuple(c.self.shape))},
        samples=f"fractional_max_backward{_n}d",
        tags=("zero_tangents",),
    )
