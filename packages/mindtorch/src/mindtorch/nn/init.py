"""``torch.nn.init``: numbers that parameters begin with. All fill in place, unseen by autograd."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_autograd import no_grad

from ..call.intercept import KEYWORDS, overridable
from ..core.errors import not_implemented_for
from ..core.operators import ops
from ..core.warning import warn
from ..tensor import Tensor as Tensor

__all__ = [
    "calculate_gain",
    "constant",
    "constant_",
    "dirac",
    "dirac_",
    "eye",
    "eye_",
    "kaiming_normal",
    "kaiming_normal_",
    "kaiming_uniform",
    "kaiming_uniform_",
    "normal",
    "normal_",
    "ones_",
    "orthogonal",
    "orthogonal_",
    "sparse",
    "sparse_",
    "trunc_normal_",
    "uniform",
    "uniform_",
    "xavier_normal",
    "xavier_normal_",
    "xavier_uniform",
    "xavier_uniform_",
    "zeros_",
]

_GAINS = dict.fromkeys(
    (
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "sigmoid",
    ),
    1,
) | {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which a nonlinearity shrinks the standard deviation.

    :param param: the slope of ``leaky_relu``, 0.01 if None.
    """
    if nonlinearity == "leaky_relu":
        if param is None:
            slope = 0.01
        elif isinstance(param, (int, float)) and not isinstance(param, bool):
            slope = param
        else:
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    gain = _GAINS.get(nonlinearity)
    if gain is None:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return gain


# Filling ----------------------------------------------------------------------------------------


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    """Uniform between *a* and *b*."""
    return _no_grad_uniform_(tensor, a, b, generator)


def _no_grad_uniform_(tensor: Any, a: float, b: float, generator: Any = None) -> Any:
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """Normal with *mean* and *std*."""
    return _no_grad_normal_(tensor, mean, std, generator)


def _no_grad_normal_(tensor: Any, mean: float, std: float, generator: Any = None) -> Any:
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(
    tensor: Any,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Any:
    """Normal with *mean* and *std*, cut off at *a* and *b*."""
    return _no_grad_trunc_normal_(tensor, mean, std, a, b, generator)


def _no_grad_trunc_normal_(
    tensor: Any, mean: float, std: float, a: float, b: float, generator: Any = None
) -> Any:
    if mean < a - 2 * std or mean > b + 2 * std:
        warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of "
            "values may be incorrect.",
        )

    if tensor.is_meta:
        return tensor

    def below(x: float) -> float:
        return (1.0 + math.erf((x - mean) / std / math.sqrt(2.0))) / 2.0

    with no_grad():
        if below(b) - below(a) > 0.3:
            _redraw_normal(tensor, mean, std, a, b, generator)
        else:
            _reject_uniform(tensor, mean, std, a, b, generator)
    return tensor


def _redraw_normal(
    tensor: Any, mean: float, std: float, a: float, b: float, generator: Any
) -> None:
    """Draw from the normal distribution, anew for what lies outside."""
    # The bounds as the tensor's dtype has them.
    low, high = (tensor.new_tensor(bound, device="cpu").item() for bound in (a, b))
    result = tensor.normal_(mean, std, generator=generator)
    outside = (result < low) | (result > high)
    while outside.any():
        fresh = ops.empty_like(result).normal_(mean, std, generator=generator)
        result = ops.where(outside, fresh, result)
        outside = (result < low) | (result > high)
    if result is not tensor:
        tensor.copy_(result)


def _reject_uniform(
    tensor: Any, mean: float, std: float, a: float, b: float, generator: Any
) -> None:
    """Draw uniformly and keep by density: where the bounds hold little of the distribution."""
    mode = max(a, min(mean, b))
    peak = -0.5 * ((mode - mean) / std) ** 2

    def refused(drawn: Any) -> Any:
        density = ((drawn - mean) / std) ** 2 * -0.5 - peak
        return ops.empty_like(drawn).uniform_(generator=generator).log_() > density

    result = tensor.uniform_(a, b, generator=generator)
    pending = refused(result)
    while pending.any():
        fresh = ops.empty_like(tensor).uniform_(a, b, generator=generator)
        result = ops.where(pending, fresh, result)
        pending = pending & refused(fresh)
    if result is not tensor:
        tensor.copy_(result)


def constant_(tensor: Any, val: float) -> Any:
    """*val* everywhere."""
    return _no_grad_fill_(tensor, val)


def _no_grad_fill_(tensor: Any, val: float) -> Any:
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Any) -> Any:
    """One everywhere."""
    return _no_grad_fill_(tensor, 1.0)


def zeros_(tensor: Any) -> Any:
    """Zero everywhere."""
    return _no_grad_zero_(tensor)


def _no_grad_zero_(tensor: Any) -> Any:
    with no_grad():
        return tensor.zero_()


