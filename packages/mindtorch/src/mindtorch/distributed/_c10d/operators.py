"""The operators ``c10d::…``: what the calls of a process group are to dispatch modes and profilers.

A call of a :class:`~.process_group.ProcessGroup` is a call of one of these, whose kernel checks the
tensors with torch's errors and hands them to the group's engine. Source of the schemas: torch
csrc/distributed/c10d/Ops.cpp.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..._library.library import Library, fallthrough_kernel
from ..._ops import ops
from ...aten import torch
from ...core.backend_registry import BACKENDS
from ...core.missing_backends import not_built
from ...tensor import Tensor
from .group_checks import _like, _reducible, _root
from .reductions import OpType
from .sparse_sums import sum_sparse
from .work import Work, together

__all__ = [
    "all_gather_base",
    "all_gather_coalesced",
    "all_gather_into_tensor_coalesced",
    "all_gather_lists",
    "all_reduce",
    "all_reduce_coalesced",
    "all_to_all",
    "all_to_all_base",
    "barrier",
    "broadcast",
    "gather",
    "receive",
    "receive_from_any",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_base",
    "reduce_scatter_coalesced",
    "scatter",
    "send",
]

_OP: Any = OpType
_CLASSES = "__torch__.torch.classes.c10d"
_GROUP, _REDUCE_OP, _WORK = f"{_CLASSES}.ProcessGroup", f"{_CLASSES}.ReduceOp", f"{_CLASSES}.Work"
_HOW = "bool async_op=True, int timeout=-1"

_LIBRARY = Library("c10d", "DEF")
_Kernel = Callable[..., Any]


def _tensors(given: Any) -> Iterator[Tensor]:
    """The tensors of lists of lists."""
    for each in given:
        if isinstance(each, list | tuple):
            yield from _tensors(each)
        elif isinstance(each, Tensor):
            yield each


def _operator(schema: str, *layouts: Any) -> Callable[[_Kernel], _Kernel]:
    """Make the decorated kernel an operator of *schema*, and give that in its place.

    :param layouts: those of tensors that it takes besides strided ones.
    """

    def register(kernel: _Kernel) -> _Kernel:
        name, _, arguments = schema.partition("(")
        at = arguments.partition(f"{_GROUP} process_group")[0].count(", ")

        @functools.wraps(kernel)
        def served(*args: Any, **kwargs: Any) -> Any:
            kinds = set()
            for t in _tensors(args[:at]):
                if t.layout is not torch.strided and t.layout not in layouts:
                    prefix = "Sparse" if t.is_sparse else "SparseCsr"
                    raise not_built(f"{prefix}{BACKENDS[t.device.type].key.name}", f"c10d::{name}")
                kinds.add(t.device.type)
            kinds.discard("meta")
            if kinds:
                # An accelerator's key stands before the host's.
                args[at]._get_backend(min(kinds, key=lambda kind: kind == "cpu"))
            return kernel(*args, **kwargs)

        _LIBRARY.define(schema)
        _LIBRARY.impl(name, served, "CompositeExplicitAutograd")
        # Carried numbers have no gradient, and a tensor that requires one is written all the same.
        _LIBRARY.impl(name, fallthrough_kernel, "Autograd")
        found: _Kernel = getattr(ops.c10d, name).default
        return found

    return register


@_operator(
    f"broadcast_(Tensor[] tensors, {_GROUP} process_group, int root_rank, int root_tensor, {_HOW}) "
    f"-> (Tensor[], {_WORK})"
)
def broadcast(
    tensors: Any, group: Any, root: int, root_tensor: int, async_op: bool = True, timeout: int = -1
) -> Any:
    """Write what the root has into the tensor of all."""
    (tensor,) = tensors
    pending = group.engine.broadcast(tensor, _root("broadcast", root, group.size()))
    return tensors, group._begun(_OP.BROADCAST, tensors, pending)


@_operator(
    f"allreduce_(Tensor[] tensors, {_GROUP} process_group, {_REDUCE_OP} reduce_op, "
    f"Tensor? sparse_indices, {_HOW}) -> (Tensor[], {_WORK})",
    torch.sparse_coo,
)
def all_reduce(
    tensors: Any, group: Any, op: Any, indices: Any, async_op: bool = True, timeout: int = -1
) -> Any:
    """Write the reduction of all tensors into each."""
    (tensor,) = tensors
    pending = None
    if tensor.is_sparse:
        sum_sparse(group, tensor, op)
    else:
        pending = group.engine.all_reduce(tensor, _reducible(tensor, op))
    return tensors, group._begun(_OP.ALLREDUCE, tensors, pending)


@_operator(
    f"allreduce_coalesced_(Tensor[] tensors, {_GROUP} process_group, {_REDUCE_OP} reduce_op, "
    f"{_HOW}) -> {_WORK}"
)
def all_reduce_coalesced(
    tensors: Any, group: Any, op: Any, async_op: bool = True, timeout: int = -1
) -> Work:
    """The same, of several tensors."""
    pending = [group.engine.all_reduce(t, _reducible(t, op)) for t in tensors]
    return group._begun(_OP.ALLREDUCE_COALESCED, tensors, together(pending))


@_operator(
    f"reduce_(Tensor[] tensors, {_GROUP} process_group, {_REDUCE_OP} reduce_op, int root_rank, "
    f"int root_tensor, {_HOW}) -> {_WORK}"
)
def reduce(
    tensors: Any,
    group: Any,
    op: Any,
    root: int,
    root_tensor: int,
    async_op: bool = True,
    timeout: int = -1,
) -> Any:
    """Write the reduction of all tensors into that of the root."""
    (tensor,) = tensors
    _root("reduce", root, group.size())
    pending = group.engine.reduce(tensor, _reducible(tensor, op), root)
    return group._begun(_OP.REDUCE, tensors, pending)


@_operator(
    f"allgather_(Tensor[][] output_tensors, Tensor[] input_tensors, {_GROUP} process_group, "
    f"{_HOW}) -> (Tensor[][], {_WORK})"
)
def all_gather_lists(
    output_tensors: Any, input_tensors: Any, group: Any, async_op: bool = True, timeout: int = -1
) -> Any:
    """Write the tensor of each into a list of all."""
    (tensor,) = input_tensors
    if len(output_tensors) != 1:
        raise RuntimeError(
            "ProcessGroupGloo::allgather: requires input/output tensor lists to have the same "
            "length"
        )
    (outputs,) = output_tensors
    if len(outputs) != group.size():
        raise RuntimeError(
            "ProcessGroupGloo::allgather: invalid output tensor list at index 0 (expected length "
            f"{group.size()}, got {len(outputs)})"
        )
    if _uneven(group, outputs):
        outputs[group.rank()].detach().copy_(tensor)
        pending = together([group.engine.broadcast(x, root) for root, x in enumerate(outputs)])
    else:
        _like("allgather", outputs, tensor)
        pending = group.engine.all_gather(outputs, tensor)
    return output_tensors, group._begun(_OP.ALLGATHER, outputs, pending, input_tensors)


def _uneven(group: Any, tensors: Sequence[Tensor]) -> bool:
    """Whether *tensors* have several shapes, which backends but gloo take for parts of a whole."""
    return group.name() != "gloo" and any(x.shape != tensors[0].shape for x in tensors)


def _gathered(group: Any, output: Tensor, tensor: Tensor) -> Any:
    """Begin to write the tensor of each into one of all, one behind the other."""
    size = group.size()
    if output.dtype != tensor.dtype or output.numel() != tensor.numel() * size:
        _like("allgather", [output], tensor)
    if not output.numel():
        return None
    parts = list(output.detach().view(-1).chunk(size))
    return group.engine.all_gather(parts, tensor.detach().reshape(-1))


@_operator(
    f"_allgather_base_(Tensor output_tensor, Tensor input_tensor, {_GROUP} process_group, {_HOW}) "
    f"-> (Tensor, {_WORK})"
)
def all_gather_base(
    output: Tensor, tensor: Tensor, group: Any, async_op: bool = True, timeout: int = -1
) -> Any:
    """Write the tensor of each into one of all, one behind the other."""
    pending = _gathered(group, output, tensor)
    return output, group._begun(_OP._ALLGATHER_BASE, [output], pending, [tensor])


@_operator(
    f"allgather_coalesced_(Tensor[][] output_lists, Tensor[] input_list, {_GROUP} process_group, "
    f"bool async_op=True) -> {_WORK}"
)
def all_gather_coalesced(
    output_lists: Any, input_list: Any, group: Any, async_op: bool = True
) -> Any:
    """Gather several tensors."""
    pending = []
    for i, tensor in enumerate(input_list):
        outputs = [each[i] for each in output_lists]
        _like("allgather_coalesced", outputs, tensor)
        pending.append(group.engine.all_gather(outputs, tensor))
    return group._begun(_OP.ALLGATHER_COALESCED, output_lists, together(pending), input_list)


@_operator(
    f"allgather_into_tensor_coalesced_(Tensor[] outputs, Tensor[] inputs, {_GROUP} process_group, "
    f"bool async_op=True) -> {_WORK}"
)
def all_gather_into_tensor_coalesced(
    outputs: Any, inputs: Any, group: Any, async_op: bool = True
) -> Any:
    """Gather several tensors, each into one."""
    pending = [_gathered(group, o, i) for o, i in zip(outputs, inputs, strict=True)]
    return group._begun(_OP.ALLGATHER_COALESCED, outputs, together(pending), inputs)


def _one_each(op: str, kind: str, tensors: Sequence[Tensor], group: Any) -> None:
    """Refuse a list at the root that has not one tensor for each process."""
    if len(tensors) != group.size():
        raise RuntimeError(
            f"ProcessGroupGloo::{op}: Incorrect {kind} list size {len(tensors)}. "
            f"{kind.capitalize()} list size should be {group.size()}, same as size of the process "
            "group."
        )


@_operator(
    f"gather_(Tensor[][] output_tensors, Tensor[] input_tensors, {_GROUP} process_group, "
    f"int root_rank, {_HOW}) -> {_WORK}"
)
def gather(
    output_tensors: Any,
    input_tensors: Any,
    group: Any,
    root: int,
    async_op: bool = True,
    timeout: int = -1,
) -> Any:
    """Write the tensor of each into a list of the root."""
    (tensor,) = input_tensors
    _root("gather", root, group.size())
    outputs = None
    if group.rank() == root:
        (outputs,) = output_tensors
        _one_each("gather", "output", outputs, group)
        _like("gather", outputs, tensor)
    pending = group.engine.gather(outputs, tensor, root)
    return group._begun(_OP.GATHER, outputs or (), pending, input_tensors)


@_operator(
    f"scatter_(Tensor[] output_tensors, Tensor[][] input_tensors, {_GROUP} process_group, "
    f"int root_rank, {_HOW}) -> (Tensor[], {_WORK})"
)
def scatter(
    output_tensors: Any,
    input_tensors: Any,
    group: Any,
    root: int,
    async_op: bool = True,
    timeout: int = -1,
) -> Any:
    """Write each of the root's tensors into that of its rank."""
    (output,) = output_tensors
    _root("scatter", root, group.size())
    inputs = None
    if group.rank() == root:
        (inputs,) = input_tensors
        _one_each("scatter", "input", inputs, group)
        _like("scatter", inputs, output)
    pending = group.engine.scatter(output, inputs, root)
    return output_tensors, group._begun(_OP.SCATTER, output_tensors, pending, inputs or ())


