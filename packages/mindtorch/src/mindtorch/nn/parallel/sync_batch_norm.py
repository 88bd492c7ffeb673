"""Batch normalisation over the batches of several processes."""

from __future__ import annotations

from typing import Any

import mindtorch.distributed as dist

from ...aten import torch
from ...distributed.nn.functional import _AllReduce
from ...utils.own_device import device_name

__all__ = ["over_processes"]

_SUM: Any = dist.ReduceOp.SUM


def over_processes(module: Any, input: Any) -> Any:
    """*input*, of shape ``(batch, channels, ...)``, with the statistics of all processes.

    *module* is a ``SyncBatchNorm`` in training mode, whose running statistics move towards them.
    None where no other process has a batch. Batches may differ in length.

    Raises ValueError for tensors of the host, as torch does.
    """
    if not dist.is_initialized():
        return None
    group = module.process_group or dist.group.WORLD
    if dist.get_world_size(group) == 1:
        return None
    if input.device.type in ("cpu", "meta"):
        raise ValueError(
            f"SyncBatchNorm expected input tensor to be on GPU or XPU or {device_name()}"
        )
    momentum = module._count_batch_()
    x = input.float() if input.dtype in (torch.float16, torch.bfloat16) else input
    over = [d for d in range(x.dim()) if d != 1]
    shape = [1, -1] + [1] * (x.dim() - 2)
    count = torch.full((1,), x.numel() / x.size(1), dtype=x.dtype, device=x.device)
    sums = _AllReduce.apply(_SUM, group, torch.cat([x.sum(over), count]))
    total = sums[-1].detach()
    mean = sums[:-1] / total
    centred = x - mean.view(shape)
    var = _AllReduce.apply(_SUM, group, centred.pow(2).sum(over)) / total
    if module.running_mean is not None:
        step = 0.0 if momentum is None else momentum
        with torch.no_grad():
            module.running_mean.lerp_(mean.to(module.running_mean.dtype), step)
            unbiased = var * (total / (total - 1))
            module.running_var.lerp_(unbiased.to(module.running_var.dtype), step)
    found = centred * (var + module.eps).rsqrt().view(shape)
    if module.weight is not None:
        found = found * module.weight.view(shape)
    if module.bias is not None:
        found = found + module.bias.view(shape)
    return found.to(input.dtype)
