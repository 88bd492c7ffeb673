"""``deprecated``: functions and classes that say so when they are used."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from .warning import warn

__all__ = ["deprecated"]

T = TypeVar("T", bound=Callable[..., Any])


def deprecated(message: str, category: type[Warning] | None = FutureWarning) -> Callable[[T], T]:
    """Decorate a function, or a class, that warns with *message* at each call.

    A subclass of the class does not warn when it is made into an object. The standard library has
    the same, but not in all versions of Python that this runs on. *category* None: no warning.
    """

    def mark(what: T) -> T:
        marked: Any = what
        if category is None:
            marked.__deprecated__ = message
            return what
        if isinstance(what, type):
            return cast(T, _deprecated_class(what, message, category))

        @functools.wraps(what)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            warn(message, category)
            return what(*args, **kwargs)

        made: Any = wrapper
        marked.__deprecated__ = made.__deprecated__ = message
        return cast(T, wrapper)

    return mark


def _deprecated_class(cls: Any, message: str, category: type[Warning]) -> Any:
    """*cls*, of which a new object warns."""
    cls.__signature__ = inspect.signature(cls)
    make = cls.__new__

    @functools.wraps(make)
    def new(klass: type, /, *args: Any, **kwargs: Any) -> Any:
        if klass is cls:
            warn(message, category)
        if make is object.__new__:  # which takes no arguments, where __init__ does
            return make(klass)
        return make(klass, *args, **kwargs)

    cls.__new__ = staticmethod(new)
    cls.__deprecated__ = message
    return cls
