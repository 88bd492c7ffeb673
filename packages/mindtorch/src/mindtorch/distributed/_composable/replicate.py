"""``replicate``: the gradients of a module that stays what it is are averaged over processes."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

from ... import nn
from ...aten import torch
from ...nn.parallel import DistributedDataParallel
from .._composable_state import _State
from .contract import _get_registry, contract

__all__ = ["replicate"]


class _ReplicateState(_State):
    """What averages the gradients of one module: made when its forward runs first."""

    _ddp_weakref: weakref.ref[DistributedDataParallel]

    def __init__(self) -> None:
        self.module: nn.Module = nn.ParameterList()
        self.has_initialized = False
        self._param_list = nn.ParameterList()
        self._param_names: list[str] = []
        self._no_sync = False
        self._init_args: tuple[Any, ...] | None = None
        self._init_kwargs: dict[str, Any] = {}
        self._comm_hook_args: list[Any] = []

    def _collect_params(
        self, module: nn.Module, ignored: set[nn.Module], without: set[Any], prefix: str = ""
    ) -> None:
        if _is_fully_sharded(module) or module in ignored:
            return
        inside = f"{prefix}." if prefix else ""
        for name, p in module.named_parameters(recurse=False):
            if p not in without:
                self._param_list.append(p)
                self._param_names.append(inside + name)
        for name, child in module.named_children():
            self._collect_params(child, ignored, without, inside + name)

    def record_init_args(self, *args: Any, **kwargs: Any) -> None:
        """Keep what :meth:`init` takes until the first forward."""
        self._init_args, self._init_kwargs = args, kwargs

    def lazy_init(self) -> None:
        """Make what averages, with what was kept, and tell it the hooks."""
        assert self._init_args is not None
        self.init(*self._init_args, **self._init_kwargs)
        self.register_comm_hook()
        self._init_args, self._init_kwargs = (), {}

    def init(self, module: nn.Module, ignored_modules: set[nn.Module], **kwargs: Any) -> None:
        """Make what averages gradients; once."""
        if self.has_initialized:
            return
        self.has_initialized = True
        self.module = module
        left = [m for m in module.modules() if m in ignored_modules or _is_fully_sharded(m)]
        without = {p for each in left for p in each.parameters()}
        self._collect_params(module, ignored_modules, without)
        if "device_id" in kwargs:
            where = kwargs.pop("device_id")
            host = where is None or (isinstance(where, torch.device) and where.type == "cpu")
            kwargs["device_ids"] = None if host else [where]
        self._ddp = DistributedDataParallel(self._param_list, **kwargs)
        replicate.state(module)._ddp_weakref = weakref.ref(self._ddp)

    def register_comm_hook(self) -> None:
        """Tell what averages the hooks that were registered."""
        for args, kwargs in self._comm_hook_args:
            self._ddp.register_comm_hook(*args, **kwargs)
        self._comm_hook_args.clear()

    def forward_pre_hook(self, module: nn.Module, args: Any, kwargs: Any) -> Any:
        """Begin a forward."""
        if self._init_args or self._init_kwargs:
            self.lazy_init()
        self._ddp.require_backward_grad_sync = not self._no_sync
        DistributedDataParallel._active_ddp_module = self._ddp
        return self._ddp._pre_forward(*args, **kwargs)

    def forward_post_hook(self, module: nn.Module, args: Any, output: Any) -> Any:
        """End a forward; the next backward averages."""
        DistributedDataParallel._active_ddp_module = None
        return self._ddp._post_forward(output)


def unimplemented_deepcopy(*args: Any, **kwargs: Any) -> Any:
    """Raise AssertionError: groups of processes cannot be copied."""
    raise AssertionError("DDP does not support deepcopy. Please use state dict for serialization.")


class DDP:
    """What ``replicate`` makes of a module."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        own: Any = cls.__mro__[2]
        made = own.__new__(own)
        made.__init__(*args, **kwargs)
        return made

    def set_requires_gradient_sync(self, requires_gradient_sync: bool) -> None:
        """Say whether gradients are averaged; else they are those of this process."""
        replicate.state(self)._no_sync = not requires_gradient_sync

    def register_comm_hook(self, *args: Any, **kwargs: Any) -> None:
        """Name what averages buckets of gradients; see ``DistributedDataParallel``."""
        replicate.state(self)._comm_hook_args.append((args, kwargs))


@contract(state_cls=_ReplicateState)
def replicate(
    module: nn.Module, ignored_modules: Iterable[nn.Module] | None = None, **kwargs: Any
) -> nn.Module:
    """Average the gradients of a module over processes; the module, of a class made for it.

    Takes the arguments of ``DistributedDataParallel``, and ``device_id`` in place of its
    ``device_ids``.

    :param ignored_modules: those whose parameters stay as they are.

    Raises RuntimeError for a ``device_id`` of another type and for a module that is split, and
    NotImplementedError for a mesh that is a part of another.
    """
    if "device_id" in kwargs and not isinstance(kwargs["device_id"], int | torch.device):
        raise RuntimeError(
            f"Expected device_id to be int or torch.device, but got {type(kwargs['device_id'])}"
        )
    if _is_fully_sharded(module):
        raise RuntimeError(
            "Cannot apply `replicate()` on a Module already managed by `fully_shard`"
        )
    mesh = kwargs.get("device_mesh")
    if mesh is not None and mesh._get_root_mesh() != mesh:
        raise NotImplementedError(
            "replicate over a part of a mesh is not supported: use fully_shard, or a process_group"
        )
    state = replicate.state(module)
    module.register_forward_pre_hook(state.forward_pre_hook, with_kwargs=True)
    module.register_forward_hook(state.forward_post_hook)
    state.record_init_args(module, set(ignored_modules or ()), **kwargs)
    own = type(module)
    module.__class__ = type(
        f"DDP{own.__name__}", (DDP, own), {"__deepcopy__": unimplemented_deepcopy}
    )
    return module


def _is_fully_sharded(module: nn.Module) -> bool:
    """Whether the parameters of a module are split."""
    registry = _get_registry(module)
    return registry is not None and "fully_shard" in registry
