"""``torch.compile`` and what programs ask of a compiler: functions run as they are."""

from __future__ import annotations

import copy

import pytest

from .aging import agree, refuse
from .both_frameworks import ours, torch

pytestmark = pytest.mark.oracle


def net(t):
    class Net(t.nn.Module):
        def __init__(self):
            super().__init__()
            t.manual_seed(0)
            self.l = t.nn.Linear(2, 2)

        def forward(self, x):
            return self.l(x)

        def extra(self):
            return 7

    made = Net()
    with t.no_grad():
        for p in made.parameters():
            p.fill_(0.5)
    return made


def test_functions():
    def program(t):
        def f(x, y=1):
            return x + y

        c = t.compile(f, backend="eager")

        @t.compile(backend="eager", fullgraph=True, dynamic=False)
        def g(x):
            return x * 2

        facts = (c.__name__, c.__wrapped__ is f, c._torchdynamo_orig_callable is f)
        off = t.compile(f, disable=True) is f
        return c(t.ones(2)), c(t.ones(2), y=3), g(t.ones(1)), facts, off

    agree(program)


def test_modules():
    def program(t):
        m = net(t)
        c = t.compile(m, backend="eager")
        c.zz = 3
        c.eval()
        facts = (
            type(c).__name__,
            repr(c),
            isinstance(c, t._dynamo.OptimizedModule),
            isinstance(c, t._dynamo.eval_frame.OptimizedModule),
            isinstance(c, type(m)),
            list(c.state_dict()),
            [n for n, _ in c.named_parameters()],
            c.extra(),
            c._orig_mod is m,
            c.l is m.l,
            m.zz,
            m.training,
            c.training,
            "extra" in dir(c),
        )
        copied = copy.deepcopy(c)
        copied.load_state_dict(c.state_dict())
        c(t.ones(1, 2)).sum().backward()
        return facts, c(t.ones(1, 2)), copied(t.ones(1, 2)), m.l.weight.grad

    agree(program)


def test_a_module_compiles_itself():
    def program(t):
        m = net(t)
        m.compile(backend="eager")
        return m(t.ones(1, 2)), list(m.state_dict()), m._compiled_call_impl is not None

    agree(program)


@pytest.mark.parametrize(
    "program",
    [
        lambda t: t.compile(len, backend="nope"),
        lambda t: t.compile(len, mode="nope"),
        lambda t: t.compile(len, mode=3),
        lambda t: t.compile(len, mode="default", options={"a": 1}),
        lambda t: t.compile(3, backend="eager"),
        lambda t: t.compile(net(t), backend="eager").nope,
        lambda t: len(t.compile(net(t), backend="eager")),
        lambda t: t.compiler.disable(3),
        lambda t: t.compiler.allow_in_graph(3),
        lambda t: t.compiler.substitute_in_graph(len)(3),
        lambda t: t._dynamo.lookup_backend("zz"),
        lambda t: t._dynamo.config.nope,
        lambda t: setattr(t._dynamo.config, "nope", 1),
    ],
)
def test_refusals(program):
    refuse(program)


def test_an_unknown_option_is_refused():
    with pytest.raises(RuntimeError, match="Unexpected optimization option nope, known options"):
        ours.compile(len, options={"nope": 1})
    assert ours.compile(len, options={"max_autotune": True})([1]) == 1
    assert ours.compile(len, mode="max-autotune")([1]) == 1


def test_marks_change_nothing():
    def program(t):
        def f(x):
            return x + 1

        c = t.compiler
        t._dynamo.mark_dynamic(t.ones(2), 0)
        t._dynamo.graph_break()
        c.reset()
        c.cudagraph_mark_step_begin()
        with c.set_stance("force_eager"):
            pass
        c.set_stance("default")

        @c.disable
        def g(x):
            return x * 3

        @c.disable(recursive=False)
        def h(x):
            return x * 4

        return (
            (c.allow_in_graph(f) is f, c.assume_constant_result(f) is f),
            (g(t.ones(1)), h(t.ones(1)), g.__name__, g._torchdynamo_disable),
            (c.is_compiling(), c.is_dynamo_compiling(), c.is_exporting()),
            (t._dynamo.is_compiling(), t._dynamo.external_utils.is_compiling()),
            c.wrap_numpy(lambda a: a + 1)(t.ones(2)),
            (c.list_backends(), t._dynamo.list_backends(None)),
            c.save_cache_artifacts() is None,
        )

    agree(program)


