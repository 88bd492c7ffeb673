"""Collectives as functions that gradients flow through."""

from __future__ import annotations

from typing import Any

from mindtorch.autograd import Function

from ...aten import torch
from ...core.warning import warn as _warn  # no name of the package, which has all of this module
from ...tensor import Tensor
from .. import distributed_c10d as dist
from ..distributed_c10d import ReduceOp, group

_SUM: Any = ReduceOp.SUM


def broadcast(tensor: Tensor, src: int, group: Any = None) -> Tensor:
    """The tensor of *src*; its gradients come back to *src*."""
    _deprecated("broadcast")
    return _Broadcast.apply(src, _or_world(group), tensor)


def gather(tensor: Tensor, dst: int = 0, group: Any = None) -> Any:
    """The tensors of all, for *dst*."""
    return _Gather.apply(dst, _or_world(group), tensor)


def scatter(tensors: Any, src: int = 0, group: Any = None) -> Tensor:
    """One of the tensors of *src*."""
    return _Scatter.apply(src, _or_world(group), *tensors)


def reduce(tensor: Tensor, dst: int, op: Any = _SUM, group: Any = None) -> Tensor:
    """The reduction of the tensors of all, for *dst*."""
    return _Reduce.apply(dst, op, _or_world(group), tensor)


def reduce_scatter(output: Tensor, input_list: Any, op: Any = _SUM, group: Any = None) -> Tensor:
    """The reduction of lists, each part for its rank."""
    _deprecated("reduce_scatter", "reduce_scatter_single")
    return _Reduce_Scatter.apply(op, _or_world(group), output, *input_list)


def all_gather(tensor: Tensor, group: Any = None) -> Any:
    """The tensors of all."""
    _deprecated("all_gather", "all_gather_single")
    return _AllGather.apply(_or_world(group), tensor)


def _all_gather_base(output_tensor: Tensor, input_tensor: Tensor, group: Any = None) -> Tensor:
    """The tensors of all in one."""
    return _AllGatherBase.apply(output_tensor, input_tensor, _or_world(group))


def all_to_all(output_tensor_list: Any, input_tensor_list: Any, group: Any = None) -> Any:
    """Each of some tensors to its rank."""
    return _AlltoAll.apply(_or_world(group), output_tensor_list, *input_tensor_list)


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Any = None,
    input_split_sizes: Any = None,
    group: Any = None,
) -> Tensor:
    """Each part of a tensor to its rank."""
    _deprecated("all_to_all_single")
    return _AlltoAllSingle.apply(
        _or_world(group), output, output_split_sizes, input_split_sizes, input
    )


def all_reduce(tensor: Tensor, op: Any = _SUM, group: Any = None) -> Tensor:
    """The reduction of the tensors of all."""
    _deprecated("all_reduce")
    return _AllReduce.apply(op, _or_world(group), tensor)


def _deprecated(name: str, instead: str | None = None) -> None:
    home = "torch.distributed"
    _warn(
        f"{home}.nn.functional.{name} is deprecated, use "
        f"{home}._functional_collectives.{instead or name} instead.",
        FutureWarning,
    )


def _or_world(given: Any) -> Any:
    return group.WORLD if given is None else given


class _Broadcast(Function):
    @staticmethod
    def forward(ctx: Any, src: int, group: Any, tensor: Tensor) -> Tensor:
        ctx.src, ctx.group = src, group
        ctx.rank = dist.get_rank(group)
        tensor = tensor.clone()
        dist.broadcast(tensor, src, group=group)
        return tensor

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        total = _Reduce.apply(ctx.src, ReduceOp.SUM, ctx.group, grad_output)
        return None, None, total if ctx.rank == ctx.src else total.zero_()


class _Gather(Function):
    @staticmethod
    def forward(ctx: Any, dst: int, group: Any, tensor: Tensor) -> Any:
        ctx.dst, ctx.group = dst, group
        tensor = tensor.contiguous()
        outputs = [torch.zeros_like(tensor) for _ in range(dist.get_world_size(group))]
        mine = dist.get_rank(group) == dst
        dist.gather(tensor, outputs if mine else None, dst, group=group)
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> Any:
        return None, None, _Scatter.apply(ctx.dst, ctx.group, *grad_outputs)


