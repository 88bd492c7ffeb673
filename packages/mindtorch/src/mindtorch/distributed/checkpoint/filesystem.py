"""Checkpoints in a folder: a file of data for each process, and ``.metadata``."""

from __future__ import annotations

import dataclasses
import io
import os
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.module_names import adopt
from ...core.warning import warn
from ...futures import Future
from ...serialization import load
from ...tensor import Tensor
from . import _pickled, _write_items
from ._extension import (
    ExtensionRegistry,
    StreamTransformExtension,
    read_through,
)
from ._write_items import SerializationFormat as SerializationFormat
from ._write_items import (
    _item_size as _item_size,
)
from ._write_items import (
    _split_by_size_and_type,
    _StorageInfo,
    _StorageWriterTransforms,
    _write_item,
)
from .metadata import Metadata, MetadataIndex, StorageMeta
from .planner import (
    LoadItemType,
    LoadPlan,
    LoadPlanner,
    SavePlan,
    SavePlanner,
    WriteItem,
    WriteItemType,
)
from .staging import BlockingAsyncStager
from .storage import StorageReader, StorageWriter, WriteResult
from .utils import _create_file_view

__all__ = [
    "FileSystem",
    "FileSystemBase",
    "FileSystemReader",
    "FileSystemWriter",
    "SerializationFormat",
]

adopt(__name__, _write_items)

_metadata_fn: str = ".metadata"
CURRENT_DCP_VERSION = "1.0.0"
DEFAULT_SUFFIX = ".distcp"


@dataclass
class _StoragePrefix:
    """How the files of a process are called."""

    prefix: str


def _generate_uuid() -> str:
    return str(uuid.uuid4())


class FileSystemBase(ABC):
    """What writers and readers ask of a file system."""

    @contextmanager
    @abstractmethod
    def create_stream(self, path: Any, mode: str) -> Iterator[io.IOBase]:
        """Open a file."""
        ...

    @abstractmethod
    def concat_path(self, path: Any, suffix: str) -> Any:
        """A path inside of a folder."""
        ...

    @abstractmethod
    def rename(self, path: Any, new_path: Any) -> None:
        """Rename a file."""
        ...

    @abstractmethod
    def init_path(self, path: Any) -> Any:
        """The path as this file system has it."""
        ...

    @abstractmethod
    def mkdir(self, path: Any) -> None:
        """Make a folder."""
        ...

    @classmethod
    @abstractmethod
    def validate_checkpoint_id(cls, checkpoint_id: Any) -> bool:
        """Whether this file system has such paths."""
        ...

    @abstractmethod
    def exists(self, path: Any) -> bool:
        """Whether a path is there."""
        ...

    @abstractmethod
    def rm_file(self, path: Any) -> None:
        """Remove a file."""
        ...


class FileSystem(FileSystemBase):
    """The file system of the host."""

    @contextmanager
    def create_stream(self, path: Any, mode: str) -> Iterator[io.IOBase]:
        """Open a file."""
        with Path(path).open(mode) as stream:
            yield stream  # type: ignore[misc]  # binary, or text where a caller asks for it

    def concat_path(self, path: Any, suffix: str) -> Any:
        """A path inside of a folder."""
        return Path(path) / suffix

    def init_path(self, path: Any) -> Any:
        """The path as a ``Path``."""
        return path if isinstance(path, Path) else Path(path)

    def rename(self, path: Any, new_path: Any) -> None:
        """Rename a file."""
        Path(path).rename(new_path)

    def mkdir(self, path: Any) -> None:
        """Make a folder and those it is in."""
        Path(path).mkdir(parents=True, exist_ok=True)

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: Any) -> bool:
        """Whether it is a path whose folder can be written."""
        if isinstance(checkpoint_id, Path):
            return True
        is_address = "://" in str(checkpoint_id)
        return not is_address and any(os.access(p, os.W_OK) for p in Path(checkpoint_id).parents)

    def exists(self, path: Any) -> bool:
        """Whether a path is there."""
        return Path(path).exists()

    def rm_file(self, path: Any) -> None:
        """Remove a file if it is there."""
        Path(path).unlink(missing_ok=True)

    def ls(self, path: Any) -> list[str]:
        """What is in a folder."""
        return [str(p) for p in Path(path).iterdir()]


def _future(result: Any) -> Any:
    made: Any = Future()
    made.set_result(result)
    return made


