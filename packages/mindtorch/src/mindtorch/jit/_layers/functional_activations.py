"""Activations and dropouts of ``torch.nn.functional``."""

from __future__ import annotations

import warnings

from ..._ops import ops
from ...aten import torch
from ...tensor import Tensor
from . import home

aten = ops.aten


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.threshold_(input, threshold, value)
    return aten.threshold(input, threshold, value)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        result = aten.relu_(input)
    else:
        result = aten.relu(input)
    return result


def glu(input: Tensor, dim: int = -1) -> Tensor:
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return aten.glu(input, dim)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        return aten.hardtanh_(input, min_val, max_val)
    return aten.hardtanh(input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.relu6_(input)
    return aten.relu6(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.elu_(input, alpha)
    return aten.elu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.selu_(input)
    return aten.selu(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.celu_(input, alpha)
    return aten.celu(input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.leaky_relu_(input, negative_slope)
    return aten.leaky_relu(input, negative_slope)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    if inplace:
        return aten.rrelu_(input, lower, upper, training)
    return aten.rrelu(input, lower, upper, training)


def tanhshrink(input: Tensor) -> Tensor:
    return input - input.tanh()


def softsign(input: Tensor) -> Tensor:
    return input / (input.abs() + 1)


def tanh(input: Tensor) -> Tensor:
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    return input.sigmoid()


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.hardsigmoid_(input)
    return aten.hardsigmoid(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.silu_(input)
    return aten.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.mish_(input)
    return aten.mish(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    if inplace:
        return aten.hardswish_(input)
    return aten.hardswish(input)


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. "
        "Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    if ndim == 0 or ndim == 1 or ndim == 3:
        ret = 0
    else:
        ret = 1
    return ret


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None
) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    if dtype is None:
        ret = input.softmax(dim)
    else:
        ret = input.softmax(dim, dtype=dtype)
    return ret


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None
) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    if dtype is None:
        ret = (-input).softmax(dim)
    else:
        ret = (-input).softmax(dim, dtype=dtype)
    return ret


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: int | None = None
) -> Tensor:
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    if dtype is None:
        ret = input.log_softmax(dim)
    else:
        ret = input.log_softmax(dim, dtype=dtype)
    return ret


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    noise = (
        -aten.empty_like(logits, memory_format=torch.legacy_contiguous_format).exponential_().log()
    )
    soft = ((logits + noise) / tau).softmax(dim)
    if hard:
        index = soft.max(dim, keepdim=True)[1]
        one = aten.zeros_like(logits, memory_format=torch.legacy_contiguous_format)
        ret = one.scatter_(dim, index, 1.0) - soft.detach() + soft
    else:
        ret = soft
    return ret


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        return aten.dropout_(input, p, training)
    return aten.dropout(input, p, training)


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        return aten.alpha_dropout_(input, p, training)
    return aten.alpha_dropout(input, p, training)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        return aten.feature_alpha_dropout_(input, p, training)
    return aten.feature_alpha_dropout(input, p, training)


def _feature_dropout(input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        return aten.feature_dropout_(input, p, training)
    return aten.feature_dropout(input, p, training)


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    count = input.dim()
    if count != 2 and count != 3:
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {count}D input. Note that "
            "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, "
            "a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    if count == 3:
        return _feature_dropout(input, p, training, inplace)
    result = _feature_dropout(
        input.unsqueeze_(0) if inplace else input.unsqueeze(0), p, training, inplace
    )
    return result.squeeze_(0) if inplace else result.squeeze(0)


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    return _feature_dropout(input, p, training, inplace)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    if input.dim() == 5:
        return _feature_dropout(input, p, training, inplace)
    result = _feature_dropout(
        input.unsqueeze_(0) if inplace else input.unsqueeze(0), p, training, inplace
    )
    return result.squeeze_(0) if inplace else result.squeeze(0)


home("torch.nn.functional", globals())
