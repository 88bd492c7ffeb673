"""Graph modules pickled, copied and written as packages; generated code and what nodes know."""

from __future__ import annotations

import copy
import enum
import io
import operator
import pickle
from typing import NamedTuple, Optional

import pytest

from .both_frameworks import agree, refuse


class Color(enum.Enum):
    RED = 1


class Pair(NamedTuple):
    x: object
    y: object


def network(t):
    """A module with parameters, a buffer and a constant."""

    class Network(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = t.nn.Linear(3, 3)
            self.seq = t.nn.Sequential(t.nn.ReLU(), t.nn.Linear(3, 3))
            self.w = t.nn.Parameter(t.zeros(3))
            self.register_buffer("b", t.ones(3))

        def forward(self, x, y: int = 2, *rest, k=3, **more):
            z = self.seq(self.lin(x) + self.w) - self.b
            return z + t.tensor([1.0, 2, 3]), rest, more

    t.manual_seed(0)
    return Network()


def through_pickle(module, t):
    return pickle.loads(pickle.dumps(module))


def through_save(module, t):
    file = io.BytesIO()
    t.save(module, file)
    file.seek(0)
    return t.load(file, weights_only=False)


COPIES = {
    "pickle": through_pickle,
    "save": through_save,
    "deepcopy": lambda m, t: copy.deepcopy(m),
    "copy": lambda m, t: copy.copy(m),
}


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_has_the_code_and_the_state(how):
    def run(t):
        module = t.fx.symbolic_trace(t.nn.Sequential(t.nn.Linear(2, 2), t.nn.ReLU()))
        module.meta["x"] = 3
        made = COPIES[how](module, t)
        x = t.ones(1, 2)
        same = bool((made(x) == module(x)).all())
        return made.code, str(made.graph), type(made).__name__, made.meta, same

    agree(run)


def test_code_and_graph_of_a_module_with_all_kinds_of_arguments():
    agree(
        lambda t: (lambda g: (g.code, str(g.graph), g.print_readable(False)))(
            t.fx.symbolic_trace(network(t))
        )
    )


def test_nodes_know_their_modules():
    def run(t):
        nodes = t.fx.symbolic_trace(network(t)).graph.nodes
        stacks = [n.meta.get("nn_module_stack") for n in nodes]
        return [s and [(k, p, c.__name__) for k, (p, c) in s.items()] for s in stacks]

    agree(run)


def test_nodes_know_their_lines():
    def run(t):
        class Recording(t.fx.Tracer):
            record_stack_traces = True

        graph = Recording().trace(network(t))
        return [bool(n.stack_trace) and n.stack_trace.split("\n")[1].strip() for n in graph.nodes]

    agree(run)


def graph_of_everything(t):
    """A graph with in-place operators, enumerations, types, ops and odd constants."""
    g = t.fx.Graph()
    a = g.placeholder("a", type_expr=t.Tensor)
    b = g.placeholder("len", type_expr=Optional[list[int]])  # noqa: UP045
    c = g.call_function(operator.imul, (a, b))
    g.call_function(operator.iadd, (c, Color.RED))
    d = g.call_function(t.ops.aten.add.Tensor, (a, a), {"alpha": 2})
    e = g.call_function(t.ops.aten.relu, (d,))
    f = g.call_method("foo", (e,), type_expr=list[t.Tensor])
    h = g.call_function(t.nn.functional.relu, (f,), {"inplace": True})
    i = g.call_function(len, (h,))
    j = g.call_function(getattr, (i, "T"))
    k = g.call_function(t.zeros, ([2, 3],), {"dtype": t.float32, "device": t.device("cpu")})
    g.output([a, {"x": b}, slice(1, j, k), float("inf"), float("nan"), "s", None, ...])
    return g


def test_generated_code_of_everything():
    def run(t):
        g = graph_of_everything(t)
        made = g.python_code("self")
        return made.src, sorted(made.globals), str(g), [n._sort_key for n in g.nodes]

    agree(run)


def test_a_named_tuple_is_made_in_the_graph():
    agree(lambda t: t.fx.symbolic_trace(lambda x: Pair(x, x + 1)).code)


def test_operators_and_packets_are_recorded():
    agree(
        lambda t: str(
            t.fx.symbolic_trace(lambda x: t.ops.aten.add(x, 1) + t.ops.aten.mul.Tensor(x, 2)).graph
        )
    )


def test_names_are_torchs():
    given = "a a a_1 a_1 a_2_3 a_2_3 1x foo.bar __x__ inf len if a_01 a_01 x_ a_0 a_0 a".split()

    def run(t):
        space = t.fx.graph._Namespace()
        return [space.create_name(n, None) for n in given]

    agree(run)


def erased_twice(t):
    g = t.fx.Graph()
    g.call_function(len, (g.placeholder("a"),))
    g.erase_node(next(iter(g.nodes)))


def unordered(t):
    g = t.fx.Graph()
    a = g.placeholder("a")
    g.call_function(len, (a,)).append(a)
    g.lint()


def changed_arguments(t):
    g = t.fx.Graph()
    g.call_function(len, (g.placeholder("a"),), {"b": [1]}).kwargs["b"].append(2)


REFUSED = [
    erased_twice,
    unordered,
    changed_arguments,
    lambda t: t.fx.Graph().create_node("foo", "x"),
    lambda t: t.fx.Graph().call_function("x"),
    lambda t: t.fx.Graph().call_method(len),
    lambda t: t.fx.Graph().inserting_before(t.fx.Graph().placeholder("a")),
    lambda t: t.fx.GraphModule(3, t.fx.Graph()),
    lambda t: t.fx.wrap(3),
    lambda t: t.fx.wrap("f"),
    lambda t: t.fx.symbolic_trace(lambda x: [*x]),
    lambda t: t.fx.symbolic_trace(lambda x: 1 if x else 2),
    lambda t: t.fx.symbolic_trace(lambda x: {x: 1}),
    lambda t: t.fx.Interpreter(t.fx.symbolic_trace(lambda x: x + 1)).run(),
]


@pytest.mark.parametrize("program", REFUSED, ids=range(len(REFUSED)))
def test_what_graphs_refuse(program):
    refuse(program)


def test_lines_of_the_body_can_be_changed():
    def run(t):
        g = t.fx.symbolic_trace(lambda x: x + 1).graph
        with g.on_generate_code(lambda before: lambda body: ["import math\n", *body]):
            inside = g.python_code("self").src
        return inside, g.python_code("self").src

    agree(run)


def test_a_method_other_than_forward_is_traced():
    def run(t):
        class Other(t.nn.Module):
            def other(self, x):
                return x * 2

        tracer = t.fx.Tracer()
        tracer.traced_func_name = "other"
        return str(tracer.trace(Other()))

    agree(run)
