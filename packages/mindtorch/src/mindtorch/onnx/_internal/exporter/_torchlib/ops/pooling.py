"""Pooling."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..._building import INT64, Builder, Value
from ..._errors import DispatchError
from ..._registration import TRANSLATIONS
from .convolution import batched, many


def _output(size: int, kernel: int, stride: int, pad: int, dilation: int, ceil: bool) -> int:
    """How many windows torch has: none begins behind the elements and what stands before them."""
    over = size + 2 * pad - dilation * (kernel - 1) - 1
    count = -(-over // stride) + 1 if ceil else over // stride + 1
    if ceil and (count - 1) * stride >= size + pad:
        count -= 1
    return count


class Windows:
    """How windows lie in the spatial dimensions; torch's rules said without ``ceil_mode``.

    What ``ceil_mode`` adds is said by more elements at the end, of which the versions of ONNX's
    operators do not differ.
    """

    def __init__(
        self,
        value: Value,
        kernel: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        ceil: bool,
        spatial: int,
    ) -> None:
        self.kernel = many(kernel, spatial)
        self.strides = many(stride, spatial) if stride else self.kernel
        self.pads = many(padding, spatial)
        self.dilations = many(dilation, spatial)
        self.ends = list(self.pads)
        self.sizes = (value.shape or ())[-spatial:]
        if not ceil:
            return
        if not all(isinstance(s, int) for s in self.sizes):
            raise DispatchError("ceil_mode with a size that varies")
        for i, size in enumerate(self.sizes):
            k, s, p, d = self.kernel[i], self.strides[i], self.pads[i], self.dilations[i]
            count = _output(size, k, s, p, d, True)
            self.ends[i] = max((count - 1) * s + d * (k - 1) + 1 - size - p, 0)

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes of a node."""
        return {
            "kernel_shape": self.kernel,
            "strides": self.strides,
            "pads": [*self.pads, *self.ends],
        }


def _max_pool(spatial: int, with_indices: bool) -> Any:
    def translate(
        g: Builder,
        self: Value,
        kernel_size: Any,
        stride: Any = (),
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
    ) -> Any:
        value, added = batched(g, self, spatial)
        windows = Windows(self, kernel_size, stride, padding, dilation, ceil_mode, spatial)
        found = list(
            g.ops(
                "MaxPool",
                2 if with_indices else 1,
                value,
                dtypes=(None, INT64) if with_indices else None,
                dilations=windows.dilations,
                **windows.attributes,
            )
        )
        if with_indices:  # ONNX counts through the whole tensor, torch through a plane
            plane = g.ints(windows.sizes)
            found[1] = g.op("Mod", found[1], g.op("ReduceProd", plane, g.ints([0]), keepdims=0))
        if added:
            found = [g.axes("Squeeze", f, [0]) for f in found]
        return tuple(found) if with_indices else found[0]

    return translate


for _spatial in (1, 2, 3):
    TRANSLATIONS[f"max_pool{_spatial}d"] = _max_pool(_spatial, False)
    TRANSLATIONS[f"max_pool{_spatial}d_with_indices"] = _max_pool(_spatial, True)


