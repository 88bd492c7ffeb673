"""Checkpoints as safetensors files of Hugging Face's layout."""

from __future__ import annotations

from .filesystem import FileSystemReader, FileSystemWriter, SerializationFormat

__all__ = ["HuggingFaceStorageReader", "HuggingFaceStorageWriter"]


def _refuse(what: str) -> NotImplementedError:
    return NotImplementedError(f"{what} of safetensors checkpoints is not available yet")


class HuggingFaceStorageWriter(FileSystemWriter):
    """Writes safetensors files; not available yet."""

    def __init__(
        self,
        path: str,
        fqn_to_index_mapping: dict[str, int] | None = None,
        thread_count: int = 1,
        save_distributed: bool = False,
        enable_consolidation: bool = False,
        thread_count_consolidation: int = 1,
    ) -> None:
        super().__init__(path, serialization_format=SerializationFormat.SAFETENSORS)
        raise _refuse("writing")


class HuggingFaceStorageReader(FileSystemReader):
    """Reads safetensors files; not available yet."""

    def __init__(self, path: str, thread_count: int = 1) -> None:
        super().__init__(path)
        raise _refuse("reading")
