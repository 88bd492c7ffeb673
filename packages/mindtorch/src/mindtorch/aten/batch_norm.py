"""Batch and instance normalisation.

The gradients have two ways: a fast kernel, and, where the backward pass is itself recorded
(``create_graph``), the same formula over tensors, so that any order of derivative is right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import layout
from mindtorch_storage.dtype import float32, float64, uint8

from mindtorch.aten.derivatives import no_formula_for
from mindtorch.aten.norm_curvature import batch_norm_twice
from mindtorch.aten.norm_tangent import batch_norm_tangent
from mindtorch.aten.normal_check import FLOATS_ONLY, check_mixed, expect_count
from mindtorch.aten.pooling_window import VOLUMES_TOO
from mindtorch.aten.reflected import watched
from mindtorch.aten.summation import sums
from mindtorch.call.elementwise_meta import refuse, wanted
from mindtorch.call.row import Out, op
from mindtorch.core.constants import strided
from mindtorch.core.dims import laid_out, size_at
from mindtorch.core.errors import expected_scalar_type
from mindtorch.core.half_precision import widened
from mindtorch.core.operators import of, ops

from ..call.forms import DeviceRule

__all__: list[str] = []


def _batch_axes(ndim: int) -> tuple[int, ...]:
    return (0, *range(2, ndim))


def _result_strides(input: Any, grad: Any = None) -> Any:
    """Strides of what is normalised: channels_last where the input lies so, or suggests it.

    :param grad: of a gradient, that of the result.
    """
    shape, strides = tuple(input.shape), tuple(input.stride())
    of_grad = None if grad is None else tuple(grad.stride())
    last = _channels_last(shape, strides, of_grad)
    return layout.channels_last_strides(shape) if last else None


def _lies_dense(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether elements are contiguous, in either memory format."""
    rows = layout.is_contiguous(shape, strides)
    return rows or layout.is_channels_last_contiguous(shape, strides)


def _channels_last(
    shape: tuple[int, ...], strides: tuple[int, ...], grad: tuple[int, ...] | None = None
) -> bool:
    """Whether a result is channels_last: among dense elements a size of 1 may have any stride.

    Source: torch aten/src/ATen/native/Normalization.cpp, suggest_memory_format_contig.
    """
    if len(shape) not in VOLUMES_TOO or layout.is_contiguous(shape, strides):
        return False
    lies = layout.is_channels_last_contiguous(shape, strides)
    if grad is not None:
        lies = lies and _lies_dense(shape, grad) and not layout.is_channels_last(shape, grad)
    return lies or layout.is_channels_last(shape, strides)


