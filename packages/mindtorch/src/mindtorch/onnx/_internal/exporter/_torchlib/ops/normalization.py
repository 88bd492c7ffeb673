"""Normalizations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._building import Builder, Value
from ..._registration import translates
from .reductions import count_of
from .shapes import are_numbers
from .statistics import moments


def _ones(g: Builder, given: Value | None, like: Value, size: Any, value: int = 1) -> Value:
    if given is not None:
        return given
    return g.expand(g.const(value, like.dtype), size if isinstance(size, Sequence) else [size])


@translates("_native_batch_norm_legit_no_training")
def batch_norm_no_training(
    g: Builder,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value,
    running_var: Value,
    momentum: float,
    eps: float,
) -> tuple[Value, Value, Value]:
    channels = g.size(input, 1)
    found = g.op(
        "BatchNormalization",
        input,
        _ones(g, weight, input, channels),
        _ones(g, bias, input, channels, 0),
        running_mean,
        running_var,
        epsilon=eps,
    )
    empty = g.const([], input.dtype)
    return found, empty, empty


def _over_channels(g: Builder, value: Value | None, rank: int) -> Value | None:
    """*value*, one number a channel, in the shape that goes with *rank* dimensions."""
    if value is None or rank <= 2:
        return value
    return g.reshape(value, [-1, *[1] * (rank - 2)])


def _by_batch(
    g: Builder, input: Value, weight: Value | None, bias: Value | None, eps: float
) -> tuple[Value, ...]:
    """The normalized input; its mean, one by its deviation, and its variance, of this batch."""
    rank = input.rank
    dims = [i for i in range(rank) if i != 1]
    variance, middle = moments(g, input, dims, 0, True)
    scale = g.op("Reciprocal", g.op("Sqrt", g.op("Add", variance, eps)))
    found = g.op("Mul", g.op("Sub", input, middle), scale)
    if weight is not None:
        found = g.op("Mul", found, _over_channels(g, weight, rank))
    if bias is not None:
        found = g.op("Add", found, _over_channels(g, bias, rank))
    flat = (g.axes("Squeeze", v, dims) for v in (middle, scale, variance))
    return (found, *flat)


@translates("_native_batch_norm_legit_functional")
def batch_norm_functional(
    g: Builder,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value,
    running_var: Value,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Value, ...]:
    if not training:
        given = batch_norm_no_training(
            g, input, weight, bias, running_mean, running_var, momentum, eps
        )
        return (*given, running_mean, running_var)
    found, middle, scale, variance = _by_batch(g, input, weight, bias, eps)
    count = count_of(g, input, [i for i in range(input.rank) if i != 1], input.dtype)
    free = g.op("Mul", variance, g.op("Div", count, g.op("Sub", count, 1)))
    means = _moved(g, running_mean, middle, momentum)
    variances = _moved(g, running_var, free, momentum)
    return found, middle, scale, means, variances


def _moved(g: Builder, old: Value, new: Value, momentum: float) -> Value:
    return g.op("Add", g.op("Mul", old, 1 - momentum), g.op("Mul", new, momentum))


@translates("_native_batch_norm_legit.no_stats")
def batch_norm_no_stats(
    g: Builder,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Value, Value, Value]:
    found, middle, scale, _ = _by_batch(g, input, weight, bias, eps)
    return found, middle, scale


@translates("instance_norm")
def instance_norm(
    g: Builder,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    running_mean: Value | None,
    running_var: Value | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Value:
    channels = g.size(input, 1)
    if not use_input_stats:
        assert running_mean is not None and running_var is not None
        return batch_norm_no_training(
            g, input, weight, bias, running_mean, running_var, momentum, eps
        )[0]
    scale = _ones(g, weight, input, channels)
    offset = _ones(g, bias, input, channels, 0)
    return g.op("InstanceNormalization", input, scale, offset, epsilon=eps)


@translates("layer_norm")
def layer_norm(
    g: Builder,
    input: Value,
    normalized_shape: Sequence[Any],
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Value:
    scale = _ones(g, weight, input, normalized_shape)
    if g.version < 17:
        dims = list(range(input.rank - len(normalized_shape), input.rank))
        variance, middle = moments(g, input, dims, 0, True)
        deviation = g.op("Sqrt", g.op("Add", variance, eps))
        found = g.op("Mul", g.op("Div", g.op("Sub", input, middle), deviation), scale)
        return found if bias is None else g.op("Add", found, bias)
    return g.op("LayerNormalization", input, scale, bias, axis=-len(normalized_shape), epsilon=eps)


@translates("native_layer_norm")
def native_layer_norm(
    g: Builder,
    input: Value,
    normalized_shape: Sequence[Any],
    weight: Value | None,
    bias: Value | None,
    eps: float,
) -> tuple[Value, ...]:
    dims = list(range(input.rank - len(normalized_shape), input.rank))
    found = layer_norm(g, input, normalized_shape, weight, bias, eps)
    variance, middle = moments(g, input, dims, 0, True)
    return found, middle, g.op("Reciprocal", g.op("Sqrt", g.op("Add", variance, eps)))


@translates("group_norm")
def group_norm(
    g: Builder,
    input: Value,
    num_groups: int,
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Value:
    return _by_groups(g, input, num_groups, weight, bias, eps)[0]


@translates("native_group_norm")
def native_group_norm(
    g: Builder,
    input: Value,
    weight: Value | None,
    bias: Value | None,
    N: Any,
    C: Any,
    HxW: Any,
    group: int,
    eps: float,
) -> tuple[Value, Value, Value]:
    return _by_groups(g, input, group, weight, bias, eps)


def _by_groups(
    g: Builder, input: Value, groups: int, weight: Value | None, bias: Value | None, eps: float
) -> tuple[Value, Value, Value]:
    sizes = [g.size(input, i) for i in range(input.rank)]
    rows = g.reshape(input, [sizes[0], groups, -1])
    if are_numbers(sizes):
        count = 1
        for size in sizes[1:]:
            count *= size
        rows.shape = (sizes[0], groups, count // groups)
    else:
        rows.shape = (None, groups, None)
    variance, middle = moments(g, rows, [2], 0, True)
    scale = g.op("Reciprocal", g.op("Sqrt", g.op("Add", variance, eps)))
    found = g.reshape(g.op("Mul", g.op("Sub", rows, middle), scale), sizes)
    if weight is not None:
        found = g.op("Mul", found, _over_channels(g, weight, input.rank))
    if bias is not None:
        found = g.op("Add", found, _over_channels(g, bias, input.rank))
    return found, g.axes("Squeeze", middle, [2]), g.axes("Squeeze", scale, [2])


@translates("rms_norm")
def rms_norm(
    g: Builder,
    input: Value,
    normalized_shape: Sequence[Any],
    weight: Value | None = None,
    eps: float | None = None,
) -> Value:
    return fused_rms_norm(g, input, normalized_shape, weight, eps)[0]


@translates("_fused_rms_norm")
def fused_rms_norm(
    g: Builder,
    input: Value,
    normalized_shape: Sequence[Any],
    weight: Value | None,
    eps: float | None,
) -> tuple[Value, Value]:
    if eps is None:
        eps = _EPSILON[input.dtype.name]
    dims = list(range(input.rank - len(normalized_shape), input.rank))
    square = g.op("ReduceMean", g.op("Mul", input, input), g.ints(dims), keepdims=1)
    scale = g.op("Reciprocal", g.op("Sqrt", g.op("Add", square, eps)))
    found = g.op("Mul", input, scale)
    return (found if weight is None else g.op("Mul", found, weight)), scale


_EPSILON = {
    "float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52,
}  # fmt: skip
