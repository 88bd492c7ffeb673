"""Hooks that average gradients as they are, or in two bytes each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....aten import torch
from ..._c10d.buckets import GradBucket
from ..._c10d.builtin_hooks import (
    _allreduce_fut as _allreduce_fut,
)
from ..._c10d.builtin_hooks import (
    _compress_hook,
    allreduce_hook,
    fp16_compress_hook,
)

__all__ = [
    "allreduce_hook",
    "bf16_compress_hook",
    "bf16_compress_wrapper",
    "fp16_compress_hook",
    "fp16_compress_wrapper",
]


def bf16_compress_hook(process_group: Any, bucket: GradBucket) -> Any:
    """Average the gradients as ``bfloat16``."""
    return _compress_hook(torch.bfloat16, process_group, bucket)


def _wrapped(dtype: Any, hook: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(hook_state: Any, bucket: GradBucket) -> Any:
        bucket.set_buffer(bucket.buffer().to(dtype))
        fut = hook(hook_state, bucket)

        def decompress(fut: Any) -> torch.Tensor:
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
