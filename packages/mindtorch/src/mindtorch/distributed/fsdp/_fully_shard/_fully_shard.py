"""``fully_shard``: parameters are distributed tensors, whole while the module runs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import MethodType
from typing import Any, cast

from .... import nn
from ....core.module_names import living_in
from ....core.warning import warn
from ..._contract import contract
from ...device_mesh import DeviceMesh
from ...utils import _get_root_modules
from ._fsdp_api import AllGather, MixedPrecisionPolicy, OffloadPolicy, ReduceScatter
from ._fsdp_init import (
    _get_device_from_mesh,
    _get_managed_modules,
    _get_managed_states,
    _get_mesh_info,
    _get_post_forward_mesh_info,
    _init_default_fully_shard_mesh,
    _init_param_group,
    _move_states_to_device,
    _validate_mesh,
    _validate_module,
)
from ._fsdp_param_group import FSDPParamGroup
from ._fsdp_state import FSDPState, _get_module_fsdp_state

__all__ = [
    "FSDPModule",
    "UnshardHandle",
    "fully_shard",
    "register_fsdp_forward_method",
    "share_comm_ctx",
]

_PRECISION, _OFFLOAD = MixedPrecisionPolicy(), OffloadPolicy()
_CLASSES: dict[type, type] = {}


class UnshardHandle:
    """What ``unshard`` gives where the caller does not wait."""

    def wait(self) -> None:
        """Wait until parameters are whole."""


class _UnshardHandleImpl(UnshardHandle):
    """Of parameters whose exchange has begun."""

    def __init__(self, groups: list[FSDPParamGroup]) -> None:
        self._groups_ = groups

    def wait(self) -> None:
        """Make parameters whole."""
        for group in self._groups_:
            group.wait_for_unshard()
        self._groups_ = []


@contract(state_cls=FSDPState)
def fully_shard(
    module: Any,
    *,
    mesh: DeviceMesh | None = None,
    reshard_after_forward: bool | int | None = None,
    shard_placement_fn: Callable[..., Any] | None = None,
    mp_policy: MixedPrecisionPolicy = _PRECISION,
    offload_policy: OffloadPolicy = _OFFLOAD,
    ignored_params: set[nn.Parameter] | None = None,
    dp_mesh_dims: Any = None,
) -> Any:
    """Split the parameters of a module over processes; the module, of a class made for it.

    Parameters are distributed tensors, of which each process has a part of the first dimension.
    They are whole while the module runs, and gradients are the mean over all processes.

    :param module: or a list of modules whose parameters are exchanged together.
    :param mesh: of one dimension; or of two, of which the first has the same parts.
    :param reshard_after_forward: whether parameters are split between forward and backward; a
        number: over so many processes. If not given, those of the root stay whole.
    :param shard_placement_fn: gives for a parameter the :class:`Shard` along which it is split.
    :param ignored_params: those that stay as they are.

    Raises ValueError for containers without a forward, for a mesh of more than two dimensions, for
    parameters without dimensions and for a number that does not divide that of the processes;
    AssertionError for a module that is split, for a mesh of two dimensions without names and for a
    dimension that a parameter does not have; NotImplementedError for strides that are not
    contiguous, for other dimensions than the first that do not split evenly, and for
    ``dp_mesh_dims``.
    """
    _validate_module(module, "fully_shard")
    single = isinstance(module, nn.Module)
    modules = (module,) if single else tuple(_get_root_modules(list(module)))
    mesh = mesh or _init_default_fully_shard_mesh(modules)
    _validate_mesh(mesh, dp_mesh_dims)
    info, device = _get_mesh_info(mesh), _get_device_from_mesh(mesh)
    after = True if reshard_after_forward is None else reshard_after_forward
    _get_post_forward_mesh_info(after, info)
    params, buffers = _get_managed_states(
        _get_managed_modules(modules, ignored_params), ignored_params
    )
    _move_states_to_device(params, buffers, device)
    state: FSDPState = fully_shard.state(modules[0])
    _init_param_group(
        state,
        params,
        modules,
        info,
        after,
        device,
        shard_placement_fn,
        mp_policy,
        offload_policy,
    )
    state.init(modules, device, mp_policy, reshard_after_forward is None)
    for each in modules:
        own = type(each)
        if own not in _CLASSES:
            name = f"FSDP{own.__name__}"
            _CLASSES[own] = type(name, (FSDPModule, own), {"__deepcopy__": _no_copy})
            _CLASSES[own].__module__ = __name__.replace(
                "_fully_shard._fully_shard", "_fully_shard._fsdp_init"
            )
        each.__class__ = _CLASSES[own]
    return module


def _no_copy(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("FSDP does not support deepcopy. Please use state dict for serialization.")


class FSDPModule:
    """What ``fully_shard`` makes of a module."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        own: Any = cls.__mro__[2]
        made = own.__new__(own, *args, **kwargs)
        made.__init__(*args, **kwargs)
        return made

    def _get_fsdp_state(self) -> FSDPState:
        state = _get_module_fsdp_state(cast(nn.Module, self))
        if state is None:
            raise AssertionError(f"No FSDP state found on {self}")
        return state

    def _groups_(self, recurse: bool) -> Iterator[FSDPParamGroup]:
        """The groups of this module; with *recurse* those of inner modules too."""
        inner: Any = self
        for module in inner.modules() if recurse else [self]:
            if isinstance(module, FSDPModule):
                yield from module._get_fsdp_state()._fsdp_param_groups

    def _apply(self, *args: Any, **kwargs: Any) -> Any:
        self.reshard()
        made = super()._apply(*args, **kwargs)  # type: ignore[misc]  # of the module's own class
        for group in self._groups_(False):
            for p in group.fsdp_params:
                p.reset_sharded_param()
        return made

    def reshard(self) -> None:
        """Split the parameters of this module, not those of inner ones, and free their memory."""
        for group in self._groups_(False):
            group.reshard()

    def unshard(self, async_op: bool = False) -> UnshardHandle | None:
        """Make the parameters of this module whole.

        :param async_op: only begin; the handle's ``wait`` ends it, or the next forward.
        """
        groups = list(self._groups_(False))
        for group in groups:
            group.lazy_init()
            group.unshard(async_op=async_op)
        handle = _UnshardHandleImpl(groups)
        if async_op:
            return handle
        handle.wait()
        return None

    def reset_iter_state(self) -> None:
        """Forget a forward or backward that failed; for a root.

        Raises RuntimeError for an inner module.
        """
        self._get_fsdp_state()._reset_iter_state()

    def set_is_last_backward(self, is_last_backward: bool) -> None:
        """Say whether no other backward comes before the step."""
        self._get_fsdp_state()._state_ctx.is_last_backward = is_last_backward

    def set_requires_gradient_sync(
        self, requires_gradient_sync: bool, *, recurse: bool = True
    ) -> None:
        """Say whether gradients are reduced; else they are added up on whole parameters."""
        for group in self._groups_(recurse):
            group.reduce_grads = group.all_reduce_grads = requires_gradient_sync

    def set_requires_all_reduce(self, requires_all_reduce: bool, *, recurse: bool = True) -> None:
        """Say whether gradients are reduced over the processes that have the same parts."""
        for group in self._groups_(recurse):
            group.all_reduce_grads = requires_all_reduce

    def set_reshard_after_forward(self, reshard_after_forward: bool, recurse: bool = True) -> None:
        """Say whether parameters are split after forward.

        Raises ValueError for anything but a bool.
        """
        if not isinstance(reshard_after_forward, bool):
            raise ValueError(
                f"reshard_after_forward should be a bool, got {type(reshard_after_forward)}"
            )
        inner: Any = self
        for module in inner.modules() if recurse else [self]:
            if isinstance(module, FSDPModule):
                module._get_fsdp_state()._auto_reshard_after_forward = False
                for group in module._groups_(False):
                    info: Any = group.mesh_info
                    group.post_forward_mesh_info = info if reshard_after_forward else None

    def set_reshard_after_backward(
        self, reshard_after_backward: bool, *, recurse: bool = True
    ) -> None:
        """Say whether parameters are split after backward."""
        for group in self._groups_(recurse):
            group.reshard_after_backward = reshard_after_backward

    def set_modules_to_forward_prefetch(self, modules: list[Any]) -> None:
        """Name the modules whose parameters are gathered while this one runs forward.

        Raises ValueError for modules that are not split.
        """
        self._get_fsdp_state()._states_to_forward_prefetch = _states_of(modules)

    def set_modules_to_backward_prefetch(self, modules: list[Any]) -> None:
        """Name the modules whose parameters are gathered while this one runs backward.

        Raises ValueError for modules that are not split.
        """
        self._get_fsdp_state()._states_to_backward_prefetch = _states_of(modules)

    def _single_(self, what: str) -> list[FSDPParamGroup]:
        """The group of this module.

        Raises ValueError where there are several.
        """
        groups = list(self._groups_(False))
        if len(groups) > 1:
            thing = "hook" if what.endswith("hook") else "custom comm"
            raise ValueError(
                f"{what} is not supported with multiple param groups (from per-param mesh via "
                f"shard_placement_fn). The {thing} would be ambiguous across groups with different "
                "meshes."
            )
        return groups

    def set_custom_all_gather(self, comm: AllGather) -> None:
        """Name what gathers parameters, in place of the group's own exchange."""
        for group in self._single_("set_custom_all_gather"):
            group._all_gather_comm = comm

    def set_custom_reduce_scatter(self, comm: ReduceScatter) -> None:
        """Name what reduces gradients, in place of the group's own reduction."""
        for group in self._single_("set_custom_reduce_scatter"):
            group._reduce_scatter_comm = comm

    def set_all_reduce_hook(self, hook: Callable[..., Any], *, stream: Any = None) -> None:
        """Name what is called on reduced gradients.

        :param stream: on which it runs, if no processes have the same parts.

        Raises ValueError for a stream where some have.
        """
        for group in self._single_("set_all_reduce_hook"):
            group._all_reduce_hook = hook
            if stream is not None:
                if group._is_hsdp:
                    raise ValueError("stream cannot be set when using native HSDP")
                group._all_reduce_hook_stream = stream

    def set_post_optim_event(self, event: Any) -> None:
        """Name the event that the next forward waits for."""
        self._get_fsdp_state()._state_ctx.post_optim_event = event

    def set_reduce_scatter_divide_factor(self, factor: float) -> None:
        """Set what gradients are divided by; ``set_gradient_divide_factor`` has taken its place."""
        warn("Use `set_gradient_divide_factor` instead", DeprecationWarning)
        self.set_gradient_divide_factor(factor)

    def set_gradient_divide_factor(self, factor: float) -> None:
        """Set what sums of gradients are divided by, in place of the number of processes."""
        for group in self._groups_(False):
            group.gradient_divide_factor = factor

    def set_force_sum_reduction_for_comms(self, enable: bool) -> None:
        """Say whether exchanges add only, and gradients are divided afterwards."""
        for group in self._groups_(False):
            group.force_sum_reduction_for_comms = enable

    def set_reduce_scatter_unused_params(
        self, reduce_scatter_unused_params: bool, *, recurse: bool = True
    ) -> None:
        """Say whether parameters that no gradient has come to are reduced as zeros."""
        for group in self._groups_(recurse):
            group.reduce_scatter_unused_params = reduce_scatter_unused_params

    def set_reduce_scatter_max_input_buffers(
        self, max_input_buffers: int, *, recurse: bool = True
    ) -> None:
        """Say how many reductions may be under way; here each ends before the next begins.

        Raises TypeError for anything but an int, ValueError for less than one.
        """
        if isinstance(max_input_buffers, bool) or not isinstance(max_input_buffers, int):
            raise TypeError(
                f"max_input_buffers must be an int, got {type(max_input_buffers).__name__}"
            )
        if max_input_buffers < 1:
            raise ValueError(f"max_input_buffers must be a positive int, got {max_input_buffers}")
        for group in self._groups_(recurse):
            group.reduce_scatter_max_input_buffers = max_input_buffers

    def set_separate_reduce_scatter_group(
        self, enable: bool = True, *, recurse: bool = True
    ) -> None:
        """Say whether gradients are reduced by a group of processes of their own."""
        made: dict[tuple[int, ...], Any] = {}
        for group in self._groups_(recurse):
            group._set_separate_reduce_scatter_group(enable, made)

    def set_allocate_memory_from_process_group_for_comm(self, enable: bool) -> None:
        """Say whether memory for exchanges is that of the group of processes.

        Raises NotImplementedError for True: groups have no memory of their own.
        """
        if enable:
            raise NotImplementedError(
                "memory of process groups is not supported: use set_custom_all_gather and "
                "set_custom_reduce_scatter"
            )

    def set_symm_mem_for_comm(self, backend: str = "NCCL") -> None:
        """Raise NotImplementedError: there is no symmetric memory."""
        raise NotImplementedError(
            "symmetric memory is not supported: use set_custom_all_gather and "
            "set_custom_reduce_scatter"
        )

    def set_unshard_in_backward(self, unshard_in_backward: bool) -> None:
        """Say whether backward needs parameters."""
        for group in self._groups_(False):
            group.unshard_in_backward = unshard_in_backward

    def _set_unshard_async_op(self, async_op: bool) -> None:
        """Say how parameters are asked for; exchanges begin in either way and are waited for."""
        for group in self._groups_(True):
            group.unshard_async_op = async_op


