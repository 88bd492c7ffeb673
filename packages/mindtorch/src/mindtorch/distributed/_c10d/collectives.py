"""The collectives as functions: arguments are checked, and the caller waits or not."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from mindtorch_storage import ACCELERATOR

from ...aten import torch
from ...core.warning import warn
from ...tensor import Tensor
from .backends import Backend
from .collective_checks import (
    _check_all,
    _check_single_tensor,
    _check_tensor_list,
    _ensure_all_tensors_same_dtype,
    _validate_output_list_for_rank,
    _warn_not_in_group,
)
from .options import (
    AllgatherOptions,
    AllreduceCoalescedOptions,
    AllreduceOptions,
    AllToAllOptions,
    BarrierOptions,
    BroadcastOptions,
    GatherOptions,
    ReduceOptions,
    ReduceScatterOptions,
    ScatterOptions,
)
from .process_group import ProcessGroup
from .reductions import ReduceOp
from .work import Work, _IllegalWork
from .work_registry import WORKS
from .world import (
    _canonicalize_group_rank,
    _get_object_coll_device,
    _group_or_default_group,
    _rank_not_in_group,
    _world,
    get_backend,
)

_SUM: Any = ReduceOp.SUM

#: The functions that torch names; filled by ``_public``.
FUNCTIONS: dict[str, Any] = {}


def _public(function: Callable[..., Any]) -> Callable[..., Any]:
    function.__module__ = "mindtorch.distributed.distributed_c10d"
    FUNCTIONS[function.__name__] = function
    return function


def _deprecated(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def warned(*args: Any, **kwargs: Any) -> Any:
            warn(text, FutureWarning)
            return function(*args, **kwargs)

        return _public(warned)

    return decorate


def _going(name: str) -> str:
    return (
        f"`torch.distributed.{name}` will be deprecated. If you must use it, please revisit our "
        "documentation later at "
        "https://pytorch.org/docs/main/distributed.html#collective-functions"
    )


def _renamed(name: str, to: str) -> str:
    return f"`torch.distributed.{name}` is deprecated. Please use `torch.distributed.{to}` instead."


@_public
def supports_complex(reduceOp: Any) -> bool:
    """Whether the reduction is one of complex numbers."""
    denied = ("MAX", "MIN", "PRODUCT", "BAND", "BOR", "BXOR")
    return all(reduceOp != getattr(ReduceOp, name) for name in denied)


def _real(tensor: Tensor) -> Tensor:
    return torch.view_as_real(tensor) if tensor.is_complex() else tensor


def _reals(tensors: Any) -> list[Tensor]:
    return [_real(t) for t in tensors]


def _known(group: Any) -> ProcessGroup:
    found = _group_or_default_group(group)
    if not isinstance(found, ProcessGroup):
        raise ValueError(
            f"Process group {found} is not initialized in the world group map. Please initialize "
            "the group first."
        )
    return found


def _give(work: Any, async_op: bool) -> Any:
    """The work where the caller waits; else wait here."""
    if async_op:
        if not isinstance(work, Work):
            return work
        WORKS.keep_call_in_place(work.result(), work)
        return work._carry_on()
    if work is not None:
        work.wait()
    return None


def _options(kind: Any, async_op: bool, **fields: Any) -> Any:
    """What a backend is told of a collective."""
    made = kind()
    made.asyncOp = async_op
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _root(group: Any, rank: int | None, group_rank: int | None) -> int:
    """The rank in *group* of the process that differs from the others, the first by default."""
    if group_rank is None and rank is None:
        rank = 0
    return _canonicalize_group_rank(group, rank, group_rank, return_global=False)


def _with_root(
    tensor: Any, group: Any, rank: int | None, group_rank: int | None
) -> tuple[Any, int]:
    """The group, and the rank in it of the process that must be named; *tensor* is checked."""
    group = _group_or_default_group(group)
    root = _canonicalize_group_rank(group, rank, group_rank, return_global=False)
    _check_single_tensor(tensor, "tensor")
    return group, root


@_public
def broadcast(
    tensor: Tensor,
    src: int | None = None,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_src: int | None = None,
) -> Any:
    """Write what the source has into the tensor of all."""
    group, group_src = _with_root(tensor, group, src, group_src)
    if _rank_not_in_group(group):
        return _warn_not_in_group("broadcast")
    opts = _options(BroadcastOptions, async_op, rootRank=group_src)
    return _give(group.broadcast([tensor], opts), async_op)


@_public
def all_reduce(tensor: Any, op: Any = _SUM, group: Any = None, async_op: bool = False) -> Any:
    """Write the reduction of all tensors into each."""
    _check_single_tensor(tensor, "tensor")
    if _rank_not_in_group(group):
        return _warn_not_in_group("all_reduce")
    if tensor.is_complex() and not supports_complex(op):
        raise ValueError(f"all_reduce does not support {op} on complex tensors")
    opts = _options(AllreduceOptions, async_op, reduceOp=op)
    return _give(_known(group).allreduce([_real(tensor)], opts), async_op)


@_deprecated(_going("all_reduce_coalesced"))
def all_reduce_coalesced(
    tensors: Any, op: Any = _SUM, group: Any = None, async_op: bool = False
) -> Any:
    """Reduce several tensors."""
    if isinstance(tensors, Tensor):
        tensors = [tensors]
    _check_tensor_list(tensors, "tensors")
    _ensure_all_tensors_same_dtype(tensors)
    if _rank_not_in_group(group):
        return _warn_not_in_group("all_reduce_coalesced")
    if any(t.is_complex() for t in tensors) and not supports_complex(op):
        raise ValueError(f"all_reduce does not support {op} on complex tensors")
    opts = _options(AllreduceCoalescedOptions, async_op, reduceOp=op)
    work = _group_or_default_group(group).allreduce_coalesced(_reals(tensors), opts)
    return work.get_future() if async_op else _give(work, False)


@_public
def reduce(
    tensor: Tensor,
    dst: int | None = None,
    op: Any = _SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Any:
    """Write the reduction of all tensors into that of one."""
    group, group_dst = _with_root(tensor, group, dst, group_dst)
    if _rank_not_in_group(group):
        return _warn_not_in_group("reduce")
    opts = _options(ReduceOptions, async_op, reduceOp=op, rootRank=group_dst)
    return _give(group.reduce([tensor], opts), async_op)


@_public
def all_gather(tensor_list: Any, tensor: Any, group: Any = None, async_op: bool = False) -> Any:
    """Write the tensor of each into a list of all."""
    _check_all(tensor_list=tensor_list, tensor=tensor)
    if _rank_not_in_group(group):
        return _warn_not_in_group("all_gather")
    opts = _options(AllgatherOptions, async_op)
    pg = _group_or_default_group(group)
    return _give(pg.allgather([_reals(tensor_list)], [_real(tensor)], opts), async_op)


@_public
def all_gather_single(
    output_tensor: Any, input_tensor: Any, group: Any = None, async_op: bool = False
) -> Any:
    """Write the tensor of each into one of all."""
    _check_single_tensor(input_tensor, "input_tensor")
    _check_single_tensor(output_tensor, "output_tensor")
    if _rank_not_in_group(group):
        return _warn_not_in_group("all_gather_single")
    pg = _group_or_default_group(group)
    opts = _options(AllgatherOptions, async_op)
    states = _world.pg_coalesce_state
    work = pg.all_gather_single(_real(output_tensor), _real(input_tensor), opts)
    if pg in states:
        states[pg].append(work)
        return _IllegalWork() if async_op else None
    return _give(work, async_op)


@_deprecated(_renamed("all_gather_into_tensor", "all_gather_single"))
def all_gather_into_tensor(
    output_tensor: Any, input_tensor: Any, group: Any = None, async_op: bool = False
) -> Any:
    """Write the tensor of each into one of all."""
    return all_gather_single(output_tensor, input_tensor, group, async_op)


@_deprecated(
    "`torch.distributed._all_gather_base` is a private function and will be deprecated. Please "
    "use `torch.distributed.all_gather_single` instead."
)
def _all_gather_base(
    output_tensor: Any, input_tensor: Any, group: Any = None, async_op: bool = False
) -> Any:
    """Write the tensor of each into one of all."""
    return all_gather_single(output_tensor, input_tensor, group, async_op)


@_deprecated(_going("all_gather_coalesced"))
def all_gather_coalesced(
    output_tensor_lists: Any, input_tensor_list: Any, group: Any = None, async_op: bool = False
) -> Any:
    """Gather several tensors."""
    if _rank_not_in_group(group):
        return _warn_not_in_group("all_gather_coalesced")
    _check_tensor_list(input_tensor_list, "input_tensor_list")
    _ensure_all_tensors_same_dtype(input_tensor_list)
    if not isinstance(output_tensor_lists, list):
        raise TypeError("Invalid function argument: output_tensor_lists should be a list")
    for output in output_tensor_lists:
        _check_tensor_list(output, "output_tensor_lists")
        _ensure_all_tensors_same_dtype(output)
    outputs = [_reals(ts) for ts in output_tensor_lists]
    pg = _group_or_default_group(group)
    work = pg.allgather_coalesced(outputs, _reals(input_tensor_list))
    return work.get_future() if async_op else _give(work, False)


@_public
def gather(
    tensor: Tensor,
    gather_list: list[Tensor] | None = None,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_dst: int | None = None,
) -> Any:
    """Write the tensor of each into a list of one."""
    gather_list = gather_list or []
    _check_all(tensor=tensor, gather_list=gather_list)
    group = _group_or_default_group(group)
    if _rank_not_in_group(group):
        return _warn_not_in_group("gather")
    group_dst = _root(group, dst, group_dst)
    _validate_output_list_for_rank(group.rank(), group_dst, gather_list)
    opts = _options(GatherOptions, async_op, rootRank=group_dst)
    outputs = [gather_list] if group.rank() == group_dst else []
    return _give(group.gather(outputs, [tensor], opts), async_op)


@_public
def scatter(
    tensor: Tensor,
    scatter_list: list[Tensor] | None = None,
    src: int | None = None,
    group: ProcessGroup | None = None,
    async_op: bool = False,
    group_src: int | None = None,
) -> Any:
    """Write each of one's tensors into that of its rank."""
    scatter_list = scatter_list or []
    _check_all(tensor=tensor, scatter_list=scatter_list)
    group = _group_or_default_group(group)
    group_src = _root(group, src, group_src)
    if _rank_not_in_group(group):
        return _warn_not_in_group("scatter")
    if group.rank() == group_src:
        if not scatter_list:
            raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
    elif scatter_list:
        raise ValueError("Argument ``scatter_list`` must NOT be specified on non-source ranks.")
    opts = _options(ScatterOptions, async_op, rootRank=group_src)
    inputs = [_reals(scatter_list)] if scatter_list else []
    return _give(group.scatter([_real(tensor)], inputs, opts), async_op)


