"""The last node of a trained module's graph: copies of its outputs, whose gradients may be missing.

Who changes an output in place changes the copy, not what the module's own graph has kept.
"""

from __future__ import annotations

import weakref
from typing import Any

from ...aten.torch import Tensor
from ...autograd import Function
from ...utils._pytree import tree_flatten, tree_unflatten
from .used_parameters import owned_reference

__all__ = ["through_sink"]


class _DDPSink(Function):
    """Passes tensors on; where one is in no loss, it gives no gradient, and not zeros."""

    @staticmethod
    def forward(ctx: Any, ddp_weakref: Any, *inputs: Any) -> tuple[Any, ...]:
        """Copies of *inputs*, unless the module is told to make none."""
        ctx.set_materialize_grads(False)
        if not ddp_weakref()._ddp_sink_clone:
            return inputs
        return tuple(each.clone() if isinstance(each, Tensor) else each for each in inputs)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> tuple[Any, ...]:
        """The gradients as they are."""
        return None, *grad_outputs


def through_sink(ddp: Any, output: Any) -> Any:
    """*output* with its tensors behind a sink; those without a graph stay what they are."""
    referred = owned_reference(output)
    found, spec = tree_flatten(output.local_value() if referred else output)
    behind = _DDPSink.apply(weakref.ref(ddp), *found)
    kept = [
        old if isinstance(old, Tensor) and old.grad_fn is None else new
        for old, new in zip(found, behind, strict=True)
    ]
    made = tree_unflatten(kept, spec)
    return type(output)(made) if referred else made
