"""``torch.compile`` with a backend of the program's own: results, graphs, calls of the backend."""

from __future__ import annotations

import contextvars
import functools
import operator
import threading

import pytest

from .both_frameworks import agree, ours, part, plain, refuse, torch
from .compiled_programs import PROGRAMS

pytestmark = pytest.mark.oracle


class Counting:
    """A backend that notes the calls in each graph, and how often what it returned was called."""

    def __init__(self) -> None:
        self.graphs: list[list[str]] = []
        self.runs = 0

    def __call__(self, gm, example_inputs):
        assert len(example_inputs) == sum(n.op == "placeholder" for n in gm.graph.nodes)
        calls = [n.target for n in gm.graph.nodes if n.op.startswith("call_")]
        self.graphs.append([c if isinstance(c, str) else c.__name__ for c in calls])

        def run(*args):
            self.runs += 1
            return gm(*args)

        return run


def close(got, want):
    """Whether two results are the same, numbers within torch's own tolerance."""
    if isinstance(want, (list, tuple)):
        return type(got) is type(want) and len(got) == len(want) and all(map(close, got, want))
    if isinstance(want, float):
        return got == pytest.approx(want, rel=1e-4, abs=1e-6, nan_ok=True)
    return got == want


def outcome(program, t, compiled):
    """What a program returns, and what its backend saw."""
    t._dynamo.reset()
    backend = Counting()
    made = program(t, lambda f: t.compile(f, backend=backend) if compiled else f)
    return plain(made, t), backend


@pytest.mark.parametrize("entry", PROGRAMS, ids=lambda entry: entry.run.__name__)
def test_programs(entry):
    want, theirs = outcome(entry.run, torch, compiled=True)
    got, backend = outcome(entry.run, ours, compiled=True)
    assert close(got, want), (got, want)
    same = (backend.graphs, backend.runs) == (theirs.graphs, theirs.runs)
    assert same == (entry.differs is None), (backend.graphs, theirs.graphs)


AS_EAGERLY = [entry.run for entry in PROGRAMS if entry.run.__name__ != "whether_it_compiles"]


@pytest.mark.parametrize("program", AS_EAGERLY, ids=lambda program: program.__name__)
def test_programs_run_as_they_do_eagerly(program):
    assert outcome(program, ours, True)[0] == outcome(program, ours, False)[0]


# backends -----------------------------------------------------------------------------------------


def doubled(t, backend, **options):
    return t.compile(lambda x: x * 2, backend=backend, **options)(t.ones(2))


def failing(gm, inputs):
    raise ValueError("no")


def refuses_to_run(gm, inputs):
    def run(*args):
        raise KeyError("later")

    return run


@pytest.mark.parametrize(
    "backend",
    [
        lambda gm, inputs: gm,
        lambda gm, inputs: gm.forward,
        lambda gm, inputs: lambda *args: list(gm(*args)),
        lambda gm, inputs: lambda *args: gm(*args)[0],
        lambda gm, inputs: lambda x: (x + 40,),
    ],
)
def test_what_a_backend_returns_is_called(backend):
    agree(lambda t: doubled(t, backend))


@pytest.mark.parametrize(
    "backend",
    [
        failing,
        refuses_to_run,
        lambda gm, inputs: 3,
        lambda gm, inputs: None,
        lambda gm, inputs: lambda *args: (),
        3,
    ],
)
def test_backends_that_fail(backend):
    refuse(lambda t: doubled(t, backend))


def test_types_of_errors():
    def program(t):
        exc = t._dynamo.exc
        kinds = (exc.BackendCompilerFailed, exc.Unsupported)
        return [[c.__name__ for c in kind.__mro__] for kind in kinds]

    agree(program)


def test_names_of_backends():
    def program(t):
        backend = Counting()
        name = "counting_of_the_tests"
        t._dynamo.register_backend(backend, name=name)
        return doubled(t, name), backend.graphs, backend.runs, name in t._dynamo.list_backends()

    agree(program)


