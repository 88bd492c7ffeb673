"""``apply_``, ``map_`` and ``map2_``: a Python function for each element, in place.

Source: torch csrc/utils/tensor_apply.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import signature as S
from ..core.operators import ops
from ..tensor import Tensor
from ..tensor.legacy import type_name

__all__ = ["apply_", "map2_", "map_"]


def _check(t: Any, method: str) -> None:
    if t._sig_ & S.REQUIRES_GRAD:
        raise RuntimeError(
            f"Can't call {method}() on Variable that requires grad. Use "
            f"var.detach().{method}() instead."
        )


def _wanted(value: Any, method: str, position: str) -> Any:
    if not isinstance(value, Tensor):
        raise TypeError(
            f"{method}(): argument {position} must be Tensor, not {type(value).__name__}"
        )
    return value


def apply_(self: Any, callable: Callable[[Any], Any]) -> Any:
    """Put ``callable(element)`` in the place of each element. Slow: for the host only."""
    _check(self, "apply_")
    return _run(self, callable, ())


def map_(self: Any, tensor: Any, callable: Callable[[Any, Any], Any]) -> Any:
    """Put ``callable(element, other)`` in the place of each; *tensor* is broadcast."""
    _wanted(tensor, "map_", "'other' (position 1)")
    _check(self, "map_")
    if tensor.dtype is not self.dtype:
        raise TypeError(f"map_: expected {type_name(self)} for 'other' (got {type_name(tensor)})")
    return _run(self, callable, (tensor,))


def map2_(self: Any, x: Any, y: Any, callable: Callable[[Any, Any, Any], Any]) -> Any:
    """Put ``callable(element, one, other)`` in the place of each."""
    _wanted(x, "map2_", "'x' (position 1)")
    _wanted(y, "map2_", "'y' (position 2)")
    _check(self, "map2_")
    for name, other in (("x", x), ("y", y)):
        if other.dtype is not self.dtype:
            raise TypeError(
                f"map2_: expected {type_name(self)} for argument '{name}' (got {type_name(other)})"
            )
    return _run(self, callable, (x, y))


def _run(t: Any, function: Callable[..., Any], others: tuple[Any, ...]) -> Any:
    others = tuple(ops.expand(o.detach(), tuple(t.shape)) for o in others)
    if t._sig_ & S.META:
        return t
    t.data_ptr()  # a lazy copy gets memory of its own
    target = t._host_()
    arrays = [o._host_() for o in others]
    kind = _READ.get(target.dtype.kind, float)
    for index in np.ndindex(target.shape):
        value = function(kind(target[index]), *[kind(a[index]) for a in arrays])
        target[index] = _stored(value, target.dtype)
    return t


_READ: dict[str, Any] = {"i": int, "u": int, "b": bool, "c": complex, "f": float}


def _stored(value: Any, dtype: Any) -> Any:
    """*value* as an element of *dtype*, as C converts it."""
    if isinstance(value, Tensor):
        value = value.item()
    if dtype.kind == "c":
        return complex(value)
    if isinstance(value, complex) or not hasattr(type(value), "__float__"):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    if dtype.kind == "b":
        return bool(value)
    return int(value) if dtype.kind in "iu" else float(value)
