"""A module split into submodules, by what a function says of each node."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

from .._compatibility import compatibility
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node, map_arg
from ..proxy import Proxy

__all__ = ["Partition", "split_module", "split_module_simple"]


@compatibility(is_backward_compatible=True)
class Partition:
    """The nodes that become one submodule."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.submod_name = f"submod_{name}"
        self.node_names: list[str] = []
        self.inputs: dict[str, None] = {}
        self.outputs: dict[str, None] = {}
        self.dependencies: dict[str, None] = {}
        self.dependents: dict[str, None] = {}
        self.graph = Graph()
        self.environment: dict[Node, Node] = {}
        self.targets: dict[str, Any] = {}

    def __repr__(self) -> str:
        return (
            f"name: {self.name},\n nodes: {self.node_names},\n inputs: {self.inputs},\n outputs: "
            f"{self.outputs},\n partitions depended on: {self.dependencies},\n partition "
            f"dependents: {self.dependents}"
        )


def _get_attr_from_qualname(mod: Any, qualname: str) -> Any:
    for part in qualname.split("."):
        if not hasattr(mod, part):
            raise AttributeError(f"Node referenced nonexistent target {qualname!r}!")
        mod = getattr(mod, part)
    return mod


@compatibility(is_backward_compatible=True)
def split_module(
    m: GraphModule,
    root_m: Any,
    split_callback: Callable[[Node], int],
    qualname_map: dict[str, str] | None = None,
    keep_original_order: bool | None = False,
    keep_original_node_name: bool | None = False,
    keep_original_input_name: bool = True,
    *,
    partition_affix: str | None = None,
    tuple_return: bool = False,
) -> GraphModule:
    """A module that calls ``submod_…`` for each number that *split_callback* gives.

    :param qualname_map: gets, for each name in the result, the name in *m*.
    :param keep_original_order: submodules are called in the order of their first nodes.
    :param partition_affix: put into the names of the submodules.
    :param tuple_return: submodules return a tuple, also of one value.

    Raises RuntimeError where submodules would need each other's results.
    """
    return _Split(
        m, qualname_map, bool(keep_original_order), bool(keep_original_node_name),
        keep_original_input_name, partition_affix, tuple_return,
    ).run(split_callback)  # fmt: skip


@compatibility(is_backward_compatible=False)
def split_module_simple(
    m: GraphModule, node_to_partition: dict[Node, int], *, partition_affix: str | None = None
) -> GraphModule:
    """The same as :func:`split_module`, with a dictionary that has every call's number."""
    return split_module(m, None, node_to_partition.__getitem__, partition_affix=partition_affix)


class _Split:
    """One run of :func:`split_module`."""

    def __init__(
        self, m: GraphModule, names: dict[str, str] | None, order: bool, node_names: bool,
        input_names: bool, affix: str | None, tuples: bool,
    ) -> None:  # fmt: skip
        self.m, self.names, self.order, self.node_names = m, names, order, node_names
        self.input_names, self.affix, self.tuples = input_names, affix, tuples
        self.partitions: dict[str, Partition] = {}
        self.of: dict[Node, str] = {}
        self.originals: dict[str, Node] = {}

    def run(self, split_callback: Callable[[Node], int]) -> GraphModule:
        """The module."""
        nodes = list(self.m.graph.nodes)
        for node in nodes:
            self.originals[node.name] = node
            if node.op in ("placeholder", "get_attr", "output"):
                continue
            name = str(split_callback(node))
            partition = self.partitions.get(name)
            if partition is None:
                partition = self.partitions[name] = Partition(name)
                if self.affix is not None:
                    partition.submod_name = "_".join(["submod", self.affix, name])
            partition.node_names.append(node.name)
            self.of[node] = name
        for node in nodes:
            if node.op == "output":
                map_arg(node.args[0], partial(self._note, user=None))
            elif node in self.of:
                map_arg((node.args, node.kwargs), partial(self._note, user=node))
        order = list(self.partitions) if self.order else self._sorted()
        for partition in self.partitions.values():
            self._inputs(partition)
        for node in nodes:
            if node in self.of:
                self._copy(node, self.partitions[self.of[node]])
        return self._assembled(nodes, order)

    def _note(self, made: Node, user: Node | None) -> Node:
        """*user*, or the output, needs what *made* gives."""
        defined, used = self.of.get(made), None if user is None else self.of.get(user)
        if defined != used:
            if defined is not None:
                self.partitions[defined].outputs.setdefault(made.name)
                if used is not None:
                    self.partitions[defined].dependents.setdefault(used)
            if used is not None:
                self.partitions[used].inputs.setdefault(made.name)
                if defined is not None:
                    self.partitions[used].dependencies.setdefault(defined)
        return made

    def _sorted(self) -> list[str]:
        ready = [n for n, p in self.partitions.items() if not p.dependencies]
        waiting = {n: dict(p.dependencies) for n, p in self.partitions.items()}
        found: list[str] = []
        while ready:
            found.append(ready.pop())
            for dependent in self.partitions[found[-1]].dependents:
                waiting[dependent].pop(found[-1])
                if not waiting[dependent]:
                    ready.append(dependent)
        if len(found) != len(self.partitions):
            raise RuntimeError("cycle exists between partitions!")
        return found

    def _inputs(self, partition: Partition) -> None:
        for i, name in enumerate(partition.inputs):
            old = self.originals[name]
            label = name if self.input_names else f"arg_{i}"
            new = partition.graph.placeholder(label, type_expr=old.type)
            new.meta = old.meta.copy()
            partition.environment[old] = new

    def _copy(self, node: Node, partition: Partition) -> None:
        environment = partition.environment
        args = map_arg(node.args, lambda n: environment[n])
        kwargs = map_arg(node.kwargs, lambda n: environment[n])
        target = node.target
        if node.op in ("call_module", "get_attr"):
            value = _get_attr_from_qualname(self.m, node.target)
            target = node.target.replace(".", "_")
            partition.targets[target] = value
            if self.names is not None:
                self.names[f"{partition.submod_name}.{target}"] = node.target
        name = node.name if self.node_names else None
        new = partition.graph.create_node(node.op, target, args, kwargs, name, node.type)
        new.meta = copy.copy(node.meta)
        environment[node] = new

    def _assembled(self, nodes: list[Node], order: list[str]) -> GraphModule:
        graph, env, held = Graph(), {}, {}
        for node in nodes:
            if node.op == "placeholder":
                default: Any = {"default_value": node.args[0]} if node.args else {}
                made = graph.placeholder(node.target, type_expr=node.type, **default)
            elif node.op == "get_attr":
                held[node.target] = _get_attr_from_qualname(self.m, node.target)
                made = graph.get_attr(node.target)
            else:
                continue
            made.meta, env[node.name] = node.meta.copy(), made
        for name in order:
            partition = self.partitions[name]
            values = [partition.environment[self.originals[n]] for n in partition.outputs]
            several = len(values) != 1 or self.tuples
            partition.graph.output(tuple(values) if several else values[0])
            held[partition.submod_name] = GraphModule(partition.targets, partition.graph)
            call = graph.call_module(partition.submod_name, tuple(env[n] for n in partition.inputs))
            if several:
                proxy: Any = Proxy(call)
                for i, output in enumerate(partition.outputs):
                    env[output] = proxy[i].node
            else:
                env[next(iter(partition.outputs))] = call
        for node in nodes:
            if node.op == "output":
                graph.output(map_arg(node.args[0], lambda n: env[n.name]))
        split = GraphModule(held, graph)
        for hook in getattr(self.m, "_deepcopy_hooks", ()):
            split._register_deepcopy_hook(hook)
        return split
