"""Graphs of floats that are rounded, as graphs of quantized tensors with the kernels for them."""

from __future__ import annotations

from typing import Any

from .... import nn
from ....aten import torch
from ....core.unavailable import QUANTIZED, why_refused
from ....fx.graph import Graph
from ....fx.graph_module import GraphModule
from ....fx.node import Node, map_arg
from . import lowering_tables as _t
from .utils import free_name, module_of, parent_and_name

_RELUS = (nn.functional.relu, torch.relu)


def _is_call(node: Any, op: str, target: Any) -> bool:
    return isinstance(node, Node) and node.op == op and node.target is target


def _is_dequantize(node: Any) -> bool:
    return isinstance(node, Node) and node.op == "call_method" and node.target == "dequantize"


class _Lowered:
    """A graph of floats that are rounded."""

    def __init__(self, model: GraphModule, configs: dict[str, Any]) -> None:
        self.model, self.graph, self.configs = model, model.graph, configs
        # Of the graph before it is lowered: a module that is called twice is made twice.
        self.named = dict(model.named_modules(remove_duplicate=False))

    def _skipped(self, node: Node) -> bool:
        return node.name in self.configs and self.configs[node.name] is None

    def _is_relu(self, node: Node) -> bool:
        if node.op == "call_function":
            return node.target in _RELUS
        return type(module_of(node, self.named)) is nn.ReLU

    def _put(self, node: Node, module: Any) -> None:
        parent, name = parent_and_name(str(node.target))
        setattr(self.named[parent], name, module)

    def _static(self, node: Node, known: Any, places: tuple[int, ...]) -> Any:
        """What *node* quantizes: the ReLU before it, if any, and the call of *known* before."""
        if not _is_call(node, "call_function", torch.quantize_per_tensor):
            return None
        found, relu = node.args[0], None
        if not isinstance(found, Node):
            return None
        if self._is_relu(found):
            relu, found = found, found.args[0]
        if not isinstance(found, Node) or self._skipped(found):
            return None
        module = module_of(found, self.named)
        key = found.target if module is None else type(module)
        ops = ("call_function", "call_module")
        if found.op not in ops or not _hashable(key) or key not in known:
            return None
        for i in places:
            assert i < len(found.args), (
                f"Dequantize index {i} exceeded reference node's arg length {len(found.args)}"
            )
        given = [found.args[i] for i in places]
        if any(isinstance(arg, Node) and not _is_dequantize(arg) for arg in given):
            return None
        return (relu, found) if any(map(_is_dequantize, given)) else None

    def _drop(self, *nodes: Any) -> None:
        for node in nodes:
            if isinstance(node, Node):
                self.graph.erase_node(node)

    def _number(self, node: Any) -> Any:
        return getattr(self.model, str(node.target))

    # -- modules -----------------------------------------------------------------------------------

    def modules(self) -> None:
        """Modules with weights, between quantized tensors."""
        for q in list(self.graph.nodes):
            found = self._static(q, (*_t.STATIC, *_t.STATIC_FUSED, *_t.SUMS), (0,))
            if found is None:
                continue
            node, module = found[1], module_of(found[1], self.named)
            if module is None:
                continue
            kind = type(module)
            if kind in _t.SUMS:
                raise NotImplementedError(f"a quantized {kind.__name__} {QUANTIZED}")
            if kind in _t.STATIC_FUSED:
                inner, quantized = _t.STATIC_FUSED[kind]
                if type(module[0]) is not inner:
                    continue
            else:
                quantized = _t.STATIC[kind]
            if why_refused(quantized):
                quantized()
            _, scale, place, _ = q.args
            made = quantized.from_reference(module, self._number(scale), self._number(place))
            self._put(node, made)
            node.replace_input_with(node.args[0], node.args[0].args[0])
            q.replace_all_uses_with(node)
            self._drop(q, scale, place)

    def dynamic_modules(self) -> None:
        """Modules whose inputs are rounded as they come."""
        for node in self.graph.nodes:
            module = module_of(node, self.named)
            kind = type(module)
            if kind not in _t.DYNAMIC and kind not in _t.DYNAMIC_FUSED:
                continue
            back = node.args[0]
            if not _is_dequantize(back):
                continue
            step = back.args[0]
            if not _is_call(step, "call_function", torch.quantize_per_tensor_dynamic):
                continue
            if kind in _t.DYNAMIC_FUSED:
                inner, quantized = _t.DYNAMIC_FUSED[kind]
                if type(module[0]) is not inner:
                    continue
            else:
                quantized = _t.DYNAMIC[kind]
            self._put(node, quantized.from_reference(module))
            node.replace_input_with(back, step.args[0])

    def weights(self) -> None:
        """Modules of which the weights alone are quantized."""
        for node in self.graph.nodes:
            module = module_of(node, self.named)
            if type(module) in _t.WEIGHT_ONLY:
                self._put(node, _t.WEIGHT_ONLY[type(module)].from_reference(module))

    # -- functions ---------------------------------------------------------------------------------

    def _packed(self, node: Node, weight: Node, more: list[Any], before: Node) -> Node:
        """A node of the packed weight of *node*, and what else is packed with it."""
        args, kwargs = [weight, *more], dict(node.kwargs)
        if node.target is nn.functional.linear:
            pack = _t.LINEAR_PREPACK[weight.args[-1]]
            kwargs = {"B" if name == "bias" else name: arg for name, arg in kwargs.items()}
        else:
            pack = _t.PREPACK[node.target]
            if node.target is nn.functional.conv1d:  # stride, padding and dilation
                args[2:5] = [(arg,) if type(arg) is int else arg for arg in args[2:5]]
        with self.graph.inserting_before(before):
            return self.graph.create_node("call_function", pack, tuple(args), kwargs)

    def functions(self) -> None:
        """Functions with weights, between quantized tensors."""
        for q in list(self.graph.nodes):
            found = self._static(q, _t.STATIC_FUNCTIONS, (0, 1))
            if found is None:
                continue
            relu, node = found
            _, scale, place, _ = q.args
            x, weight, *more = node.args
            if not _is_dequantize(x) or not _is_dequantize(weight):
                continue
            weight = weight.args[0]
            if not _quantizes(weight):
                continue
            alone, positive = _t.STATIC_FUNCTIONS[node.target]
            packed = self._packed(node, weight, more, scale)
            with_relu = relu is not None and positive is not None
            node.target = positive if with_relu else alone
            node.args, node.kwargs = (x.args[0], packed, scale, place), {}
            place.append(node)
            q.replace_all_uses_with(node)
            self._drop(q)
            if with_relu:
                self._drop(relu)

    def dynamic_functions(self) -> None:
        """Functions whose inputs are rounded as they come, the ones with ReLU first."""
        for last in reversed(list(self.graph.nodes)):
            node, relu = last, None
            if self._is_relu(last) and isinstance(last.args[0], Node):
                node, relu = last.args[0], last
            if node.op != "call_function" or node.target not in _t.DYNAMIC_FUNCTIONS:
                continue
            if self._skipped(node) or len(node.args) < 2:
                continue
            x, weight, *more = node.args
            if not _is_dequantize(x) or not _is_dequantize(weight):
                continue
            step, weight = x.args[0], weight.args[0]
            if not _is_call(step, "call_function", torch.quantize_per_tensor_dynamic):
                continue
            given, dtype, reduced = step.args
            known = _t.DYNAMIC_FUNCTIONS[node.target].get((dtype, weight.args[-1]))
            if known is None:
                continue
            packed = self._packed(node, weight, more, node)
            node.target = known[1] if relu is not None else known[0]
            node.args = (given, packed) if dtype == torch.float16 else (given, packed, reduced)
            node.kwargs = {}
            if relu is not None:
                relu.replace_all_uses_with(node)
                self._drop(relu)

    def binary(self) -> None:
        """Operators of two tensors."""
        for q in list(self.graph.nodes):
            found = self._static(q, _t.BINARY, (0, 1))
            if found is None:
                continue
            relu, node = found
            _, scale, place, _ = q.args
            steps = [arg for arg in node.args if _is_dequantize(arg)]
            for step in steps:
                node.replace_input_with(step, step.args[0])
            alone, positive = _t.BINARY[node.target]
            args = (*node.args, *((scale, place) if len(steps) == 2 else ()))
            function = alone if relu is None else positive
            with self.graph.inserting_after(q):
                made = self.graph.create_node("call_function", function, args, {})
                made.meta = dict(node.meta)
            q.replace_all_uses_with(made)
            self._drop(q, relu, node)

    # -- what runs as it is ------------------------------------------------------------------------

    def running(self) -> None:
        """What runs on quantized tensors without weights."""
        for q in list(self.graph.nodes):
            quantizes = _is_call(q, "call_function", torch.quantize_per_tensor)
            half = q.op == "call_method" and q.target == "to" and q.args[1:] == (torch.float16,)
            node = q.args[0] if quantizes or half else None
            if not isinstance(node, Node) or not self._runs(node):
                continue
            first = node.args[0] if node.args else None
            steps = list(first) if isinstance(first, list | tuple) else [first]
            if not steps or not all(map(_is_dequantize, steps)):
                continue
            self._run(q, node, steps, quantizes)

    def _runs(self, node: Node) -> bool:
        module = module_of(node, self.named)
        target = node.target if module is None else type(module)
        return node.op in _t.RUNNING and _hashable(target) and target in _t.RUNNING[node.op]

    def _run(self, q: Node, node: Node, steps: list[Any], quantizes: bool) -> None:
        module = module_of(node, self.named)
        if quantizes and type(module) in _t.PLAIN:
            numbers = self._number(q.args[1]), self._number(q.args[2])
            self._put(node, _t.PLAIN[type(module)].from_reference(module, *numbers))
        for step in steps:
            node.replace_input_with(step, step.args[0])
        numbers = q.args[1:]
        q.replace_all_uses_with(node)
        self._drop(q)
        if node.op == "call_function" and node.target in _t.WITH_SCALE:
            function, unknown = _t.WITH_SCALE[node.target]
            kwargs = {k: v for k, v in node.kwargs.items() if k not in unknown}
            kwargs |= {"output_scale": numbers[0], "output_zero_point": numbers[1]}
            with self.graph.inserting_after(numbers[1]):
                made = self.graph.create_node("call_function", function, node.args, kwargs)
            node.replace_all_uses_with(made)
            self._drop(node)
        else:
            self._drop(*(n for n in numbers if isinstance(n, Node) and not n.users))

    def sizes(self) -> None:
        """What asks for shapes asks those of quantized tensors."""
        for node in self.graph.nodes:
            size = node.op == "call_method" and node.target in ("size", "shape")
            shape = node.target is getattr and node.args[1:2] in (("shape",), ("ndim",))
            if (size or shape) and _is_dequantize(node.args[0]):
                node.args = (node.args[0].args[0], *node.args[1:])


