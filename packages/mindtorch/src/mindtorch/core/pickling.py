"""torch's names and ours of modules, and pickling of classes that say they live in torch.

Their ``__module__`` is torch's, for what programs print. Where a pickle has to find them is ours:
their metaclass has a reducer of its own, which pickle asks before it looks at ``__module__``.
"""

from __future__ import annotations

import copyreg
import importlib
from typing import Any

from mindtorch_autograd.naming import Named
from mindtorch_npu.naming import Named as NamedOfNpu

from .module_names import as_called

__all__ = ["METACLASSES", "Named", "find_named", "pickled_by_our_name", "torch_module"]


def torch_module(module: str) -> str:
    """torch's module of the name of ours; the name itself if it is no module of ours."""
    top, dot, rest = module.partition(".")
    return f"torch{dot}{rest}" if top == "mindtorch" else module


def find_named(module: str, name: str) -> Any:
    """The class *name* in our *module*."""
    return getattr(importlib.import_module(module), name)


def _reduce(cls: Any) -> Any:
    """How pickle writes *cls*: by our name if it says it is torch's, else by its own.

    Where mindtorch is called torch, both are one.
    """
    top, dot, rest = cls.__module__.partition(".")
    if top != "torch" or as_called("mindtorch") == "torch":
        return cls.__qualname__
    module = f"mindtorch{dot}{rest}"
    try:
        if find_named(module, cls.__qualname__) is cls:
            return find_named, (module, cls.__qualname__)
    except (AttributeError, ImportError):
        pass
    return cls.__qualname__


#: Metaclasses of classes that say they live in torch.
METACLASSES: set[Any] = set()


def pickled_by_our_name(meta: Any) -> Any:
    """Decorates a metaclass: its classes are pickled by the names that they have here.

    ``Tensor`` itself has no metaclass, so only ``mindtorch.save`` can write it: one would make
    every ``isinstance(x, Tensor)`` for a parameter or a number 0.1 µs slower.
    """
    copyreg.pickle(meta, _reduce)
    METACLASSES.add(meta)
    return meta


pickled_by_our_name(Named)
pickled_by_our_name(NamedOfNpu)
