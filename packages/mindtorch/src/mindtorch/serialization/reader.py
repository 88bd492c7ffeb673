"""Reading the zip archive, straight into the memory that tensors will have.

Nothing in the file is believed: offsets and sizes are checked against the size of the file before
anything is allocated. As in torch, checksums are not compared.
"""

from __future__ import annotations

import io
import os
import re
import struct
import threading
import zlib
from typing import Any

import numpy as np

from . import errors

_END = struct.Struct("<4sHHHHIIH")
_END64 = struct.Struct("<4sQHHIIQQQQ")
_LOCATOR = struct.Struct("<4sIQI")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_MAX32 = 0xFFFFFFFF
_STORED, _DEFLATED = 0, 8
_ENCRYPTED, _MASKED, _PATCH = 0x41, 0x2000, 0x20
#: What stands for the method of records that no method reads, and what they are.
_UNREADABLE = {-1: "encryption", -2: "feature"}
#: Deflate cannot do better than this; a record that claims more lies about its size.
_DEFLATE_LIMIT = 1040
#: ``save`` compresses nothing. Who compresses a file of zeros may get past these; so does a bomb.
_BOMB_RATIO, _BOMB_FROM = 100, 64 << 20
#: From here on the rest of a record is read by a second thread, if there are cores to spare: the
#: time goes into page faults. On two cores the threads wait for each other: a third more work.
_THREAD_AT = 8 << 20
_THREAD_CORES = 4

#: What C's strtoull reads.
_NUMBER = re.compile(r"\s*[+-]?\d{1,20}")
_MIN_VERSION, _MAX_VERSION = 1, 10


class Source:
    """A file that is read at offsets from where it stood when given."""

    __slots__ = ("_base", "_fd", "_file", "_view", "path", "size")

    def __init__(self, file: Any, path: str | None = None) -> None:
        self.path = path
        self._file = file
        self._base = base = file.tell()
        self._fd = -1
        self._view: memoryview | None = None
        if type(file) is io.BytesIO:
            self._view = file.getbuffer()
            self.size = max(0, len(self._view) - base)
            return
        raw = file.raw if type(file) is io.BufferedReader else file
        if type(raw) is io.FileIO:
            self._fd = raw.fileno()
        file.seek(0, 2)
        self.size = max(0, file.tell() - base)
        file.seek(base)

    def close(self) -> None:
        """Let go of a buffer's memory; the file stays open."""
        if self._view is not None:
            self._view.release()

    def stand_at(self, offset: int) -> None:
        """Move the file itself, which whoever opened it reads on."""
        self._file.seek(self._base + offset)

    def check_readline(self, pickle_module: Any) -> None:
        """Raises for a file without lines, of which pickles are made: TypeError as Python's pickle
        does, AttributeError as the restricted unpickler does."""
        if pickle_module is None:
            self._file.readline  # noqa: B018  (its AttributeError is the answer)
        elif not hasattr(self._file, "readline"):
            raise TypeError("file must have 'read' and 'readline' attributes")

    def read(self, offset: int, size: int) -> bytes:
        """At most *size* bytes."""
        size = max(0, min(size, self.size - offset))
        if self._view is not None:
            start = self._base + offset
            return bytes(self._view[start : start + size])
        self._file.seek(self._base + offset)
        data: bytes = self._file.read(size)
        return data

    def read_all(self) -> bytes:
        """All bytes, by ``readinto`` where the file has it, as torch reads numbers."""
        if self._view is not None or not hasattr(self._file, "readinto"):
            return self.read(0, self.size)
        data = np.empty(self.size, np.uint8)
        # A file that ends too soon: the pickle in it will say so.
        return data.tobytes() if self.read_into(0, data) else self.read(0, self.size)

    def read_into(self, offset: int, target: Any) -> bool:
        """Fill *target* (bytes). False if the file ends before."""
        size = target.size
        if offset + size > self.size:
            return False
        if self._view is not None:
            start = self._base + offset
            target[:] = np.frombuffer(self._view[start : start + size], np.uint8)
            return True
        if self._fd >= 0:
            return _pread(self._fd, self._base + offset, memoryview(target))
        self._file.seek(self._base + offset)
        if not hasattr(self._file, "readinto"):
            data = self._file.read(size)
            if len(data) != size:
                return False
            target[:] = np.frombuffer(data, np.uint8)
            return True
        view = memoryview(target)
        while view:
            got = self._file.readinto(view)
            if not got:
                return False
            view = view[got:]
        return True


def _pread(fd: int, offset: int, target: memoryview) -> bool:
    if len(target) < _THREAD_AT or (os.cpu_count() or 1) < _THREAD_CORES:
        return _pread_all(fd, offset, target)

    half = len(target) // 2
    found: list[bool] = []
    helper = threading.Thread(
        target=lambda: found.append(_pread_all(fd, offset + half, target[half:]))
    )
    helper.start()
    try:
        good = _pread_all(fd, offset, target[:half])
    finally:
        helper.join()
    return good and found == [True]


