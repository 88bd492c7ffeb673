"""``torch.jit``: scripted and traced programs compute what they were made of computes."""

from __future__ import annotations

import copy
import pickle
import warnings

import pytest

from .aging import agree, refuse
from .both_frameworks import ours, plain, same, torch

pytestmark = pytest.mark.oracle


def net(t):
    """A module with a module inside, an attribute, and methods of three kinds."""

    class Net(t.nn.Module):
        def __init__(self):
            super().__init__()
            t.manual_seed(0)
            self.l = t.nn.Linear(3, 2)
            self.stack = t.nn.Sequential(t.nn.Linear(2, 2), t.nn.ReLU(), t.nn.Dropout(0.5))
            self.register_buffer("scale", t.full((2,), 3.0))
            self.k = 3

        def forward(self, x):
            return self.helper(self.stack(self.l(x))) + self.k

        def helper(self, x):
            return x * self.scale

        @t.jit.export
        def more(self, n: int):
            return n + self.k

    made = Net()
    with t.no_grad():
        for p in made.parameters():
            p.fill_(0.5)  # exact products, in whatever order they are summed
    return made


def scripted(t):
    return t.jit.script(net(t))


def traced(t):
    return t.jit.trace(net(t).eval(), t.ones(1, 3), check_trace=False)


MADE = pytest.mark.parametrize("made", [scripted, traced])


@MADE
def test_a_module_computes_the_same(made):
    agree(lambda t: made(t).eval()(t.arange(6.0).reshape(2, 3)))


@MADE
def test_a_module_says_what_it_is(made):
    def facts(t):
        m = made(t).eval()
        return (
            repr(m),
            m.original_name,
            isinstance(m, t.jit.ScriptModule),
            isinstance(m, t.jit.RecursiveScriptModule),
            isinstance(m.stack, t.jit.ScriptModule),
            [n for n, _ in m.named_modules()],
            [n for n, _ in m.named_parameters()],
            [n for n, _ in m.named_buffers()],
            m.training,
            m.k,
            m.more(2),
        )

    agree(facts)


def test_parameters_are_shared_and_attributes_are_not():
    def program(t):
        m = net(t)
        s = t.jit.script(m)
        s.k = 5
        s.eval()
        with t.no_grad():
            s.l.weight.fill_(2.0)
        return m.k, m.training, m.l.weight, s.l.weight is m.l.weight, s.k

    agree(program)


def test_state_moves_and_copies():
    def program(t):
        s = scripted(t).eval()
        c = copy.deepcopy(s)
        with t.no_grad():
            s.l.weight.zero_()
        before = c(t.ones(1, 3))
        s.load_state_dict(c.state_dict())
        return before, s(t.ones(1, 3)), repr(c), s.double().l.weight.dtype == t.float64

    agree(program)


