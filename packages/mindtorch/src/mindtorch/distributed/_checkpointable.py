"""What objects offer that say themselves how checkpoints keep them."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from ..tensor import Tensor

__all__ = ["_Checkpointable"]


@runtime_checkable
class _Checkpointable(Protocol):
    """An object that is written and read in parts of its own."""

    def __create_write_items__(self, fqn: str, object: object) -> list[Any]:
        """What is to be written of it."""
        raise NotImplementedError("_Checkpointable._create_write_items is not implemented")

    def __create_chunk_list__(self) -> list[Any]:
        """Which parts it has."""
        raise NotImplementedError("_Checkpointable._create_chunk_list is not implemented")

    def __get_tensor_shard__(self, index: Any) -> Tensor:
        """The part of an index."""
        raise NotImplementedError("_Checkpointable._get_tensor_shard is not implemented")
