"""Helpers of checkpoints: finding chunks by name."""

from __future__ import annotations

from typing import Any

from .metadata import MetadataIndex

__all__ = ["find_state_dict_object", "find_tensor_shard"]


def find_tensor_shard(tensor: Any, index: MetadataIndex) -> Any:
    """The part of *tensor* that *index* names."""
    if hasattr(tensor, "to_local"):
        return tensor.to_local()
    if index.offset is not None and any(index.offset):
        raise ValueError(
            f"FQN: '{index.fqn}' is not a ShardedTensor, can't find by offset: '{index.offset}'"
        )
    return tensor


def find_state_dict_object(state_dict: dict[str, Any], index: MetadataIndex) -> Any:
    """What *index* names."""
    if index.fqn not in state_dict:
        raise ValueError(f"Could not find FQN: '{index.fqn}'")
    return find_tensor_shard(state_dict[index.fqn], index)
