"""What a checkpoint knows of its tensors: properties, sizes, and where each chunk is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ...aten import torch
from .stateful import StatefulT

__all__ = [
    "BytesStorageMetadata",
    "ChunkStorageMetadata",
    "Metadata",
    "MetadataIndex",
    "StorageMeta",
    "TensorProperties",
    "TensorStorageMetadata",
]


@dataclass
class ChunkStorageMetadata:
    """A part of a tensor: where it begins, and how large it is."""

    offsets: torch.Size
    sizes: torch.Size


class _MEM_FORMAT_ENCODING(Enum):
    """Memory formats as numbers, which pickles can hold."""

    TORCH_CONTIGUOUS_FORMAT = 0
    TORCH_CHANNELS_LAST = 1
    TORCH_PRESERVE_FORMAT = 2


_FORMATS = (torch.contiguous_format, torch.channels_last, torch.preserve_format)


@dataclass
class TensorProperties:
    """What a tensor is like, but for its size."""

    dtype: torch.dtype = field(default_factory=torch.get_default_dtype)
    layout: torch.layout = torch.strided
    requires_grad: bool = False
    memory_format: torch.memory_format = torch.contiguous_format
    pin_memory: bool = False

    def __getstate__(self) -> Any:
        if self.memory_format not in _FORMATS:
            raise RuntimeError(f"Invalid torch.memory_format: {self.memory_format}")
        number = _FORMATS.index(self.memory_format)
        coded = _MEM_FORMAT_ENCODING(number)
        return self.dtype, self.layout, self.requires_grad, coded, self.pin_memory

    def __setstate__(self, state: Any) -> None:
        self.dtype, self.layout, self.requires_grad, coded, self.pin_memory = state
        self.memory_format = _FORMATS[coded.value]

    @staticmethod
    def create_from_tensor(tensor: torch.Tensor) -> TensorProperties:
        """The properties of *tensor*."""
        pinned = tensor.is_pinned()  # the rest has the same name there and here
        same = {name: getattr(tensor, name) for name in ("dtype", "layout", "requires_grad")}
        return TensorProperties(memory_format=torch.contiguous_format, pin_memory=pinned, **same)


@dataclass
class TensorStorageMetadata:
    """A tensor in a checkpoint."""

    properties: TensorProperties
    size: torch.Size
    chunks: list[ChunkStorageMetadata]


@dataclass
class BytesStorageMetadata:
    """An object in a checkpoint that is no tensor."""


STORAGE_TYPES = TensorStorageMetadata | BytesStorageMetadata
STATE_DICT_TYPE = dict[str, StatefulT | Any]


@dataclass
class StorageMeta:
    """Where and by whom a checkpoint was written."""

    checkpoint_id: str | os.PathLike[str] | None = None
    save_id: str | None = None
    load_id: str | None = None
    modules: list[str] = field(default_factory=list)


@dataclass
class Metadata:
    """All that a checkpoint has beside its data."""

    state_dict_metadata: dict[str, STORAGE_TYPES]
    planner_data: Any = None
    storage_data: Any = None
    storage_meta: StorageMeta | None = None
    version: str | None = None


@dataclass(frozen=True)
class MetadataIndex:
    """The name of a chunk: of which tensor it is, and where it begins there."""

    fqn: str
    offset: torch.Size | None = None
    index: int | None = field(hash=False, compare=False, default=None)

    def __init__(
        self, fqn: str, offset: Sequence[int] | None = None, index: int | None = None
    ) -> None:
        given: dict[str, Any] = {"fqn": fqn, "index": index}
        if offset is not None:
            given["offset"] = torch.Size(offset)
        for name, value in given.items():  # frozen from here on
            object.__setattr__(self, name, value)
