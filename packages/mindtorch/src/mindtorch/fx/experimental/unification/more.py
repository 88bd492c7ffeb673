"""Equations of objects: by their class and attributes."""

from __future__ import annotations

from typing import Any

from .core import reify, unify
from .dispatch import namespace

__all__ = ["reify_object", "unifiable", "unify_object"]


def unifiable(cls: type) -> type:
    """A decorator: objects of the class are unified and reified by their attributes."""
    for name, signature, function in (
        ("_unify", (cls, cls, dict), unify_object),
        ("_reify", (cls, dict), reify_object),
    ):
        namespace[name].add(signature, function)
    return cls


def _state(o: Any) -> Any:
    """What an object is made of."""
    if hasattr(o, "__slots__"):
        return tuple(getattr(o, name) for name in o.__slots__)
    return o.__dict__


def reify_object(o: Any, s: dict[Any, Any]) -> Any:
    """The object with the variables among its attributes replaced by their values in *s*."""
    before = _state(o)
    after = reify(before, s)
    if after == before:
        return o
    made = object.__new__(type(o))
    named = zip(o.__slots__, after, strict=True) if isinstance(after, tuple) else after.items()
    for name, value in named:
        setattr(made, name, value)
    return made


def unify_object(u: Any, v: Any, s: dict[Any, Any]) -> Any:
    """The values of variables with which two objects of one class have equal attributes."""
    return unify(_state(u), _state(v), s) if type(u) is type(v) else False
