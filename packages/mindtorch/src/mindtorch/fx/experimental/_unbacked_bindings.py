"""Where in the result of a call symbols stand that it makes, as they depend on data."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..._ops import ops
from ...aten.symbolic_numbers import SymBool, SymFloat, SymInt, sym_ite
from ...tensor import Tensor
from ...utils._pytree import SequenceKey, tree_leaves
from ..node import Node

__all__ = [
    "CallMethodKey",
    "ConvertIntKey",
    "DivideByKey",
    "InnerTensorKey",
    "PendingUnbackedSymbolNotFound",
    "bind",
    "bindings_of",
    "read_binding",
]


_NUMBERS = (SymInt, SymFloat, SymBool)


class PendingUnbackedSymbolNotFound(RuntimeError):
    """A call has made symbols that do not stand in its result."""


@dataclass(frozen=True)
class CallMethodKey:
    """What a method gives."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}()"

    def get(self, o: Any) -> Any:
        """What the method of *o* gives."""
        return getattr(o, self.name)()


@dataclass(frozen=True)
class InnerTensorKey:
    """An attribute of a tensor that is made of others."""

    inner_name: str

    def __str__(self) -> str:
        return f".{self.inner_name}"

    def get(self, o: Any) -> Any:
        """The attribute of *o*."""
        return getattr(o, self.inner_name)


@dataclass(frozen=True)
class ConvertIntKey:
    """A truth as a number."""

    def __str__(self) -> str:
        return ".cast_symbool_to_symint_guardless()"

    def get(self, b: bool) -> Any:
        """1 for what is true, 0 for what is not."""
        return sym_ite(b, 1, 0)


@dataclass(frozen=True)
class DivideByKey:
    """A factor of a number that is known to be a multiple."""

    divisor: Any

    def __str__(self) -> str:
        return f".__floordiv__({self.divisor})"

    def get(self, o: Any) -> Any:
        """*o* over the divisor."""
        return o // self.divisor


def _symbols(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The expressions in a result that may be symbols, and where they stand."""
    if isinstance(value, (tuple, list)):
        for i, item in enumerate(value):
            yield from _symbols(item, (*path, SequenceKey(i)))
    elif isinstance(value, Tensor):
        for name in ("size", "stride", "storage_offset"):
            yield from _symbols(getattr(value, name)(), (*path, CallMethodKey(name)))
    elif isinstance(value, (SymInt, SymFloat)):
        yield value.node._expr, path
        coefficient, factor = value.node._expr.as_coeff_Mul()
        if coefficient.is_Integer and coefficient != 1:
            yield factor, (*path, DivideByKey(int(coefficient)))
    elif isinstance(value, SymBool) and value.node._expr.is_Equality:
        symbol, one = value.node._expr.args
        if one == 1:
            yield symbol, (*path, ConvertIntKey())


def bindings_of(env: Any, result: Any, peek: bool = False) -> dict[Any, tuple[Any, ...]] | None:
    """Where the symbols of *env* stand that are new; None where there are none.

    :param peek: they stay new.

    Raises PendingUnbackedSymbolNotFound where one is not in *result*.
    """
    pending = list(env.pending_fresh_unbacked_symbols)
    if not peek:
        env.pending_fresh_unbacked_symbols.clear()
    if not pending:
        return None
    found: dict[Any, tuple[Any, ...]] = {}
    for expr, path in _symbols(result, ()):
        if expr in pending:
            pending.remove(expr)
            found[expr] = path
    if pending and not peek:
        extra = ""
        if isinstance(result, Tensor):
            extra = repr((result.stride(), result.storage_offset()))
        raise PendingUnbackedSymbolNotFound(
            f"Pending unbacked symbols {set(pending)} not in returned outputs {result} {extra}.\n"
            "Did you accidentally call new_dynamic_size() or item() more times "
            "than you needed to in your fake implementation?\n"
            "For more help, see https://docs.google.com/document/d/"
            "1RWrH-3wLEpzR9kCS6gGBNen_-Fs-8PVbWWFE5AcgeWE/edit"
        )
    return found


def bind(node: Node, result: Any) -> None:
    """Let *node* know which symbols it makes, and where they stand in its result."""
    leaves = tree_leaves(result)
    modes = (getattr(leaf, "fake_mode", None) for leaf in leaves)
    envs = (mode.shape_env for mode in modes if mode is not None)
    numbers = (leaf.node.shape_env for leaf in leaves if isinstance(leaf, _NUMBERS))
    env = next((env for env in (*envs, *numbers) if env is not None), None)
    found = None if env is None else bindings_of(env, result)
    if found:
        node.meta["unbacked_bindings"] = found


def read_binding(made: Callable[..., Node], node: Node, path: tuple[Any, ...]) -> Node:
    """The node that reads the symbol at *path* in the result of *node*.

    :param made: makes the node of a function and its arguments, at the place of another, with a
        name if it has one.
    """
    keys = list(path)
    while keys:
        key = keys.pop(0)
        if isinstance(key, CallMethodKey) and key.name in ("size", "stride"):
            target = getattr(ops.aten, f"sym_{key.name}").int
            node = made(target, (node, keys.pop(0).idx), node, f"sym_{key.name}_int")
        elif isinstance(key, CallMethodKey):
            node = made(
                ops.aten.sym_storage_offset.default, (node,), node, "sym_storage_offset_default"
            )
        elif isinstance(key, SequenceKey):
            node = made(operator.getitem, (node, key.idx), node)
        elif isinstance(key, ConvertIntKey):
            node = made(sym_ite, (node, 1, 0), node)
        elif isinstance(key, DivideByKey):
            node = made(operator.floordiv, (node, key.divisor), node)
        else:
            node = made(getattr, (node, key.inner_name), node)
    return node
