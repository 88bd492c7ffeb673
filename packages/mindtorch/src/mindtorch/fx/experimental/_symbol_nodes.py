"""Which nodes of a graph compute the symbols of sizes.

Sizes are read when one is needed, and not before; what is computed of them is written down at once,
and what nobody used is taken out in the end.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from ..._ops import ops
from ...aten.symbolic_numbers import SymBool, SymFloat, SymInt, of_node, sym_max, sym_min
from ...utils import _pytree as pytree
from ..graph import Graph
from ..node import Node

__all__ = ["SymbolNodes", "inside_operator", "py_sym_types", "symbols_in_builtins"]

#: The classes of numbers that are symbols.
py_sym_types = (SymInt, SymFloat, SymBool)


def inside_operator(args: Any, kwargs: Any) -> AbstractContextManager[Any]:
    """A block in which an operator of these arguments asks for sizes, and not the program."""
    for leaf in pytree.tree_leaves((args, kwargs)):
        mode = getattr(leaf, "fake_mode", None)
        env = getattr(mode, "shape_env", None)
        if env is not None:
            return env.inside_operator()
    return nullcontext()


class SymbolNodes:
    """The nodes of *graph* that symbolic numbers come from.

    A symbol is known by its node in the environment: a size that is handed on from tensor to
    tensor is read from the first one.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._made: dict[int, Callable[[], Any]] = {}
        self._nodes: dict[int, Any] = {}
        self._kept: list[Any] = []  # no id is used twice
        #: What each node of the graph that has been made here says of itself.
        self.describe: Callable[[], dict[str, Any]] = dict
        #: The node of a tensor.
        self.tensor_node: Callable[[Any], Any] = lambda value: None
        self._computed: list[Node] = []

    def _known(self, sym_node: Any, make: Callable[[], Any]) -> None:
        if id(sym_node) not in self._made:
            self._made[id(sym_node)] = make
            self._kept.append(sym_node)

    def of_tensor(self, value: Any, node: Node) -> None:
        """The sizes of a tensor, which *node* gives, can be read from it."""
        layout = getattr(value, "symbols", None)
        if layout is None:
            return
        for name, numbers in (("sym_size", layout.sizes), ("sym_stride", layout.strides)):
            for dim, number in enumerate(numbers):
                if isinstance(number, SymInt):
                    self._known(number.node, self._reader(name, node, dim, number))

    def _reader(self, name: str, node: Node, dim: int, number: Any) -> Callable[[], Node]:
        def read() -> Node:
            operator = getattr(ops.aten, name).int
            made = self.graph.call_function(operator, (node, dim), name=f"{name}_int")
            made.meta["val"] = number
            made.meta.update(self.describe())
            self._computed.append(made)
            return made

        return read

    def of_number(self, value: Any, node: Node) -> None:
        """A symbolic number that *node* gives."""
        node.meta["val"] = value
        self._known(value.node, lambda: node)

    def computed(self, function: Callable[..., Any], operands: tuple[Any, ...], made: Any) -> None:
        """The symbol *made* is what a function gives of others."""
        if id(made) in self._made:
            return
        arguments = tuple(self._argument(operand) for operand in operands)
        node = self.graph.call_function(function, arguments)
        node.meta["val"] = of_node(made)
        node.meta.update(self.describe())
        self._computed.append(node)
        self._known(made, lambda: node)

    def counted(self, value: Any, number: Any) -> None:
        """*number* is the number of elements of a tensor that has a node."""
        node = self.tensor_node(value)
        if node is None:
            return

        def count() -> Node:
            made = self.graph.call_function(ops.aten.sym_numel.default, (node,))
            made.meta["val"] = number
            return made

        self._known(number.node, count)

    def finish(self) -> None:
        """Take out what nobody used."""
        for node in reversed(self._computed):
            if not node.users:
                self.graph.erase_node(node)
        self._computed.clear()

    def _argument(self, operand: Any) -> Any:
        return operand.constant if operand.constant is not None else self._of(operand)

    def node_of(self, value: Any) -> Any:
        """The node that gives a symbolic number; a number itself where it is one by now."""
        return self._of(value.node)

    def _of(self, sym_node: Any) -> Any:
        found = self._nodes.get(id(sym_node))
        if found is None:
            make = self._made.get(id(sym_node))
            if make is None:
                expr = sym_node.expr
                if expr.is_number or expr.is_Boolean:
                    return sym_node.pytype(expr)
                make = self._alike(expr)
            found = self._nodes[id(sym_node)] = make()
        return found

    def _alike(self, expr: Any) -> Callable[[], Any]:
        """What gives another symbol of the same expression. Raises RuntimeError for none."""
        for known in self._kept:
            if known.expr == expr:
                return lambda: self._of(known)
        raise RuntimeError(f"{expr} is not tracked with proxy for {self.graph.owning_module}")


@contextmanager
def symbols_in_builtins() -> Iterator[None]:
    """Inside, ``max`` and ``min`` of a symbol and another number are symbols, too."""
    before = builtins.max, builtins.min

    def of_two(plain: Callable[..., Any], symbolic: Callable[[Any, Any], Any]) -> Any:
        def function(*args: Any, **kwargs: Any) -> Any:
            symbols = [a for a in args if isinstance(a, SymInt)]
            if symbols and len(args) == 2 and not symbols[0].node.is_inside_operator():
                return symbolic(*args)
            return plain(*args, **kwargs)

        return function

    builtins.max = of_two(before[0], sym_max)
    builtins.min = of_two(before[1], sym_min)
    try:
        yield
    finally:
        builtins.max, builtins.min = before
