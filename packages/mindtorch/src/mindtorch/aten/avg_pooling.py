"""Average pooling, over windows or to a given size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage.layout import numel_checked

from mindtorch.aten.pooling_window import (
    Pool,
    bins,
    check_one,
    expect_dims,
    expect_places,
    gradient_meta,
    in_layout_of,
    like_input,
    mean_of_images,
    means_at,
    refuse_empty_gradient,
    spread_at,
    steps,
    with_border,
)
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.errors import c_type_name
from mindtorch.core.operators import ops
from mindtorch.tensor.resizing import lay_out, reshaped

__all__ = ["average_rows"]


def _avg_meta(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Out:  # fmt: skip
    shape = tuple(self.shape)
    if len(shape) < 3:
        if not shape:
            raise IndexError("Dimension specified as -3 but tensor has no dimensions")
        n = len(shape)
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got -3)"
        )
    pool = Pool(shape, kernel_size, stride, padding, (1, 1), ceil_mode, "avg_pool2d")
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    pool.check_input(shape, "avg_pool2d")
    # Of the integers, torch has this kernel for int64 alone.
    refuse(self.dtype, {"avg_pool2d": BOOL | COMPLEX | INTEGRAL - {"int64"}}, self)
    out = (*shape[:-2], *pool.out)
    return Out(out, self.dtype, like_input(out, self))


def _divisor(pool: Pool, shape: Sequence[int], include: bool, override: int | None) -> Any:
    """What each window's sum is divided by: a number, or a plane of numbers."""
    if override is not None:
        return override
    counts = []
    for s, o, k, t, p in zip(
        shape[-2:], pool.out, pool.kernel, pool.stride, pool.padding, strict=True
    ):
        start = np.arange(o) * t - p
        end = np.minimum(start + k, s + p)
        counts.append(end - start if include else np.minimum(end, s) - np.maximum(start, 0))
    return counts[0][:, None] * counts[1]


