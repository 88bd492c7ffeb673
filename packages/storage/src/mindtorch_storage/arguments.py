"""What arguments are, and how torch's texts name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np


class TorchNamed(type):
    """Metaclass of types that people meet under a torch name, given as ``torch_name``.

    ``repr(Device)`` is ``<class 'torch.device'>`` and ``Device.__name__`` is ``device``; the import
    path stays the true one, so pickles made without torch can be read without torch.
    """

    torch_name: str

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> None:
        super().__init__(name, bases, body)
        # What the interpreter's own texts show ("'torch.device' object is not callable"): torch's
        # types carry the dotted name there, and the last part of it as __name__.
        _NAME.__set__(cls, cls.torch_name)

    @property
    def __name__(cls) -> str:  # type: ignore[override]  # writable in a class, not here
        return cls.torch_name.rpartition(".")[2]

    def __repr__(cls) -> str:
        return f"<class '{cls.torch_name}'>"


_NAME: Any = type.__dict__["__name__"]
#: Flags of types: made at run time, and by C that lets nobody change them.
_HEAP, _IMMUTABLE = 1 << 9, 1 << 8


def type_name(value: Any) -> str:
    """The type of *value* as torch's argument parser spells it (``torch.device``, ``list``)."""
    cls: type = type(value)
    if isinstance(cls, TorchNamed):
        return cls.torch_name
    # C's name of a type that is built in has its module in front, that of others has not.
    if cls.__flags__ & (_HEAP | _IMMUTABLE) == _HEAP or cls.__module__ == "builtins":
        return cls.__name__
    return f"{cls.__module__}.{cls.__qualname__}"


def argument_types(args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """The arguments of a call by type, as torch csrc/utils/invalid_arguments.cpp lists them."""
    words = [type_name(a) for a in args]
    words += [f"{k}={type_name(kwargs[k])}" for k in sorted(kwargs)]
    return ", ".join(words) + (", " if kwargs and not args else "")


def argument_name(value: Any) -> str:
    """Like `type_name`, but a sequence also names the types of its items.

    Source: torch csrc/utils/invalid_arguments.cpp, py_typename.
    """
    if isinstance(value, (list, tuple)):
        inner = ", ".join(type_name(item) for item in value)
        both = f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
        return f"{type(value).__name__} of {both}"
    return type_name(value)


def is_int(value: object) -> TypeGuard[int]:
    """Python ints and numpy's, not bool. Source: torch csrc/utils/python_numbers.h, checkLong."""
    if isinstance(value, int):
        return not isinstance(value, bool)
    return isinstance(value, np.integer)


def fits_int64(value: int) -> bool:
    return -(2**63) <= value < 2**63
