"""From the graph of a program to graphs of modules, by where each node was called."""

from __future__ import annotations

import operator
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from .._ops import ops
from ..fx import Graph, Node
from ..fx.node import map_arg
from ..nn import Module, Parameter
from ..tensor import Tensor
from .graph_signature import InputKind, OutputKind

__all__ = ["ModulesOfGraph", "ModulesOfProgram"]

#: A call of a module on the way to a node: its name, which call of it, and its class.
Call = tuple[str, str, str | None]


class ModulesOfProgram:
    """Takes the graph of an ``ExportedProgram`` apart."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.signature = deepcopy(program.graph_signature)
        self.graph, self.results = self._with_changes_in_place()
        self.nodes = [n for n in self.graph.nodes if n.op not in ("placeholder", "output")]
        self.place = {node: i for i, node in enumerate(self.graph.nodes)}
        #: The names of the state that an input is.
        self.states: dict[Node, list[str]] = {}
        placeholders = [n for n in self.graph.nodes if n.op == "placeholder"]
        states = [s for s in self.signature.input_specs if s.kind is not InputKind.USER_INPUT]
        for node, spec in zip(placeholders, states):
            shared = [s.target for s in states if self._tensor(s) is self._tensor(spec)]
            self.states[node] = [spec.target, *shared]
        self.inputs = [n for n in placeholders if n not in self.states]
        self.calls = [_calls(node) for node in self.nodes]
        types = [calls[0][2] for calls in self.calls if calls]
        self.type_of_root = types[0] if types else None
        self.modules: dict[str, Module] = {}
        #: The finished modules by the name of what they stand for, with what their graphs say.
        self.finished: dict[str, list[tuple[str, Module, Any]]] = {}

    def _with_changes_in_place(self) -> tuple[Graph, list[Any]]:
        """A copy of the graph in which new values of inputs are copied to them; the results."""
        graph = Graph()
        made: dict[Node, Node] = {}
        graph.graph_copy(self.program.graph, made)
        given = list(self.program.graph.output_node().args[0])
        values = [made[v] if isinstance(v, Node) else v for v in given]
        targets = {
            spec.target or spec.arg.name: node
            for spec, node in zip(self.signature.input_specs, graph.nodes)
        }
        results = []
        for value, spec in zip(values, self.signature.output_specs, strict=True):
            if spec.kind is OutputKind.USER_OUTPUT:
                results.append(value)
                continue
            target = targets[spec.target]
            place = {node: i for i, node in enumerate(graph.nodes)}
            last = max((value, *target.users), key=place.__getitem__)  # it is read before
            with graph.inserting_after(last):
                new = graph.call_function(
                    ops.aten.copy_.default, (target, value), name="copy__default"
                )
            new.meta = dict(value.meta)
            for user in list(value.users):
                if user is not new and place[user] > place[last]:
                    user.replace_input_with(value, new)
        graph.output(tuple(results))
        graph.eliminate_dead_code()
        return graph, results

    def _tensor(self, spec: Any) -> Any:
        states = self.program.state_dict
        return states[spec.target] if spec.target in states else self.program.constants[spec.target]

    def build(self, root: Module, make: Callable[[Graph, str | None], Any]) -> None:
        """Fill *root*, whose graph is empty, and make the modules below it.

        :param make: makes a module of a graph and the name of a class.
        """
        self.modules[""] = root
        self.make = make
        frame = _Frame(self, "", root.graph, None)
        frame.take_inputs(self.inputs)
        end = self._run(frame, 0, 1)
        assert end == len(self.nodes)
        root.graph.output(tuple(map_arg(self.results, frame.value)))
        self._assign_states(root)
        order = {entry.fqn: i for i, entry in enumerate(self.program.module_call_graph)}
        for name, module in self.modules.items():
            below = [(f"{name}.{n}" if name else n, n, m) for n, m in module._modules.items()]
            below.sort(key=lambda found: order.get(found[0], len(order)))
            module._modules = {n: m for _, n, m in below}

    def module(self, name: str, ty: str | None = None) -> Any:
        """The module *name*, which is made if there is none."""
        if name not in self.modules:
            above, _, last = name.rpartition(".")
            self.modules[name] = self.make(Graph(), ty)
            self.module(above).add_module(last, self.modules[name])
        if ty is not None and name:
            self.modules[name]._ty = ty
        return self.modules[name]

    def _run(self, frame: _Frame, at: int, depth: int) -> int:
        """Copy the nodes that are called in *frame*, and those below; the first one that is not."""
        stack = next((c[:depth] for c in self.calls[at:] if c), [])
        while at < len(self.nodes):
            calls = self.calls[at] or stack
            if calls[:depth] != stack:
                break
            if len(calls) == depth:
                frame.copy(self.nodes[at])
                at += 1
            else:
                at = self._part(frame, at, depth)
        return at

    def _part(self, frame: _Frame, at: int, depth: int) -> int:
        """One call of a module below *frame*."""
        name, again, ty = self.calls[at][depth]
        prefix = f"{frame.name}." if frame.name else ""
        accessor = name.removeprefix(prefix) + again
        part = _Frame(self, name, Graph(), frame)
        end = self._run(part, at, depth + 1)
        inside = self.nodes[at:end]
        results = [n for n in inside if self._leaves(n, set(inside))]
        part.finish(results)
        says = _text(part.graph)
        known = self.finished.setdefault(name, [])
        same = next((found for found in known if found[2] == says), None)
        call = frame.graph.create_node(
            "call_module", accessor, tuple(frame.value(node) for node in part.inputs)
        )
        if same is not None:
            call.target = same[0].removeprefix(prefix)
        else:
            taken = [found[0] for found in known]
            path = f"{prefix}{accessor.removesuffix(again)}"
            number = len(taken)
            while path in taken:  # another call of the module was another graph
                path = f"{prefix}{accessor.removesuffix(again)}@{number}"
                number += 1
            call.target = path.removeprefix(prefix)
            module = self.module(path, ty)
            module.graph = part.graph
            part.graph.owning_module = module
            self._attach(module, part)
            known.append((path, module, says))
        if len(results) == 1:
            frame.made[results[0]] = call
        else:
            for i, node in enumerate(results):
                frame.made[node] = frame.graph.call_function(operator.getitem, (call, i))
        return end

    def _leaves(self, node: Node, inside: set[Node]) -> bool:
        """Whether *node* is used outside of a part."""
        return any(user not in inside for user in node.users)

    def _attach(self, module: Any, part: _Frame) -> None:
        """Let graphs that are called be attributes of their module."""
        for name in part.graphs:
            module.add_module(name, getattr(self.program.graph_module, name))

    def _assign_states(self, root: Module) -> None:
        made: dict[int, Any] = {}
        for spec in self.signature.input_specs:
            if spec.kind is InputKind.USER_INPUT:
                continue
            target = spec.target
            value = self._tensor(spec)
            if id(value) not in made:
                made[id(value)] = _own(value)
            owner, _, last = target.rpartition(".")
            self._assign(self.module(owner), last, made[id(value)], spec)
            for path in list(self.modules):
                name = path.partition("@")[0]
                if "@" in path and target.startswith(f"{name}."):
                    below, _, last = target.removeprefix(f"{name}.").rpartition(".")
                    module = self.module(f"{path}.{below}" if below else path)
                    self._assign(module, last, made[id(value)], spec)

    def _assign(self, module: Module, name: str, value: Any, spec: Any) -> None:
        if isinstance(value, Parameter):
            module.register_parameter(name, value)
        elif spec.kind is InputKind.BUFFER:
            module.register_buffer(name, value, persistent=bool(spec.persistent))
        else:
            setattr(module, name, value)


class ModulesOfGraph(ModulesOfProgram):
    """Takes a graph apart that is a part of a program, with its state among its inputs.

    :param states: the names that each input goes by which is state, the one to use first.
    """

    def __init__(self, module: Any, states: dict[Node, list[str]]) -> None:
        self.graph, self.states = module.graph, states
        *nodes, output = self.graph.nodes
        self.output = output
        self.nodes = [n for n in nodes if n.op != "placeholder"]
        self.place = {node: i for i, node in enumerate(self.graph.nodes)}
        self.inputs = [n for n in nodes if n.op == "placeholder" and n not in states]
        calls = [_calls(node) for node in self.nodes]
        root = next((found[:1] for found in calls if found), [("", "", None)])
        self.calls = [found or root for found in calls]
        self.modules = {}
        self.finished = {}
        self._module = module

    def build(self, root: Module, make: Callable[[Graph, str | None], Any]) -> None:
        """Fill *root*, whose graph is empty, and make the modules below it, without their state."""
        self.modules[""] = root
        self.make = make
        frame = _Frame(self, "", root.graph, None)
        frame.take_inputs(self.inputs)
        end = self._run(frame, 0, 1)
        assert end == len(self.nodes)
        root.graph.output(map_arg(self.output.args[0], frame.value))
        for node, made in frame.made.items():
            if "val" not in made.meta:  # a module that is called gives what its last node gave
                made.meta["val"] = node.meta.get("val")

    def uses(self) -> list[tuple[str, str]]:
        """The names of states in the program, and the attributes that stand for them here."""
        found = []
        for path, module in self.modules.items():
            for node in module.graph.nodes:
                if node.op == "get_attr" and str(node.target) not in vars(module)["_modules"]:
                    name = ".".join(filter(None, (path.partition("@")[0], str(node.target))))
                    found.append((name, ".".join(filter(None, (path, str(node.target))))))
        return found

    def _attach(self, module: Any, part: _Frame) -> None:
        for name in part.graphs:
            module.add_module(name, getattr(self._module, name))


class _Frame:
    """One call of a module: the graph in the making.

    :param name: the module's name in the program.
    :param above: the call that it is made in.
    """

    def __init__(
        self, parts: ModulesOfProgram, name: str, graph: Graph, above: _Frame | None
    ) -> None:
        self.parts, self.name, self.graph, self.above = parts, name, graph, above
        #: What stands here for the program's nodes.
        self.made: dict[Node, Node] = {}
        #: The program's nodes that the call gets.
        self.inputs: list[Node] = []
        #: The graphs that are called here, by name.
        self.graphs: list[str] = []
        #: The states that are attributes here, in the order in which they were asked for.
        self._states: list[Node] = []

    def take_inputs(self, nodes: list[Node]) -> None:
        """Have placeholders for *nodes*, with their names as arguments."""
        for node in nodes:
            self.made[node] = self.graph.placeholder(str(node.target))
            self.made[node].meta = dict(node.meta)

    def value(self, node: Node) -> Node:
        """What stands for *node*: an attribute for a state of this module, else an input."""
        if node in self.made:
            return self.made[node]
        prefix = f"{self.name}." if self.name else ""
        own = [n for n in self.parts.states.get(node, ()) if n.startswith(prefix)]
        if own:
            with self.graph.inserting_before(self._place_of_state(node)):
                new = self.graph.create_node("get_attr", own[0].removeprefix(prefix))
            self._states.append(node)
        else:
            assert self.above is not None
            self.above.value(node)
            with self.graph.inserting_before(next(iter(self.graph.nodes), None)):
                new = self.graph.placeholder(node.name)
            self.inputs.insert(0, node)
        new.meta = dict(node.meta)
        self.made[node] = new
        return new

    def _place_of_state(self, node: Node) -> Node | None:
        """The node before which a state comes: behind other states; the root has the last first."""
        states = [self.made[state] for state in self._states]
        if self.above is None:
            place = self.parts.place
            later = [s for s in self._states if place[s] < place[node]]
            if later:
                return self.made[max(later, key=place.__getitem__)]
        if states:
            return states[-1].next if self.above is not None else self._behind(states)
        return self._behind([n for n in self.graph.nodes if n.op == "placeholder"])

    def _behind(self, nodes: list[Node]) -> Node | None:
        """The first node of the graph that comes after all of these."""
        found = next(iter(self.graph.nodes), None)
        for node in self.graph.nodes:
            if node in nodes:
                found = node.next
        return found

    def copy(self, node: Node) -> None:
        """Take over a node."""
        if node.op == "get_attr":
            self.graphs.append(str(node.target))
            if self.above is None:
                self.parts._attach(self.parts.modules[""], self)
        self.made[node] = self.graph.node_copy(node, self.value)

    def finish(self, results: list[Node]) -> None:
        """Give the results, the only one as it is."""
        given = [self.made[node] for node in results]
        self.graph.output(given[0] if len(given) == 1 else given)


def _calls(node: Node) -> list[Call]:
    """The calls of modules that lead to *node*, the outermost first."""
    stack = node.meta.get("nn_module_stack", {})
    return [
        (path, f"@{number}" if number else "", ty if isinstance(ty, str) else None)
        for (path, ty), (_, _, number) in zip(
            stack.values(), (key.partition("@") for key in stack), strict=True
        )
    ]


def _text(graph: Graph) -> Any:
    """What a graph says, whatever its nodes are called."""
    place = {node: i for i, node in enumerate(graph.nodes)}
    return [
        (
            node.op,
            None if node.op in ("placeholder", "output") else str(node.target),
            repr(map_arg((node.args, node.kwargs), lambda n: f"%{place[n]}")),
        )
        for node in graph.nodes
    ]


def _own(value: Any) -> Any:
    """A tensor of its own with the same numbers."""
    if isinstance(value, Parameter):
        return Parameter(value.detach().clone(), requires_grad=value.requires_grad)
    return value.clone() if isinstance(value, Tensor) else value