def test_what_counts():
    def program(t):
        def f(x):
            y = x + 1
            t._dynamo.graph_break()
            return (y * 2).sum()

        counts = []
        for made in ("CompileCounter", "CompileCounterWithBackend"):
            t._dynamo.reset()
            kind = getattr(part(t, "_dynamo.testing"), made)
            counter = kind("eager") if "With" in made else kind()
            c = t.compile(f, backend=counter)
            counts += [c(t.ones(2)), c(t.ones(2)), counter.frame_count, counter.op_count]
        return counts, [len(g.graph.nodes) for g in counter.graphs]

    agree(program)


def test_what_is_explained():
    def program(t):
        def f(x):
            y = x + 1
            t._dynamo.graph_break()
            return (y * 2).sum()

        told = t._dynamo.explain(f)(t.ones(2))
        counts = told.graph_count, told.graph_break_count, told.op_count
        ops = [[op.__name__ for op in ops] for ops in told.ops_per_graph]
        (reason,) = told.break_reasons
        place = reason.user_stack[0].name, reason.graph_break
        lines = str(told).splitlines()[:3]
        return counts, ops, place, reason.reason.splitlines()[0], lines, len(told.graphs)

    agree(program)


def ended_by_hand(t, apart, x):
    t._dynamo.graph_break()
    return x


def branching(t, apart, x):
    if x.sum() > 1:
        return x
    return x + 1


def with_a_disabled_function(t, apart, x):
    return apart(x)


@pytest.mark.parametrize("rest", [ended_by_hand, branching, with_a_disabled_function])
def test_a_full_graph_has_no_breaks(rest):
    def program(t):
        backend = Counting()
        apart = t.compiler.disable(lambda x: x + 1)
        f = t.compile(lambda x: rest(t, apart, x * 3), backend=backend, fullgraph=True)
        try:
            f(t.ones(2))
        except t._dynamo.exc.Unsupported as error:
            return str(error).splitlines()[0], backend.graphs
        return None

    agree(program)


def test_a_graph_that_was_given_up_changes_nothing():
    x = ours.ones(2)
    kept = []

    def f(x):
        kept.append(x.add_(1) * 2)
        ours._dynamo.graph_break()

    with pytest.raises(ours._dynamo.exc.Unsupported):
        ours.compile(f, backend=Counting(), fullgraph=True)(x)
    assert x.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="a graph that was given up"):
        kept[0].tolist()


def test_stances_and_settings():
    def program(t):
        backend = Counting()
        f = t.compile(lambda x: x + 1, backend=backend)
        counts = []

        def call(x):
            f(x)
            counts.append(len(backend.graphs))

        x = t.ones(2)
        with t.compiler.set_stance("force_eager"):
            call(x)
        call(x)
        t.compiler.set_stance("force_eager")
        call(x.double())
        t.compiler.set_stance("default")
        call(x.double())
        t.compiler.set_stance("force_eager")(call)(x.int())
        call(x.int())
        with t._dynamo.config.patch(disable=True):
            call(x.bool())
        with t._dynamo.config.patch(suppress_errors=True):
            return counts, t.compile(lambda x: x + 1, backend=failing)(x)

    agree(program)


def test_ways_to_compile():
    def program(t):
        x = t.ones(1, 2)
        backend = Counting()
        m = t.nn.Linear(2, 2)
        m.compile(backend=backend)
        forward = t.compile(t.nn.Linear(2, 2).forward, backend=backend)
        part_of = t.compile(functools.partial(lambda a, x: a * x, 2), backend=backend)
        decorated = t.compile(backend=backend, dynamic=False)(lambda *a, **k: sum(a) + k["z"])

        @t.compile(backend=backend)
        def recursive(x, n):
            return x if n == 0 else recursive(x + 1, n - 1)

        shapes = [f(x).shape for f in (m, forward, part_of)]
        return shapes, decorated(x, x, z=x), recursive(x, 3), backend.graphs

    agree(program)


