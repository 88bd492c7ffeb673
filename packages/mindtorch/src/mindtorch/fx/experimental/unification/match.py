"""Functions of which the values of the arguments choose the implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .core import reify, unify
from .multipledispatch.conflict import in_order
from .utils import freeze
from .variable import isvar


class Dispatcher:
    """A function with an implementation for each pattern: values, and variables for any value."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.funcs: dict[Any, Callable[..., Any]] = {}
        self.ordering: list[Any] = []

    def add(self, signature: tuple[Any, ...], func: Callable[..., Any]) -> None:
        """Let *func* be the implementation for a pattern."""
        self.funcs[freeze(signature)] = func
        self.ordering = ordering(self.funcs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        func, _ = self.resolve(args)
        return func(*args, **kwargs)

    def resolve(self, args: tuple[Any, ...]) -> tuple[Callable[..., Any], dict[Any, Any]]:
        """The implementation for *args*, and what the variables of its pattern are.

        Raises NotImplementedError where no pattern fits.
        """
        given = freeze(args)
        for signature in self.ordering:
            if len(signature) == len(args):
                found = unify(given, signature)
                if found is not False:
                    return self.funcs[signature], found
        raise NotImplementedError(
            f"No match found. \nKnown matches: {self.ordering}\nInput: {args}"
        )

    def register(self, *signature: Any) -> Callable[[Callable[..., Any]], Dispatcher]:
        """A decorator: the function is the implementation for a pattern."""

        def decorate(func: Callable[..., Any]) -> Dispatcher:
            self.add(signature, func)
            return self

        return decorate


class VarDispatcher(Dispatcher):
    """The same; implementations are called with the variables of their pattern, by name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        func, found = self.resolve(args)
        return func(**{variable.token: value for variable, value in found.items()})


global_namespace: dict[str, Any] = {}


def match(*signature: Any, **kwargs: Any) -> Callable[..., Any]:
    """A decorator: the function is what its name means for arguments of a pattern.

    :param namespace: where the functions are found by their names.
    :param Dispatcher: the class of them.
    """
    namespace = kwargs.get("namespace", global_namespace)
    kind = kwargs.get("Dispatcher", Dispatcher)

    def decorate(func: Callable[..., Any]) -> Any:
        found = namespace.setdefault(func.__name__, kind(func.__name__))
        found.add(signature, func)
        return found

    return decorate


def supercedes(a: Any, b: Any) -> bool:
    """Whether the pattern *a* is narrower than *b*."""
    free = isvar(b) and not isvar(a)
    found = {} if free else unify(a, b)
    if free or found is False:
        return free
    values = {key: value for key, value in found.items() if not (isvar(key) and isvar(value))}
    return bool(reify(a, values) == a)


def edge(a: Any, b: Any, tie_breaker: Callable[[Any], int] = hash) -> bool:
    """Whether *a* is to be tried before *b*; *tie_breaker* decides where neither is narrower."""
    if not supercedes(a, b):
        return False
    return not supercedes(b, a) or tie_breaker(a) > tie_breaker(b)


def ordering(signatures: Iterable[Any]) -> list[Any]:
    """The patterns in an order in which the narrower come first."""
    return in_order(list(signatures), edge)
