"""``fully_shard``: parameters are distributed tensors, whole while the module runs."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from .... import accelerator, nn
from ....core.module_names import living_in
from ....tensor import Tensor
from ... import distributed_c10d as c10d
from ...device_mesh import DeviceMesh, init_device_mesh
from ...tensor import Shard
from ...tensor._lines import Line, line_of_neighbours
from ._fsdp_api import AllGather, MixedPrecisionPolicy, OffloadPolicy, ReduceScatter
from ._fsdp_param import DataParallel, ShardedParameter
from ._fsdp_param_group import ParameterGroup, offloaded
from ._fsdp_state import State

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

    def __init__(self, group: ParameterGroup) -> None:
        self._group: ParameterGroup | None = group

    def wait(self) -> None:
        """Make parameters whole."""
        if self._group is not None:
            self._group.unshard()
            self._group = None


def _outside_of_others(root: nn.Module) -> list[nn.Module]:
    """The modules of *root* but those of inner modules that have a state."""
    found = [root]
    for child in root.children():
        if not hasattr(child, "_fsdp_state"):
            found += _outside_of_others(child)
    return found


def _placed(
    modules: list[nn.Module], over: DataParallel, ignored: set[Any], placement_fn: Any
) -> list[ShardedParameter]:
    """The parameters of *modules*, split; those of inner modules that have a state are theirs."""
    places: dict[Tensor, list[tuple[Any, str]]] = {}
    for root in modules:
        for module in _outside_of_others(root):
            for name, p in module._parameters.items():
                if p is not None and p not in ignored:
                    found = places.setdefault(p, [])
                    if (module, name) not in found:
                        found.append((module, name))
    made = []
    for p, where in places.items():
        placement = placement_fn(p) if placement_fn is not None else None
        dim = placement.dim if isinstance(placement, Shard) else 0
        made.append(ShardedParameter(p, where, dim % p.ndim if p.ndim else 0, over))
    return made


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
    :param reshard_after_forward: whether parameters are split between forward and backward; if not
        given, those of the root stay whole. A number: whether they are split among so many
        neighbours, which takes more memory, and less time where these are near.
    :param shard_placement_fn: gives for a parameter the :class:`Shard` along which it is split.
    :param ignored_params: those that stay as they are.

    Raises ValueError for containers without a forward and for a mesh of more than two dimensions.
    """
    roots = list(module) if not isinstance(module, nn.Module) else [module]
    for each in roots:
        if isinstance(each, nn.ModuleList | nn.ModuleDict):
            raise ValueError(
                f"fully_shard does not support containers that do not implement forward: {each}"
            )
        if hasattr(each, "_fsdp_state"):
            raise AssertionError(f"fully_shard has already been applied to {each}")
    mesh = mesh or _world_mesh(roots)
    if mesh.ndim > 2:
        raise ValueError(f"fully_shard expects a 1D or 2D DeviceMesh but got {mesh}")
    over = DataParallel(mesh)
    reshards, few = _after_forward(reshard_after_forward, over)
    params = _placed(roots, over, ignored_params or set(), shard_placement_fn)
    _move_buffers(roots, over.device)
    if offloaded(offload_policy):
        for p in params:
            p.to_host()
    group = ParameterGroup(params, over, mp_policy, offload_policy)
    group.after_forward = few
    State(roots, group, mp_policy, reshards)
    for each in roots:
        own = type(each)
        if own not in _CLASSES:
            name = f"FSDP{own.__name__}"
            _CLASSES[own] = type(name, (FSDPModule, own), {"__deepcopy__": _no_copy})
            _CLASSES[own].__module__ = __name__.replace(
                "_fully_shard._fully_shard", "_fully_shard._fsdp_init"
            )
        each.__class__ = _CLASSES[own]
    return module


