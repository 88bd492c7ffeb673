"""Tensors that somebody keeps a second reference to, which is not to count as a use of them.

Whoever hands out the same tensor again and again enters it here. An engine that may change a
gradient in place if nobody else holds it takes the keeper's reference off.
"""

from __future__ import annotations

from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from ..tensor import Tensor

__all__ = [
    "_add_cached_tensor",
    "_is_cached_tensor",
    "_remove_cached_tensor",
    "_set_cached_tensors_enabled",
]


def _checked(name: str, kind: str, fits: bool, given: Any) -> None:
    if not fits:
        gives = "bool" if name == "_is_cached_tensor" else "None"
        raise TypeError(
            f"{name}(): incompatible function arguments. The following argument types are "
            f"supported:\n    1. (arg0: {kind}) -> {gives}\n\nInvoked with: {given!r}"
        )


_lock = Lock()
_known: WeakValueDictionary[int, Any] = WeakValueDictionary()
_enabled = False


def _set_cached_tensors_enabled(enabled: bool, /) -> None:
    """Switch the register on or off; what is in it stays."""
    global _enabled
    _checked("_set_cached_tensors_enabled", "bool", isinstance(enabled, bool), enabled)
    _enabled = enabled


def _add_cached_tensor(t: Any, /) -> None:
    """Enter *t*, once."""
    _checked("_add_cached_tensor", "torch.Tensor", isinstance(t, Tensor), t)
    if not _enabled:
        raise RuntimeError("tensors may be entered only while the register of them is enabled")
    with _lock:
        _known[id(t)] = t


def _remove_cached_tensor(t: Any, /) -> None:
    """Take *t* out; one that is not there is no error."""
    _checked("_remove_cached_tensor", "torch.Tensor", isinstance(t, Tensor), t)
    with _lock:
        _known.pop(id(t), None)


def _is_cached_tensor(t: Any, /) -> bool:
    """Whether *t* is entered, while the register is on."""
    _checked("_is_cached_tensor", "torch.Tensor", isinstance(t, Tensor), t)
    return _enabled and _known.get(id(t)) is t