def test_options_of_the_compiler():
    def program(t):
        config = t._dynamo.config
        before = config.suppress_errors
        with config.patch(suppress_errors=True):
            within = config.suppress_errors

        @config.patch("verbose", True)
        def inside():
            return config.verbose

        t._inductor.config.triton.unique_kernel_names = True
        return (
            (before, within, config.suppress_errors, inside(), config.verbose),
            t._inductor.config.triton.unique_kernel_names,
            (config.cache_size_limit, config.recompile_limit),
            t.compiler.config.recompile_limit,
            sorted(t._inductor.list_mode_options()),
        )

    agree(program)


def test_control_flow():
    def program(t):
        x = t.arange(3.0).reshape(3, 1)
        flow = __import__(f"{t.__name__}._higher_order_ops", fromlist=["scan"])
        return (
            t.cond(t.tensor(True), lambda x: x + 1, lambda x: x - 1, (x,)),
            t.cond(False, lambda x: x + 1, lambda x: x - 1, (x,)),
            t.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (t.tensor(0), x)),
            flow.scan(lambda c, x: (c + x, c * x), t.zeros(1), x),
            flow.map(lambda x: x + 1, x),
        )

    with torch._dynamo.config.patch(disable=True):  # torch compiles these otherwise, slowly
        wanted = program_of_python(torch)
    assert [v.tolist() for v in program_of_python(ours)] == [v.tolist() for v in wanted]
    found = program(ours)
    assert [t.tolist() for t in found[:2]] == [t.tolist() for t in wanted[:2]]
    assert found[2][0].item() == 3 and found[2][1].tolist() == wanted[2].tolist()
    assert found[3][0].tolist() == wanted[3].tolist()
    assert found[3][1].tolist() == wanted[4].tolist()
    assert found[4].tolist() == wanted[0].tolist()


def program_of_python(t):
    """What the ops of control flow shall give, by Python's own."""
    x = t.arange(3.0).reshape(3, 1)
    carries = [t.zeros(1)]
    for row in x:
        carries.append(carries[-1] + row)
    beside = t.stack([c * row for c, row in zip(carries, x)])
    return [x + 1, x - 1, x * 8, carries[-1], beside]


def test_cond_refuses_several_truths():
    def program(t):
        return t.cond(t.ones(2), lambda x: x + 1, lambda x: x - 1, (t.ones(1),))

    with pytest.raises(RuntimeError, match="Expected pred to be bool or single-element tensor"):
        program(ours)


def test_numbers_of_graphs_are_pythons():
    def program(t):
        return (
            (t.sym_int(3.7), t.sym_int(-3.7), t.sym_int("3"), t.sym_float(3), t.sym_not(True)),
            (t.sym_max(1, 2.0), t.sym_max(2, 1.0), t.sym_min(2, 1.0), t.sym_min(1, 2)),
            (t.sym_ite(True, 1, 2), t.sym_sqrt(4), t.sym_sum([1, 2, 3])),
        )

    agree(program)
    refuse(lambda t: t.sym_ite(1, 1, 2))
    refuse(lambda t: t.sym_ite(True, 1, 2.0))
    refuse(lambda t: t.sym_max("a", 2))


@pytest.mark.parametrize(
    "path",
    [
        "export.draft_export",
        "_dynamo.export",
        "_inductor.standalone_compile",
        "compiler.load_compiled_function",
        "ao.nn.quantizable.LSTM",
    ],
)
def test_what_cannot_be_done_is_refused_by_name(path):
    found = ours
    for name in path.split("."):
        found = getattr(found, name)
    with pytest.raises(NotImplementedError, match=f"^torch.{path} ") as caught:
        found(ours.ones(1))
    assert "mindtorch" in str(caught.value)
