"""The hooks that a reducer is given by name: gradients averaged as they are, or in two bytes."""

from __future__ import annotations

from typing import Any

from ...aten import torch
from ...core.module_names import living_in
from .buckets import GradBucket
from .collectives import all_reduce
from .reducer import Reducer, _register_comm_hook
from .reductions import BuiltinCommHookType
from .world import group

__all__ = ["allreduce_hook", "fp16_compress_hook"]


def _allreduce_fut(process_group: Any, tensor: torch.Tensor) -> Any:
    members: Any = process_group if process_group is not None else group.WORLD
    tensor.div_(members.size())
    work = all_reduce(tensor, group=members, async_op=True)
    return work.get_future().then(lambda fut: fut.value()[0])


def allreduce_hook(process_group: Any, bucket: GradBucket) -> Any:
    """Average the gradients."""
    return _allreduce_fut(process_group, bucket.buffer())


def _compress_hook(dtype: Any, process_group: Any, bucket: GradBucket) -> Any:
    members: Any = process_group if process_group is not None else group.WORLD
    buffer = bucket.buffer()
    small = buffer.to(dtype).div_(members.size())
    work = all_reduce(small, group=members, async_op=True)

    def decompress(fut: Any) -> torch.Tensor:
        buffer.copy_(fut.value()[0])
        return buffer

    return work.get_future().then(decompress)


def fp16_compress_hook(process_group: Any, bucket: GradBucket) -> Any:
    """Average the gradients as ``float16``."""
    return _compress_hook(torch.float16, process_group, bucket)


def _register_builtin_comm_hook(reducer: Reducer, comm_hook_type: BuiltinCommHookType) -> None:
    """Let a hook of the package reduce the buckets."""
    half = comm_hook_type == BuiltinCommHookType.FP16_COMPRESS
    hook = fp16_compress_hook if half else allreduce_hook
    _register_comm_hook(reducer, reducer.group, hook)


living_in(
    "mindtorch.distributed.algorithms.ddp_comm_hooks.default_hooks",
    _allreduce_fut,
    allreduce_hook,
    _compress_hook,
    fp16_compress_hook,
)
