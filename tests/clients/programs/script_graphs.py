"""Programs on graphs, as tutorials of torch.fx have them: traced, run, changed and put together."""

import copy
import operator
from collections import Counter, defaultdict

import torch
import torch.nn.functional as F
from torch import fx
from torch.fx import Graph, GraphModule, Interpreter, Node, Proxy, Tracer, Transformer
from torch.fx.node import Argument, Target, map_arg
from torch.fx.passes.shape_prop import ShapeProp
from torch.fx.proxy import GraphAppendingTracer


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = torch.nn.Linear(width, width)
        self.second = torch.nn.Linear(width, width)
        self.norm = torch.nn.LayerNorm(width)

    def forward(self, x):
        return self.norm(x + self.second(torch.relu(self.first(x))))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.Sequential(Block(4), Block(4))
        self.scale = torch.nn.Parameter(torch.full((4,), 0.5))
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x, factor: float = 2.0):
        x = self.blocks(x) * self.scale
        return F.softmax(self.head(x.clamp(min=-1.0)), dim=-1) * factor


def _net():
    torch.manual_seed(1)
    return Net()


X = torch.linspace(-2, 2, 12).reshape(3, 4)


def _shown(module, *args):
    return [str(module.graph), module.code, module(*args)]


# Tracers of one's own ----------------------------------------------------------------------------


class LeafBlocks(Tracer):
    """Blocks are not looked into."""

    def is_leaf_module(self, m: torch.nn.Module, qualname: str) -> bool:
        return isinstance(m, Block) or super().is_leaf_module(m, qualname)


class PathTracer(Tracer):
    """Notes for every node which module made it."""

    def __init__(self):
        super().__init__()
        self.path = [""]
        self.origin = {}

    def call_module(self, m, forward, args, kwargs):
        self.path.append(self.path_of_module(m))
        try:
            return super().call_module(m, forward, args, kwargs)
        finally:
            self.path.pop()

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, *more):
        proxy = super().create_proxy(kind, target, args, kwargs, name, type_expr, *more)
        self.origin[proxy.node] = self.path[-1]
        return proxy


def step_custom_tracers():
    net = _net()
    leaves = GraphModule(net, LeafBlocks().trace(net))
    tracer = PathTracer()
    graph = tracer.trace(net)
    return [
        *_shown(leaves, X),
        [f"{node.name} {tracer.origin.get(node)}" for node in graph.nodes],
        str(graph),
    ]