@_public
def reduce_scatter(
    output: Any, input_list: Any, op: Any = _SUM, group: Any = None, async_op: bool = False
) -> Any:
    """Reduce the lists of all, each part to its rank."""
    _check_all(output=output, input_list=input_list)
    if _rank_not_in_group(group):
        return _warn_not_in_group("reduce_scatter")
    opts = _options(ReduceScatterOptions, async_op, reduceOp=op)
    work = _group_or_default_group(group).reduce_scatter([output], [input_list], opts)
    return _give(work, async_op)


@_public
def reduce_scatter_single(
    output: Any, input: Any, op: Any = _SUM, group: Any = None, async_op: bool = False
) -> Any:
    """Reduce a tensor of all, each part to its rank."""
    _check_single_tensor(output, "output")
    _check_single_tensor(input, "input")
    if _rank_not_in_group(group):
        return _warn_not_in_group("reduce_scatter_single")
    if input.is_complex():
        if not supports_complex(op):
            raise ValueError(f"reduce_scatter_single does not support {op} on complex tensors")
        input, output = torch.view_as_real(input), torch.view_as_real(output)
    opts = _options(ReduceScatterOptions, async_op, reduceOp=op)
    pg = _group_or_default_group(group)
    return _give(pg.reduce_scatter_single(output, input, opts), async_op)