class _Scatter(Function):
    @staticmethod
    def forward(ctx: Any, src: int, group: Any, *tensors: Tensor) -> Tensor:
        ctx.src, ctx.group = src, group
        output = torch.zeros_like(tensors[0])
        mine = dist.get_rank(group) == src
        dist.scatter(output, list(tensors) if mine else None, src, group=group)
        return output

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        return None, None, *_Gather.apply(ctx.src, ctx.group, grad_output)


class _Reduce(Function):
    @staticmethod
    def forward(ctx: Any, src: int, op: Any, group: Any, tensor: Tensor) -> Tensor:
        ctx.src, ctx.group = src, group
        tensor = tensor.clone()
        dist.reduce(tensor, src, op=op, group=group)
        return tensor

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        return None, None, None, _Broadcast.apply(ctx.src, ctx.group, grad_output)


class _Reduce_Scatter(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: Any, tensor: Tensor, *input_tensor_list: Tensor) -> Any:
        ctx.group = group
        tensor = tensor.contiguous()
        inputs = [t.contiguous() for t in input_tensor_list]
        dist.reduce_scatter(tensor, inputs, op=op, group=group)
        return tensor

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        return None, None, None, *_AllGather.apply(ctx.group, grad_output)


class _AllGather(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, tensor: Tensor) -> Any:
        tensor = tensor.contiguous()
        ctx.group = group
        outputs = [torch.empty_like(tensor) for _ in range(dist.get_world_size(group))]
        dist.all_gather(outputs, tensor, group=group)
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> Any:
        rank = dist.get_rank(ctx.group)
        gx = torch.empty_like(grad_outputs[rank])
        given = [g.contiguous() for g in grad_outputs]
        return None, _Reduce_Scatter.apply(ReduceOp.SUM, ctx.group, gx, *given)


class _AllGatherBase(Function):
    @staticmethod
    def forward(ctx: Any, output_tensor: Tensor, input_tensor: Tensor, group: Any) -> Tensor:
        ctx.group = group
        dist.all_gather_single(output_tensor, input_tensor.contiguous(), group=group)
        return output_tensor

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        size = list(grad_output.size())
        size[0] //= dist.get_world_size(ctx.group)
        gx = torch.empty(size, dtype=grad_output.dtype, device=grad_output.device)
        dist.reduce_scatter_single(gx, grad_output.contiguous(), group=ctx.group)
        return None, gx, None


class _AlltoAll(Function):
    @staticmethod
    def forward(ctx: Any, group: Any, out_tensor_list: Any, *tensors: Tensor) -> Any:
        ctx.group = group
        ctx.shapes = [t.shape for t in tensors]
        dist.all_to_all(out_tensor_list, [t.contiguous() for t in tensors], group=group)
        return tuple(out_tensor_list)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> Any:
        made = [
            torch.empty(s, dtype=grad_outputs[0].dtype, device=grad_outputs[0].device)
            for s in ctx.shapes
        ]
        return None, None, *_AlltoAll.apply(ctx.group, made, *grad_outputs)


class _AlltoAllSingle(Function):
    @staticmethod
    def forward(
        ctx: Any,
        group: Any,
        output: Tensor,
        output_split_sizes: Any,
        input_split_sizes: Any,
        input: Tensor,
    ) -> Tensor:
        ctx.group, ctx.shape = group, input.size()
        ctx.sizes = input_split_sizes, output_split_sizes
        dist.all_to_all_single(
            output, input.contiguous(), output_split_sizes, input_split_sizes, group=group
        )
        return output

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        made = torch.empty(ctx.shape, dtype=grad_output.dtype, device=grad_output.device)
        back = _AlltoAllSingle.apply(ctx.group, made, *ctx.sizes, grad_output.contiguous())
        return None, None, None, None, back


class _AllReduce(Function):
    @staticmethod
    def forward(ctx: Any, op: Any, group: Any, tensor: Tensor) -> Tensor:
        ctx.group, ctx.op = group, op
        tensor = tensor.clone(memory_format=torch.contiguous_format)
        dist.all_reduce(tensor, op=op, group=group)
        return tensor

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        return None, None, _AllReduce.apply(ctx.op, ctx.group, grad_output)
