"""Stages whose modules are data parallel, too: gradients are averaged once for all microbatches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...nn import Module
from ...nn.parallel import DistributedDataParallel
from ..fsdp import FSDPModule

__all__ = ["forward_without_sync", "reduce_sharded_gradients", "run_backward"]

T = TypeVar("T")


def forward_without_sync(module: Module, args: Any, kwargs: Any) -> Any:
    """Run a module whose next backward is not the last of a step."""
    if isinstance(module, DistributedDataParallel):
        with module.no_sync():
            return module(*args, **kwargs)
    return module(*args, **kwargs)


def run_backward(module: Module, run: Callable[[], T], output: Any, last: bool) -> T:
    """Run a backward from *output*; gradients are averaged in the *last* one.

    Those of modules that are sharded are averaged by :func:`reduce_sharded_gradients`.
    """
    if isinstance(module, DistributedDataParallel):
        if not last:
            with module.no_sync():
                return run()
        module._prepare_for_backward_(output)
    elif isinstance(module, FSDPModule):
        module.set_is_last_backward(False)
        module.set_reshard_after_backward(False)
        module.set_requires_gradient_sync(False)
    return run()


def reduce_sharded_gradients(module: Module) -> None:
    """Average the gradients of a sharded module after the last backward of a step."""
    if not isinstance(module, FSDPModule):
        return
    module.set_is_last_backward(True)
    module.set_reshard_after_backward(True)
    module.set_requires_gradient_sync(True)
    state = module._get_fsdp_state()
    for each in state._state_ctx.all_states:
        for group in each._fsdp_param_groups:
            group.post_backward()
    # Backward of inputs alone does not end as others do.
    state._root_post_backward_final_callback()
