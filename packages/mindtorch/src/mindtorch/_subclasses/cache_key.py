"""Numbers that are computed of sizes, as they stand in what a call of an operator is known by.

Such numbers are equal as objects alone; here they are by what they are computed of. A number that
came before stands as the place where it did, and results are told by places, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..aten.symbolic_numbers import SymInt
from ..fx.experimental._symbolic_context import with_sympy

__all__: list[str] = []


@dataclass(frozen=True, slots=True)
class _InputBackref:
    """The place in the key where the same number came first."""

    value: int


def _told_by(node: Any) -> tuple[Any, ...]:
    return node._expr, node.pytype, node.constant


class _PySymInputStub:
    """A number in a key: equal where what it is computed of is."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"_PySymInputStub({self.value!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _PySymInputStub):
            return False
        return _told_by(self.value.node) == _told_by(other.value.node)

    def __hash__(self) -> int:
        return hash(_told_by(self.value.node))


class _SymIntOutputStub:
    """A number in a result: where it stands in the key, or what it is computed of."""

    __slots__ = ("value",)

    def __init__(self, value: SymInt, key_path: int | None) -> None:
        node = value.node
        self.value: Any = key_path
        if key_path is None:
            self.value = (node._expr, node.pytype, node.constant)

    def extract(self, key: Any, shape_env: Any) -> Any:
        """The number, of the call with *key* and in *shape_env*."""
        if isinstance(self.value, int):
            return key.key[self.value].value
        expr, pytype, constant = self.value
        nodes = with_sympy("mindtorch.fx.experimental.sym_node")
        return SymInt(nodes.SymNode(expr, shape_env, pytype, None, constant))


class _CacheKeyState:
    """What is known while a key is put together.

    :ivar sym_node_lookup: the identity of a number's node -> the place where it came first.
    :ivar known_symbols: the symbols of all of them.
    """

    __slots__ = ("known_symbols", "shape_env", "sym_node_lookup")

    def __init__(self, shape_env: Any = None) -> None:
        self.sym_node_lookup: dict[int, int] = {}
        self.known_symbols: set[Any] = set()
        self.shape_env = shape_env

    def cache_on_shape_env(self) -> bool:
        """Whether the key holds for the environment of its symbols alone."""
        return bool(self.sym_node_lookup)

    def convert_sym_int(self, result: list[Any], arg: SymInt) -> None:
        """Put *arg* at the end of *result*."""
        place = self.sym_node_lookup.get(id(arg.node))
        if place is not None:
            result.append(_InputBackref(place))
            return
        self.sym_node_lookup[id(arg.node)] = len(result)
        self.known_symbols |= arg.node.expr.free_symbols
        self.shape_env = self.shape_env or arg.node.shape_env
        result.append(_PySymInputStub(arg))

    def convert_output(self, arg: Any) -> Any:
        """*arg* of a result, without its environment."""
        if not isinstance(arg, SymInt):
            return arg
        return _SymIntOutputStub(arg, self.sym_node_lookup.get(id(arg.node)))
