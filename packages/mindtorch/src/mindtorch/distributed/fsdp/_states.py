"""States of wrapped modules and of their optimizers: whole, or split as parameters are."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from enum import Enum, auto
from types import FunctionType
from typing import Any

from ... import nn
from ...core.module_names import living_in
from ...optim.optimizer import Optimizer
from ...tensor import Tensor
from .. import distributed_c10d as dist
from ._split_parameters import local_state_refused, placed_like, whole
from ._wrapped_names import FSDP_PREFIX, clean_tensor_name
from .api import (
    _CONFIGS,
    OptimStateDictConfig,
    StateDictConfig,
    StateDictSettings,
    StateDictType,
)

__all__ = ["OptimStateKeyType", "as_own", "placed", "shaped"]


class OptimStateKeyType(Enum):
    """How states of optimizers name parameters."""

    PARAM_NAME = auto()
    PARAM_ID = auto()


class _StatesOfWrappers(nn.Module):
    """What ``FullyShardedDataParallel`` has of states."""

    _settings: StateDictSettings
    _split: Any
    _fsdp_wrapped_module: nn.Module

    @staticmethod
    def fsdp_modules(module: nn.Module, root_only: bool = False) -> list[Any]:
        """All wrappers in *module*."""
        found = [m for m in module.modules() if isinstance(m, _StatesOfWrappers)]
        if not root_only:
            return found
        inner = {m for f in found for m in f._fsdp_wrapped_module.modules()}
        return [f for f in found if f not in inner]

    @staticmethod
    def set_state_dict_type(
        module: nn.Module,
        state_dict_type: StateDictType,
        state_dict_config: StateDictConfig | None = None,
        optim_state_dict_config: OptimStateDictConfig | None = None,
    ) -> StateDictSettings:
        """Set how states are given; what was set before."""
        kind, optim_kind = _CONFIGS[state_dict_type]
        if any(f._split for f in _StatesOfWrappers.fsdp_modules(module)):
            local_state_refused(state_dict_type)
        config = kind() if state_dict_config is None else state_dict_config
        optim_config = optim_kind() if optim_state_dict_config is None else optim_state_dict_config
        for got, want in ((config, kind), (optim_config, optim_kind)):
            if type(got) is not want:
                raise RuntimeError(
                    f"Expected {'optim_' if want is optim_kind else ''}state_dict_config of type "
                    f"{want} but got {type(got)}"
                )
        before = None
        for f in _StatesOfWrappers.fsdp_modules(module):
            before = before or f._settings
            f._settings = StateDictSettings(state_dict_type, config, optim_config)
        return before or StateDictSettings(state_dict_type, config, optim_config)

    @staticmethod
    def get_state_dict_type(module: nn.Module) -> StateDictSettings:
        """How states are given."""
        found = _StatesOfWrappers.fsdp_modules(module)
        if not found:
            raise AssertionError("No FSDP module found")
        return found[0]._settings

    @staticmethod
    @contextlib.contextmanager
    def state_dict_type(
        module: nn.Module,
        state_dict_type: StateDictType,
        state_dict_config: StateDictConfig | None = None,
        optim_state_dict_config: OptimStateDictConfig | None = None,
    ) -> Iterator[None]:
        """Set how states are given inside of a ``with``."""
        before = _StatesOfWrappers.set_state_dict_type(
            module, state_dict_type, state_dict_config, optim_state_dict_config
        )
        try:
            yield
        finally:
            for f in _StatesOfWrappers.fsdp_modules(module):
                f._settings = before

    @staticmethod
    def _named_(model: nn.Module) -> dict[str, Tensor]:
        return {clean_tensor_name(n): p for n, p in model.named_parameters()}

    @staticmethod
    def optim_state_dict(
        model: nn.Module,
        optim: Optimizer,
        optim_state_dict: dict[str, Any] | None = None,
        group: Any = None,
    ) -> dict[str, Any]:
        """The state of an optimizer by bare names of parameters."""
        plain = optim.state_dict() if optim_state_dict is None else optim_state_dict
        settings = _StatesOfWrappers.get_state_dict_type(model)
        full = settings.state_dict_type is StateDictType.FULL_STATE_DICT
        return _by_names(model, plain, optim, full)

    @staticmethod
    def optim_state_dict_to_load(
        model: nn.Module,
        optim: Optimizer,
        optim_state_dict: dict[str, Any],
        is_named_optimizer: bool = False,
        load_directly: bool = False,
        group: Any = None,
    ) -> dict[str, Any]:
        """A state by names as *optim* loads it."""
        names = {p: n for n, p in _StatesOfWrappers._named_(model).items()}
        order = [p for g in optim.param_groups for p in g["params"]]
        number: dict[Any, Any] = {names[p]: i for i, p in enumerate(order)}
        if is_named_optimizer:
            number = {n: n for n in number}
        params = _StatesOfWrappers._named_(model)
        made = {
            "state": {
                number[n]: {k: placed_like(params.get(n), x) for k, x in v.items()}
                for n, v in optim_state_dict["state"].items()
            },
            "param_groups": [
                {**g, "params": [number[n] for n in g["params"]]}
                for g in optim_state_dict["param_groups"]
            ],
        }
        if load_directly:
            optim.load_state_dict(made)
        return made

    @staticmethod
    def full_optim_state_dict(
        model: nn.Module,
        optim: Optimizer,
        optim_input: Any = None,
        rank0_only: bool = True,
        group: Any = None,
    ) -> dict[str, Any]:
        """The whole state of an optimizer by bare names of parameters."""
        return _by_names(model, optim.state_dict(), optim, full=True)

    @staticmethod
    def sharded_optim_state_dict(
        model: nn.Module, optim: Optimizer, group: Any = None
    ) -> dict[str, Any]:
        """The state of an optimizer by bare names, split as the parameters are."""
        return _by_names(model, optim.state_dict(), optim, full=False)

    @staticmethod
    def shard_full_optim_state_dict(
        full_optim_state_dict: dict[str, Any],
        model: nn.Module,
        optim_input: Any = None,
        optim: Optimizer | None = None,
    ) -> dict[str, Any]:
        """The part of this process of a whole state."""
        if optim is None:
            raise ValueError("an optimizer is needed to number its parameters")
        return _StatesOfWrappers.optim_state_dict_to_load(model, optim, full_optim_state_dict)

    @staticmethod
    def flatten_sharded_optim_state_dict(
        sharded_optim_state_dict: dict[str, Any], model: nn.Module, optim: Optimizer
    ) -> dict[str, Any]:
        """A split state by names as *optim* loads it."""
        return _StatesOfWrappers.optim_state_dict_to_load(model, optim, sharded_optim_state_dict)

    @staticmethod
    def scatter_full_optim_state_dict(
        full_optim_state_dict: dict[str, Any] | None,
        model: nn.Module,
        optim_input: Any = None,
        optim: Optimizer | None = None,
        group: Any = None,
    ) -> dict[str, Any]:
        """The part of this process of a whole state, which the first process has."""
        held = [full_optim_state_dict]
        dist.broadcast_object_list(held, 0, group)
        return _StatesOfWrappers.shard_full_optim_state_dict(
            held[0] or {}, model, optim_input, optim
        )

    @staticmethod
    def rekey_optim_state_dict(
        optim_state_dict: dict[str, Any],
        optim_state_key_type: OptimStateKeyType,
        model: nn.Module,
        optim_input: Any = None,
        optim: Optimizer | None = None,
    ) -> dict[str, Any]:
        """A state by names as one by numbers, or the other way round."""
        names = list(_StatesOfWrappers._named_(model))
        if optim is not None:
            by_param = {p: n for n, p in _StatesOfWrappers._named_(model).items()}
            names = [by_param[p] for g in optim.param_groups for p in g["params"]]
        forth: dict[Any, Any] = dict(enumerate(names))
        if optim_state_key_type is OptimStateKeyType.PARAM_ID:
            forth = {n: i for i, n in forth.items()}
        return {
            "state": {forth.get(k, k): v for k, v in optim_state_dict["state"].items()},
            "param_groups": [
                {**g, "params": [forth.get(p, p) for p in g["params"]]}
                for g in optim_state_dict["param_groups"]
            ],
        }


def _by_names(
    model: nn.Module, plain: dict[str, Any], optim: Optimizer, full: bool
) -> dict[str, Any]:
    """The state *plain* of an optimizer by bare names of parameters; whole if *full*."""
    names = {p: n for n, p in _StatesOfWrappers._named_(model).items()}
    order = [p for g in optim.param_groups for p in g["params"]]
    state = {
        names[order[i]]: {k: whole(x) for k, x in v.items()} if full else copy.copy(v)
        for i, v in plain["state"].items()
    }
    groups = [
        {**g, "params": [names[order[i]] for i in g["params"]]} for g in plain["param_groups"]
    ]
    return {"state": dict(sorted(state.items())), "param_groups": groups}


def as_own(cls: type) -> None:
    """Let *cls* have as its own what it has of this module's class, for there torch has it."""
    for name, member in vars(_StatesOfWrappers).items():
        function = getattr(member, "__func__", member)
        if isinstance(function, FunctionType):
            function.__qualname__ = f"{cls.__qualname__}.{function.__name__}"
            function.__module__ = cls.__module__
            setattr(cls, name, member)


