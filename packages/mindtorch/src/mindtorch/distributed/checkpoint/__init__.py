"""``torch.distributed.checkpoint``: states in folders, in torch's own format."""

from __future__ import annotations

from . import _nested_dict, default_planner, filesystem, state_dict, state_dict_loader
from . import state_dict_saver as state_dict_saver
from .api import CheckpointException
from .default_planner import DefaultLoadPlanner, DefaultSavePlanner
from .filesystem import FileSystemReader, FileSystemWriter
from .hf_storage import HuggingFaceStorageReader, HuggingFaceStorageWriter
from .metadata import (
    BytesStorageMetadata,
    ChunkStorageMetadata,
    Metadata,
    TensorStorageMetadata,
)
from .optimizer import load_sharded_optimizer_state_dict
from .planner import LoadPlan, LoadPlanner, ReadItem, SavePlan, SavePlanner, WriteItem
from .state_dict_loader import load, load_state_dict
from .state_dict_saver import async_save, save, save_state_dict
from .storage import StorageReader, StorageWriter

#: What the module is made with.
_INSIDE = ("Any", "annotations")


def __dir__() -> list[str]:
    return sorted({n for n in globals() if n not in _INSIDE})