def _avg(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    pool = Pool(self.shape, kernel_size, stride, padding, (1, 1), ceil_mode, "avg_pool2d")
    padded = with_border(self, pool, 0)
    total = np.zeros((*self.shape[:-2], *pool.out), self.dtype)
    for window in pool.windows():
        total += padded[(..., *window)]
    by = _divisor(pool, self.shape, count_include_pad, divisor_override)
    if self.dtype.kind in "iu":
        total = (np.sign(total) * (np.abs(total) // np.abs(by)) * np.sign(by)).astype(self.dtype)
    else:
        total /= np.asarray(by, self.dtype)
    return in_layout_of(total, self)


def _prepare_avg(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    pool = Pool(self.shape, kernel_size, stride, padding, (1, 1), ceil_mode, "avg_pool2d")
    by = _divisor(pool, self.shape, count_include_pad, divisor_override)
    return means_at(self, steps(pool, self.shape[-2:]), _avg, by)


def _avg_backward_meta(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    *rest: Any,
) -> Out:  # fmt: skip
    pool = Pool(self.shape, kernel_size, stride, padding, (1, 1), ceil_mode, "avg_pool2d")
    expect_places(grad_output, self, pool.out)
    return gradient_meta(grad_output, self)


def _avg_backward(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    shape = self.shape
    pool = Pool(shape, kernel_size, stride, padding, (1, 1), ceil_mode, "avg_pool2d")
    by = _divisor(pool, shape, count_include_pad, divisor_override)
    each = grad_output / np.asarray(by, grad_output.dtype)
    (ph, pw), (eh, ew) = pool.padding, pool.extra(shape)
    h, w = shape[-2:]
    padded = np.zeros((*shape[:-2], h + 2 * ph + eh, w + 2 * pw + ew), grad_output.dtype)
    for window in pool.windows():
        padded[(..., *window)] += each
    return in_layout_of(padded[..., ph : ph + h, pw : pw + w].copy("C"), self)


def _prepare_avg_backward(
    grad_output: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None,
) -> Any:  # fmt: skip
    pool = Pool(self.shape, kernel_size, stride, padding, (1, 1), ceil_mode, "avg_pool2d")
    by = _divisor(pool, self.shape, count_include_pad, divisor_override)
    return spread_at(grad_output, self, steps(pool, self.shape[-2:]), _avg_backward, by)


def average_rows(
    n: int,
    meta: Any,
    prepare: Any,
    gradient: tuple[Any, Any],
    zeros: Any,
    samples: str = "",
) -> None:
    """``avg_poolNd`` and the op of its gradient, of which *gradient* is meta and ``prepare``.

    :param zeros: ``zeros(g, shape)``, what the gradient's own gradient is of the input.
    :param samples: those of the op of the gradient.
    """
    forward, backward = f"avg_pool{n}d", f"avg_pool{n}d_backward"
    op(
        f"{forward}(Tensor self, int[{n}] kernel_size, int[{n}] stride=[], int[{n}] padding=0, "
        "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
        says=f"Average sliding windows over {n} dimensions.",
        meta=meta,
        prepare=prepare,
        module="nn",
        variants="function",
        out=OutForm(meta="native" if n == 2 else ""),
        batch=("folded",) if n == 2 else "",
        autocast=("float32", "") if n == 3 else "",
        grad={
            "self": lambda g, c: getattr(ops, backward)(
                g,
                c.self,
                c.kernel_size,
                c.stride,
                c.padding,
                c.ceil_mode,
                c.count_include_pad,
                c.divisor_override,
            )
        },
        samples=forward,
    )
    op(
        f"{backward}(Tensor grad_output, Tensor self, int[{n}] kernel_size, int[{n}] stride, "
        f"int[{n}] padding, bool ceil_mode, bool count_include_pad, int? divisor_override)"
        " -> Tensor",
        meta=gradient[0],
        prepare=gradient[1],
        variants="",
        out=OutForm("grad_input", meta="native" if n == 2 else ""),
        grad={
            "grad_output": lambda g, c: getattr(ops, forward)(
                g,
                c.kernel_size,
                c.stride,
                c.padding,
                c.ceil_mode,
                c.count_include_pad,
                c.divisor_override,
            ),
            "self": lambda g, c: zeros(g, c.self.shape),
        },
        samples=samples,
    )


average_rows(
    2,
    _avg_meta,
    _prepare_avg,
    (_avg_backward_meta, _prepare_avg_backward),
    lambda g, shape: g.new_zeros(shape),
)


def _avg_pool1d(
    self: Any, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool,
    count_include_pad: bool,
) -> Any:  # fmt: skip
    expect_dims("avg_pool1d", self)
    stride = stride or kernel_size
    check_one("avg_pool1d", kernel_size=kernel_size, stride=stride, padding=padding)
    out = ops.avg_pool2d(
        self.unsqueeze(-2), (1, kernel_size[0]), (1, stride[0]),
        (0, padding[0]), ceil_mode, count_include_pad,
    )  # fmt: skip
    return out.squeeze(-2)


op(
    "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
    "bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
    says="Average sliding windows over 1 dimension.",
    composite=_avg_pool1d,
    variants="function",
    samples="avg_pool1d",
)


# -- to a given size ----------------------------------------------------------------------------


def _adaptive_meta(self: Any, output_size: Sequence[int]) -> Out:
    shape = tuple(self.shape)
    if len(output_size) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    if len(shape) not in (3, 4):
        raise RuntimeError(
            f"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {list(shape)}"
        )
    for i in (-2, -1):
        if shape[i] == 0:
            raise RuntimeError(
                "adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch "
                f"dimensions, but input has sizes {list(shape)} with dimension "
                f"{len(shape) + i} being empty"
            )
    refuse(self.dtype, {"adaptive_avg_pool2d": INTEGRAL | BOOL | COMPLEX}, self)
    out = (*shape[:-2], *output_size)
    numel_checked(out)
    return Out(out, self.dtype, like_input(out, self))


def _bins(size: int, count: int) -> list[slice]:
    return [slice(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


def _adaptive(self: Any, output_size: Sequence[int]) -> Any:
    h, w = self.shape[-2:]
    rows, columns = _bins(h, output_size[0]), _bins(w, output_size[1])
    tall = np.empty((*self.shape[:-2], len(rows), w), self.dtype)
    for i, part in enumerate(rows):
        np.add.reduce(self[..., part, :], -2, out=tall[..., i, :])
    out = np.empty((*self.shape[:-2], *output_size), self.dtype)
    for j, part in enumerate(columns):
        np.add.reduce(tall[..., part], -1, out=out[..., j])
    out /= _areas(rows, columns, self.dtype)
    return in_layout_of(out, self)


def _areas(rows: Sequence[slice], columns: Sequence[slice], dtype: Any) -> Any:
    """How many elements each bin has."""
    heights, widths = ([p.stop - p.start for p in parts] for parts in (rows, columns))
    return np.outer(heights, widths).astype(dtype)


def _prepare_adaptive(self: Any, output_size: Sequence[int]) -> Any:
    return means_at(self, bins(self.shape[-2:], output_size), _adaptive)


def _adaptive_backward_meta(grad_output: Any, self: Any) -> Out:
    refuse_empty_gradient("adaptive_avg_pool2d_backward", grad_output)
    return gradient_meta(grad_output, self)


def _adaptive_backward(grad_output: Any, self: Any) -> Any:
    h, w = self.shape[-2:]
    rows, columns = _bins(h, grad_output.shape[-2]), _bins(w, grad_output.shape[-1])
    shares = grad_output / _areas(rows, columns, grad_output.dtype)
    wide = np.zeros((*shares.shape[:-1], w), shares.dtype)
    for j, part in enumerate(columns):
        wide[..., part] += shares[..., j, None]
    out = np.zeros(self.shape, grad_output.dtype)
    for i, part in enumerate(rows):
        out[..., part, :] += wide[..., i, None, :]
    return in_layout_of(out, self)


def _prepare_adaptive_backward(grad_output: Any, self: Any) -> Any:
    places = bins(self.shape[-2:], grad_output.shape[-2:])
    return spread_at(grad_output, self, places, _adaptive_backward)


op(
    "_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
    meta=_adaptive_meta,
    prepare=_prepare_adaptive,
    variants="function",
    grad={"self": lambda g, c: ops._adaptive_avg_pool2d_backward(g, c.self)},
    samples="adaptive_avg_pool2d",
    batch=("folded",),
)
op(
    "_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor",
    meta=_adaptive_backward_meta,
    prepare=_prepare_adaptive_backward,
    variants="",
    grad={
        "grad_output": lambda g, c: ops._adaptive_avg_pool2d(
            g, (c.grad_output.shape[-2], c.grad_output.shape[-1])
        ),
        "self": lambda g, c: g.new_zeros(c.self.shape),
    },
)


def _adaptive_function(self: Any, output_size: Sequence[int]) -> Any:
    if len(output_size) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    if min(output_size) < 0:
        raise RuntimeError(
            "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but "
            f"received {{{output_size[0]}, {output_size[1]}}}"
        )
    if tuple(output_size) == (1, 1):
        return mean_of_images(self, 2)
    return ops._adaptive_avg_pool2d(self, output_size)


def _adaptive_onto(target: Any, self: Any, output_size: Sequence[int]) -> None:
    """Into the target's memory, where batches are laid out anew: their strides do not stay."""
    out = _adaptive_meta(self, output_size)
    if target.dtype is not self.dtype:
        raise RuntimeError(
            f"expected dtype {c_type_name(self.dtype)} for `output` but got dtype "
            f"{c_type_name(target.dtype)}"
        )
    if len(out.shape) == 4:
        lay_out(target, out)
    else:
        reshaped(target, out.shape)
    target.copy_(ops._adaptive_avg_pool2d(self, output_size))


def _adaptive_1d(self: Any, output_size: Sequence[int]) -> Any:
    expect_dims("adaptive_avg_pool1d", self)
    check_one("adaptive_avg_pool1d", output_size=output_size)
    return ops.adaptive_avg_pool2d(self.unsqueeze(-2), (1, output_size[0])).squeeze(-2)


op(
    "adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
    says="Average windows chosen so that the output has a given height and width.",
    composite=_adaptive_function,
    kinds={"out": "backends"},
    module="nn",
    variants="function",
    out=OutForm(quiet=True),
    out_kernel=_adaptive_onto,
    samples="adaptive_avg_pool2d",
    tags=("out_has_no_formula",),
)
op(
    "adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
    says="Average windows chosen so that the output has a given length.",
    composite=_adaptive_1d,
    variants="function",
    samples="adaptive_avg_pool1d",
)