def shaped(module: Any, state_dict: Any, prefix: str, metadata: Any) -> Any:
    """A hook: make tensors of a full state whole; those of one process, if it is so set."""
    settings = module._settings
    if module._split is None or settings.state_dict_type is not StateDictType.FULL_STATE_DICT:
        return state_dict
    for key in [k for k in state_dict if k.startswith(prefix)]:
        value = whole(state_dict[key])
        if settings.state_dict_config.rank0_only and module.rank:
            del state_dict[key]
            continue
        moves = settings.state_dict_config.offload_to_cpu and isinstance(value, Tensor)
        state_dict[key] = value.cpu() if moves else value
    return state_dict


def placed(module: Any, state_dict: Any, prefix: str, *args: Any) -> None:
    """A hook: lay whole tensors as the parameters lie that they are loaded into."""
    if module._split is None:
        return
    inside = module._fsdp_wrapped_module
    for name, p in inside.named_parameters():
        key = f"{prefix}{FSDP_PREFIX}{name}"
        for spelled in (key, prefix + FSDP_PREFIX + clean_tensor_name(name)):
            if spelled in state_dict:
                state_dict[spelled] = placed_like(p, state_dict[spelled])


living_in("mindtorch.distributed.fsdp.fully_sharded_data_parallel", OptimStateKeyType)
