"""Normalisations of dual tensors, computed by ops that have tangents.

The formulas of the backward ops take statistics for what they were given; here they come from the
input again, as in torch, with their tangents.

Source: torch/_decomp/decompositions_for_jvp.py; csrc/autograd/FunctionsManual.cpp, group_norm_jvp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.operators import ops
from .tangents import attach, below, tangent_of

Results = tuple[Any, ...]


def _statistics(x: Any, dims: list[int], rstd: Any) -> tuple[Any, Any]:
    """The mean of *x* and *rstd*, changing with *x*."""
    spread = x.var(dims, correction=0, keepdim=True)
    shift = ((1 / rstd).pow(2).reshape(spread.shape) - spread).detach()
    return x.mean(dims, True), (spread + shift).rsqrt()


def _nothing(parameter: Any) -> Any:
    """In the place of a gradient that is not wanted."""
    return ops.zeros(()) if parameter is None else ops.zeros_like(parameter)


def _layer_norm_backward(
    grad_out: Any, input: Any, shape: Any, mean: Any, rstd: Any, weight: Any, bias: Any, mask: Any
) -> Results:
    depth = input.dim()
    outer = list(range(depth - len(shape)))
    inner = list(range(len(outer), depth))
    if not input.numel():
        return input.new_zeros(input.shape), input.new_zeros(shape), input.new_zeros(shape)
    count = 1
    for n in shape:
        count *= n
    mean, rstd = _statistics(input, inner, rstd)
    hat = (input - mean) * rstd
    scaled = grad_out if weight is None else grad_out * weight
    slope = scaled * count - scaled.sum(inner, True) - hat * (scaled * hat).sum(inner, True)

    def over_rows(t: Any) -> Any:
        return t.sum(outer) if outer else t

    return (
        rstd / count * slope if mask[0] else input.new_zeros(input.shape),
        over_rows(grad_out * hat) if mask[1] and weight is not None else _nothing(weight),
        over_rows(grad_out) if mask[2] and bias is not None else _nothing(bias),
    )


def _batch_norm_backward(
    grad_out: Any, input: Any, weight: Any, running_mean: Any, running_var: Any, save_mean: Any,
    save_invstd: Any, train: bool, eps: float, mask: Any,
) -> Results:  # fmt: skip
    across = [1] * input.dim()
    across[1] = input.shape[1]
    dims = [0, *range(2, input.dim())]
    count = input.numel() / input.shape[1]
    if train:
        mean, rstd = _statistics(input, dims, save_invstd)
    else:
        mean, rstd = running_mean.reshape(across), (running_var + eps).rsqrt().reshape(across)
    off = input - mean
    total = grad_out.sum(dims, True)
    along = (grad_out * off).sum(dims, True)
    scale = rstd if weight is None else rstd * weight.reshape(across)
    if train:
        to_input = (grad_out - off * (along / count * rstd * rstd) - total / count) * scale
    else:
        to_input = grad_out * scale
    return (
        to_input,
        (along * rstd).reshape((-1,)) if mask[1] else _nothing(weight),
        total.reshape((-1,)) if mask[2] else _nothing(total.reshape((-1,))),
    )


def _group_norm(
    input: Any, weight: Any, bias: Any, n: int, channels: int, flat: int, groups: int, eps: float
) -> Results:
    rows = input.reshape((n, groups, channels // groups * flat))
    mean = rows.mean((2,), True)
    rstd = (rows.var((2,), correction=0, keepdim=True) + eps).rsqrt()
    out = ((rows - mean) * rstd).reshape((n, channels, flat))
    if weight is not None:
        out = out * weight.reshape((channels, 1))
    if bias is not None:
        out = out + bias.reshape((channels, 1))
    return out.reshape(input.shape), mean.reshape((n, groups)), rstd.reshape((n, groups))


def tangents_of_parts(names: Any, function: Callable[..., Results], context: Any) -> list[Any]:
    """The tangents of what *function* gives for arguments that have those of this level alone."""
    level, duals = context.level, []
    for name, value in zip(names, context.args, strict=True):
        value = below(value, level)
        tangent = context.tangents.get(name)
        if tangent is not None:
            attach(value, level, tangent)
        duals.append(value)
    return [tangent_of(made, level) for made in function(*duals)]


#: Ops whose results have the tangents of what a function gives for the same arguments.
COMPOSED: dict[str, Callable[..., Results]] = {
    "native_batch_norm_backward": _batch_norm_backward,
    "native_group_norm": _group_norm,
    "native_layer_norm_backward": _layer_norm_backward,
}
#: Of those the ones in whose place the function is called, unless there is a node to be made.
REPLACED = frozenset(("native_batch_norm_backward", "native_layer_norm_backward"))
