"""Handles that take a hook off again."""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from types import TracebackType
from typing import Any, ClassVar

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks", "watch_leaf_order"]

#: The living nodes by which anybody may observe when a leaf is filled. A leaf's node lives as long
#: as a graph that leads to it, so without such a graph every backward takes the short loop.
watched_nodes: set[weakref.ref[Any]] = set()


def watch_leaf_order(node: Any) -> None:
    """Fill each leaf as soon as its last gradient has come, even where that costs a pass more.

    Called for the node of a leaf that has hooks, because then the moment can be seen: until the
    node is gone.
    """
    watched_nodes.add(weakref.ref(node, watched_nodes.discard))


class RemovableHandle:
    """Removes a hook from the dictionary it was entered in.

    :param hooks_dict: keyed by handle id, an ordinary or ordered dictionary.
    :param extra_dict: one dictionary, or a list of them, from which the same id is removed.

    The dictionary is held weakly where it allows that (``OrderedDict``), so a handle never keeps
    a module or a graph alive. Source: torch utils/hooks.py.
    """

    id: int
    next_id: ClassVar[int] = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id = self.id + 1
        others = [extra_dict] if isinstance(extra_dict, dict) else extra_dict
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.extra_dict_ref: tuple[Any, ...] = ()
        if isinstance(others, list):
            self.extra_dict_ref = tuple(map(weakref.ref, others))

    def remove(self) -> None:
        """Take the hook off; doing so twice is fine."""
        for ref in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = ref()
            if hooks is not None and self.id in hooks:
                del hooks[self.id]

    def __getstate__(self) -> Any:
        if not self.extra_dict_ref:
            return self.hooks_dict_ref(), self.id
        return self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref)

    def __setstate__(self, state: Any) -> None:
        # A handle whose dictionary is gone still unpickles; it removes nothing.
        self.hooks_dict_ref = weakref.ref(OrderedDict() if state[0] is None else state[0])
        self.id = state[1]
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)
        extra = state[2] if len(state) > 2 and state[2] is not None else ()
        self.extra_dict_ref = tuple(weakref.ref(OrderedDict() if d is None else d) for d in extra)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.remove()


def unserializable_hook(f: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a hook so that pickling its tensor or module warns."""
    marked: Any = f
    marked.__torch_unserializable__ = True
    return f


def warn_if_has_hooks(tensor: Any) -> None:
    """Warn about each backward hook of *tensor* that serialization leaves behind."""
    for called in (tensor._backward_hooks or {}).values():
        hook = getattr(called, "__wrapped__", called)
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, "
                "you can decorate the function with @torch.utils.hooks.unserializable_hook to "
                "suppress this warning",
                stacklevel=2,
            )
