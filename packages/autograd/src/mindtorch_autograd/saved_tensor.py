"""``ctx._raw_saved_tensors``: the places where a ``Function`` keeps values, open to hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindtorch_autograd import errors, protocols
from mindtorch_autograd.node import RELEASED
from mindtorch_autograd.saved import SavedVariable

if TYPE_CHECKING:
    from mindtorch_autograd.function_context import BackwardCFunction

__all__ = ["SavedTensor"]


class SavedTensor:
    """One place where a node keeps a value; hooks may be put on it once."""

    __module__ = "torch._C._autograd"
    __slots__ = ("_index", "_node")

    def __init__(self, node: BackwardCFunction, index: int) -> None:
        self._node = node
        self._index = index

    def register_hooks(
        self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]
    ) -> None:
        """Keep ``pack_hook(value)`` in its place; ``unpack_hook`` makes the value of that again.

        Raises RuntimeError for a place that is freed or empty or has hooks, and where the hook
        changes its input; TypeError for hooks that cannot be called.
        Source: torch csrc/autograd/saved_variable.cpp, SavedVariable::register_hooks.
        """
        for hook in (pack_hook, unpack_hook):
            if not callable(hook):
                raise TypeError("incompatible function arguments")
        node, index = self._node, self._index
        if node.saved is RELEASED:
            raise errors.hooks_on_freed()
        kept = node.saved[index]
        if kept is None:
            raise errors.hooks_on_none()
        hooks = (pack_hook, unpack_hook)
        if kept.__class__ is not SavedVariable:
            made = SavedVariable(kept, False, hooks)
        elif kept.hooks is not None:
            raise errors.hooks_set_already()
        else:
            made = SavedVariable(kept.data, kept.is_output, hooks, node, kept.nr)
        node.saved = (*node.saved[:index], made, *node.saved[index + 1 :])

    def unpack(self) -> Any:
        """The value."""
        kept = self._node.saved[self._index]
        return kept.unpack(self._node) if kept.__class__ is SavedVariable else kept

    @property
    def data(self) -> Any:
        """The value, or what its hook made of it."""
        kept = self._node.saved[self._index]
        if kept.__class__ is not SavedVariable:
            return None if kept is None else protocols._space.detach(kept)
        return kept.data
