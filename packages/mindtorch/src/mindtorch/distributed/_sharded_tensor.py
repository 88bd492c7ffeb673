"""``torch.distributed._sharded_tensor``: the older place of ``_shard.sharded_tensor``."""

from __future__ import annotations

import warnings

from ._shard.sharded_tensor import ShardedTensor

__all__ = ["ShardedTensor"]

warnings.warn(
    "`torch.distributed._sharded_tensor` will be deprecated, "
    "use `torch.distributed._shard.sharded_tensor` instead",
    DeprecationWarning,
    stacklevel=2,
)
