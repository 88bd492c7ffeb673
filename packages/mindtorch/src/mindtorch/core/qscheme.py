"""``torch.qscheme``: by what rule the integers of a quantized tensor stand for numbers."""

from __future__ import annotations

from typing import Any, Final

from .pickling import Named

__all__ = ["QSCHEMES", "qscheme"]


class qscheme(metaclass=Named):
    """How a quantized tensor keeps its scale: a constant of torch."""

    __slots__ = ("_name",)
    __module__ = "torch"
    _name: str

    def __new__(cls) -> qscheme:
        raise TypeError("cannot create 'torch.qscheme' instances")

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, (self._name,)


def _named(name: str) -> qscheme:
    """The constant *name*. Pickle must not look for it where its class says that it lives."""
    return QSCHEMES[name]


def _scheme(name: str) -> qscheme:
    made: qscheme = object.__new__(qscheme)
    made._name = name
    return made


#: The constants by their names in torch.
QSCHEMES: Final = {
    name: _scheme(name)
    for name in (
        *("per_tensor_affine", "per_channel_affine", "per_tensor_symmetric"),
        *("per_channel_symmetric", "per_channel_affine_float_qparams"),
    )
}
