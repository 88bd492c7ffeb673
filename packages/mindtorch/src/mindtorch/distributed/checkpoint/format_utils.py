"""From checkpoints of a folder to files of ``save``, and back."""

from __future__ import annotations

import os
from typing import Any

from ...aten import torch
from ...futures import Future
from ...serialization import load, save
from .default_planner import DefaultLoadPlanner, _EmptyStateDictLoadPlanner
from .filesystem import FileSystemReader, FileSystemWriter
from .metadata import ChunkStorageMetadata, Metadata, TensorProperties, TensorStorageMetadata
from .planner import LoadItemType, LoadPlan, LoadPlanner
from .state_dict_loader import _load_state_dict
from .state_dict_saver import _save_state_dict
from .storage import StorageReader

__all__ = [
    "BroadcastingTorchSaveReader",
    "DynamicMetaLoadPlanner",
    "dcp_to_torch_save",
    "torch_save_to_dcp",
]


class BroadcastingTorchSaveReader(StorageReader):
    """Reads a file of ``save`` as a checkpoint."""

    def __init__(
        self, checkpoint_id: str | os.PathLike[str] | None = None, coordinator_rank: int = 0
    ) -> None:
        self.checkpoint_id = checkpoint_id
        self.coordinator_rank = coordinator_rank

    def read_metadata(self) -> Metadata:
        """Nothing: it is in the file."""
        return Metadata(state_dict_metadata={})

    def read_data(self, plan: LoadPlan, planner: LoadPlanner) -> Any:
        """Read the file and copy what the plan names."""
        planner_: Any = planner
        whole = load(str(self.checkpoint_id), map_location="cpu", weights_only=False)
        if planner_.flatten_state_dict:
            from ._nested_dict import flatten_state_dict

            whole, _ = flatten_state_dict(whole)
        for item in plan.items:
            if item.type is LoadItemType.BYTE_IO:
                raise RuntimeError(
                    f"Non-tensor value identified at {item.storage_index.fqn}. At this time "
                    f"{type(self).__name__} only supports loading Tensors."
                )
            tensor = whole[item.storage_index.fqn]
            target = planner.resolve_tensor(item).detach()
            target.copy_(tensor)
            planner.commit_tensor(item, target)
        done: Any = Future()
        done.set_result(None)
        return done

    def set_up_storage_reader(
        self, metadata: Metadata, is_coordinator: bool, *args: Any, **kwargs: Any
    ) -> None:
        """Note who reads."""
        self.is_coordinator = is_coordinator
        if self.checkpoint_id is None:
            raise AssertionError("self.checkpoint_id is not None")

    def prepare_local_plan(self, plan: LoadPlan) -> LoadPlan:
        """The plan as it is."""
        return plan

    def prepare_global_plan(self, global_plan: list[LoadPlan]) -> list[LoadPlan]:
        """The plans as they are."""
        return global_plan

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """Begin another file."""
        self.checkpoint_id = checkpoint_id

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Whether it is a file."""
        return os.path.isfile(checkpoint_id)


class DynamicMetaLoadPlanner(DefaultLoadPlanner):
    """Takes what is to be read from the state itself: its checkpoint has no metadata."""

    def set_up_planner(
        self,
        state_dict: dict[str, Any],
        metadata: Metadata | None = None,
        is_coordinator: bool = False,
    ) -> None:
        """Describe the tensors of the state."""
        super().set_up_planner(state_dict, metadata, is_coordinator)
        known: dict[str, Any] = {}
        for key, tensor in self.state_dict.items():
            if not torch.is_tensor(tensor):
                raise RuntimeError(
                    f"Non-tensor value identified at {key}. At this time {type(self).__name__} "
                    "only supports loading Tensors."
                )
            chunk = ChunkStorageMetadata(torch.Size([0] * tensor.dim()), tensor.size())
            properties = TensorProperties(dtype=tensor.dtype)
            known[key] = TensorStorageMetadata(properties, tensor.size(), [chunk])
        self.metadata = Metadata(state_dict_metadata=known)


def dcp_to_torch_save(
    dcp_checkpoint_dir: str | os.PathLike[str], torch_save_path: str | os.PathLike[str]
) -> None:
    """Write the state of a folder as one file."""
    state: dict[str, Any] = {}
    _load_state_dict(
        state,
        storage_reader=FileSystemReader(dcp_checkpoint_dir),
        planner=_EmptyStateDictLoadPlanner(),
        no_dist=True,
    )
    save(state, torch_save_path)


def torch_save_to_dcp(
    torch_save_path: str | os.PathLike[str], dcp_checkpoint_dir: str | os.PathLike[str]
) -> None:
    """Write the state of one file as a folder."""
    state = load(torch_save_path, weights_only=False)
    _save_state_dict(state, storage_writer=FileSystemWriter(dcp_checkpoint_dir), no_dist=True)