def test_a_module_trains():
    def program(t):
        s = t.jit.script(t.nn.Sequential(t.nn.Linear(2, 2), t.nn.ReLU()))
        with t.no_grad():
            for p in s.parameters():
                p.fill_(0.25)
        optimizer = t.optim.SGD(s.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            s(t.ones(2, 2)).sum().backward()
            optimizer.step()
        return list(s.parameters())

    agree(program)


def test_containers_keep_their_ways():
    def program(t):
        s = t.jit.script(t.nn.ModuleList([t.nn.ReLU(), t.nn.Tanh()]))
        d = t.jit.script(t.nn.ModuleDict({"a": t.nn.ReLU()}))
        return len(s), [m(t.ones(1)) for m in s], "a" in d, bool(s)

    agree(program)


@pytest.mark.parametrize(
    "program",
    [
        lambda s, t: s.nothing,
        lambda s, t: setattr(s, "l", t.nn.ReLU()),
        lambda s, t: s.add_module("q", t.nn.ReLU()),
        lambda s, t: pickle.dumps(t.jit.script(t.nn.Hardtanh())),
        lambda s, t: t.jit.freeze(net(t)),
        lambda s, t: t.jit.freeze(s),
        lambda s, t: t.jit.script(t.nn.Linear),
        lambda s, t: t.jit.script(3),
        lambda s, t: t.jit.trace_module(net(t), {"nope": t.ones(1)}),
        lambda s, t: t.jit.trace_module(net(t), t.ones(1)),
        lambda s, t: t.jit.trace_module(len, {}),
        lambda s, t: t.jit.trace(lambda x: 3, t.ones(1)),
        lambda s, t: t.jit.trace(lambda x: {"a": x}, t.ones(1)),
        lambda s, t: t.jit.trace(lambda x: x, 3),
        lambda s, t: t.jit.load("/nonexistent"),
        lambda s, t: t.jit.load(3),
        lambda s, t: t.jit.save(3, "/nonexistent"),
        lambda s, t: t.jit.ignore(3),
        lambda s, t: t.jit.interface(len),
        lambda s, t: t.jit.wait(3),
        lambda s, t: t.jit.set_fusion_strategy([("X", 1)]),
        lambda s, t: t.jit.isinstance([1], list),
        lambda s, t: t.jit.isinstance(1, [int]),
        lambda s, t: t.jit._unwrap_optional(None),
    ],
)
def test_refusals(program):
    result = refuse(lambda t: program(scripted(t), t))
    assert result[0] not in ("ImportError", "ModuleNotFoundError")


def test_functions():
    def program(t):
        def f(x, n: int = 2):
            """Twice."""
            return x * n

        s = t.jit.script(f)
        r = t.jit.trace(f, t.ones(1))
        return (
            (s(t.ones(2)), s(t.ones(2), n=3), s.name, s.__doc__, t.jit.script(s) is s),
            (isinstance(s, t.jit.ScriptFunction), isinstance(r, t.jit.ScriptFunction)),
            (r(t.ones(2)), r.name),
        )

    agree(program)


def test_what_a_module_exports_is_asked_for_its_state():
    def program(t):
        class Refusing(t.nn.Module):
            def forward(self, x):
                return x

            @t.jit.export
            def __getstate__(self):
                raise RuntimeError("not this one")

            @t.jit.export
            def __setstate__(self, state: int):
                raise RuntimeError("nor this one")

        with pytest.raises(t.jit.Error, match="RuntimeError: not this one"):
            pickle.dumps(t.jit.script(Refusing()))
        return issubclass(t.jit.Error, RuntimeError)

    agree(program)


def test_functions_refuse_to_be_pickled():
    def program(t):
        def f(x):
            return x

        return pickle.dumps(t.jit.script(f))

    refuse(program)


def test_what_is_traced_knows_it():
    def program(t):
        def f(x):
            return x + int(t.jit.is_tracing())

        r = t.jit.trace(f, t.ones(1), check_trace=False)
        return r(t.ones(1)), f(t.ones(1)), t.jit.is_tracing(), t.jit.is_scripting()

    agree(program)


def test_traces_of_keywords_and_loose_containers():
    def program(t):
        m = net(t).eval()
        by_name = t.jit.trace(m, example_kwarg_inputs={"x": t.ones(1, 3)}, check_trace=False)
        loose = t.jit.trace(lambda x: {"a": x}, t.ones(1), strict=False)
        return by_name(x=t.ones(1, 3)), loose(t.ones(2))

    agree(program)


def test_frozen_modules_have_no_state():
    def program(t):
        s = t.jit.script(net(t)).eval()
        f = t.jit.freeze(s, ["k"])
        wanted = f(t.ones(1, 3))
        with t.no_grad():
            s.l.weight.zero_()
        best = t.jit.optimize_for_inference(f)
        same_again = t.equal(f(t.ones(1, 3)), wanted)
        return wanted, same_again, list(f.state_dict()), f.k, repr(f), best(t.ones(1, 3))

    agree(program)


def test_freezing_on_the_way_is_said_to_be_deprecated_too():
    def program(t):
        scripted = t.jit.script(net(t).eval())
        heard = []
        for module in (scripted, t.jit.freeze(scripted)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                t.jit.optimize_for_inference(module)
            heard.append([str(w.message) for w in caught])
        return heard

    agree(program)


def test_what_is_deprecated_is_not_said_at_the_programs_line():
    """Python shows a DeprecationWarning only where it points at the main module."""

    def program(t):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            scripted = t.jit.script(net(t).eval())
            t.jit.trace(net(t), t.ones(1, 3))
            t.jit.optimize_for_inference(t.jit.freeze(scripted))
            t.jit.wait(t.jit.fork(t.neg, t.ones(1)))
            t.jit.set_fusion_strategy([("DYNAMIC", 1)])
        return [
            (str(w.message).partition("`")[2].partition("`")[0], w.filename == __file__)
            for w in caught
            if "torch.jit" in str(w.message)
        ]

    agree(program)


def test_a_class_of_script_modules():
    class Ours(ours.jit.ScriptModule):
        def __init__(self):
            super().__init__()
            self.l = ours.nn.Linear(2, 2)

        @ours.jit.script_method
        def forward(self, x):
            return self.l(x) * 2

    m = Ours()
    assert ours.equal(m(ours.ones(1, 2)), m.l(ours.ones(1, 2)) * 2)
    assert isinstance(m, ours.jit.ScriptModule) and list(m.state_dict()) == ["l.weight", "l.bias"]


@pytest.mark.parametrize("of", ["graph_for", "get_debug_state"])
def test_what_only_an_interpreter_has_is_refused(of):
    s = ours.jit.script(ours.nn.Linear(1, 1))
    with pytest.raises(NotImplementedError, match="needs TorchScript's"):
        getattr(s, of)()


def test_marks_and_small_functions():
    def program(t):
        def f(x):
            return x

        i = t._jit_internal
        marks = []
        for mark in (t.jit.export, t.jit.unused, t.jit.ignore, t.jit.ignore(drop=True)):
            marks.append((mark(f) is f, i.get_torchscript_modifier(f), i.is_ignored_fn(f)))
        both = i.boolean_dispatch(
            "flag", 1, False, lambda x, flag: "yes", lambda x, flag=False: "no", "m", "both"
        )
        return (
            marks,
            [both(1), both(1, True), both(1, flag=True), both.__name__],
            t.jit.annotate(int, "a"),
            list(t.jit.Attribute(1, int)),
            t.jit.script_if_tracing(f)(3),
            t.jit.wait(t.jit.fork(f, 3)),
            t.jit._unwrap_optional(3),
            i._qualified_name(t.nn.Linear),
            i.get_callable_argument_names(f),
            i.get_callable_argument_names(lambda a, /, b, *c, d=1, **e: a),
            i.get_callable_argument_names(3),
            [t.jit.script([1, 2])[1], t.jit.script({"a": 1})["a"]],
        )

    agree(program)


@pytest.mark.parametrize(
    "value, kind",
    [
        ([1], list[int]),
        (["a"], list[int]),
        ([], list[int]),
        ({"a": 1}, dict[str, int]),
        ({"a": "b"}, dict[str, int]),
        ((1, "a"), tuple[int, str]),
        ((1,), tuple[int, str]),
        (1, (int, str)),
        (None, int | None),
        (2.0, int | float),
        ([[1]], list[list[int]]),
        ([["a"]], list[list[int]]),
    ],
)
def test_isinstance_looks_into_containers(value, kind):
    agree(lambda t: t.jit.isinstance(value, kind))


def test_switches():
    def program(t):
        before = t.jit.set_fusion_strategy([("STATIC", 1)])
        again = t.jit.set_fusion_strategy(before)
        t.jit.enable_onednn_fusion(True)
        on = t.jit.onednn_fusion_enabled()
        t.jit.enable_onednn_fusion(False)
        with t.jit.optimized_execution(False), t.jit.fuser("fuser1"), t.jit.strict_fusion():
            pass
        return before, again, on, t.jit.onednn_fusion_enabled()

    agree(program)


def test_scripts_are_deprecated():
    def program(t):
        def f(x):
            return x

        t.jit.script(f)
        t.jit.freeze(t.jit.script(t.nn.ReLU().eval()))
        t.jit.fork(f, 1)
        return None

    _, heard = same(program)
    assert len(heard) == 4


def compiled(t):
    """A scripted function and module, and traced ones."""

    def f(x, y: int, z: int = 1):
        return x + y + z

    class Module(t.nn.Module):
        def forward(self, x, y: int = 2):
            return x + y

    class Traced(t.nn.Module):
        def forward(self, x, y):
            return x + y

    pair = t.ones(2), t.ones(2)
    script, trace = t.jit.script, t.jit.trace
    return script(f), script(Module()), trace(lambda x, y: x + y, pair), trace(Traced(), pair)


@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize(
    ("count", "names"), [(0, ""), (1, ""), (2, ""), (3, ""), (4, ""), (2, "w"), (2, "x")]
)
@pytest.mark.filterwarnings("ignore")
def test_arguments_that_do_not_fit_are_refused_as_of_compiled_functions(which, count, names):
    """The type, and what comes before the schema."""

    def told(t):
        arguments = [t.ones(2), 1 if which < 2 else t.ones(2), 3, 4][:count]
        try:
            found = compiled(t)[which](*arguments, **dict.fromkeys(names, t.ones(2)))
        except RuntimeError as error:
            return str(error).partition(" Declaration: ")[0].partition(" Schema: ")[0]
        return found.tolist()

    assert told(ours) == told(torch)


@pytest.mark.filterwarnings("ignore")
def test_an_error_of_types_inside_stays_what_it_is():
    """Only arguments of the call itself are told of so."""

    def f(x):
        return len(3)

    with pytest.raises(TypeError, match="has no len"):
        ours.jit.script(f)(ours.ones(2))


def test_lists_that_traced_functions_return():
    """A list of tensors is told of, as its length is that of the example; others are refused."""
    bodies = (
        lambda x: [x * 2, x + 1],
        lambda x: (x, [x * 2]),
        lambda x: [[x * 2], [x]],
        lambda x: [{"a": x}],
        lambda x: [(x, x * 2)],
        lambda x: [],
    )

    def traced(t, body, strict):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                found = plain(t.jit.trace(body, t.ones(2), strict=strict)(t.ones(2)), t)
            except RuntimeError as error:
                found = str(error)
        kinds = (w for w in heard if issubclass(w.category, t.jit.TracerWarning))
        return found, {str(w.message) for w in kinds}

    for body in bodies:
        for strict in (True, False):
            assert traced(ours, body, strict) == traced(torch, body, strict), (body, strict)
