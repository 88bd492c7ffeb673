"""Layer, batch, group and RMS normalisation.

The gradients have two ways: a fast kernel, and, where the backward pass is itself recorded
(``create_graph``), the same formula over tensors, so that any order of derivative is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch.ops.call import ops
from mindtorch.ops.derivatives import not_implemented_for
from mindtorch.ops.dims import numel_of, scalar_name
from mindtorch.ops.meta import BOOL, COMPLEX, INTEGRAL, refuse
from mindtorch.ops.row import Out, op
from mindtorch.ops.summation import sum_over

__all__: list[str] = []

_FLOATS_ONLY = INTEGRAL | BOOL | COMPLEX


def _check_mixed(x: Any, *parameters: Any) -> None:
    for p in parameters:
        if p is not None and p.dtype is not x.dtype:
            if x.dtype.name in ("float16", "bfloat16") and p.dtype.name == "float32":
                continue
            raise RuntimeError(
                "mixed dtype (CPU): expect parameter to have scalar type of Float"
                if x.dtype.name in ("float16", "bfloat16", "float32", "float64")
                else f"expected scalar type {scalar_name(x.dtype)} but found {scalar_name(p.dtype)}"
            )


# -- layer norm ---------------------------------------------------------------------------------


def _layer_norm_meta(
    input: Any, normalized_shape: Sequence[int], weight: Any, bias: Any, eps: float
) -> tuple[Out, Out, Out]:
    shape, norm = tuple(input.shape), tuple(normalized_shape)
    if not norm:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
            f"one element, but got normalized_shape = {list(norm)}"
        )
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and tuple(p.shape) != norm:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of "
                f"shape {list(p.shape)} and normalized_shape = {list(norm)}"
            )
    if shape[-len(norm) :] != norm:
        raise RuntimeError(
            f"Given normalized_shape={list(norm)}, expected input with shape "
            f"[*, {', '.join(map(str, norm))}], but got input of size{list(shape)}"
        )
    _check_mixed(input, weight, bias)
    refuse(input.dtype, {"LayerNormKernelImpl": _FLOATS_ONLY}, input)
    kept = (*shape[: len(shape) - len(norm)], *([1] * len(norm)))
    mixed = weight if weight is not None else bias
    stats = Out(kept, mixed.dtype if mixed is not None else input.dtype)
    return Out(shape, input.dtype), stats, stats


def _layer_norm(
    input: Any, normalized_shape: Sequence[int], weight: Any, bias: Any, eps: float
) -> tuple[Any, Any, Any]:
    shape = input.shape
    n = numel_of(normalized_shape)
    x = input.reshape(numel_of(shape[: len(shape) - len(normalized_shape)]), n)
    mean = sum_over(x, (1,))
    mean /= n
    out = np.subtract(x, mean[:, None], order="C")
    var = np.einsum("ij,ij->i", out, out)
    var /= n
    var += eps
    np.sqrt(var, var)
    rstd = 1 / var
    out *= rstd[:, None]
    if weight is not None:
        out *= weight.reshape(-1)
    if bias is not None:
        out += bias.reshape(-1)
    kept = (*shape[: len(shape) - len(normalized_shape)], *([1] * len(normalized_shape)))
    return out.reshape(shape), mean.reshape(kept), rstd.reshape(kept)


def _layer_norm_grads(
    g: Any, x: Any, norm: Sequence[int], weight: Any, eps: float, mask: Sequence[bool]
) -> tuple[Any, Any, Any]:
    """The gradients as an expression over tensors, which can be differentiated again."""
    dims = tuple(range(x.dim() - len(norm), x.dim()))
    lead = tuple(range(x.dim() - len(norm)))
    centred = x - x.mean(dims, True)
    rstd = ((centred * centred).mean(dims, True) + eps).rsqrt()
    hat = centred * rstd
    scaled = g if weight is None else g * weight
    g_input = None
    if mask[0]:
        g_input = rstd * (scaled - scaled.mean(dims, True) - hat * (scaled * hat).mean(dims, True))
    g_weight = (g * hat).sum(lead) if mask[1] and lead else g * hat if mask[1] else None
    g_bias = g.sum(lead) if mask[2] and lead else g if mask[2] else None
    return g_input, g_weight, g_bias


def _layer_norm_grad(g: Any, c: Any) -> Any:
    out = g[0]
    if out is None:
        return None, None, None
    if ops.is_grad_enabled():
        return _layer_norm_grads(out, c.input, c.normalized_shape, c.weight, c.eps, c.mask)
    return ops.native_layer_norm_backward(
        out, c.input, c.normalized_shape, c.result1, c.result2, c.weight, c.bias, c.mask
    )


op(
    "native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, "
    "float eps) -> (Tensor, Tensor, Tensor)",
    meta=_layer_norm_meta,
    kernel=_layer_norm,
    variants="function",
    grad={"input, weight, bias": _layer_norm_grad},
    samples="native_layer_norm",
    tags=("one_gradient",),
)


def _layer_norm_backward_meta(
    grad_out: Any, input: Any, norm: Any, mean: Any, rstd: Any, weight: Any, bias: Any, mask: Any
) -> tuple[Out, Out, Out]:
    like = weight if weight is not None else input
    return (
        Out(tuple(input.shape), input.dtype) if mask[0] else Out((0,), input.dtype),
        Out(tuple(norm), like.dtype) if mask[1] else Out((0,), like.dtype),
        Out(tuple(norm), like.dtype) if mask[2] else Out((0,), like.dtype),
    )


def _layer_norm_backward(
    grad_out: Any, input: Any, norm: Any, mean: Any, rstd: Any, weight: Any, bias: Any, mask: Any
) -> tuple[Any, Any, Any]:
    n = numel_of(norm)
    rows = input.size // n if n else 0
    g = grad_out.reshape(rows, n)
    hat = input.reshape(rows, n) - mean.reshape(rows, 1)
    hat *= rstd.reshape(rows, 1)
    none = np.empty(0, input.dtype)
    g_input = g_weight = g_bias = none
    if mask[1]:
        g_weight = np.einsum("ij,ij->j", g, hat).reshape(norm)
    if mask[2]:
        g_bias = sum_over(g, (0,)).reshape(norm)
    if mask[0]:
        scaled = g * weight.reshape(-1) if weight is not None else g.copy("C")
        first = sum_over(scaled, (1,))
        second = np.einsum("ij,ij->i", scaled, hat)
        hat *= (second / n)[:, None]
        scaled -= (first / n)[:, None]
        scaled -= hat
        scaled *= rstd.reshape(rows, 1)
        g_input = scaled.reshape(input.shape)
    return g_input, g_weight, g_bias


op(
    "native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, "
    "Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask)"
    " -> (Tensor, Tensor, Tensor)",
    meta=_layer_norm_backward_meta,
    kernel=_layer_norm_backward,
    variants="",
    grad=not_implemented_for("native_layer_norm_backward", "grad_out", "input", "weight"),
    samples="native_layer_norm_backward",
)


def _layer_norm_function(
    input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float, cudnn_enable: bool
) -> Any:
    return ops.native_layer_norm(input, normalized_shape, weight, bias, eps)[0]


op(
    "layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, "
    "Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor",
    composite=_layer_norm_function,
    variants="function",
    samples="layer_norm",
)


def _rms_norm(input: Any, normalized_shape: Sequence[int], weight: Any, eps: float | None) -> Any:
    shape, norm = tuple(input.shape), tuple(normalized_shape)
    if not norm:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
            f"one element, but got normalized_shape = {list(norm)}"
        )
    if weight is not None and tuple(weight.shape) != norm:
        raise RuntimeError(
            "Expected weight to be of same shape as normalized_shape, but got weight of shape "
            f"{list(weight.shape)} and normalized_shape = {list(norm)}"
        )
    if shape[-len(norm) :] != norm:
        raise RuntimeError(
            f"Given normalized_shape={list(norm)}, expected input with shape "
            f"[*{', '.join(map(str, norm))}], but got input of size{list(shape)}"
        )
    if eps is None:
        eps = ops.finfo(input.dtype).eps
    dims = tuple(range(len(shape) - len(norm), len(shape)))
    x = input.float() if repr(input.dtype) in ("torch.float16", "torch.bfloat16") else input
    out = x * (x.pow(2).mean(dims, True) + eps).rsqrt()
    if weight is not None:
        out = out * weight
    return out.to(input.dtype) if out.dtype != input.dtype else out


op(
    "rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None)"
    " -> Tensor",
    composite=_rms_norm,
    variants="function",
    samples="rms_norm",
)


# -- batch norm ---------------------------------------------------------------------------------


def _batch_axes(ndim: int) -> tuple[int, ...]:
    return (0, *range(2, ndim))


def _across(v: Any, ndim: int) -> Any:
    """A value per channel, ready to broadcast."""
    return v.reshape((1, -1) + (1,) * (ndim - 2))


def _batch_norm_meta(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, training: bool, momentum: float,
    eps: float,
) -> tuple[Out, Out, Out]:  # fmt: skip
    shape = tuple(input.shape)
    _check_mixed(input, weight, bias)
    refuse(input.dtype, {"batch_norm": _FLOATS_ONLY}, input)
    mixed = weight if weight is not None else mean
    kind = mixed.dtype if mixed is not None else input.dtype
    stats = Out((shape[1],) if training else (0,), kind)
    return Out(shape, input.dtype), stats, stats


def _batch_norm(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, training: bool, momentum: float,
    eps: float,
) -> tuple[Any, Any, Any]:  # fmt: skip
    ndim = input.ndim
    if training:
        axes = _batch_axes(ndim)
        count = input.size // input.shape[1] if input.shape[1] else 0
        mean = sum_over(input, axes) / input.dtype.type(count)
        out = np.subtract(input, _across(mean, ndim), order="C")
        var = sum_over(out * out, axes) / input.dtype.type(count)
        invstd = 1 / np.sqrt(var + input.dtype.type(eps))
        saved = mean, invstd
    else:
        out = np.subtract(input, _across(mean, ndim), order="C")
        invstd = 1 / np.sqrt(var + var.dtype.type(eps))
        saved = np.empty(0, mean.dtype), np.empty(0, mean.dtype)
    scale = invstd if weight is None else invstd * weight
    out *= _across(scale, ndim)
    if bias is not None:
        out += _across(bias, ndim)
    return out, *saved


def _batch_norm_grads(
    g: Any, x: Any, weight: Any, mean: Any, var: Any, train: bool, eps: float, mask: Any
) -> tuple[Any, Any, Any]:
    """The gradients as an expression over tensors, which can be differentiated again."""
    n = x.dim()
    axes = _batch_axes(n)
    if train:
        centred = x - x.mean(axes, True)
        rstd = ((centred * centred).mean(axes, True) + eps).rsqrt()
    else:
        centred = x - _across(mean, n)
        rstd = (_across(var, n) + eps).rsqrt()
    hat = centred * rstd
    scaled = g if weight is None else g * _across(weight, n)
    g_input = None
    if mask[0]:
        if train:
            scaled = scaled - scaled.mean(axes, True) - hat * (scaled * hat).mean(axes, True)
        g_input = rstd * scaled
    return (
        g_input,
        (g * hat).sum(axes) if mask[1] else None,
        g.sum(axes) if mask[2] else None,
    )


def _batch_norm_grad(g: Any, c: Any) -> Any:
    out = g[0]
    if out is None:
        return None, None, None
    if ops.is_grad_enabled():
        return _batch_norm_grads(
            out, c.input, c.weight, c.running_mean, c.running_var, c.training, c.eps, c.mask
        )
    return ops.native_batch_norm_backward(
        out, c.input, c.weight, c.running_mean, c.running_var, c.result1, c.result2,
        c.training, c.eps, c.mask,
    )  # fmt: skip


op(
    "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    meta=_batch_norm_meta,
    kernel=_batch_norm,
    variants="function",
    grad={"input, weight, bias": _batch_norm_grad},
    samples="native_batch_norm",
    tags=("one_gradient",),
)


def _batch_norm_backward_meta(
    grad_out: Any, input: Any, weight: Any, mean: Any, var: Any, save_mean: Any, save_invstd: Any,
    train: bool, eps: float, mask: Any,
) -> tuple[Out, Out, Out]:  # fmt: skip
    kind = (weight if weight is not None else input).dtype
    channels = (input.shape[1],)
    return (
        Out(tuple(input.shape), input.dtype) if mask[0] else Out((0,), input.dtype),
        Out(channels, kind) if mask[1] else Out((0,), kind),
        Out(channels, kind) if mask[2] else Out((0,), kind),
    )


def _batch_norm_backward(
    grad_out: Any, input: Any, weight: Any, mean: Any, var: Any, save_mean: Any, save_invstd: Any,
    train: bool, eps: float, mask: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    n = input.ndim
    axes = _batch_axes(n)
    if train:
        mean, invstd = save_mean, save_invstd
    else:
        invstd = 1 / np.sqrt(var + var.dtype.type(eps))
    hat = np.subtract(input, _across(mean, n), order="C")
    hat *= _across(invstd, n)
    none = np.empty(0, input.dtype)
    total = sum_over(grad_out, axes)
    weighted = sum_over(grad_out * hat, axes)
    g_input = none
    if mask[0]:
        scale = invstd if weight is None else invstd * weight
        if train:
            count = input.size // max(input.shape[1], 1)
            hat *= _across(weighted / count, n)
            hat += _across(total / count, n)
            np.subtract(grad_out, hat, hat)
            hat *= _across(scale, n)
            g_input = hat
        else:
            g_input = np.multiply(grad_out, _across(scale, n), order="C")
        g_input = g_input.astype(input.dtype, copy=False)
    return g_input, weighted if mask[1] else none, total if mask[2] else none.copy()


op(
    "native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, "
    "Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, "
    "bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    meta=_batch_norm_backward_meta,
    kernel=_batch_norm_backward,
    variants="",
    grad=not_implemented_for("native_batch_norm_backward", "grad_out", "input", "weight"),
    samples="native_batch_norm_backward",
)


def _batch_norm_function(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool,
    momentum: float, eps: float, cudnn_enabled: bool,
) -> Any:  # fmt: skip
    channels = input.shape[1] if input.dim() > 1 else 0
    for name, p in (("running_mean", running_mean), ("running_var", running_var)):
        if p is not None:
            _check_elements(name, p, channels)
        elif not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None:
            _check_elements(name, p, channels)
    # In training the running statistics are no input of the gradient: they are written below.
    given = (None, None) if training else (running_mean, running_var)
    out, mean, invstd = ops.native_batch_norm(input, weight, bias, *given, training, momentum, eps)
    if training and input.numel():
        count = input.numel() // channels
        with ops.no_grad():
            if running_mean is not None:
                running_mean.mul_(1 - momentum).add_(mean.detach(), alpha=momentum)
            if running_var is not None:
                var = invstd.detach().pow(-2) - eps
                factor = momentum * (count / (count - 1) if count > 1 else float("inf"))
                running_var.mul_(1 - momentum).add_(var, alpha=factor)
    return out


def _check_elements(name: str, p: Any, channels: int) -> None:
    if p.numel() != channels:
        raise RuntimeError(f"{name} should contain {channels} elements not {p.numel()}")


op(
    "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    composite=_batch_norm_function,
    variants="function",
    samples="batch_norm",
)


def _group_norm(
    input: Any, num_groups: int, weight: Any, bias: Any, eps: float, cudnn_enabled: bool
) -> Any:
    if num_groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    shape = tuple(input.shape)
    if len(shape) < 2:
        raise IndexError(
            "Dimension out of range (expected to be in range of "
            f"[{-max(len(shape), 1)}, {max(len(shape), 1) - 1}], but got 1)"
        )
    n, channels = shape[:2]
    if channels % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input "
            f"of shape {list(shape)} and num_groups={num_groups}"
        )
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and (p.dim() != 1 or p.numel() != channels):
            # torch prints the weight's shape in both texts; an absent weight shows as [0].
            shown = list(weight.shape) if weight is not None else [0]
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in "
                f"input, but got {name} of shape {shown} and input of shape {list(shape)}"
            )
    grouped = input.reshape((n * num_groups, -1)) if input.numel() else input
    if input.numel():
        grouped = ops.layer_norm(grouped, (grouped.shape[1],), None, None, eps)
    out = grouped.reshape(shape)
    if weight is not None:
        out = out * _across(weight, len(shape))
    if bias is not None:
        out = out + _across(bias, len(shape))
    return out


op(
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor",
    composite=_group_norm,
    variants="function",
    samples="group_norm",
)


def _instance_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any,
    use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Any:  # fmt: skip
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )
    shape = tuple(input.shape)
    n, channels = shape[:2]

    def per_sample(p: Any) -> Any:
        return None if p is None else p.repeat((n,))

    mean, var = per_sample(running_mean), per_sample(running_var)
    out = ops.batch_norm(
        input.contiguous().view((1, n * channels, *shape[2:])), per_sample(weight),
        per_sample(bias), mean, var, use_input_stats, momentum, eps, cudnn_enabled,
    )  # fmt: skip
    with ops.no_grad():
        for p, wide in ((running_mean, mean), (running_var, var)):
            if p is not None:
                p.copy_(wide.view((n, channels)).mean((0,), False))
    return out.view(shape)


op(
    "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled)"
    " -> Tensor",
    composite=_instance_norm,
    variants="function",
    samples="instance_norm",
)
