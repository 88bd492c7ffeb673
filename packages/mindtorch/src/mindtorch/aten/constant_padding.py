"""``constant_pad_nd``: the tensor in a larger one, or a part of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage import layout
from mindtorch_storage.dtype import from_numpy

from mindtorch.aten.scalars import filling
from mindtorch.call.row import Out, op
from mindtorch.core.dims import element_strides, laid_out, preserved_strides
from mindtorch.core.operators import ops

__all__: list[str] = []

wrap_dim = layout.wrap_dim


def _pad_meta(self: Any, pad: Sequence[int], value: Any) -> Out:
    shape = tuple(self.shape)
    n, pairs = len(shape), len(pad) // 2
    if len(pad) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    if pairs > n:
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. "
            f"Pad length is {len(pad)}while the input has {n}dimensions."
        )
    out = list(shape)
    for i in range(pairs):
        before, after = pad[2 * i], pad[2 * i + 1]
        d = n - 1 - i
        out[d] = shape[d] + before + after
        # The parts that negative pads cut off are taken with narrow(), before others are added.
        if shape[d] + min(before, 0) + min(after, 0) < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
    if all(p <= 0 for p in pad):
        return Out(tuple(out), self.dtype, preserved_strides(tuple(out), tuple(self.stride())))
    filling(value, self.dtype, out)
    strides = tuple(self.stride())
    if layout.is_channels_last(shape, strides):
        return Out(tuple(out), self.dtype, layout.channels_last_strides(out))
    return Out(tuple(out), self.dtype)


def _is_nothing(value: Any) -> bool:
    """Whether *value* is the zero whose bits are."""
    return not value and not isinstance(value, complex) and math.copysign(1.0, value) > 0


def _prepare_pad(self: Any, pad: Sequence[int], value: Any) -> Callable[..., Any]:
    n = self.ndim
    out = [*self.shape]
    src = [slice(None)] * n
    dst = [slice(None)] * n
    for i in range(len(pad) // 2):
        before, after = pad[2 * i], pad[2 * i + 1]
        d = n - 1 - i
        size = self.shape[d]
        out[d] = size + before + after
        src[d] = slice(max(0, -before), size - max(0, -after))
        dst[d] = slice(max(0, before), out[d] - max(0, after))
    strides = element_strides(self)
    inside, place = tuple(src), tuple(dst)
    if all(p <= 0 for p in pad):

        def cut(self: Any, *_: Any) -> Any:
            part = self[inside]
            return laid_out(part, preserved_strides(part.shape, strides))

        return cut
    last = layout.is_channels_last(self.shape, strides)
    shape = (out[0], *out[2:], out[1]) if last else tuple(out)
    order = (0, n - 1, *range(1, n - 1))
    number = None if _is_nothing(value) else filling(value, from_numpy(self.dtype), out)

    def kernel(self: Any, *_: Any) -> Any:
        if number is None:
            whole = np.zeros(shape, self.dtype)
        else:
            whole = np.empty(shape, self.dtype)
            whole.fill(number)
        if last:
            whole = whole.transpose(order)
        whole[place] = self[inside]
        return whole

    return kernel


op(
    "constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor",
    says="""Pad the borders with a constant; negative amounts cut off.

    >>> torch.constant_pad_nd(torch.tensor([[1, 2]]), (1, 2), 9)
    tensor([[9, 1, 2, 9, 9]])
    """,
    meta=_pad_meta,
    prepare=_prepare_pad,
    half=False,
    variants="function",
    grad={"self": lambda g, c: ops.constant_pad_nd(g, tuple([-p for p in c.pad]), 0)},
    samples="constant_pad",
)
