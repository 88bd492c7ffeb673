"""How the items of a checkpoint are shared out to files, and one is written."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import IO, Any

from ...serialization import save
from ...tensor import Tensor
from ._extension import StreamTransformExtension, written_through
from .planner import WriteItem, WriteItemType
from .storage import WriteResult

__all__ = ["SerializationFormat"]


@dataclass
class _StorageInfo:
    """Where a part is: file, offset and length."""

    relative_path: str
    offset: int
    length: int
    transform_descriptors: Sequence[str] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if v is not None}


class SerializationFormat(Enum):
    """How tensors are written."""

    TORCH_SAVE = "torch_save"
    SAFETENSORS = "safetensors"


class _StorageWriterTransforms:
    """The extensions that change bytes on their way to a file."""

    def __init__(self, extensions: Sequence[StreamTransformExtension] | None = None) -> None:
        self.extensions = () if extensions is None else extensions

    def transform_save_stream(
        self, write_item: WriteItem, raw_stream: io.IOBase
    ) -> tuple[IO[bytes], list[str]]:
        """A stream to *raw_stream* through all of them, and what the file says of them."""
        return written_through(self.extensions, raw_stream)  # type: ignore[arg-type]  # binary


def _item_size(item: WriteItem) -> int:
    """How many bytes the tensor of *item* has."""
    size = item.tensor_storage_size()
    if size is None:
        raise AssertionError("WriteItem tensor_data must not be None")
    return size


def _split_by_size_and_type(bins: int, items: list[WriteItem]) -> list[list[WriteItem]]:
    """The items in *bins* lists: objects by turns, tensors, the largest first, where least is."""
    if bins == 1:
        return [items]
    objects = [item for item in items if item.type is WriteItemType.BYTE_IO]
    tensors = [item for item in items if item.type is not WriteItemType.BYTE_IO]
    lists: list[list[WriteItem]] = [[] for _ in range(bins)]
    for number, item in enumerate(objects):
        lists[number % bins].append(item)
    sizes = [0] * bins
    for item in sorted(tensors, key=_item_size, reverse=True):
        least = sizes.index(min(sizes))
        lists[least].append(item)
        sizes[least] += _item_size(item)
    return lists


def _write_item(
    transforms: _StorageWriterTransforms,
    stream: io.IOBase,
    data: io.BytesIO | Tensor,
    write_item: WriteItem,
    storage_key: str,
    serialization_format: SerializationFormat,
) -> WriteResult:
    """Write *data*, the bytes or the tensor of *write_item*, at the end of *stream*."""
    begin = stream.tell()
    out, said = transforms.transform_save_stream(write_item, stream)
    if write_item.type is WriteItemType.BYTE_IO:
        if not isinstance(data, io.BytesIO):
            raise AssertionError("Data must be io.BytesIO for BYTE_IO write items")
        out.write(data.getbuffer())
    else:
        if not isinstance(data, Tensor):
            raise AssertionError("Data must be torch.Tensor for non-BYTE_IO write items")
        if data.device.type != "cpu":
            raise AssertionError("Tensor must be on CPU device")
        if serialization_format is not SerializationFormat.TORCH_SAVE:
            raise NotImplementedError("safetensors are written by HuggingFaceStorageWriter")
        held = io.BytesIO()  # what changes bytes need not be able to seek
        save(data, held)
        out.write(held.getbuffer())
    out.close()
    length = stream.tell() - begin
    where = _StorageInfo(storage_key, begin, length, said or None)
    return WriteResult(write_item.index, length, where)
