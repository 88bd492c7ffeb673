"""The operators ``_c10d_functional::…``: collectives that give new tensors, of which each is there
once ``wait_tensor`` has been called on it.

Groups are given by name or as they are. Complex tensors travel as pairs of real numbers, so a
product is that of each part. Source of the schemas: torch csrc/distributed/c10d/Functional.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..._library.library import Library, fallthrough_kernel
from ..._library.registration import register_autograd, register_fake
from ..._ops import ops
from ...aten import torch
from ...tensor import Tensor
from .options import (
    AllgatherOptions,
    AllreduceOptions,
    AllToAllOptions,
    BroadcastOptions,
    ReduceScatterOptions,
)
from .reductions import ReduceOp
from .work_registry import WORKS
from .world import _resolve_process_group

__all__: list[str] = []

_NAMES = ("sum", "avg", "product", "min", "max", "band", "bor", "bxor")
_REDUCTIONS = {name: getattr(ReduceOp, name.upper()) for name in _NAMES}

_LIBRARY = Library("_c10d_functional", "DEF")
_DIFFERENTIABLE = Library("_c10d_functional_autograd", "DEF")
_Kernel = Callable[..., Any]
_GROUP = "Any group_name"


def _operator(schema: str) -> Callable[[_Kernel], _Kernel]:
    """Make the decorated kernel an operator of *schema*."""

    def register(kernel: _Kernel) -> _Kernel:
        name = schema.partition("(")[0]
        _LIBRARY.define(schema)
        _LIBRARY.impl(name, kernel, "CompositeExplicitAutograd")
        return kernel

    return register


def _reduction(options: Any, name: str) -> Any:
    """*options* of the reduction that is called *name*."""
    if name not in _REDUCTIONS:
        raise RuntimeError(f"Unrecognized reduce_op: {name}")
    options.reduceOp = _REDUCTIONS[name]
    return options


def _real(tensor: Tensor) -> Tensor:
    return torch.view_as_real(tensor) if tensor.is_complex() else tensor


def _as_given(outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> list[Tensor]:
    """*outputs* as complex numbers where the inputs are."""
    return [torch.view_as_complex(o) if i.is_complex() else o for o, i in zip(outputs, inputs)]


def _packed(tensors: Sequence[Tensor]) -> list[Tensor]:
    return [_real(t).contiguous() for t in tensors]


def _resized(tensor: Tensor, rows: Callable[[int], int]) -> Tensor:
    """An empty tensor like *tensor* with *rows* of its first dimension; a scalar has one row."""
    shape = list(tensor.shape) or [1]
    shape[0] = rows(shape[0])
    return tensor.new_empty(shape)


# -- in place --------------------------------------------------------------------------------------


@_operator(f"all_reduce_coalesced_(Tensor[](a!) inputs, str reduce_op, {_GROUP}) -> Tensor[](a!)")
def _all_reduce_lists_in_place(inputs: list[Tensor], reduce_op: str, group: Any) -> list[Tensor]:
    given = [_real(t) for t in inputs]
    options = _reduction(AllreduceOptions(), reduce_op)
    work = _resolve_process_group(group).allreduce_coalesced(given, options)
    for tensor in given:
        WORKS.keep(tensor, work)
    return inputs


@_operator(f"all_reduce_(Tensor(a!) input, str reduce_op, {_GROUP}) -> Tensor(a!)")
def _all_reduce_in_place(input: Tensor, reduce_op: str, group: Any) -> Tensor:
    given = _real(input)
    options = _reduction(AllreduceOptions(), reduce_op)
    WORKS.keep(given, _resolve_process_group(group).allreduce([given], options))
    return input


@_operator(f"broadcast_(Tensor(a!) input, int src, {_GROUP}) -> Tensor(a!)")
def _broadcast_in_place(input: Tensor, src: int, group: Any) -> Tensor:
    given = _real(input)
    options = BroadcastOptions()
    options.rootRank = src
    WORKS.keep(given, _resolve_process_group(group).broadcast([given], options))
    return input


for _name in ("all_reduce_coalesced_", "all_reduce_", "broadcast_"):
    # Carried numbers have no gradient, and a tensor that requires one is written all the same.
    _LIBRARY.impl(_name, fallthrough_kernel, "Autograd")


# -- new tensors -----------------------------------------------------------------------------------


@_operator(f"all_reduce(Tensor input, str reduce_op, {_GROUP}) -> Tensor")
def _all_reduce(input: Tensor, reduce_op: str, group: Any) -> Tensor:
    output = input.clone(memory_format=torch.contiguous_format)
    return _all_reduce_in_place(output, reduce_op, group)


@_operator(f"all_reduce_coalesced(Tensor[] inputs, str reduce_op, {_GROUP}) -> Tensor[]")
def _all_reduce_lists(inputs: list[Tensor], reduce_op: str, group: Any) -> list[Tensor]:
    outputs = [t.clone(memory_format=torch.contiguous_format) for t in inputs]
    return _all_reduce_lists_in_place(outputs, reduce_op, group)


def _broadcast(input: Tensor, src: int, group: Any) -> Tensor:
    output = input.clone(memory_format=torch.contiguous_format)
    _broadcast_in_place(output.detach(), src, group)
    return output


# The gradient is that of the copy: each process has its own, and the root does not add them up.
_LIBRARY.define(f"broadcast(Tensor input, int src, {_GROUP}) -> Tensor")
_LIBRARY.impl("broadcast", _broadcast, "CompositeExplicitAutograd")
_LIBRARY.impl("broadcast", _broadcast, "Autograd")


def _gathered(inputs: list[Tensor], outputs: list[Tensor], group: Any) -> None:
    pg = _resolve_process_group(group)
    work = pg.all_gather_single_coalesced(outputs, inputs, AllgatherOptions())
    for output in outputs:
        WORKS.keep(output, work)


@_operator(
    f"all_gather_into_tensor_coalesced(Tensor[] inputs, int group_size, {_GROUP})-> Tensor[]"
)
def _all_gather_lists(inputs: list[Tensor], group_size: int, group: Any) -> list[Tensor]:
    given = _packed(inputs)
    outputs = [_resized(t, lambda rows: rows * group_size) for t in given]
    _gathered(given, outputs, group)
    return _as_given(outputs, inputs)


@_operator(f"all_gather_into_tensor(Tensor input, int group_size, {_GROUP}) -> Tensor")
def _all_gather(input: Tensor, group_size: int, group: Any) -> Tensor:
    return _all_gather_lists([input], group_size, group)[0]


@_operator(
    f"all_gather_into_tensor_out(Tensor input, int group_size, {_GROUP}, *, Tensor(a!) out) "
    "-> Tensor(a!)"
)
def _all_gather_out(input: Tensor, group_size: int, group: Any, *, out: Tensor) -> Tensor:
    _gathered(_packed([input]), [_real(out)], group)
    return out


def _scattered(inputs: list[Tensor], outputs: list[Tensor], reduce_op: str, group: Any) -> None:
    options = _reduction(ReduceScatterOptions(), reduce_op)
    pg = _resolve_process_group(group)
    work = pg.reduce_scatter_single_coalesced(outputs, inputs, options)
    for output in outputs:
        WORKS.keep(output, work)


@_operator(
    f"reduce_scatter_tensor_coalesced(Tensor[] inputs, str reduce_op, int group_size, {_GROUP}) "
    "-> Tensor[]"
)
def _reduce_scatter_lists(
    inputs: list[Tensor], reduce_op: str, group_size: int, group: Any
) -> list[Tensor]:
    given = _packed(inputs)
    outputs = [_resized(t, lambda rows: rows // group_size) for t in given]
    _scattered(given, outputs, reduce_op, group)
    return _as_given(outputs, inputs)


@_operator(f"reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, {_GROUP})-> Tensor")
def _reduce_scatter(input: Tensor, reduce_op: str, group_size: int, group: Any) -> Tensor:
    return _reduce_scatter_lists([input], reduce_op, group_size, group)[0]


@_operator(
    f"reduce_scatter_tensor_out(Tensor input, str reduce_op, int group_size, {_GROUP}, *, "
    "Tensor(a!) out) -> Tensor(a!)"
)
def _reduce_scatter_out(
    input: Tensor, reduce_op: str, group_size: int, group: Any, *, out: Tensor
) -> Tensor:
    _scattered(_packed([input]), [_real(out)], reduce_op, group)
    return out


@_operator(
    "all_to_all_single(Tensor input, SymInt[] output_split_sizes, SymInt[] input_split_sizes, "
    f"{_GROUP}) -> Tensor"
)
def _all_to_all(
    input: Tensor, output_split_sizes: list[int], input_split_sizes: list[int], group: Any
) -> Tensor:
    (given,) = _packed([input])
    output = _resized(given, lambda _: sum(output_split_sizes))
    work = _resolve_process_group(group).all_to_all_single(
        output, given, output_split_sizes, input_split_sizes, AllToAllOptions()
    )
    WORKS.keep(output, work)
    return _as_given([output], [input])[0]


@_operator("wait_tensor(Tensor tensor) -> Tensor")
def _wait(tensor: Tensor) -> Tensor:
    WORKS.wait(tensor)
    return tensor


# -- shapes ----------------------------------------------------------------------------------------


def _contiguous_like(tensor: Tensor, *args: Any) -> Tensor:
    return torch.empty_like(tensor, memory_format=torch.contiguous_format)


def _gathered_shape(input: Tensor, group_size: int, group: Any) -> Tensor:
    return _resized(input, lambda rows: rows * group_size)


def _scattered_shape(input: Tensor, reduce_op: str, group_size: int, group: Any) -> Tensor:
    return _resized(input, lambda rows: rows // group_size)


def _exchanged_shape(input: Tensor, output_sizes: list[int], *args: Any) -> Tensor:
    return _resized(input, lambda _: sum(output_sizes))


def _of_each(shape: _Kernel) -> _Kernel:
    return lambda inputs, *args: [shape(t, *args) for t in inputs]


def _as_is(given: Any, *args: Any, out: Any = None) -> Any:
    return given if out is None else out


_SHAPES: dict[str, _Kernel] = {
    "all_reduce": _contiguous_like,
    "all_reduce_coalesced": _of_each(_contiguous_like),
    "broadcast": _contiguous_like,
    "all_gather_into_tensor": _gathered_shape,
    "all_gather_into_tensor_coalesced": _of_each(_gathered_shape),
    "reduce_scatter_tensor": _scattered_shape,
    "reduce_scatter_tensor_coalesced": _of_each(_scattered_shape),
    "all_to_all_single": _exchanged_shape,
    "wait_tensor": lambda tensor: torch.empty_like(tensor),
    "all_reduce_": _as_is,
    "all_reduce_coalesced_": _as_is,
    "broadcast_": _as_is,
    "all_gather_into_tensor_out": _as_is,
    "reduce_scatter_tensor_out": _as_is,
}
for _name, _shape in _SHAPES.items():
    register_fake(f"_c10d_functional::{_name}", _shape)


# -- gradients -------------------------------------------------------------------------------------


def _keep_arguments(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.arguments = inputs[1:]


def _sums_only(name: str, reduce_op: str) -> str:
    reduce_op = reduce_op.lower()
    if reduce_op != "sum":
        raise RuntimeError(f"{name} backward only supports 'sum' reduction, got '{reduce_op}'")
    return reduce_op


def _waited(found: Any) -> Any:
    if isinstance(found, (list, tuple)):
        return [ops._c10d_functional.wait_tensor(t) for t in found]
    return ops._c10d_functional.wait_tensor(found)


def _contiguous(grads: Any) -> Any:
    if isinstance(grads, (list, tuple)):
        return [g.contiguous() for g in grads]
    return grads.contiguous()


def _gradients(suffix: str) -> dict[str, _Kernel]:
    """The gradient by operator, of those whose names end with *suffix*."""
    packet: Any = ops._c10d_functional
    reduced, gathered, scattered = (
        f"{name}{suffix}"
        for name in ("all_reduce", "all_gather_into_tensor", "reduce_scatter_tensor")
    )

    def of_reduced(ctx: Any, grads: Any) -> Any:
        reduce_op, group = ctx.arguments
        summed = _sums_only(reduced, reduce_op)
        return _waited(getattr(packet, reduced)(_contiguous(grads), summed, group)), None, None

    def of_gathered(ctx: Any, grads: Any) -> Any:
        found = getattr(packet, scattered)(_contiguous(grads), "sum", *ctx.arguments)
        return _waited(found), None, None

    def of_scattered(ctx: Any, grads: Any) -> Any:
        reduce_op, *where = ctx.arguments
        _sums_only(scattered, reduce_op)
        return _waited(getattr(packet, gathered)(_contiguous(grads), *where)), None, None, None

    return {reduced: of_reduced, gathered: of_gathered, scattered: of_scattered}


def _of_exchanged(ctx: Any, grad: Tensor) -> Any:
    output_sizes, input_sizes, group = ctx.arguments
    found = ops._c10d_functional.all_to_all_single(
        grad.contiguous(), input_sizes, output_sizes, group
    )
    return _waited(found), None, None, None


_GRADIENTS: dict[str, _Kernel] = {
    **_gradients(""),
    **_gradients("_coalesced"),
    "all_to_all_single": _of_exchanged,
    "wait_tensor": lambda ctx, grad: grad,
}
for _name, _gradient in _GRADIENTS.items():
    register_autograd(f"_c10d_functional::{_name}", _gradient, setup_context=_keep_arguments)

# The names that these operators had while only some of them had gradients.
for _name in ("all_gather_into_tensor", "reduce_scatter_tensor", "all_to_all_single"):
    _overload = getattr(ops._c10d_functional, _name).default
    _DIFFERENTIABLE.define(str(_overload._schema).partition("::")[2])
    _DIFFERENTIABLE.impl(_name, _overload, "CompositeImplicitAutograd")
