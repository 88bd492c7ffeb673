"""Group normalisation."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch.ops.call import ops
from mindtorch.ops.dims import numel_of, size_at
from mindtorch.ops.meta import refuse
from mindtorch.ops.normal_check import FLOATS_ONLY, check_mixed
from mindtorch.ops.row import Out, op
from mindtorch.ops.summation import sum_over

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
    return Out(tuple(input.shape), input.dtype), stats, stats


def _kernel(
    input: Any, weight: Any, bias: Any, n: int, channels: int, flat: int, groups: int, eps: float
) -> tuple[Any, Any, Any]:
    rows = n * groups
    size = channels // groups * flat
    x = input.reshape(rows, size)
    mean = sum_over(x, (1,)) / x.dtype.type(size)
    out = np.subtract(x, mean[:, None], order="C")
    rstd = 1 / np.sqrt(np.einsum("ij,ij->i", out, out) / x.dtype.type(size) + x.dtype.type(eps))
    out *= rstd[:, None]
    out = out.reshape(n, channels, flat)
    if weight is not None:
        out *= weight[:, None]
    if bias is not None:
        out += bias[:, None]
    return out.reshape(input.shape), mean.reshape(n, groups), rstd.reshape(n, groups)


def _grad(g: Any, c: Any) -> Any:
    """The gradients as an expression over tensors, which can be differentiated again."""
    out, g_mean, g_rstd = g
    n, channels, flat, groups = c.N, c.C, c.HxW, c.group
    size = channels // groups * flat
    x = c.input.reshape((n, groups, size))
    centred = x - x.mean((2,), True)
    rstd = ((centred * centred).mean((2,), True) + c.eps).rsqrt()
    hat = centred * rstd
    parts = []
    g_weight = g_bias = None
    if out is not None:
        rows = out.reshape((n, channels, flat))
        scaled = rows if c.weight is None else rows * c.weight.view((1, channels, 1))
        scaled = scaled.reshape(x.shape)
        inner = scaled - scaled.mean((2,), True) - hat * (scaled * hat).mean((2,), True)
        parts.append(rstd * inner)
        g_weight = (rows * hat.reshape(rows.shape)).sum((0, 2)) if c.mask[1] else None
        g_bias = rows.sum((0, 2)) if c.mask[2] else None
    if g_mean is not None:
        parts.append((g_mean / size).unsqueeze(2).expand(x.shape))
    if g_rstd is not None:
        parts.append(hat * rstd * rstd * (g_rstd / -size).unsqueeze(2))
    g_input = None
    if c.mask[0] and parts:
        g_input = sum(parts[1:], parts[0]).reshape(c.input.shape)
    return g_input, g_weight, g_bias


op(
    "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, "
    "int group, float eps) -> (Tensor, Tensor, Tensor)",
    meta=_meta,
    kernel=_kernel,
    variants="function",
    grad={"input, weight, bias": _grad},
    samples="native_group_norm",
)


def _group_norm(
    input: Any, num_groups: int, weight: Any, bias: Any, eps: float, cudnn_enabled: bool
) -> Any:
    n, channels = size_at(input, 0), size_at(input, 1)
    _check(input, channels, num_groups, weight, bias)
    x = input.contiguous()
    flat = numel_of(input.shape[2:])
    return ops.native_group_norm(x, weight, bias, n, channels, flat, num_groups, eps)[0]


op(
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor",
    composite=_group_norm,
    variants="function",
    samples="group_norm",
)
