"""``torch.ao.pruning.sparsifier.utils``: masks of parameters, and names of what they belong to."""

from __future__ import annotations

from itertools import chain
from typing import Any

from .... import nn
from ....aten import torch
from ....nn.utils.parametrize import is_parametrized, type_before_parametrizations

__all__ = [
    "module_contains_param",
    "swap_module",
    "module_to_fqn",
    "fqn_to_module",
    "get_arg_info_from_tensor_fqn",
    "FakeSparsity",
]


def module_contains_param(module: nn.Module, parametrization: type[nn.Module]) -> bool:
    """Tell whether a tensor of *module* itself is computed by a *parametrization*."""
    if not is_parametrized(module):
        return False
    lists: Any = module.parametrizations
    return any(isinstance(one, parametrization) for one in chain.from_iterable(lists.values()))


def swap_module(mod: nn.Module, mapping: dict[type[nn.Module], type[nn.Module]]) -> nn.Module:
    """Make what *mapping* has for the class of *mod*, by ``from_dense``, with its hooks.

    A module whose class is not in *mapping* is given back.

    Raises:
        AssertionError: the tensors of *mod* lie on several devices.
    """
    kind: Any = mapping.get(type_before_parametrizations(mod))
    if kind is None:
        return mod
    made = kind.from_dense(mod)
    for before in mod._forward_pre_hooks.values():
        made.register_forward_pre_hook(before)
    for after in mod._forward_hooks.values():
        made.register_forward_hook(after)
    devices = {t.device for t in chain(mod.parameters(), mod.buffers())}
    if len(devices) > 1:
        raise AssertionError(
            "swap_module only works with cpu or single-device CUDA modules, "
            f"but got devices {devices}"
        )
    for device in devices:
        made.to(device)
    return made


def module_to_fqn(model: nn.Module, module: nn.Module, prefix: str = "") -> str | None:
    """Find the name of *module* in *model*, dots between the parts; None where it is no part."""
    if module is model:
        return ""
    for name, child in model.named_children():
        below = module_to_fqn(child, module, ".")
        if below is not None:
            return prefix + name + below
    return None


def fqn_to_module(model: nn.Module | None, path: str) -> Any:
    """Find the module or tensor of *model* that *path* names; None where there is none."""
    found: Any = model
    for name in path.split(".") if path else ():
        found = getattr(found, name, None)
    return found


def get_arg_info_from_tensor_fqn(model: nn.Module, tensor_fqn: str) -> dict[str, Any]:
    """Say which tensor of which module *tensor_fqn* is (``"0.weight"``).

    Returns:
        ``module_fqn``, ``module`` (None where there is none), ``tensor_name`` and ``tensor_fqn``.
    """
    module_fqn, _, tensor_name = tensor_fqn.rpartition(".")
    return {
        "module_fqn": module_fqn,
        "module": fqn_to_module(model, module_fqn),
        "tensor_name": tensor_name,
        "tensor_fqn": tensor_fqn,
    }


class FakeSparsity(nn.Module):
    """A parametrization that multiplies a tensor by a mask of its shape.

    The mask is kept by the sparsifier: a ``state_dict`` does not have it.
    """

    mask: torch.Tensor

    def __init__(self, mask: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("mask", mask)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """*x* with zeros where the mask has them.

        Raises:
            AssertionError: the shapes differ.
        """
        if self.mask.shape != x.shape:
            raise AssertionError(f"mask shape ({self.mask.shape}) must match x shape ({x.shape})")
        return self.mask * x

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Nothing."""
        return {}
