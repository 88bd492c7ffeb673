"""Symbolic traces: graphs, code and errors are the oracle's, and so is what is made of graphs."""

from __future__ import annotations

import copy
import importlib
import operator

import pytest

from .rows import report

#: Functions of one input, as source: each framework traces its own.
FUNCTIONS = """
1 if x else 2
[a for a in x]
len(x)
x.size(0) + x.ndim + 1
2**x + abs(x) + (3 @ x) + (x < 1) + ~x
t.einsum("i,i->", x, x)
F.softmax(x, dim=1)
(x, [x], {"k": x}, slice(x, 1), None, 1.5, "s", t.device("cpu"), t.float32)
x.add_(1).relu().foo(k=x)
t.stack((x, x)).max(0)[0]
x.to(t.float64)
x(1)
t.split(x, 2)
F.dropout(x, p=0.5, training=True)
F.layer_norm(x, (2,))
F.conv2d(x, x)
F.max_pool2d(x, 2)
F.cross_entropy(x, x)
F.gelu(x) + F.relu(x) + F.linear(x, x) + F.softplus(x)
t.ops.aten.add.Tensor(x, x)
t.norm(x)
t.where(x > 0, x, 0)
x.T @ x.mT
t.ones(2) + x
t.ones(2).add(x).item()
t.unique(x)
F.pad(x, (1, 1))
t.zeros_like(x) + t.arange(3)
x is None
x == 1 and x
range(x)
1 in x
int(x)
t.ones(x)
t.zeros(x.shape)
object()
x[1:2, None, ..., x]
-x
x.attribute.method(1).other
t.cat([x, x], dim=1)
t.matmul(x, x).view(-1)[0]
""".strip().splitlines()


def frameworks():
    """torch and mindtorch, with their fx."""
    for name in ("torch", "mindtorch"):
        t = importlib.import_module(name)
        importlib.import_module(f"{name}.fx")
        importlib.import_module(f"{name}.fx.passes.shape_prop")
        yield t


def text(value):
    """Without the name of the framework."""
    return str(value).replace("mindtorch", "torch")


def outcome(call):
    """What comes of *call*, or the first line of its error."""
    try:
        return text(call())
    except Exception as error:
        return text(f"{type(error).__name__}: {error}").partition("\n")[0]


def shown(module):
    """Graph, code and printed module."""
    return f"{module.graph}\n{module.code}\n{module}"


def compare(lines):
    """*lines* of both, side by side."""
    want, got = lines
    assert len(want) == len(got)
    report([f"ours {g}\ntorch {w}" for w, g in zip(want, got, strict=True) if g != w])


@pytest.mark.parametrize("source", FUNCTIONS)
def test_a_functions_graph_and_code_are_the_oracles(source):
    """Or its error."""
    texts = []
    for t in frameworks():
        function = eval(f"lambda x: {source}", {"t": t, "F": t.nn.functional})
        texts.append([outcome(lambda t=t, f=function: shown(t.fx.symbolic_trace(f)))])
    compare(texts)


