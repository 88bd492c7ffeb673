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
from mindtorch.aten.prepared import kept
from mindtorch.aten.reflected import zeros_of
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
            if out + pool - 1 > size - (n == 3):  # torch leaves one element of volumes over
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


def _pool(n: int) -> Any:
    def prepare(
        self: Any, kernel_size: Sequence[int], output_size: Sequence[int], random_samples: Any
    ) -> Callable[..., tuple[Any, Any]]:
        dtype, kind = self.dtype, random_samples.dtype
        sizes, lead = self.shape[-n:], self.shape[:-n]
        planes, volume, count = math.prod(lead), math.prod(sizes), math.prod(output_size)
        shape = (*lead, *output_size)
        if not planes * count:
            return lambda *args: (np.empty(shape, dtype), np.empty(shape, np.int64))
        strides = [math.prod(sizes[d + 1 :]) for d in range(n)]
        # A column for each place of a window along an axis; the last place of an axis is fixed.
        drawn, steps, growths, jumps, fixed = [], [], [], [], []
        for d, out in enumerate(output_size):
            last = sizes[d] - kernel_size[d]
            growth = kind.type(last) / kind.type(max(out - 1, 1))
            drawn += [n - 1 - d if n == 2 else d] * out  # of images the width is drawn first
            steps += [*range(out)]
            growths += [*[growth] * (out - 1), kind.type(0)]
            jumps += [strides[d]] * out
            fixed += [*[0] * (out - 1), last * strides[d]]
        columns = np.array(drawn)
        each_plane = (planes, len(drawn))
        step, growth = np.full(each_plane, steps, kind), np.full(each_plane, growths, kind)
        jump = np.full(each_plane, jumps, np.int64)
        starts = [[sum(output_size[:d])] for d in range(n)]
        along = np.array(np.unravel_index(np.arange(count), output_size)) + np.array(starts)
        plane, row = np.arange(planes)[:, None] * volume, np.array(fixed)[along].sum(0)
        inner = np.dot(strides, np.indices(kernel_size).reshape(n, -1))
        each, whole = np.repeat(np.arange(count), inner.size), (planes, count, inner.size)
        offsets = kept(lambda: plane + (row[:, None] + inner).reshape(-1))
        before = kept(lambda: np.repeat(plane, count, 1))
        begins = kept(lambda: (np.arange(planes * count) * inner.size).reshape(planes, count))

        def kernel(
            self: Any, kernel_size: Any, output_size: Any, random_samples: Any
        ) -> tuple[Any, Any]:
            samples = random_samples.reshape(-1, n)[:planes].take(columns, 1)
            places = samples + step
            places *= growth
            samples *= growth
            start = places.astype(np.int64)
            start -= samples.astype(np.int64)
            start *= jump
            first = start.take(along[0], 1)
            for axis in along[1:]:
                first += start.take(axis, 1)
            number = first.take(each, 1)
            number += offsets()
            values = self.reshape(-1).take(number).reshape(whole)
            best = values.argmax(2)
            best += begins()
            out = values.take(best)
            flat = out.reshape(-1)
            if math.isnan(flat.dot(flat)):  # the last NaN wins
                unknown = np.isnan(values)
                last = values.shape[-1] - 1 - unknown[..., ::-1].argmax(2)
                best = np.where(unknown.any(2), last + begins(), best)
                out = values.take(best)
            where = number.take(best)
            where -= before()
            return out.reshape(shape), where.reshape(shape)

        return kernel

    return prepare


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
        tags=("loops: functional",),
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
