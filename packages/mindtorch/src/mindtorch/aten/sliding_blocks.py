"""Blocks that slide over images as columns, and their sum back: ``im2col``, ``col2im``.

A kernel is walked place by place: each place is one strided window of the padded image.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from mindtorch.aten.convolution_gather import columns_of, is_few
from mindtorch.call.elementwise_meta import INTEGRAL, refuse
from mindtorch.call.forms import SCALAR_TYPE, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import numel_of, size_at
from mindtorch.core.operators import ops

__all__: list[str] = []


class _Blocks:
    """The checked sizes of the blocks.

    Source: torch aten/src/ATen/native/im2col_shape_check.h.
    """

    __slots__ = ("dilation", "kernel", "padding", "stride")

    def __init__(self, kernel: Any, dilation: Any, padding: Any, stride: Any) -> None:
        self.kernel, self.dilation = tuple(kernel), tuple(dilation)
        self.padding, self.stride = tuple(padding), tuple(stride)

    def check(self) -> None:
        for what, values, prefix in (
            ("kernel size", self.kernel, "kernel"),
            ("dilation", self.dilation, "dilation"),
            ("padding", self.padding, "pad"),
            ("stride", self.stride, "stride"),
        ):
            least, says = (0, "non-negative") if prefix == "pad" else (1, "greater than zero")
            if min(values) < least:
                raise RuntimeError(
                    f"{what} should be {says}, but got {prefix}_height: {values[0]} "
                    f"{prefix}_width: {values[1]}"
                )

    def counts(self, size: Sequence[int]) -> tuple[int, int]:
        """How many blocks fit below and beside each other."""
        found = [
            (s + 2 * p - (d * (k - 1) + 1)) // t + 1
            for s, k, d, p, t in zip(
                size, self.kernel, self.dilation, self.padding, self.stride, strict=True
            )
        ]
        return found[0], found[1]

    def said(self, counts: bool = False) -> str:
        """The sizes as torch's texts have them."""
        more = f", stride={_pair(self.stride)}" if counts else ""
        return (
            f"kernel_size={_pair(self.kernel)}, dilation={_pair(self.dilation)}, "
            f"padding={_pair(self.padding)}{more}"
        )

    def windows(self, rows: int, columns: int) -> Iterator[tuple[slice, slice]]:
        """For each place in the kernel: the elements of the padded image that it meets."""
        (kh, kw), (dh, dw), (sh, sw) = self.kernel, self.dilation, self.stride
        for i, j in product(range(kh), range(kw)):
            yield (
                slice(i * dh, i * dh + (rows - 1) * sh + 1, sh),
                slice(j * dw, j * dw + (columns - 1) * sw + 1, sw),
            )


def _pair(values: Sequence[int]) -> str:
    return f"({values[0]}, {values[1]})"


def _expect_two(**lists: Sequence[int]) -> None:
    for name, values in lists.items():
        if len(values) != 2:
            raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(values)}")


def _im2col_meta(self: Any, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Out:
    _expect_two(kernel_size=kernel, dilation=dilation, padding=padding, stride=stride)
    blocks = _Blocks(kernel, dilation, padding, stride)
    blocks.check()
    shape = tuple(self.shape)
    n = len(shape)
    valid = size_at(self, 1) != 0 and size_at(self, 2) != 0
    if not ((n == 3 and shape[0] and valid) or (n == 4 and valid and shape[3])):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero "
            f"dimensions for input, but got: {list(shape)}"
        )
    rows, columns = blocks.counts(shape[-2:])
    if min(rows, columns) < 1:
        raise RuntimeError(
            f"Given input with spatial size {_pair(shape[-2:])}, {blocks.said()}, calculated shape "
            f"of the array of sliding blocks as {_pair((rows, columns))}, but its components must "
            "be at least one."
        )
    refuse(self.dtype, {"im2col_out_cpu": INTEGRAL}, self)
    return Out((*shape[:-3], shape[-3] * numel_of(kernel), rows * columns), self.dtype)


def _prepare_im2col(
    self: Any, kernel: Any, dilation: Any, padding: Any, stride: Any
) -> Callable[..., Any]:
    blocks = _Blocks(kernel, dilation, padding, stride)
    size, lead, channels = self.shape[-2:], self.shape[:-3], self.shape[-3]
    places = blocks.counts(size)
    images, shape = prod(lead), (*lead, channels * numel_of(kernel), prod(places))
    if is_few(images, channels, kernel, places):
        columns = columns_of(
            images, channels, 1, size, places, blocks.kernel, blocks.stride, blocks.padding,
            blocks.dilation,
        )  # fmt: skip
        return lambda self, *_: columns(self).reshape(shape)
    (ph, pw), (h, w) = blocks.padding, size
    windows = list(blocks.windows(*places))

    def kernel_of_many(self: Any, *_: Any) -> Any:
        padded = self
        if ph or pw:
            padded = np.zeros((*lead, channels, h + 2 * ph, w + 2 * pw), self.dtype)
            padded[..., ph : ph + h, pw : pw + w] = self
        out = np.empty((*lead, channels, len(windows), *places), self.dtype)
        for i, window in enumerate(windows):
            out[..., i, :, :] = padded[(..., *window)]
        return out.reshape(shape)

    return kernel_of_many


