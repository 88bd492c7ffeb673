"""Unpooling, and pooling in windows that are placed at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.operators import ops
from ...tensor import Tensor
from .by_name import functional as F
from .tuples import _pair, _single, _triple


def _unpool_output_size(
    input: Any, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> Any:
    """*output_size* without batch and channels, or the smallest that the pooling had."""
    n = len(kernel_size)
    sizes = input.size()
    usual = [(sizes[-n + d] - 1) * stride[d] + kernel_size[d] - 2 * padding[d] for d in range(n)]
    if output_size is None:
        return usual
    if len(output_size) == n + 2:
        output_size = output_size[2:]
    if len(output_size) != n:
        raise ValueError(
            f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a "
            f"length of '{len(output_size)}'"
        )
    for d in range(n):
        least, most = usual[d] - stride[d], usual[d] + stride[d]
        if not least < output_size[d] < most:
            raise ValueError(
                f'invalid output_size "{output_size}" (dim {d} must be between {least} and {most})'
            )
    return output_size


def _sizes(several: Any, kernel_size: Any, stride: Any, padding: Any) -> tuple[Any, Any, Any]:
    kernel = several(kernel_size)
    return kernel, kernel if stride is None else several(stride), several(padding)


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: int | Sequence[int] | None = None,
) -> Tensor:
    """*input* at the places that *indices* of a max pooling tell, zero elsewhere."""
    kernel, step, around = _sizes(_single, kernel_size, stride, padding)
    size = _unpool_output_size(input, kernel, step, around, output_size)
    size = [*size, 1]
    return ops.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), size).squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: int | Sequence[int] | None = None,
) -> Tensor:
    """*input* at the places that *indices* of a max pooling tell, zero elsewhere."""
    kernel, step, around = _sizes(_pair, kernel_size, stride, padding)
    size = _unpool_output_size(input, kernel, step, around, output_size)
    return ops.max_unpool2d(input, indices, size)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: int | Sequence[int] | None = None,
) -> Tensor:
    """*input* at the places that *indices* of a max pooling tell, zero elsewhere."""
    kernel, step, around = _sizes(_triple, kernel_size, stride, padding)
    size = _unpool_output_size(input, kernel, step, around, output_size)
    return ops.max_unpool3d(input, indices, size, step, around)


def _fractional(n: int, several: Any) -> tuple[Any, Any]:
    """``fractional_max_pool{n}d`` and ``fractional_max_pool{n}d_with_indices``."""
    name = f"fractional_max_pool{n}d"

    def pool_with_indices(
        input: Any,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> tuple[Any, Any]:
        """The largest element of each window, and where it is."""
        if output_size is None and output_ratio is None:
            raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
        if output_size is None:
            ratio = several(output_ratio) if n == 3 else output_ratio
            if len(ratio) > n:
                raise ValueError(
                    f"{name} requires output_ratio to either be a single Int or tuple of Ints."
                )
            output_size = [int(input.size(d - n) * ratio[d]) for d in range(n)]
        if _random_samples is None:
            batched = input.dim() == n + 2
            batch = input.size(0) if batched else 1
            _random_samples = ops.rand(
                (batch, input.size(-n - 1), n), dtype=input.dtype, device=input.device
            )
        return getattr(ops, name)(
            input, several(kernel_size), several(output_size), _random_samples
        )

    def pool(
        input: Any,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> Any:
        """The largest element of each window, where windows are placed at random.

        :param output_size: the result's size; or
        :param output_ratio: how much smaller it is.
        :param return_indices: return where the elements are, too.
        """
        both = pool_with_indices if return_indices else getattr(F, f"{name}_with_indices")
        found = both(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)
        return found if return_indices else found[0]

    pool_with_indices.__name__ = pool_with_indices.__qualname__ = f"{name}_with_indices"
    pool.__name__ = pool.__qualname__ = name
    return pool, pool_with_indices


fractional_max_pool2d, fractional_max_pool2d_with_indices = _fractional(2, _pair)
fractional_max_pool3d, fractional_max_pool3d_with_indices = _fractional(3, _triple)
