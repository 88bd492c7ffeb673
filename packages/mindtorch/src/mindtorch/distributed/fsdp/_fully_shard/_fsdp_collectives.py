"""Exchanges of the parameters and of the gradients of a group, each in one call."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from .... import distributed as dist
from ....aten import torch
from ._fsdp_api import AllGather, ReduceScatter
from ._fsdp_common import FSDPMeshInfo
from ._fsdp_param import FSDPParam, ShardedState

__all__ = [
    "AllGatherResult",
    "DefaultAllGather",
    "DefaultReduceScatter",
    "foreach_all_gather",
    "foreach_all_gather_copy_out",
    "foreach_reduce",
]


class AllGatherResult(NamedTuple):
    """An exchange of parameters that has begun."""

    all_gather_output: Any
    all_gather_event: Any
    all_gather_work: Any
    #: For each parameter, for each tensor that it sends.
    param_all_gather_input_dtypes: list[list[Any]]
    param_all_gather_input_numels: list[list[int]]
    #: How much each tensor takes of what a process sends.
    all_gather_input_split_sizes: list[int]


class _Allocating:
    def allocate(self, size: Sequence[int | Any], *, dtype: Any, device: Any) -> Any:
        """A tensor of *size*."""
        return torch.empty(*size, dtype=dtype, device=device)


class DefaultAllGather(_Allocating, AllGather):
    """The group's own exchange."""

    def __call__(
        self, output_tensor: Any, input_tensor: Any, group: Any, async_op: bool = False
    ) -> Any:
        """Begin; what is to be waited for if *async_op*."""
        return dist.all_gather_single(output_tensor, input_tensor, group, async_op)


class DefaultReduceScatter(_Allocating, ReduceScatter):
    """The group's own reduction."""

    def __call__(
        self, output_tensor: Any, input_tensor: Any, group: Any, op: Any, async_op: bool = False
    ) -> Any:
        """Begin; what is to be waited for if *async_op*."""
        return dist.reduce_scatter_single(
            output=output_tensor, input=input_tensor, group=group, op=op, async_op=async_op
        )


def handle_of(device: Any) -> Any:
    """The module of a device: ``torch.cpu``, or that of an accelerator."""
    return torch.get_device_module(device.type)


@contextlib.contextmanager
def on_stream(device: Any, stream: Any) -> Any:
    """Work of the body goes behind what was given to the current stream, on *stream*."""
    if device.type == "cpu" or stream is None:
        yield
        return
    handle = handle_of(device)
    current = handle.current_stream()
    if stream == current:
        yield
        return
    stream.wait_stream(current)
    with handle.stream(stream):
        yield


def event_of(device: Any) -> Any:
    """An event at the end of the current stream; None on the host, where nothing is late."""
    return None if device.type == "cpu" else handle_of(device).current_stream().record_event()


def _members(params: list[FSDPParam]) -> list[int]:
    """For each part the number of its process in the group that exchanges."""
    first = params[0]
    after = first.sharded_state is ShardedState.SHARDED_POST_FORWARD
    info = first.post_forward_mesh_info if after else first.mesh_info
    return info.members if isinstance(info, FSDPMeshInfo) else [0]


@torch.no_grad()
def foreach_all_gather(
    fsdp_params: list[FSDPParam],
    group: Any,
    async_op: bool,
    all_gather_copy_in_stream: Any,
    all_gather_stream: Any,
    device: Any,
    all_gather_comm: AllGather,
) -> AllGatherResult | None:
    """Begin to gather parameters; :func:`foreach_all_gather_copy_out` ends it.

    Parameters of several dtypes are sent as bytes.
    """
    with on_stream(device, all_gather_copy_in_stream):
        sent = [p.all_gather_inputs for p in fsdp_params]
        flat = [line for lines in sent for line in lines]
        dtypes = {line.dtype for line in flat}
        if len(dtypes) > 1:
            flat = [line.contiguous().view(torch.uint8) for line in flat]
        if not flat:
            return None
        total = sum(line.numel() for line in flat)
        output = all_gather_comm.allocate(
            (total * group.size(),), dtype=flat[0].dtype, device=device
        )
        given = torch.cat([line.to(device) for line in flat])
    with on_stream(device, all_gather_stream):
        work = all_gather_comm(
            output_tensor=output, input_tensor=given, group=group, async_op=async_op
        )
        event = event_of(device)
    return AllGatherResult(
        output,
        event,
        work,
        [[line.dtype for line in lines] for lines in sent],
        [[line.numel() for line in lines] for lines in sent],
        [line.numel() for line in flat],
    )


