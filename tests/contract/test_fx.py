"""``make_fx`` and ``torch.fx``: the graph of what was called, printed as the oracle's."""

from __future__ import annotations

import operator
from pathlib import Path

import mindtorch
import mindtorch.fx.experimental.proxy_tensor
import pytest
import torch
import torch.fx.experimental.proxy_tensor


def _many(t):
    def f(a, b):
        c = a + b
        d = c.relu().sum(0, keepdim=True)
        t.zeros(3, dtype=t.float64)
        a.add_(1, alpha=2)
        v, _ = t.max(c, 0)
        s = t.split(c, 1)
        w = t.where(c > 0, c, t.tensor(0.0))
        k = c.to(t.float16)
        m = t.cat([c, c], -1)
        c[:, 1:]
        t.nn.functional.softmax(c, -1)
        return d, v, s[0], w, {"x": [k, m]}, None, 3

    return f, (t.ones(2, 3), t.ones(3))


def _gradient(t):
    def f(x):
        w = t.ones(2, requires_grad=True)
        return t.autograd.grad((x * w).sum(), w)

    return f, (t.ones(2),)


def _layer(t):
    return t.nn.Linear(2, 2), (t.ones(1, 2),)


def _training(t):
    m = t.nn.Linear(2, 2)

    def f(x):
        m(x).sum().backward()
        return m.weight.grad

    return f, (t.ones(1, 2),)


def _constants(t):
    w, p = t.ones(2), t.nn.Parameter(t.ones(2))
    return (lambda x: x * w + w + p + p + float("inf") + 1e-5), (t.ones(2),)


def _of(function, *make):
    return lambda t: (lambda *args: function(t, *args), tuple(m(t) for m in make))


def _named(text, arguments):
    return lambda t: (eval(text, {"t": t}), eval(arguments, {"t": t}))


PROGRAMS = {
    "many": _many,
    "gradient": _gradient,
    "layer": _layer,
    "training": _training,
    "constants": _constants,
    "varargs": _named("lambda *xs: xs[0] + xs[1]", "(t.ones(2), t.ones(2))"),
    "dict": _named("lambda d: d['a'] + 1", "({'a': t.ones(2)},)"),
    "nested": _named(
        "lambda xs, d: [xs[0] + d['k'][1], {'a': d['k'][0]}]",
        "([t.ones(2)], {'k': (t.ones(2), t.ones(2))})",
    ),
    "in place": _named("lambda x: x.add_(1).mul_(2) + x", "(t.ones(2),)"),
    "fresh": _named("lambda x: t.tensor([1.0, 2.0]) + x", "(t.ones(2),)"),
    "number of a constant": _named("lambda x: t.tensor(2.0).item() + x", "(t.ones(2),)"),
    "default": _named("lambda x, y=2: x + y", "(t.ones(2), 3)"),
    "number": _named("lambda x, y: x + y", "(t.ones(2), 3.5)"),
    "nothing": _named("lambda x: ()", "(t.ones(2),)"),
    "input": _named("lambda x: (x, [x])", "(t.ones(2),)"),
    "casts": _named("lambda x: x.long().to('cpu')", "(t.ones(2),)"),
    "index": _named("lambda x: x[t.tensor([0, 1])]", "(t.ones(2),)"),
    "many results": _named("lambda x: x.unbind() + x.split(1)", "(t.ones(2),)"),
    "nan": _named("lambda x: t.full((2,), float('nan')) + float('-inf') * x", "(t.ones(2),)"),
    "complex": _named("lambda x: x.new_zeros(3, dtype=t.complex64) * 1j", "(t.ones(2),)"),
    "random": _named("lambda x: (t.rand(2) + x, x)", "(t.ones(2),)"),
    "views": _named("lambda x: x.t().reshape(4).view(2, 2).expand(3, 2, 2)", "(t.ones(2, 2),)"),
    "read": _named("lambda x: x.item()", "(t.ones(1),)"),
    "control flow": _named("lambda x: 2 if x.sum() > 0 else 3", "(t.ones(1),)"),
    "too few": _named("lambda x, y: x", "(t.ones(1),)"),
}


