"""What older programs pass to loaders."""

from __future__ import annotations

from ...core.warning import warn


def worker_init_fn(worker_id: int) -> None:
    """Do nothing: loaders give pipes their shards themselves."""
    warn(
        "Usage of `backward_compatibility.worker_init_fn` is deprecated as `DataLoader` "
        "automatically applies sharding in every worker",
        category=FutureWarning,
    )
