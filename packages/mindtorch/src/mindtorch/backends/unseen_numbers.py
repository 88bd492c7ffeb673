"""Whether a call looks at its numbers before its kernel runs.

A call that is known for ``alpha=0.1`` serves ``alpha=0.2`` as it is, if neither the meta nor the
preparation of the kernel looks at the value. That is tried once: they are asked again with numbers
that nobody can look at (:class:`Unseen`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any, Final

import numpy as np

from ..core.opaque import opaque

__all__ = ["Unseen", "hidden", "looks_at_none", "of_last_numbers", "scalar_places"]

_NUMBERS: Final = frozenset((int, float, complex))
#: A kernel is tried on arrays of no more bytes.
_LITTLE: Final = 1 << 16


class _LookedAtError(Exception):
    """The value of an unseen number was asked for."""


@opaque(_LookedAtError)
class Unseen:
    """A number of a type, whose value nobody can look at."""

    __slots__ = ("_type",)

    def __init__(self, value: Any) -> None:
        self._type = type(value)

    @property
    def __class__(self) -> Any:
        """The type of the number, for ``isinstance``."""
        return self._type


def scalar_places(overload: Any) -> tuple[int, ...]:
    """Where *overload* takes a ``Scalar``."""
    types = [str(a.real_type) for a in overload.schema.arguments]
    return tuple([i for i, t in enumerate(types) if t in ("number", "Optional[number]")])


def hidden(args: Sequence[Any], places: Sequence[int]) -> list[Any]:
    """*args* with unseen numbers at *places*."""
    found = list(args)
    for i in places:
        if type(found[i]) in _NUMBERS:
            found[i] = Unseen(found[i])
    return found


def looks_at_none(
    prepare: Callable[..., Callable[..., Any]], values: Sequence[Any], places: Sequence[int]
) -> bool:
    """Whether what *prepare* makes for *values* is the same for all numbers at *places*.

    It may keep a number without looking at it, so what it makes is called once.
    """
    if sum(v.nbytes for v in values if isinstance(v, np.ndarray)) > _LITTLE:
        return False
    try:
        made = prepare(*hidden(values, places))(*values)
        expected = prepare(*values)(*values)
    except Exception:  # whatever it is, a number was looked at
        return False
    pairs = zip(made, expected) if type(made) is tuple else [(made, expected)]
    return all(np.asarray(a).tobytes() == np.asarray(b).tobytes() for a, b in pairs)


def of_last_numbers(
    again: Callable[[tuple[Any, ...]], Any], args: Sequence[Any]
) -> Callable[[tuple[Any, ...]], Any]:
    """*again*, which is not asked for the very numbers of the call before.

    They stand where there are numbers in *args*.
    """
    places = [i for i, value in enumerate(args) if type(value) in _NUMBERS]
    #: The numbers and what was answered, exchanged as one.
    last: tuple[list[Any], Any] | None = None

    def remembering(args: tuple[Any, ...]) -> Any:
        nonlocal last
        known = last
        if known is not None and all(map(is_, known[0], [args[i] for i in places])):
            return known[1]
        answer = again(args)
        last = [args[i] for i in places], answer
        return answer

    return remembering