def test_own_operators_are_calls():
    def program(t):
        library = part(t, "library")

        @library.custom_op(
            "compile_backends::twice", mutates_args=(), schema="(Tensor x) -> Tensor"
        )
        def twice(x):
            return x * 2

        @twice.register_fake
        def _(x):
            return t.empty_like(x)

        backend = Counting()
        return t.compile(lambda x: twice(x) + 1, backend=backend)(t.ones(2)), backend.graphs

    agree(program)


def test_backends_change_and_run_graphs():
    def program(t):
        def products(gm, inputs):
            for node in gm.graph.nodes:
                if node.target is operator.add:
                    node.target = operator.mul
            gm.graph.eliminate_dead_code()
            gm.recompile()
            gm.graph.lint()
            return gm

        def interpreted(gm, inputs):
            return t.fx.Interpreter(gm).run

        def traced(gm, inputs):
            return part(t, "fx.experimental.proxy_tensor").make_fx(gm)(*inputs)

        def f(x):
            x.mul_(2)
            return x * 2 + x.relu()

        with t.no_grad():
            return [t.compile(f, backend=b)(t.ones(2)) for b in (products, interpreted, traced)]

    agree(program)


def test_sparse_results_are_computed_eagerly():
    def f(x):
        y = x * 2
        x.add_(1)
        return x.to_sparse().to_dense(), y.to_sparse().is_sparse

    backend = Counting()
    dense, sparse = ours.compile(f, backend=backend)(ours.ones(2))
    assert dense.tolist() == [2, 2] and sparse
    assert backend.graphs == [["mul", "add_"]]


def test_calls_that_modes_do_not_see_come_in_their_turn():
    def program(t):
        def f(x):
            x.add_(1)
            with t._C.DisableTorchFunction():
                y = x * 2
            return y + x

        return t.compile(f, backend=Counting())(t.ones(2))

    agree(program)


def test_threads_call_the_same_function():
    f = ours.compile(lambda x, k: ((x + 1) * k).sum() if x.sum() > 0 else x, backend=Counting())
    found = {}

    def work(i):
        found[i] = [f(ours.ones(4) * i, k).item() for k in range(1, 20)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: [4 * (i + 1) * k for k in range(1, 20)] for i in range(1, 5)}


def test_a_thread_in_the_functions_context_computes_for_itself():
    def f(x):
        y = x + 1
        found = []
        context = contextvars.copy_context()

        def work():
            found.append((y * 2, y.shape, ours.sin(y).tolist()))

        thread = threading.Thread(target=context.run, args=(work,))
        thread.start()
        thread.join()
        return found, y * 3

    got = ours.compile(f, backend=Counting())(ours.ones(2))
    assert plain(got, ours) == plain(f(ours.ones(2)), ours)


def test_graphs_are_kept_by_what_they_hold():
    """1, 1.0 and True are other constants, as are other settings of the thread."""
    backend = Counting()
    f = ours.compile(lambda x, k: x * k, backend=backend)
    x = ours.ones(2)
    for k in (1, 1.0, True, 1, float("nan"), float("nan")):
        f(x, k)
    assert len(backend.graphs) == 4
    with ours.no_grad():
        f(x, 1)
    assert len(backend.graphs) == 5


def test_backends_of_torchs_own_run_the_function_itself():
    seen = []
    ours.compile(lambda x: seen.append(type(x + 1)), backend="eager")(ours.ones(2))
    assert seen == [ours.Tensor]


def test_under_modes_and_transforms_nothing_is_recorded():
    backend = Counting()
    f = ours.compile(lambda x: x * 2, backend=backend)
    assert ours.vmap(f)(ours.ones(2)).tolist() == [2, 2]
    with ours.overrides.BaseTorchFunctionMode():
        assert f(ours.ones(2)).tolist() == [2, 2]
    assert ours.fx.experimental.proxy_tensor.make_fx(f)(ours.ones(2)) is not None
    assert backend.graphs == []


