"""What torch has in ``torch.serialization`` under private names; libraries call it all the same.

Loaded when one of the names is first asked for.
"""

from __future__ import annotations

import importlib
import io
import mmap
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import mindtorch_storage as st
from mindtorch_storage.device import CUDA

from ..core.errors import raise_if
from ..storage import _get_dtype_from_pickle_storage_type
from . import errors
from . import weights_only_unpickler as _weights_only_unpickler
from .legacy import load_legacy, save_legacy
from .loader import Loader, check_seekable, opened
from .location import device_error, is_meta
from .options import LOCAL, SAVE
from .records import PyTorchFileReader, PyTorchFileWriter
from .saving import write_records
from .versions import check_dill

__all__ = [
    "IS_WINDOWS",
    "MAP_PRIVATE",
    "MAP_SHARED",
    "STORAGE_KEY_SEPARATOR",
    "_backend_tag",
    "_check_dill_version",
    "_check_save_filelike",
    "_check_seekable",
    "_cpu_deserialize",
    "_cpu_tag",
    "_default_to_weights_only",
    "_deserialize",
    "_get_dtype_from_pickle_storage_type",
    "_get_storage_alignment",
    "_import_dotted_name",
    "_is_compressed_file",
    "_is_meta_location",
    "_is_path",
    "_is_torchscript_zip",
    "_legacy_load",
    "_legacy_save",
    "_load",
    "_meta_deserialize",
    "_meta_tag",
    "_open_buffer_reader",
    "_open_buffer_writer",
    "_open_file",
    "_open_file_like",
    "_open_zipfile_reader",
    "_open_zipfile_writer",
    "_open_zipfile_writer_buffer",
    "_open_zipfile_writer_file",
    "_opener",
    "_save",
    "_serialization_tls",
    "_should_read_directly",
    "_validate_device",
    "_weights_only_unpickler",
    "closing",
    "io",
    "mkdtemp",
    "normalize_storage_type",
    "os",
    "pickle",
    "shutil",
    "storage_to_tensor_type",
    "sys",
    "tempfile",
    "validate_cuda_device",
    "validate_hpu_device",
]

IS_WINDOWS = sys.platform == "win32"
MAP_SHARED, MAP_PRIVATE = (None, None) if IS_WINDOWS else (mmap.MAP_SHARED, mmap.MAP_PRIVATE)
STORAGE_KEY_SEPARATOR = ","
_serialization_tls = LOCAL
_check_dill_version = check_dill


@contextmanager
def mkdtemp() -> Iterator[str]:
    """A folder for a block."""
    path = tempfile.mkdtemp()
    try:
        yield path
    finally:
        shutil.rmtree(path)


# files -------------------------------------------------------------------------------------------


def _is_path(name_or_buffer: Any) -> bool:
    return isinstance(name_or_buffer, (str, os.PathLike))


def _is_compressed_file(f: Any) -> bool:
    return getattr(f, "__module__", None) == "gzip"


def _should_read_directly(f: Any) -> bool:
    """Whether the bytes are those of a file descriptor."""
    if _is_compressed_file(f):
        return False
    try:
        return bool(f.fileno() >= 0)
    except (io.UnsupportedOperation, AttributeError):
        return False


def _check_seekable(f: Any) -> bool:
    """True. Raises what *f* raises when asked to seek, with advice."""
    check_seekable(f)
    return True


def _check_save_filelike(f: Any) -> None:
    """Raises AttributeError for what is neither path nor file."""
    if not _is_path(f) and not hasattr(f, "write"):
        raise errors.not_a_file_to_write()


class _opener:
    """A file for a block."""

    def __init__(self, file_like: Any) -> None:
        self.file_like = file_like

    def __enter__(self) -> Any:
        return self.file_like

    def __exit__(self, *exc_info: Any) -> None:
        pass


class _open_file(_opener):
    """A file that was opened here, and is closed."""

    def __init__(self, name: Any, mode: str) -> None:
        super().__init__(open(name, mode))  # noqa: SIM115  (__exit__ closes it)

    def __exit__(self, *exc_info: Any) -> None:
        self.file_like.close()


class _open_buffer_reader(_opener):
    """A file of the user's. Raises what it raises when asked to seek."""

    def __init__(self, buffer: Any) -> None:
        super().__init__(buffer)
        check_seekable(buffer)


class _open_buffer_writer(_opener):
    """A file of the user's, flushed at the end."""

    def __exit__(self, *exc_info: Any) -> None:
        self.file_like.flush()


def _open_file_like(name_or_buffer: Any, mode: str) -> _opener:
    """A path or a file as a context manager. Raises RuntimeError for an unknown *mode*."""
    if _is_path(name_or_buffer):
        return _open_file(name_or_buffer, mode)
    for letter, way in (("w", _open_buffer_writer), ("r", _open_buffer_reader)):
        if letter in mode:
            return way(name_or_buffer)
    raise RuntimeError(f"Expected 'r' or 'w' in mode but got {mode}")


class _open_zipfile_reader(_opener):
    """The archive in a path or a file."""

    def __init__(self, name_or_buffer: Any) -> None:
        path = isinstance(name_or_buffer, os.PathLike)
        super().__init__(PyTorchFileReader(os.fspath(name_or_buffer) if path else name_or_buffer))


class _open_zipfile_writer_file(_opener):
    """An archive at a path, complete when the block ends."""

    def __init__(self, name: str) -> None:
        super().__init__(PyTorchFileWriter(name, SAVE.compute_crc32, SAVE.storage_alignment))

    def __exit__(self, *exc_info: Any) -> None:
        self.file_like.write_end_of_file()


