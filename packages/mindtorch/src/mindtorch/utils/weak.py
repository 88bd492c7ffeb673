"""Weak references to tensors, and dictionaries whose keys are objects rather than values."""

from __future__ import annotations

import builtins
import weakref
from _weakrefset import (  # type: ignore[attr-defined]  # Python's own, as torch
    _IterationGuard as _Guard,
)
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from copy import deepcopy
from typing import Any
from weakref import ref

from ..aten.torch import Tensor

__all__ = ["TensorWeakRef", "WeakIdKeyDictionary", "WeakIdRef", "WeakTensorKeyDictionary"]

WeakRef = ref
_IterationGuard = _Guard


class WeakIdRef(weakref.ref[Any]):
    """A weak reference that equals others to the same object, not to an equal one."""

    __slots__ = ["_id"]

    _id: int

    def __init__(self, key: Any, callback: Callable[[Any], Any] | None = None) -> None:
        self._id = id(key)
        super().__init__(key, callback)  # type: ignore[call-arg]  # it takes both

    def __hash__(self) -> int:
        return self._id

    def __eq__(self, other: object) -> bool:
        a = self()
        b = other() if isinstance(other, weakref.ref) else None
        if a is not None and b is not None:
            return a is b
        return self is other


class _WeakHashRef(weakref.ref[Any]):
    """A weak reference that equals others to equal objects, also once its own is gone."""

    __slots__ = ["_id"]

    _id: int

    def __init__(self, key: Any, callback: Callable[[Any], Any] | None = None) -> None:
        self._id = hash(key)
        super().__init__(key, callback)  # type: ignore[call-arg]  # it takes both

    def __hash__(self) -> int:
        return self._id

    def __eq__(self, other: object) -> bool:
        a = self()
        b = other() if isinstance(other, weakref.ref) else None
        if a is not None and b is not None:
            return bool(a == b)
        return self is other


class WeakIdKeyDictionary(MutableMapping[Any, Any]):
    """A dictionary by the identity of its keys; an entry goes when its key does.

    :param dict: its first entries.
    :param ref_type: the weak reference that stands for a key.
    """

    def __init__(self, dict: Any = None, ref_type: Any = WeakIdRef) -> None:
        self.data: Any = {}
        self.ref_type = ref_type

        me = ref(self)

        def remove(k: Any, selfref: Any = me) -> None:
            owner = selfref()
            if owner is None:
                return
            if owner._iterating:  # it must not change now
                owner._pending_removals.append(k)
            else:
                owner.data.pop(k, None)

        self._remove = remove
        self._pending_removals: list[Any] = []
        self._iterating: set[Any] = set()
        self._dirty_len = False
        if dict is not None:
            self.update(dict)

    def _commit_removals(self) -> None:
        """Take out the keys that went while somebody iterated."""
        pending = self._pending_removals
        while pending:
            self.data.pop(pending.pop(), None)

    def _scrub_removals(self) -> None:
        """Forget pending removals of keys that are gone already."""
        data = self.data
        self._pending_removals = [k for k in self._pending_removals if k in data]
        self._dirty_len = False

    def __delitem__(self, key: Any) -> None:
        self._dirty_len = True
        del self.data[self.ref_type(key)]

    def __getitem__(self, key: Any) -> Any:
        return self.data[self.ref_type(key)]

    def __len__(self) -> int:
        if self._dirty_len and self._pending_removals:
            self._scrub_removals()
        return len(self.data) - len(self._pending_removals)

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__} at {id(self):#x}>"

    def __setitem__(self, key: Any, value: Any) -> None:
        self.data[self.ref_type(key, self._remove)] = value

    def copy(self) -> WeakIdKeyDictionary:
        """A dictionary of the same entries."""
        return self._filled(WeakIdKeyDictionary(), lambda value: value)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> WeakIdKeyDictionary:
        return self._filled(self.__class__(), lambda value: deepcopy(value, memo))

    def _filled(self, new: WeakIdKeyDictionary, copied: Any) -> WeakIdKeyDictionary:
        """*new* with the keys that live, and their values as *copied* makes them."""
        for key, value in WeakIdKeyDictionary.items(self):
            new[key] = copied(value)
        return new

    def _entries(self) -> Iterator[tuple[Any, Any]]:
        """All references and values; none is taken out meanwhile."""
        with _IterationGuard(self):
            yield from self.data.items()

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of *key*, or *default*."""
        return self.data.get(self.ref_type(key), default)

    def __contains__(self, key: Any) -> bool:
        try:
            wrkey = self.ref_type(key)
        except TypeError:
            return False
        return wrkey in self.data

    def items(self) -> Iterator[tuple[Any, Any]]:  # type: ignore[override]  # as torch has it
        """The entries whose keys live."""
        for reference, value in self._entries():
            key = reference()
            if key is not None:
                yield key, value

    def keys(self) -> Iterator[Any]:  # type: ignore[override]  # as torch has it
        """The keys that live."""
        for reference, _ in self._entries():
            key = reference()
            if key is not None:
                yield key

    __iter__ = keys

    def values(self) -> Iterator[Any]:  # type: ignore[override]  # as torch has it
        """The values of keys that live."""
        for reference, value in self._entries():
            if reference() is not None:
                yield value

    def keyrefs(self) -> list[Any]:
        """The weak references to the keys."""
        return list(self.data)

    def popitem(self) -> tuple[Any, Any]:
        """Take an entry out and return it. Raises KeyError where there is none."""
        self._dirty_len = True
        while True:  # until one whose key is there still
            reference, value = self.data.popitem()
            if (key := reference()) is not None:
                return key, value

    def pop(self, key: Any, *args: Any) -> Any:
        """Take *key* out and return its value, or the default that is given."""
        self._dirty_len = True
        return self.data.pop(self.ref_type(key), *args)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of *key*, which is *default* from now on if there was none."""
        return self.data.setdefault(self.ref_type(key, self._remove), default)

    def update(self, dict: Any = None, **kwargs: Any) -> None:  # type: ignore[override]  # as torch
        """Take over entries."""
        given = {} if dict is None else dict if hasattr(dict, "items") else builtins.dict(dict)
        for key, value in (*given.items(), *kwargs.items()):
            self.data[self.ref_type(key, self._remove)] = value

    def __ior__(self, other: Any) -> WeakIdKeyDictionary:
        self.update(other)
        return self

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, Mapping):
            return NotImplemented
        both = self.copy()
        both.update(other)
        return both

    def __ror__(self, other: Any) -> Any:
        if not isinstance(other, Mapping):
            return NotImplemented
        both = self.__class__()
        for each in (other, self):
            both.update(each)
        return both

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Mapping):
            return NotImplemented
        return {id(k): v for k, v in self.items()} == {id(k): v for k, v in other.items()}

    __hash__ = None  # type: ignore[assignment]  # it changes


WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor; called, it gives the tensor or None."""

    ref: WeakRef[Tensor]

    def __init__(self, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise AssertionError(f"expected torch.Tensor, got {type(tensor)}.")
        self.ref = weakref.ref(tensor)

    def __call__(self) -> Tensor | None:
        return self.ref()
