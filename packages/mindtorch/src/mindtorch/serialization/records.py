"""``torch._C.PyTorchFileWriter`` and ``PyTorchFileReader``: archives record by record."""

from __future__ import annotations

import os
from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_storage.allocator import empty_bytes

from ..aten.from_data import from_numpy
from . import errors
from .pickler import storage_bytes
from .reader import ArchiveReader, Source
from .saving import archive_name
from .writer import ArchiveWriter, data_offset


class PyTorchFileWriter:
    """Writes an archive to a path, or to an object with ``write``.

    :param storage_alignment: where the data of records begins is a multiple of it.
    """

    def __init__(self, f: Any, compute_crc32: bool = True, storage_alignment: int = 64) -> None:
        self._file: Any = None
        if isinstance(f, str):
            folder = os.path.dirname(f)
            if folder and not os.path.isdir(folder):
                raise errors.parent_missing(folder)
            name = archive_name(f)
            try:
                self._file = open(f, "wb")  # noqa: SIM115  (closed with the archive)
            except OSError as error:
                raise errors.open_failed(error) from None
            write = self._file.write
        else:
            name, write = "archive", f.write
        self._archive = ArchiveWriter(write, name, storage_alignment, compute_crc32)

    def archive_name(self) -> str:
        """The directory that all records are in."""
        return self._archive.name

    def write_record(self, name: str, data: Any, size: int) -> None:
        """Write the first *size* bytes of *data*: bytes, a str, or a storage."""
        if isinstance(data, str):
            data = data.encode()
        elif isinstance(data, (st.UntypedStorage, st.TypedStorage)):
            data = storage_bytes(getattr(data, "_untyped_storage", data))
        elif not isinstance(data, bytes):
            raise TypeError(
                "write_record(): a record is made of bytes, a str or a storage, not of "
                f"{type(data).__name__}"
            )
        if not 0 <= size <= len(data):
            raise ValueError(f"write_record(): {size} bytes of {len(data)} were asked for")
        self._archive.write(name, memoryview(data)[:size])

    def write_record_metadata(self, name: str, size: int) -> None:
        """Leave room of *size* bytes for a record that is filled in later."""
        self._archive.write(name, memoryview(np.zeros(size, np.uint8)))

    def set_min_version(self, version: int) -> None:
        """The format has at least this version."""
        self._archive.version = max(self._archive.version, version)

    def get_all_written_records(self) -> set[str]:
        """The names of all records so far."""
        return set(self._archive.names)

    def serialization_id(self) -> str:
        """What stands for the contents; empty until the end is written."""
        return self._archive.identity

    def write_end_of_file(self) -> None:
        """Write what every archive ends with, and close a file that was opened here."""
        self._archive.close()
        if self._file is not None:
            self._file.close()


class PyTorchFileReader:
    """Reads an archive from a path, or from a seekable object with ``read``."""

    def __init__(self, f: Any) -> None:
        self._file: Any = None
        path = f if isinstance(f, str) else None
        if path is not None:
            try:
                f = self._file = open(path, "rb")  # noqa: SIM115  (closed with the archive)
            except OSError as error:
                raise RuntimeError(
                    f"open file failed because of errno {error.errno} on fopen: "
                    f"{error.strerror}, file path: {path}"
                ) from None
        self._archive = ArchiveReader(Source(f, path))

    def get_record(self, name: str) -> bytes:
        """The data of a record."""
        return self._archive.read(name)

    def has_record(self, name: str) -> bool:
        """Whether there is a record of this name."""
        return name in self._archive

    def get_all_records(self) -> list[str]:
        """The names of all records."""
        return self._archive.records()

    def get_record_size(self, name: str) -> int:
        """The size of a record in bytes."""
        return self._archive.size(name)

    def get_record_offset(self, name: str) -> int:
        """Where the data of a record begins."""
        return self._archive.offset(name)

    def get_record_header_offset(self, name: str) -> int:
        """Where a record begins."""
        return self._archive.header_offset(name)

    def get_record_offset_no_read(
        self, cursor: int, filename: str, size: int, alignment: int
    ) -> int:
        """Where the data of a record of *size* bytes begins whose head is written at *cursor*.

        :param alignment: where the data of records begins is a multiple of it.
        """
        name = f"{self._archive.name}/{filename}"
        return data_offset(cursor, len(name.encode()), size, alignment)

    def get_storage_from_record(self, name: str, numel: int, dtype: Any) -> Any:
        """A tensor of *numel* elements over a copy of a record's data.

        Raises RuntimeError if the record has another size.
        """
        archive, nbytes = self._archive, numel * dtype.itemsize
        if archive.size(name) != nbytes:
            raise errors.record_size(archive.size(name), numel, dtype)
        archive.check_size(name)
        data = empty_bytes(nbytes)
        archive.read_into(name, data)
        return from_numpy(data.view(dtype.np))

    def serialization_id(self) -> str:
        """What stands for the contents; empty if the archive does not say."""
        name = ".data/serialization_id"
        return self._archive.read(name).decode() if name in self._archive else ""
