"""Pooling to a given size: the largest of each bin, and the mean of bins in three dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from mindtorch_storage.dtype import int64
from mindtorch_storage.errors import storage_size_overflow
from mindtorch_storage.layout import numel_checked

from mindtorch.aten.pooling_window import (
    added_at,
    bins,
    check_one,
    expect_dims,
    in_layout_of,
    largest_at,
    like_input,
    mean_of_images,
    means_at,
    refuse_empty_gradient,
    spread_at,
)
from mindtorch.aten.reflected import zeros_of
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name
from mindtorch.core.errors import c_type_name
from mindtorch.core.operators import ops

__all__ = ["at_indices"]

_LACKS = INTEGRAL | BOOL | COMPLEX


def _bins(size: int, count: int) -> list[slice]:
    return [slice(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


def _windows(size: Sequence[int], out: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """Each element of the result, and what of the input it is made of."""
    axes = [list(enumerate(_bins(s, o))) for s, o in zip(size, out, strict=True)]
    for picked in product(*axes):
        yield tuple([i for i, _ in picked]), tuple([window for _, window in picked])


def _check_filled(name: str, self: Any, first: int) -> None:
    shape = list(self.shape)
    for i in range(first, len(shape)):
        if not shape[i]:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but "
                f"input has sizes {shape} with dimension {i} being empty"
            )


def _check_bytes(shape: Sequence[int], itemsize: int) -> None:
    """Raise where a result would have more bytes than a size can say: its windows are many."""
    if math.prod(shape) * itemsize >= 1 << 63:
        raise storage_size_overflow(shape, None)


def _said(n: int) -> str:
    return f"{n + 1}D or {n + 2}D"


# -- the largest --------------------------------------------------------------------------------


def _max_meta(n: int) -> Any:
    name = f"adaptive_max_pool{n}d"
    kernel = name if n == 2 else f"{name}_cpu"

    def meta(self: Any, output_size: Sequence[int]) -> tuple[Out, Out]:
        """Source: torch aten/src/ATen/native/AdaptiveMaxPooling2d.cpp, 3d.cpp."""
        shape = tuple(self.shape)
        if len(shape) not in (n + 1, n + 2):
            raise RuntimeError(f"{name}(): Expected {_said(n)} tensor, but got: {list(shape)}")
        _check_filled(name, self, 1)
        if len(output_size) != n:
            raise RuntimeError(f"{name}(): internal error: output_size.size() must be {n}")
        out = (*shape[:-n], *output_size)
        if min(output_size) < 0:
            negative = next(s for s in out if s < 0)
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {negative}: {list(out)}"
            )
        refuse(self.dtype, {kernel: _LACKS}, self)
        _check_bytes(out, self.dtype.itemsize)
        strides = like_input(out, self) if n == 2 else None
        return Out(out, self.dtype, strides), Out(out, int64, strides)

    return meta


def _largest(window: Any, n: int) -> Any:
    """The place of the largest element of each window, of the last NaN where there is one."""
    flat = window.reshape(*window.shape[:-n], math.prod(window.shape[-n:]))
    place = flat.argmax(-1)
    unknown = np.isnan(flat)
    if unknown.any():
        last = flat.shape[-1] - 1 - unknown[..., ::-1].argmax(-1)
        place = np.where(unknown.any(-1), last, place)
    return place


def _max(n: int) -> Any:
    def kernel(self: Any, output_size: Sequence[int]) -> tuple[Any, Any]:
        size, lead = self.shape[-n:], self.shape[:-n]
        best = np.empty((*lead, *output_size), self.dtype)
        where = np.empty((*lead, *output_size), np.int64)
        numbers = np.arange(math.prod(size)).reshape(size)
        for at, window in _windows(size, output_size):
            part = self[(..., *window)]
            place = _largest(part, n)
            where[(..., *at)] = numbers[window].reshape(-1)[place]
            flat = part.reshape(*lead, math.prod(part.shape[-n:]))
            best[(..., *at)] = np.take_along_axis(flat, place[..., None], -1)[..., 0]
        if n == 2:
            return in_layout_of(best, self), in_layout_of(where, self)
        return best, where

    def prepare(self: Any, output_size: Sequence[int]) -> Any:
        return largest_at(self, bins(self.shape[-n:], output_size), kernel)

    return prepare


def _max_backward_meta(n: int) -> Any:
    name = f"adaptive_max_pooling{n}d_backward"

    def meta(grad_output: Any, self: Any, indices: Any) -> Out:
        if grad_output.dim() not in (n + 1, n + 2):
            raise RuntimeError(
                f"{name}(): Expected {_said(n)} grad_output, but got: {list(grad_output.shape)}"
            )
        refuse_empty_gradient(f"adaptive_max_pool{n}d_backward", grad_output)
        if grad_output.dtype is not self.dtype:
            raise RuntimeError(
                f"expected dtype {c_type_name(self.dtype)} for `grad_output` but got dtype "
                f"{c_type_name(grad_output.dtype)}"
            )
        expected = [*self.shape[:-n], *indices.shape[-n:]]
        if list(grad_output.shape) != expected:
            raise RuntimeError(
                f"expected sizes {expected} for `grad_output` but got sizes "
                f"{list(grad_output.shape)}"
            )
        if indices.dtype is not int64:
            raise RuntimeError(f"expected scalar type Long but found {scalar_name(indices.dtype)}")
        shape = tuple(self.shape)
        return Out(shape, self.dtype, like_input(shape, self) if n == 2 else None)

    return meta


def _max_backward(n: int) -> Any:
    def prepare(grad_output: Any, self: Any, indices: Any) -> Callable[..., Any]:
        return added_at(grad_output, self, n)

    return prepare


def at_indices(g: Any, indices: Any, n: int) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, max_pool_double_backward."""
    shape = tuple(indices.shape)
    if not indices.numel():
        return g.new_empty(shape)
    flat = (*shape[:-n], -1)
    places = indices.view(flat)
    return g.contiguous().view(flat).gather(-1, places).view(shape)


