"""Optimizers that step as soon as a parameter has its gradient, while a backward goes on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...nn import Module, Parameter
from ...utils.weak import WeakTensorKeyDictionary

__all__: list[str] = []

#: The hooks that step parameters, which ``DistributedDataParallel`` removes: it averages first.
param_to_optim_hook_handle_map: Any = WeakTensorKeyDictionary()


def _apply_optimizer_in_backward(
    optimizer_class: type[Any],
    params: Iterable[Parameter],
    optimizer_kwargs: dict[str, Any],
    register_hook: bool = True,
) -> None:
    """Let an optimizer of its own step each of *params* in backward; then it has no gradient.

    :param register_hook: False: the optimizers are made, and somebody else lets them step.
    """
    for param in params:
        held: Any = param
        if not hasattr(held, "_in_backward_optimizers"):
            held._in_backward_optimizers = []
            held._optimizer_classes = []
            held._optimizer_kwargs = []
        held._in_backward_optimizers.append(optimizer_class([param], **optimizer_kwargs))
        held._optimizer_classes.append(optimizer_class)
        held._optimizer_kwargs.append(optimizer_kwargs)
        if register_hook:
            handle = param.register_post_accumulate_grad_hook(_step)
            param_to_optim_hook_handle_map.setdefault(param, []).append(handle)


def _step(param: Any) -> None:
    for optimizer in param._in_backward_optimizers:
        optimizer.step()
    param.grad = None


def _get_in_backward_optimizers(module: Module) -> list[Any]:
    """The optimizers that step parameters of *module* in backward."""
    return [o for p in module.parameters() for o in getattr(p, "_in_backward_optimizers", ())]
