"""Variables of equations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from .dispatch import dispatch
from .utils import hashable

#: Values that are variables for a while.
_glv: set[Any] = set()
_global_logic_variables = _glv


class Var:
    """A variable, known by its token; without one it is a new variable each time."""

    _id = 1

    def __new__(cls, *token: Hashable) -> Var:
        if len(token) == 0:
            token = (f"_{Var._id}",)
            Var._id += 1
        made = object.__new__(cls)
        (made.token,) = token
        return made

    token: Hashable

    def __str__(self) -> str:
        return f"~{self.token}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.token == other.token

    def __hash__(self) -> int:
        return hash((type(self), self.token))


def var() -> Callable[..., Var]:
    """What makes variables of tokens."""
    return lambda *args: Var(*args)


def vars() -> Callable[[int], list[Callable[..., Var]]]:
    """What gives as many makers of variables as it is asked for."""
    return lambda n: [var() for _ in range(n)]


@dispatch(Var)
def isvar(v: Any) -> bool:
    return True


@isvar.register(object)
def _is_declared(o: Any) -> bool:
    return hashable(o) and o in _glv


@contextmanager
def variables(*variables: Hashable) -> Iterator[None]:
    """Inside, these values are variables."""
    before = set(_glv)
    _glv.update(variables)
    try:
        yield
    finally:
        _glv.clear()
        _glv.update(before)
