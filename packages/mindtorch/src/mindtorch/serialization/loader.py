"""One load from an archive: its storages, each read when it is first asked for."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mindtorch_storage as st
from mindtorch_dispatch.modes import DISPATCH
from mindtorch_storage.allocator import empty_bytes

from . import errors
from .location import default_restore_location, is_meta, restorer
from .names import unpickler_class
from .options import LOAD, LOCAL, LoadEndianness
from .persistent_ids import storage_identity
from .reader import ArchiveReader, Source
from .unpickler import WeightsUnpickler

__all__ = ["Loader", "check_seekable", "opened"]


@contextmanager
def opened(f: Any) -> Iterator[Source]:
    """*f*, a path or a seekable file, as a :class:`Source`."""
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            yield Source(file, os.fspath(f))
        return
    check_seekable(f)
    source = Source(f)
    try:
        yield source
    finally:
        source.close()


def check_seekable(f: Any) -> None:
    """Raises what *f* raises when asked to seek, with advice."""
    try:
        f.seek(f.tell())
    except (io.UnsupportedOperation, AttributeError) as error:
        if "seek" in str(error) or "tell" in str(error):
            raise errors.not_seekable(error) from None
        raise


class Loader:
    """One load from one archive: its storages by key, each read when first asked for.

    :param whole: the whole file as a storage, for those that look into it.
    :param folder: where the storages' records are.
    """

    __slots__ = (
        "_archive",
        "_folder",
        "_loaded",
        "_meta",
        "_pickle_file",
        "_restore",
        "_swap",
        "_whole",
    )

    def __init__(
        self,
        archive: ArchiveReader,
        map_location: Any,
        whole: Any,
        pickle_file: str = "data.pkl",
        folder: str = "data",
    ) -> None:
        self._archive = archive
        self._folder = folder
        self._loaded: dict[Any, st.UntypedStorage] = {}
        self._restore = None if map_location is None else restorer(map_location)
        self._meta = is_meta(map_location)
        self._whole = whole
        self._pickle_file = pickle_file
        _check_facts(archive)
        self._swap = _byte_order(archive) != sys.byteorder

    def weights(self, encoding: str) -> Any:
        """What the archive holds, through the restricted unpickler."""
        data = self._archive.read(self._pickle_file)
        return WeightsUnpickler(data, self.persistent_load, encoding).load()

    def anything(self, pickle_module: Any, arguments: dict[str, Any]) -> Any:
        """What the archive holds, through *pickle_module*, which may run anything."""
        data = io.BytesIO(self._archive.read(self._pickle_file))
        reader = unpickler_class(pickle_module)(data, **arguments)
        reader.persistent_load = self.persistent_load
        return reader.load()

    def persistent_load(self, identity: Any) -> Any:
        """The storage that a persistent id names."""
        kind, key, location, numel = storage_identity(identity)
        storage = self._loaded.get(key)
        if storage is None:
            storage = self._read(f"{self._folder}/{key}", kind, location, numel * kind.itemsize)
            self._loaded[key] = storage
        return st.TypedStorage(wrap_storage=storage, dtype=kind, _internal=True)

    def _read(self, record: str, dtype: Any, location: str, nbytes: int) -> Any:
        archive = self._archive
        fake = DISPATCH.get("FAKE") is not None
        if self._meta or fake:
            storage = st.UntypedStorage(nbytes, device="meta")
            storage._checkpoint_offset = archive.offset(record)
            if fake:
                storage._fake_device = location
            return storage
        if archive.size(record) != nbytes:
            raise errors.record_size(archive.size(record), nbytes, st.uint8)
        archive.check_size(record)
        if self._whole is not None and archive.is_plain(record):
            start = archive.offset(record)
            storage = self._whole[start : start + nbytes]
        else:
            data = empty_bytes(nbytes)
            if LOCAL.skip_data:
                data[:] = 0
            else:
                archive.read_into(record, data)
            storage = st.UntypedStorage._from_array(data)
            storage._lend()  # torch's are the reader's memory, which cannot be resized
        if self._swap:
            storage.byteswap(dtype)
        if self._restore is not None:
            return self._restore(storage, location)
        return storage if location == "cpu" else _default(storage, location)


def _default(storage: Any, location: str) -> Any:
    return default_restore_location(storage, location)


def _check_facts(archive: ArchiveReader) -> None:
    """Read what is not needed: damage there is a sign of damage elsewhere.

    Raises RuntimeError or ValueError.
    """
    for record in (".data/serialization_id", ".format_version"):
        if record in archive:
            archive.read(record)
    if ".storage_alignment" in archive:
        int(archive.read(".storage_alignment"))


def _byte_order(archive: ArchiveReader) -> str:
    if "byteorder" in archive:
        order = archive.read("byteorder")
        if order not in (b"little", b"big"):
            raise ValueError("Unknown endianness type: " + order.decode("ascii", "replace"))
        return order.decode()
    if LOAD.endianness is LoadEndianness.NATIVE:
        return sys.byteorder
    return "big" if LOAD.endianness is LoadEndianness.BIG else "little"