def _after_forward(wanted: Any, over: DataParallel) -> tuple[bool | None, Line | None]:
    """Whether parameters are split after forward, and among whom, if that are fewer than all.

    Raises ValueError for a number of processes that does not divide that of all.
    """
    if wanted is None or isinstance(wanted, bool):
        return wanted, None
    if not isinstance(wanted, int):
        raise ValueError(
            "reshard_after_forward should be a bool or an int representing the group size to "
            f"reshard to, not {wanted}"
        )
    if not 1 <= wanted <= over.size or over.size % wanted:
        raise ValueError(
            "If passing reshard_after_forward as an int, it should be a factor of "
            f"{over.size}, not {wanted}"
        )
    if wanted == 1:
        warnings.warn(
            "reshard_after_forward=1 (int) means resharding parameters to world size 1, instead "
            "of reshard_after_forward=True (bool)",
            stacklevel=3,
        )
        return False, None
    if wanted == over.size:
        return True, None
    return True, line_of_neighbours(over.mesh, wanted)


def _world_mesh(modules: list[nn.Module]) -> DeviceMesh:
    """The mesh of all processes: of the accelerator if parameters lie there, or will.

    Those that lie nowhere or on the host will where the default group was made for an accelerator:
    by a backend of its own. torch takes the accelerator wherever there is one.
    """
    if not c10d.is_initialized():
        c10d.init_process_group()
    kinds = {p.device.type for module in modules for p in module.parameters()} - {"cpu", "meta"}
    there = accelerator.current_accelerator()
    backends = c10d.get_backend_config().split(",") if c10d.get_backend() != "undefined" else ()
    meant = any(not each.endswith(":gloo") and not each.startswith("cpu:") for each in backends)
    kind = there.type if there is not None and (kinds or meant) else "cpu"
    return init_device_mesh(kind, (c10d.get_world_size(),))


def _move_buffers(modules: list[nn.Module], device: Any) -> None:
    """Have the buffers of *modules* where their parameters are."""
    for root in modules:
        for module in _outside_of_others(root):
            for buffer in module._buffers.values():
                if buffer is not None and not buffer.is_meta and buffer.device != device:
                    buffer.data = buffer.to(device)


def _no_copy(self: Any, memo: Any) -> Any:
    raise AssertionError("FSDP does not support deepcopy. Please use state dict for serialization.")


