"""What of a state is written and read, item by item."""

from __future__ import annotations

from typing import Any

from ...aten import torch
from .metadata import (
    BytesStorageMetadata,
    ChunkStorageMetadata,
    MetadataIndex,
    TensorProperties,
    TensorStorageMetadata,
)
from .planner import LoadItemType, ReadItem, TensorWriteData, WriteItem, WriteItemType

__all__ = ["create_read_items_for_chunk_list"]


def _create_chunk_list(value: Any) -> list[ChunkStorageMetadata]:
    """The parts of a tensor that this process has; a plain one is a part of its own."""
    if hasattr(value, "__create_chunk_list__"):
        return value.__create_chunk_list__()
    return [ChunkStorageMetadata(torch.Size([0] * value.dim()), value.size())]


def _create_write_items(fqn: str, value: Any) -> list[WriteItem]:
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
        for chunk in _create_chunk_list(value)
    ]


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


def _create_read_items(fqn: str, known: Any, value: Any) -> list[ReadItem]:
    if isinstance(known, BytesStorageMetadata):
        zero, one = torch.Size((0,)), torch.Size((1,))
        index = MetadataIndex(fqn)
        return [ReadItem(LoadItemType.BYTE_IO, index, zero, index, zero, one)]
    if not isinstance(value, torch.Tensor):
        raise ValueError(
            f"Invalid checkpoint metadata for {fqn}, expected BytesStorageMetadata but found "
            f"{type(known)}"
        )
    return create_read_items_for_chunk_list(fqn, known, _create_chunk_list(value))


def create_read_items_for_chunk_list(
    fqn: str, checkpoint_md: TensorStorageMetadata, local_chunks: list[ChunkStorageMetadata]
) -> list[ReadItem]:
    """What to read of a stored tensor for the chunks of it that are here."""
    items = []
    for number, own in enumerate(local_chunks):
        for i, chunk in enumerate(checkpoint_md.chunks):
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
