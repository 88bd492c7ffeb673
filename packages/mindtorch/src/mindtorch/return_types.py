"""``torch.return_types``: the named tuples that ops with named results return.

A class is made when its op is first called, or asked for as an attribute of this module. It has
the ways of C's struct sequences, which torch uses: one sequence makes it, and it prints its
fields one below the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from .aten.register import FUNCTIONS, METHODS
from .call.dispatch_entry import OVERLOADS
from .call.lazy_registration import load_all
from .core.pickling import Named

__all__: list[str] = []

_classes: dict[str, type] = {}


def structure(name: str, fields: tuple[str, ...]) -> type:
    """The class ``torch.return_types.<name>`` with these fields."""
    found = _classes.get(name)
    if found is None:
        body: dict[str, Any] = {
            "__slots__": (),
            "__module__": "torch.return_types",
            "__match_args__": fields,
            "__new__": _new,
            "__repr__": _repr,
            "__reduce__": _reduce,
            "n_fields": len(fields),
            "n_sequence_fields": len(fields),
            "n_unnamed_fields": 0,
        }
        for i, field in enumerate(fields):
            body[field] = property(itemgetter(i))
        found = _classes[name] = Named(name, (tuple,), body)
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


def _reduce(self: Any) -> Any:
    return type(self), (tuple(self), {})


def __getattr__(name: str) -> Any:
    found = _classes.get(name)
    if found is None and not name.startswith("_"):
        load_all()
        for overload in OVERLOADS.values():
            if overload.structure_name() == name:
                overload.analyse()
                found = overload.pack
                break
    if found is None:
        raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'")
    return found


def __dir__() -> list[str]:
    load_all()
    offered = [o for o in OVERLOADS.values() if o.base in FUNCTIONS or o.base in METHODS]
    return sorted(n for n in {o.structure_name() for o in offered} if n and n[0] != "_")
