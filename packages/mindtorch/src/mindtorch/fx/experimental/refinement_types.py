"""Equations between types of tensors."""

from __future__ import annotations


class Equality:
    """Two types that shall be equal."""

    def __init__(self, lhs: object, rhs: object) -> None:
        self.lhs, self.rhs = lhs, rhs

    def __str__(self) -> str:
        return f"{self.lhs} = {self.rhs}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Equality):
            return False
        return (self.lhs, self.rhs) == (other.lhs, other.rhs)

    __hash__ = None  # type: ignore[assignment]  # its sides may be lists
