"""``torch.load``."""

from __future__ import annotations

import io
import mmap
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mindtorch_storage as st
from mindtorch_dispatch.modes import DISPATCH
from mindtorch_storage.allocator import empty_bytes

from .._utils import RESTORING, _validate_loaded_sparse_tensors
from ..core.warning import warn
from . import errors
from .legacy import load_legacy
from .location import default_restore_location, is_meta, restorer
from .names import unpickler_class
from .options import LOAD, LOCAL, LoadEndianness
from .persistent_ids import storage_identity
from .reader import ArchiveReader, Source
from .safetensors import load_safetensors
from .unpickler import WeightsUnpickler
from .versions import check_dill

_TRUE = ("1", "y", "yes", "true")


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Load what :func:`save`, or torch, saved.

    :param map_location: where storages go: a device, a dictionary of tags, or a function of a
        storage on the host and its tag. None: where they were saved from.
    :param weights_only: run nothing that the file asks for but what is known to be safe (the
        default unless *pickle_module* is given). Raises ``pickle.UnpicklingError`` otherwise.
    :param mmap: map the file in place of reading it; needs a path.
    """
    check_dill(pickle_module)
    if mmap is None:
        mmap = LOAD.mmap
    weights_only = _decide(weights_only, pickle_module)
    if weights_only:
        if pickle_module is not None:
            raise RuntimeError(
                "Can not safely load weights when explicit pickle_module is specified"
            )
        if pickle_load_args:
            _warn("pickle_load_args only works if `weights_only=False`.")
    elif pickle_module is None:
        pickle_module = pickle
    pickle_load_args.setdefault("encoding", "utf-8")
    if weights_only:
        for name in pickle_load_args.keys() - {"encoding"}:
            raise TypeError(f"Unpickler.__init__() got an unexpected keyword argument '{name}'")
    if isinstance(f, (str, os.PathLike)) and os.fspath(f).endswith(".safetensors"):
        return load_safetensors(os.fspath(f), map_location)
    with opened(f) as source, _restoring(map_location):
        if source.read(0, 4) == b"PK\3\4":
            loader = _loader(source, map_location, bool(mmap), weights_only)
            if weights_only:
                return _or_guidance(lambda: loader.weights(pickle_load_args["encoding"]))
            return loader.anything(pickle_module, pickle_load_args)
        if mmap:
            raise errors.mmap_needs_zip(f)
        if weights_only:
            return _or_guidance(lambda: load_legacy(source, map_location, None, pickle_load_args))
        return load_legacy(source, map_location, pickle_module, pickle_load_args)


def _warn(text: str) -> None:
    warn(text, UserWarning)


def _decide(weights_only: bool | None, pickle_module: Any) -> bool:
    """Apply the default and the environment variables that force it."""
    chosen = pickle_module is None if weights_only is None else bool(weights_only)
    force = os.getenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "0").lower() in _TRUE
    force_not = os.getenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "0").lower() in _TRUE
    if force and force_not:
        raise RuntimeError(
            "Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD` or `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD` "
            "should be set, but both were set."
        )
    if force:
        return True
    if force_not and weights_only is None:
        _warn(
            "Environment variable TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD detected, since the"
            "`weights_only` argument was not explicitly passed to `torch.load`, forcing "
            "weights_only=False."
        )
        return False
    return chosen


def _or_guidance(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except pickle.UnpicklingError as error:
        raise errors.weights_only(str(error)) from None


@contextmanager
def _restoring(map_location: Any) -> Iterator[None]:
    """Tensors without a storage learn from here where they go; sparse ones are checked at last."""
    before, RESTORING.map_location = RESTORING.map_location, map_location
    try:
        yield
        _validate_loaded_sparse_tensors()
    finally:
        RESTORING.map_location = before


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


def _loader(source: Source, map_location: Any, mmap: bool, weights_only: bool) -> Loader:
    archive = ArchiveReader(source)
    if "constants.pkl" in archive.records():
        raise errors.torchscript_weights_only() if weights_only else errors.torchscript()
    whole = None
    if mmap:
        if source.path is None:
            raise ValueError("f must be a file path in order to use the mmap argument")
        whole = _mapped(source.path)
    return Loader(archive, map_location, whole)


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


def _mapped(path: str) -> Any:
    shared = LOAD.mmap_flags == mmap.MAP_SHARED
    return st.UntypedStorage.from_file(path, shared, os.path.getsize(path))