class FSDPModule:
    """What ``fully_shard`` makes of a module."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        own: Any = cls.__mro__[2]
        made = own.__new__(own, *args, **kwargs)
        made.__init__(*args, **kwargs)
        return made

    def _get_fsdp_state(self) -> State:
        return self._fsdp_state  # type: ignore[attr-defined]  # set when sharded

    def _states(self, recurse: bool) -> list[State]:
        inner: Any = self
        modules = inner.modules() if recurse else [self]
        found = (getattr(m, "_fsdp_state", None) for m in modules)
        return list(dict.fromkeys(s for s in found if isinstance(s, State)))

    def reshard(self) -> None:
        """Split the parameters of this module, not those of inner ones, and free their memory."""
        self._get_fsdp_state().group.reshard()

    def unshard(self, async_op: bool = False) -> UnshardHandle | None:
        """Make the parameters of this module whole.

        :param async_op: only begin; the handle's ``wait`` ends it, or the next forward.
        """
        state = self._get_fsdp_state()
        if not async_op:
            state.group.unshard()
            return None
        state.group.begin_all_gather()
        return _UnshardHandleImpl(state.group)

    def reset_iter_state(self) -> None:
        """Forget a forward that has no backward."""
        for state in self._states(True):
            state.forget()

    def set_is_last_backward(self, is_last_backward: bool) -> None:
        """Say whether no other backward comes before the step."""
        self._get_fsdp_state().iteration.is_last_backward = is_last_backward

    def set_requires_gradient_sync(
        self, requires_gradient_sync: bool, *, recurse: bool = True
    ) -> None:
        """Say whether gradients are reduced; else they are added up on whole parameters."""
        for state in self._states(recurse):
            state.group.reduces = state.group.reduces_replicas = requires_gradient_sync

    def set_requires_all_reduce(self, requires_all_reduce: bool, *, recurse: bool = True) -> None:
        """Say whether gradients are reduced over the processes that have the same parts."""
        for state in self._states(recurse):
            state.group.reduces_replicas = requires_all_reduce

    def set_reshard_after_forward(self, reshard_after_forward: bool, recurse: bool = True) -> None:
        """Say whether parameters are split after forward."""
        if not isinstance(reshard_after_forward, bool):
            raise ValueError(
                "reshard_after_forward should be a bool, got "
                f"{type(reshard_after_forward)}: {reshard_after_forward}"
            )
        for state in self._states(recurse):
            state.reshards = reshard_after_forward
            state.group.after_forward = None

    def set_reshard_after_backward(
        self, reshard_after_backward: bool, *, recurse: bool = True
    ) -> None:
        """Say whether parameters are split after backward."""
        for state in self._states(recurse):
            state.group.reshards_after_backward = reshard_after_backward

    def set_modules_to_forward_prefetch(self, modules: list[Any]) -> None:
        """Name the modules whose parameters are gathered while this one runs forward."""
        self._get_fsdp_state().forward_prefetch = [_state_of(m) for m in modules]

    def set_modules_to_backward_prefetch(self, modules: list[Any]) -> None:
        """Name the modules whose parameters are gathered while this one runs backward."""
        self._get_fsdp_state().backward_prefetch = [_state_of(m) for m in modules]

    def set_all_reduce_hook(self, hook: Callable[..., Any], *, stream: Any = None) -> None:
        """Name what is called on reduced gradients."""
        self._get_fsdp_state().group.all_reduce_hook = hook

    def set_custom_all_gather(self, comm: AllGather) -> None:
        """Set what gathers parameters, and the memory into which it does."""
        self._get_fsdp_state().group.gathers = comm

    def set_custom_reduce_scatter(self, comm: ReduceScatter) -> None:
        """Set what reduces gradients, and the memory into which it does."""
        self._get_fsdp_state().group.scatters = comm

    def set_post_optim_event(self, event: Any) -> None:
        """Name the event that the next forward waits for."""
        self._get_fsdp_state().post_optim_event = event

    def set_reduce_scatter_divide_factor(self, factor: float) -> None:
        """Set what gradients are divided by."""
        self.set_gradient_divide_factor(factor)

    def set_gradient_divide_factor(self, factor: float) -> None:
        """Set what sums of gradients are divided by, in place of the number of processes."""
        self._get_fsdp_state().group.factor = factor

    def set_force_sum_reduction_for_comms(self, enable: bool) -> None:
        """Say whether exchanges add only: they always do here, and divide afterwards."""

    def set_unshard_in_backward(self, unshard_in_backward: bool) -> None:
        """Say whether backward needs parameters."""
        self._get_fsdp_state().unshards_in_backward = unshard_in_backward


def _state_of(module: Any) -> State:
    if not isinstance(module, FSDPModule):
        raise ValueError(f"No FSDP state found on {module}")
    return module._get_fsdp_state()


def register_fsdp_forward_method(module: nn.Module, method_name: str) -> None:
    """Let a method be a forward too."""
    if not isinstance(module, FSDPModule):
        return
    if not hasattr(module, method_name):
        raise ValueError(f"{type(module)} does not have a method {method_name}")
    method = getattr(module, method_name)
    state = module._get_fsdp_state()

    @functools.wraps(method)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = state._before(module, args, kwargs)
        result = None
        try:
            result = method(*args, **kwargs)
        finally:
            result = state._after(module, args, result)
        return result

    setattr(module, method_name, wrapped)


def share_comm_ctx(modules: list[Any]) -> None:
    """Let modules share the streams of their communication, which all do that have one root."""


living_in(
    "mindtorch.distributed.fsdp",
    FSDPModule,
    UnshardHandle,
    fully_shard,
    register_fsdp_forward_method,
    share_comm_ctx,
)
