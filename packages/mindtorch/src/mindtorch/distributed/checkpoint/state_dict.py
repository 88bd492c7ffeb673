"""States of models and optimizers by the names that parameters have in the bare model."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ... import nn
from ...aten import torch
from ...core.warning import warn
from ...nn.modules.state import _IncompatibleKeys
from ...optim.optimizer import Optimizer
from ...tensor import Tensor
from .. import distributed_c10d as dist
from .._state_dict_utils import _gather_state_dict, _offload_state_dict_to_cpu

__all__ = [
    "DictValueType",
    "FQNS_T",
    "ListDictValueType",
    "OptimizerStateType",
    "PrimitiveType",
    "StateDictOptions",
    "ValueType",
    "get_model_state_dict",
    "get_optimizer_state_dict",
    "get_state_dict",
    "set_model_state_dict",
    "set_optimizer_state_dict",
    "set_state_dict",
]

FQNS_T = set[str]
PrimitiveType = Any
ValueType = Any
DictValueType = dict[str, ValueType]
ListDictValueType = list[DictValueType]
OptimizerStateType = dict[str, Any]

_PG, _PARAMS, _STATE = "param_groups", "params", "state"


@dataclass
class StateDictOptions:
    """How states are given and taken."""

    full_state_dict: bool = False
    cpu_offload: bool = False
    ignore_frozen_params: bool = False
    keep_submodule_prefixes: bool = True
    strict: bool = True
    broadcast_from_rank0: bool = False
    flatten_optimizer_state_dict: bool = False
    dsd_fqn_modifiers: str = "_fqn_modifiers"


def _bare(name: str) -> str:
    """A name without what wrappers put in."""
    for wrapper in ("_fsdp_wrapped_module.", "_checkpoint_wrapped_module.", "_orig_mod."):
        name = name.replace(wrapper, "")
    return name


def _bare_names(model: nn.Module) -> Callable[[str], str]:
    """From a name in *model*, of a module too, to the one without wrappers."""
    wrappers = [
        n for n, m in model.named_modules() if isinstance(m, nn.parallel.DistributedDataParallel)
    ]
    insides = [f"{path}." if path else "" for path in sorted(wrappers, key=len, reverse=True)]

    def bare(name: str) -> str:
        for inside in insides:
            if name.startswith(f"{inside}module."):
                name = inside + name[len(inside) + len("module.") :]
        return _bare(name)

    return bare


def _names(model: nn.Module) -> dict[str, str]:
    """The bare name of each parameter and buffer, by the name it has in *model*."""
    bare = _bare_names(model)
    return {name: bare(name) for name in model.state_dict()}


def _params(model: nn.Module) -> dict[Tensor, str]:
    names = _names(model)
    return {p: names.get(n, _bare(n)) for n, p in model.named_parameters(remove_duplicate=True)}


def _shaped(state: dict[str, Any], options: StateDictOptions) -> dict[str, Any]:
    if options.full_state_dict:
        return _gather_state_dict(state, cpu_offload=options.cpu_offload)
    return _offload_state_dict_to_cpu(state) if options.cpu_offload else state


def _warn_of_submodules(submodules: Any) -> None:
    if submodules:
        warn(
            "Getting submodules only model/optim state_dict is deprecated and will be removed in "
            "2.5. This feature can be achieved by manually filtering out the state_dict returned "
            "from get_state_dict.",
            FutureWarning,
        )


def _checked(options: StateDictOptions | None) -> StateDictOptions:
    options = options or StateDictOptions()
    if options.broadcast_from_rank0 and not options.full_state_dict:
        raise ValueError("full_state_dict must be True when broadcast_from_rank0 is True.")
    return options


def get_model_state_dict(
    model: nn.Module,
    *,
    submodules: set[nn.Module] | None = None,
    options: StateDictOptions | None = None,
) -> dict[str, ValueType]:
    """The state of a model by bare names."""
    _warn_of_submodules(submodules)
    options = _checked(options)
    frozen = {n for n, p in model.named_parameters() if not p.requires_grad}
    names = _names(model)
    state = {
        names[n]: v
        for n, v in model.state_dict().items()
        if not (options.ignore_frozen_params and n in frozen)
    }
    if submodules:
        kept, bare = {}, _bare_names(model)
        for path, module in model.named_modules():
            if module in submodules:
                inside = f"{bare(path)}."
                for n, v in state.items():
                    if n.startswith(inside):
                        kept[n if options.keep_submodule_prefixes else n[len(inside) :]] = v
        state = kept if kept else state
    return _shaped(state, options)


def _placed_as(own: Any, value: Any) -> Any:
    """A whole tensor as the distributed one that it is loaded into."""
    if not hasattr(own, "placements") or hasattr(value, "placements"):
        return value
    if not isinstance(value, Tensor) or value.shape != own.shape:
        return value
    return own._placing(value)


def _sent(state: dict[str, Any], options: StateDictOptions) -> dict[str, Any]:
    """The state of the first process, if the options say so."""
    if not options.broadcast_from_rank0 or not dist.is_initialized():
        return state
    held = [_offload_state_dict_to_cpu(state)]
    dist.broadcast_object_list(held, 0)
    return held[0]


def _of_modules(model: nn.Module, given: dict[Any, Any]) -> dict[str, Any]:
    """A state by bare names, where *given* has one for each of several modules."""
    if not given or not isinstance(next(iter(given)), nn.Module):
        return given
    warn(
        "Passing model_state_dict as a ``Dict[nn.Module, Dict[str, Any]]``is deprecated and will "
        "be removed in 2.5. If you need this feature, please preprocess the model_state_dict to "
        "achieve the same functionality.",
        FutureWarning,
    )
    bare = _bare_names(model)
    paths = [(path, m) for path, m in model.named_modules() if m in given]
    return {f"{bare(path)}.{n}": v for path, m in paths for n, v in given[m].items()}


def _nothing_given(options: StateDictOptions) -> Any:
    """What becomes of an empty state: an error, unless the options explain it."""
    gathered = options.full_state_dict and options.cpu_offload
    if options.strict and not options.ignore_frozen_params and not gathered:
        raise RuntimeError(
            "The option indicates that model state_dict is required to save or load, but model "
            f"state_dict is empty.rank = {dist.get_rank()=}."
        )
    return _IncompatibleKeys({}, {})


def set_model_state_dict(
    model: nn.Module,
    model_state_dict: dict[str, ValueType],
    *,
    options: StateDictOptions | None = None,
) -> Any:
    """Load the state of a model by bare names; what was missing and unexpected.

    As in torch, *model_state_dict* is changed where *model* is wrapped: what is loaded stands in it
    under the names that *model* itself gives. Raises RuntimeError for a name that is missing, and
    for an empty state.
    """
    options = _checked(options)
    given = _of_modules(model, model_state_dict)
    if not given and not options.broadcast_from_rank0:
        return _nothing_given(options)
    sends = options.broadcast_from_rank0 and dist.is_initialized()
    if not sends or dist.get_rank() == 0:
        for name, bare in _names(model).items():
            if name == bare:
                continue
            value = given.pop(bare, None)
            if value is not None:
                given[name] = value
            elif options.strict:
                raise RuntimeError(f"Missing key: {bare}.")
    own = model.state_dict()
    placed = {name: _placed_as(own.get(name), v) for name, v in _sent(given, options).items()}
    return model.load_state_dict(placed, strict=options.strict)


def _each(optimizers: Any) -> tuple[Any, ...]:
    if isinstance(optimizers, Optimizer):
        return (optimizers,)
    return tuple(optimizers)


def _init_optim_state(optim: Optimizer) -> None:
    """Let an optimizer make its state, by a step that changes nothing."""
    if optim.state:
        return
    if any(p.grad is not None for g in optim.param_groups for p in g[_PARAMS]):
        return
    rates = [g.get("lr") for g in optim.param_groups]
    for group in optim.param_groups:
        for p in group[_PARAMS]:
            if p.requires_grad:
                p.grad = torch.zeros_like(p)
        if "lr" in group:
            lr = group["lr"]
            group["lr"] = torch.zeros_like(lr) if isinstance(lr, Tensor) else 0.0
    optim.step(closure=None)
    for group, rate in zip(optim.param_groups, rates):
        if "lr" in group:
            group["lr"] = rate
    optim.zero_grad(set_to_none=True)


def _optim_state(model: nn.Module, optim: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    names = _params(model)
    _init_optim_state(optim)
    state = {}
    groups = []
    for group in optim.param_groups:
        listed = []
        for p in group[_PARAMS]:
            if p not in names:
                raise AssertionError("Expect a parameter of the model in the optimizer")
            listed.append(names[p])
            if p in optim.state:
                state[names[p]] = dict(optim.state[p])
        groups.append({**{k: v for k, v in group.items() if k != _PARAMS}, _PARAMS: listed})
    return state, groups


def _flatten_optim(state: dict[str, Any], groups: list[dict[str, Any]]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, values in state.items():
        for key, value in values.items():
            flat[f"{_STATE}.{name}.{key}"] = value
    for group in groups:
        for name in group[_PARAMS]:
            for key, value in group.items():
                if key != _PARAMS:
                    flat[f"{_PG}.{name}.{key}"] = value
    return flat


def _unflatten_optim(
    flat: dict[str, Any], state: dict[str, Any], groups: list[dict[str, Any]]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    made = {
        name: {key: flat[f"{_STATE}.{name}.{key}"] for key in values}
        for name, values in state.items()
    }
    regrouped = []
    for group in groups:
        first = group[_PARAMS][0] if group[_PARAMS] else None
        values = {k: flat.get(f"{_PG}.{first}.{k}", v) for k, v in group.items() if k != _PARAMS}
        regrouped.append({**values, _PARAMS: group[_PARAMS]})
    return made, regrouped


def get_optimizer_state_dict(
    model: nn.Module,
    optimizers: Any,
    *,
    submodules: set[nn.Module] | None = None,
    options: StateDictOptions | None = None,
) -> OptimizerStateType:
    """The states of optimizers by bare names of parameters."""
    _warn_of_submodules(submodules)
    options = _checked(options)
    state: dict[str, Any] = {}
    groups: list[dict[str, Any]] = []
    for optim in _each(optimizers):
        some, grouped = _optim_state(model, optim)
        state |= some
        groups += grouped
    if options.flatten_optimizer_state_dict:
        return _shaped(_flatten_optim(state, groups), options)
    return {_STATE: _shaped(state, options), _PG: groups}


def set_optimizer_state_dict(
    model: nn.Module,
    optimizers: Any,
    optim_state_dict: OptimizerStateType,
    *,
    options: StateDictOptions | None = None,
) -> None:
    """Load the states of optimizers by bare names of parameters."""
    options = _checked(options)
    for optim in _each(optimizers):
        own_state, own_groups = _optim_state(model, optim)
        optim_state_dict = _sent(optim_state_dict, options)
        if _STATE in optim_state_dict and isinstance(optim_state_dict[_STATE], dict):
            state, groups = optim_state_dict[_STATE], optim_state_dict[_PG]
        else:
            state, groups = _unflatten_optim(dict(optim_state_dict), own_state, own_groups)
        number: dict[str, int] = {}
        packed = []
        for group in own_groups:
            for name in group[_PARAMS]:
                number[name] = len(number)
            theirs = next((g for g in groups if set(g[_PARAMS]) & set(group[_PARAMS])), group)
            values = {k: v for k, v in {**group, **theirs}.items() if k != _PARAMS}
            packed.append({**values, _PARAMS: [number[n] for n in group[_PARAMS]]})
        by_number = {
            number[n]: {k: _placed_as(own_state.get(n, {}).get(k), x) for k, x in v.items()}
            for n, v in state.items()
            if n in number
        }
        optim.load_state_dict({_STATE: by_number, _PG: packed})


def get_state_dict(
    model: nn.Module,
    optimizers: Any,
    *,
    submodules: set[nn.Module] | None = None,
    options: StateDictOptions | None = None,
) -> tuple[dict[str, ValueType], OptimizerStateType]:
    """The states of a model and of optimizers by bare names."""
    given: dict[str, Any] = {"submodules": submodules, "options": options}
    of_model = get_model_state_dict(model, **given)
    return of_model, get_optimizer_state_dict(model, optimizers, **given)


def set_state_dict(
    model: nn.Module,
    optimizers: Any,
    *,
    model_state_dict: dict[str, ValueType],
    optim_state_dict: OptimizerStateType,
    options: StateDictOptions | None = None,
) -> Any:
    """Load the states of a model and of optimizers by bare names."""
    set_optimizer_state_dict(model, optimizers, optim_state_dict, options=options)
    return set_model_state_dict(model, model_state_dict, options=options)


def _patch_model_state_dict(model: nn.Module, *, options: StateDictOptions | None = None) -> None:
    """Let ``model.state_dict()`` give bare names, and ``load_state_dict`` take them."""
    own: Any = model

    def state_dict_call() -> dict[str, Any]:
        with _unpatched(own):
            return get_model_state_dict(own, options=options)

    def load_state_dict_call(state_dict: dict[str, Any]) -> Any:
        with _unpatched(own):
            return set_model_state_dict(own, state_dict, options=options)

    own.state_dict, own.load_state_dict = state_dict_call, load_state_dict_call


@contextlib.contextmanager
def _unpatched(model: Any) -> Iterator[None]:
    held = {
        n: model.__dict__.pop(n) for n in ("state_dict", "load_state_dict") if n in model.__dict__
    }
    try:
        yield
    finally:
        model.__dict__.update(held)