def _strides(a: Any) -> tuple[int, ...]:
    return tuple([s // a.itemsize for s in a.strides])


def _finisher(input: Any, grad: Any = None) -> Callable[[Any], Any]:
    """What gives a C-contiguous result the memory format that goes with *input*."""
    if input.ndim in VOLUMES_TOO and not input.flags.c_contiguous:
        of_grad = None if grad is None else _strides(grad)
        if _channels_last(input.shape, _strides(input), of_grad):
            made = layout.channels_last_strides(input.shape)
            return lambda a: laid_out(a, made)
    return lambda a: a


def check_statistics(mean: Any, var: Any) -> None:
    """Both or neither."""
    if (mean is None) != (var is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")


def _batch_norm_meta(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, training: bool, momentum: float,
    eps: float,
) -> tuple[Out, Out, Out]:  # fmt: skip
    shape = tuple(input.shape)
    channels = size_at(input, 1)
    check_statistics(mean, var)
    refuse(input.dtype, {"batch_norm": FLOATS_ONLY}, input)
    check_mixed(input, weight, bias, mean, var)
    named = ("weight", weight), ("bias", bias), ("running_mean", mean), ("running_var", var)
    for name, p in named:
        if p is not None:
            _check_elements(name, p, channels)
    mixed = weight if weight is not None else mean
    kind = mixed.dtype if mixed is not None else input.dtype
    on_meta = input.device.type == "meta"  # torch says there what an accelerator gives
    if on_meta and kind.itemsize == 2:
        kind = float32
    stats = Out((channels,) if training or on_meta else (0,), kind)
    return Out(shape, input.dtype, _result_strides(input)), stats, stats


def _prepare_batch_norm(
    input: Any, weight: Any, bias: Any, mean: Any, var: Any, training: bool, momentum: float,
    eps: float,
) -> Callable[..., tuple[Any, Any, Any]]:  # fmt: skip
    """Half floats are computed in float32, with statistics rounded to their parameters' dtype.

    Source: torch aten/src/ATen/native/Normalization.cpp, batch_norm_cpu_update_stats_template.
    """
    narrow = input.dtype.itemsize == 2
    kind = next((p.dtype for p in (weight, mean) if p is not None), input.dtype)
    wide = np.dtype(np.float32) if narrow else input.dtype
    channels = input.shape[1]
    count = input.size // channels if channels else 0
    total, across = _by_channel(np.empty(input.shape, wide), (channels,))
    n, small = np.array(count, wide), np.array(eps, wide)
    add, subtract, multiply, divide = np.add, np.subtract, np.multiply, np.divide
    sqrt, reciprocal, empty = np.sqrt, np.reciprocal, np.empty
    finished = _finisher(input)
    widens = [p is not None and p.dtype.itemsize == 2 for p in (input, weight, bias, mean, var)]
    any_wide = any(widens)
    updates = training and (mean is not None or var is not None)
    rounds = narrow and kind.itemsize == 2
    by_steps = rounds and kind.kind == "V" and _lies_dense(input.shape, _strides(input))

    def rounded(a: Any) -> Any:
        return widened(a.astype(kind)) if rounds else a

    def kernel(
        input: Any, weight: Any, bias: Any, mean: Any, var: Any, *_: Any
    ) -> tuple[Any, Any, Any]:
        running = mean, var
        x = input
        if any_wide:
            x, weight, bias, mean, var = map(widened, (input, weight, bias, mean, var))
        if training:
            exact = total(x)
            exact = divide(exact, n, exact)
            mean = rounded(exact)
            out = subtract(x, exact.reshape(across), order="C")
            var = total(multiply(out, out))
            if rounds:  # the result is made of statistics as they are returned
                out = subtract(x, mean.reshape(across), order="C")
            if by_steps:
                var = rounded(var)
                if updates:
                    _update_by_steps(running, mean, var, count, momentum, rounded)
                var = rounded(divide(var, n))
            else:
                if updates:
                    _update(running, exact, var, count, momentum)
                var = divide(var, n, var)
        else:
            out = subtract(x, mean.reshape(across), order="C")
        invstd = add(var, small)
        sqrt(invstd, invstd)
        invstd = reciprocal(invstd, invstd)
        if training:
            invstd = rounded(invstd)
        scale = invstd if weight is None else multiply(invstd, weight)
        multiply(out, scale.reshape(across), out)
        if bias is not None:
            add(out, bias.reshape(across), out)
        if training:
            return finished(out), mean, invstd
        return finished(out), empty(0, mean.dtype), empty(0, mean.dtype)

    return kernel


def _by_channel(like: Any, shape: tuple[int, ...]) -> tuple[Callable[[Any], Any], Any]:
    """What adds up the numbers of each channel, and the shape that such sums broadcast in."""
    ndim = like.ndim
    return sums(like, _batch_axes(ndim), shape), (1, -1) + (1,) * (ndim - 2)


def _update(running: Any, mean: Any, squares: Any, count: int, momentum: float) -> None:
    """Move the running statistics towards those of this batch, in their own memory."""
    for old, new in zip(running, (mean, squares / np.float64(count - 1)), strict=True):
        if old is not None:
            old[...] = (1 - momentum) * old.astype(np.float64) + momentum * new


def _update_by_steps(
    running: Any, mean: Any, squares: Any, count: int, momentum: float, rounded: Any
) -> None:
    """Move running statistics of bfloat16, of which torch rounds what each operation gives."""
    share = rounded(np.array(momentum, np.float32))
    rest = rounded(1 - share)
    for old, of_batch in zip(
        running, (rounded(share * mean), share * rounded(squares / (count - 1))), strict=True
    ):
        if old is not None:
            old[...] = (of_batch + rounded(rest * widened(old))).astype(old.dtype)


def _batch_norm_grad(g: Any, c: Any) -> Any:
    out = g[0]
    if out is None:
        return None, None, None
    return ops.native_batch_norm_backward(
        out, c.input, c.weight, c.running_mean, c.running_var, c.result1, c.result2,
        c.training, c.eps, c.mask,
    )  # fmt: skip


op(
    "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    says="Normalise each channel over the batch and return its mean and inverse deviation, too.",
    meta=_batch_norm_meta,
    prepare=_prepare_batch_norm,
    half=False,
    variants="function",
    grad={"input, weight, bias": _batch_norm_grad},
    tangent=batch_norm_tangent(),
    samples="native_batch_norm",
    tags=("one_gradient", "rounds", "writes: running_mean, running_var if training", "one_tangent"),
    batch="batch_norm",
)


def _batch_norm_backward_meta(
    grad_out: Any, input: Any, weight: Any, mean: Any, var: Any, save_mean: Any, save_invstd: Any,
    train: bool, eps: float, mask: Any,
) -> tuple[Out | None, ...]:  # fmt: skip
    kind = (weight if weight is not None else input).dtype
    channels, shape = (input.shape[1],), tuple(input.shape)
    check_mixed(input, weight)
    refuse(input.dtype, {"batch_norm_backward": FLOATS_ONLY}, input)
    if grad_out.dtype is not input.dtype:
        raise expected_scalar_type(input.dtype, grad_out.dtype)
    if tuple(grad_out.shape) != shape:
        raise RuntimeError(
            f"Expected grad_out of size {list(shape)}, but got {list(grad_out.shape)}"
        )
    statistics = (save_mean, save_invstd) if train else (mean, var)
    if any(t is None for t in statistics):
        raise RuntimeError("Expected the statistics that the forward call normalised with")
    for t in (weight, *statistics):
        if t is not None and t.dim() != 1:
            raise RuntimeError(f"TensorAccessor expected 1 dims but tensor has {t.dim()}")
        if t is not None:
            if t.dtype is not input.dtype and input.dtype.itemsize > 2:
                raise expected_scalar_type(input.dtype, t.dtype)
            expect_count("each parameter and statistic", t, *channels, input)
    images = Out(shape, input.dtype, _result_strides(input, grad_out))
    return wanted(mask, images, Out(channels, kind), Out(channels, kind))


def _prepare_batch_norm_backward(
    grad_out: Any, input: Any, weight: Any, mean: Any, var: Any, save_mean: Any, save_invstd: Any,
    train: bool, eps: float, mask: Any,
) -> Callable[..., tuple[Any, Any, Any]]:  # fmt: skip
    channels, dtype = input.shape[1], input.dtype
    like = np.empty(input.shape, np.result_type(grad_out, input))
    total, across = _by_channel(like, (channels,))
    count = np.array(input.size // max(channels, 1), like.dtype)
    small, wants_input = np.array(eps, like.dtype), mask[0]
    finished = _finisher(input, grad_out)
    add, subtract, multiply, divide = np.add, np.subtract, np.multiply, np.divide
    sqrt, reciprocal = np.sqrt, np.reciprocal

    def kernel(
        grad_out: Any, input: Any, weight: Any, mean: Any, var: Any, save_mean: Any,
        save_invstd: Any, *_: Any,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        if train:
            mean, invstd = save_mean, save_invstd
        else:
            invstd = add(var, small)
            invstd = reciprocal(sqrt(invstd, invstd), invstd)
        hat = subtract(input, mean.reshape(across), order="C")
        multiply(hat, invstd.reshape(across), hat)
        sum_of, weighted = total(grad_out), total(multiply(grad_out, hat, order="C"))
        if not wants_input:
            return None, weighted, sum_of
        scale = invstd if weight is None else multiply(invstd, weight)
        scale = scale.reshape(across)
        if train:
            multiply(hat, divide(weighted, count).reshape(across), hat)
            add(hat, divide(sum_of, count).reshape(across), hat)
            subtract(grad_out, hat, hat)
            multiply(hat, scale, hat)
        else:
            hat = multiply(grad_out, scale, order="C")
        return finished(hat.astype(dtype, copy=False)), weighted, sum_of

    return kernel


op(
    "native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, "
    "Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, "
    "bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    meta=_batch_norm_backward_meta,
    prepare=_prepare_batch_norm_backward,
    variants="",
    grad={
        "grad_out, input, weight": batch_norm_twice,
        **no_formula_for("native_batch_norm_backward save_invstd", "save_invstd"),
        **no_formula_for("native_batch_norm_backward save_mean", "save_mean"),
    },
    samples="native_batch_norm_backward",
)


def _impl_index(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool,
    momentum: float, eps: float, cudnn_enabled: bool,
) -> tuple[Any, Any, Any, Any, int]:  # fmt: skip
    """All that torch's backends keep, and the number of the one that serves: 0 for its own."""
    how = {"layout": strided, "device": input.device}
    reserve = of("empty.memory_format")((0,), dtype=uint8, **how)
    if not input.numel():
        channels = (input.shape[1] if input.dim() > 1 else 0,)
        saved = [of("empty.memory_format")(channels, dtype=float64, **how) for _ in range(2)]
        return _of_nothing(input, weight, bias), *saved, reserve, 0
    _check_parameters(input, weight, bias, running_mean, running_var, training)
    found = ops.native_batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )
    return *found, reserve, 0


op(
    "_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> "
    "(Tensor, Tensor, Tensor, Tensor, int)",
    says="Normalise each channel as batch_norm does, and tell what its gradient needs.",
    composite=_impl_index,
    variants="function",
    samples="batch_norm",
    devices=DeviceRule(first=True),
)


def _batch_norm_function(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool,
    momentum: float, eps: float, cudnn_enabled: bool,
) -> Any:  # fmt: skip
    if not input.numel():
        return _of_nothing(input, weight, bias)
    _check_parameters(input, weight, bias, running_mean, running_var, training)
    if watched(input):  # torch makes the memory that other backends pass to their gradient
        of("empty.memory_format")((0,), dtype=uint8, layout=strided, device=input.device)
    return ops.native_batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps
    )[0]


def _check_parameters(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool
) -> None:
    channels = input.shape[1] if input.dim() > 1 else 0
    for name, p in (("running_mean", running_mean), ("running_var", running_var)):
        if p is not None:
            _check_elements(name, p, channels)
        elif not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None:
            _check_elements(name, p, channels)


def _of_nothing(input: Any, weight: Any, bias: Any) -> Any:
    """As torch has it, so that gradients of the parameters are zero and not missing."""
    out = input.clone()
    if weight is not None:
        out = out * weight.select(0, 0)
    return out if bias is None else out + bias.select(0, 0)


def _check_elements(name: str, p: Any, channels: int) -> None:
    if p.numel() != channels:
        raise RuntimeError(f"{name} should contain {channels} elements not {p.numel()}")


op(
    "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    says="Normalise each channel over the batch, then scale and shift it."
    " While training by its own mean and variance, else by the running ones.",
    composite=_batch_norm_function,
    variants="function",
    samples="batch_norm",
    devices=DeviceRule(first=True),
)


def _instance_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any,
    use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Any:  # fmt: skip
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        )
    n, channels = size_at(input, 0), size_at(input, 1)
    shape = tuple(input.shape)

    def per_sample(p: Any) -> Any:
        return None if p is None else p.repeat((n,))

    weight, bias = per_sample(weight), per_sample(bias)
    mean, var = per_sample(running_mean), per_sample(running_var)
    if weight is None:  # without one nothing but the input says what to count in
        mean, var = (p if p is None else p.to(input.dtype) for p in (mean, var))
    rows = input.contiguous().view((1, n * channels, *shape[2:]))
    out = ops.batch_norm(
        rows, weight, bias, mean, var, use_input_stats, momentum, eps, cudnn_enabled
    )
    if use_input_stats:
        with ops.no_grad():
            for p, wide in ((running_mean, mean), (running_var, var)):
                if p is not None:  # of a derivative's function not the captured tensor itself
                    ops.alias(p).copy_(wide.view((n, channels)).mean((0,), False))
    return out.view(shape)


op(
    "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled)"
    " -> Tensor",
    says="Normalise each channel of each sample, then scale and shift it.",
    composite=_instance_norm,
    variants="function",
    samples="instance_norm",
)
