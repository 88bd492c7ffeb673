"""Changing in place what was saved for backward: a copy is kept of what was there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from mindtorch_autograd import saved_tensors_hooks

from ..utils._python_dispatch import TorchDispatchMode

_OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
    "in which the graph was originally recorded."
)


class _Handle:
    """What a node keeps in place of the tensor; the context knows the tensor."""


class _AllowMutationOnSavedContext:
    """What the manager keeps track of, for whoever looks into it.

    :ivar original: handle -> the tensor as it was saved.
    :ivar cloned: handle -> a copy of it, made before it was changed.
    :ivar tid_to_weakhandle: (object, address, version) of a saved tensor -> its handle.
    :ivar sid_to_tid: (address, version) of a memory -> the tensors saved that lie in it.
    """

    def __init__(self) -> None:
        self.cloned: Any = WeakKeyDictionary()
        self.original: Any = WeakKeyDictionary()
        self.tid_to_weakhandle: Any = WeakValueDictionary()
        self.sid_to_tid: Any = defaultdict(set)

    def clear(self) -> None:
        """Forget everything."""
        for kept in (self.cloned, self.original, self.tid_to_weakhandle, self.sid_to_tid):
            kept.clear()

    def pack(self, t: Any) -> _Handle:
        """The handle of *t* in this version."""
        tid = _get_tid(t)
        self.sid_to_tid[_get_sid(t)].add(tid)
        handle: _Handle | None = self.tid_to_weakhandle.get(tid)
        if handle is None:
            handle = self.tid_to_weakhandle[tid] = _Handle()
            self.original[handle] = t
        return handle

    def unpack(self, handle: _Handle) -> Any:
        """The tensor, or the copy of it."""
        found = self.cloned.get(handle)
        if found is None:
            found = self.original.get(handle)
        if found is None or not _in_use:
            raise AssertionError(_OUTSIDE)
        return found

    def before_change(self, t: Any) -> None:
        """Copy the tensors that were saved of the memory of *t*."""
        for tid in self.sid_to_tid.get(_get_sid(t), ()):
            handle = self.tid_to_weakhandle.get(tid)
            if handle is not None and handle not in self.cloned:
                self.cloned[handle] = self.original.pop(handle).clone()


class _CloneArgBeforeMutateMode(TorchDispatchMode):
    """Tells the context of each tensor that an operator is about to change."""

    def __init__(self, context: _AllowMutationOnSavedContext) -> None:
        super().__init__()
        self.context = context

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        for i, argument in enumerate(func._schema.arguments):
            if argument.alias_info is None or not argument.alias_info.is_write:
                continue
            value = args[i] if i < len(args) else kwargs.get(argument.name)
            for t in value if isinstance(value, (list, tuple)) else (value,):
                if t is not None:
                    self.context.before_change(t)
        return func(*args, **kwargs)


_in_use = False


def _get_tid(t: Any) -> tuple[int, int, int]:
    return id(t), t.data_ptr(), t._version


def _get_sid(t: Any) -> tuple[int, int]:
    return t.untyped_storage().data_ptr(), t._version


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[_AllowMutationOnSavedContext]:
    """Let tensors that were saved for backward be changed in place in the body.

    A copy of what was there is made first. Forward and backward must both be in the body.
    Raises RuntimeError where such a manager is open already.
    """
    global _in_use
    if _in_use:
        _in_use = False  # as torch has it: the outer manager is at its end, too
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    context = _AllowMutationOnSavedContext()
    with saved_tensors_hooks(context.pack, context.unpack), _CloneArgBeforeMutateMode(context):
        _in_use = True
        try:
            yield context
        finally:
            context.clear()
            _in_use = False


allow_mutation_on_saved_tensors.__module__ = "mindtorch.autograd.graph"
