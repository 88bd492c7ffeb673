"""``torch.save``."""

from __future__ import annotations

import errno
import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import errors
from .legacy import save_legacy
from .options import LOCAL, SAVE
from .pickler import dump, storage_bytes
from .versions import check_dill
from .writer import ArchiveWriter

_RESERVE_FROM = 8 << 20


def save(
    obj: object,
    f: Any,
    pickle_module: Any = pickle,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Save *obj*, with all tensors in it, to a file that torch reads too.

    Tensors that share memory share it again when loaded. A path is written atomically: until all
    is written the old file stays as it was.

    :param f: a path, or an object with ``write`` and ``flush``.
    :param pickle_module: what pickles everything but the numbers.
    """
    is_path = isinstance(f, (str, os.PathLike))
    if not is_path and not hasattr(f, "write"):
        raise errors.not_a_file_to_write()
    check_dill(pickle_module)
    if not _use_new_zipfile_serialization:
        if LOCAL.skip_data:
            raise RuntimeError(
                "Cannot use skip_data=True with _use_new_zipfile_serialization=False"
            )
        with _replacing(os.fspath(f)) if is_path else _given(f) as write:
            save_legacy(obj, write, pickle_module, pickle_protocol)
        return
    with opened_to_write(f) as (write, name):
        _write(obj, write, name, pickle_module, pickle_protocol, _disable_byteorder_record)


@contextmanager
def opened_to_write(f: Any) -> Iterator[tuple[Callable[[Any], Any], str]]:
    """What writes bytes to *f*, a path or an open file, and the folder of an archive there.

    What was at a path stays until the body has ended well.
    """
    if isinstance(f, (str, os.PathLike)):
        path = os.fspath(f)
        name = archive_name(path)
        with _replacing(path) as write:
            yield write, name
        return
    if not callable(f.write):
        raise errors.write_not_callable(f)
    with _given(f) as write:
        yield write, "archive"


def archive_name(path: str) -> str:
    """The directory inside the archive: the file's name without its last extension.

    Raises RuntimeError if nothing is left. Only ASCII names are used, as in torch.
    """
    base = path.rpartition("/")[2]
    stem, dot, _ = base.rpartition(".")
    name = stem if dot else base
    if not path.isascii():
        return "archive"
    if not name:
        raise errors.invalid_file_name(path)
    return name


def _write(
    obj: Any,
    write: Callable[[Any], Any],
    name: str,
    pickle_module: Any,
    protocol: int,
    no_byte_order: bool,
) -> None:
    archive = ArchiveWriter(write, name, SAVE.storage_alignment, SAVE.compute_crc32)
    write_records(obj, archive, pickle_module, protocol, no_byte_order, write)
    archive.close()


def write_records(
    obj: Any,
    archive: ArchiveWriter,
    pickle_module: Any,
    protocol: int,
    no_byte_order: bool,
    write: Any = None,
) -> None:
    """Write the pickle of *obj* and its storages into *archive*."""
    data, storages = dump(obj, pickle_module, protocol)
    reserve = getattr(write, "reserve", None)
    if reserve is not None:
        reserve(sum(storage.nbytes() for storage in storages.by_key.values()))
    archive.write("data.pkl", data)
    archive.write(".format_version", b"1")
    archive.write(".storage_alignment", b"%d" % SAVE.storage_alignment)
    if not no_byte_order:
        archive.write("byteorder", sys.byteorder.encode())
    for key, storage in storages.by_key.items():
        archive.write(f"data/{key}", storage_bytes(storage))


# where to ------------------------------------------------------------------------------------


@contextmanager
def _given(f: Any) -> Iterator[Callable[[Any], Any]]:
    """Write to an open file of the user's."""
    yield f.write
    f.flush()


@contextmanager
def _replacing(path: str) -> Iterator[Callable[[Any], Any]]:
    """Write to a new file that takes the place of *path* when the body ends well.

    Links are followed, and an existing file's permissions kept. What is no ordinary file (a
    terminal, a pipe) is written directly.
    """
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise errors.parent_missing(os.path.dirname(path) or folder)
    try:
        before = os.stat(target)
    except FileNotFoundError:
        before = None
    direct = before is not None and not _may_be_replaced(target, folder, before.st_mode)
    temporary = target if direct else os.path.join(folder, f".mindtorch-{os.urandom(8).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        fd = os.open(temporary, flags | (os.O_TRUNC if direct else os.O_EXCL), 0o666)
    except OSError as error:
        raise errors.open_failed(error) from None
    try:
        try:
            if before is not None and not direct:
                os.chmod(temporary, before.st_mode & 0o7777)
            yield _Descriptor(fd, not direct)
        finally:
            os.close(fd)
        if not direct:
            os.replace(temporary, target)
    except BaseException:
        if not direct:
            os.unlink(temporary)
        raise


def _may_be_replaced(target: str, folder: str, mode: int) -> bool:
    """Whether *target* is a file of ours to replace; False: write into it."""
    if not stat.S_ISREG(mode) or not os.access(target, os.W_OK):
        return False
    return os.access(folder, os.W_OK)


class _Descriptor:
    """Writes to a file descriptor."""

    __slots__ = ("_fd", "_reserves")

    def __init__(self, fd: int, reserves: bool) -> None:
        self._fd = fd
        self._reserves = reserves

    def __call__(self, data: Any) -> None:
        view = memoryview(data)
        while view:  # one call writes 2 GB at most
            view = view[os.write(self._fd, view) :]

    def reserve(self, size: int) -> None:
        """Take room for *size* bytes on the disk, so that it is known to be there.

        It halves the time as well: where a file system has yet to find room when a file takes
        another's place, it stops to write everything out.
        """
        if self._reserves and size >= _RESERVE_FROM and hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(self._fd, 0, size)
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    raise
