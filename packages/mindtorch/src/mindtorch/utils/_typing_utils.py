"""Helpers for types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

T = TypeVar("T")
_P = ParamSpec("_P")
_R = TypeVar("_R")
_A1 = TypeVar("_A1")


def not_none(obj: T | None) -> T:
    """*obj*. Raises TypeError for None."""
    if obj is None:
        raise TypeError("Invariant encountered: value was None when it should not be")
    return obj


def copy_func_sig(source_func: Callable[_P, _R]) -> Callable[[Callable[..., _R]], Callable[_P, _R]]:
    """Give the decorated function the types of *source_func*."""

    def return_func(func: Callable[..., _R]) -> Callable[_P, _R]:
        return cast(Callable[_P, _R], func)

    return return_func


def copy_func_params(
    source_func: Callable[_P, Any],
) -> Callable[[Callable[..., _R]], Callable[_P, _R]]:
    """Give the decorated function the parameters of *source_func*."""

    def return_func(func: Callable[..., _R]) -> Callable[_P, _R]:
        return cast(Callable[_P, _R], func)

    return return_func


def copy_method_sig(
    source_method: Callable[Concatenate[_A1, _P], _R],
) -> Callable[[Callable[..., _R]], Callable[Concatenate[_A1, _P], _R]]:
    """Give the decorated method the types of *source_method*."""

    def return_func(func: Callable[..., _R]) -> Callable[Concatenate[_A1, _P], _R]:
        return cast(Callable[Concatenate[_A1, _P], _R], func)

    return return_func


def copy_method_params(
    source_method: Callable[Concatenate[Any, _P], Any],
) -> Callable[[Callable[..., _R]], Callable[Concatenate[_A1, _P], _R]]:
    """Give the decorated method the parameters of *source_method*."""

    def return_func(func: Callable[..., _R]) -> Callable[Concatenate[_A1, _P], _R]:
        return cast(Callable[Concatenate[_A1, _P], _R], func)

    return return_func