def eye_(tensor: Any) -> Any:
    """Ones on the diagonal of a matrix, zeros elsewhere."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        tensor.zero_()
        tensor.diagonal().fill_(1)
    return tensor


def dirac_(tensor: Any, groups: int = 1) -> Any:
    """The kernel of a convolution that hands its channels through."""
    ndim = tensor.ndimension()
    if ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    sizes = tensor.size()
    if sizes[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    per_group = sizes[0] // groups
    middle = tuple(n // 2 for n in sizes[2:])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(per_group, sizes[1])):
                tensor[(group * per_group + channel, channel, *middle)] = 1
    return tensor


# Scaled by the fan ------------------------------------------------------------------------------


def _calculate_fan_in_and_fan_out(tensor: Any) -> tuple[int, int]:
    """How many inputs make an output element, and how many outputs an input element goes to."""
    if tensor.dim() < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    inputs, outputs = tensor.size(1), tensor.size(0)
    field = math.prod(tensor.shape[2:]) if tensor.dim() > 2 else 1
    return inputs * field, outputs * field


def _calculate_correct_fan(tensor: Any, mode: str) -> int:
    mode = mode.lower()
    modes = ["fan_in", "fan_out"]
    if mode not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode)]


def _xavier_std(tensor: Any, gain: float) -> float:
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return gain * math.sqrt(2.0 / float(fan_in + fan_out))


def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Uniform, with a variance between 1 / fan_in and 1 / fan_out (Glorot)."""
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return _no_grad_uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Normal, with a variance between 1 / fan_in and 1 / fan_out (Glorot)."""
    return _no_grad_normal_(tensor, 0.0, _xavier_std(tensor, gain), generator)


def _kaiming_std(tensor: Any, a: float, mode: str, nonlinearity: str) -> float | None:
    if 0 in tensor.shape:
        warn("Initializing zero-element tensors is a no-op")
        return None
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Any:
    """Uniform, with the variance that keeps activations (He) or gradients in scale.

    :param a: the slope of ``leaky_relu``.
    :param mode: ``fan_in`` for activations, ``fan_out`` for gradients.
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    if std is None:
        return tensor
    bound = math.sqrt(3.0) * std
    return _no_grad_uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Any:
    """Normal, with the variance that keeps activations (He) or gradients in scale.

    :param a: the slope of ``leaky_relu``.
    :param mode: ``fan_in`` for activations, ``fan_out`` for gradients.
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else _no_grad_normal_(tensor, 0, std, generator)


def orthogonal_(tensor: Any, gain: float = 1, generator: Any = None) -> Any:
    """A matrix with orthogonal rows or columns; dimensions after the first count as columns."""
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    drawn = tensor.new_empty((rows, tensor.numel() // rows))
    with no_grad():
        drawn.normal_(0, 1, generator=generator)
        tensor.view_as(drawn).copy_(_orthogonal(drawn))
        return tensor.mul_(gain)


def _orthogonal(drawn: Any) -> Any:
    """The Q of a QR decomposition whose R has a positive diagonal: then Q is uniform."""

    if drawn.dtype not in (ops.float32, ops.float64, ops.complex64, ops.complex128):
        raise not_implemented_for("geqrf_cpu", drawn.dtype)
    tall = drawn.cpu().numpy()
    flip = tall.shape[0] < tall.shape[1]
    q, r = np.linalg.qr(tall.T if flip else tall)
    signs = ops.from_numpy(np.diagonal(r).copy()).sign()  # not of complex numbers, as in torch
    q = q * signs.numpy()
    return ops.from_numpy(np.ascontiguousarray(q.T if flip else q))


def sparse_(tensor: Any, sparsity: float, std: float = 0.01, generator: Any = None) -> Any:
    """Normal, with the share *sparsity* of each column set to zero."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            chosen = ops.randperm(rows)[:zeros]
            tensor[chosen, column] = 0
    return tensor


# What others may do in our place: these four, in torch ------------------------------------------

for _name in ("uniform_", "normal_", "constant_", "kaiming_uniform_"):
    globals()[_name] = overridable(globals()[_name], KEYWORDS)
del _name


# Names without the underscore, from before torch 0.4 --------------------------------------------


def _deprecated(function: Callable[..., Any]) -> Callable[..., Any]:
    new = function.__name__
    old = new[:-1]

    def call(*args: Any, **kwargs: Any) -> Any:
        warn(
            f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.",
            FutureWarning,
        )
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = old
    call.__doc__ = f"Old name of :func:`{new}`."
    return call


uniform = _deprecated(uniform_)
normal = _deprecated(normal_)
constant = _deprecated(constant_)
eye = _deprecated(eye_)
dirac = _deprecated(dirac_)
xavier_uniform = _deprecated(xavier_uniform_)
xavier_normal = _deprecated(xavier_normal_)
kaiming_uniform = _deprecated(kaiming_uniform_)
kaiming_normal = _deprecated(kaiming_normal_)
orthogonal = _deprecated(orthogonal_)
sparse = _deprecated(sparse_)
