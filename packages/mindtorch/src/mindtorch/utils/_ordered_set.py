"""A set that keeps the order in which its elements came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet, Reversible
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

T = TypeVar("T")

__all__ = ["OrderedSet"]


class OrderedSet(MutableSet[T], Reversible[T]):
    """A set over a dictionary, which keeps the order."""

    __slots__ = ("_dict",)

    _dict: dict[T, None]

    def __init__(self, iterable: Iterable[T] | None = None) -> None:
        self._dict = dict.fromkeys(iterable, None) if iterable is not None else {}

    @staticmethod
    def _from_dict(dict_inp: dict[T, None]) -> OrderedSet[T]:
        made: OrderedSet[T] = OrderedSet()
        made._dict = dict_inp
        return made

    def __contains__(self, elem: object) -> bool:
        return elem in self._dict

    def __iter__(self) -> Iterator[T]:
        yield from self._dict

    def __len__(self) -> int:
        return len(self._dict)

    def __reversed__(self) -> Iterator[T]:
        yield from reversed(self._dict)

    def add(self, elem: T) -> None:
        """Add an element."""
        self._dict[elem] = None

    def discard(self, elem: T) -> None:
        """Take an element out, if it is there."""
        self._dict.pop(elem, None)

    def clear(self) -> None:
        """Take all out."""
        self._dict.clear()

    @classmethod
    def _wrap_iter_in_set(cls, other: Any) -> Any:
        return (
            cls(other)
            if isinstance(other, Iterable) and not isinstance(other, AbstractSet)
            else other
        )

    def pop(self) -> T:
        """Take the last element out and return it. Raises KeyError where there is none."""
        if not self:
            raise KeyError("pop from an empty set")
        return self._dict.popitem()[0]

    def copy(self) -> OrderedSet[T]:
        """A set of the same elements."""
        return OrderedSet._from_dict(self._dict.copy())

    def difference(self, *others: Iterable[T]) -> OrderedSet[T]:
        """The elements that none of *others* has."""
        res = self.copy()
        res.difference_update(*others)
        return res

    def difference_update(self, *others: Iterable[T]) -> None:
        """Take out what *others* have."""
        for other in others:
            self -= other

    def update(self, *others: Iterable[T]) -> None:
        """Add what *others* have."""
        for other in others:
            for elem in other:
                self._dict[elem] = None

    def intersection(self, *others: Iterable[T]) -> OrderedSet[T]:
        """The elements that all of *others* have."""
        res = self.copy()
        for other in others:
            if other is not self:
                res.intersection_update(other)
        return res

    def intersection_update(self, *others: Iterable[T]) -> None:
        """Take out what one of *others* lacks."""
        for other in others:
            wanted = set(other)
            for elem in [e for e in self._dict if e not in wanted]:
                del self._dict[elem]

    def issubset(self, other: Iterable[T]) -> bool:
        """Whether *other* has all elements."""
        return bool(self <= self._wrap_iter_in_set(other))

    def issuperset(self, other: Iterable[T]) -> bool:
        """Whether *other* has no other elements."""
        return bool(self >= self._wrap_iter_in_set(other))

    def symmetric_difference(self, other: Iterable[T]) -> OrderedSet[T]:
        """The elements that only one of both has."""
        return OrderedSet(self ^ OrderedSet(other))

    def symmetric_difference_update(self, other: Iterable[T]) -> None:
        """Keep the elements that only one of both has."""
        self ^= OrderedSet(other)

    def union(self, *others: Iterable[T]) -> OrderedSet[T]:
        """The elements of all."""
        res = self.copy()
        res.update(*others)
        return res

    def __sub__(self, other: AbstractSet[Any]) -> OrderedSet[T]:
        return OrderedSet([e for e in self._dict if e not in other])

    def __ior__(self, other: Iterable[T]) -> OrderedSet[T]:  # type: ignore[override,misc]  # as torch
        if isinstance(other, OrderedSet):
            self._dict.update(other._dict)
        else:
            self.update(other)
        return self

    def __isub__(self, other: Any) -> OrderedSet[T]:  # type: ignore[misc]  # as torch
        if other is self:
            self.clear()
        else:
            for elem in other:
                self._dict.pop(elem, None)
        return self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OrderedSet):
            return self._dict == other._dict
        return AbstractSet.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __or__(self, other: AbstractSet[Any]) -> OrderedSet[Any]:
        return OrderedSet([*self._dict, *other])

    def __and__(self, other: AbstractSet[Any]) -> OrderedSet[T]:
        return OrderedSet([e for e in other if e in self._dict])

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({list(self)})"

    def __getstate__(self) -> list[T]:
        return list(self._dict.keys())

    def __setstate__(self, state: list[T]) -> None:
        self._dict = dict.fromkeys(state, None)

    def __reduce__(self) -> Any:
        return (OrderedSet, (list(self),))
