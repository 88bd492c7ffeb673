"""Modules whose parameters are distributed tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ... import nn
from ...core.module_names import living_in
from ...core.warning import warn
from ..device_mesh import DeviceMesh
from ._api import _HOME, DTensor, _mesh, distribute_tensor

__all__ = ["distribute_module"]


def distribute_module(
    module: nn.Module,
    device_mesh: DeviceMesh | None = None,
    partition_fn: Callable[..., None] | None = None,
    input_fn: Callable[..., Any] | None = None,
    output_fn: Callable[..., Any] | None = None,
) -> nn.Module:
    """Lay the parameters of a module on a mesh, and its inputs and outputs."""
    mesh = _mesh(device_mesh)
    done: Any = module
    if getattr(done, "_distribute_module_applied", False):
        raise RuntimeError(
            "distribute_module should only be called once on a module, but it has already been "
            "called on this module!"
        )

    def replicate(inner: nn.Module) -> None:
        for key, p in inner._parameters.items():
            if p is not None and not isinstance(p, DTensor):
                made: Any = nn.Parameter(distribute_tensor(p.data, mesh), p.requires_grad)
                inner.register_parameter(key, made)
        for key, b in inner._buffers.items():
            if b is not None and not isinstance(b, DTensor):
                inner._buffers[key] = distribute_tensor(b, mesh)

    for name, inner in module.named_modules():
        if partition_fn is not None:
            partition_fn(name, inner, mesh)
        replicate(inner)
    _hook(module, mesh, "input_fn", input_fn, module.register_forward_pre_hook)
    _hook(module, mesh, "output_fn", output_fn, module.register_forward_hook)
    done._distribute_module_applied = True
    return module


def _hook(
    module: nn.Module,
    mesh: DeviceMesh,
    name: str,
    given: Callable[..., Any] | None,
    register: Callable[..., Any],
) -> None:
    """Let *given* change what goes into a module or comes out of it.

    The older form of such a function takes no module. Raises ValueError for other numbers of
    arguments than two and three.
    """
    if given is None:
        return
    called: Callable[..., Any] = given
    count = len(inspect.signature(called).parameters)
    if count == 2:
        warn(
            f"Deprecating {name} that takes two arguments (inputs, device_mesh), please use "
            f"{name} that takes in (module, inputs, device_mesh) instead!",
            FutureWarning,
        )
        register(lambda _, *values: called(values[-1], mesh))
    elif count == 3:
        register(lambda own, *values: called(own, values[-1], mesh))
    else:
        raise ValueError(f"{name} should take in 3 arguments, but got {count} arguments!")


living_in(_HOME, distribute_module)
