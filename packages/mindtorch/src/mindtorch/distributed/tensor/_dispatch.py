"""Operators on distributed tensors: a plan, exchanges, and the operator on what is here."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from mindtorch.utils import _pytree as pytree

from ..._C import _DisableTorchDispatch
from ..._ops import ops
from ...aten import torch
from ...call.dispatch_entry import OVERLOADS
from ...core.warning import warn
from ...tensor import Tensor
from ...utils._debug_mode import get_active_debug_mode
from ..device_mesh import DeviceMesh
from . import _rules
from ._dtensor_spec import DTensorSpec, TensorMeta
from ._explicit_exchanges import ExplicitRedistributionContext
from ._redistribute import redistribute_local_tensor
from ._sharding import Plan, modes
from ._sharding_prop import ShardingPropagator
from ._sharding_prop import change_in as _map
from ._utils import compute_local_shape
from .placement_types import Replicate

__all__ = ["dispatch", "propagator", "replicating"]

assert _rules
#: Arguments that name a shape which the result has: on parts it is that of the part.
_SHAPES = ("size", "input_sizes")
#: How calls of this process are split.
propagator = ShardingPropagator()
#: How often ``implicit_replication`` was entered and not left.
replicating: list[int] = [0]


def _whole(tensor: Tensor, func: Any, mesh: DeviceMesh) -> DTensorSpec:
    """How a plain tensor beside distributed ones lies: each process has it.

    Raises RuntimeError for one of more than one element, which may be a part.
    """
    if tensor.numel() == 1 and tensor.ndim == 1:
        warn(
            "Found a non-scalar tensor with numel=1 and ndim!=0, we are implicitly creating a "
            "replicated DTensor for it. However, please consider changing it to a scalar tensor or "
            "explicitly create a DTensor under distributed environment.",
        )
    targets = modes.split_classes and func._opname.startswith("nll_loss")
    if tensor.numel() != 1 and not replicating[0] and not targets:
        raise RuntimeError(
            f"{func} got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to "
            "DTensor before calling distributed operators!"
        )
    meta = TensorMeta(tensor.shape, tensor.stride(), tensor.dtype)
    return DTensorSpec(mesh, (Replicate(),) * mesh.ndim, meta)


def _local_stride(shape: Sequence[int], stride: Sequence[int]) -> list[int]:
    """Strides of a part in one piece whose dimensions lie in memory as those of the whole."""
    made, step = [0] * len(shape), 1
    for dim in sorted(range(len(shape)), key=lambda d: (stride[d], -d)):
        made[dim] = step if stride[dim] else 0
        step *= shape[dim] if stride[dim] else 1
    return made


def _reshaped(plan: Plan, args: list[Any]) -> None:
    """Put shapes of parts where arguments say the shape of the result."""
    spec = plan.outputs[0] if plan.outputs else None
    if spec is None or not spec.is_sharded():
        return
    names = plan.call.names
    for name in _SHAPES:
        if name in names[: len(args)] and isinstance(args[names.index(name)], list | tuple):
            shape = compute_local_shape(spec.shape, spec.mesh, spec.placements)
            place = names.index(name)
            args[place] = list(shape)
            if "stride" in names[: len(args)]:
                args[names.index("stride")] = _local_stride(shape, spec.stride)


def _squeezed(plan: Plan, args: list[Any]) -> tuple[Any, list[Any]]:
    """``squeeze`` of those dimensions that have one number in the whole, not those of the part."""
    spec = plan.call.tensors[0]
    dims = plan.call.dims() if len(args) > 1 else list(range(spec.ndim))
    single = [d for d in (dims or ()) if spec.ndim and spec.shape[d] == 1]
    return getattr(ops.aten, plan.call.func._opname).dims, [args[0], single]


def _exchanges(plan: Plan) -> bool:
    """Whether an operand has to get other placements first."""
    pairs = zip(plan.call.tensors, plan.inputs, strict=True)
    return any(have.placements != want.placements for have, want in pairs)


def _run(plan: Plan, args: Sequence[Any], kwargs: dict[str, Any], locals_: list[Any]) -> Any:
    """The operator on what is here, after the exchanges that it needs."""
    call, func = plan.call, plan.call.func
    moved = []
    read = locals_[: len(call.tensors)]  # behind them come those that are written
    writing = get_active_debug_mode()
    if writing is not None and _exchanges(plan):
        made = plan.outputs
        writing.record_output_placements(made[0] if len(made) == 1 else made)
    for i, (spec, want, local) in enumerate(zip(call.tensors, plan.inputs, read, strict=True)):
        if spec.placements != want.placements:
            ExplicitRedistributionContext.observe_redistribution(
                spec,
                want,
                lambda: (
                    f"Implicit redistribution occurred for {func} while "
                    "ExplicitRedistributionContext was active"
                ),
            )
            with (
                nullcontext()
                if writing is None
                else writing.record_redistribute_calls(i, spec, want)
            ):
                local = redistribute_local_tensor(local, spec, want)
        moved.append(local)
    number = iter(moved)
    outs = iter(locals_[len(call.tensors) :])

    def part(x: Any) -> Any:
        return next(number) if isinstance(x, DTensorSpec) else x

    here = [_map(a, part) for a in args]
    named = {}
    writes = {a.name for a in func._schema.arguments if a.is_out}
    for name, value in kwargs.items():
        named[name] = next(outs) if name in writes else _map(value, part)
    _reshaped(plan, here)
    if func._opname.startswith("squeeze"):
        func, here = _squeezed(plan, here)
    run = func if plan.local is None else functools.partial(plan.local, plan)
    return run(*here, **named)


def _empty(plan: Plan) -> Any:
    """Results on a process that is not in the mesh: empty, 0 or True."""
    if not plan.outputs:
        return True
    made = [
        None if spec is None else torch.zeros((0,) if spec.ndim else (), dtype=spec.dtype)
        for spec in plan.outputs
    ]
    return made[0] if len(made) == 1 else tuple(made)


def _one_by_one(kind: Any, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A call on lists of tensors, as calls on each tensor of the first list."""
    name = func._opname.removeprefix("_foreach_")
    base = name.removesuffix("_")
    rename = {"norm": "linalg_vector_norm", "zero": "zero", "max": "max"}
    packet = getattr(ops.aten, rename.get(base, base) + ("_" if name.endswith("_") else ""))
    lists = [type(a) in (list, tuple) for a in args]
    made = []
    for i in range(len(args[0])):
        each = [a[i] if listed else a for a, listed in zip(args, lists, strict=True)]
        named = {k: v[i] if type(v) in (list, tuple) else v for k, v in kwargs.items()}
        made.append(packet(*each, **named))
    return None if name.endswith("_") else made


