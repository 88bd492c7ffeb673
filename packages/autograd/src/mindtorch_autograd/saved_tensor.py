"""``node._raw_saved_self``: the places where a node keeps values, open to hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_autograd import errors
from mindtorch_autograd.naming import Named
from mindtorch_autograd.node import RELEASED, Node
from mindtorch_autograd.saved_variable import SavedVariable

__all__ = ["SavedTensor"]


class SavedTensor(metaclass=Named):
    """One place where a node keeps a value; hooks may be put on it once.

    This one is for nodes whose ``_saved_`` is a tuple of values, those of a ``Function``; others
    override :meth:`_kept`, :meth:`_keep` and :meth:`_value`.
    """

    __module__ = "torch._C._autograd"
    __slots__ = ("_index", "_node")

    def __new__(cls, *where: Any) -> SavedTensor:
        """Raises RuntimeError without a place: programs make none."""
        if not where:
            raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")
        return object.__new__(cls)

    def __init__(self, node: Node, index: int) -> None:
        self._node = node
        self._index = index

    def _kept(self) -> Any:
        """What lies in the place: None, a value, or a :class:`SavedVariable`."""
        return self._node._saved_[self._index]

    def _keep(self, made: SavedVariable) -> None:
        """Put *made* there."""
        saved = self._node._saved_
        self._node._saved_ = (*saved[: self._index], made, *saved[self._index + 1 :])

    def _with_hooks(self, value: Any, hooks: Any) -> SavedVariable:
        """*value* as it lies in the place, with *hooks*."""
        return SavedVariable(value, False, hooks)

    def register_hooks(self, *hooks: Callable[[Any], Any]) -> None:
        """Keep ``pack_hook(value)`` in its place; ``unpack_hook`` makes the value of that again.

        Raises RuntimeError for a place that is freed or empty or has hooks, and where the hook
        changes its input; TypeError for hooks that cannot be called.
        Source: torch csrc/autograd/saved_variable.cpp, SavedVariable::register_hooks.
        """
        if len(hooks) != 2 or not all(map(callable, hooks)):
            raise errors.not_a_pair_of_hooks(self, hooks)
        if self._node._saved_ is RELEASED:
            raise errors.hooks_on_freed()
        kept = self._kept()
        if kept is None:
            raise errors.hooks_on_none()
        if kept.__class__ is not SavedVariable:
            made = self._with_hooks(kept, hooks)
        elif kept.hooks is not None:
            raise errors.hooks_set_already()
        else:
            made = SavedVariable(kept.data, kept.is_output, hooks, self._node, kept.nr)
        self._keep(made)

    def unpack(self) -> Any:
        """The value. Raises RuntimeError once it was freed."""
        kept = self._kept()
        return kept.unpack(self._node) if kept.__class__ is SavedVariable else kept

    @property
    def data(self) -> Any:
        """The value, or what its hook made of it; None once it was freed.

        Of a result of the node it is what is kept: the result without its history.
        """
        if self._node._saved_ is RELEASED:
            return None
        kept = self._kept()
        return kept.data if kept.__class__ is SavedVariable else kept

    @property
    def unpack_hook(self) -> Callable[[Any], Any] | None:
        """The hook that makes the value again, None where there are no hooks."""
        if self._node._saved_ is RELEASED:
            return None
        kept = self._kept()
        if kept.__class__ is not SavedVariable or kept.hooks is None:
            return None
        found: Callable[[Any], Any] = kept.hooks[1]
        return found
