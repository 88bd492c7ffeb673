"""The format before torch 1.6: pickles one after the other, then the storages' bytes."""

from __future__ import annotations

import io
import struct
import sys
from collections.abc import Callable
from typing import Any

import mindtorch_storage as st

from . import errors
from .containers import module_id
from .location import restorer
from .names import unpickler_class
from .persistent_ids import decoded, storage_identity
from .pickler import Storages, dump, storage_bytes
from .reader import Source
from .unpickler import WeightsUnpickler

MAGIC = 0x1950A86A20F9469CFC6C
PROTOCOL = 1001
_SIZE = struct.Struct("<q")
_TAR_MAGIC = b"ustar"


def save_legacy(obj: Any, write: Callable[[Any], Any], pickle_module: Any, protocol: int) -> None:
    """Write *obj* in the old format."""

    class OldStorages(Storages):
        __slots__ = ("_classes",)
        current = False

        def __init__(self) -> None:
            super().__init__()
            self._classes: set[Any] = set()

        def refer(self, obj: Any) -> tuple[Any, ...]:
            # One fact more: the window on another storage, of which there are none any longer.
            return (*super().refer(obj), None)

        def refer_to_class(self, cls: Any) -> tuple[Any, ...] | None:
            return module_id(cls, self._classes)

    order = {
        "protocol_version": PROTOCOL,
        "little_endian": sys.byteorder == "little",
        "type_sizes": {"short": 2, "int": 4, "long": 8},
    }
    for header in (MAGIC, PROTOCOL, order):
        write(pickle_module.dumps(header, protocol=protocol))
    data, storages = dump(obj, pickle_module, protocol, OldStorages())
    write(data)
    keys = sorted(storages.by_key)
    write(pickle_module.dumps(keys, protocol=protocol))
    for key in keys:
        storage = storages.by_key[key]
        write(_SIZE.pack(storage.nbytes() // storages.itemsize[key]))
        write(storage_bytes(storage))


def load_legacy(
    source: Source, map_location: Any, pickle_module: Any, arguments: dict[str, Any]
) -> Any:
    """What a file in the old format holds.

    :param pickle_module: None for a weights-only load.
    :raises RuntimeError: for the tar format of torch before 0.2, and for what is no checkpoint.
    """
    source.check_readline(pickle_module)
    data = source.read_all()
    if data[257:262] == _TAR_MAGIC:
        if pickle_module is None:
            raise RuntimeError(
                "Cannot use ``weights_only=True`` with files saved in the legacy .tar format. "
                + errors.UNSAFE
            )
        raise RuntimeError(
            "the file has the .tar format of torch before 0.2, which mindtorch does not read; "
            "load it with torch and save it again"
        )
    reader = _Reader(data, pickle_module, arguments, restorer(map_location))
    found = reader.load()
    source.stand_at(reader.position)  # there may be more in the file
    return found


class _Reader:
    """Pickles one after the other in *data*, which is in memory, and what they refer to."""

    __slots__ = ("_arguments", "_data", "_objects", "_pickle", "_restore", "_swap", "position")

    def __init__(self, data: bytes, pickle_module: Any, arguments: Any, restore: Any) -> None:
        self._data = data
        self.position = 0
        self._pickle = pickle_module
        self._arguments = arguments
        self._restore = restore
        self._objects: dict[Any, tuple[st.UntypedStorage, Any]] = {}
        self._swap = False

    def load(self) -> Any:
        """The object. Its storages are filled after it is built, as their bytes come last."""
        if self._next() != MAGIC:
            raise RuntimeError("Invalid magic number; corrupt file?")
        version = self._next()
        if version != PROTOCOL:
            raise RuntimeError(f"Invalid protocol version: {version}")
        system = self._next()
        little = system.get("little_endian", True) if isinstance(system, dict) else True
        self._swap = (sys.byteorder == "little") != little
        result = self._next()
        keys = self._next()
        if not isinstance(keys, list):
            raise RuntimeError("the file lacks the list of its storages; corrupt file?")
        for key in keys:
            self._fill(key)
        return result

    def _next(self) -> Any:
        if self._pickle is None:
            safe = WeightsUnpickler(
                self._data, self.persistent_load, self._arguments["encoding"], self.position
            )
            found = safe.load()
            self.position = safe.position
            return found
        stream = io.BytesIO(self._data)
        stream.seek(self.position)
        reader = unpickler_class(self._pickle)(stream, **self._arguments)
        reader.persistent_load = self.persistent_load
        found = reader.load()
        self.position = stream.tell()
        return found

    def persistent_load(self, identity: Any) -> Any:
        """The storage that a persistent id names, with room for its bytes."""
        if isinstance(identity, tuple) and identity and decoded(identity[0]) == "module":
            from .containers import check_source  # not at import: loads nn

            check_source(*identity[1:])
            return identity[1]
        *facts, window = identity if isinstance(identity, tuple) else (identity, None)
        dtype, key, location, numel = storage_identity(tuple(facts))
        if key not in self._objects:
            nbytes = numel * dtype.itemsize
            if nbytes > len(self._data):
                raise errors.record_size(len(self._data), nbytes, st.uint8)
            self._objects[key] = (self._restore(st.UntypedStorage(nbytes), location), dtype)
        storage, _ = self._objects[key]
        if window is not None:
            _, offset, length = window
            item = dtype.itemsize
            storage = storage[offset * item : (offset + length) * item]
        return st.TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)

    def _fill(self, key: Any) -> None:
        try:
            storage, dtype = self._objects[key]
        except (KeyError, TypeError):
            raise AssertionError(f"storage key {key!r} not found in deserialized_objects") from None
        start = self.position + _SIZE.size
        end = start + storage.nbytes()
        if end > len(self._data):
            raise EOFError("Ran out of input: the storages are truncated")
        (numel,) = _SIZE.unpack_from(self._data, self.position)
        if numel * dtype.itemsize != storage.nbytes():
            raise RuntimeError(
                f"storage has wrong byte size: expected {storage.nbytes()} got "
                f"{numel * dtype.itemsize}"
            )
        self.position = end
        if storage.device.type != "meta":
            storage._data()[:] = memoryview(self._data)[start:end]
            if self._swap:
                storage.byteswap(dtype)
