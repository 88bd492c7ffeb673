"""Arguments that do not fit the function: a compiled one raises RuntimeError, before it runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["call"]

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call *function* as compiled. Raises RuntimeError for arguments that it does not take."""
    try:
        return function(*args, **kwargs)
    except TypeError:
        if text := misfit(function, args, kwargs):
            raise RuntimeError(text) from None
        raise  # something else, inside


def misfit(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Why *function* cannot be called with these arguments, or nothing.

    A method of an instance counts the instance, as its schema does.
    """
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # nothing is known of it
        return ""
    if any(each.kind in _REST for each in parameters.values()):
        return ""
    name = getattr(function, "__name__", "forward")
    name = "_lambda" if name == "<lambda>" else name
    positional = [n for n, each in parameters.items() if each.kind in _POSITIONAL]
    count = len(args) + len(kwargs)
    if count > len(parameters) or len(args) > len(positional):
        own = int(inspect.ismethod(function))
        return (
            f"{name}() expected at most {len(parameters) + own} argument(s) but received "
            f"{count + own} argument(s)."
        )
    given = positional[: len(args)]
    for each in given:
        if each in kwargs:
            return f"Argument '{each}' specified both as positional and keyword argument."
    for each, parameter in parameters.items():
        if parameter.default is parameter.empty and each not in given and each not in kwargs:
            return f"{name}() is missing value for argument '{each}'."
    unknown = [each for each in kwargs if each not in parameters]
    return f"Unknown keyword argument '{unknown[0]}' for operator '{name}'." if unknown else ""