for _n in (2, 3):
    op(
        f"adaptive_max_pool{_n}d(Tensor self, int[{_n}] output_size) -> (Tensor, Tensor)",
        says=f"Return the maxima of as many windows as the output has places, in {_n} dimensions, "
        "and their indices.",
        meta=_max_meta(_n),
        prepare=_max(_n),
        half=False,
        module="nn",
        variants="function",
        out=OutForm(names=("out", "indices"), overlap="unchecked" if _n == 3 else ""),
        autocast=("float32", "") if _n == 3 else "",
        grad={
            "self": (
                (lambda g, c: ops.adaptive_max_pool2d_backward(g[0], c.self, c.result1))
                if _n == 2
                else (lambda g, c: ops.adaptive_max_pool3d_backward(g[0], c.self, c.result1))
            )
        },
        samples=f"adaptive_max_pool{_n}d",
    )
    op(
        f"adaptive_max_pool{_n}d_backward(Tensor grad_output, Tensor self, Tensor indices)"
        " -> Tensor",
        meta=_max_backward_meta(_n),
        prepare=_max_backward(_n),
        variants="",
        out="grad_input",
        grad={
            "grad_output": (
                (lambda g, c: at_indices(g, c.indices, 2))
                if _n == 2
                else (lambda g, c: at_indices(g, c.indices, 3))
            ),
            "self": lambda g, c: zeros_of(g, tuple(c.self.shape)),
        },
        samples=f"adaptive_max_backward{_n}d",
        tags=("zero_tangents",),
    )


def _max_1d(self: Any, output_size: Sequence[int]) -> tuple[Any, Any]:
    expect_dims("adaptive_max_pool1d", self)
    check_one("adaptive_max_pool1d", output_size=output_size)
    _check_filled("adaptive_max_pool1d", self, 1)
    out, indices = ops.adaptive_max_pool2d(self.unsqueeze(-2), (1, output_size[0]))
    where = indices.squeeze(-2)
    return out.squeeze(-2), where


op(
    "adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)",
    says="Return the maxima of as many windows as the output has places, in 1 "
    "dimension, and their indices.",
    composite=_max_1d,
    variants="function",
    samples="adaptive_max_pool1d",
)

# -- the mean -----------------------------------------------------------------------------------


