"""Numbers that stood for tensors in a call, as its formula sees them.

``x * 2`` calls ``mul.Tensor`` with a number in a tensor's place. Its formula multiplies by that
number again, and who watches operators sees ``mul.Tensor`` there too, while a number that is
written in a formula (``g * 2``) is a scalar to torch: ``mul.Scalar``. So they must differ.
"""

from __future__ import annotations

from typing import Any

from ..core import signature as S


class IntOperand(int):
    """An int in a tensor's place."""

    __slots__ = ()


class FloatOperand(float):
    """A float in a tensor's place."""

    __slots__ = ()


class ComplexOperand(complex):
    """A complex number in a tensor's place."""

    __slots__ = ()


#: The class for a plain number; a bool is only ever a scalar in a formula.
OPERAND: dict[type, Any] = {int: IntOperand, float: FloatOperand, complex: ComplexOperand}
#: And back.
PLAIN: dict[type, Any] = {made: kind for kind, made in OPERAND.items()}

for _kind, _made in OPERAND.items():
    S.NUMBER_SIG[_made] = S.NUMBER_SIG[_kind]


def operand(value: Any) -> Any:
    """*value* as an operand, if it is a number."""
    make = OPERAND.get(type(value))
    return value if make is None else make(value)
