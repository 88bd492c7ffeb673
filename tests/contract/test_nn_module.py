"""``nn.Module``: registration, walking, state, hooks and printing as torch has them."""

import copy
import pickle
import random
from collections import OrderedDict
from contextlib import contextmanager

import pytest

from tests.contract.both_frameworks import BOTH, agree, groups, ours, outcome, plain, refuse

VALUES = {
    "parameter": lambda t: t.nn.Parameter(t.ones(2)),
    "tensor": lambda t: t.zeros(1),
    "module": lambda t: t.nn.Identity(),
    "buffer": lambda t: t.nn.Buffer(t.ones(1)),
    "fleeting": lambda t: t.nn.Buffer(t.ones(1), persistent=False),
    "none": lambda t: None,
    "number": lambda t: 3,
}
NAMES = ("a", "b", "forward", "x.y", "", "training")


def random_walk(seed):
    """A program of assignments, registrations and deletions on one module."""
    rng = random.Random(seed)
    program = []
    for _ in range(12):
        what = rng.choice(["set", "set", "set", "del", "parameter", "buffer", "module", "fleeting"])
        name = rng.choice(NAMES[:2] if rng.random() < 0.85 else NAMES)
        program.append((what, name, rng.choice(list(VALUES))))

    def run(t):
        m = t.nn.Module()
        seen = []
        for what, name, kind in program:
            value = VALUES[kind](t)
            acts = {
                "set": lambda: setattr(m, name, value),
                "del": lambda: delattr(m, name),
                "parameter": lambda: m.register_parameter(name, value),
                "buffer": lambda: m.register_buffer(name, value),
                "fleeting": lambda: m.register_buffer(name, value, persistent=False),
                "module": lambda: m.add_module(name, value),
            }
            if what == "set" and name in ("forward", "training"):
                continue
            seen.append(outcome(lambda t: acts[what](), t)[0])
            seen.append(groups(m, t))
        return seen

    return run


@pytest.mark.parametrize("seed", range(60))
def test_registration_programs(seed):
    """Any sequence of assignments ends in the same groups, with the same errors on the way."""
    agree(random_walk(seed))


ERRORS = [
    lambda t: t.nn.Module().foo,
    lambda t: t.nn.Module(3),
    lambda t: t.nn.Module(a=3),
    lambda t: t.nn.Linear(2, 2).foo,
    lambda t: t.nn.Module()(3),
    lambda t: t.nn.Module().register_parameter(3, None),
    lambda t: t.nn.Module().register_buffer(3, None),
    lambda t: t.nn.Module().add_module(3, None),
    lambda t: t.nn.Module().add_module("a", 3),
    lambda t: t.nn.Module().add_module("a.b", None),
    lambda t: t.nn.Module().add_module("", None),
    lambda t: t.nn.Module().add_module("forward", None),
    lambda t: t.nn.Module().register_parameter("a", t.ones(2)),
    lambda t: t.nn.Module().register_parameter("a", 3),
    lambda t: t.nn.Module().register_buffer("a", 3),
    lambda t: t.nn.Module().register_buffer("a", t.nn.Linear(1, 1)),
    lambda t: setattr(t.nn.Linear(2, 2), "weight", t.ones(2, 2)),
    lambda t: setattr(t.nn.Linear(2, 2), "weight", t.nn.ReLU()),
    lambda t: setattr(t.nn.BatchNorm1d(2), "running_mean", 3),
    lambda t: setattr(t.nn.Sequential(t.nn.ReLU()), "0", t.ones(1)),
    lambda t: setattr(t.nn.Module.__new__(t.nn.Module), "a", t.nn.Parameter(t.ones(1))),
    lambda t: setattr(t.nn.Module.__new__(t.nn.Module), "a", t.nn.ReLU()),
    lambda t: setattr(t.nn.Module.__new__(t.nn.Module), "a", t.nn.Buffer(t.ones(1))),
    lambda t: t.nn.Module.__new__(t.nn.Module).register_buffer("a", None),
    lambda t: t.nn.Module.__new__(t.nn.Module).register_parameter("a", None),
    lambda t: t.nn.Linear(2, 2).get_submodule("weight"),
    lambda t: t.nn.Linear(2, 2).get_submodule("foo.bar"),
    lambda t: t.nn.Linear(2, 2).get_parameter("foo"),
    lambda t: t.nn.Linear(2, 2).get_parameter("in_features"),
    lambda t: t.nn.Linear(2, 2).get_parameter("a.weight"),
    lambda t: t.nn.Linear(2, 2).get_buffer("weight"),
    lambda t: t.nn.Linear(2, 2).get_buffer("foo"),
    lambda t: t.nn.Linear(2, 2).set_submodule("", t.nn.ReLU()),
    lambda t: t.nn.Linear(2, 2).set_submodule("a", 3),
    lambda t: t.nn.Linear(2, 2).set_submodule("weight", t.nn.ReLU()),
    lambda t: t.nn.Linear(2, 2).set_submodule("a", t.nn.ReLU(), strict=True),
    lambda t: t.nn.Linear(2, 2).set_submodule("a.b", t.nn.ReLU()),
    lambda t: t.nn.Linear(2, 2).train(3),
    lambda t: t.nn.Linear(2, 2).to(t.int64),
    lambda t: t.nn.Linear(2, 2).load_state_dict(3),
    lambda t: t.nn.Linear(2, 2).load_state_dict({}),
    lambda t: t.nn.Linear(2, 2).load_state_dict({"weight": t.ones(3), "x": 1, "bias": 3}),
    lambda t: t.nn.Linear(2, 2).load_state_dict({"weight": t.ones(3)}, strict=False),
    lambda t: t.nn.Sequential(t.nn.ReLU()).load_state_dict({"0.x": 1, "1.y": 2, "z": 3}),
    lambda t: t.nn.Module().get_extra_state(),
    lambda t: t.nn.Module().set_extra_state(3),
    lambda t: t.nn.Parameter([1.0]),
    lambda t: t.nn.Parameter(t.ones(2), 1),
    lambda t: t.nn.Parameter(t.ones(2), None),
    lambda t: t.nn.Parameter(t.ones(2, dtype=t.int64)),
    lambda t: t.nn.Linear(2, 2, device="meta").to("cpu"),
]


