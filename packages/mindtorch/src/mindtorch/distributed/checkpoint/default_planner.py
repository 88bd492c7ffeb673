"""The planners that are used unless others are given."""

from __future__ import annotations

import dataclasses
import io
from collections import ChainMap
from typing import Any

from ...aten import torch
from ...serialization import load, save
from ._dedup_save_plans import dedup_save_plans
from ._nested_dict import FLATTEN_MAPPING, flatten_state_dict, set_element
from ._plan_checks import _validate_global_plan
from .metadata import (
    BytesStorageMetadata,
    Metadata,
    MetadataIndex,
    StorageMeta,
    TensorStorageMetadata,
)
from .planner import (
    LoadPlan,
    LoadPlanner,
    ReadItem,
    SavePlan,
    SavePlanner,
    WriteItem,
    WriteItemType,
)
from .planner_helpers import _create_read_items, _create_write_items
from .utils import find_tensor_shard

__all__ = [
    "DefaultLoadPlanner",
    "DefaultSavePlanner",
    "create_default_global_load_plan",
    "create_default_global_save_plan",
    "create_default_local_load_plan",
    "create_default_local_save_plan",
]


def create_default_local_save_plan(state_dict: dict[str, Any], is_coordinator: bool) -> SavePlan:
    """Each process writes its parts, the coordinator what all have."""
    items = []
    for fqn, value in state_dict.items():
        if isinstance(value, torch.Tensor) or is_coordinator:
            items += _create_write_items(fqn, value)
    return SavePlan(items)


def create_default_global_save_plan(
    all_plans: list[SavePlan], rewrite_index_hints: bool = True
) -> tuple[list[SavePlan], Metadata]:
    """All plans, and the metadata of what they write."""
    known: dict[str, Any] = {}
    plans = []
    for plan in all_plans:
        items = []
        for item in plan.items:
            fqn = item.index.fqn
            if item.type is not WriteItemType.SHARD and fqn in known:
                raise AssertionError("item.index.fqn not in md")
            if item.type is WriteItemType.BYTE_IO:
                known[fqn] = BytesStorageMetadata()
                items.append(item)
                continue
            data = item.tensor_data
            if data is None:
                raise AssertionError("item.tensor_data is not None")
            entry = known.setdefault(fqn, TensorStorageMetadata(data.properties, data.size, []))
            if rewrite_index_hints:
                index = dataclasses.replace(item.index, index=len(entry.chunks))
                item = dataclasses.replace(item, index=index)
            items.append(item)
            entry.chunks.append(data.chunk)
        plans.append(dataclasses.replace(plan, items=items))
    return plans, Metadata(known)


def create_default_local_load_plan(
    state_dict: dict[str, Any], metadata: Metadata, strict: bool = True
) -> LoadPlan:
    """What of *state_dict* is read; refuses what is missing or of another size."""
    items: list[ReadItem] = []
    for fqn, value in state_dict.items():
        known = metadata.state_dict_metadata.get(fqn)
        if known is None:
            if strict:
                raise RuntimeError(f"Missing key in checkpoint state_dict: {fqn}.")
            continue
        size = getattr(known, "size", None)
        if isinstance(value, torch.Tensor) and size is not None and size != value.size():
            raise ValueError(
                f"Size mismatch between saved {size} and current: {value.size()} for {fqn}"
            )
        items += _create_read_items(fqn, known, value)
    return LoadPlan(items)


def create_default_global_load_plan(all_plans: list[LoadPlan]) -> list[LoadPlan]:
    """All plans as they are."""
    return all_plans


def _create_default_local_metadata(state_dict: dict[str, Any]) -> Metadata:
    """The metadata of a checkpoint that this process alone would write."""
    items = [item for fqn, value in state_dict.items() for item in _create_write_items(fqn, value)]
    return create_default_global_save_plan([SavePlan(items)])[1]


class DefaultSavePlanner(SavePlanner):
    """Writes nested states as flat ones, each tensor once."""

    mappings: FLATTEN_MAPPING

    def __init__(
        self,
        flatten_state_dict: bool = True,
        flatten_sharded_tensors: bool = True,
        dedup_replicated_tensors: bool | None = None,
        dedup_save_to_lowest_rank: bool = False,
        enable_plan_caching: bool = False,
    ) -> None:
        self.flatten_state_dict = flatten_state_dict
        self.flatten_sharded_tensors = flatten_sharded_tensors
        self.mappings = {}
        self.dedup_save_to_lowest_rank = dedup_save_to_lowest_rank
        self._enable_plan_caching = enable_plan_caching

    def set_up_planner(
        self,
        state_dict: dict[str, Any],
        storage_meta: StorageMeta | None = None,
        is_coordinator: bool = False,
    ) -> None:
        """Take what is to be saved."""
        if self.flatten_state_dict:
            state_dict, self.mappings = flatten_state_dict(state_dict)
        self.state_dict = state_dict
        self.is_coordinator = is_coordinator

    def create_local_plan(self) -> SavePlan:
        """What this process would write."""
        plan = create_default_local_save_plan(self.state_dict, self.is_coordinator)
        if self.flatten_state_dict:
            plan = dataclasses.replace(plan, planner_data=self.mappings)
        self.plan = plan
        return plan

    def create_global_plan(self, all_plans: list[SavePlan]) -> tuple[list[SavePlan], Metadata]:
        """What all processes write: what several would, one does.

        Raises ValueError where that does not make whole tensors.
        """
        deduped = dedup_save_plans(all_plans, self.dedup_save_to_lowest_rank)
        plans, metadata = create_default_global_save_plan(deduped)
        if self.flatten_state_dict:
            merged = dict(ChainMap(*(p.planner_data for p in reversed(plans))))
            metadata = dataclasses.replace(metadata, planner_data=merged)
        found = "; ".join(_validate_global_plan(plans, metadata))
        if found:
            shown = found if len(found) <= 500 else f"{found[:500]}... (truncated)"
            raise ValueError(f"Failed to validate global plan: {shown}")
        self.global_plan, self.metadata = plans, metadata
        return plans, metadata

    def finish_plan(self, new_plan: SavePlan) -> SavePlan:
        """Take what this process is to write."""
        self.plan = new_plan
        return new_plan

    def resolve_data(self, write_item: WriteItem) -> torch.Tensor | io.BytesIO:
        """The data of an item."""
        return self.transform_object(write_item, self.lookup_object(write_item.index))

    def lookup_object(self, index: MetadataIndex) -> Any:
        """What has the name."""
        return find_tensor_shard(self.state_dict[index.fqn], index)

    def transform_object(self, write_item: WriteItem, object: Any) -> Any:
        """The bytes of what is no tensor."""
        if write_item.type is WriteItemType.BYTE_IO:
            stream = io.BytesIO()
            save(object, stream)
            return stream
        return object


