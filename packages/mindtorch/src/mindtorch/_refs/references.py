"""Where the references of a namespace are found."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from .._ops import ops
from ..tensor import Tensor

__all__ = ["references"]

_PACKAGE = __package__.partition(".")[0]


def references(namespace: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module of references: by name the functions of ``torch.NAMESPACE``.

    In the root these are functions, methods (``sum_to_size``), attributes (``T``) and operators
    that have neither (``cauchy``).
    """
    dotted = f".{namespace}" if namespace else ""

    def __getattr__(name: str) -> Any:
        homes = [import_module(_PACKAGE + dotted), *(() if namespace else (Tensor, ops.aten))]
        for home in () if name.startswith("__") else homes:
            found = getattr(home, name, None)
            if isinstance(found, property):
                found = found.fget
            if callable(found):
                return found
        raise AttributeError(f"module 'torch._refs{dotted}' has no attribute '{name}'")

    return __getattr__
