"""Types of tensors by their shape, for gradual typing of graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._compatibility import compatibility

__all__ = ["Dyn", "TensorType", "is_consistent", "is_more_precise"]


@compatibility(is_backward_compatible=False)
class TensorType:
    """The type of tensors with a shape; a dim may be a number, ``Dyn`` or a variable."""

    def __init__(self, dim: Sequence[Any]) -> None:
        self.__origin__ = TensorType
        self.__args__ = dim

    @property
    def dims(self) -> Sequence[Any]:
        """The sizes."""
        return self.__args__

    def __repr__(self) -> str:
        return f"TensorType[{self.__args__}]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, self.__class__) and list(self.__args__) == list(other.__args__)

    @staticmethod
    def __class_getitem__(*args: object) -> TensorType:
        dims = args[0]
        return TensorType(dims if isinstance(dims, tuple) else (dims,))


class _DynType:
    """The type of which nothing is known."""

    def __init__(self) -> None:
        self.__name__ = "_DynType"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, self.__class__)

    def __str__(self) -> str:
        return "Dyn"

    __repr__ = __str__


Dyn = _DynType()


@compatibility(is_backward_compatible=False)
def is_consistent(t1: object, t2: object) -> bool:
    """Whether the types could be those of one value: where both are known they are equal."""
    return _related(t1, t2, is_consistent, (t1, t2))


@compatibility(is_backward_compatible=False)
def is_more_precise(t1: object, t2: object) -> bool:
    """Whether *t1* says all that *t2* says."""
    return _related(t1, t2, is_more_precise, (t2,))


def _related(t1: object, t2: object, relation: Any, unknown: tuple[object, ...]) -> bool:
    if t1 == t2 or any(isinstance(t, _DynType) for t in unknown):
        return True
    if isinstance(t1, TensorType) and isinstance(t2, TensorType):
        a, b = t1.__args__, t2.__args__
        return len(a) == len(b) and all(relation(x, y) for x, y in zip(a, b, strict=True))
    return False