class _FileSystemWriter(StorageWriter):
    """Writes a checkpoint into a folder."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        single_file_per_rank: bool = True,
        sync_files: bool = True,
        thread_count: int = 1,
        per_thread_copy_ahead: int = 10_000_000,
        overwrite: bool = True,
        _extensions: Sequence[StreamTransformExtension] | None = None,
        serialization_format: SerializationFormat = SerializationFormat.TORCH_SAVE,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        self.fs = FileSystem()
        self.path = self.fs.init_path(path)
        self.single_file_per_rank = single_file_per_rank
        self.sync_files = sync_files
        self.thread_count = thread_count
        self.per_thread_copy_ahead = per_thread_copy_ahead
        self.save_id = _generate_uuid()
        self.overwrite = overwrite
        self.serialization_format = serialization_format
        self._extensions = _extensions or ()
        self.rank: int | None = None
        self.use_collectives = True

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """Begin another checkpoint."""
        if checkpoint_id:
            self.path = self.fs.init_path(checkpoint_id)
        self.save_id = _generate_uuid()

    def set_up_storage_writer(self, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Note who coordinates."""
        self.rank = kwargs.get("rank")
        self.use_collectives = kwargs.get("use_collectives", True)

    def _metadata_exists(self) -> bool:
        return self.fs.exists(self._get_metadata_path())

    def prepare_local_plan(self, plan: SavePlan) -> SavePlan:
        """Make the folder."""
        self.fs.mkdir(self.path)
        if self._metadata_exists():
            if not self.overwrite:
                raise RuntimeError("Checkpoint already exists and self.overwrite=False.")

            warn(
                f"Detected an existing checkpoint in {self.path}, overwriting since "
                f"{self.overwrite=}. Past version 2.5 of PyTorch, `overwrite` will default to "
                "False. Set this variable to True to maintain this functionality or False to "
                "raise when an existing checkpoint is found.",
            )
        if self.rank is not None and not self.use_collectives:
            plan = dataclasses.replace(plan, storage_data=_StoragePrefix(f"__{self.rank}_"))
        return plan

    def prepare_global_plan(self, plans: list[SavePlan]) -> list[SavePlan]:
        """Name the files of each process."""
        return [
            plan
            if plan.storage_data is not None
            else dataclasses.replace(plan, storage_data=_StoragePrefix(f"__{i}_"))
            for i, plan in enumerate(plans)
        ]

    def write_data(self, plan: SavePlan, planner: SavePlanner) -> Any:
        """Write the items of a plan: objects first, then tensors."""
        prefix = plan.storage_data.prefix
        results: list[WriteResult] = []
        if self.single_file_per_rank:
            files = _split_by_size_and_type(self.thread_count, plan.items)
        else:
            files = [[item] for item in plan.items]
        for number, items in enumerate(files):
            results += self._write_file(f"{prefix}{number}{DEFAULT_SUFFIX}", items, planner)
        return _future(results)

    def _write_file(
        self, name: str, items: list[WriteItem], planner: SavePlanner
    ) -> list[WriteResult]:
        transforms = _StorageWriterTransforms(self._extensions)
        results = []
        with self.fs.create_stream(self.fs.concat_path(self.path, name), "wb") as stream:
            for item in sorted(items, key=lambda item: item.type is not WriteItemType.BYTE_IO):
                data = planner.resolve_data(item)
                if isinstance(data, Tensor):
                    data = data.detach().cpu()
                    if data.untyped_storage().nbytes() != data.numel() * data.element_size():
                        data = data.clone()
                results.append(
                    _write_item(transforms, stream, data, item, name, self.serialization_format)
                )
            if self.sync_files:
                stream.flush()
                try:
                    os.fsync(stream.fileno())
                except (AttributeError, io.UnsupportedOperation):
                    os.sync()
        return results

    def finish(self, metadata: Metadata, results: list[list[WriteResult]]) -> None:
        """Write what the checkpoint knows; only then it is one."""
        metadata = dataclasses.replace(metadata, version=CURRENT_DCP_VERSION)
        metadata.storage_data = {r.index: r.storage_data for each in results for r in each}
        metadata.storage_meta = self.storage_meta()
        path = self._get_metadata_path()
        part = self.fs.concat_path(self.path, f"{path.name}.tmp")  # type: ignore[attr-defined]  # a Path, of this file system
        with self.fs.create_stream(part, "wb") as stream:
            _pickled.dump(metadata, stream)  # type: ignore[arg-type]  # binary: "wb"
            if self.sync_files:
                stream.flush()
                os.fsync(stream.fileno())
        if self.fs.exists(path):
            self.fs.rm_file(path)
        self.fs.rename(part, path)

    def storage_meta(self) -> StorageMeta | None:
        """Where and when this was written."""
        return StorageMeta(checkpoint_id=str(self.checkpoint_id), save_id=self.save_id)

    def _get_metadata_path(self, rank: int | None = None) -> os.PathLike[str]:
        name = f"{_metadata_fn}" if rank is None else f"__{rank}{_metadata_fn}"
        return self.fs.concat_path(self.path, name)

    @property
    def checkpoint_id(self) -> str | os.PathLike[str]:
        """The folder."""
        return self.path

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Whether it is a path that can be written."""
        return FileSystem.validate_checkpoint_id(checkpoint_id)


class FileSystemReader(StorageReader):
    """Reads a checkpoint from a folder."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        _extension_registry: ExtensionRegistry | None = None,
    ) -> None:
        super().__init__()
        self._extension_registry = _extension_registry or ExtensionRegistry()
        self.fs = FileSystem()
        self.path = self.fs.init_path(path)
        self.storage_data: dict[MetadataIndex, Any] = {}
        self.load_id = _generate_uuid()
        self.rank: int | None = None
        self.use_collectives = True

    def _slice_file(self, file: Any, sinfo: _StorageInfo) -> Any:
        return io.BufferedReader(_create_file_view(file, sinfo.offset, sinfo.length))

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """Begin another checkpoint."""
        self.storage_data, self.load_id = {}, _generate_uuid()
        if checkpoint_id:
            self.path = self.fs.init_path(checkpoint_id)

    def read_data(self, plan: LoadPlan, planner: LoadPlanner) -> Any:
        """Read the items of a plan, file by file."""
        by_file: dict[str, list[Any]] = {}
        for item in plan.items:
            where = self.storage_data[item.storage_index]
            by_file.setdefault(where.relative_path, []).append(item)
        for name, items in by_file.items():
            with self.fs.create_stream(self.fs.concat_path(self.path, name), "rb") as stream:
                for item in items:
                    where = self.storage_data[item.storage_index]
                    part = self._slice_file(stream, where)
                    said = self._extension_registry.from_descriptor_list(
                        getattr(where, "transform_descriptors", None) or ()
                    )
                    data = io.BytesIO(read_through(said, part).read())
                    if item.type is LoadItemType.BYTE_IO:
                        planner.load_bytes(item, data)
                        part.detach()
                        continue
                    tensor = load(data, map_location="cpu", weights_only=True)
                    part.detach()
                    for dim, (start, n) in enumerate(zip(item.storage_offsets, item.lengths)):
                        tensor = tensor.narrow(dim, start, n)
                    target = planner.resolve_tensor(item).detach()
                    if target.size() != tensor.size():
                        raise AssertionError(
                            f"req {item.storage_index} mismatch sizes {target.size()} vs "
                            f"{tensor.size()}"
                        )
                    target.copy_(tensor)
                    planner.commit_tensor(item, target)
        return _future(None)

    def _get_metadata_path(self, rank: int | None = None) -> os.PathLike[str]:
        name = f"{_metadata_fn}" if rank is None else f"__{rank}{_metadata_fn}"
        return self.fs.concat_path(self.path, name)

    def read_metadata(self, *args: Any, **kwargs: Any) -> Metadata:
        """What the checkpoint knows."""
        path = self._get_metadata_path(kwargs.get("rank"))
        with self.fs.create_stream(path, "rb") as stream:
            metadata = _pickled.load(stream)  # type: ignore[arg-type]  # binary: "rb"
        kept = getattr(metadata, "storage_meta", None) or StorageMeta()
        kept.load_id = self.load_id
        metadata.storage_meta = kept
        return metadata

    def set_up_storage_reader(
        self, metadata: Metadata, is_coordinator: bool, *args: Any, **kwargs: Any
    ) -> None:
        """Note where everything is."""
        self.storage_data = metadata.storage_data
        self.rank = kwargs.get("rank")
        self.use_collectives = kwargs.get("use_collectives", True)

    def prepare_local_plan(self, plan: LoadPlan) -> LoadPlan:
        """The plan as it is."""
        return plan

    def prepare_global_plan(self, plans: list[LoadPlan]) -> list[LoadPlan]:
        """The plans as they are."""
        return plans

    @property
    def checkpoint_id(self) -> str | os.PathLike[str]:
        """The folder."""
        return self.path

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Whether it is a path."""
        return FileSystem.validate_checkpoint_id(checkpoint_id)


class FileSystemWriter(_FileSystemWriter, BlockingAsyncStager):
    """Writes a checkpoint into a folder; copies tensors first for an asynchronous save."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        single_file_per_rank: bool = True,
        sync_files: bool = True,
        thread_count: int = 1,
        per_thread_copy_ahead: int = 10_000_000,
        cache_staged_state_dict: bool = False,
        overwrite: bool = True,
        _extensions: Sequence[StreamTransformExtension] | None = None,
        serialization_format: SerializationFormat = SerializationFormat.TORCH_SAVE,
    ) -> None:
        _FileSystemWriter.__init__(
            self,
            path,
            single_file_per_rank,
            sync_files,
            thread_count,
            per_thread_copy_ahead,
            overwrite,
            _extensions,
            serialization_format,
        )
        BlockingAsyncStager.__init__(self, cache_staged_state_dict=cache_staged_state_dict)

    def stage(self, state_dict: dict[str, Any]) -> dict[str, Any]:
        """A copy of the state on the host."""
        self.per_thread_copy_ahead = 0
        return super().stage(state_dict)
