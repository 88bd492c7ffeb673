"""The operators ``_c10d_functional::…``: collectives that give new tensors, as modes see them.

What they give is there when the call returns. Gradients flow through them: that of a gathered
tensor is reduced and cut, that of a cut one is gathered. Source of the schemas: torch
csrc/distributed/c10d/Functional.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._library.library import Library, fallthrough_kernel
from .._library.registration import register_autograd
from .._ops import ops
from ..aten import torch
from ..tensor import Tensor
from . import distributed_c10d as c10d

__all__ = ["COUNTERPARTS", "functional", "on_wire"]

_Kernel = Callable[..., Any]
_LIBRARY = Library("_c10d_functional", "DEF")
_AUTOGRAD = Library("_c10d_functional_autograd", "DEF")
_OLD = Library("c10d_functional", "DEF")
#: The namespace.
functional: Any = ops._c10d_functional


def _operator(
    schema: str, backward: _Kernel | None = None, save: _Kernel | None = None
) -> Callable[[_Kernel], _Kernel]:
    """Make the decorated kernel an operator of *schema*, with a gradient if *backward* is given."""

    def register(kernel: _Kernel) -> _Kernel:
        name = schema.partition("(")[0]
        _LIBRARY.define(schema)
        _LIBRARY.impl(name, kernel, "CompositeExplicitAutograd")
        if backward is None:
            _LIBRARY.impl(name, fallthrough_kernel, "Autograd")
        else:
            whole = f"_c10d_functional::{name}"
            register_autograd(whole, backward, setup_context=save, lib=_LIBRARY)
        return kernel

    return register


def _group(name: Any) -> Any:
    return c10d._resolve_process_group(name) if isinstance(name, str) else name


def _reduction(name: str) -> Any:
    found = c10d.ReduceOp.RedOpType.__members__.get(name.upper())
    if found is None:
        raise RuntimeError(f"Unrecognized reduce_op: {name}")
    return found


def _options(kind: str, name: str) -> Any:
    options = getattr(c10d, kind)()
    options.reduceOp = _reduction(name)
    return options


def _copy(tensor: Tensor) -> Tensor:
    return tensor.detach().clone(memory_format=torch.contiguous_format)


def on_wire(tensor: Tensor) -> Tensor:
    """What is sent of a tensor: of complex numbers, pairs of real ones."""
    return torch.view_as_real(tensor) if tensor.is_complex() else tensor


def _sized(tensor: Tensor, rows: int) -> Tensor:
    return tensor.new_empty((rows, *tensor.shape[1:]))


def _only_sums(ctx: Any, name: str) -> None:
    if ctx.reduction.lower() != "sum":
        raise RuntimeError(f"{name} backward only supports 'sum' reduction, got '{ctx.reduction}'")


def _save_reduction(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.reduction, ctx.group = inputs[1], inputs[-1]
    ctx.size = _group(ctx.group).size()


def _save_group(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.group, ctx.size = inputs[-1], inputs[-2]


def _all_reduce_back(ctx: Any, grad: Tensor) -> Any:
    _only_sums(ctx, "all_reduce")
    return functional.all_reduce(grad, "sum", ctx.group), None, None


@_operator(
    "all_reduce(Tensor input, str reduce_op, Any group_name) -> Tensor",
    _all_reduce_back,
    _save_reduction,
)
def all_reduce(tensor: Tensor, reduction: str, group: Any) -> Tensor:
    """The reduction of the tensors of all."""
    return all_reduce_in_place(_copy(tensor), reduction, group)


@_operator("all_reduce_(Tensor(a!) input, str reduce_op, Any group_name) -> Tensor(a!)")
def all_reduce_in_place(tensor: Tensor, reduction: str, group: Any) -> Tensor:
    """Write the reduction of the tensors of all into each."""
    _group(group).allreduce([on_wire(tensor)], _options("AllreduceOptions", reduction)).wait()
    return tensor


def _all_reduce_coalesced_back(ctx: Any, grads: list[Tensor]) -> Any:
    _only_sums(ctx, "all_reduce_coalesced")
    return functional.all_reduce_coalesced(grads, "sum", ctx.group), None, None


@_operator(
    "all_reduce_coalesced(Tensor[] inputs, str reduce_op, Any group_name) -> Tensor[]",
    _all_reduce_coalesced_back,
    _save_reduction,
)
def all_reduce_coalesced(tensors: Sequence[Tensor], reduction: str, group: Any) -> list[Tensor]:
    """The reductions of several tensors."""
    return all_reduce_coalesced_in_place([_copy(t) for t in tensors], reduction, group)


@_operator(
    "all_reduce_coalesced_(Tensor[](a!) inputs, str reduce_op, Any group_name) -> Tensor[](a!)"
)
def all_reduce_coalesced_in_place(
    tensors: Sequence[Tensor], reduction: str, group: Any
) -> list[Tensor]:
    """Write the reductions of several tensors into them."""
    options = _options("AllreduceCoalescedOptions", reduction)
    _group(group).allreduce_coalesced([on_wire(t) for t in tensors], options).wait()
    return list(tensors)


def _all_gather_back(ctx: Any, grad: Tensor) -> Any:
    part = functional.reduce_scatter_tensor(grad, "sum", ctx.size, ctx.group)
    return part, None, None


@_operator(
    "all_gather_into_tensor(Tensor input, int group_size, Any group_name) -> Tensor",
    _all_gather_back,
    _save_group,
)
def all_gather_into_tensor(tensor: Tensor, size: int, group: Any) -> Tensor:
    """The tensors of all, one behind the other."""
    return all_gather_into_tensor_coalesced([tensor], size, group)[0]


@_operator(
    "all_gather_into_tensor_out(Tensor input, int group_size, Any group_name, *, "
    "Tensor(a!) out) -> Tensor(a!)"
)
def all_gather_into_tensor_out(tensor: Tensor, size: int, group: Any, *, out: Tensor) -> Tensor:
    """Write the tensors of all into *out*."""
    return out.copy_(all_gather_into_tensor(tensor, size, group))


def _all_gather_coalesced_back(ctx: Any, grads: list[Tensor]) -> Any:
    parts = functional.reduce_scatter_tensor_coalesced(grads, "sum", ctx.size, ctx.group)
    return parts, None, None


@_operator(
    "all_gather_into_tensor_coalesced(Tensor[] inputs, int group_size, Any group_name) -> Tensor[]",
    _all_gather_coalesced_back,
    _save_group,
)
def all_gather_into_tensor_coalesced(
    tensors: Sequence[Tensor], size: int, group: Any
) -> list[Tensor]:
    """The tensors of all, of several."""
    sent = [t.detach().contiguous() for t in tensors]
    sent = [t.view(1) if t.ndim == 0 else t for t in sent]
    outputs = [_sized(t, t.shape[0] * size) for t in sent]
    found = _group(group)
    pending = [
        found._allgather_base(on_wire(o), on_wire(t)) for o, t in zip(outputs, sent, strict=True)
    ]
    for work in pending:
        work.wait()
    return outputs


def _reduce_scatter_back(ctx: Any, grad: Tensor) -> Any:
    _only_sums(ctx, "reduce_scatter_tensor")
    return functional.all_gather_into_tensor(grad, ctx.size, ctx.group), None, None, None


@_operator(
    "reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, Any group_name) -> Tensor",
    _reduce_scatter_back,
    _save_reduction,
)
def reduce_scatter_tensor(tensor: Tensor, reduction: str, size: int, group: Any) -> Tensor:
    """The part of this process of the reduction of the tensors of all."""
    return reduce_scatter_tensor_coalesced([tensor], reduction, size, group)[0]


@_operator(
    "reduce_scatter_tensor_out(Tensor input, str reduce_op, int group_size, Any group_name, *, "
    "Tensor(a!) out) -> Tensor(a!)"
)
def reduce_scatter_tensor_out(
    tensor: Tensor, reduction: str, size: int, group: Any, *, out: Tensor
) -> Tensor:
    """Write the part of this process of the reduction into *out*."""
    return out.copy_(reduce_scatter_tensor(tensor, reduction, size, group))


def _reduce_scatter_coalesced_back(ctx: Any, grads: list[Tensor]) -> Any:
    _only_sums(ctx, "reduce_scatter_tensor_coalesced")
    whole = functional.all_gather_into_tensor_coalesced(grads, ctx.size, ctx.group)
    return whole, None, None, None


@_operator(
    "reduce_scatter_tensor_coalesced(Tensor[] inputs, str reduce_op, int group_size, "
    "Any group_name) -> Tensor[]",
    _reduce_scatter_coalesced_back,
    _save_reduction,
)
def reduce_scatter_tensor_coalesced(
    tensors: Sequence[Tensor], reduction: str, size: int, group: Any
) -> list[Tensor]:
    """The parts of this process of the reductions of several tensors."""
    found, options = _group(group), _options("ReduceScatterOptions", reduction)
    sent = [t.detach().contiguous() for t in tensors]
    outputs = [_sized(t, t.shape[0] // size) for t in sent]
    pending = [
        found._reduce_scatter_base(on_wire(o), on_wire(t), options)
        for o, t in zip(outputs, sent, strict=True)
    ]
    for work in pending:
        work.wait()
    return outputs


def _all_to_all_back(ctx: Any, grad: Tensor) -> Any:
    back = functional.all_to_all_single(grad, *ctx.sizes, ctx.group)
    return back, None, None, None


def _save_sizes(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.sizes, ctx.group = (inputs[2], inputs[1]), inputs[3]


@_operator(
    "all_to_all_single(Tensor input, SymInt[] output_split_sizes, SymInt[] input_split_sizes, "
    "Any group_name) -> Tensor",
    _all_to_all_back,
    _save_sizes,
)
def all_to_all_single(
    tensor: Tensor, output_sizes: Sequence[int], input_sizes: Sequence[int], group: Any
) -> Tensor:
    """Each part of a tensor to its rank."""
    output = _sized(tensor, sum(output_sizes))
    sent = tensor.detach().contiguous()
    sizes = list(output_sizes), list(input_sizes)
    _group(group).alltoall_base(on_wire(output), on_wire(sent), *sizes).wait()
    return output


@_operator(
    "broadcast(Tensor input, int src, Any group_name) -> Tensor",
    lambda ctx, grad: (grad, None, None),
)
def broadcast(tensor: Tensor, source: int, group: Any) -> Tensor:
    """The tensor of process *source* of the group."""
    return broadcast_in_place(_copy(tensor), source, group)


@_operator("broadcast_(Tensor(a!) input, int src, Any group_name) -> Tensor(a!)")
def broadcast_in_place(tensor: Tensor, source: int, group: Any) -> Tensor:
    """Write the tensor of process *source* of the group into that of all."""
    options = c10d.BroadcastOptions()
    options.rootRank = source
    _group(group).broadcast([on_wire(tensor)], options).wait()
    return tensor


@_operator(
    "wait_tensor(Tensor tensor) -> Tensor",
    lambda ctx, grad: grad,
)
def wait_tensor(tensor: Tensor) -> Tensor:
    """The tensor, which is there."""
    return tensor


def _same(library: Library, name: str) -> None:
    """Offer an operator under another namespace."""
    found = getattr(functional, name)
    library.define(str(found.default._schema).partition("::")[2])
    library.impl(name, lambda *args: found(*args), "CompositeImplicitAutograd")


for _name in ("all_gather_into_tensor", "all_to_all_single", "reduce_scatter_tensor"):
    _same(_AUTOGRAD, _name)

#: The older operators: they say the group by its ranks. Name -> what comes before those.
_OLDER = {
    "all_gather_into_tensor": "Tensor shard",
    "all_gather_into_tensor_coalesced": "Tensor[] input",
    "all_reduce": "Tensor self, str reduceOp",
    "all_reduce_coalesced": "Tensor[] self, str reduceOp",
    "all_to_all_single": "Tensor input, SymInt[]? output_split_sizes, SymInt[]? input_split_sizes",
    "broadcast": "Tensor self, int src",
    "reduce_scatter_tensor": "Tensor input, str reduceOp",
    "reduce_scatter_tensor_coalesced": "Tensor[] inputs, str reduceOp",
}


def _older(name: str, before: str) -> None:
    found = getattr(functional, name)
    sized = "group_size" in [a.name for a in found.default._schema.arguments]

    def call(*args: Any) -> Any:
        *given, tag, ranks, size = args
        group = c10d._find_or_create_pg_by_ranks_and_tag(tag, list(ranks), size)
        if name == "all_to_all_single":
            rows = given[0].shape[0]
            given[1:] = [s if s is not None else [rows // size] * size for s in given[1:]]
        return found(*given, *([size] if sized else []), group.group_name)

    result = "Tensor[]" if name.endswith("coalesced") else "Tensor"
    _OLD.define(f"{name}({before}, str tag, int[] ranks, int group_size) -> {result}")
    _OLD.impl(name, call, "CompositeImplicitAutograd")


for _name, _before in _OLDER.items():
    _older(_name, _before)
_OLD.define("wait_tensor(Tensor self) -> Tensor")
_OLD.impl("wait_tensor", lambda t: functional.wait_tensor(t), "CompositeImplicitAutograd")
#: Which older operator does the same as each.
COUNTERPARTS: dict[Any, Any] = {
    getattr(functional, name): getattr(ops.c10d_functional, name)
    for name in (*_OLDER, "wait_tensor")
}
