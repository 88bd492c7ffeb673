"""``torch.jit._builtins``: which functions of the namespaces are operators, and their names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from types import FunctionType
from typing import Any

from .._ops import overloads_named
from ..aten import torch
from ..core.module_names import as_called

__all__: list[str] = []

#: The modules below ``torch._C`` whose functions are operators of the same name.
_NAMESPACES = "_nn _fft _linalg _special _sparse".split()
#: Functions that do more than the operator of their name.
_MORE = frozenset("stft istft lu cdist norm unique unique_consecutive tensordot".split())


def _find_builtin(fn: Any) -> str | None:
    """The name of the operator that *fn* calls, as in ``aten::add``; None for other functions."""
    if not isinstance(fn, FunctionType) or fn.__module__.partition(".")[0] != as_called(
        "mindtorch"
    ):
        return None
    return _name_of(fn)


@cache  # of functions of this package, which stay
def _name_of(fn: FunctionType) -> str | None:
    name = fn.__name__
    if name in _MORE or not overloads_named(f"aten::{name}"):
        return None
    below = (import_module(f".._C.{each}", __package__) for each in _NAMESPACES)
    places: Iterator[Any] = chain((torch,), below)
    return f"aten::{name}" if any(getattr(p, name, None) is fn for p in places) else None
