"""States of optimizers, by the names of parameters."""

from __future__ import annotations

from typing import Any

from .. import distributed_c10d as dist
from .default_planner import _EmptyStateDictLoadPlanner
from .state_dict_loader import _load_state_dict
from .storage import StorageReader

__all__ = ["load_sharded_optimizer_state_dict"]


def load_sharded_optimizer_state_dict(
    model_state_dict: dict[str, Any],
    optimizer_key: str,
    storage_reader: StorageReader,
    planner: Any = None,
) -> dict[str, Any]:
    """The state *optimizer_key* of a checkpoint; each tensor whole, for one process."""
    found: dict[str, Any] = {}
    _load_state_dict(
        found,
        storage_reader,
        no_dist=not dist.is_initialized(),
        planner=planner or _EmptyStateDictLoadPlanner({optimizer_key}),
    )
    return found
