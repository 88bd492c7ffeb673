"""``dispatch``: a decorator that adds an implementation to a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .dispatcher import Dispatcher, MethodDispatcher

__all__ = ["dispatch", "ismethod"]

global_namespace: dict[str, Dispatcher] = {}


def dispatch(*types: Any, **kwargs: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator: the function is what its name means for arguments of these types.

    :param namespace: where the functions are found by their names.
    """
    namespace = kwargs.get("namespace", global_namespace)

    def decorate(func: Callable[..., Any]) -> Any:
        name = func.__name__
        if ismethod(func):
            # The class is being defined: what it has by that name stands among its names.
            frame = inspect.currentframe()
            assert frame is not None and frame.f_back is not None
            found = frame.f_back.f_locals.get(name, MethodDispatcher(name))
        else:
            found = namespace.setdefault(name, Dispatcher(name))
        found.add(types, func)
        return found

    return decorate


def ismethod(func: Callable[..., Any]) -> bool:
    """Whether a function is written as a method: its first parameter is ``self``."""
    try:
        parameters = list(inspect.signature(func).parameters)
    except ValueError:
        return False
    return parameters[:1] == ["self"]