def network(t):
    """A module with parameters, buffers, submodules and every kind of argument."""

    class Net(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = t.nn.Linear(2, 2)
            self.p = t.nn.Parameter(t.ones(2))
            self.register_buffer("b", t.ones(2))
            self.seq = t.nn.Sequential(t.nn.ReLU(), t.nn.Linear(2, 2))

        def forward(self, x, y=2, *args, k=None, **kw):
            a = t.relu(self.l(x)) + self.p * self.b
            q = t.nn.functional.linear(a, self.l.weight)
            return self.seq(t.cat([a, q], dim=1).sum()) + x.shape[0] + args[0] * y

    Net.forward.__annotations__ = {"x": t.Tensor, "return": t.Tensor}
    return Net()


def simple(t):
    """A module that runs."""

    class Simple(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = t.nn.Linear(2, 2)
            self.p = t.nn.Parameter(t.ones(2))

        def forward(self, x: t.Tensor) -> t.Tensor:
            return t.relu(self.l(x) + self.p)

    Simple.forward.__annotations__ = {"x": t.Tensor, "return": t.Tensor}
    return Simple()


def modules(t):
    yield lambda: network(t)
    yield lambda: simple(t)
    yield lambda: t.nn.Sequential(
        t.nn.Conv2d(1, 2, 3), t.nn.BatchNorm2d(2), t.nn.ReLU(), t.nn.Flatten(), t.nn.Linear(2, 1)
    )
    yield lambda: t.nn.ModuleList([t.nn.ReLU()])


def test_a_modules_graph_and_code_are_the_oracles():
    """Submodules of torch.nn are nodes, others are looked into."""
    compare([
        [outcome(lambda t=t, m=m: shown(t.fx.symbolic_trace(m()))) for m in modules(t)]
        for t in frameworks()
    ])  # fmt: skip


@pytest.mark.parametrize("value", [3, 1.5, True, None, "s"])
def test_a_concrete_argument_is_checked_in_the_graph(value):
    """The graph holds for its value alone."""
    compare([
        [outcome(lambda t=t: shown(t.fx.symbolic_trace(
            lambda x, y: x + 1 if y else x, concrete_args={"y": value})))]
        for t in frameworks()
    ])  # fmt: skip


def test_concrete_arguments_are_numbered_one_by_one():
    """Each leaf of an argument; the next argument begins at one."""

    def traced(t):
        f = lambda x, y, z, w: y[0] + z["a"] * z["b"] + w  # noqa: E731
        given = {"x": 1, "y": [t.fx.PH], "z": {"a": t.fx.PH, "b": 3}, "w": 4}
        return shown(t.fx.symbolic_trace(f, concrete_args=given))

    compare([[outcome(lambda t=t: traced(t))] for t in frameworks()])


PATTERNS = (
    ("t.relu(t.neg(x)) + t.neg(x)", "x: t.relu(t.neg(x))", "x: x.abs()"),
    ("t.relu(t.relu(t.relu(x)))", "x: t.relu(x)", "x: t.sigmoid(x)"),
    ("(lambda n: t.relu(n) + n)(t.neg(x))", "x: t.relu(t.neg(x))", "x: x.abs()"),
    ("t.add(x, 2) * t.add(x, 3)", "x: t.add(x, 3)", "x: x - 3"),
    ("t.add(x, x)", "a, b: t.add(a, b)", "a, b: a * b"),
    ("x.max(0)[0] + 1", "x: x.max(0)[0]", "x: x.amax(0)"),
    ("t.cat([x, x + 1]).sum() + t.cat([x, x + 2]).sum()", "a, b: t.cat([a, b]).sum()",
     "a, b: t.stack([a, b])"),
    ("t.sub(x, 1, alpha=2)", "x: t.sub(x, 1, alpha=2)", "x: x - 2"),
    ("t.sub(x, 1, alpha=2)", "x: t.sub(x, 1, alpha=3)", "x: x - 3"),
)  # fmt: skip


@pytest.mark.parametrize("program, pattern, replacement", PATTERNS)
def test_patterns_are_replaced_where_the_oracle_does(program, pattern, replacement):
    """Which places match, and the graph afterwards."""
    texts = []
    for t in frameworks():
        scope = {"t": t}
        module = t.fx.symbolic_trace(eval(f"lambda x: {program}", scope))
        found = t.fx.replace_pattern(
            module, eval(f"lambda {pattern}", scope), eval(f"lambda {replacement}", scope)
        )
        names = [(m.anchor.name, {k.name: v.name for k, v in m.nodes_map.items()}) for m in found]
        texts.append([text(shown(module)), str(names)])
    compare(texts)


def transformed(t):
    """Transformers, interpreters, tracers of one's own and graphs made by hand."""
    lines = []
    fx = t.fx

    class Swap(fx.Transformer):
        def call_function(self, target, args, kwargs):
            target = t.sigmoid if target is t.relu else target
            return super().call_function(target, args, kwargs)

        def call_method(self, target, args, kwargs):
            if target == "neg":
                return args[0].abs()
            return super().call_method(target, args, kwargs)

    made = Swap(fx.symbolic_trace(lambda x, y=2: t.relu(x).neg() + y)).transform()
    lines += [shown(made), made(t.zeros(2)).tolist()]
    module = simple(t)
    traced = fx.symbolic_trace(module)
    lines.append(shown(Swap(traced).transform()))
    lines.append(bool(t.allclose(traced(t.ones(2)), module(t.ones(2)))))

    class Steps(fx.Interpreter):
        def run_node(self, n):
            lines.append((n.name, n.op))
            return super().run_node(n)

    Steps(traced).run(t.ones(2))
    lines.append(outcome(lambda: fx.Interpreter(traced).run()))
    fx.passes.shape_prop.ShapeProp(traced).propagate(t.ones(3, 2))
    lines += [(n.name, n.meta["tensor_meta"], n.meta["type"]) for n in traced.graph.nodes]

    class Leaves(fx.Tracer):
        def is_leaf_module(self, m, module_qualified_name):
            return True

    outer = t.nn.Sequential()
    outer.add_module("inner", module)
    lines.append(Leaves().trace(outer))
    twice = copy.deepcopy(fx.symbolic_trace(outer))
    lines += [shown(twice), sorted(k for k, _ in twice.named_parameters())]
    lines += [twice.add_submodule("a.b", t.nn.ReLU()), [k for k, _ in twice.named_modules()]]
    lines += [twice.delete_submodule("a.b"), twice.delete_submodule("none")]
    twice.add_submodule("c", t.nn.ReLU())
    twice.delete_all_unused_submodules()
    lines.append([k for k, _ in twice.named_modules()])

    graph = fx.Graph()
    a = graph.placeholder("a")
    b = graph.call_function(t.relu, (a,))
    graph.output(b)
    by_hand = fx.GraphModule({}, graph)
    with graph.inserting_after(b):
        lines.append(fx.Proxy(b) + 1)
        new = graph.call_function(t.neg, (b,))
    b.replace_all_uses_with(new, delete_user_cb=lambda user: user.op == "output")
    by_hand.recompile()
    lines.append(shown(by_hand))
    lines += [outcome(lambda: fx.wrap(3)), outcome(lambda: fx.wrap("x"))]
    lines.append(outcome(lambda: fx.symbolic_trace(lambda x: simple(t)(x))))
    return [text(line) for line in lines]


def test_what_is_made_of_graphs_is_what_the_oracle_makes():
    """Line by line."""
    compare([transformed(t) for t in frameworks()])


def test_a_wrapped_function_is_a_node():
    """Of the module that asked for it, also where it is a builtin."""
    source = """
fx.wrap("len")
fx.wrap("helper")
def helper(x, n):
    return x * n
@fx.wrap
def other(x):
    return x + 1
def program(x):
    return helper(x, len(x)) + math.sqrt(x) + other(x) + helper(2, 3)
"""
    texts = []
    for t in frameworks():
        import math

        scope = {"fx": t.fx, "math": math, "__name__": "wrapped_functions"}
        exec(compile(source, "wrapped_functions.py", "exec"), scope)
        texts.append([text(t.fx.symbolic_trace(scope["program"]).graph)])
        assert scope["len" if "len" in scope else "helper"] is not None and len([1]) == 1
    compare(texts)


def test_nothing_is_patched_after_a_trace():
    """Also not after one that failed."""
    import mindtorch

    module = mindtorch.nn.Module
    before = module.__call__, module.__getattr__
    mindtorch.fx.symbolic_trace(simple(mindtorch))
    with pytest.raises(ValueError, match="control flow"):
        mindtorch.fx.symbolic_trace(lambda x: 1 if x else 2)
    assert (module.__call__, module.__getattr__) == before


def test_what_is_called_names_the_node():
    """Functions by their own name, methods without the underscores of special ones."""
    texts = []
    for t in frameworks():
        g = t.fx.Graph()
        x = g.placeholder("x")
        said = []
        for kind, target in (
            ("function", t.relu),
            ("function", t.Tensor.__add__),
            ("function", operator.__getitem__),
            ("method", "__add__"),
            ("method", "reluSquared"),
            ("method", 1),
            ("function", "text"),
        ):
            try:
                said.append(getattr(g, f"call_{kind}")(target, (x,)).name)
            except Exception as error:
                said.append(f"{type(error).__name__}: {error}")
        texts.append(said)
    compare(texts)
