"""What older programs pass to loaders."""

from __future__ import annotations

import warnings


def worker_init_fn(worker_id: int) -> None:
    """Do nothing: loaders give pipes their shards themselves."""
    warnings.warn(
        "Usage of `backward_compatibility.worker_init_fn` is deprecated as `DataLoader` "
        "automatically applies sharding in every worker",
        category=FutureWarning,
        stacklevel=2,
    )