def dispatch(kind: Any, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What an operator makes of distributed tensors, which are of class *kind*.

    Raises NotImplementedError where nothing is known of the operator, RuntimeError where plain
    tensors are among the distributed ones.
    """
    if func is ops.aten._local_scalar_dense.default:
        replicated = args[0]._spec.is_replicated()
        return (args[0]._local_tensor if replicated else args[0].full_tensor()).item()
    if func._opname.startswith("_foreach_"):
        return _one_by_one(kind, func, args, kwargs)
    kwargs = {a.name: kwargs[a.name] for a in func._schema.arguments if a.name in kwargs}
    locals_: list[Any] = []
    first = next(x for x in pytree.tree_leaves((args, kwargs)) if isinstance(x, kind))
    mesh = first._spec.mesh

    def known(x: Any) -> Any:
        if isinstance(x, kind):
            locals_.append(x._local_tensor)
            return x._spec
        if isinstance(x, Tensor):
            locals_.append(x)
            return _whole(x, func, mesh)
        return x

    specs = [_map(a, known) for a in args]
    named = {k: _map(v, known) for k, v in kwargs.items()}
    try:
        plan = propagator.plan(func, mesh, specs, named)
    except NotImplementedError:
        made = _composed(func, args, kwargs)
        if made is NotImplemented:
            raise
        return made
    if plan.call.in_place and args[0]._apart:
        raise RuntimeError(
            f"{func}: this tensor is a view for which parts had to be exchanged, so the tensor "
            "that it is a view of would not change. Redistribute that one first, or clone the view."
        )
    inside = mesh.get_coordinate() is not None
    result = _run(plan, specs, named, locals_) if inside else _empty(plan)
    return _wrapped(kind, plan, result, args, kwargs)


def _composed(func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A call as the calls of the ops that make up its op; NotImplemented if none do."""
    overload = OVERLOADS.get(func._name)
    if overload is not None and overload.composed == "explicit":
        assert overload.row.composite is not None
        return overload.row.composite(*func._bind(args, kwargs))
    return func.decompose(*args, **kwargs)


def _wrapped(
    kind: Any, plan: Plan, result: Any, args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    call = plan.call
    if call.in_place:
        spec = plan.outputs[0] if plan.outputs else None
        if spec is not None and args[0]._spec != spec:
            with torch.no_grad(), _DisableTorchDispatch():
                call.func(*args, **kwargs)  # the tensor that stands for the whole is seen so, too
            args[0]._spec = spec
        return args[0]
    if call.outs:
        found = [kwargs[a.name] for a in call.func._schema.arguments if a.is_out]
        return found[0] if len(found) == 1 else tuple(found)
    many = isinstance(result, list | tuple)
    wrapped = [
        kind(r, spec) if isinstance(r, Tensor) and spec is not None else r
        for r, spec in zip(result if many else [result], plan.outputs or [None], strict=True)
    ]
    if call.row is not None and call.row.view is not None:
        moved = plan.inputs[0].placements != call.tensors[0].placements
        if moved or plan.local is not None or args[0]._apart:
            for r in wrapped:
                r._apart = True
    if not many:
        return wrapped[0]
    return wrapped if isinstance(result, list) else tuple(wrapped)
