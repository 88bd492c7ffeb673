"""The planners that are used unless others are given."""

from __future__ import annotations

import dataclasses
import io
from collections import ChainMap
from typing import Any

from ...aten import torch
from ...serialization import load, save
from ._nested_dict import FLATTEN_MAPPING, flatten_state_dict, set_element
from .metadata import (
    BytesStorageMetadata,
    ChunkStorageMetadata,
    Metadata,
    MetadataIndex,
    StorageMeta,
    TensorProperties,
    TensorStorageMetadata,
)
from .planner import (
    LoadItemType,
    LoadPlan,
    LoadPlanner,
    ReadItem,
    SavePlan,
    SavePlanner,
    TensorWriteData,
    WriteItem,
    WriteItemType,
)

__all__ = [
    "DefaultLoadPlanner",
    "DefaultSavePlanner",
    "create_default_global_load_plan",
    "create_default_global_save_plan",
    "create_default_local_load_plan",
    "create_default_local_save_plan",
]


def _chunks(value: Any) -> list[ChunkStorageMetadata]:
    """The parts of a tensor that this process has; a plain one is a part of its own."""
    if hasattr(value, "__create_chunk_list__"):
        return value.__create_chunk_list__()
    return [ChunkStorageMetadata(torch.Size([0] * value.dim()), value.size())]


def _part(value: Any, index: MetadataIndex) -> Any:
    """The part of a tensor that *index* names, in the memory of this process."""
    if hasattr(value, "__get_tensor_shard__"):
        return value.__get_tensor_shard__(index)
    return value


def _write_items(fqn: str, value: Any) -> list[WriteItem]:
    if not isinstance(value, torch.Tensor):
        return [WriteItem(MetadataIndex(fqn), WriteItemType.BYTE_IO)]
    split = hasattr(value, "__create_chunk_list__")
    kind = WriteItemType.SHARD if split else WriteItemType.TENSOR
    properties = TensorProperties.create_from_tensor(value)
    return [
        WriteItem(
            MetadataIndex(fqn, chunk.offsets, index=None if split else 0),
            kind,
            tensor_data=TensorWriteData(chunk, properties, value.size()),
        )
        for chunk in _chunks(value)
    ]


def create_default_local_save_plan(state_dict: dict[str, Any], is_coordinator: bool) -> SavePlan:
    """Each process writes its parts, the coordinator what all have."""
    items = []
    for fqn, value in state_dict.items():
        if isinstance(value, torch.Tensor) or is_coordinator:
            items += _write_items(fqn, value)
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


def _overlap(
    mine: ChunkStorageMetadata, theirs: ChunkStorageMetadata
) -> tuple[list[int], list[int], list[int]] | None:
    """Where two chunks of a tensor meet: offsets in each, and lengths."""
    ours, other, lengths = [], [], []
    for a, la, b, lb in zip(mine.offsets, mine.sizes, theirs.offsets, theirs.sizes):
        begin, end = max(a, b), min(a + la, b + lb)
        if begin >= end and (la or lb):
            return None
        ours.append(begin - a)
        other.append(begin - b)
        lengths.append(end - begin)
    return ours, other, lengths


def _read_items(fqn: str, known: Any, value: Any) -> list[ReadItem]:
    if isinstance(known, BytesStorageMetadata):
        zero, one = torch.Size((0,)), torch.Size((1,))
        index = MetadataIndex(fqn)
        return [ReadItem(LoadItemType.BYTE_IO, index, zero, index, zero, one)]
    if not isinstance(value, torch.Tensor):
        raise ValueError(
            f"Invalid checkpoint metadata for {fqn}, expected BytesStorageMetadata but found "
            f"{type(known)}"
        )
    items = []
    for number, own in enumerate(_chunks(value)):
        for i, chunk in enumerate(known.chunks):
            found = _overlap(own, chunk)
            if found is None:
                continue
            mine, theirs, lengths = map(torch.Size, found)
            items.append(
                ReadItem(
                    LoadItemType.TENSOR,
                    MetadataIndex(fqn, own.offsets, number),
                    mine,
                    MetadataIndex(fqn, chunk.offsets, i),
                    theirs,
                    lengths,
                )
            )
    return items


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
        items += _read_items(fqn, known, value)
    return LoadPlan(items)


def create_default_global_load_plan(all_plans: list[LoadPlan]) -> list[LoadPlan]:
    """All plans as they are."""
    return all_plans


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
        """What all processes write: what several would, the first does."""
        seen: set[MetadataIndex] = set()
        deduped = []
        for plan in all_plans:
            items = [i for i in plan.items if i.index not in seen]
            seen.update(i.index for i in items)
            deduped.append(dataclasses.replace(plan, items=items))
        plans, metadata = create_default_global_save_plan(deduped)
        if self.flatten_state_dict:
            merged = dict(ChainMap(*(p.planner_data for p in reversed(plans))))
            metadata = dataclasses.replace(metadata, planner_data=merged)
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
        return _part(self.state_dict[index.fqn], index)

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

    def finish_plan(self, central_plan: LoadPlan) -> LoadPlan:
        """Take what this process is to read."""
        return central_plan

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
        return _part(self.state_dict[index.fqn], index).detach()

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