@_operator(
    f"reduce_scatter_(Tensor[] output_tensors, Tensor[][] input_tensors, {_GROUP} process_group, "
    f"{_REDUCE_OP} reduce_op, {_HOW}) -> (Tensor[], {_WORK})"
)
def reduce_scatter(
    output_tensors: Any,
    input_tensors: Any,
    group: Any,
    op: Any,
    async_op: bool = True,
    timeout: int = -1,
) -> Any:
    """Write the reduction of all lists, each part to its rank."""
    (output,), (inputs,) = output_tensors, input_tensors
    if len(inputs) != group.size():
        raise RuntimeError("invalid input tensor list size, must be world size")
    reduction = _reducible(output, op)
    if _uneven(group, inputs):
        rank = group.rank()
        output.detach().copy_(inputs[rank])
        given = [*inputs[:rank], output, *inputs[rank + 1 :]]
        parts = [group.engine.reduce(x, reduction, root) for root, x in enumerate(given)]
        pending = together(parts)
    else:
        pending = group.engine.reduce_scatter(output, inputs, reduction)
    return output_tensors, group._begun(_OP.REDUCE_SCATTER, output_tensors, pending, inputs)


def _scattered(group: Any, output: Tensor, tensor: Tensor, op: Any) -> Any:
    """Begin to reduce a tensor of all, each part to its rank."""
    have, want, size = tensor.shape, output.shape, group.size()
    if group.name() != "gloo":
        if output.numel() * size != tensor.numel():
            raise RuntimeError("input tensor must be the same size as output size times world size")
    elif have and want and want[0] * size != have[0]:
        raise RuntimeError(
            f"Check failed: outputShape[0] * worldSize == inputShape[0] ({want[0] * size} vs. "
            f"{have[0]}). "
        )
    parts = list(tensor.detach().reshape(-1).chunk(size))
    return group.engine.reduce_scatter(output.detach().view(-1), parts, _reducible(output, op))


