"""What is computed of sizes in a graph: once for each expression, of the sizes of its inputs.

Checks of numbers that depend on data come behind what gives these numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from ..._ops import ops
from ...aten.symbolic_numbers import SymBool, SymFloat, SymInt, sym_max, sym_min, sym_not
from ...tensor import Tensor
from ..experimental._symbolic_context import LARGEST_SIZE
from ..experimental._unbacked_bindings import read_binding
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
        self.asserts: dict[Any, list[Any]] = {
            s: list(found) for s, found in shape_env.deferred_runtime_asserts.items()
        }
        #: What is checked already.
        self.checked: set[Any] = set()
        #: The symbols that depend on data whose ranges are checked.
        self.bounded: set[Any] = set()

    def rewrite(self) -> None:
        """Go through the nodes in order."""
        nodes = list(self.graph.nodes)
        inputs = [node for node in nodes if node.op == "placeholder"]
        first = next((node for node in nodes if node.op != "placeholder"), None)
        for node, after in zip(nodes, nodes[1:], strict=False):
            with self.graph.inserting_before(first if node.op == "placeholder" else after):
                if node in inputs:
                    self._read(node)
                    continue
                if node == first:
                    self._check(self.asserts.pop(None, ()), node)  # those of no symbol
                if node.target is ops.aten._assert_scalar.default and self._forget(node):
                    continue
                self._once(node)
                if node.target in _PROMISES:
                    self.graph.erase_node(node)
                    continue
                self._define(node)
        for expr, node in self.known.items():
            if expr.is_Symbol and node.op != "placeholder" and not node.users:
                self.graph.erase_node(node)
        self._merge_parts()
        self._forget_settled()

    def _forget_settled(self) -> None:
        """No node makes a symbol that is a number by now."""
        for node in self.graph.nodes:
            made = node.meta.get("unbacked_bindings") or {}
            kept = {s: path for s, path in made.items() if not self.env.replace(s).is_number}
            if len(kept) < len(made):
                node.meta.pop("unbacked_bindings")
                node.meta.update({"unbacked_bindings": kept} if kept else {})

    def _merge_parts(self) -> None:
        """Read each part of a result once: it may be read for its symbols, too."""
        found: dict[tuple[Any, ...], Node] = {}
        for node in self.graph.find_nodes(op="call_function", target=operator.getitem):
            first = found.setdefault(node.args, node)
            if first is not node:
                node.replace_all_uses_with(first)
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

    def _forget(self, node: Node) -> bool:
        """Whether a check is one that was made before, or none: it is taken out then."""
        cond = node.args[0]
        value = cond.meta.get("val") if isinstance(cond, Node) else cond
        if isinstance(value, SymBool):
            expr = value.node.expr
            if expr not in self.known or expr not in self.checked:
                self.checked.add(expr)
                return False
        elif value is not True:
            return False
        self.graph.erase_node(node)
        if isinstance(cond, Node) and not cond.users:
            self.graph.erase_node(cond)
        return True

    def _define(self, node: Node) -> None:
        """Read the symbols that *node* makes, and check what is known of them."""
        bindings = self._bindings(node)
        for symbol, path in bindings.items():
            if symbol not in self.known:
                self.known[symbol] = read_binding(self._reader, node, path)
        for symbol in bindings:
            if symbol not in self.bounded:
                self._bound(symbol, node)
                self.bounded.add(symbol)
                self._check(self.asserts.pop(symbol, ()), node)

    def _bindings(self, node: Node) -> dict[Any, Any]:
        """Where the symbols that *node* makes stand in its result, by the names they have now."""
        made = node.meta.get("unbacked_bindings") or {}
        return {self.env.renamed.get(symbol, symbol): path for symbol, path in made.items()}

    def _reader(
        self, target: Callable[..., Any], args: tuple[Any, ...], like: Node, name: str = ""
    ) -> Node:
        """A node that knows its value."""
        made = self._made(target, args, like, name)
        made.meta["val"] = target(
            *(arg.meta["val"] if isinstance(arg, Node) else arg for arg in args)
        )
        return made

    def _bound(self, symbol: Any, node: Node) -> None:
        """Check that a symbol is in its range."""
        known = self.env.var_to_range[symbol]
        for end, relation in ((known.lower, operator.ge), (known.upper, operator.le)):
            if abs(end) != float("inf") and end != LARGEST_SIZE:
                self._assert(relation(symbol, end), node)

    def _assert(self, expr: Any, node: Node) -> None:
        cond = self._computed(expr, node)
        told = f"Runtime assertion failed for expression {expr} on node '{cond}'"
        made = self._made(ops.aten._assert_scalar.default, (cond, told), node)
        made.meta["val"] = None
        self.checked.add(expr)

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
        if self.known.keys() >= self._bindings(node).keys() and (
            expr in self.known or read and self.known.keys() >= expr.free_symbols
        ):
            found = self._computed(expr, node) if read else self.known[expr]
            node.replace_all_uses_with(found)
            self.graph.erase_node(node)
        elif not plain:
            self.known.setdefault(expr, node)

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
        function = _FUNCTIONS[type(expr).__name__]
        if not isinstance(parts[0], Node) and function in _REFLECTED:  # as Python asks a symbol
            function, parts = _REFLECTED[function], parts[::-1]
        made = parts[0]
        if len(parts) == 1:
            made = self._reader(function, (made,), like)
        for part in parts[1:]:
            made = self._reader(function, (made, part), like)
        self.known[expr] = made
        return made

    def _check(self, asserts: Iterable[Any], node: Node) -> None:
        """Check what was taken for granted of symbols."""
        for found in asserts:
            free = found.expr.free_symbols
            bound = _is_bound(found.expr) and free <= self.bounded
            if bound or found.expr in self.checked or not _is_told(found.expr):
                continue
            missing = free - self.known.keys()
            if missing:
                self.asserts.setdefault(min(missing, key=str), []).append(found)
            else:
                self._assert(found.expr, node)


def _is_bound(expr: Any) -> bool:
    """Whether a truth says nothing but that a symbol is in a range."""
    if type(expr).__name__ not in ("LessThan", "GreaterThan"):
        return False
    left, right = expr.args
    return left.is_Symbol and right.is_Number or left.is_Number and right.is_Symbol


def _is_told(expr: Any) -> bool:
    """Whether nodes can compute an expression."""
    if expr.is_Atom:
        return True
    return type(expr).__name__ in _FUNCTIONS and all(map(_is_told, expr.args))


#: What says that a number is in a range, which is checked anyway.
_PROMISES = (
    ops.aten.sym_constrain_range.default,
    ops.aten.sym_constrain_range_for_size.default,
)
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
#: What Python asks of the right side where the left one is a plain number.
_REFLECTED = {
    operator.eq: operator.eq,
    operator.ne: operator.ne,
    operator.le: operator.ge,
    operator.lt: operator.gt,
    operator.ge: operator.le,
    operator.gt: operator.lt,
}
