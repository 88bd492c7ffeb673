"""Nested ints: what stands in a shape for a dimension along which samples differ in length.

Two of them are equal where they come from the same offsets. In arguments of ops they travel as
numbers that no size has (:func:`as_number`), for ops take numbers.
"""

from __future__ import annotations

from typing import Any

from ...aten.symbolic_numbers import SymInt

__all__ = ["NestedIntNode"]

#: Above all sizes.
_NUMBERS = 1 << 61
_COEFFICIENT = 1 << 30


class NestedIntNode:
    """A multiple of the ragged size that is known by a number.

    :ivar t_id: which one.
    :ivar coeff: how many times.
    """

    def __init__(self, t_id: int, coeff: int) -> None:
        self.t_id = t_id
        self.coeff = coeff

    def __repr__(self) -> str:
        return f"j{self.t_id}" if self.coeff == 1 else f"{self.coeff}*j{self.t_id}"

    __str__ = __repr__

    def __hash__(self) -> int:
        return hash((self.t_id, self.coeff))

    def nested_int(self) -> int:
        """Return the number that it is known by."""
        return self.t_id

    def nested_int_coeff(self) -> int:
        """Return how many times it stands here."""
        return self.coeff

    def maybe_as_int(self) -> int | None:
        """None: no number."""
        return None

    def is_nested_int(self) -> bool:
        """True."""
        return True

    def is_int(self) -> bool:
        """True: a whole one."""
        return True

    def is_float(self) -> bool:
        """False."""
        return False

    def is_bool(self) -> bool:
        """False."""
        return False

    def is_symbolic(self) -> bool:
        """False: no graph computes it."""
        return False

    def is_constant(self) -> bool:
        """False: no number."""
        return False

    def stands_for(self) -> int:
        """Return the number that it is in arguments of ops: one that no size has."""
        return _NUMBERS + self.t_id * _COEFFICIENT + self.coeff

    def clone(self) -> NestedIntNode:
        """Return itself."""
        return self

    def mul(self, other: Any) -> NestedIntNode:
        """Return a multiple. Raises ValueError for another nested int."""
        if isinstance(other, NestedIntNode):
            raise ValueError(f"unsupported: {type(other)}")
        return NestedIntNode(self.t_id, self.coeff * other)

    def eq(self, other: Any) -> bool:
        """Return whether both are the same."""
        same = isinstance(other, NestedIntNode) and self.t_id == other.t_id
        return same and self.coeff == other.coeff

    def ne(self, other: Any) -> bool:
        """Return whether they differ."""
        return not self.eq(other)

    def ge(self, other: Any) -> bool:
        """Return whether it is no less. Raises ValueError where nobody knows.

        A ragged size counts as 2 at least.
        """
        if isinstance(other, NestedIntNode):
            if self.t_id == other.t_id:
                return self.coeff >= other.coeff
        elif other <= 2:
            return True
        raise ValueError("ge: relation is indeterminate")

    def _below(self, other: Any) -> bool:
        """Whether *other* is no less than it."""
        if isinstance(other, NestedIntNode):
            return other.ge(self)
        if other < 2:
            return False
        raise ValueError("ge: relation is indeterminate")

    def gt(self, other: Any) -> bool:
        """Return whether it is more, as :meth:`ge` does."""
        return not self._below(other)

    def lt(self, other: Any) -> bool:
        """Return whether it is less, as :meth:`ge` does."""
        return not self.ge(other)

    def le(self, other: Any) -> bool:
        """Return whether it is no more, as :meth:`ge` does."""
        return self._below(other)


def as_number(size: Any) -> Any:
    """A nested int as the number that arguments of ops have for it; all else as it is."""
    return size.stands_for if isinstance(size, SymInt) else size


def is_ragged(number: Any) -> bool:
    """Whether a number stands for a nested int."""
    return type(number) is int and number >= _NUMBERS


def as_size(number: Any) -> Any:
    """The nested int that a number stands for; other numbers as they are."""
    if not is_ragged(number):
        return number
    return SymInt(NestedIntNode(*divmod(number - _NUMBERS, _COEFFICIENT)))