def _col2im_meta(
    self: Any, output_size: Any, kernel: Any, dilation: Any, padding: Any, stride: Any
) -> Out:
    _expect_two(
        output_size=output_size, kernel_size=kernel, dilation=dilation, padding=padding,
        stride=stride,
    )  # fmt: skip
    blocks = _Blocks(kernel, dilation, padding, stride)
    blocks.check()
    shape = tuple(self.shape)
    n = len(shape)
    if not ((n == 2 and 0 not in shape) or (n == 3 and shape[1] and shape[2])):
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and "
            f"non-zero dimensions for input, but got: {list(shape)}"
        )
    planes, length = shape[-2:]
    if planes % numel_of(kernel):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, "
            f"but got input.size(1)={planes} and kernel_size={_pair(kernel)}."
        )
    rows, columns = blocks.counts(output_size)
    given = f"Given output_size={_pair(output_size)}, {blocks.said(counts=True)}"
    if length != rows * columns:
        raise RuntimeError(
            f"{given}, expected size of input's dimension 2 to match the calculated number of "
            f"sliding blocks {rows} * {columns} = {rows * columns}, but got input.size(2)={length}."
        )
    if min(rows, columns) < 1:
        raise RuntimeError(
            f"{given}, calculated shape of the array of sliding blocks as "
            f"{_pair((rows, columns))}, which is too small (non-positive)"
        )
    if min(output_size) < 1:
        raise RuntimeError(
            f"Expected output spatial size to be positive, but got: output_size="
            f"{_pair(output_size)}."
        )
    refuse(self.dtype, {"col2im_out_cpu": INTEGRAL}, self)
    return Out((*shape[:-2], planes // numel_of(kernel), *output_size), self.dtype)


def _prepare_col2im(
    self: Any, output_size: Any, kernel: Any, dilation: Any, padding: Any, stride: Any
) -> Callable[..., Any]:
    blocks = _Blocks(kernel, dilation, padding, stride)
    rows, columns = blocks.counts(output_size)
    lead, channels = self.shape[:-2], self.shape[-2] // numel_of(kernel)
    (ph, pw), (h, w) = blocks.padding, output_size
    parts = (*lead, channels, numel_of(kernel), rows, columns)
    windows = list(blocks.windows(rows, columns))
    whole = (*lead, channels, h + 2 * ph, w + 2 * pw)
    if self.dtype.char in "fd" and prod(whole) <= _FEW and self.size <= _FEW:
        # Where each number goes, for one sum over all of them.
        numbers = np.arange(prod(whole)).reshape(whole)
        places = np.empty(parts, np.int64)
        for i, window in enumerate(windows):
            places[..., i, :, :] = numbers[(..., *window)]
        places, count, dtype = places.reshape(-1), prod(whole), self.dtype
        inside, bincount = (..., slice(ph, ph + h), slice(pw, pw + w)), np.bincount

        def kernel_of_few(self: Any, *_: Any) -> Any:
            out = bincount(places, self.reshape(-1), count).reshape(whole)
            return out[inside].astype(dtype, "C")

        return kernel_of_few

    def kernel_of_many(self: Any, *_: Any) -> Any:
        values = self.reshape(parts)
        out = np.zeros(whole, self.dtype)
        for i, window in enumerate(windows):
            out[(..., *window)] += values[..., i, :, :]
        # A copy even where the part is contiguous: a result has memory of its own size.
        return out[..., ph : ph + h, pw : pw + w].copy() if ph or pw else out

    return kernel_of_many


#: So many numbers are added up in one step, in double precision.
_FEW = 4096


op(
    "im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride)"
    " -> Tensor",
    says="Return the sliding blocks of images as columns.",
    meta=_im2col_meta,
    prepare=_prepare_im2col,
    half=False,
    grad={
        "self": lambda g, c: ops.col2im(
            g, c.self.shape[-2:], c.kernel_size, c.dilation, c.padding, c.stride
        )
    },
    module="nn",
    variants="function",
    out=OutForm(text=SCALAR_TYPE, quiet=True, overlap="unchecked"),
    samples="im2col",
    tags=("moves_mask",),
)
op(
    "col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, "
    "int[2] padding, int[2] stride) -> Tensor",
    says="Sum up columns that are sliding blocks into images.",
    meta=_col2im_meta,
    prepare=_prepare_col2im,
    half=False,
    grad={"self": lambda g, c: ops.im2col(g, c.kernel_size, c.dilation, c.padding, c.stride)},
    module="nn",
    variants="function",
    out=OutForm(text=SCALAR_TYPE, quiet=True, overlap="unchecked"),
    samples="col2im",
    tags=("rounds", "moves_mask"),
)
