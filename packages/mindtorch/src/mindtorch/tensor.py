"""``torch.Tensor``: five slots, and methods that come from the op rows.

=========  ========================================================================
slot       holds
=========  ========================================================================
_a         the ndarray: shape, strides, dtype and (but for meta tensors) the memory
_sig       the call signature, see :mod:`mindtorch.signature`
_shared    :class:`Alias`: version counter and storage, one for all tensors over the
           same memory; None until first needed
_edge      where gradients go: a ``Node``, an ``Output`` (one result of several); None
           where no gradient is wanted; :data:`LEAF` for a leaf that requires grad (its
           AccumulateGrad node is made on demand)
_state     rare things: None, or the base (for a plain view), or a :class:`State`
=========  ========================================================================

For a pending tensor and for one on the NPU ``_a`` is the memory that *will be* written; reading
it goes through :meth:`Tensor._host`, which flushes and waits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_autograd import VersionCounter

from . import signature as S
from ._tensor.conversion import Conversion
from ._tensor.gradient import Gradient
from ._tensor.layout import Layout
from ._tensor.protocol import Protocol



class _Leaf:
    __slots__ = ()

    def __repr__(self) -> str:
        return "LEAF"


#: The edge of a leaf that requires grad.
LEAF: Any = _Leaf()


class Alias(VersionCounter):
    """What all tensors over the same memory share.

    ``value`` counts in-place changes; ``rebased`` is its value at the last change of gradient
    history (0: never), so that a view can tell whether its edge is still true.
    """

    __slots__ = ("rebased", "storage")

    def __init__(self) -> None:
        self.value = 0
        self.rebased = 0
        self.storage: Any = None


class State:
    """The rare belongings of a tensor, made when the first of them is set."""

    __slots__ = (
        "accumulator",
        "attr_version",
        "base",
        "creation",
        "grad",
        "hooks",
        "name",
        "post_accumulate_hooks",
        "retain_grad_hook",
    )

    def __init__(self) -> None:
        self.grad: Any = None
        self.hooks: Any = None
        self.post_accumulate_hooks: Any = None
        self.retain_grad_hook: Any = None
        self.accumulator: Any = None
        self.base: Any = None
        self.attr_version = 0
        self.creation = ""
        self.name: str | None = None


class Tensor(Layout, Conversion, Gradient, Protocol):
    """A multi-dimensional array of one dtype on one device, as ``torch.Tensor``."""

    __slots__ = ("__dict__", "__weakref__", "_a", "_edge", "_shared", "_sig", "_state")

    _a: np.ndarray[Any, Any]
    _sig: int
    _shared: Alias | None
    _edge: Any
    _state: Any

    __array_priority__ = 1000
    __module__ = "torch"

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        from .legacy import legacy_tensor

        return legacy_tensor(cls, args, kwargs)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass


def state_of(t: Tensor) -> State:
    """The :class:`State` of *t*, made when first needed."""
    state = t._state
    if type(state) is State:
        return state
    fresh = State()
    if state is not None:  # so far a plain view that only knew its base
        fresh.base = state
        fresh.attr_version = 0
    t._state = fresh
    return fresh


def base_of(t: Tensor) -> Tensor | None:
    """The tensor that *t* is a view of, or None."""
    state = t._state
    return state.base if type(state) is State else state


def is_leaf(t: Tensor) -> bool:
    """Whether *t* is at the beginning of the graph."""
    edge = t.grad_edge
    return edge is None or edge is LEAF


__all__ = ["LEAF", "Alias", "State", "Tensor", "base_of", "is_leaf", "state_of", "S"]