def _states_of(modules: list[Any]) -> list[FSDPState]:
    for module in modules:
        if not isinstance(module, FSDPModule):
            raise ValueError(f"Expects FSDPModule but got {type(module)}: {module}")
    return [module._get_fsdp_state() for module in modules]


def register_fsdp_forward_method(module: nn.Module, method_name: str) -> None:
    """Let a method be a forward too; nothing for a module that is not split.

    Raises ValueError for a method that the module does not have.
    """
    if not isinstance(module, FSDPModule):
        return
    if not hasattr(module, method_name):
        raise ValueError(f"{type(module)} does not have a method {method_name}")
    method = getattr(module, method_name)
    state = module._get_fsdp_state()

    @functools.wraps(method)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = state._pre_forward(self, args, kwargs)
        return state._post_forward(self, args, method(*args, **kwargs))

    setattr(module, method_name, MethodType(wrapped, module))


def share_comm_ctx(modules: list[Any]) -> None:
    """Let modules without a common root have the order of their forwards in common.

    Raises ValueError for modules that are not split.
    """
    if not modules:
        return
    for module in modules:
        if not isinstance(module, FSDPModule):
            raise ValueError(f"Expects list of FSDPModules but got {module}")
    states = [module._get_fsdp_state() for module in modules]
    for state in states:
        state._comm_ctx = states[0]._comm_ctx
        for group in state._fsdp_param_groups:
            group.comm_ctx = states[0]._comm_ctx


living_in(
    "mindtorch.distributed.fsdp",
    FSDPModule,
    UnshardHandle,
    fully_shard,
    register_fsdp_forward_method,
    share_comm_ctx,
)