class DefaultLoadPlanner(LoadPlanner):
    """Reads into the tensors of a state, in place."""

    original_state_dict: dict[str, Any]
    mappings: FLATTEN_MAPPING

    def __init__(
        self,
        flatten_state_dict: bool = True,
        flatten_sharded_tensors: bool = True,
        allow_partial_load: bool = False,
    ) -> None:
        self.flatten_state_dict = flatten_state_dict
        self.flatten_sharded_tensors = flatten_sharded_tensors
        self.original_state_dict = {}
        self.mappings = {}
        self.allow_partial_load = allow_partial_load

    def set_up_planner(
        self,
        state_dict: dict[str, Any],
        metadata: Metadata | None = None,
        is_coordinator: bool = False,
    ) -> None:
        """Take what is to be loaded, and what the checkpoint has."""
        self.original_state_dict = state_dict
        if self.flatten_state_dict:
            state_dict, self.mappings = flatten_state_dict(state_dict)
        self.state_dict = state_dict
        self.metadata = metadata
        self.is_coordinator = is_coordinator

    def create_local_plan(self) -> LoadPlan:
        """What this process would read."""
        if self.metadata is None:
            raise AssertionError("self.metadata is not None")
        return create_default_local_load_plan(
            self.state_dict, self.metadata, not self.allow_partial_load
        )

    def create_global_plan(self, global_plan: list[LoadPlan]) -> list[LoadPlan]:
        """What all processes read."""
        return create_default_global_load_plan(global_plan)

    def finish_plan(self, new_plan: LoadPlan) -> LoadPlan:
        """Take what this process is to read."""
        return new_plan

    def load_bytes(self, read_item: ReadItem, value: io.BytesIO) -> None:
        """Take an object that was read."""
        fqn = read_item.dest_index.fqn
        obj = load(value, weights_only=False)
        if self.flatten_state_dict:
            self.state_dict[fqn] = obj
            set_element(self.original_state_dict, self.mappings[fqn], obj)
        else:
            self.state_dict[fqn] = obj

    def resolve_tensor(self, read_item: ReadItem) -> torch.Tensor:
        """The part of a tensor to read into."""
        tensor = self.lookup_tensor(read_item.dest_index)
        return self.transform_tensor(read_item, tensor)

    def commit_tensor(self, read_item: ReadItem, tensor: torch.Tensor) -> None:
        """It was read in place."""

    def lookup_tensor(self, index: MetadataIndex) -> torch.Tensor:
        """What has the name."""
        return find_tensor_shard(self.state_dict[index.fqn], index).detach()

    def transform_tensor(self, read_item: ReadItem, tensor: torch.Tensor) -> torch.Tensor:
        """The part of the tensor."""
        for dim, (start, length) in enumerate(zip(read_item.dest_offsets, read_item.lengths)):
            tensor = tensor.narrow(dim, start, length)
        return tensor


class _EmptyStateDictLoadPlanner(DefaultLoadPlanner):
    """Reads all that a checkpoint has, or the names that are given, into an empty state."""

    def __init__(self, keys: set[str] | None = None, *args: Any, **kwargs: Any) -> None:
        self.keys = keys
        super().__init__(*args, **kwargs)

    def _should_include_key(self, key: str, metadata: Metadata) -> bool:
        if self.keys is None or key in self.keys:
            return True
        path = (metadata.planner_data or {}).get(key, (key,))
        prefixes = [".".join(map(str, path[: i + 1])) for i in range(len(path))]
        return any(p in self.keys for p in prefixes)

    def set_up_planner(
        self,
        state_dict: dict[str, Any],
        metadata: Metadata | None = None,
        is_coordinator: bool = False,
    ) -> None:
        """Fill the state with empty tensors of what the checkpoint has."""
        if state_dict:
            raise AssertionError("not state_dict")
        if metadata is None:
            raise AssertionError("metadata is not None")
        for key, known in metadata.state_dict_metadata.items():
            if not self._should_include_key(key, metadata):
                continue
            value: Any = None
            if isinstance(known, TensorStorageMetadata):
                value = torch.empty(known.size, dtype=known.properties.dtype)
            if metadata.planner_data and key in metadata.planner_data:
                set_element(state_dict, metadata.planner_data[key], value)
            else:
                state_dict[key] = value
        super().set_up_planner(state_dict, metadata, is_coordinator)
