"""``torch.jit._serialization``: archives of scripts are read, those of traces are written."""

from __future__ import annotations

import os
from typing import Any

from ._deprecation import TO_EXPORT, deprecated
from ._import import import_module
from ._script import no_script

__all__ = ["jit_module_from_flatbuffer", "load", "save", "save_jit_module_to_flatbuffer"]


def save(m: Any, f: Any, _extra_files: Any = None) -> None:
    """Write a scripted or traced module or function, or a loaded module, to a path or an open file.

    What was scripted is compiled; what was traced is drawn once more, on its example.

    :param _extra_files: further records, texts or bytes by name.

    Raises RuntimeError, or an error of ``torch.jit.frontend``, for what TorchScript has not.
    """
    deprecated("save", TO_EXPORT)
    m.save(f, _extra_files=_extra_files)


def load(
    f: Any, map_location: Any = None, _extra_files: Any = None, _restore_shapes: bool = False
) -> Any:
    """The module of an archive that ``torch.jit.save`` wrote.

    Its methods run as the source in the archive says, on the operators of this library; the source
    can name nothing else.

    :param f: a path, or a seekable file.
    :param map_location: the device where its tensors go. None: where they were saved from.
    :param _extra_files: names of further records, whose contents are put in as bytes.

    Raises ValueError if there is no such file, or for another *map_location*, and RuntimeError
    for what is no such archive, or names what a script has not. An operator that is not here is
    an error when it is called.
    """
    deprecated("load", TO_EXPORT)
    if isinstance(f, (str, os.PathLike)):
        if not os.path.isfile(f):
            what = "is a directory" if os.path.isdir(f) else "does not exist"
            raise ValueError(f"The provided filename {f} {what}")
    elif not hasattr(f, "read"):
        raise AttributeError(f"'{type(f).__name__}' object has no attribute 'read'")
    return import_module(f, map_location, _extra_files)


def jit_module_from_flatbuffer(f: Any) -> Any:
    """Read a module of a mobile format: raises NotImplementedError."""
    raise no_script("torch.jit.jit_module_from_flatbuffer")


def save_jit_module_to_flatbuffer(m: Any, f: Any, _extra_files: Any = None) -> None:
    """Write a module in a mobile format: raises NotImplementedError."""
    raise no_script("torch.jit.save_jit_module_to_flatbuffer")
