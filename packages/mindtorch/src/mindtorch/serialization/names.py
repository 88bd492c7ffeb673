"""torch's names of our objects, so that files interoperate.

A pickle names every class and function it needs. Files name torch's; what they mean here is
decided in this module and nowhere else. In both directions nothing imports torch.
"""

from __future__ import annotations

import importlib
import sys
from functools import cache
from typing import Any

import mindtorch_storage as st
from mindtorch_storage import legacy
from mindtorch_storage.extended_dtypes import RARE_DTYPES
from mindtorch_storage.finfo import finfo, iinfo
from mindtorch_storage.legacy_names import STORAGE_NAMES

from .. import _utils
from ..core import constants
from ..core.constants import layout, memory_format
from ..core.qscheme import QSCHEMES
from ..core.size import Size
from ..tensor import Tensor

_OURS = "mindtorch"


class StorageType:
    """A legacy storage class such as ``torch.FloatStorage`` in a file: it stands for a dtype."""

    __slots__ = ("dtype",)

    def __init__(self, name: str) -> None:
        self.dtype = st.dtype_from_pickle_storage_type(name)

    def __str__(self) -> str:
        return f"StorageType(dtype={self.dtype})"


def _get_layout(name: str) -> Any:
    """The layout that prints as *name*."""
    found = getattr(constants, name.removeprefix("torch."), None)
    if not isinstance(found, constants.layout):
        raise KeyError(name)
    return found


@cache
def _special() -> dict[tuple[str, str], Any]:
    """What does not live where torch has it."""

    table: dict[tuple[str, str], Any] = {
        ("torch", "Size"): Size,
        ("torch", "Tensor"): Tensor,
        ("torch._tensor", "Tensor"): Tensor,
        ("torch", "device"): st.Device,
        ("torch", "dtype"): st.DType,
        ("torch", "finfo"): finfo,
        ("torch", "iinfo"): iinfo,
        ("torch", "layout"): layout,
        ("torch", "memory_format"): memory_format,
        ("torch.serialization", "_get_layout"): _get_layout,
        ("torch._tensor", "_rebuild_from_type_v2"): _utils._rebuild_from_type_v2,
        ("torch.storage", "TypedStorage"): st.TypedStorage,
        ("torch.storage", "UntypedStorage"): st.UntypedStorage,
        ("torch", "UntypedStorage"): st.UntypedStorage,
    }
    for name in STORAGE_NAMES.values():
        table["torch", name] = getattr(legacy, name)
    for dtype in (*st.ALL_DTYPES, *RARE_DTYPES):
        table["torch", dtype.name] = dtype
    for name, scheme in QSCHEMES.items():
        table["torch", name] = scheme
    return table


@cache
def _by_id() -> dict[int, tuple[str, str]]:
    """The first of an object's names in the table above is the one that torch writes."""
    found: dict[int, tuple[str, str]] = {}
    for name, value in _special().items():
        found.setdefault(id(value), name)
    return found


def torch_name(obj: Any, name: str | None = None) -> tuple[str, str] | None:
    """Module and name by which torch's pickles mean *obj*; None if it is not ours.

    :param name: the name in its module where *obj* does not know it (an instance).
    """
    found = _by_id().get(id(obj))
    if found is not None:
        return found
    module = getattr(obj, "__module__", None)
    if not isinstance(module, str):
        return None
    top, _, rest = module.partition(".")
    if top not in (_OURS, "torch"):
        return None
    theirs = f"torch.{rest}" if rest else "torch"
    name = name or getattr(obj, "__qualname__", None) or obj.__name__
    try:
        return (theirs, name) if find(theirs, name) is obj else None
    except (AttributeError, ImportError):
        return None


def find(module: str, name: str) -> Any:
    """Our object that torch's *module* and *name* mean.

    Raises ImportError or AttributeError if there is none.
    """
    found = _special().get((module, name))
    if found is not None:
        return found
    found = _module(module)
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise AttributeError(
                f"Can't get attribute '{name}' on module '{module}' of mindtorch"
            ) from None
    return found


def _module(name: str) -> Any:
    """Our module for torch's *name*, or what a program has put below ``torch``, if that is ours."""
    try:
        return importlib.import_module(_OURS + name[len("torch") :])
    except ModuleNotFoundError:
        if name not in sys.modules or sys.modules.get("torch") is not sys.modules[_OURS]:
            raise
        return sys.modules[name]


def is_torchs(module: str) -> bool:
    """Whether *module* is one of torch's."""
    return module == "torch" or module.startswith("torch.")


def unpickler_class(pickle_module: Any) -> Any:
    """The unpickler of *pickle_module*, with torch's names meaning ours."""

    class Unpickler(pickle_module.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            if "Storage" in name:
                try:
                    return StorageType(name)
                except KeyError:
                    pass
            if is_torchs(module):
                return find("torch._tensor" if module == "torch.tensor" else module, name)
            return super().find_class(module, name)

    return Unpickler
