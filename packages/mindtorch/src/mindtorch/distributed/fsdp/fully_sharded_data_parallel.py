"""``FullyShardedDataParallel``: parameters, gradients and optimizer states split over processes.

In a group of one nothing is to be split, so parameters stay those of the module. In a larger group
they are distributed tensors, as ``fully_shard`` makes them. (torch, unless ``use_orig_params`` is
set, shows them as one flat parameter.)
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ... import nn
from ...aten import torch
from ...core.warning import warn
from ...linalg import vector_norm
from ...tensor import Tensor
from .. import distributed_c10d as dist
from ..algorithms._checkpoint.checkpoint_wrapper import ActivationWrapper
from ..utils import _cast_forward_inputs
from ._common_utils import TrainingState, _FSDPState
from ._ignored_states import ignored
from ._split_parameters import SplitParameters, whole
from ._states import OptimStateKeyType, _StatesOfWrappers, as_own, placed, shaped
from ._wrapped_names import FSDP_PREFIX as FSDP_PREFIX
from ._wrapped_names import (
    FSDP_WRAPPED_MODULE,
    clean_tensor_name,
    with_wrapper,
    without_wrapper,
)
from .api import (
    BackwardPrefetch,
    CPUOffload,
    FullOptimStateDictConfig,
    FullStateDictConfig,
    MixedPrecision,
    ShardingStrategy,
    StateDictSettings,
    StateDictType,
)
from .api import LocalOptimStateDictConfig as LocalOptimStateDictConfig
from .api import LocalStateDictConfig as LocalStateDictConfig
from .api import OptimStateDictConfig as OptimStateDictConfig
from .api import ShardedOptimStateDictConfig as ShardedOptimStateDictConfig
from .api import ShardedStateDictConfig as ShardedStateDictConfig
from .api import StateDictConfig as StateDictConfig
from .wrap import CustomPolicy, ModuleWrapPolicy, _auto_wrap

__all__ = ["FullyShardedDataParallel", "OptimStateKeyType"]


class FullyShardedDataParallel(_StatesOfWrappers, _FSDPState):
    """A module whose parameters are split over the processes of a group."""

    def __init__(
        self,
        module: nn.Module,
        process_group: Any = None,
        sharding_strategy: ShardingStrategy | None = None,
        cpu_offload: CPUOffload | None = None,
        auto_wrap_policy: Callable[..., Any] | ModuleWrapPolicy | CustomPolicy | None = None,
        backward_prefetch: BackwardPrefetch | None = BackwardPrefetch.BACKWARD_PRE,
        mixed_precision: MixedPrecision | None = None,
        ignored_modules: Iterable[nn.Module] | None = None,
        param_init_fn: Callable[[nn.Module], None] | None = None,
        device_id: Any = None,
        sync_module_states: bool = False,
        forward_prefetch: bool = False,
        limit_all_gathers: bool = True,
        use_orig_params: bool = False,
        ignored_states: Any = None,
        device_mesh: Any = None,
    ) -> None:
        super().__init__()
        self._ignored_modules, self._ignored_params = ignored(
            module, FullyShardedDataParallel, ignored_modules, ignored_states
        )
        if device_mesh is not None:
            process_group = device_mesh.get_group(0)
            self._device_mesh = device_mesh
        group = process_group[0] if isinstance(process_group, tuple) else process_group
        self.process_group = group if group is not None else dist._get_default_group()
        self.rank, self.world_size = self.process_group.rank(), self.process_group.size()
        if device_mesh is not None:
            self.world_size = device_mesh.size()
        self.cpu_offload = cpu_offload or CPUOffload()
        self.mixed_precision = mixed_precision or MixedPrecision()
        asked = sharding_strategy or ShardingStrategy.FULL_SHARD
        if self.world_size == 1 and asked is not ShardingStrategy.NO_SHARD:
            warn(
                f"FSDP is switching to use `NO_SHARD` instead of {asked} since the world size is "
                "1.",
            )
        self.sharding_strategy = ShardingStrategy.NO_SHARD if self.world_size == 1 else asked
        self.backward_prefetch = backward_prefetch
        self.forward_prefetch = forward_prefetch
        self.limit_all_gathers = limit_all_gathers
        self._use_orig_params = use_orig_params
        if auto_wrap_policy is not None:
            if isinstance(module, FullyShardedDataParallel):
                raise ValueError(
                    "FSDP auto wrapping requires modules to not already have FSDP applied but "
                    "found the root module already wrapped"
                )
            _auto_wrap(
                module,
                auto_wrap_policy,
                self._ignored_modules,
                self._ignored_params,
                {
                    **dict(process_group=process_group, device_id=device_id),
                    **dict(sharding_strategy=sharding_strategy, device_mesh=device_mesh),
                    **dict(cpu_offload=cpu_offload, mixed_precision=mixed_precision),
                    **dict(backward_prefetch=backward_prefetch, forward_prefetch=forward_prefetch),
                    **dict(param_init_fn=param_init_fn, sync_module_states=sync_module_states),
                    **dict(limit_all_gathers=limit_all_gathers, use_orig_params=use_orig_params),
                },
                FullyShardedDataParallel,
            )
        metas = [m for m in module.modules() if _on_meta(m)]
        if metas and param_init_fn is not None:
            for m in metas:
                param_init_fn(m)
        elif metas:
            module.to_empty(device=torch.device("cpu"))
            for m in metas:
                reset: Any = getattr(m, "reset_parameters", None)
                if reset is not None:
                    reset()
        self._fsdp_wrapped_module = module
        self._is_root: bool | None = None
        self._sync_gradients = True
        self._comm_hook: Any = None
        self._comm_hook_state: Any = None
        self._settings = StateDictSettings(
            StateDictType.FULL_STATE_DICT, FullStateDictConfig(), FullOptimStateDictConfig()
        )
        self._split: SplitParameters | None = None
        if self.world_size > 1:
            self._split_parameters_(device_mesh, sync_module_states)
        self._register_state_dict_hook(without_wrapper)
        self._register_state_dict_hook(shaped)
        self.register_load_state_dict_pre_hook(with_wrapper)
        self.register_load_state_dict_pre_hook(placed)

    def _split_parameters_(self, mesh: Any, sync: bool) -> None:
        places: dict[Tensor, list[tuple[Any, str]]] = {}
        for m, name, p in self._own_():
            places.setdefault(p, []).append((m, name))
        inner = {m for f in self.fsdp_modules(self._fsdp_wrapped_module) for m in f.modules()}
        modules = [m for m in self._fsdp_wrapped_module.modules() if m not in inner]
        buffers = [b for m in modules for b in m._buffers.values() if b is not None]
        self._split = SplitParameters(
            self,
            places,
            buffers,
            self.sharding_strategy,
            self.process_group,
            mesh,
            self.mixed_precision,
            self.cpu_offload,
            sync,
        )

    @property
    def module(self) -> nn.Module:
        """The wrapped module."""
        inner: Any = self._fsdp_wrapped_module
        return inner._checkpoint_wrapped_module if isinstance(inner, ActivationWrapper) else inner

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name == FSDP_WRAPPED_MODULE:
                raise
            return getattr(self._fsdp_wrapped_module, name)

    def __getitem__(self, key: int) -> Any:
        return self._fsdp_wrapped_module[key]  # type: ignore[index]  # a container, if it has items

    # Which modules

    def check_is_root(self) -> bool:
        """Whether no other of this class has it inside."""
        self._lazy_init_()
        return bool(self._is_root)

    def _lazy_init_(self) -> None:
        if self._is_root is None:
            self._is_root = True
            for inner in self.fsdp_modules(self._fsdp_wrapped_module):
                inner._is_root = False

    @property
    def training_state(self) -> TrainingState:
        """What it is at."""
        if self.__dict__.get("_summoned"):
            return TrainingState.SUMMON_FULL_PARAMS
        if self._split is not None and self._split.is_running:
            return TrainingState.FORWARD_BACKWARD
        return TrainingState.IDLE

    def _assert_state(self, state: TrainingState | list[TrainingState]) -> None:
        """Raise ValueError if it is at something else."""
        wanted = [state] if isinstance(state, TrainingState) else state
        if self.training_state not in wanted:
            raise ValueError(
                f"expected to be in states {wanted} but current state is {self.training_state}"
            )

    def apply(self, fn: Callable[[nn.Module], None]) -> FullyShardedDataParallel:
        """Call *fn* on each submodule and this one."""
        return super().apply(fn)

    def named_parameters(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Parameters by name; by their bare names while they are summoned."""
        bare = bool(self.__dict__.get("_summoned"))
        for name, p in super().named_parameters(*args, **kwargs):
            yield (clean_tensor_name(name) if bare else name), p

    def named_buffers(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Buffers by name; by their bare names while parameters are summoned."""
        bare = bool(self.__dict__.get("_summoned"))
        for name, b in super().named_buffers(*args, **kwargs):
            yield (clean_tensor_name(name) if bare else name), b

    @staticmethod
    @contextlib.contextmanager
    def summon_full_params(
        module: nn.Module,
        recurse: bool = True,
        writeback: bool = True,
        rank0_only: bool = False,
        offload_to_cpu: bool = False,
        with_grads: bool = False,
    ) -> Iterator[None]:
        """Whole parameters inside of a ``with``, under their bare names."""
        if writeback and rank0_only:
            raise NotImplementedError("writeback=True and rank0_only=True is not supported yet")
        found = FullyShardedDataParallel.fsdp_modules(module)
        if not recurse:
            found = found[:1]
        what = "Cannot manually unshard parameters "
        states = {f.training_state for f in found}
        if TrainingState.FORWARD_BACKWARD in states:
            raise AssertionError(f"{what}during forward/backward")
        if TrainingState.SUMMON_FULL_PARAMS in states:
            raise AssertionError(f"{what}when already unsharding parameters")
        single = not any(f._split for f in found)
        before = None
        if single and not writeback:
            before = [p.detach().clone() for p in module.parameters()]
        for f in found:
            f.__dict__["_summoned"] = f.__dict__.get("_summoned", 0) + 1
        try:
            with contextlib.ExitStack() as summoned:
                for f in found:
                    if f._split is not None:
                        summoned.enter_context(f._split.summoned(writeback, with_grads))
                yield
        finally:
            for f in found:
                f.__dict__["_summoned"] -= 1
            if before is not None:
                with torch.no_grad():
                    for p, old in zip(module.parameters(), before):
                        p.copy_(old)

    # Training

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The module's forward, in the dtype of ``mixed_precision``."""
        self._lazy_init_()
        dtype = self.mixed_precision.param_dtype
        if self._split is not None:
            if (
                dtype is not None
                and self._is_root
                and self.mixed_precision.cast_root_forward_inputs
            ):
                args, kwargs = _cast_forward_inputs(dtype, *args, **kwargs)
            return self._fsdp_wrapped_module(*args, **kwargs)
        if dtype is None:
            self._watch_backward_()
            return self._fsdp_wrapped_module(*args, **kwargs)
        casts = self.mixed_precision.cast_forward_inputs or (
            self._is_root and self.mixed_precision.cast_root_forward_inputs
        )
        if casts:
            args, kwargs = _cast_forward_inputs(dtype, *args, **kwargs)
        self._watch_backward_()
        with self._low_precision_(dtype):
            return self._fsdp_wrapped_module(*args, **kwargs)

    def _own_(self) -> Iterator[tuple[nn.Module, str, Tensor]]:
        """The parameters that no inner wrapper has."""
        inner = {m for f in self.fsdp_modules(self._fsdp_wrapped_module) for m in f.modules()}
        for m in self._fsdp_wrapped_module.modules():
            if m in inner or m in self._ignored_modules:
                continue
            for name, p in m._parameters.items():
                if p is not None and p not in self._ignored_params:
                    yield m, name, p

    @contextlib.contextmanager
    def _low_precision_(self, dtype: Any) -> Iterator[None]:
        """Let modules see their parameters in *dtype*."""
        kept = self.mixed_precision._module_classes_to_ignore
        held = [
            (m, name, p)
            for m, name, p in self._own_()
            if p.is_floating_point() and not isinstance(m, tuple(kept))
        ]
        for m, name, p in held:
            cast: Any = p.to(dtype)
            m._parameters[name] = cast
        try:
            yield
        finally:
            for m, name, p in held:
                m._parameters[name] = p  # for a while, no Parameter

    def _watch_backward_(self) -> None:
        """Let a communication hook see gradients as they come."""
        if self._comm_hook is None or self.__dict__.get("_watching"):
            return
        self.__dict__["_watching"] = True

        def reduce(p: Tensor) -> None:
            if self._sync_gradients and p.grad is not None:
                flat = p.grad.reshape(-1)
                self._comm_hook(self._comm_hook_state, flat)
                with torch.no_grad():
                    p.grad.copy_(flat.view(p.shape))

        for _, _, p in self._own_():
            if p.requires_grad:
                p.register_post_accumulate_grad_hook(reduce)

    @contextlib.contextmanager
    def no_sync(self) -> Iterator[None]:
        """Let gradients be those of this process alone."""
        self._lazy_init_()
        if not self._is_root:
            raise RuntimeError(
                "`no_sync()` on inner FSDP instances is not supported. Please call `no_sync()` on "
                "root FSDP module."
            )
        before = [(f, f._sync_gradients) for f in self.fsdp_modules(self)]
        for f, _ in before:
            f._set_sync_(False)
        try:
            yield
        finally:
            for f, was in before:
                f._set_sync_(was)

    def _set_sync_(self, on: bool) -> None:
        self._sync_gradients = on
        if self._split is not None:
            self._split.group.reduce_grads = self._split.group.all_reduce_grads = on

    def register_comm_hook(self, state: object, hook: Callable[..., Any]) -> None:
        """Let *hook* reduce gradients."""
        if self._split is not None:
            raise NotImplementedError(
                "register_comm_hook of several processes is not supported: use fully_shard and "
                "its set_all_reduce_hook"
            )
        if not self.check_is_root():
            raise AssertionError("register_comm_hook can only be called on a root instance.")
        for f in self.fsdp_modules(self):
            if f._comm_hook is not None:
                raise AssertionError("A communication hook is already registered")
            f._comm_hook, f._comm_hook_state = hook, state

    @torch.no_grad()
    def clip_grad_norm_(self, max_norm: float | int, norm_type: float | int = 2.0) -> Tensor:
        """Make gradients no longer than *max_norm* together; how long they were."""
        self._lazy_init_()
        if not self._is_root:
            raise RuntimeError(
                "`clip_grad_norm_()` should only be called on the root FSDP instance"
            )
        kind = float(norm_type)
        grads = [p.grad for p in self.parameters() if p.grad is not None]
        if not grads:
            return torch.tensor(0.0)
        norms = torch.stack([whole(vector_norm(g.float(), kind)) for g in grads])
        total = norms.max() if math.isinf(kind) else vector_norm(norms, kind)
        scale = torch.clamp(float(max_norm) / (total + 1e-6), max=1.0)
        for g in grads:
            g.mul_(scale.to(g.dtype))
        return total.to(grads[0].dtype)


as_own(FullyShardedDataParallel)


def _on_meta(module: nn.Module) -> bool:
    own = [*module._parameters.values(), *module._buffers.values()]
    return any(t is not None and t.is_meta for t in own)
