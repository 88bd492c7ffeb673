"""Tangents of batch norm and layer norm.

Both give ``(x - mean) * rstd * weight + bias``. Means and deviations that a call returns have no
tangents of their own, so tangents of tangents take them for numbers, as torch's do.

Source: torch csrc/autograd/FunctionsManual.cpp, batch_norm_jvp and layer_norm_jvp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core.operators import of

__all__ = ["batch_norm_tangent", "layer_norm_tangent"]


def _tangent(
    c: Any, mean: Any, rstd: Any, dims: Sequence[int], fixed: bool, shape: Sequence[int]
) -> list[Any]:
    """That of the first result.

    :param fixed: whether the statistics are no function of the input.
    :param shape: in which weight and bias broadcast against the input.
    """
    x, weight = c.input, c.weight
    t, of_weight, of_bias = (c.tangents.get(name) for name in ("input", "weight", "bias"))
    off, parts = x - mean, []
    if t is not None:
        part = t * rstd
        if not fixed:
            rest = t - t.mean(dims, True)
            part = rest * rstd - off * rstd.pow(3) * (rest * off).mean(dims, True)
        parts.append(part if weight is None else part * weight.reshape(shape))
    if of_weight is not None:
        parts.append(off * rstd * of_weight.reshape(shape))
    if of_bias is not None:
        parts.append(of("expand")(of_bias.reshape(shape), x.shape))
    if not parts:
        return [None]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    like = c.results[0]
    return [total if total.dtype is like.dtype else total.to(like.dtype)]


def layer_norm_tangent(c: Any) -> list[Any]:
    """Of ``native_layer_norm``."""
    own = tuple(c.normalized_shape)
    dims = range(c.input.dim() - len(own), c.input.dim())
    return _tangent(c, c.result1, c.result2, tuple(dims), False, own)


def batch_norm_tangent(training: bool | None = None) -> Callable[[Any], list[Any]]:
    """Of an op of the family.

    :param training: whether it takes the batch's statistics, where the op does not say.
    """

    def tangent(c: Any) -> list[Any]:
        batch = c.training if training is None else training
        shape = (1, -1, *(1,) * (c.input.dim() - 2))
        dims = tuple([d for d in range(c.input.dim()) if d != 1])
        if batch:
            mean, rstd = c.result1, c.result2
        else:
            if not any(c.tangents.get(name) is not None for name in ("input", "weight", "bias")):
                return [None]
            if any(c.tangents.get(name) is not None for name in ("running_mean", "running_var")):
                raise RuntimeError(
                    "batch_norm is not differentiable wrt running_mean and running_var, they "
                    "cannot have forward grad defined"
                )
            mean, rstd = c.running_mean, (c.running_var + c.eps).rsqrt()
        return _tangent(c, mean.reshape(shape), rstd.reshape(shape), dims, not batch, shape)

    return tangent
