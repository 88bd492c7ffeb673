"""Kernels of quantized images: pooling, and sizes that change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_dispatch import DispatchKey as K

from ...core.dims import channels_last
from ...core.operators import of
from ...tensor.array_memory import empty_array
from ...tensor.construction import wrap
from ...tensor.quantizer import as_steps, steps_of
from .kernels import of_one_scale, over_steps, quantized
from .making import suggested_strides
from .operators import define

__all__: list[str] = []


def _over_floats(name: str, refusal: str = "", ranks: tuple[int, ...] = ()) -> Callable[..., Any]:
    """The kernel of an op that moves numbers, which there is for floats: it moves the integers.

    :param refusal: what is said to scales of channels.
    :param ranks: how many dimensions may be there, where torch checks that first.
    """

    def kernel(self: Any, *args: Any) -> Any:
        if ranks and self.dim() not in ranks:
            raise RuntimeError(
                f"Expecting the input tensor of rank {' or '.join(map(str, ranks))}."
            )
        quantizer = of_one_scale(self, refusal)
        found = of(name)(wrap(steps_of(self._a_).astype(np.float64)), *args)
        return over_steps(wrap(found._a_.astype(as_steps(self.dtype))), quantizer)

    return kernel


for _name in (
    *("upsample_nearest2d", "upsample_nearest3d"),
    *("_upsample_nearest_exact2d", "_upsample_nearest_exact3d"),
):
    quantized.register(_name, _over_floats(_name), forms=False)
for _name in ("reflection_pad1d", "reflection_pad2d"):
    _pad = _over_floats(_name, "Only per tensor quantization is supported")
    quantized.register(_name, _pad, forms=False)


def _places(size: int, out: int, align: bool, scale: float | None) -> tuple[Any, Any, Any]:
    """The two neighbours of each of *out* places among *size*, and how near the second is."""
    where = np.arange(out, dtype=np.float32)
    if align:
        step = np.float32(size - 1) / np.float32(out - 1) if out > 1 else np.float32(0)
        source = step * where
    else:
        step = np.float32(1 / scale) if scale else np.float32(size) / np.float32(out)
        source = np.maximum(step * (where + np.float32(0.5)) - np.float32(0.5), np.float32(0))
    first = source.astype(np.int64)
    return first, np.minimum(first + 1, size - 1), source - first.astype(np.float32)


@quantized("upsample_bilinear2d", forms=False)
def _bilinear(
    self: Any, output_size: Any, align_corners: bool, scales_h: Any = None, scales_w: Any = None
) -> Any:
    """In single precision, as torch's kernel counts: its own last digits decide on halves."""
    quantizer = of_one_scale(self)
    steps = steps_of(self._a_).astype(np.float32)
    top, bottom, down = _places(steps.shape[2], output_size[0], align_corners, scales_h)
    left, right, over = _places(steps.shape[3], output_size[1], align_corners, scales_w)
    one, down = np.float32(1), down[:, None]

    def row(part: Any) -> Any:
        return (one - over) * part[..., left] + over * part[..., right]

    mixed = (one - down) * row(steps[:, :, top]) + down * row(steps[:, :, bottom])
    zero_point = np.float32(quantizer.zero_point)
    found = np.rint(mixed - zero_point + zero_point).astype(as_steps(self.dtype))
    layout = channels_last(found.shape) if suggested_strides(self) is not None else None
    made = empty_array(found.shape, found.dtype, layout)
    made[...] = found
    return over_steps(wrap(made), quantizer)


for _n, _ranks in ((1, ()), (2, (3, 4)), (3, (5,))):
    quantized.register(
        f"quantized_max_pool{_n}d", _over_floats(f"max_pool{_n}d", ranks=_ranks), forms=False
    )


def _pooled(n: int) -> Callable[..., Any]:
    """The largest of each window over *n* dimensions, by the name that ``quantized`` has for it."""

    def kernel(
        qx: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
    ) -> Any:
        pool = of(f"quantized_max_pool{n}d")
        return pool(qx, kernel_size, stride, padding, dilation, ceil_mode)

    return kernel


define(
    {
        f"max_pool{_n}d(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] dilation, "
        "bool ceil_mode) -> Tensor": _pooled(_n)
        for _n in (1, 2)
    },
    K.CompositeImplicitAutograd,
)


def _mean_pool(name: str) -> Callable[..., Any]:
    """Means of windows: their sums away from the zero point, times one rounded factor."""

    def kernel(self: Any, *args: Any) -> Any:
        quantizer = of_one_scale(self)
        away = steps_of(self._a_).astype(np.float64) - quantizer.zero_point
        if name == "avg_pool3d" and self.dim() == 4:
            raise RuntimeError("required rank 5 tensor to use channels_last_3d format")
        means = of(name)(wrap(away), *args)._a_
        kind = as_steps(self.dtype)
        info = np.iinfo(kind)
        steps = np.rint(means.astype(np.float32) + np.float32(quantizer.zero_point))
        return over_steps(wrap(np.clip(steps, info.min, info.max).astype(kind)), quantizer)

    return kernel


for _name in ("avg_pool2d", "avg_pool3d", "_adaptive_avg_pool2d", "_adaptive_avg_pool3d"):
    quantized.register(_name, _mean_pool(_name), forms=False)
