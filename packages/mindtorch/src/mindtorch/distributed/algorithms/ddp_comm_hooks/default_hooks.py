"""Hooks that average gradients as they are, or in two bytes each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch as torch
from mindtorch import Tensor

from ... import distributed_c10d as dist
from ..._c10d.buckets import GradBucket

__all__ = [
    "allreduce_hook",
    "bf16_compress_hook",
    "bf16_compress_wrapper",
    "fp16_compress_hook",
    "fp16_compress_wrapper",
]


def _allreduce_fut(process_group: Any, tensor: Tensor) -> Any:
    group = process_group if process_group is not None else dist.group.WORLD
    tensor.div_(group.size())
    work = dist.all_reduce(tensor, group=group, async_op=True)
    return work.get_future().then(lambda fut: fut.value()[0])


def allreduce_hook(process_group: Any, bucket: GradBucket) -> Any:
    """Average the gradients."""
    return _allreduce_fut(process_group, bucket.buffer())


def _compress_hook(dtype: Any, process_group: Any, bucket: GradBucket) -> Any:
    group = process_group if process_group is not None else dist.group.WORLD
    buffer = bucket.buffer()
    small = buffer.to(dtype).div_(group.size())
    work = dist.all_reduce(small, group=group, async_op=True)

    def decompress(fut: Any) -> Tensor:
        buffer.copy_(fut.value()[0])
        return buffer

    return work.get_future().then(decompress)


def fp16_compress_hook(process_group: Any, bucket: GradBucket) -> Any:
    """Average the gradients as ``float16``."""
    return _compress_hook(torch.float16, process_group, bucket)


def bf16_compress_hook(process_group: Any, bucket: GradBucket) -> Any:
    """Average the gradients as ``bfloat16``."""
    return _compress_hook(torch.bfloat16, process_group, bucket)


def _wrapped(dtype: Any, hook: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(hook_state: Any, bucket: GradBucket) -> Any:
        bucket.set_buffer(bucket.buffer().to(dtype))
        fut = hook(hook_state, bucket)

        def decompress(fut: Any) -> Tensor:
            value = fut.value()
            return value if isinstance(value, torch.Tensor) else value[0]

        return fut.then(decompress)

    return wrapper


def fp16_compress_wrapper(hook: Callable[..., Any]) -> Callable[..., Any]:
    """*hook* on gradients as ``float16``."""
    return _wrapped(torch.float16, hook)


def bf16_compress_wrapper(hook: Callable[..., Any]) -> Callable[..., Any]:
    """*hook* on gradients as ``bfloat16``."""
    return _wrapped(torch.bfloat16, hook)
