"""``torch.jit._serialization``: files of scripts, which can be neither written nor run here."""

from __future__ import annotations

import os
from typing import Any

from ._script import TO_EXPORT, deprecated, no_script

__all__ = ["jit_module_from_flatbuffer", "load", "save", "save_jit_module_to_flatbuffer"]


def save(m: Any, f: Any, _extra_files: Any = None) -> None:
    """Write a scripted module: raises NotImplementedError, for nothing was compiled."""
    deprecated("save", TO_EXPORT)
    m.save(f)


def load(
    f: Any, map_location: Any = None, _extra_files: Any = None, _restore_shapes: bool = False
) -> Any:
    """Read a scripted module: raises NotImplementedError, for a script cannot run here.

    Raises ValueError if there is no such file.
    """
    deprecated("load", TO_EXPORT)
    if isinstance(f, (str, os.PathLike)):
        if not os.path.isfile(f):
            what = "is a directory" if os.path.isdir(f) else "does not exist"
            raise ValueError(f"The provided filename {f} {what}")
    elif not hasattr(f, "read"):
        raise AttributeError(f"'{type(f).__name__}' object has no attribute 'read'")
    raise NotImplementedError(
        "torch.jit.load needs TorchScript, which mindtorch does not have: load a state_dict into a "
        "module instead"
    )


def jit_module_from_flatbuffer(f: Any) -> Any:
    """Read a module of a mobile format: raises NotImplementedError."""
    raise no_script("torch.jit.jit_module_from_flatbuffer")


def save_jit_module_to_flatbuffer(m: Any, f: Any, _extra_files: Any = None) -> None:
    """Write a module in a mobile format: raises NotImplementedError."""
    raise no_script("torch.jit.save_jit_module_to_flatbuffer")
