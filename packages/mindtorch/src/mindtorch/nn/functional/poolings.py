"""Pooling: the choice between results with and without indices, and adaptive sizes."""

from __future__ import annotations

from typing import Any

from ...ops.call import ops


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


def _full_size(output_size: Any, input: Any) -> Any:
    """*output_size* with the input's own sizes where it says None."""
    if isinstance(output_size, int):
        return output_size
    own = input.size()
    if len(own) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    tail = own[-len(output_size) :]
    return [n if wanted is None else wanted for wanted, n in zip(output_size, tail)]


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """Means over windows that give *output_size*; None keeps the input's size."""
    return ops.adaptive_avg_pool2d(input, _full_size(output_size, input))