@torch.no_grad()
def foreach_all_gather_copy_out(
    all_gather_result: AllGatherResult, fsdp_params: list[FSDPParam], group: Any
) -> None:
    """Wait for parameters and write them into the memory of the whole ones."""
    result = all_gather_result
    if result.all_gather_event is not None:
        handle_of(result.all_gather_output.device).current_stream().wait_event(
            result.all_gather_event
        )
    if result.all_gather_work is not None:
        result.all_gather_work.wait()
    output = result.all_gather_output
    rows = output.view(group.size(), -1)
    members = _members(fsdp_params)
    pieces = [rows[member].split(result.all_gather_input_split_sizes) for member in members]
    share_memory(fsdp_params, result, len(members), output.device)
    at = 0
    kinds, counts = result.param_all_gather_input_dtypes, result.param_all_gather_input_numels
    for p, dtypes, numels in zip(fsdp_params, kinds, counts, strict=True):
        p.init_all_gather_outputs(numels, dtypes, len(members), output.device)
        parts = []
        for dtype in dtypes:
            lines = [piece[at] for piece in pieces]
            if dtype != output.dtype:
                lines = [line.clone().view(dtype) for line in lines]
            parts.append(lines)
            at += 1
        p.receive(parts)


def share_memory(
    params: list[FSDPParam], result: AllGatherResult, world_size: int, device: Any
) -> None:
    """Have one memory for each dtype of what is gathered, if parameters have none yet."""
    if any(p.all_gather_outputs for p in params):
        return
    counts: dict[Any, list[int]] = {}
    kinds, numels = result.param_all_gather_input_dtypes, result.param_all_gather_input_numels
    for dtypes, each in zip(kinds, numels, strict=True):
        for dtype, n in zip(dtypes, each, strict=True):
            counts.setdefault(dtype, []).append(n * world_size)
    lines = {
        dtype: iter(torch.empty(sum(each), dtype=dtype, device=device).split(each))
        for dtype, each in counts.items()
    }
    for p, dtypes in zip(params, kinds, strict=True):
        p.use_memory([next(lines[dtype]) for dtype in dtypes])


def _get_gradient_divide_factors(
    reduce_scatter_group: Any,
    all_reduce_group: Any,
    reduce_dtype: Any,
    device_type: str = "",
    factor: float | None = None,
    force_sum_reduction_for_comms: bool = False,
) -> tuple[float | None, float | None, Any, Any]:
    """What gradients are divided by before and after, and the two reductions.

    Numbers of a small range are divided by about the square root before and after, so that neither
    sums nor parts of them leave it.
    """
    op: Any = dist.ReduceOp
    size = 1
    for group in (reduce_scatter_group, all_reduce_group):
        size *= 1 if group is None else group.size()
    small = reduce_dtype not in (torch.float32, torch.bfloat16)
    if not small and not force_sum_reduction_for_comms:
        if factor is None:
            kind = op.SUM if size == 1 else op.AVG
            return None, None, kind, kind
        return None, factor, op.SUM, op.SUM
    divisor = float(size) if factor is None else factor
    if not small:
        return None, divisor, op.SUM, op.SUM
    before = 1
    while divisor % before == 0 and divisor / before > before:
        before *= 2
    return before, divisor / before, op.SUM, op.SUM