def test_calls_that_full_graphs_hold():
    """Numbers drawn, writes to parameters, and what a tensor says of itself are no breaks."""
    calls = (
        lambda t, x, p: t.rand_like(x) + t.randn_like(x, dtype=t.float64) + t.randint_like(x, 9),
        lambda t, x, p: t.normal(x, 2.0) + t.normal(0.0, x) + t.normal(0.0, 1.0, (3,)),
        lambda t, x, p: t.vander(x) + t.as_strided(x, (3,), (1,)),
        lambda t, x, p: t.nn.init.normal_(t.empty(3)) + t.nn.init.uniform_(t.empty(3)),
        lambda t, x, p: t.nn.init.kaiming_uniform_(t.empty(3, 3)) + t.nn.init.constant_(x + 1, 5),
        lambda t, x, p: (x.type(), (x * 2).is_leaf, p.is_leaf, x.type(t.float64)),
        lambda t, x, p: x.new_tensor([1, 2, 3]) + x.to(t.promote_types(x.dtype, t.float64)),
        lambda t, x, p: (p.data.add_(x), p.data * 2, p * 2),
        lambda t, x, p: ((p * x).data + 1, p * x),
        lambda t, x, p: written(t, x, p),
    )

    def written(t, x, p):
        with t.no_grad():
            same = p.copy_(x * 2)
            p.mul_(3)
        return same is p, p + 1

    def program(t):
        found = []
        for call in calls:
            t._dynamo.reset()
            t.manual_seed(0)
            backend = Counting()
            x, p = t.arange(3.0), t.nn.Parameter(t.ones(3))
            got = t.compile(lambda x, p: call(t, x, p), backend=backend, fullgraph=True)(x, p)
            found.append((got, p, p._version, len(backend.graphs)))
        return found

    agree(program)


def test_backends_that_leave_the_graph_to_inductor():
    """Graphs run as they are; several results are a list, as torch's compiled graphs have them."""
    x, inductor = ours.ones(2, requires_grad=True), part(ours, "_inductor")
    compile_fx = part(ours, "_inductor.compile_fx").compile_fx
    f = ours.compile(lambda x: (x * x).sum(), backend=lambda g, xs: compile_fx(g, xs))
    f(x).backward()
    assert x.grad.tolist() == [2, 2]
    graph = ours.fx.symbolic_trace(lambda x: (x + 1, x * 2))
    y = ours.ones(2)
    compiled = inductor.compile(graph, [y], options={"max_autotune": False})
    assert plain(compiled(y), ours) == plain([y + 1, y * 2], ours)
    with pytest.raises(AttributeError, match=r"^torch._inductor.config.nonsense does not exist$"):
        inductor.compile(graph, [y], options={"nonsense": True})
    with pytest.raises(NotImplementedError, match="a compiler or decompositions of its own"):
        compile_fx(graph, [y], inner_compile=lambda g, xs: g)


def test_what_backends_are_made_of():
    def program(t):
        common = part(t, "_dynamo.backends.common")
        cut = part(t, "_functorch.partitioners")
        backend = common.aot_autograd(fw_compiler=len)
        graph = t.fx.Graph()
        names = "primals_1 tangents_1 fwd_seed_0 bwd_base_offset_0 x".split()
        nodes = [*map(graph.placeholder, names), graph.call_function(abs)]
        return (
            (backend.__name__, sorted(backend.kwargs), type(backend).__name__),
            [common.device_from_inputs(xs).type for xs in ([], [1, t.ones(1, device="meta")])],
            [str(common.dtype_from_inputs(xs)) for xs in ([], [1, t.ones(1, dtype=t.float64)])],
            [(cut._is_primal(n), cut._is_tangent(n)) for n in nodes],
        )

    agree(program)
    graph = ours.fx.symbolic_trace(lambda x: x + 1)
    with pytest.raises(NotImplementedError, match="common.aot_autograd needs a compiler"):
        part(ours, "_dynamo.backends.common").aot_autograd()(graph, [ours.ones(1)])