def _pread_all(fd: int, offset: int, target: memoryview) -> bool:
    while target:
        got = os.preadv(fd, [target], offset)
        if not got:
            return False
        offset += got
        target = target[got:]
    return True


class ArchiveReader:
    """The records of an archive by name, without the directory that they all are in."""

    __slots__ = ("_entries", "_names", "_source", "_unpacked", "name")

    def __init__(self, source: Source) -> None:
        self._source = source
        #: By name in lower case: miniz makes no difference.
        self._entries: dict[str, tuple[int, int, int, int]] = {}
        self._names: list[str] = []
        #: The size of all compressed records when they are unpacked.
        self._unpacked = 0
        self._read_directory(*self._find_directory())
        first = self._names[0] if self._names else ""
        self.name, slash, _ = first.partition("/")
        if not slash:
            raise errors.not_in_subdirectory(first)
        self._check_version()

    # the directory --------------------------------------------------------------------------

    def _find_directory(self) -> tuple[int, int, int, set[int]]:
        """Entries, size and offset of the directory, and the disks its records may be on."""
        source = self._source
        if source.size < _END.size:
            raise errors.archive("reading zip archive", "not a ZIP archive")
        length = min(source.size, 0xFFFF + _END.size + _LOCATOR.size + _END64.size)
        tail_start = source.size - length
        tail = source.read(tail_start, length)
        at = tail.rfind(b"PK\5\6", 0, len(tail) - _END.size + 4)
        if at < 0:
            raise errors.archive("reading zip archive", "failed finding central directory")
        _, *disks, here, entries, size, offset, _ = _END.unpack_from(tail, at)
        end = tail_start + at
        if at >= _LOCATOR.size and tail[at - _LOCATOR.size :][:4] == b"PK\6\7":
            _, _, where, count = _LOCATOR.unpack_from(tail, at - _LOCATOR.size)
            if where > source.size - _END64.size:
                raise errors.archive("reading zip archive", "not a ZIP archive")
            record = source.read(where, _END64.size)
            if record[:4] == b"PK\6\6":
                _, long, *_, first, other, here, entries, size, offset = _END64.unpack(record)
                disks, end = [first, other], where
                _check_end(long, count, here, entries, size)
        if here != entries or disks not in ([0, 0], [1, 1]):
            raise errors.archive("reading zip archive", "unsupported multidisk archive")
        if offset + size > end or entries * _CENTRAL.size > size:
            raise errors.archive("reading zip archive", "invalid header or archive is corrupted")
        return entries, size, offset, {disks[0], 1}

    def _read_directory(self, entries: int, size: int, offset: int, disks: set[int]) -> None:
        """Note where every record is. The checks are miniz's, and come in its order."""
        data = self._source.read(offset, size)
        at = 0
        limit = self._source.size
        taken = 0
        for _ in range(entries):
            if len(data) - at < _CENTRAL.size:
                raise _corrupt()
            fields = _CENTRAL.unpack_from(data, at)
            flags, method = fields[3], fields[4]
            packed, unpacked, where = fields[8], fields[9], fields[16]
            name_end = at + _CENTRAL.size + fields[10]
            extra_end = name_end + fields[11]
            if fields[0] != b"PK\1\2" or extra_end + fields[12] > len(data):
                raise _corrupt()
            if _MAX32 in (packed, unpacked, where):
                unpacked, packed, where = _widened(
                    data[name_end:extra_end], unpacked, packed, where
                )
            lies = method == _STORED and packed != unpacked or unpacked and not packed
            if lies or where + _LOCAL.size + packed > limit:
                raise _corrupt()
            if fields[13] not in disks:
                raise errors.archive("reading zip archive", "unsupported multidisk archive")
            if flags & _MASKED:
                raise errors.archive("reading zip archive", "unsupported encryption")
            if flags & _ENCRYPTED:
                method = -1
            elif flags & _PATCH:
                method = -2
            name = data[at + _CENTRAL.size : name_end].decode("utf-8", "surrogateescape")
            taken += packed
            self._unpacked += unpacked if method == _DEFLATED else 0
            if taken > limit:  # records that share bytes: a small file that unpacks to a large one
                raise _corrupt()
            self._names.append(name)
            self._entries[name.lower()] = (method, packed, unpacked, where)
            at = extra_end + fields[12]

    def _check_version(self) -> None:
        record = ".data/version" if ".data/version" in self else "version"
        if record not in self:
            raise errors.version_missing()
        text = self.read(record).decode("ascii", "replace")
        number = _NUMBER.match(text)
        if number is None:
            raise errors.version_unreadable(text)
        version = int(number[0])
        if version < _MIN_VERSION:
            raise errors.version_too_old(version, _MIN_VERSION)
        if version > _MAX_VERSION:
            raise errors.version_too_new(version, _MAX_VERSION)

    # records --------------------------------------------------------------------------------

    def __contains__(self, record: str) -> bool:
        return f"{self.name}/{record}".lower() in self._entries

    def records(self) -> list[str]:
        """The names of all records. Raises RuntimeError for one outside the directory."""
        start = f"{self.name}/"
        for name in self._names:
            if not name.startswith(start):
                raise errors.not_in_subdirectory(name, self.name)
        return [name[len(start) :] for name in self._names]

    def header_offset(self, record: str) -> int:
        """Where *record* begins in the file."""
        return self._entry(record)[3]

    def size(self, record: str) -> int:
        """The size of the data of *record*. Raises RuntimeError if there is no such record."""
        return self._entry(record)[2]

    def _entry(self, record: str) -> tuple[int, int, int, int]:
        try:
            return self._entries[f"{self.name}/{record}".lower()]
        except KeyError:
            raise errors.record_missing(record) from None

    def offset(self, record: str) -> int:
        """Where the data of *record* begins in the file."""
        method, packed, unpacked, where = self._entry(record)
        doing = f"retrieving file meta-data for {record}"
        if method not in (_STORED, _DEFLATED):
            raise errors.archive(doing, f"unsupported {_UNREADABLE.get(method, 'method')}")
        head = self._source.read(where, _LOCAL.size)
        if len(head) < _LOCAL.size or head[:4] != b"PK\3\4":
            raise errors.archive(f"reading file {record}", "invalid header or archive is corrupted")
        fields = _LOCAL.unpack(head)
        start = where + _LOCAL.size + int(fields[9]) + int(fields[10])
        if start + packed > self._source.size:
            raise errors.archive(f"reading file {record}", "invalid header or archive is corrupted")
        return start

    def is_plain(self, record: str) -> bool:
        """Whether the file holds the data of *record* as it is."""
        return self._entry(record)[0] == _STORED

    def read(self, record: str) -> bytes:
        """The data of *record*."""
        start = self.offset(record)
        self.check_size(record)
        method, packed, unpacked, _ = self._entry(record)
        data = self._source.read(start, packed)
        if method == _DEFLATED:
            data = _inflate(record, data, unpacked)
        if len(data) != unpacked:
            raise errors.archive(f"reading file {record}", "file read failed")
        return data

    def read_into(self, record: str, target: np.ndarray[Any, Any]) -> None:
        """Read the data of *record*, which has the size of *target*, into it."""
        if not self.is_plain(record):
            target[:] = np.frombuffer(self.read(record), np.uint8)
        elif not self._source.read_into(self.offset(record), target):
            raise errors.archive(f"reading file {record}", "file read failed")

    def check_size(self, record: str) -> None:
        """Refuse a size that the bytes in the file cannot unpack to, and decompression bombs."""
        method, packed, unpacked, _ = self._entry(record)
        if method != _DEFLATED:
            return
        if unpacked > packed * _DEFLATE_LIMIT:
            raise _undecompressed(record)
        if self._unpacked > max(_BOMB_FROM, self._source.size * _BOMB_RATIO):
            raise errors.bomb(self._source.size, self._unpacked)


