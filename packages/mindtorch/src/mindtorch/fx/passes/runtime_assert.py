"""What is computed of sizes in a graph: once for each expression, of the sizes of its inputs.

Checks of numbers that depend on data come behind what gives these numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..._ops import ops
from ...aten.symbolic_numbers import SymBool, SymFloat, SymInt, of_node, sym_max, sym_min, sym_not
from ...tensor import Tensor
from ..graph_module import GraphModule
from ..node import Node

__all__ = ["insert_deferred_runtime_asserts"]

_SYMBOLS = (SymInt, SymFloat, SymBool)
#: What nodes that are made for others take over from them.
_PLACE = ("stack_trace", "nn_module_stack", "custom")


def insert_deferred_runtime_asserts(
    gm: GraphModule, shape_env: Any, name: str, export: bool = False
) -> None:
    """Let *gm* compute each expression of sizes once, and check what *shape_env* took for granted.

    :param name: of the graph, for logs.
    """
    _Sizes(gm, shape_env).rewrite()


class _Sizes:
    def __init__(self, gm: GraphModule, shape_env: Any) -> None:
        self.graph, self.env = gm.graph, shape_env
        #: The node that gives each expression.
        self.known: dict[Any, Any] = {}
        self.asserts = {s: list(found) for s, found in shape_env.deferred_runtime_asserts.items()}

    def rewrite(self) -> None:
        """Go through the nodes in order."""
        nodes = list(self.graph.nodes)
        inputs = [node for node in nodes if node.op == "placeholder"]
        first = next((node for node in nodes if node.op != "placeholder"), None)
        for node, after in zip(nodes, nodes[1:], strict=False):
            before = first if node in inputs else after
            with self.graph.inserting_before(before):
                if node in inputs:
                    self._read(node)
                else:
                    self._once(node)
        for expr, node in self.known.items():
            if expr.is_Symbol and node.op != "placeholder" and not node.users:
                self.graph.erase_node(node)

    def _read(self, node: Node) -> None:
        """Read the symbols that an input brings."""
        value = node.meta.get("val")
        if isinstance(value, SymInt) and value.node._expr.is_Symbol:
            self.known.setdefault(value.node._expr, node)
        if not isinstance(value, Tensor):
            return
        for kind, sizes in (("sym_size", value.shape), ("sym_stride", value.stride())):
            for dim, size in enumerate(sizes):
                if isinstance(size, SymInt) and size.node._expr.is_Symbol:
                    if size.node._expr not in self.known:
                        target = getattr(ops.aten, kind).int
                        made = self._made(target, (node, dim), node, f"{kind}_int")
                        made.meta["val"] = size
                        self.known[size.node._expr] = made

    def _made(
        self, target: Callable[..., Any], args: tuple[Any, ...], like: Node, name: str = ""
    ) -> Node:
        made = self.graph.call_function(target, args, name=name or None)
        made.meta.update({key: like.meta[key] for key in _PLACE if key in like.meta})
        return made

    def _once(self, node: Node) -> None:
        """Let one node stand for all that give its expression."""
        value = node.meta.get("val")
        if not isinstance(value, _SYMBOLS):
            return
        expr = value.node.expr
        plain = expr.is_number or expr.is_Boolean and not expr.free_symbols
        read = not plain and any(
            isinstance(arg, Node)
            and isinstance(arg.meta.get("val"), Tensor)
            and arg.op != "placeholder"
            for arg in node.args
        )
        if expr in self.known or read and self.known.keys() >= expr.free_symbols:
            found = self._computed(expr, node) if read else self.known[expr]
            node.replace_all_uses_with(found)
            self.graph.erase_node(node)
        elif not plain:
            self.known[expr] = node
        for symbol in expr.free_symbols if expr.is_Symbol else ():
            self._check(symbol, node)

    def _computed(self, expr: Any, like: Node) -> Any:
        """The node that gives *expr*, made of those that give its parts."""
        found = self.known.get(expr)
        if found is not None:
            return found
        if expr.is_number:
            return int(expr) if expr.is_integer else float(expr)
        if expr.is_Boolean and not expr.args:
            return bool(expr)
        parts = [self._computed(arg, like) for arg in expr.args]
        made = parts[0]
        function = _FUNCTIONS[type(expr).__name__]
        if len(parts) == 1:
            made = self._made(function, (made,), like)
        for i, part in enumerate(parts[1:], 2):
            made = self._made(function, (made, part), like)
            made.meta["val"] = self._value(expr.func(*expr.args[:i]))
        made.meta["val"] = self._value(expr)
        self.known[expr] = made
        return made

    def _value(self, expr: Any) -> Any:
        from ..experimental.sym_node import SymNode

        kind = bool if expr.is_Boolean else int if expr.is_integer else float
        return of_node(SymNode(expr, self.env, kind))

    def _check(self, symbol: Any, node: Node) -> None:
        """Check what was taken for granted of a symbol that depends on data."""
        for found in self.asserts.pop(symbol, ()):
            if not self.known.keys() >= found.expr.free_symbols:
                last = max(found.expr.free_symbols - self.known.keys(), key=str)
                self.asserts.setdefault(last, []).append(found)
                continue
            cond = self._computed(found.expr, node)
            told = f"Runtime assertion failed for expression {found.expr} on node '{cond}'"
            self._made(ops.aten._assert_scalar.default, (cond, told), node)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "Add": operator.add,
    "Mul": operator.mul,
    "Pow": operator.pow,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "PythonMod": operator.mod,
    "IntTrueDiv": operator.truediv,
    "FloatTrueDiv": operator.truediv,
    "Max": sym_max,
    "Min": sym_min,
    "Not": sym_not,
    "Equality": operator.eq,
    "Unequality": operator.ne,
    "LessThan": operator.le,
    "StrictLessThan": operator.lt,
    "GreaterThan": operator.ge,
    "StrictGreaterThan": operator.gt,
    "And": operator.and_,
    "Or": operator.or_,
}
