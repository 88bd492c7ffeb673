"""The copies between devices that gradients go through the other way."""

from __future__ import annotations

from typing import Any

from ...aten import torch
from ...autograd import Function
from ...core.warning import warn
from . import comm


class Broadcast(Function):
    """Copies of tensors on several devices; gradients are summed."""

    @staticmethod
    def forward(ctx: Any, target_gpus: Any, *inputs: Any) -> tuple[Any, ...]:
        ctx.num_inputs = len(inputs)
        if not inputs:
            return ()
        ctx.input_device = inputs[0].device
        copies = comm.broadcast_coalesced(inputs, target_gpus)
        still = [i for i, needed in enumerate(ctx.needs_input_grad[1:]) if not needed]
        ctx.mark_non_differentiable(*[copy[i] for i in still for copy in copies])
        # What is on its device already is no copy, and a result must be another tensor.
        return tuple([t.view_as(t) for copy in copies for t in copy])

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> tuple[Any, ...]:
        return (None, *ReduceAddCoalesced.apply(ctx.input_device, ctx.num_inputs, *grad_outputs))


class ReduceAddCoalesced(Function):
    """Sums of tensors from several devices; gradients are copied."""

    @staticmethod
    def forward(ctx: Any, destination: Any, num_inputs: int, *grads: Any) -> tuple[Any, ...]:
        ctx.target_gpus = [grads[i].device for i in range(0, len(grads), num_inputs)]
        lists = [grads[i : i + num_inputs] for i in range(0, len(grads), num_inputs)]
        return comm.reduce_add_coalesced(lists, destination)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> tuple[Any, ...]:
        return (None, None, *Broadcast.apply(ctx.target_gpus, *grad_outputs))


class Gather(Function):
    """Tensors of several devices joined on one; gradients are taken apart."""

    @staticmethod
    def forward(ctx: Any, target_device: Any, dim: int, *inputs: Any) -> Any:
        ctx.target_device = target_device
        ctx.dim = dim
        ctx.input_gpus = [t.device for t in inputs]
        ctx.unsqueezed_scalar = all(t.dim() == 0 for t in inputs) and dim == 0
        if ctx.unsqueezed_scalar:
            inputs = tuple([t.view(1) for t in inputs])
            warn(
                "Was asked to gather along dimension 0, but all input tensors were scalars; will "
                "instead unsqueeze and return a vector.",
            )
        ctx.input_sizes = tuple([t.size(ctx.dim) for t in inputs])
        return comm.gather(inputs, ctx.dim, ctx.target_device)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> tuple[Any, ...]:
        parts = Scatter.apply(ctx.input_gpus, ctx.input_sizes, ctx.dim, grad_output)
        if ctx.unsqueezed_scalar:
            parts = tuple([g[0] for g in parts])
        return (None, None, *parts)


class Scatter(Function):
    """Pieces of a tensor on several devices; gradients are joined."""

    @staticmethod
    def forward(
        ctx: Any, target_gpus: Any, chunk_sizes: Any, dim: int, input: Any
    ) -> tuple[Any, ...]:
        ctx.dim = dim
        ctx.input_device = input.device
        return comm.scatter(input, target_gpus, chunk_sizes, ctx.dim)

    @staticmethod
    def backward(ctx: Any, *grad_output: Any) -> tuple[Any, ...]:
        return None, None, None, Gather.apply(ctx.input_device, ctx.dim, *grad_output)


def _get_stream(device: torch.device) -> Any:
    """The stream for copies from the host to *device*; None for the host."""
    if device.type == "cpu":
        return None
    module = torch.get_device_module(device)
    return module.Stream(device)