def _average_pool(spatial: int) -> Any:
    def translate(
        g: Builder,
        self: Value,
        kernel_size: Any,
        stride: Any = (),
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Value:
        value, added = batched(g, self, spatial)
        windows = Windows(self, kernel_size, stride, padding, 1, ceil_mode, spatial)
        more = [e - p for e, p in zip(windows.ends, windows.pads, strict=True)]
        if divisor_override:
            found = _sum_pool(g, value, windows, spatial)
            found = g.op("Div", found, divisor_override)
        elif any(m > 0 for m in more) and count_include_pad:
            found = _sum_pool(g, value, windows, spatial)
            found = g.op("Div", found, g.const(_counts(windows), self.dtype))
        else:
            include = int(count_include_pad and any(windows.pads))
            found = g.op("AveragePool", value, count_include_pad=include, **windows.attributes)
        return g.axes("Squeeze", found, [0]) if added else found

    return translate


def _sum_pool(g: Builder, value: Value, windows: Windows, spatial: int) -> Value:
    """The sums of windows."""
    pads = [0, 0, *windows.pads, 0, 0, *windows.ends]
    padded = g.op("Pad", value, g.ints(pads)) if any(pads) else value
    mean = g.op("AveragePool", padded, kernel_shape=windows.kernel, strides=windows.strides)
    return g.op("Mul", mean, prod(windows.kernel))


def _counts(windows: Windows) -> Any:
    """By how much torch divides: elements and those of ``padding``, none behind these."""
    counts = np.ones(())
    for i, size in enumerate(windows.sizes):
        k, s, p = windows.kernel[i], windows.strides[i], windows.pads[i]
        number = (size + p + windows.ends[i] - k) // s + 1
        starts = np.arange(number) * s - p
        counts = counts[..., None] * (np.minimum(starts + k, size + p) - starts)
    return counts


for _spatial in (1, 2, 3):
    TRANSLATIONS[f"avg_pool{_spatial}d"] = _average_pool(_spatial)


# To given sizes -----------------------------------------------------------------------------------


def _bounds(size: int, out: int) -> list[tuple[int, int]]:
    return [(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]


def _regular(size: int, out: int) -> bool:
    return out > 0 and size % out == 0


def _adaptive_average(spatial: int) -> Any:
    def translate(g: Builder, self: Value, output_size: Any) -> Value:
        outs = [
            self.sizes[-spatial + i] if o is None else o
            for i, o in enumerate(many(output_size, spatial))
        ]
        first = self.rank - spatial
        if all(out == 1 for out in outs):
            axes = list(range(first, self.rank))
            return g.op("ReduceMean", self, g.ints(axes), keepdims=1)
        sizes = (self.shape or ())[-spatial:]
        if all(map(_regular, sizes, outs)):
            kernel = [s // o for s, o in zip(sizes, outs, strict=True)]
            value, added = batched(g, self, spatial)
            found = g.op("AveragePool", value, kernel_shape=kernel, strides=kernel)
            return g.axes("Squeeze", found, [0]) if added else found
        found = self
        for i, (size, out) in enumerate(zip(sizes, outs, strict=True)):
            weights = np.zeros((size, out))
            for column, (begin, end) in enumerate(_bounds(size, out)):
                weights[begin:end, column] = 1 / (end - begin)
            order = [j for j in range(self.rank) if j != first + i] + [first + i]
            back = [order.index(j) for j in range(self.rank)]
            turned = g.op("Transpose", found, perm=order)
            product = g.op("MatMul", turned, g.const(weights, self.dtype))
            found = g.op("Transpose", product, perm=back)
        return found

    return translate


for _spatial in (2, 3):
    TRANSLATIONS[f"_adaptive_avg_pool{_spatial}d"] = _adaptive_average(_spatial)


def _adaptive_max(spatial: int) -> Any:
    def translate(g: Builder, self: Value, output_size: Any) -> tuple[Value, Value]:
        outs = [
            self.sizes[-spatial + i] if o is None else o
            for i, o in enumerate(many(output_size, spatial))
        ]
        first = self.rank - spatial
        sizes = (self.shape or ())[-spatial:]
        # One dimension becomes two, windows and what is in them; the last element of a window
        # stands several times where others have more.
        found, flat = self, np.zeros((1,) * (2 * spatial), np.int64)
        for i, (size, out) in enumerate(zip(sizes, outs, strict=True)):
            bounds = _bounds(size, out)
            longest = max(end - begin for begin, end in bounds)
            places = np.array([[min(b + j, e - 1) for j in range(longest)] for b, e in bounds])
            found = g.op("Gather", found, g.const(places), axis=first + 2 * i)
            shape = [1] * (2 * spatial)
            shape[2 * i : 2 * i + 2] = places.shape
            flat = flat * size + places.reshape(shape)
        outer, inner = list(range(0, 2 * spatial, 2)), list(range(1, 2 * spatial, 2))
        order = [*range(first), *(first + d for d in (*outer, *inner))]
        leading = [g.size(self, i) for i in range(first)]
        windows = g.reshape(g.op("Transpose", found, perm=order), [*leading, *outs, -1])
        table = flat.transpose(*outer, *inner).reshape(*outs, -1)
        best = g.op("ArgMax", windows, axis=-1, keepdims=1, dtype=INT64)
        spread = g.expand(g.const(table), [*leading, *table.shape])
        place = g.op(
            "Squeeze", g.op("GatherElements", spread, best, axis=first + spatial), g.ints([-1])
        )
        return g.op("ReduceMax", windows, g.ints([-1]), keepdims=0), place

    return translate


for _spatial in (1, 2, 3):
    TRANSLATIONS[f"adaptive_max_pool{_spatial}d"] = _adaptive_max(_spatial)