@_operator(
    f"_reduce_scatter_base_(Tensor output_tensor, Tensor input_tensor, {_GROUP} process_group, "
    f"{_REDUCE_OP} reduce_op, {_HOW}) -> (Tensor, {_WORK})"
)
def reduce_scatter_base(
    output: Tensor, tensor: Tensor, group: Any, op: Any, async_op: bool = True, timeout: int = -1
) -> Any:
    """Reduce a tensor of all, each part to its rank."""
    pending = _scattered(group, output, tensor, op)
    return output, group._begun(_OP._REDUCE_SCATTER_BASE, [output], pending, [tensor])


@_operator(
    f"reduce_scatter_tensor_coalesced_(Tensor[] outputs, Tensor[] inputs, {_GROUP} process_group, "
    f"{_REDUCE_OP} reduce_op, {_HOW}) -> {_WORK}"
)
def reduce_scatter_coalesced(
    outputs: Any, inputs: Any, group: Any, op: Any, async_op: bool = True, timeout: int = -1
) -> Any:
    """Reduce several tensors of all."""
    pending = [_scattered(group, o, i, op) for o, i in zip(outputs, inputs, strict=True)]
    return group._begun(_OP.REDUCE_SCATTER_TENSOR_COALESCED, outputs, together(pending), inputs)


