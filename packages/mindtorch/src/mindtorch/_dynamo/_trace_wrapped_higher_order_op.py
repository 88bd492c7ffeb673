"""``torch._dynamo._trace_wrapped_higher_order_op``: indexing by tensors inside of ``vmap``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mindtorch.overrides import TorchFunctionMode
from mindtorch.utils._pytree import tree_leaves

from .._ops import ops
from ..aten import torch

__all__ = ["TransformGetItemToIndex"]


class TransformGetItemToIndex(TorchFunctionMode):
    """Inside, ``x[i]`` with tensors alone as indices is ``aten.index``.

    Python's indexing asks a tensor without dimensions for its number, which a sample of a batch
    does not have; the op does not.
    """

    def __torch_function__(
        self,
        func: Any,
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if func is torch.Tensor.__getitem__:
            indices = tree_leaves(args[1])
            if all(isinstance(each, torch.Tensor) for each in indices):
                return ops.aten.index(args[0], indices)
        return func(*args, **(kwargs or {}))