def _captured(lib, name):
    function, args = PROGRAMS[name](lib)
    try:
        made = lib.fx.experimental.proxy_tensor.make_fx(function)(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    nodes = [
        (n.op, n.name, str(n.args), str(n.kwargs), str(list(n.users)), str(n.all_input_nodes))
        for n in made.graph.nodes
    ]
    return [made.code, str(made), str(made.graph), made.print_readable(print_output=False), nodes]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_graph_is_printed_as_the_oracles(name):
    """Code, module, graph, readable form, and every node's fields."""
    assert _captured(mindtorch, name) == _captured(torch, name)


@pytest.mark.parametrize("name", ["many", "layer", "dict", "nested", "views", "default"])
def test_captured_module_computes_what_the_function_does(name):
    """The module, and an interpreter over its graph, give the function's result."""
    function, args = PROGRAMS[name](mindtorch)
    made = mindtorch.fx.experimental.proxy_tensor.make_fx(function)(*args)
    again = PROGRAMS[name](mindtorch)[1]
    want = repr(function(*PROGRAMS[name](mindtorch)[1]))
    assert repr(made(*again)) == want


def test_interpreter_runs_node_by_node():
    """Overriding one kind of node changes what it gives."""
    made = mindtorch.fx.experimental.proxy_tensor.make_fx(lambda x: x.relu() + 1)(mindtorch.ones(2))
    seen = []

    class Watching(mindtorch.fx.Interpreter):
        def call_function(self, target, args, kwargs):
            seen.append(str(target))
            return super().call_function(target, args, kwargs)

    assert Watching(made).run(mindtorch.ones(2)).tolist() == [2.0, 2.0]
    assert seen == ["aten.relu.default", "aten.add.Tensor"]


def test_decompositions_are_traced_in_place_of_the_operator():
    """A table of functions, each for an operator."""

    def code(lib):
        table = {lib.ops.aten.silu.default: lambda x: x * lib.sigmoid(x)}
        make_fx = lib.fx.experimental.proxy_tensor.make_fx
        return make_fx(lambda x: lib.nn.functional.silu(x), table)(lib.ones(2)).code

    assert code(mindtorch) == code(torch)


def _by_hand(lib):
    g = lib.fx.Graph()
    x = g.placeholder("x")
    a = g.call_function(lib.add, (x, 1))
    b = g.call_method("relu", (a,))
    c = g.call_function(operator.add, (b, a))
    g.call_function(operator.getitem, (c, 0))
    s = g.call_function(getattr, (c, "shape"))
    m = g.call_module("lin", (c,))
    w = g.get_attr("w.x")
    g.output((m, w, s, slice(1, x, None)))
    yield str(g)
    yield g.python_code("self").src
    yield [n.name for n in reversed(g.nodes)], len(g.nodes), repr(a.next), repr(a.prev)
    yield str(a.users), str(c.all_input_nodes)
    try:
        g.erase_node(a)
    except RuntimeError as error:
        yield str(error)
    with g.inserting_before(b):
        d = g.call_function(lib.neg, (a,))
    a.replace_all_uses_with(d)
    d.args = (a,)
    yield str(g)
    g.lint()
    c.prepend(g.call_function(lib.neg, (c,)))
    try:
        g.lint()
    except RuntimeError as error:
        yield str(error)


def test_graph_made_by_hand_is_the_oracles():
    """Building, printing, replacing, erasing, checking."""
    assert list(_by_hand(mindtorch)) == list(_by_hand(torch))


@pytest.mark.parametrize("names", [
    "sum list x x_1 x1 x self and 3a a.b T _x torch device inf nan NoneType sum_1 x_5 x x_1_1",
])  # fmt: skip
def test_names_are_the_oracles(names):
    """Numbers, keywords, builtins and characters that no name may have."""

    def made(lib):
        g = lib.fx.Graph()
        return [g.placeholder(n).name for n in names.split()]

    assert made(mindtorch) == made(torch)


def test_nothing_is_left_after_an_error():
    """A function that raises leaves no mode behind."""

    def fails(x):
        raise KeyError

    with pytest.raises(KeyError):
        mindtorch.fx.experimental.proxy_tensor.make_fx(fails)(mindtorch.ones(2))
    assert mindtorch.fx.experimental.proxy_tensor.get_proxy_mode() is None


def test_arguments_of_a_node_may_be_anything():
    """What is assigned is kept as it is; the nodes within are counted as used."""

    def told(t):
        graph = t.fx.symbolic_trace(lambda x: x + 1).graph
        x, node, _ = graph.nodes
        lines = []
        for args in (1, [1], (1,), "abc", None, ({"a": [x]},), [x, x]):
            node.args = args
            lines.append((node.args, str(type(node.args)), node.format_node(), len(x.users)))
        for kwargs in (1, None, [("a", 2)], {"a": x}):
            node.kwargs = kwargs
            lines.append((node.kwargs, node.format_node(), len(x.users)))
        return str(lines).replace("mindtorch", "torch")

    assert told(mindtorch) == told(torch)


def test_a_module_that_was_written_to_a_folder_is_imported_again(tmp_path):
    """Layers that can be written as text, and those that are kept in files beside it."""

    def run(t):
        parts = t.nn.Linear(2, 2), t.nn.ReLU(), t.nn.Softplus(beta=2)
        traced = t.fx.symbolic_trace(t.nn.Sequential(*parts))
        folder = tmp_path / t.__name__
        traced.to_folder(folder, "Written")
        text = Path(folder, "module.py").read_text().replace(str(folder), "FOLDER")
        # What is written imports torch: mindtorch is that only under its name.
        return [line for line in text.splitlines() if "setattr" in line or "def " in line]

    lines = run(mindtorch)
    assert lines == run(torch)
    compile("\n".join(["class Written:", *lines[:4]]), "<written>", "exec")