def step_autowrapped_functions():
    def middle(values):
        return values[len(values) // 2]

    def program(x):
        return middle(x.split(1)) + helper(x, 2)

    tracer = Tracer(autowrap_functions=(helper,))
    program.__globals__["middle"] = middle
    graph = tracer.trace(lambda x: helper(x, 3) + 1)
    return _shown(GraphModule({}, graph), X)


def helper(x, n):
    return x * n if bool((x.sum() > n).item()) else x - n


def half(x):
    """Leaf by ``wrap``: it looks at values."""
    return x / 2 if x.abs().max().item() > 1 else x


fx.wrap("half")
fx.wrap("len")


def step_wrapped_functions():
    def program(x):
        return half(x) + len(x)

    module = fx.symbolic_trace(program)
    return _shown(module, X)


# Interpreters and transformers -------------------------------------------------------------------


class Counting(Interpreter):
    """Counts the nodes of each kind, and the numbers that they give."""

    def __init__(self, module):
        super().__init__(module)
        self.counts = Counter()
        self.elements = defaultdict(int)

    def run_node(self, n: Node):
        value = super().run_node(n)
        self.counts[n.op] += 1
        if isinstance(value, torch.Tensor):
            self.elements[n.name] = value.numel()
        return value


class Recording(Interpreter):
    """Writes the program as instructions of a small machine."""

    def __init__(self, module):
        super().__init__(module)
        self.code = []

    def call_function(self, target: Target, args: tuple[Argument, ...], kwargs):
        self.code.append(("function", target.__name__, len(args), sorted(kwargs)))
        return super().call_function(target, args, kwargs)

    def call_method(self, target, args, kwargs):
        self.code.append(("method", target, len(args), sorted(kwargs)))
        return super().call_method(target, args, kwargs)

    def call_module(self, target, args, kwargs):
        self.code.append(("module", target, type(self.fetch_attr(target)).__name__, []))
        return super().call_module(target, args, kwargs)


def step_interpreters():
    module = fx.symbolic_trace(_net())
    counting, recording = Counting(module), Recording(module)
    return [
        counting.run(X),
        dict(counting.counts),
        dict(counting.elements),
        recording.run(X, 3.0),
        recording.code,
        Interpreter(module).run(X, initial_env={list(module.graph.nodes)[1]: 4.0}),
    ]


class Sigmoids(Transformer):
    """relu becomes sigmoid, clamp nothing."""

    def call_function(self, target, args, kwargs):
        if target is torch.relu:
            return super().call_function(torch.sigmoid, args, kwargs)
        return super().call_function(target, args, kwargs)

    def call_method(self, target, args, kwargs):
        return args[0] if target == "clamp" else super().call_method(target, args, kwargs)


def step_transformer():
    return _shown(Sigmoids(fx.symbolic_trace(_net())).transform(), X)


# A library of primitives -------------------------------------------------------------------------


class Primitives:
    """Few functions; others are said in terms of them."""

    rules = {}

    @classmethod
    def rule(cls, *targets):
        def note(function):
            cls.rules.update(dict.fromkeys(targets, function))
            return function

        return note

    @classmethod
    def apply(cls, module):
        graph, env = Graph(), {}
        tracer = GraphAppendingTracer(graph)
        for node in module.graph.nodes:
            if node.op == "call_function" and node.target in cls.rules:
                args = map_arg(node.args, lambda n: Proxy(env[n], tracer))
                kwargs = map_arg(node.kwargs, lambda n: Proxy(env[n], tracer))
                env[node] = cls.rules[node.target](*args, **kwargs).node
            else:
                env[node] = graph.node_copy(node, lambda n: env[n])
        return GraphModule(module, graph)


@Primitives.rule(torch.relu, F.relu)
def _relu(x, inplace=False):
    return (x > 0) * x


@Primitives.rule(F.softmax)
def _softmax(x, dim=None, **_):
    shifted = x - x.amax(dim, keepdim=True)
    powers = shifted.exp()
    return powers / powers.sum(dim, keepdim=True)


@Primitives.rule(F.gelu)
def _gelu(x, approximate="none"):
    return x * (1 + torch.erf(x / 2**0.5)) / 2


def step_primitive_library():
    def program(x):
        return F.gelu(F.softmax(F.relu(x), dim=1) + torch.relu(-x))

    before = fx.symbolic_trace(program)
    after = Primitives.apply(before)
    return [before(X) - after(X) < 1e-6, *_shown(after, X), _shown(Primitives.apply(after), X)]


# Graphs changed ----------------------------------------------------------------------------------


def step_replace_operators():
    def program(x, y):
        return torch.add(x, y) * (x + y) - torch.mul(x, y)

    module = fx.symbolic_trace(program)
    swaps = {torch.add: torch.sub, torch.mul: torch.maximum, operator.add: operator.mul}
    for node in list(module.graph.nodes):
        if node.op == "call_function" and node.target in swaps:
            with module.graph.inserting_after(node):
                made = module.graph.call_function(swaps[node.target], node.args, node.kwargs)
            node.replace_all_uses_with(made)
            module.graph.erase_node(node)
    module.graph.lint()
    module.recompile()
    return _shown(module, X, X.flip(0))


INVERSES = {
    torch.sin: torch.arcsin,
    torch.exp: torch.log,
    torch.tanh: torch.arctanh,
    operator.add: operator.sub,
    operator.mul: operator.truediv,
}


def step_invert():
    def program(x):
        return torch.exp(torch.tanh(torch.sin(x) * 3) + 2)

    graph = fx.symbolic_trace(program).graph
    (output,) = [n for n in graph.nodes if n.op == "output"]
    made = Graph()
    at = made.placeholder("y")
    node = output.args[0]
    while node.op == "call_function":
        before, *rest = node.args
        at = made.call_function(INVERSES[node.target], (at, *rest))
        node = before
    made.output(at)
    made.lint()
    inverse = GraphModule({}, made, "Inverse")
    start = torch.linspace(0.1, 0.4, 4)
    return [*_shown(inverse, program(start)), inverse.__class__.__name__]


def step_inline_functions():
    def inner(x):
        return torch.sigmoid(x) * x

    def program(x):
        return torch.relu(x) + torch.relu(x * 2)

    module = fx.symbolic_trace(program)
    graph, env = Graph(), {}
    tracer = GraphAppendingTracer(graph)
    for node in module.graph.nodes:
        if node.op == "call_function" and node.target is torch.relu:
            args = [Proxy(env[a], tracer) if isinstance(a, Node) else a for a in node.args]
            env[node] = inner(*args).node
        else:
            env[node] = graph.node_copy(node, env.__getitem__)
    return _shown(GraphModule(module, graph), X)


def step_wrap_output():
    def wrapped(module, function):
        graph = copy.deepcopy(module.graph)
        for node in graph.nodes:
            if node.op == "output":
                with graph.inserting_before(node):
                    before = node.args[0]
                    made = function(Proxy(before)).node
                node.args = (made,)
        graph.lint()
        return GraphModule(module, graph)

    module = fx.symbolic_trace(_net())
    normal = wrapped(module, lambda p: p / p.norm(dim=1, keepdim=True))
    twice = wrapped(normal, lambda p: torch.stack([p, p.log()])[..., :1])
    return [*_shown(normal, X), *_shown(twice, X), module(X)]


def step_proxies_build_graphs():
    raw, tracer = Graph(), None
    x, y = raw.placeholder("x"), raw.placeholder("y")
    tracer = GraphAppendingTracer(raw)
    total = Proxy(x, tracer) @ Proxy(y, tracer).T + 1
    total = torch.cat([total, -total], dim=0).relu().sum(1)
    low, high = total.chunk(2)[0], total.chunk(2)[1]
    raw.output({"low": low.node, "high": (high > 0.5).node})
    return _shown(GraphModule(torch.nn.Module(), raw), X, X * 2)


# Patterns ----------------------------------------------------------------------------------------


def step_subgraph_rewriter():
    class Program(torch.nn.Module):
        def forward(self, x, w1, w2):
            m1 = torch.cat([w1, w2]).sum()
            m2 = torch.cat([w1, w2]).sum()
            return x + torch.max(m1) + torch.max(m2)

    def pattern(a, b):
        return torch.cat([a, b]).sum()

    def replacement(a, b):
        return torch.stack([a, b]).mean()

    module = fx.symbolic_trace(Program())
    found = fx.replace_pattern(module, pattern, replacement)
    result = _shown(module, X, X, X * 2)
    return [
        *result,
        [(match.anchor.name, {str(k): str(v) for k, v in match.nodes_map.items()})
         for match in found],
    ]  # fmt: skip


def step_fuse_convolutions():
    from torch.fx.experimental.optimization import fuse, optimize_for_inference

    torch.manual_seed(2)
    net = torch.nn.Sequential(
        torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2), torch.nn.ReLU(), torch.nn.Dropout()
    )
    image = torch.linspace(0, 1, 50).reshape(2, 1, 5, 5)
    net(image)
    net.eval()
    fused, small = fuse(net), optimize_for_inference(net)
    return [fused(image), net(image), fused.code, str(fused), small.code]


def step_shapes():
    module = fx.symbolic_trace(_net())
    ShapeProp(module).propagate(X, 2.0)
    rows = []
    for node in module.graph.nodes:
        meta = node.meta.get("tensor_meta")
        if meta is not None:
            rows.append([node.name, list(meta.shape), str(meta.dtype), list(meta.stride)])
    return rows


def step_train_through_a_graph():
    module = fx.symbolic_trace(_net())
    optimizer = torch.optim.SGD(module.parameters(), lr=0.5)
    losses = []
    for _ in range(4):
        optimizer.zero_grad()
        loss = F.nll_loss(module(X).clamp(min=1e-6).log(), torch.tensor([0, 1, 0]))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return [losses, sorted(name for name, _ in module.named_parameters())]


def step_edit_and_reload():
    module = fx.symbolic_trace(_net())
    for node in module.graph.find_nodes(op="call_function", target=torch.relu):
        node.target = torch.tanh
    module.graph.eliminate_dead_code()
    module.delete_all_unused_submodules()
    module.recompile()
    again = copy.deepcopy(module)
    return [again(X) - module(X), again.code == module.code, module.print_readable(False)]