@_deprecated(_renamed("reduce_scatter_tensor", "reduce_scatter_single"))
def reduce_scatter_tensor(
    output: Any, input: Any, op: Any = _SUM, group: Any = None, async_op: bool = False
) -> Any:
    """Reduce a tensor of all, each part to its rank."""
    return reduce_scatter_single(output, input, op, group, async_op)


@_deprecated(
    "`torch.distributed._reduce_scatter_base` is a private function and will be deprecated. "
    "Please use `torch.distributed.reduce_scatter_single` instead."
)
def _reduce_scatter_base(
    output: Any, input: Any, op: Any = _SUM, group: Any = None, async_op: bool = False
) -> Any:
    """Reduce a tensor of all, each part to its rank."""
    return reduce_scatter_single(output, input, op, group, async_op)


@_public
def all_to_all_single(
    output: Any,
    input: Any,
    output_split_sizes: Any = None,
    input_split_sizes: Any = None,
    group: Any = None,
    async_op: bool = False,
) -> Any:
    """Send each part of a tensor to its rank."""
    if _rank_not_in_group(group):
        return _warn_not_in_group("all_to_all_single")
    _check_all(output=output, input=input)
    opts = _options(AllToAllOptions, async_op)
    pg = _group_or_default_group(group)
    given = [] if output_split_sizes is None else output_split_sizes
    taken = [] if input_split_sizes is None else input_split_sizes
    work = pg.all_to_all_single(_real(output), _real(input), given, taken, opts)
    return _give(work, async_op)