@pytest.mark.parametrize("case", range(len(ERRORS)))
def test_errors_are_the_oracles(case):
    """Type and text of every error."""
    refuse(ERRORS[case])


def net(t):
    """A small tree with shared parts, buffers of both kinds and a parameter that is None."""
    m = t.nn.Module()
    m.one = t.nn.Linear(2, 3)
    m.two = t.nn.Sequential(OrderedDict(a=t.nn.Linear(3, 3, bias=False), b=t.nn.Tanh(), c=m.one))
    m.again = m.two.a
    m.gone = None
    m.register_parameter("void", None)
    m.scale = t.nn.Parameter(t.ones(1))
    m.shared = m.one.weight
    m.register_buffer("kept", t.arange(3.0))
    m.register_buffer("fleeting", t.zeros(1), persistent=False)
    m.register_module("nothing", None)
    for i, p in enumerate(m.parameters()):
        with t.no_grad():
            p.copy_(t.arange(float(p.numel())).reshape(p.shape) / 7 + i)
    return m


WALKS = {
    "named_parameters": lambda t, m: list(m.named_parameters()),
    "named_parameters_all": lambda t, m: list(m.named_parameters("p", True, False)),
    "named_parameters_own": lambda t, m: list(m.named_parameters(recurse=False)),
    "parameters": lambda t, m: list(m.parameters()),
    "named_buffers": lambda t, m: list(m.named_buffers("q")),
    "buffers_own": lambda t, m: list(m.buffers(False)),
    "named_modules": lambda t, m: list(m.named_modules()),
    "named_modules_all": lambda t, m: list(m.named_modules(prefix="z", remove_duplicate=False)),
    "modules": lambda t, m: list(m.modules()),
    "children": lambda t, m: list(m.children()),
    "named_children": lambda t, m: list(m.named_children()),
    "state_dict": lambda t, m: m.state_dict(),
    "state_dict_prefix": lambda t, m: m.state_dict(prefix="p.", keep_vars=True),
    "state_dict_old_args": lambda t, m: m.state_dict({}, "old.", True),
    "metadata": lambda t, m: m.state_dict()._metadata,
    "repr": lambda t, m: repr(m),
    "get_submodule": lambda t, m: [m.get_submodule(n) for n in ("", "one", "two.b")],
    "get_parameter": lambda t, m: m.get_parameter("two.a.weight"),
    "get_buffer": lambda t, m: m.get_buffer("kept"),
    "dict_order": lambda t, m: list(m.__dict__),
    "apply": lambda t, m: (lambda seen: (m.apply(lambda c: seen.append(repr(c))), seen))([])[1],
    "eval": lambda t, m: [c.training for c in m.eval().modules()] + [m.train().training],
    "freeze": lambda t, m: list(m.requires_grad_(False).parameters()),
    "double": lambda t, m: m.double().state_dict(keep_vars=True),
    "half": lambda t, m: m.half().state_dict(),
    "bfloat16": lambda t, m: [str(p.dtype) for p in m.bfloat16().parameters()],
    "type": lambda t, m: m.type(t.float64).state_dict(),
    "type_name": lambda t, m: m.type("torch.DoubleTensor").state_dict(),
    "to_dtype": lambda t, m: m.to(t.float64).state_dict(),
    "to_both": lambda t, m: m.to("cpu", t.float64, non_blocking=True).state_dict(),
    "to_tensor": lambda t, m: m.to(t.ones(1, dtype=t.float16)).state_dict(),
    "to_complex": lambda t, m: [str(p.dtype) for p in m.to(t.complex64).parameters()],
    "to_keeps_objects": lambda t, m: (
        lambda old: [a is b for a, b in zip(old, m.double().parameters())]
    )(list(m.parameters())),
    "to_meta_makes_objects": lambda t, m: (
        lambda old: [a is b for a, b in zip(old, m.to("meta").parameters())]
    )(list(m.parameters())),
    "meta_devices": lambda t, m: [str(p.device) for p in m.to("meta").parameters()],
    "set_submodule": lambda t, m: (m.set_submodule("two.b", t.nn.ReLU()), repr(m))[1],
    "deepcopy": lambda t, m: copy.deepcopy(m).state_dict(),
    "deepcopy_shares": lambda t, m: (lambda c: [c.one is c.two.c, c.shared is c.one.weight])(
        copy.deepcopy(m)
    ),
    "delete": lambda t, m: (delattr(m, "one"), delattr(m, "kept"), list(m.state_dict()))[2],
    "hidden_names": lambda t, m: [
        n for n in ("one", "kept", "scale", "training", "forward", "void") if n in dir(m)
    ],
    "sequential_dir": lambda t, m: [n for n in dir(t.nn.Sequential(m)) if n.isdigit()],
    "call_super": lambda t, m: t.nn.Module.call_super_init,
}