def _hashable(target: Any) -> bool:
    try:
        hash(target)
    except TypeError:
        return False
    return True


def _quantizes(node: Any) -> bool:
    functions = torch.quantize_per_tensor, torch.quantize_per_channel
    return any(_is_call(node, "call_function", function) for function in functions)


def lowered(model: GraphModule, configs: dict[str, Any], scopes: dict[str, Any]) -> GraphModule:
    """The graph of *model* with the kernels of quantized tensors."""
    graph = _Lowered(model, configs)
    graph.modules()
    graph.dynamic_modules()
    graph.weights()
    graph.functions()
    graph.dynamic_functions()
    graph.binary()
    graph.sizes()
    graph.running()
    model.graph.eliminate_dead_code()
    model.recompile()
    made = _folded(model, scopes)
    made.graph.eliminate_dead_code()
    made.recompile()
    made.graph.lint()
    return made


def _producers(node: Node, found: set[Node]) -> bool:
    """Collect what *node* is computed of; False where the model's arguments are."""
    if node.op == "placeholder":
        return False
    found.add(node)
    return all(_producers(arg, found) for arg in node.all_input_nodes)


def _folded(model: GraphModule, scopes: dict[str, Any]) -> GraphModule:
    """The graph with packed weights in place of what computes them."""
    within: dict[Node, Node] = {}
    packs = [n for n in model.graph.nodes if n.op == "call_function" and n.target in _t.PREPACKING]
    for node in packs:
        found: set[Node] = set()
        if _producers(node, found):
            within.update(dict.fromkeys(found, node))
    if not within:
        return GraphModule(model, model.graph)
    values: dict[Node, Any] = {}
    graph, env = Graph(), dict[str, Node]()

    def load(a: Any) -> Any:
        return map_arg(a, lambda n: env[n.name])

    for node in model.graph.nodes:
        if node not in within:
            env[node.name] = graph.node_copy(node, load)
            continue
        values[node] = _value(model, node, values)
        if within[node] is node:
            user = next(iter(node.users))
            path = scopes[user.name][0] if user.name in scopes else ""
            name = free_name(model, f"{path}_packed_weight_")
            setattr(model, name, values[node])
            env[node.name] = graph.create_node("get_attr", name, (), {})
    made = GraphModule(model, graph)
    made._register_state_dict_hook(_save_packed)
    made.register_load_state_dict_pre_hook(_load_packed)
    return made


def _value(model: Any, node: Node, values: dict[Node, Any]) -> Any:
    """The value of a node that is computed of attributes alone."""
    if node.op == "get_attr":
        found: Any = model
        for part in str(node.target).split("."):
            found = getattr(found, part)
        return found
    args = map_arg(node.args, lambda n: values[n])
    kwargs = map_arg(node.kwargs, lambda n: values[n])
    if node.op == "call_module":
        return model.get_submodule(str(node.target))(*args, **kwargs)
    if node.op == "call_method":
        return getattr(args[0], str(node.target))(*args[1:], **kwargs)
    return node.target(*args, **kwargs)  # type: ignore[operator]  # it calls a function


def _save_packed(module: Any, state: Any, prefix: str, metadata: Any) -> None:
    for name in sorted(vars(module)):
        if "_packed_weight" in name:
            state[prefix + name] = getattr(module, name)


def _load_packed(module: Any, state: Any, prefix: str, *rest: Any) -> None:
    for name in [n for n in state if n.startswith(prefix) and "_packed_weight" in n]:
        setattr(module, name.removeprefix(prefix), state.pop(name))
