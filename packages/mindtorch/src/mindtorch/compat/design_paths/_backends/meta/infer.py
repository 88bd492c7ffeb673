"""What a Meta kernel may give in place of a tensor."""

from collections.abc import Iterable
from typing import Any

from mindtorch.call.row import Out

__all__ = ["TensorSpec"]


def TensorSpec(shape: Iterable[int], stride: Iterable[int] | None = None, dtype: Any = None) -> Out:
    """A result of this shape, these strides (in elements; None: contiguous) and this dtype.

    Meta kernels of a program's own ops give it to a pipeline, in place of a meta tensor.
    """
    return Out(tuple(shape), dtype, None if stride is None else tuple(stride))
