"""Fractional max pooling: windows whose places are drawn, so that sizes shrink by any factor.

Source: torch aten/src/ATen/native/FractionalMaxPool2d.cpp, FractionalMaxPool3d.cpp,
FractionalMaxPooling.h.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int64

from mindtorch.aten.adaptive_pooling import at_indices
from mindtorch.aten.number_first import zeros_of
from mindtorch.aten.prepared import kept
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


def _starter(size: int, out: int, pool: int, planes: int, dtype: Any) -> Callable[[Any], Any]:
    """Where the windows of each plane begin: one row of *out* for each sample."""
    last = size - pool
    if out == 1:
        fixed = np.full((planes, 1), last)
        return lambda samples: fixed
    alpha = dtype.type(last) / dtype.type(out - 1)
    alpha, steps = np.array(alpha, dtype), np.arange(out - 1).astype(dtype)

    def starts(samples: Any) -> Any:
        places = steps + samples
        places *= alpha
        found = np.empty((planes, out), np.int64)
        found[:, -1] = last
        first = (samples * alpha).astype(np.int64)
        np.subtract(places.astype(np.int64), first, found[:, :-1])
        return found

    return starts


def _pool(n: int) -> Any:
    def prepare(
        self: Any, kernel_size: Sequence[int], output_size: Sequence[int], random_samples: Any
    ) -> Callable[..., tuple[Any, Any]]:
        dtype, sizes, lead = self.dtype, self.shape[-n:], self.shape[:-n]
        planes, volume = math.prod(lead), math.prod(sizes)
        shape, windows = (*lead, *output_size), planes * math.prod(output_size)
        if not windows:
            return lambda *args: (np.empty(shape, dtype), np.empty(shape, np.int64))
        strides = [math.prod(sizes[d + 1 :]) for d in range(n)]
        starters = [
            _starter(size, out, pool, planes, random_samples.dtype)
            for size, out, pool in zip(sizes, output_size, kernel_size, strict=True)
        ]
        inner = _summed([np.arange(pool) * step for pool, step in zip(kernel_size, strides)])
        plane = (np.arange(planes) * volume)[:, None]
        begins = kept(lambda: np.arange(windows) * inner.size)

        def kernel(
            self: Any, kernel_size: Any, output_size: Any, random_samples: Any
        ) -> tuple[Any, Any]:
            drawn = random_samples.reshape(-1, n)[:planes]
            if n == 2:
                drawn = drawn[:, ::-1]  # of images the width is drawn first
            first = _summed(
                [f(drawn[:, d : d + 1]) * strides[d] for d, f in enumerate(starters)], planes
            )
            number = first[..., None] + inner
            values = self.reshape(-1).take(number + plane[:, None]).reshape(windows, -1)
            best = values.argmax(-1)
            best += begins()
            out = values.reshape(-1).take(best)
            if math.isnan(out.dot(out)):  # the last NaN wins
                unknown = np.isnan(values)
                last = values.shape[-1] - 1 - unknown[:, ::-1].argmax(-1)
                best = np.where(unknown.any(-1), last + begins(), best)
            return out.reshape(shape), number.reshape(-1).take(best).reshape(shape)

        return kernel

    return prepare


def _summed(axes: Sequence[Any], rows: int = 0) -> Any:
    """All sums of one number of each axis; for each of *rows*, if there are any."""
    found = axes[0]
    for axis in axes[1:]:
        found = (found[..., None] + (axis[:, None] if rows else axis)).reshape(
            *found.shape[:-1], -1
        )
    return found


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
    def prepare(
        grad_output: Any, self: Any, kernel_size: Any, output_size: Any, indices: Any
    ) -> Callable[..., Any]:
        dtype, shape = grad_output.dtype, self.shape
        planes, volume = math.prod(shape[:-n]), math.prod(shape[-n:])
        if not planes:
            return lambda *args: np.zeros(shape, dtype)
        plane = (np.arange(planes) * volume)[:, None]

        def kernel(
            grad_output: Any, self: Any, kernel_size: Any, output_size: Any, indices: Any
        ) -> Any:
            places = indices.reshape(planes, -1) + plane
            total = np.bincount(places.reshape(-1), grad_output.reshape(-1), planes * volume)
            return total.astype(dtype).reshape(shape)

        return kernel

    return prepare


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
        prepare=_pool(_n),
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
        prepare=_backward(_n),
        variants="",
        grad={"grad_output": _TWICE[_n], "self": lambda g, c: zeros_of(g, tuple(c.self.shape))},
        samples=f"fractional_max_backward{_n}d",
        tags=("zero_tangents",),
    )