@_operator(
    f"alltoall_base_(Tensor output, Tensor input, {_GROUP} process_group, "
    f"int[] output_split_sizes, int[] input_split_sizes, {_HOW}) -> {_WORK}"
)
def all_to_all_base(
    output: Tensor,
    tensor: Tensor,
    group: Any,
    output_sizes: Sequence[int],
    input_sizes: Sequence[int],
    async_op: bool = True,
    timeout: int = -1,
) -> Any:
    """Send each part of a tensor to its rank."""
    size = group.size()
    for sizes, x in ((output_sizes, output), (input_sizes, tensor)):
        if sizes:
            if len(sizes) != size:
                raise RuntimeError("Number of tensor splits not equal to group size")
            if sum(sizes) != x.shape[0]:
                raise RuntimeError("Split sizes doesn't match total dim 0 size")
        elif x.shape[0] % size:
            raise RuntimeError("Tensor's dim 0 does not divide equally across group size")

    def parts(x: Tensor, sizes: Sequence[int]) -> list[Tensor]:
        return list(x.detach().split(list(sizes) or [x.shape[0] // size] * size))

    if output.numel() != tensor.numel() and size == 1:
        raise RuntimeError("[enforce fail] in->size == out->size. ")
    pending = group.engine.all_to_all(parts(output, output_sizes), parts(tensor, input_sizes))
    return group._begun(_OP.ALLTOALL_BASE, [output], pending, [tensor])


@_operator(
    f"alltoall_(Tensor[] output_tensors, Tensor[] input_tensors, {_GROUP} process_group, {_HOW}) "
    f"-> (Tensor[], {_WORK})"
)
def all_to_all(
    outputs: Any, inputs: Any, group: Any, async_op: bool = True, timeout: int = -1
) -> Any:
    """Send each of some tensors to its rank."""
    for name, tensors in (("input", inputs), ("output", outputs)):
        if len(tensors) != group.size():
            raise RuntimeError(
                f"ProcessGroupGloo::alltoall: {name} tensor list size {len(tensors)} does not "
                f"match world size {group.size()}"
            )
    if group.name() == "gloo":  # others take tensors that differ
        for tensors in (inputs, outputs):
            _like("alltoall", tensors, tensors[0])
    pending = group.engine.all_to_all(outputs, inputs)
    return outputs, group._begun(_OP.ALLTOALL, outputs, pending, inputs)


@_operator(f"send(Tensor[] tensors, {_GROUP} process_group, int dst, int tag) -> {_WORK}")
def send(tensors: Any, group: Any, to: int, tag: int) -> Any:
    """Send a tensor."""
    (tensor,) = tensors
    return group._begun(_OP.SEND, tensors, group.engine.send(tensor, to, tag))


@_operator(f"recv_(Tensor[] tensors, {_GROUP} process_group, int src, int tag) -> {_WORK}")
def receive(tensors: Any, group: Any, source: int, tag: int) -> Any:
    """Receive a tensor."""
    (tensor,) = tensors
    return group._begun(_OP.RECV, tensors, group.engine.receive(tensor, source, tag))


@_operator(f"recv_any_source_(Tensor[] tensors, {_GROUP} process_group, int tag) -> {_WORK}")
def receive_from_any(tensors: Any, group: Any, tag: int) -> Any:
    """Receive a tensor of anybody."""
    (tensor,) = tensors
    return group._begun(_OP.RECVANYSOURCE, tensors, group.engine.receive(tensor, None, tag))


@_operator(f"barrier(Tensor tensor, {_GROUP} process_group, int[] device_ids, {_HOW}) -> {_WORK}")
def barrier(
    tensor: Tensor,
    group: Any,
    device_ids: Sequence[int],
    async_op: bool = True,
    timeout: int = -1,
) -> Any:
    """Wait for everybody, *timeout* milliseconds at most if that is positive."""
    if tensor.device.type != "cpu":
        torch.get_device_module(tensor.device).current_stream(tensor.device).synchronize()
    pending = group.engine.barrier()
    if pending is not None and timeout > 0:
        pending.expire(timeout / 1000)
    return group._begun(_OP.BARRIER, (), pending)