class _open_zipfile_writer_buffer(_open_zipfile_writer_file):
    """An archive in a file of the user's. Raises AttributeError where it cannot be written."""

    def __init__(self, buffer: Any) -> None:
        if not callable(getattr(buffer, "write", None)):
            error = errors.write_not_callable(buffer)
            raise error if hasattr(buffer, "write") else AttributeError(*error.args)
        self.buffer = buffer
        super().__init__(buffer)

    def __exit__(self, *exc_info: Any) -> None:
        super().__exit__(*exc_info)
        self.buffer.flush()


def _open_zipfile_writer(name_or_buffer: Any) -> _opener:
    """An archive at a path, or in a file of the user's."""
    if _is_path(name_or_buffer):
        return _open_zipfile_writer_file(os.fspath(name_or_buffer))
    return _open_zipfile_writer_buffer(name_or_buffer)


# formats -----------------------------------------------------------------------------------------


def _is_torchscript_zip(zip_file: Any) -> bool:
    return "constants.pkl" in zip_file.get_all_records()


def _restricted(pickle_module: Any) -> bool:
    return pickle_module is _weights_only_unpickler


def _legacy_load(f: Any, map_location: Any, pickle_module: Any, **pickle_load_args: Any) -> Any:
    """What the file *f* in the old format holds."""
    pickle_load_args.setdefault("encoding", "utf-8")
    with opened(f) as source:
        module = None if _restricted(pickle_module) else pickle_module
        return load_legacy(source, map_location, module, pickle_load_args)


def _legacy_save(obj: Any, f: Any, pickle_module: Any, pickle_protocol: int) -> None:
    """Write *obj* to the open file *f* in the old format."""
    save_legacy(obj, f.write, pickle_module, pickle_protocol)
    f.flush()


def _load(
    zip_file: PyTorchFileReader,
    map_location: Any,
    pickle_module: Any,
    pickle_file: str = "data.pkl",
    overall_storage: Any = None,
    **pickle_load_args: Any,
) -> Any:
    """What an open archive holds; *overall_storage* is the whole file, mapped."""
    loader = Loader(zip_file._archive, map_location, overall_storage, pickle_file)
    if _restricted(pickle_module):
        return loader.weights(pickle_load_args.get("encoding", "utf-8"))
    return loader.anything(pickle_module, pickle_load_args)


def _save(
    obj: Any,
    zip_file: PyTorchFileWriter,
    pickle_module: Any,
    pickle_protocol: int,
    _disable_byteorder_record: bool,
) -> None:
    """Write *obj* into an open archive."""
    write_records(obj, zip_file._archive, pickle_module, pickle_protocol, _disable_byteorder_record)


def _default_to_weights_only(pickle_module: Any) -> bool:
    return pickle_module is None


def _get_storage_alignment() -> int:
    return SAVE.storage_alignment


# devices -----------------------------------------------------------------------------------------


def _is_meta_location(map_location: Any) -> bool:
    return is_meta(map_location)


def _backend_tag(backend_name: str, obj: Any) -> str | None:
    if obj.device.type != backend_name:
        return None
    return backend_name if obj.device.index is None else f"{backend_name}:{obj.device.index}"


def _cpu_tag(obj: Any) -> str | None:
    return _backend_tag("cpu", obj)


def _meta_tag(obj: Any) -> str | None:
    return _backend_tag("meta", obj)


def _cpu_deserialize(obj: Any, location: str) -> Any:
    return obj if location == "cpu" else None


def _meta_deserialize(obj: Any, location: str) -> Any:
    return st.UntypedStorage(obj.nbytes(), device="meta") if location == "meta" else None


def _deserialize(backend_name: str, obj: Any, location: str) -> Any:
    """*obj* on the device of kind *backend_name* that *location* names; None for another kind."""
    if not location.startswith(backend_name):
        return None
    return obj.to(device=_validate_device(location, backend_name))


def _validate_device(location: Any, backend_name: str) -> Any:
    """The device that *location* names. Raises RuntimeError where there is none."""
    text = str(location)
    if text.partition(":")[0] != backend_name:
        raise ValueError(f"Expected a {backend_name} device, but got: {location}")
    raise_if(device_error(text, backend_name))
    return st.Device(text)


def validate_cuda_device(location: Any) -> int:
    """The index of a CUDA device. Raises ValueError for another, RuntimeError if there is none."""
    return _index_of(location, CUDA)


def validate_hpu_device(location: Any) -> int:
    """The index of an HPU. Raises ValueError for another device, RuntimeError if there is none."""
    return _index_of(location, "hpu")


def _index_of(location: Any, kind: str) -> int:
    return _validate_device(location, kind).index or 0


# names and storages -----------------------------------------------------------------------------


def _import_dotted_name(name: str) -> Any:
    """What a full name means. Raises ImportError or AttributeError where there is no such thing."""
    first, *rest = name.split(".")
    found: Any = importlib.import_module("mindtorch" if first == "torch" else first)
    for part in rest:
        found = getattr(found, part)
    return found


def normalize_storage_type(storage_type: type) -> Any:
    """The class of the name of *storage_type* in ``torch``."""
    return getattr(importlib.import_module("mindtorch"), storage_type.__name__)


def storage_to_tensor_type(storage: Any) -> Any:
    """The legacy tensor type of *storage*. Raises AttributeError where it has none."""
    module = importlib.import_module("mindtorch.storage")
    return getattr(module, type(storage).__name__.replace("Storage", "Tensor"))
