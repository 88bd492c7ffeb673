"""Batch norms without running statistics, which a batched function cannot change in place."""

from __future__ import annotations

from .. import nn
from ..nn.modules.batchnorm import _BatchNorm

__all__ = ["batch_norm_without_running_stats", "replace_all_batch_norm_modules_"]


def batch_norm_without_running_stats(module: nn.Module) -> None:
    """Let a batch norm use the statistics of its batch only; other modules stay."""
    if isinstance(module, _BatchNorm) and module.track_running_stats:
        module.running_mean = None
        module.running_var = None
        module.num_batches_tracked = None
        module.track_running_stats = False


def replace_all_batch_norm_modules_(root: nn.Module) -> nn.Module:
    """Do so for every batch norm in *root*, in place; returns *root*."""
    batch_norm_without_running_stats(root)
    for module in root.modules():
        batch_norm_without_running_stats(module)
    return root


replace_all_batch_norm_modules_.__module__ = f"{__name__.partition('.')[0]}.func"
