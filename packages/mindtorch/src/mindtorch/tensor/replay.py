"""Views made again of another base."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .tensor_impl import State

__all__ = ["Replay"]

_MISSING: Any = object()


def _checked(new_base: Any) -> Any:
    if new_base is _MISSING:
        raise TypeError('_view_func() missing 1 required positional arguments: "new_base"')
    if not isinstance(new_base, Replay):
        raise TypeError(
            "_view_func(): argument 'new_base' (position 1) must be Tensor, not "
            f"{type(new_base).__name__}"
        )
    return new_base


class Replay:
    """``_view_func`` and its relatives."""

    __slots__ = ()

    _state_: Any

    def _view_func(
        self,
        new_base: Any = _MISSING,
        symint_visitor_fn: Callable[[Any], Any] | None = None,
        tensor_visitor_fn: Callable[[Any], Any] | None = None,
    ) -> Any:
        """This view of another base that is laid out alike; None of any other, and for no view.

        :param symint_visitor_fn: makes of each size that the view was made with another.
        :param tensor_visitor_fn: the same of each tensor.
        """
        new_base = _checked(new_base)
        base = self._base
        if base is None or not alike(base, new_base):
            return None
        return again(self, new_base, symint_visitor_fn, tensor_visitor_fn)

    def _view_func_unsafe(
        self,
        new_base: Any = _MISSING,
        symint_visitor_fn: Callable[[Any], Any] | None = None,
        tensor_visitor_fn: Callable[[Any], Any] | None = None,
    ) -> Any:
        """The same of a base of any layout.

        Raises RuntimeError where the view does not fit it.
        """
        new_base = _checked(new_base)
        if self._base is None:
            return None
        return again(self, new_base, symint_visitor_fn, tensor_visitor_fn)

    def _rev_view_func_unsafe(self, new_view: Any) -> Any:
        """A base whose view is *new_view*: a view of that, which lies as the base of this one.

        None for what is no view. Raises RuntimeError for a view that was not told how it was made
        (``torch.autograd._force_original_view_tracking``).
        """
        if not isinstance(new_view, Replay):
            raise RuntimeError("_rev_view_func expect a single argument that is a Tensor")
        base = self._base
        if base is None:
            return None
        state = self._state_
        if type(state) is not State or not state.steps:
            raise RuntimeError("No _rev_view_func() found")
        bases = [base]
        for step in state.steps[:-1]:
            bases.append(step(bases[-1]))
        for step, before in zip(reversed(state.steps), reversed(bases), strict=True):
            new_view = step.undone(before, new_view)
        return new_view


def again(view: Any, base: Any, number: Any = None, tensor: Any = None) -> Any:
    """*view*, made of another *base*, with what these functions make of sizes and tensors."""
    state = view._state_
    if type(state) is State and state.steps:
        for step in state.steps:
            base = (step if number is tensor is None else step.changed(number, tensor))(base)
        return base
    return base.as_strided(view.shape, view.stride(), view.storage_offset())


def alike(base: Any, other: Any) -> bool:
    """Whether two tensors lie alike in memory that is equally large.

    Source: torch csrc/autograd/autograd_meta.cpp, has_same_meta.
    """
    if base.shape != other.shape or base.storage_offset() != other.storage_offset():
        return False
    item, other_item = base.itemsize, other.itemsize
    if base.untyped_storage().nbytes() // item != other.untyped_storage().nbytes() // other_item:
        return False
    strides = zip(base.shape, base.stride(), other.stride(), strict=True)
    if any(n > 1 and s != t for n, s, t in strides):
        return False
    return base.is_conj() == other.is_conj() and base.is_neg() == other.is_neg()
