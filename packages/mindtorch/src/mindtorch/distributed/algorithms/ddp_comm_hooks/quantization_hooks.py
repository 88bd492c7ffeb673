"""Hooks that send gradients in one byte each."""

from __future__ import annotations

from typing import Any

from ....aten import torch
from ....futures import Future
from ....nn.functional import pad
from ....tensor import Tensor
from ... import distributed_c10d as dist
from ..._c10d.buckets import GradBucket

__all__ = ["quantization_perchannel_hook", "quantization_pertensor_hook"]


def _average(process_group: Any, rows: Tensor) -> Tensor:
    """The average of what all processes have, each row rounded to 256 steps of its own."""
    group: Any = process_group if process_group is not None else dist.group.WORLD
    low, high = rows.aminmax(dim=1, keepdim=True)
    low, high = low.clamp(max=0), high.clamp(min=0)
    scale = ((high - low) / 255).clamp(min=torch.finfo(rows.dtype).eps)
    zero = (-low / scale).round()
    small = ((rows / scale).round() + zero).clamp(0, 255).to(torch.uint8)
    parts = [[torch.empty_like(x) for _ in range(group.size())] for x in (small, scale, zero)]
    for outputs, mine in zip(parts, (small, scale, zero)):
        dist.all_gather(outputs, mine, group=group)
    total = torch.zeros_like(rows)
    for values, scales, zeros in zip(*parts):
        total += (values.to(rows.dtype) - zeros) * scales
    return total / group.size()


def _done(value: Tensor) -> Any:
    fut: Any = Future()
    fut.set_result(value)
    return fut


def quantization_pertensor_hook(process_group: Any, bucket: GradBucket) -> Any:
    """Average a bucket that is rounded as a whole."""
    return _done(_average(process_group, bucket.buffer().view(1, -1)).view(-1))


def quantization_perchannel_hook(
    process_group: Any, bucket: GradBucket, bucket_size: int = 512
) -> Any:
    """Average a bucket that is rounded in pieces."""
    tensor = bucket.buffer()
    short = -tensor.numel() % bucket_size
    rows = pad(tensor, (0, short)).view(-1, bucket_size)
    return _done(_average(process_group, rows).view(-1)[: tensor.numel()])