def _avg_meta(self: Any, output_size: Sequence[int]) -> Out:
    """Source: torch aten/src/ATen/native/AdaptiveAveragePooling3d.cpp."""
    if len(output_size) != 3:
        raise RuntimeError("adaptive_avg_pool3d: output_size must be 3")
    shape = tuple(self.shape)
    if len(shape) not in (4, 5):
        raise RuntimeError(
            f"adaptive_avg_pool3d(): Expected 4D or 5D tensor, but got {list(shape)}"
        )
    _check_filled("adaptive_avg_pool3d", self, 1)
    if min(output_size) < 0:
        raise RuntimeError("numel: integer multiplication overflow")
    refuse(self.dtype, {"adaptive_avg_pool3d_cpu": _LACKS}, self)
    out = (*shape[:-3], *output_size)
    numel_checked(out)
    return Out(out, self.dtype)


def _avg(self: Any, output_size: Sequence[int]) -> Any:
    out = np.empty((*self.shape[:-3], *output_size), self.dtype)
    for at, window in _windows(self.shape[-3:], output_size):
        part = self[(..., *window)]
        out[(..., *at)] = part.mean((-3, -2, -1)) if self.itemsize > 2 else _mean_of_half(part)
    return out


def _prepare_avg(self: Any, output_size: Sequence[int]) -> Any:
    return means_at(self, bins(self.shape[-3:], output_size), _avg)


def _mean_of_half(part: Any) -> Any:
    """Added up and divided in the half type itself, as torch does."""
    rows = part.reshape(*part.shape[:-3], math.prod(part.shape[-3:]))
    total = np.zeros(rows.shape[:-1], part.dtype)
    for i in range(rows.shape[-1]):
        total = (total + rows[..., i]).astype(part.dtype)
    for size in part.shape[-3:]:
        total = (total / part.dtype.type(size)).astype(part.dtype)
    return total


def _avg_backward_meta(grad_output: Any, self: Any) -> Out:
    if grad_output.dim() != self.dim():
        raise RuntimeError(
            "adaptive_avg_pool3d_backward_out_cpu_template: Expected dimensions "
            f"{self.dim()} for `gradOutput_` but got dimensions {grad_output.dim()}"
        )
    refuse_empty_gradient("adaptive_avg_pool3d_backward", grad_output)
    return Out(tuple(self.shape), self.dtype)


def _avg_backward(grad_output: Any, self: Any) -> Any:
    out = np.zeros(self.shape, grad_output.dtype)
    for at, window in _windows(self.shape[-3:], grad_output.shape[-3:]):
        count = math.prod([w.stop - w.start for w in window])
        out[(..., *window)] += (grad_output[(..., *at)] / count)[..., None, None, None]
    return out


def _prepare_avg_backward(grad_output: Any, self: Any) -> Any:
    places = bins(self.shape[-3:], grad_output.shape[-3:])
    return spread_at(grad_output, self, places, _avg_backward)


def _avg_function(self: Any, output_size: Sequence[int]) -> Any:
    if len(output_size) != 3:
        raise RuntimeError("adaptive_avg_pool3d: output_size must be 3")
    if min(output_size) < 0:
        d, h, w = output_size
        raise RuntimeError(
            "adaptive_avg_pool3d: elements of output_size must be greater than or equal to 0 but "
            f"received {{{d}, {h},{w}}}"
        )
    if tuple(output_size) == (1, 1, 1):
        return mean_of_images(self, 3)
    return ops._adaptive_avg_pool3d(self, output_size)


op(
    "_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
    meta=_avg_meta,
    prepare=_prepare_avg,
    half=False,
    variants="function",
    grad={"self": lambda g, c: ops._adaptive_avg_pool3d_backward(g, c.self)},
    samples="adaptive_avg_pool3d",
    tags=("rounds",),
)
op(
    "_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor",
    meta=_avg_backward_meta,
    prepare=_prepare_avg_backward,
    variants="",
    grad={
        "grad_output": lambda g, c: ops._adaptive_avg_pool3d(
            g, (c.grad_output.shape[-3], c.grad_output.shape[-2], c.grad_output.shape[-1])
        ),
        "self": lambda g, c: zeros_of(g, tuple(c.self.shape)),
    },
    samples="adaptive_avg_backward3d",
)
op(
    "adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
    says="Average windows chosen so that the output has a given depth, height and width.",
    composite=_avg_function,
    module="nn",
    variants="function",
    samples="adaptive_avg_pool3d",
    autocast=("float32", ""),
)
