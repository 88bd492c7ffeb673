"""Group normalisation, with its gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindtorch.aten.centred_rows import centred_rows, operand
from mindtorch.aten.derivatives import not_implemented_for
from mindtorch.aten.normal_check import FLOATS_ONLY, check_mixed
from mindtorch.aten.pooling_window import VOLUMES_TOO, finisher, like_input
from mindtorch.aten.reflected import differentiated, watched
from mindtorch.aten.summation import sums
from mindtorch.call.elementwise_meta import refuse, wanted
from mindtorch.call.row import Out, op
from mindtorch.core.constants import channels_last, channels_last_3d, contiguous_format
from mindtorch.core.dims import numel_of, size_at
from mindtorch.core.errors import expected_scalar_type
from mindtorch.core.operators import of, ops

__all__: list[str] = []


def _check(input: Any, channels: int, groups: int, weight: Any, bias: Any) -> None:
    """Source: torch aten/src/ATen/native/group_norm.cpp, check_group_norm_inputs."""
    if groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {groups}")
    shape = list(input.shape)
    if channels % groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input "
            f"of shape {shape} and num_groups={groups}"
        )
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and (p.dim() != 1 or p.numel() != channels):
            # torch prints the weight's shape in both texts; an absent weight shows as [0].
            shown = list(weight.shape) if weight is not None else [0]
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in "
                f"input, but got {name} of shape {shown} and input of shape {shape}"
            )


def _meta(
    input: Any, weight: Any, bias: Any, n: int, channels: int, flat: int, groups: int, eps: float
) -> tuple[Out, Out, Out]:
    _check(input, channels, groups, weight, bias)
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {[n, groups]}")
    check_mixed(input, weight, bias)
    if input.numel() != n * channels * flat:
        raise RuntimeError(
            "Expected X.numel() == N * C * HxW to be true, but got false.  (Could this error "
            "message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    refuse(input.dtype, {"GroupNormKernelImpl": FLOATS_ONLY}, input)
    mixed = weight if weight is not None else bias
    stats = Out((n, groups), mixed.dtype if mixed is not None else input.dtype)
    shape = tuple(input.shape)
    return Out(shape, input.dtype, like_input(shape, input, VOLUMES_TOO)), stats, stats


def _prepare(
    input: Any, weight: Any, bias: Any, n: int, channels: int, flat: int, groups: int, eps: float
) -> Callable[..., tuple[Any, Any, Any]]:
    shape, rows, kept = input.shape, (n * groups, channels // groups * flat), (n, groups)
    centred, by_row = centred_rows(*rows, input.dtype, eps), operand(rows, (rows[0], 1))
    planes = (n, channels, flat)
    by_channel = operand(planes, (1, channels, 1))
    add, multiply, finished = np.add, np.multiply, finisher(input, shape, VOLUMES_TOO)

    def kernel(input: Any, weight: Any, bias: Any, *_: Any) -> tuple[Any, Any, Any]:
        out, mean, rstd = centred(input.reshape(rows))
        multiply(out, by_row(rstd), out)
        if weight is not None or bias is not None:
            out = out.reshape(planes)
            if weight is not None:
                multiply(out, by_channel(weight), out)
            if bias is not None:
                add(out, by_channel(bias), out)
        return finished(out), mean.reshape(kept), rstd.reshape(kept)

    return kernel


def _grad(g: Any, c: Any) -> Any:
    mean, rstd, input, weight, mask = c.result1, c.result2, c.input, c.weight, c.mask
    n, channels, flat, groups, eps = c.N, c.C, c.HxW, c.group, c.eps
    if g[1] is None and g[2] is None and not differentiated(g[0], input):
        dy = g[0].contiguous()
        return ops.native_group_norm_backward(
            dy, input, mean, rstd, weight, n, channels, flat, groups, mask
        )
    whole = (n, groups, channels // groups, flat)
    return _composed_grad(g, input, mean, rstd, weight, whole, eps, mask)


def _composed_grad(
    g: Any, input: Any, mean: Any, rstd: Any, weight: Any, whole: Any, eps: float, mask: Any
) -> Any:
    """The gradients as an expression over tensors, which can be differentiated again.

    As in torch statistics pass a gradient on only where both have one.
    Source: torch aten/src/ATen/native/group_norm.cpp, math_group_norm;
    csrc/autograd/FunctionsManual.cpp, infinitely_differentiable_native_group_norm_backward.
    """
    dy, dmean, drstd = g
    wants_input, wants_weight, wants_bias = mask
    n, groups, each, flat = whole
    stats = (n, groups, 1, 1)
    size = each * flat
    x, mean, rstd = input.reshape(whole), mean.reshape(stats), rstd.reshape(stats)
    product = total = gamma = dvar = None
    if dy is not None:
        dy = dy.reshape(whole)
        product = (dy * x).sum((3,)).unsqueeze_(-1)
        total = dy.sum((3,)).unsqueeze_(-1)
    dx = dgamma = dbeta = None
    if wants_input:
        if weight is not None:
            gamma = weight.reshape((1, groups, each, 1))
        if watched(rstd):  # torch makes the variance too, which it does not use
            of("sub.Scalar")((rstd * rstd).reciprocal_(), eps).clamp_min(0)
        cube = rstd * rstd * rstd
        if drstd is not None:
            slopes = drstd.reshape(stats)
            dvar = -0.5 * cube * slopes
        if dy is not None:
            slope = rstd if gamma is None else rstd * gamma
            b = (product if gamma is None else product * gamma).sum((2,)).unsqueeze_(-2)
            a = (total if gamma is None else total * gamma).sum((2,)).unsqueeze_(-2)
            b = (a * mean - b) * cube * (1 / size)
            shift = a * rstd * (1 / size)
            shift = -b * mean - shift
            by_x = b * x
            dx = slope * dy + by_x + shift
        if dmean is not None and dvar is not None:
            level = dmean.reshape(stats)
            centred = x - x.mean((2, 3), True)
            spread = dvar * (2 / size) * centred
            both = spread + level.expand(whole) / size
            dx = both if dx is None else dx.add_(both)
        if dx is not None:
            dx = dx.reshape(input.shape)
    # Without a weight torch has no shape for the bias either.
    shape = (0,) if weight is None else tuple(weight.shape)
    if wants_weight and dy is not None:
        dgamma = ((product - total * mean) * rstd).sum((0,)).reshape(shape)
    if wants_bias and dy is not None:
        dbeta = total.sum((0,)).reshape(shape)
    return dx, dgamma, dbeta


op(
    "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, "
    "int group, float eps) -> (Tensor, Tensor, Tensor)",
    says="Normalise groups of channels of each sample and return their means and "
    "inverse deviations, too.",
    meta=_meta,
    prepare=_prepare,
    variants="function",
    grad={"input, weight, bias": _grad},
    samples="native_group_norm",
)


def _backward_meta(
    grad_out: Any, input: Any, mean: Any, rstd: Any, weight: Any, n: int, channels: int, flat: int,
    groups: int, mask: Any,
) -> tuple[Out | None, ...]:  # fmt: skip
    """Source: torch aten/src/ATen/native/group_norm.cpp, native_group_norm_backward."""
    if input.dtype is not grad_out.dtype:
        raise RuntimeError("Expected scalar types of X and dY are same.")
    check_mixed(input, mean, rstd)
    if weight is not None and weight.dtype is not mean.dtype:
        raise expected_scalar_type(mean.dtype, weight.dtype)
    counts = (
        ("dY.numel() == N * C * HxW", grad_out, n * channels * flat),
        ("X.numel() == N * C * HxW", input, n * channels * flat),
        ("mean.numel() == N * group", mean, n * groups),
        ("rstd.numel() == N * group", rstd, n * groups),
        ("!gamma.defined() || gamma.numel() == C", weight, channels),
    )
    for said, t, count in counts:
        if t is not None and t.numel() != count:
            raise RuntimeError(
                f"Expected {said} to be true, but got false.  (Could this error message be "
                "improved?  If so, please report an enhancement request to PyTorch.)"
            )
    refuse(input.dtype, {"GroupNormBackwardKernelImpl": FLOATS_ONLY}, input)
    vector = Out((channels,), mean.dtype if weight is None else weight.dtype)
    shape = tuple(input.shape)
    return wanted(
        mask, Out(shape, input.dtype, like_input(shape, input, VOLUMES_TOO)), vector, vector
    )


def _prepare_backward(
    grad_out: Any, input: Any, mean: Any, rstd: Any, weight: Any, n: int, channels: int, flat: int,
    groups: int, mask: Any,
) -> Callable[..., tuple[Any, Any, Any]]:  # fmt: skip
    each, dtype = channels // groups, input.dtype
    rows, planes, column = (n * groups, each * flat), (n * channels, flat), (n * groups, 1)
    whole = (n, channels, flat)
    along = sums(np.empty(rows, dtype), (1,), column)
    by_plane = sums(np.empty(planes, dtype), (1,), (n * channels,))
    over_samples = sums(np.empty((n, channels), dtype), (0,), (channels,))
    size = np.array(max(each * flat, 1), dtype)
    subtract, multiply, divide = np.subtract, np.multiply, np.divide
    wants_input, wants_weight, wants_bias = mask
    finished, by_channel = finisher(input, input.shape, VOLUMES_TOO), (n, channels)

    def kernel(
        grad_out: Any, input: Any, mean: Any, rstd: Any, weight: Any, *_: Any
    ) -> tuple[Any, Any, Any]:
        dy, rstd = grad_out.reshape(rows), rstd.reshape(column)
        hat = subtract(input.reshape(rows), mean.reshape(column))
        multiply(hat, rstd, hat)
        dx = dgamma = dbeta = None
        if wants_weight:
            dgamma = over_samples(by_plane(multiply(dy, hat).reshape(planes)).reshape(by_channel))
        if wants_bias:
            dbeta = over_samples(by_plane(dy.reshape(planes)).reshape(by_channel))
        if wants_input:
            scaled = dy
            if weight is not None:
                scaled = multiply(dy.reshape(whole), weight.reshape((-1, 1))).reshape(rows)
            first, second = along(scaled), along(multiply(scaled, hat))
            multiply(hat, divide(second, size, second), hat)
            out = subtract(scaled, divide(first, size, first))
            subtract(out, hat, out)
            dx = finished(multiply(out, rstd, out))
        return dx, dgamma, dbeta

    return kernel


op(
    "native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, "
    "Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask)"
    " -> (Tensor, Tensor, Tensor)",
    meta=_backward_meta,
    prepare=_prepare_backward,
    variants="",
    grad=not_implemented_for(
        "native_group_norm_backward", "grad_out", "input", "mean", "rstd", "weight"
    ),
    samples="native_group_norm_backward",
)


def _group_norm(
    input: Any, num_groups: int, weight: Any, bias: Any, eps: float, cudnn_enabled: bool
) -> Any:
    n, channels = size_at(input, 0), size_at(input, 1)
    _check(input, channels, num_groups, weight, bias)
    suggested = like_input(tuple(input.shape), input, VOLUMES_TOO)
    last = channels_last if input.dim() == 4 else channels_last_3d
    x = input.contiguous(memory_format=last if suggested else contiguous_format)
    flat = numel_of(input.shape[2:])
    return ops.native_group_norm(x, weight, bias, n, channels, flat, num_groups, eps)[0]


op(
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor",
    says="Normalise groups of channels of each sample, then scale and shift them."
    " Channels must be divisible by num_groups.",
    composite=_group_norm,
    variants="function",
    samples="group_norm",
    autocast=("", "float32"),
)
