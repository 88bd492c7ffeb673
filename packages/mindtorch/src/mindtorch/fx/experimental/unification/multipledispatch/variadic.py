"""``Variadic[int]``: any number of arguments of a type, as the last entry of a signature."""

from __future__ import annotations

from typing import Any

from .utils import typename

__all__ = ["Variadic", "VariadicSignatureMeta", "VariadicSignatureType", "isvariadic"]


class VariadicSignatureType(type):
    """The class of ``Variadic[...]``; its subclasses are the types that it allows."""

    variadic_type: tuple[type, ...]

    def __subclasscheck__(cls, subclass: type) -> bool:
        allowed: tuple[type, ...] = getattr(subclass, "variadic_type", (subclass,))
        return bool(cls.variadic_type) and all(issubclass(t, cls.variadic_type) for t in allowed)

    def __eq__(cls, other: object) -> bool:
        if not isinstance(other, VariadicSignatureType):
            return False
        return set(cls.variadic_type) == set(other.variadic_type)

    def __hash__(cls) -> int:
        return hash((type(cls), frozenset(cls.variadic_type)))


def isvariadic(obj: object) -> bool:
    """Whether *obj* is a ``Variadic[...]``."""
    return isinstance(obj, VariadicSignatureType)


class VariadicSignatureMeta(type):
    """Lets a class be indexed with the types that are allowed."""

    def __getitem__(cls, variadic_type: Any) -> VariadicSignatureType:
        allowed = variadic_type
        if isinstance(variadic_type, type):
            allowed = (variadic_type,)
        elif len(variadic_type) == 0:
            raise ValueError("Variadic types must be type or tuple of types (Variadic[int] or "
                             "Variadic[(int, float)]")  # fmt: skip
        return VariadicSignatureType(
            f"Variadic[{typename(allowed)}]",
            (),
            {"variadic_type": tuple(allowed), "__slots__": (), "__module__": __name__},
        )


class Variadic(metaclass=VariadicSignatureMeta):
    """``Variadic[int]``, or ``Variadic[(int, str)]`` for arguments of several types."""
