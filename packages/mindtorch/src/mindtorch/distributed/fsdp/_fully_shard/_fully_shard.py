"""``fully_shard``: parameters are distributed tensors, whole while the module runs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .... import nn
from ....core.module_names import living_in
from ....tensor import Tensor
from ..._c10d.engine import several_processes
from ...device_mesh import DeviceMesh, init_device_mesh
from ...tensor import DTensor, Shard, distribute_tensor
from ...utils import _apply_to_tensors, _cast_forward_inputs
from ._fsdp_api import MixedPrecisionPolicy, OffloadPolicy

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
    """Of one process, whose parameters are whole always."""


class _State:
    """The parameters of one module that ``fully_shard`` has."""

    def __init__(self, roots: list[nn.Module], mesh: DeviceMesh, policy: Any) -> None:
        self.roots, self.mesh, self.policy = roots, mesh, policy
        self.params: list[tuple[nn.Module, str, Tensor]] = []
        self.depth = 0
        self.is_root: bool | None = None
        self.syncs = True

    def show_local(self) -> None:
        """Let modules see the local tensors, through which gradients flow."""
        self.depth += 1
        if self.depth > 1:
            return
        seen: dict[int, Any] = {}
        for module, name, p in self.params:
            local: Any = seen.get(id(p))
            if local is None:
                whole: Any = p
                local = whole.to_local()
                if self.policy.param_dtype is not None and local.is_floating_point():
                    local = local.to(self.policy.param_dtype)
                seen[id(p)] = local
            module._parameters[name] = local

    def show_distributed(self) -> None:
        """Let modules see their parameters again."""
        self.depth -= 1
        if self.depth == 0:
            for module, name, p in self.params:
                module._parameters[name] = p  # type: ignore[assignment]  # a tensor of another class


def _take(state: _State, ignored: set[Any], placement_fn: Any) -> None:
    """Make the parameters of the modules distributed, those of inner ones not."""
    made: dict[Tensor, Any] = {}
    for root in state.roots:
        for module in _outside_of_others(root):
            for name, p in module._parameters.items():
                if p is None or p in ignored:
                    continue
                if isinstance(p, DTensor):
                    made.setdefault(p, p)
                elif p not in made:
                    placed = placement_fn(p) if placement_fn is not None else None
                    kind = placed if isinstance(placed, Shard) else Shard(0)
                    if p.ndim == 0:
                        raise ValueError(
                            "fully_shard doesn't support scalar parameters. Change the parameter "
                            "to a 1D tensor with numel equal to 1."
                        )
                    dtensor: Any = distribute_tensor(p.detach(), state.mesh, [kind])
                    made[p] = nn.Parameter(dtensor, p.requires_grad)
                module._parameters[name] = made[p]
                state.params.append((module, name, made[p]))


def _outside_of_others(root: nn.Module) -> list[nn.Module]:
    """The modules of *root* but those of inner modules that have a state."""
    found = [root]
    for child in root.children():
        if not hasattr(child, "_fsdp_state"):
            found += _outside_of_others(child)
    return found


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
    """Make the parameters of a module distributed tensors; the module, of a class made for it."""
    roots = list(module) if not isinstance(module, nn.Module) else [module]
    for each in roots:
        if isinstance(each, nn.ModuleList | nn.ModuleDict):
            raise ValueError(
                f"fully_shard does not support containers that do not implement forward: {each}"
            )
        if hasattr(each, "_fsdp_state"):
            raise AssertionError(f"fully_shard has already been applied to {each}")
    mesh = mesh or init_device_mesh("cpu", (1,))
    if mesh.size() != 1:
        raise several_processes(mesh.size())
    if mesh.ndim > 2:
        raise ValueError(f"fully_shard expects a 1D or 2D DeviceMesh but got {mesh}")
    state = _State(roots, mesh if mesh.ndim == 1 else mesh._cut([1]), mp_policy)
    _take(state, ignored_params or set(), shard_placement_fn)
    for each in roots:
        each._fsdp_state = state
        each.register_forward_pre_hook(_before, prepend=True, with_kwargs=True)
        each.register_forward_hook(_after, always_call=True)
        own = type(each)
        if own not in _CLASSES:
            name = f"FSDP{own.__name__}"
            _CLASSES[own] = type(name, (FSDPModule, own), {"__deepcopy__": _no_copy})
            _CLASSES[own].__module__ = __name__.replace(
                "_fully_shard._fully_shard", "_fully_shard._fsdp_init"
            )
        each.__class__ = _CLASSES[own]
    return module


def _no_copy(self: Any, memo: Any) -> Any:
    raise AssertionError("FSDP does not support deepcopy. Please use state dict for serialization.")


def _before(module: Any, args: Any, kwargs: Any) -> Any:
    state = module._fsdp_state
    if state.is_root is None:
        state.is_root = True
        for inner in module.modules():
            if inner is not module and hasattr(inner, "_fsdp_state"):
                inner._fsdp_state.is_root = False
    state.show_local()
    if state.policy.cast_forward_inputs and state.policy.param_dtype is not None:
        return _cast_forward_inputs(state.policy.param_dtype, *args, **kwargs)
    return args, kwargs


def _after(module: Any, args: Any, output: Any) -> Any:
    state = module._fsdp_state
    state.show_distributed()
    wanted = state.policy.output_dtype
    if wanted is None or output is None:
        return output
    return _apply_to_tensors(lambda x: x.to(wanted) if x.is_floating_point() else x, output)


class FSDPModule:
    """What ``fully_shard`` makes of a module."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        own: Any = cls.__mro__[2]
        made = own.__new__(own, *args, **kwargs)
        made.__init__(*args, **kwargs)
        return made

    def _get_fsdp_state(self) -> _State:
        return self._fsdp_state  # type: ignore[attr-defined,no-any-return]  # set when sharded

    def _states(self, recurse: bool) -> list[_State]:
        inner: Any = self
        modules = inner.modules() if recurse else [self]
        return [m._fsdp_state for m in modules if hasattr(m, "_fsdp_state")]

    def reshard(self) -> None:
        """Split parameters: one process has them whole."""

    def unshard(self, async_op: bool = False) -> UnshardHandle | None:
        """Make parameters whole: one process has them so."""
        return _UnshardHandleImpl() if async_op else None

    def reset_iter_state(self) -> None:
        """Forget a forward that has no backward."""

    def set_is_last_backward(self, is_last_backward: bool) -> None:
        """Say whether another backward comes before the step."""

    def set_requires_gradient_sync(
        self, requires_gradient_sync: bool, *, recurse: bool = True
    ) -> None:
        """Say whether gradients are reduced."""
        for state in self._states(recurse):
            state.syncs = requires_gradient_sync

    def set_requires_all_reduce(self, requires_all_reduce: bool, *, recurse: bool = True) -> None:
        """Say whether gradients are reduced over what repeats parameters."""

    def set_reshard_after_forward(self, reshard_after_forward: bool, recurse: bool = True) -> None:
        """Say whether parameters are split after forward."""

    def set_reshard_after_backward(
        self, reshard_after_backward: bool, *, recurse: bool = True
    ) -> None:
        """Say whether parameters are split after backward."""

    def set_modules_to_forward_prefetch(self, modules: list[Any]) -> None:
        """Name the modules whose parameters are gathered early in forward."""

    def set_modules_to_backward_prefetch(self, modules: list[Any]) -> None:
        """Name the modules whose parameters are gathered early in backward."""

    def set_all_reduce_hook(self, hook: Callable[..., Any], *, stream: Any = None) -> None:
        """Name what is called on reduced gradients."""

    def set_post_optim_event(self, event: Any) -> None:
        """Name the event that the next forward waits for."""

    def set_reduce_scatter_divide_factor(self, factor: float) -> None:
        """Set what gradients are divided by."""
        self.set_gradient_divide_factor(factor)

    def set_gradient_divide_factor(self, factor: float) -> None:
        """Set what gradients are divided by."""
        for state in self._states(False):
            for _, _, p in state.params:
                if p.requires_grad:
                    p.register_hook(lambda g: g / factor)

    def set_force_sum_reduction_for_comms(self, enable: bool) -> None:
        """Say whether reductions are sums."""

    def set_unshard_in_backward(self, unshard_in_backward: bool) -> None:
        """Say whether backward needs parameters."""


def register_fsdp_forward_method(module: nn.Module, method_name: str) -> None:
    """Let a method be a forward too."""
    if not isinstance(module, FSDPModule):
        return
    if not hasattr(module, method_name):
        raise ValueError(f"{type(module)} does not have a method {method_name}")
    method = getattr(module, method_name)
    state: _State = module._get_fsdp_state()

    @functools.wraps(method)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        state.show_local()
        try:
            return method(*args, **kwargs)
        finally:
            state.show_distributed()

    setattr(module, method_name, wrapped)


def share_comm_ctx(modules: list[Any]) -> None:
    """Let modules share the streams of their communication; one process has none."""


living_in(
    "mindtorch.distributed.fsdp",
    FSDPModule,
    UnshardHandle,
    fully_shard,
    register_fsdp_forward_method,
    share_comm_ctx,
)
