"""Objects that stand for a value that nobody may look at, to find out who does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

__all__ = ["opaque"]

T = TypeVar("T", bound=type)

#: What Python and numpy may call to get at a value, but for attributes.
_WAYS: Final = (
    "abs add and array bool ceil complex contains divmod eq float floor floordiv format ge getitem "
    "gt iadd imul index int invert ior isub iter itruediv le lshift lt matmul mod mul ne neg or "
    "pos pow radd rand rdivmod repr rfloordiv rmatmul rmod rmul ror round rpow rshift rsub "
    "rtruediv setitem str sub truediv trunc xor"
)


def opaque(error: type[Exception]) -> Callable[[T], T]:
    """Let instances of a class raise *error* when their value is asked for.

    They have no hash either: a value that is looked up is looked at.
    """

    def refuse(*args: Any) -> NoReturn:
        raise error("a value that nobody may look at")

    def decorated(cls: T) -> T:
        for way in _WAYS.split():
            setattr(cls, f"__{way}__", refuse)
        for name in ("__hash__", "__array_ufunc__"):  # which Python and numpy take for: not there
            setattr(cls, name, None)
        return cls

    return decorated
