"""The classes of named results, ``torch.return_types``: made when an op that has one is analysed.

They have the ways of C's struct sequences, which torch uses: one sequence makes one, and it prints
its fields one below the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from .pickling import Named

__all__ = ["classes", "structure"]

#: The classes made so far, by name.
classes: dict[str, type] = {}


def structure(name: str, fields: tuple[str, ...]) -> type:
    """The class ``torch.return_types.<name>`` with these fields."""
    found = classes.get(name)
    if found is None:
        body: dict[str, Any] = {
            "__slots__": (),
            "__module__": "torch.return_types",
            "__match_args__": fields,
            "__new__": _new,
            "__repr__": _repr,
            "__reduce__": _reduce,
            "__getattr__": _missing,
            "__setattr__": _refused,
            "n_fields": len(fields),
            "n_sequence_fields": len(fields),
            "n_unnamed_fields": 0,
        }
        for i, field in enumerate(fields):
            body[field] = property(itemgetter(i), fdel=_refused_deletion)
        found = classes[name] = Named(name, (tuple,), body)
    return found


def _new(cls: Any, sequence: Iterable[Any], dict: Any = None) -> Any:
    try:
        values = tuple(sequence)
    except TypeError:
        raise TypeError("constructor requires a sequence") from None
    if len(values) != cls.n_fields:
        raise TypeError(
            f"torch.return_types.{cls.__name__}() takes a {cls.n_fields}-sequence "
            f"({len(values)}-sequence given)"
        )
    return tuple.__new__(cls, values)


def _repr(self: Any) -> str:
    lines = ",\n".join(
        f"{field}={value!r}" for field, value in zip(self.__match_args__, self, strict=True)
    )
    return f"torch.return_types.{type(self).__name__}(\n{lines})"


def _missing(self: Any, name: str) -> Any:
    kind = f"torch.return_types.{type(self).__name__}"
    raise AttributeError(f"'{kind}' object has no attribute '{name}'", name=name, obj=self)


def _refused(self: Any, name: str, value: Any) -> None:
    if name not in self.__match_args__:
        _missing(self, name)
    raise AttributeError("readonly attribute")


def _refused_deletion(self: Any) -> None:
    raise AttributeError("readonly attribute")


def _reduce(self: Any) -> Any:
    return type(self), (tuple(self), {})