@pytest.mark.parametrize("name", WALKS)
def test_walks_and_conversions(name):
    """Iterators, state dicts, conversions and printing of a tree with shared parts."""
    agree(lambda t: WALKS[name](t, net(t)))


def test_gradients_are_converted_with_their_parameters():
    """to() casts gradients as well and keeps the objects."""

    def run(t):
        m = net(t)
        for p in m.parameters():
            p.grad = t.ones_like(p)
        grads = [p.grad for p in m.parameters()]
        m.double()
        return [(p.grad, p.grad is g) for p, g in zip(m.parameters(), grads)]

    agree(run)


@pytest.mark.parametrize("to_none", [True, False])
def test_zero_grad(to_none):
    """Gradients become None, or zeros."""

    def run(t):
        m = net(t)
        next(m.parameters()).grad = t.ones(1)
        m.zero_grad(to_none)
        return [p.grad for p in m.parameters()]

    agree(run)


@pytest.mark.parametrize("assign", [False, True])
@pytest.mark.parametrize("strict", [False, True])
def test_loading(assign, strict):
    """Numbers arrive; with assign the tensors themselves; the result names what did not fit."""

    def run(t):
        m, given = net(t), {k: v * 2 + 1 for k, v in net(t).state_dict().items()}
        weight = m.scale
        given["kept"].requires_grad_(False)
        got = m.load_state_dict(given, strict=strict, assign=assign)
        return [m.state_dict(keep_vars=True), m.scale is weight, repr(got), list(got)]

    agree(run)


