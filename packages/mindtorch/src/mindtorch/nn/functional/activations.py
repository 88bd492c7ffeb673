"""Activations: the choice of the in-place op, and softmax's implicit dimension."""

from __future__ import annotations

from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor
from ...tensor.types import _DTypeLike


def _threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """*input* where it is above *threshold*, else *value*."""
    if inplace:
        return ops.threshold_(input, threshold, value)
    return ops.threshold(input, threshold, value)


threshold = _threshold  # a handler of ``__torch_function__`` sees the name with the underscore


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The positive part."""
    return ops.relu_(input) if inplace else ops.relu(input)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """*input* held between *min_val* and *max_val*."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        return ops.hardtanh_(input, min_val, max_val)
    return ops.hardtanh(input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """The positive part, at most 6."""
    if inplace:
        return ops.relu6_(input)
    return ops.relu6(input)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Exponential linear unit."""
    if inplace:
        return ops.elu_(input, alpha)
    return ops.elu(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Scaled exponential linear unit."""
    return ops.selu_(input) if inplace else ops.selu(input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Continuously differentiable exponential linear unit."""
    if inplace:
        return ops.celu_(input, alpha)
    return ops.celu(input, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """*input*, times *negative_slope* where it is negative."""
    if inplace:
        return ops.leaky_relu_(input, negative_slope)
    return ops.leaky_relu(input, negative_slope)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * sigmoid(x)``."""
    return ops.silu_(input) if inplace else ops.silu(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * tanh(softplus(x))``."""
    return ops.mish_(input) if inplace else ops.mish(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * relu6(x + 3) / 6``."""
    return ops.hardswish_(input) if inplace else ops.hardswish(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """``relu6(x + 3) / 6``."""
    return ops.hardsigmoid_(input) if inplace else ops.hardsigmoid(input)


def tanhshrink(input: Tensor) -> Tensor:
    """``x - tanh(x)``."""
    return input - input.tanh()


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half of *input* along *dim*, times the sigmoid of the second."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return ops.glu(input, dim)


def softsign(input: Tensor) -> Tensor:
    """``x / (1 + |x|)``."""
    return input / (input.abs() + 1)


def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent."""
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """``1 / (1 + exp(-x))``."""
    return input.sigmoid()


def _get_softmax_dim(name: str, ndim: int, stacklevel: int) -> int:
    """The dimension that is meant where none is given, which is deprecated.

    :param stacklevel: taken as torch takes it; the warning points at the user's line anyway.
    """
    warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument."
    )
    return 0 if ndim == 0 or ndim == 1 or ndim == 3 else 1


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _DTypeLike | None = None
) -> Tensor:
    """Exponentials along *dim*, scaled so that they sum to 1."""
    if dim is None:
        dim = _get_softmax_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _DTypeLike | None = None
) -> Tensor:
    """:func:`softmax` of ``-input``."""
    if dim is None:
        dim = _get_softmax_dim("softmin", input.dim(), _stacklevel)
    negative = -input
    return negative.softmax(dim) if dtype is None else negative.softmax(dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _DTypeLike | None = None
) -> Tensor:
    """The logarithm of :func:`softmax`, computed without overflow."""
    if dim is None:
        dim = _get_softmax_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A sample from the Gumbel-Softmax distribution.

    :param hard: give one-hot vectors; the gradient is that of the soft sample.
    """
    if eps != 1e-10:
        warn("`eps` parameter is deprecated and has no effect.")
    noise = -ops.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = ops.zeros_like(logits).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft
