"""``torch.load``."""

from __future__ import annotations

import mmap
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mindtorch_storage as st

from .._utils import RESTORING, _validate_loaded_sparse_tensors
from ..core.warning import warn
from . import errors
from .legacy import load_legacy
from .loader import Loader, opened
from .options import LOAD
from .reader import ArchiveReader, Source
from .safetensors import load_safetensors
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
            archive = ArchiveReader(source)
            if "constants.pkl" in archive.records():
                return _script(f, source, map_location, weights_only)
            loader = _loader(archive, source, map_location, bool(mmap))
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


def _script(f: Any, source: Source, map_location: Any, weights_only: bool) -> Any:
    """The module of an archive of ``torch.jit.save``."""
    from ..jit._serialization import load as load_script  # its package takes longer than most loads

    _warn(
        "'torch.load' received a zip file that looks like a TorchScript archive dispatching to "
        "'torch.jit.load' (call 'torch.jit.load' directly to silence this warning)"
    )
    if weights_only:
        raise errors.torchscript_weights_only()
    source.stand_at(0)
    return load_script(f, map_location)


def _loader(archive: ArchiveReader, source: Source, map_location: Any, mmap: bool) -> Loader:
    whole = None
    if mmap:
        if source.path is None:
            raise ValueError("f must be a file path in order to use the mmap argument")
        whole = _mapped(source.path)
    return Loader(archive, map_location, whole)


def _mapped(path: str) -> Any:
    shared = LOAD.mmap_flags == mmap.MAP_SHARED
    return st.UntypedStorage.from_file(path, shared, os.path.getsize(path))
