"""Weights as a length times a direction, by hooks; ``parametrizations.weight_norm`` is newer."""

from __future__ import annotations

from typing import Any, TypeVar

from ...aten import torch
from ...core.warning import warn
from ..modules import Module
from ..parameter import Parameter, UninitializedParameter

__all__ = ["WeightNorm", "remove_weight_norm", "weight_norm"]

#: torch has both here too.
_weight_norm, norm_except_dim = torch._weight_norm, torch.norm_except_dim
T_module = TypeVar("T_module", bound=Module)


class WeightNorm:
    """The hook that makes the weight of its length and direction before each forward."""

    name: str
    dim: int

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Any:
        """The weight that the module's length and direction give."""
        length = getattr(module, self.name + "_g")
        direction = getattr(module, self.name + "_v")
        return torch._weight_norm(direction, length, self.dim)

    @staticmethod
    def apply(module: Module, name: str, dim: int | None) -> WeightNorm:
        """Take the weight *name* of *module* apart, and register the hook."""
        hooks = module._forward_pre_hooks.values()
        if any(isinstance(hook, WeightNorm) and hook.name == name for hook in hooks):
            raise RuntimeError(
                f"Cannot register two weight_norm hooks on the same parameter {name}"
            )
        weight = getattr(module, name)
        if isinstance(weight, UninitializedParameter):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure "
                "to run the dummy forward before applying weight normalization"
            )
        fn = WeightNorm(name, dim)
        module._parameters.pop(name)
        for part, value in (("g", torch.norm_except_dim(weight, 2, fn.dim)), ("v", weight)):
            module.register_parameter(f"{name}_{part}", Parameter(value.data))
        setattr(module, name, fn.compute_weight(module))
        module.register_forward_pre_hook(fn)
        return fn

    def remove(self, module: Module) -> None:
        """Put the weight together again, as a parameter."""
        whole = Parameter(self.compute_weight(module).data)
        delattr(module, self.name)
        for part in "gv":
            del module._parameters[f"{self.name}_{part}"]
        setattr(module, self.name, whole)

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: T_module, name: str = "weight", dim: int = 0) -> T_module:
    """Make the weight *name* a length times a direction, both parameters.

    :param dim: the dimension along which each slice has a length of its own; None for one length.
    """
    warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of "
        "`torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
    )
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: T_module, name: str = "weight") -> T_module:
    """Undo :func:`weight_norm`. Raises ValueError where it was not applied."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
