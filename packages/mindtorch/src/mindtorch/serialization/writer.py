"""Writing the zip archive: records uncompressed, data aligned, byte for byte as torch lays it out.

The format's details that no zip library gives: an extra field ``FB`` pads every record to the
alignment; sizes and checksum follow the data (so data can be written before its checksum is
known); the 64-bit end record is always there.
"""

from __future__ import annotations

import os
import struct
import sys
import threading
import zlib
from collections.abc import Callable
from typing import Any

_MAX32 = 0xFFFFFFFF
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
#: Flags: the name is UTF-8; sizes follow the data.
_UTF8, _UTF8_AND_DESCRIPTOR = 0x800, 0x808
_FLUSH_AT = 1 << 20
#: From here on a second thread computes the checksum while the data is written, if there are
#: cores to spare: on two (often one with two threads) it gains nothing.
_THREAD_AT = 8 << 20
_THREAD_CORES = 4
_MASK64 = (1 << 64) - 1


#: The part of a record's head that does not change its size, and the frame of the padding.
_HEAD = _LOCAL.size + 4


def data_offset(start: int, name_size: int, size: int, alignment: int) -> int:
    """Where the data of a record begins whose head begins at *start*."""
    end = start + _HEAD + name_size + len(_wide_fields(size, start))
    return end + -end % alignment


class ArchiveWriter:
    """Writes records one after the other with *write*; :meth:`close` adds the directory.

    :param write: takes bytes or a memoryview and writes all of it.
    :param name: the directory that all records are in.
    """

    __slots__ = (
        "_alignment",
        "_checksums",
        "_combined_crc",
        "_directory",
        "_offset",
        "_pending",
        "_pending_size",
        "_write",
        "identity",
        "name",
        "names",
        "version",
    )

    def __init__(
        self, write: Callable[[Any], Any], name: str, alignment: int = 64, checksums: bool = True
    ) -> None:
        self.name = name
        self._write = write
        self._alignment = alignment
        self._checksums = checksums
        self._offset = 0
        self._pending: list[bytes] = []
        self._pending_size = 0
        self._directory: list[bytes] = []
        self.names: set[str] = set()
        #: The version of the format; what stands for the contents, when all is written.
        self.version, self.identity = 3, ""
        self._combined_crc = 0

    def write(self, record: str, data: Any) -> None:
        """Write *data* (a buffer of bytes) as *record*."""
        if record in self.names:
            raise RuntimeError(f"Tried to serialize file twice: {record}")
        self.names.add(record)
        name = f"{self.name}/{record}".encode()
        size, start = len(data), self._offset
        wide = _wide_fields(size, start)
        flags = _UTF8_AND_DESCRIPTOR if size else _UTF8
        padding = -(start + _HEAD + len(name) + len(wide)) % self._alignment
        extra = wide + b"FB" + padding.to_bytes(2, "little") + b"Z" * padding
        head = _LOCAL.pack(b"PK\3\4", 0, flags, 0, 0, 0, 0, 0, 0, len(name), len(extra))
        self._put(head + name + extra)
        crc = self._put_data(data) if size else 0
        self._combined_crc = _combine(self._combined_crc, crc)
        if size:
            sizes = "<4sIQQ" if wide else "<4sIII"
            self._put(struct.pack(sizes, b"PK\7\x08", crc, size, size))
        short, where = min(size, _MAX32), min(start, _MAX32)
        self._directory.append(
            _CENTRAL.pack(
                b"PK\1\2",
                *(0, 0, flags, 0, 0, 0, crc, short, short, len(name), len(wide)),
                *(0, 0, 0, 0, where),
            )
            + name
            + wide
        )

    def _put(self, data: bytes) -> None:
        self._pending.append(data)
        self._pending_size += len(data)
        self._offset += len(data)
        if self._pending_size >= _FLUSH_AT:
            self._flush()

    def _put_data(self, data: Any) -> int:
        size = len(data)
        if size < _FLUSH_AT:
            crc = zlib.crc32(data) if self._checksums else 0
            self._put(bytes(data))
            return crc
        self._flush()
        if not self._checksums or size < _THREAD_AT or (os.cpu_count() or 1) < _THREAD_CORES:
            crc = zlib.crc32(data) if self._checksums else 0
            self._write(data)
        else:
            crc = self._write_while_summing(data)
        self._offset += size
        return crc

    def _write_while_summing(self, data: Any) -> int:
        found: list[int] = []
        helper = threading.Thread(target=lambda: found.append(zlib.crc32(data)))
        helper.start()
        try:
            self._write(data)
        finally:
            helper.join()
        return found[0]

    def _flush(self) -> None:
        if self._pending:
            self._write(memoryview(b"".join(self._pending)))
            self._pending.clear()
            self._pending_size = 0

    def close(self) -> None:
        """Write the version, the byte order if it is not there yet, the id and the directory."""
        # Archives of packages, of a later version, may have files of their own by that name.
        self.write(".data/version" if self.version >= 6 else "version", b"%d\n" % self.version)
        if "byteorder" not in self.names:
            self.write("byteorder", sys.byteorder.encode())
        self.identity = self._serialization_id()
        self.write(".data/serialization_id", self.identity.encode())
        entries, start = len(self._directory), self._offset
        directory = b"".join(self._directory)
        self._put(directory)
        size, end = len(directory), self._offset
        self._put(
            struct.pack(
                "<4sQHHIIQQQQ", b"PK\6\6", 44, 0x031E, 45, 0, 0, entries, entries, size, start
            )
        )
        self._put(struct.pack("<4sIQI", b"PK\6\7", 0, end, 1))
        few, small, where = min(entries, 0xFFFF), min(size, _MAX32), min(start, _MAX32)
        self._put(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, few, few, small, where, 0))
        self._flush()

    def _serialization_id(self) -> str:
        """40 digits: one half from the records' names, one from their contents.

        As in torch, equal contents give equal ids. The half of the names differs from torch's,
        which depends on the hash tables of its C++ library.
        """
        names = 0
        for name in sorted(self.names):
            names = _combine(names, zlib.crc32(name.encode()))
        return f"{names:020d}{self._combined_crc:020d}"


def _combine(seed: int, value: int) -> int:
    """c10::hash_combine on 64 bits."""
    return (seed ^ (value + 0x9E3779B9 + (seed << 6) + (seed >> 2))) & _MASK64


def _wide_fields(size: int, offset: int) -> bytes:
    """The extra field for what does not fit 32 bits; nothing where all does."""
    fields = b""
    if size >= _MAX32:
        fields += struct.pack("<QQ", size, size)
    if offset >= _MAX32:
        fields += struct.pack("<Q", offset)
    return struct.pack("<HH", 1, len(fields)) + fields if fields else b""
