"""``torch.jit._builtins``: which functions of the namespaces are operators, and their names."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from typing import Any

from .._ops import overloads_named
from ..aten import torch

__all__: list[str] = []

#: The modules below ``torch._C`` whose functions are operators of the same name.
_NAMESPACES = "_nn _fft _linalg _special _sparse".split()
#: Functions that do more than the operator of their name.
_MORE = frozenset("stft istft lu cdist norm unique unique_consecutive tensordot".split())


def _find_builtin(fn: Any) -> str | None:
    """The name of the operator that *fn* calls, as in ``aten::add``; None for other functions."""
    name = getattr(fn, "__name__", None)
    if not isinstance(name, str) or name in _MORE or not overloads_named(f"aten::{name}"):
        return None
    below = (import_module(f".._C.{each}", __package__) for each in _NAMESPACES)
    places: Iterator[Any] = chain((torch,), below)
    return f"aten::{name}" if any(getattr(p, name, None) is fn for p in places) else None