def test_loading_part_of_a_state():
    """Without strict, missing and unexpected keys are returned."""

    def run(t):
        m = net(t)
        got = m.load_state_dict({"one.bias": t.zeros(3), "what": t.ones(1)}, strict=False)
        return [str(got), got.missing_keys, got.unexpected_keys, m.one.bias]

    agree(run)


def test_loading_onto_meta_says_that_it_does_nothing():
    """A meta module takes numbers only with assign."""

    def run(t):
        m = t.nn.Linear(2, 1, device="meta")
        given = t.nn.Linear(2, 1).state_dict()
        m.load_state_dict(given)
        where = str(m.weight.device)
        m.load_state_dict(given, assign=True)
        return where, str(m.weight.device), type(m.weight).__name__, m.weight.requires_grad

    agree(run)


def test_state_hooks_run_in_order():
    """Pre and post hooks of saving and loading see what torch's see."""

    def run(t):
        seen = []
        m = net(t)
        m.register_state_dict_pre_hook(lambda mod, prefix, keep: seen.append(("pre", prefix, keep)))
        m.two.register_state_dict_post_hook(
            lambda mod, state, prefix, meta: seen.append(("post", list(state), prefix, dict(meta)))
        )
        m._register_state_dict_hook(lambda mod, state, prefix, meta: {"only": 1, **state})
        state = m.state_dict()
        state.pop("only")
        m.register_load_state_dict_pre_hook(
            lambda mod, state, prefix, *rest: seen.append(("load", mod is m, prefix, len(state)))
        )
        m._register_load_state_dict_pre_hook(lambda state, prefix, *rest: state.pop("kept"))
        m.register_load_state_dict_post_hook(
            lambda mod, keys: keys.missing_keys.remove("kept") or seen.append(repr(keys))
        )
        return [seen, repr(m.load_state_dict(state))]

    agree(run)


STATE_HOOK_ERRORS = [
    lambda t, m: (m.register_state_dict_post_hook(lambda *a: 3), m.state_dict()),
    lambda t, m: (m.register_load_state_dict_post_hook(lambda *a: 3), m.load_state_dict({}, False)),
    lambda t, m: (
        lambda hook: (m.register_state_dict_post_hook(hook), m._register_state_dict_hook(hook))
    )(lambda *a: None),
]


@pytest.mark.parametrize("case", range(len(STATE_HOOK_ERRORS)))
def test_state_hook_errors(case):
    """Hooks that return what they may not."""
    refuse(lambda t: STATE_HOOK_ERRORS[case](t, t.nn.ReLU()))


def test_extra_state():
    """get_extra_state and set_extra_state take part in saving and in strict loading."""

    def run(t):
        class Extra(t.nn.Module):
            got = None

            def get_extra_state(self):
                return {"a": 1}

            def set_extra_state(self, state):
                self.got = state

        m = t.nn.Sequential(Extra(), t.nn.ReLU())
        state = m.state_dict()
        m.load_state_dict(state)
        texts = []
        for bad in ({}, {"0._extra_state": 2, "1._extra_state": 1}):
            try:
                m.load_state_dict(bad)
            except RuntimeError as e:
                texts.append(str(e))
        return state, m[0].got, texts

    agree(run)


def test_old_batch_norm_checkpoints_load():
    """A checkpoint without version lacks num_batches_tracked, which then keeps its value."""

    def run(t):
        m = t.nn.BatchNorm1d(2)
        m.num_batches_tracked.fill_(5)
        state = {k: v for k, v in m.state_dict().items() if k != "num_batches_tracked"}
        return repr(m.load_state_dict(state)), m.num_batches_tracked

    agree(run)


