"""What an op does under a mode or on a subclass: rules of ``register_torch_dispatch``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Rules", "find_rule", "rules_of"]


class Rules:
    """The rules of one op, by mode or subclass."""

    __slots__ = ("known", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.known: dict[type, Callable[..., Any]] = {}

    def register(self, kind: type, fn: Callable[..., Any]) -> Callable[[], None]:
        """Register *fn* for *kind*; gives back what takes it back. One rule each."""
        if kind in self.known:
            raise RuntimeError(
                f"{kind} already has a `__torch_dispatch__` rule registered for {self.name}"
            )
        self.known[kind] = fn
        return lambda: self.known.pop(kind, None) and None


_rules: dict[str, Rules] = {}


def rules_of(name: str) -> Rules:
    """The rules of the op *name* (qualified, with overload)."""
    found = _rules.get(name)
    if found is None:
        found = _rules[name] = Rules(name)
    return found


def find_rule(name: str, kind: type) -> Callable[..., Any] | None:
    """The rule of the op *name* for a mode or subclass: ``fn(obj, func, types, args, kwargs)``."""
    rules = _rules.get(name)
    return None if rules is None else rules.known.get(kind)
