"""``torch.cuda`` where ``cuda`` is the name of the simulated NPU.

The NPU's package has torch.cuda's interface. What it offers takes the place of what a build without
CUDA has; the rest of ``torch.cuda`` (graphs, NCCL, profilers) stays as it is there.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import mindtorch_npu

from . import _absent

__all__ = ["take_over"]

#: Submodules that both packages have.
_SHARED = ("memory", "random", "streams")


def take_over(package: str) -> None:
    """Put the NPU's functions and classes in the place of those of *package*, ``torch.cuda``."""
    for name in _SHARED:
        _put(import_module(f"{package}.{name}"), import_module(f"mindtorch_npu.{name}"))
    _put(_absent, mindtorch_npu)
    _put(import_module(package), mindtorch_npu)


def _put(module: ModuleType, theirs: ModuleType) -> None:
    """Give *module* what *theirs* has, submodules and what belongs to the import system aside."""
    for name in {*vars(module), *dir(theirs)}:
        if name.startswith("__"):
            continue
        found: Any = getattr(theirs, name, None)
        if found is not None and not isinstance(found, ModuleType):
            setattr(module, name, found)