PARAMETERS = {
    "repr": lambda t: repr(t.nn.Parameter(t.ones(2))),
    "repr_of_layer": lambda t: repr(t.nn.Conv2d(1, 2, (3,))),
    "repr_frozen": lambda t: repr(t.nn.Parameter(t.ones(2), requires_grad=False)),
    "empty": lambda t: [t.nn.Parameter(), t.nn.Parameter(requires_grad=False)],
    "of_parameter": lambda t: type(t.nn.Parameter(t.nn.Parameter(t.ones(1)))).__name__,
    "no_grad": lambda t: [f(t.nn.Parameter(t.ones(1)).requires_grad) for f in [bool]],
    "results": lambda t: [
        type(f(t.nn.Parameter(t.ones(2)))).__name__
        for f in (
            lambda p: p + 1,
            lambda p: p.detach(),
            lambda p: p[0],
            lambda p: p.data,
            lambda p: p.view(2),
            lambda p: p.detach().add_(1),
            lambda p: p.clone(),
            lambda p: p.requires_grad_(False),
        )
    ],
    "shares": lambda t: (
        lambda x: (lambda p: [x.add_(1), p._version, p.data_ptr() == x.data_ptr(), p.is_leaf])(
            t.nn.Parameter(x)
        )
    )(t.ones(2)),
    "grad_does_not_pass": lambda t: (
        lambda x: (lambda p: [p.grad_fn, p.is_leaf, p.requires_grad])(t.nn.Parameter(x * 2))
    )(t.ones(2, requires_grad=True)),
    "isinstance": lambda t: [
        isinstance(t.nn.Parameter(t.ones(1)), t.Tensor),
        isinstance(t.ones(1), t.nn.Parameter),
        isinstance(t.nn.Buffer(t.ones(1)), t.nn.Buffer),
        isinstance(t.ones(1), t.nn.Buffer),
        isinstance(t.nn.Buffer(t.ones(1)), t.nn.Parameter),
        isinstance(3, t.nn.Parameter),
    ],
    "deepcopy": lambda t: (
        lambda p: (lambda c: [c, type(c).__name__, c.grad, c.data_ptr() == p.data_ptr()])(
            (setattr(p, "grad", t.ones(2)), copy.deepcopy(p))[1]
        )
    )(t.nn.Parameter(t.arange(2.0))),
    "deepcopy_memo": lambda t: (lambda c: c[0] is c[1])(
        copy.deepcopy([t.nn.Parameter(t.ones(1))] * 2)
    ),
    "in_place_result": lambda t: (lambda p: p.add_(1) is p)(
        t.nn.Parameter(t.ones(1), requires_grad=False)
    ),
    "buffer": lambda t: (lambda b: [b, b.persistent, type(b).__name__])(
        t.nn.Buffer(t.ones(2), persistent=False)
    ),
    "typename": lambda t: t.typename(t.nn.Parameter(t.ones(1))),
    "subclass": lambda t: (
        lambda C: [type(C(t.ones(1))).__name__, isinstance(C(t.ones(1)), t.nn.Parameter)]
    )(type("Mine", (t.nn.Parameter,), {})),
    "hash": lambda t: (lambda p: len({p, p, t.nn.Parameter(p)}))(t.nn.Parameter(t.ones(1))),
    "storage_after_data": lambda t: (
        lambda p: (setattr(p, "data", t.zeros(3)), p.shape[0], p.requires_grad, p)[1:]
    )(t.nn.Parameter(t.ones(1))),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters(name):
    """What a Parameter is, and is not."""
    agree(PARAMETERS[name])


def test_module_moves_to_an_npu_and_back():
    """Parameters stay the same objects; gradients and buffers move along."""
    m = net(ours)
    for p in m.parameters():
        p.grad = ours.ones_like(p)
    objects = list(m.parameters())
    m.npu()
    moved = [*m.parameters(), *m.buffers(), *[p.grad for p in m.parameters()]]
    assert {t.device.type for t in moved} == {"npu"}
    assert all(a is b for a, b in zip(objects, m.parameters()))
    m.cpu()
    assert plain(m.state_dict(), ours) == plain(net(ours).state_dict(), ours)


def test_module_pickles_with_shared_parts():
    """Sharing inside the tree survives, hooks dictionaries are there again."""
    twin = pickle.loads(pickle.dumps(net(ours)))
    assert twin.one is twin.two.c and twin.shared is twin.one.weight
    assert plain(twin.state_dict(), ours) == plain(net(ours).state_dict(), ours)
    twin.one.register_forward_hook(lambda *args: None)
    twin.one(ours.ones(2))


def test_old_pickles_get_what_they_lack():
    """A state from before some kinds of hooks existed still makes a module."""
    m = ours.nn.ReLU()
    state = {k: v for k, v in m.__dict__.items() if "pre_hooks" not in k}
    fresh = ours.nn.ReLU.__new__(ours.nn.ReLU)
    fresh.__setstate__(state)
    assert fresh(ours.tensor([-1.0, 1.0])).tolist() == [0.0, 1.0]


def test_training_step_inside_a_pipeline_stays_deferred():
    """Neither backward nor the optimizer looks at a number, so nothing is computed yet."""
    m = ours.nn.Linear(2, 1)
    o = ours.optim.AdamW(m.parameters())
    with ours.pipeline():
        m(ours.ones(3, 2)).sum().backward()
        o.step()
        assert m.weight._pending and m.bias._pending
    assert not m.weight._pending


@pytest.mark.parametrize("kind", ["xpu", "mtia", "ipu"])
def test_devices_of_other_makers_are_refused(kind):
    refuse(lambda t: getattr(t.nn.Linear(1, 1), kind)())
    refuse(lambda t: getattr(t.ones(1), kind)())


@contextmanager
def _swapping(t):
    """In the block, modules swap their parameters where they convert or load them."""
    t.__future__.set_swap_module_params_on_conversion(True)
    try:
        yield
    finally:
        t.__future__.set_swap_module_params_on_conversion(False)


_LOADED = {
    "fitting": lambda t: {"weight": t.zeros(2, 2), "bias": t.ones(2)},
    "another dtype": lambda t: {"weight": t.zeros(2, 2, dtype=t.float64), "bias": t.ones(2)},
    "parameters": lambda t: t.nn.Linear(2, 2).double().state_dict(keep_vars=True),
    "frozen": lambda t: t.nn.Linear(2, 2).requires_grad_(False).state_dict(keep_vars=True),
    "another shape": lambda t: {"weight": t.zeros(2, 3), "bias": t.ones(2)},
    "missing": lambda t: {"weight": t.zeros(2, 2)},
    "no tensor": lambda t: {"weight": 3, "bias": t.ones(2)},
    "on meta": lambda t: {"weight": t.zeros(2, 2, device="meta"), "bias": t.ones(2)},
}


@pytest.mark.parametrize("state", _LOADED)
@pytest.mark.parametrize("assign", [False, True])
@pytest.mark.parametrize("stepped", [False, True])
def test_loading_swaps_parameters_where_that_is_asked_for(state, assign, stepped):
    """``set_swap_module_params_on_conversion``: who holds a parameter holds the loaded one."""
    seen = []
    for t in BOTH:
        layer = t.nn.Linear(2, 2)
        held = layer.weight
        if stepped:
            layer(t.ones(2)).sum().backward()
        with _swapping(t):
            try:
                said = repr(layer.load_state_dict(_LOADED[state](t), assign=assign))
            except RuntimeError as e:
                said = str(e).replace("mindtorch", "torch")
        facts = [
            (n, type(p).__name__, str(p.dtype), str(p.device), p.requires_grad, p.grad is None)
            for n, p in layer.named_parameters()
        ]
        seen.append((said, facts, layer.weight is held))
    assert seen[0] == seen[1]


def test_moves_call_the_methods_of_parameters():
    """A parameter with a ``to`` of its own is asked as torch asks it, also where nothing moves."""

    def run(t):
        calls = []

        class Heard(t.nn.Parameter):
            def to(self, *args, **kwargs):
                calls.append(("to", [str(a) for a in args], sorted(kwargs)))
                return super().to(*args, **kwargs)

            def cpu(self):
                calls.append("cpu")
                return super().cpu()

        class Loud(t.nn.Parameter):
            def to(self, *args, **kwargs):
                self.data = self.data.new_zeros(3)
                return self

        module = t.nn.Module()
        module.a, module.b = Heard(t.ones(2, 2)), Heard(t.ones(1, 1, 2, 2))
        module.c = Heard(t.ones(2, dtype=t.int64), requires_grad=False)
        module.register_buffer("d", t.ones(2))
        for args, options in (
            *((("cpu",), {}), ((t.float32,), {}), ((t.ones(1, dtype=t.float64), True), {})),
            *(((), {"device": "cpu", "memory_format": t.channels_last}), (("cpu", t.half), {})),
        ):
            module.to(*args, **options)
        module.cpu()
        loud = t.nn.Linear(2, 2)
        loud.weight = Loud(t.ones(2, 2))
        return calls, loud.to("cpu").weight.tolist(), [str(p.dtype) for p in module.parameters()]

    agree(run)