def _inflate(record: str, data: bytes, size: int) -> bytes:
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, size) if size else b""
    except zlib.error:
        raise _undecompressed(record) from None


def _undecompressed(record: str) -> RuntimeError:
    return errors.archive(f"reading file {record}", "decompression failed or archive is corrupted")


def _check_end(long: int, disks: int, here: int, entries: int, size: int) -> None:
    """Refuse what the 64-bit end record may not say."""
    what = ""
    if long < _END64.size - 12:
        raise _corrupt()
    if disks != 1:
        what = "unsupported multidisk archive"
    elif entries > _MAX32 or here > _MAX32:
        what = "too many files"
    elif size > _MAX32:
        what = "unsupported central directory size"
    if what:
        raise errors.archive("reading zip archive", what)


def _widened(extra: bytes, unpacked: int, packed: int, where: int) -> tuple[int, int, int]:
    """The three numbers, with those that stand in the 64-bit extra field taken from there."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1:
            field = extra[at + 4 : at + 4 + length]
            wide = iter(struct.unpack(f"<{len(field) // 8}Q", field[: len(field) // 8 * 8]))
            try:
                unpacked = next(wide) if unpacked == _MAX32 else unpacked
                packed = next(wide) if packed == _MAX32 else packed
                where = next(wide) if where == _MAX32 else where
            except StopIteration:
                raise _corrupt() from None
            return unpacked, packed, where
        at += 4 + length
    return unpacked, packed, where


def _corrupt() -> RuntimeError:
    return errors.archive("reading zip archive", "invalid header or archive is corrupted")
