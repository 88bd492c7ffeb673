"""Tensors whose numbers a graph has still to compute.

A :class:`DeferredTensor` says what it is, and nothing more. Whoever wants more of it than its
recorder sees, in whichever thread, reads an attribute, and with the first one that is read the
graph runs and the tensor is an ordinary one. The object stays the same.
"""

from __future__ import annotations

from typing import Any

from ..core.compiling import recorder
from ..tensor import Tensor
from ..tensor.tensor_impl import base_of
from ..utils._pytree import tree_leaves
from ..utils.swapping import set_base, take_over

__all__ = ["DeferredTensor", "settle"]

#: What only who computes with a tensor reads.
_INSIDE = frozenset(
    ("_a_", "_backward_hooks", "_content_", "_edge_", "_grad_edge_", "_host_", "_settle_",
     "_shared_", "_state_")
)  # fmt: skip
_SLOTS = (*_INSIDE, "_meta_", "_sig_")
#: By the ids of deferred tensors: who will compute them.
_owners: dict[int, Any] = {}


class _Unfilled(Tensor):
    """A tensor without memory, whose operators come to where it gets some."""

    __slots__ = ()

    @classmethod
    def __torch_dispatch__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Compute what is deferred among the arguments; then run *func* on ordinary tensors."""
        for value in tree_leaves((args, kwargs)):
            if type(value) is DeferredTensor:
                settle(value)
        return func(*args, **(kwargs or {}))


class DeferredTensor(_Unfilled):
    """A result of a call that was written into a graph."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name != "__class__" and (name in _INSIDE or recorder.get() is None):
            settle(self)
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _SLOTS or recorder.get() is None:
            settle(self)
        object.__setattr__(self, name, value)


def deferred(fake: Any, owner: Any) -> Any:
    """A tensor that is as *fake* is, and that *owner* will compute."""
    made: Any = Tensor._make_wrapper_subclass(
        _Unfilled,
        tuple(fake.shape),
        strides=fake.stride(),
        dtype=fake.dtype,
        device=fake.device,
        requires_grad=fake.requires_grad,
    )
    made.__class__ = DeferredTensor
    _owners[id(made)] = owner
    return made


def settle(t: Any) -> None:
    """Have *t* computed. Raises RuntimeError if its graph was given up."""
    owner = _owners.get(id(t))
    if owner is None:
        raise RuntimeError("this tensor is the result of a graph that was given up after an error")
    owner.settle()


def forget(number: int) -> None:
    """Know nothing more of the deferred tensor with that id."""
    _owners.pop(number, None)


def fill(tensors: list[Any], values: list[Any]) -> None:
    """Make each deferred tensor what its value is. Raises TypeError for what is no tensor."""
    filled = {}
    for t, value in zip(tensors, values, strict=True):
        if not isinstance(value, Tensor):
            raise TypeError(
                f"a compiled graph returned {type(value).__name__} where a tensor was expected"
            )
        forget(id(t))
        object.__setattr__(t, "__class__", Tensor)
        take_over(t, value)
        filled[id(value)] = t
    for t in tensors:  # an in-place op on a view tells its base
        base = filled.get(id(base_of(t)))
        if base is not None:
            set_base(t, base)
