"""Pooling: the choice between results with and without indices, and adaptive sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...core.operators import ops
from ...tensor import Tensor
from .by_name import functional as F
from .tuples import _pair, _triple


def _indices(op: str, input: Any, args: tuple[Any, ...]) -> Any:
    kernel_size, stride, padding, dilation, ceil_mode = args
    # No stride means the kernel's size; the op reads that from an empty list.
    return getattr(ops, op)(
        input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode
    )


def _max_pool(n: int) -> tuple[Any, Any]:
    """``max_pool{n}d`` and ``max_pool{n}d_with_indices``."""
    plain, with_indices = f"max_pool{n}d", f"max_pool{n}d_with_indices"

    def pool_with_indices(
        input: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        """The largest element of each window, and where it is."""
        return _indices(with_indices, input, (kernel_size, stride, padding, dilation, ceil_mode))

    def pool(
        input: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        """The largest element of each window.

        :param stride: the kernel's size, where None.
        :param return_indices: return where the elements are, too.
        """
        op = with_indices if return_indices else plain
        return _indices(op, input, (kernel_size, stride, padding, dilation, ceil_mode))

    pool_with_indices.__name__ = pool_with_indices.__qualname__ = with_indices
    pool.__name__ = pool.__qualname__ = plain
    return pool, pool_with_indices


max_pool1d, max_pool1d_with_indices = _max_pool(1)
max_pool2d, max_pool2d_with_indices = _max_pool(2)
max_pool3d, max_pool3d_with_indices = _max_pool(3)


def _full_size(output_size: Any, input: Any) -> Any:
    """*output_size* with the input's own sizes where it says None."""
    if isinstance(output_size, int):
        return output_size
    own = input.size()
    if len(own) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    tail = own[-len(output_size) :]
    return [n if wanted is None else wanted for wanted, n in zip(output_size, tail)]


def adaptive_avg_pool2d(input: Tensor, output_size: int | Sequence[int]) -> Tensor:
    """Means over windows that give *output_size*; None keeps the input's size."""
    return ops.adaptive_avg_pool2d(input, _full_size(output_size, input))


def adaptive_avg_pool3d(input: Tensor, output_size: int | Sequence[int]) -> Tensor:
    """Means over windows that give *output_size*; None keeps the input's size."""
    return ops.adaptive_avg_pool3d(input, _full_size(output_size, input))


def _adaptive_max(n: int) -> tuple[Any, Any]:
    """``adaptive_max_pool{n}d`` and ``adaptive_max_pool{n}d_with_indices``."""
    name = f"adaptive_max_pool{n}d"

    def pool_with_indices(input: Any, output_size: Any, return_indices: bool = False) -> Any:
        """The largest element of each window, and where it is."""
        size = output_size if n == 1 else _full_size(output_size, input)
        return getattr(ops, name)(input, size)

    def pool(input: Any, output_size: Any, return_indices: bool = False) -> Any:
        """The largest elements of windows that give *output_size*.

        :param output_size: None for the input's own size.
        :param return_indices: return where the elements are, too.
        """
        if return_indices:
            return pool_with_indices(input, output_size)
        return getattr(F, f"{name}_with_indices")(input, output_size)[0]

    pool_with_indices.__name__ = pool_with_indices.__qualname__ = f"{name}_with_indices"
    pool.__name__ = pool.__qualname__ = name
    return pool, pool_with_indices


adaptive_max_pool1d, adaptive_max_pool1d_with_indices = _adaptive_max(1)
adaptive_max_pool2d, adaptive_max_pool2d_with_indices = _adaptive_max(2)
adaptive_max_pool3d, adaptive_max_pool3d_with_indices = _adaptive_max(3)


def _power_mean(
    n: int,
    input: Any,
    norm_type: Any,
    kernel_size: Any,
    stride: Any,
    ceil_mode: bool,
    sizes: tuple[Any, ...],
) -> Any:
    """The norm of windows over *n* dimensions, of *sizes* elements."""
    if norm_type in (math.inf, -math.inf):
        largest = getattr(F, f"max_pool{n}d")
        if norm_type > 0:
            return largest(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
        return -largest(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    mean = getattr(F, f"avg_pool{n}d")
    powers = input.pow(norm_type)
    if stride is None:
        out = mean(powers, kernel_size, padding=0, ceil_mode=ceil_mode)
    else:
        out = mean(powers, kernel_size, stride, 0, ceil_mode)
    return (ops.sign(out) * F.relu(ops.abs(out))).mul(math.prod(sizes)).pow(1.0 / norm_type)


def lp_pool1d(
    input: Tensor,
    norm_type: float,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The *norm_type*-norm of each window."""
    return _power_mean(1, input, norm_type, kernel_size, stride, ceil_mode, (kernel_size,))


def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The *norm_type*-norm of each window."""
    width, height = _pair(kernel_size)
    return _power_mean(2, input, norm_type, kernel_size, stride, ceil_mode, (width, height))


def lp_pool3d(
    input: Tensor,
    norm_type: float,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The *norm_type*-norm of each window."""
    depth, width, height = _triple(kernel_size)
    sizes = depth, width, height
    return _power_mean(3, input, norm_type, kernel_size, stride, ceil_mode, sizes)