def _div_if_needed(tensor: Any, div_factor: float | None) -> None:
    if div_factor is not None and div_factor != 1:
        tensor.div_(div_factor)


def _reduce_scatter(comm: ReduceScatter, sent: Any, group: Any, op: Any) -> Any:
    """The part of this process of the reduction of what all have *sent*."""
    size = (sent.numel() // group.size(),)
    output = comm.allocate(size, dtype=sent.dtype, device=sent.device)
    comm(output_tensor=output, input_tensor=sent, group=group, op=op)
    return output


@torch.no_grad()
def foreach_reduce(
    fsdp_params: list[FSDPParam],
    unsharded_grads: list[Any],
    reduce_scatter_group: Any,
    reduce_scatter_stream: Any,
    reduce_scatter_comm: ReduceScatter,
    orig_dtype: Any,
    reduce_dtype: Any,
    device: Any,
    gradient_divide_factor: float | None,
    all_reduce_group: Any,
    all_reduce_stream: Any,
    all_reduce_grads: bool,
    partial_reduce_output: Any,
    all_reduce_hook: Any,
    force_sum_reduction_for_comms: bool = False,
) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
    """Reduce gradients of whole parameters to those of split ones, and empty *unsharded_grads*.

    Returns what was sent, when that is done, the stream of the last step and when it is done, what
    was reduced over the processes with the same parts and when, and the sum that is not yet
    reduced over those.

    Raises AssertionError for gradients of several dtypes.
    """
    dtypes = {grad.dtype for grad in unsharded_grads}
    if len(dtypes) != 1:
        raise AssertionError(f"FSDP reduce-scatter expects uniform gradient dtype but got {dtypes}")
    (own,) = dtypes
    wire = reduce_dtype or own
    before, after, scatter_op, reduce_op = _get_gradient_divide_factors(
        reduce_scatter_group,
        all_reduce_group,
        wire,
        device.type,
        gradient_divide_factor,
        force_sum_reduction_for_comms,
    )
    size = 1 if reduce_scatter_group is None else reduce_scatter_group.size()
    parts = [
        p.gradient_parts(grad, wire) for p, grad in zip(fsdp_params, unsharded_grads, strict=True)
    ]
    unsharded_grads.clear()
    order = {member: part for part, member in enumerate(_members(fsdp_params))}
    pieces = [each[order[member]] for member in range(size) for each in parts]
    if size > 1:
        count = sum(piece.numel() for piece in pieces)
        sent = reduce_scatter_comm.allocate((count,), dtype=wire, device=device)
        torch.cat(pieces, out=sent)
    else:
        sent = torch.cat(pieces)
    partial, hook_input, hook_event = partial_reduce_output, None, None
    stream = reduce_scatter_stream
    with on_stream(device, reduce_scatter_stream):
        _div_if_needed(sent, before)
        output = sent
        if size > 1:
            output = _reduce_scatter(reduce_scatter_comm, sent, reduce_scatter_group, scatter_op)
        sent_event = event_of(device)
        if all_reduce_group is not None:
            if partial is not None:
                output = output + partial
                partial = None
            if not all_reduce_grads:
                return sent, sent_event, stream, event_of(device), None, None, output
            if all_reduce_group.size() > 1:
                with on_stream(device, all_reduce_stream):
                    dist.all_reduce(output, group=all_reduce_group, op=reduce_op)
                    hook_input, hook_event = output, event_of(device)
                stream = all_reduce_stream
    with on_stream(device, stream):
        if all_reduce_hook is not None:
            with on_stream(device, all_reduce_stream):
                all_reduce_hook(output)
            if device.type != "cpu" and all_reduce_stream is not None:
                handle_of(device).current_stream().wait_stream(all_reduce_stream)
        _div_if_needed(output, after)
        at = 0
        for p, each in zip(fsdp_params, parts, strict=True):
            n = each[0].numel()
            p.take_gradient(output[at : at + n])
            at += n
        done = event_of(device)
    return sent, sent_event, stream, done, hook_input, hook_event, partial
