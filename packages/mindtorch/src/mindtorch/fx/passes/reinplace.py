"""Functional programs made to change tensors in place, where nobody can tell the difference."""

from __future__ import annotations

import itertools
import operator
from typing import Any

from ..._ops import OpOverload, ops
from ..._subclasses.fake_tensor import FakeTensorMode
from ...tensor import Tensor
from .._compatibility import compatibility
from ..graph_module import GraphModule
from ..node import Node
from .fake_tensor_prop import FakeTensorProp

__all__ = ["reinplace"]

#: Operators that put something into a view of a tensor -> the operators that make the view.
_VIEW_OF_SCATTER = {
    "aten.diagonal_scatter.default": "aten.diagonal.default",
    "aten.select_scatter.default": "aten.select.int",
    "aten.slice_scatter.default": "aten.slice.Tensor",
    "aten.as_strided_scatter.default": "aten.as_strided.default",
}


@compatibility(is_backward_compatible=True)
def reinplace(gm: GraphModule, *sample_args: Any) -> GraphModule:
    """Let operators change their first argument in place, where nothing else needs it; gives *gm*.

    An operator does so if its result has the dtype and size of the argument, the argument's memory
    is not an input's, not another argument's, without overlaps, and not used afterwards. What puts
    the result of a changed view into its base is taken out.

    :param gm: a functional program of operators, as ``make_fx(functionalize(f))`` makes it.
    :param sample_args: inputs, for the shapes of all results.
    """
    # Constants of the program have data, inputs have none.
    FakeTensorProp(gm, FakeTensorMode(allow_non_fake_inputs=True)).propagate(*sample_args)
    memory = _Memory(gm)
    for node in list(gm.graph.nodes):
        if node._erased:
            continue
        target, changed = _in_place(node), node.args[0] if node.args else None
        if target is None or not isinstance(changed, Node):
            continue
        if not _fits(node, changed) or not memory.is_free(node, changed):
            continue
        scatters = _scatters(node, changed)
        if not all(_is_overwritten(user, scatters) for user in memory.later_users(node, changed)):
            continue
        node.target = target
        for scatter, base in {node: changed, **scatters}.items():
            scatter.replace_all_uses_with(base, delete_user_cb=lambda user, n=node: user is not n)
            memory.join(scatter, base)
        for scatter in reversed(scatters):
            gm.graph.erase_node(scatter)
    gm.recompile()
    return gm


class _Memory:
    """Which nodes give tensors of the same memory."""

    def __init__(self, gm: GraphModule) -> None:
        self.of: dict[Node, int] = {}
        self.place = {node: i for i, node in enumerate(gm.graph.nodes)}
        numbers = itertools.count()
        for node in gm.graph.nodes:
            self.of[node] = next(numbers)
            for arg in _viewed(node):
                self.join(arg, node)
        self.inputs = {self.of[node] for node in gm.graph.nodes if node.op == "placeholder"}

    def join(self, one: Node, other: Node) -> None:
        """Let all nodes of the memory of *one* have that of *other*."""
        before, after = self.of[one], self.of[other]
        for node, number in self.of.items():
            if number == before:
                self.of[node] = after
        if before in getattr(self, "inputs", ()):
            self.inputs.add(after)

    def is_free(self, node: Node, changed: Node) -> bool:
        """Whether the memory of *changed* is no input's, and once among the arguments."""
        memory = self.of[changed]
        given = [arg for arg in _flat(node) if isinstance(arg, Node)]
        return memory not in self.inputs and sum(self.of[arg] == memory for arg in given) == 1

    def later_users(self, node: Node, changed: Node) -> list[Node]:
        """The nodes after *node* that use memory of *changed*."""
        memory = self.of[changed]
        return [
            user
            for alias, number in self.of.items()
            if number == memory and not alias._erased
            for user in alias.users
            if self.place[user] > self.place[node]
        ]


def _flat(node: Node) -> list[Any]:
    """All arguments, those in lists too; a node twice that is there twice."""
    found: list[Any] = []
    waiting = [*node.args, *node.kwargs.values()]
    while waiting:
        each = waiting.pop()
        waiting += each if isinstance(each, (list, tuple)) else ()
        found.append(each)
    return found


def _viewed(node: Node) -> list[Node]:
    """The arguments that the result is, or is a view of."""
    if node.target is operator.getitem:
        return [arg for arg in node.args[:1] if isinstance(arg, Node)]
    if not isinstance(node.target, OpOverload):
        return []
    schema: Any = node.target._schema
    if all(each.alias_info is None for each in schema.returns):
        return []
    named = zip(schema.arguments, node.args, strict=False)
    return [arg for said, arg in named if said.alias_info is not None and isinstance(arg, Node)]


def _in_place(node: Node) -> Any:
    """The operator that does the same in place; None where there is none."""
    target = node.target
    if node.op != "call_function" or not isinstance(target, OpOverload) or _viewed(node):
        return None
    packet = getattr(ops.aten, f"{target.overloadpacket.__name__}_", None)
    found = getattr(packet, target._overloadname, None)
    if found is None or not target._schema.arguments:
        return None
    own, other = (
        [(arg.name, str(arg.type)) for arg in schema.arguments]
        for schema in (target._schema, found._schema)
    )
    first = found._schema.arguments[0].alias_info
    return found if own == other and first is not None and first.is_write else None


def _fits(node: Node, changed: Node) -> bool:
    """Whether the result has the dtype and size of what would be changed, which has no overlaps."""
    made, given = node.meta.get("val"), changed.meta.get("val")
    if not isinstance(made, Tensor) or not isinstance(given, Tensor):
        return False
    overlaps = any(
        size > 1 and stride == 0 for size, stride in zip(given.shape, given.stride(), strict=True)
    )
    return made.dtype == given.dtype and made.numel() == given.numel() and not overlaps


def _scatters(node: Node, changed: Node) -> dict[Node, Node]:
    """The nodes that put the result of *node* back where *changed* is a view: their bases.

    A base may be a view itself, which is put back in the same way.
    """
    found: dict[Node, Node] = {}
    at, view = node, changed
    while True:
        step = next((user for user in at.users if _puts_back(user, at, view)), None)
        if step is None:
            return found
        base: Any = step.args[0]
        found[step] = base
        at, view = step, base


def _puts_back(scatter: Node, part: Node, view: Node) -> bool:
    """Whether *scatter* puts *part* into the base of *view*, where *view* is."""
    made_by = _VIEW_OF_SCATTER.get(str(scatter.target))
    if made_by is None or str(view.target) != made_by or scatter.args[1] is not part:
        return False
    same_place = scatter.args[2:] == view.args[1:] and scatter.kwargs == view.kwargs
    return same_place and _is_same_view(scatter.args[0], view.args[0])


def _is_same_view(one: Any, other: Any) -> bool:
    """Whether two nodes are one, or make the same view of one."""
    if one is other:
        return True
    if not (_viewed(one) and one.target is other.target and one.kwargs == other.kwargs):
        return False
    return one.args[1:] == other.args[1:] and _is_same_view(one.args[0], other.args[0])


def _is_overwritten(user: Node, scatters: dict[Node, Node]) -> bool:
    """Whether a user of changed memory only puts back what is there already."""
    if user in scatters:
        return True
    return bool(_viewed(user)) and all(_is_overwritten(each, scatters) for each in user.users)