@_public
def all_to_all(
    output_tensor_list: Any, input_tensor_list: Any, group: Any = None, async_op: bool = False
) -> Any:
    """Send each of some tensors to its rank."""
    if _rank_not_in_group(group):
        return _warn_not_in_group("all_to_all")
    opts = _options(AllToAllOptions, async_op)
    _check_all(output_tensor_list=output_tensor_list, input_tensor_list=input_tensor_list)
    pg = _group_or_default_group(group)
    work = pg.alltoall(_reals(output_tensor_list), _reals(input_tensor_list), opts)
    return _give(work, async_op)


@_public
def barrier(
    group: ProcessGroup | None = None,
    async_op: bool = False,
    device_ids: Any = None,
    timeout: timedelta | None = None,
) -> Any:
    """Wait for everybody."""
    if _rank_not_in_group(group):
        return _warn_not_in_group("barrier")
    group = _group_or_default_group(group)
    opts = _options(BarrierOptions, async_op)
    if timeout is not None:
        opts.timeout = timeout
    if isinstance(device_ids, list):
        opts.device_ids = device_ids
        opts.device = torch.device(ACCELERATOR, device_ids[0])
    elif group.bound_device_id is not None:
        opts.device = group.bound_device_id
    elif _get_object_coll_device(group) == "cpu":
        opts.device = torch.device("cpu")
    else:
        opts.device = torch.device(ACCELERATOR)
        if group.rank() == 0:
            warn(
                "barrier(): using the device under current context. You can specify `device_id` "
                "in `init_process_group` to mute this warning.",
            )
    return _give(group.barrier(opts), async_op)


@_public
def monitored_barrier(
    group: ProcessGroup | None = None, timeout: Any = None, wait_all_ranks: bool = False
) -> None:
    """Wait for everybody, and say who did not come."""
    if _rank_not_in_group(group):
        return _warn_not_in_group("monitored_barrier")
    if get_backend(group) != Backend.GLOO:
        raise ValueError("monitored_barrier is only implemented for GLOO backend.")
    _group_or_default_group(group).monitored_barrier(timeout, wait_all_ranks=wait_all_ranks)
