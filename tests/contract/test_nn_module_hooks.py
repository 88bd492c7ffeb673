"""Hooks of ``nn.Module``: forward, backward, removed and global."""

from collections import OrderedDict

import pytest

from tests.contract.both_frameworks import agree, ours, plain, refuse, torch


def hooked(t, seen, log=lambda v: v):
    """A module of two inputs with forward hooks of all kinds."""

    class Two(t.nn.Module):
        def forward(self, a, b=1, *, c=0):
            if c == 9:
                raise ValueError("nine")
            return a * b + c

    m = Two()
    m.register_forward_pre_hook(lambda mod, args: seen.append(("pre", len(args))))
    m.register_forward_pre_hook(lambda mod, args: (args[0] + 1, *args[1:]), prepend=True)
    m.register_forward_pre_hook(
        lambda mod, args, kw: (args, {**kw, "c": kw.get("c", 0) + 0.5}), with_kwargs=True
    )
    m.register_forward_hook(lambda mod, args, out: seen.append(("post", plain(out, t))))
    m.register_forward_hook(
        lambda mod, args, kw, out: seen.append(("kw", sorted(kw))), with_kwargs=True, prepend=True
    )
    m.register_forward_hook(lambda mod, args, out: out * 10)
    m.register_forward_hook(
        lambda mod, args, out: seen.append(("always", plain(out, t))), always_call=True
    )
    return m


@pytest.mark.parametrize("c", [0, 8.5])
def test_forward_hooks(c):
    """Order, replacement, keyword arguments, always_call."""

    def run(t):
        seen = []
        m = hooked(t, seen)
        try:
            out = m(t.ones(2), t.full((2,), 3.0), c=c)
        except ValueError as e:
            out = str(e)
        return seen, out

    agree(run)


FORWARD_HOOK_ERRORS = [
    lambda t, m: m.register_forward_pre_hook(lambda *a: 3, with_kwargs=True),
    lambda t, m: m.register_forward_hook(lambda *a: [][0]),
    lambda t, m: m.register_forward_pre_hook(lambda m, a: 3),
]


@pytest.mark.parametrize("case", range(len(FORWARD_HOOK_ERRORS)))
def test_forward_hook_errors(case):
    """What hooks must not return or raise."""

    def run(t):
        m = t.nn.Linear(2, 2)
        FORWARD_HOOK_ERRORS[case](t, m)
        return m(t.ones(2))

    refuse(run)


def test_removed_hooks_leave_nothing():
    """A handle takes its hook out of all dictionaries; it works as a context manager too."""

    def run(t):
        m, seen = t.nn.ReLU(), []
        h = m.register_forward_hook(lambda *a: seen.append(1), with_kwargs=True, always_call=True)
        with m.register_forward_pre_hook(lambda *a: seen.append(2), with_kwargs=True):
            m(t.ones(1))
        h.remove()
        m(t.ones(1))
        return seen, [len(v) for k, v in m.__dict__.items() if "hooks" in k and v is not None]

    agree(run)


def test_global_hooks():
    """Hooks for all modules run before a module's own."""

    def run(t):
        seen = []
        r = t.nn.modules.module
        handles = [
            r.register_module_forward_pre_hook(lambda m, a: seen.append(("pre", type(m).__name__))),
            r.register_module_forward_hook(lambda m, a, o: seen.append(("post", plain(o, t)))),
            r.register_module_forward_hook(
                lambda m, a, k, o: seen.append(sorted(k)), with_kwargs=True, always_call=True
            ),
            r.register_module_buffer_registration_hook(lambda m, n, b: seen.append(("buf", n))),
            r.register_module_parameter_registration_hook(lambda m, n, p: seen.append(("par", n))),
            r.register_module_module_registration_hook(lambda m, n, c: seen.append(("mod", n))),
            r.register_module_full_backward_hook(
                lambda m, gi, go: seen.append(("bwd", plain(gi, t), plain(go, t)))
            ),
            r.register_module_full_backward_pre_hook(lambda m, go: seen.append("bpre")),
        ]
        try:
            m = t.nn.Sequential(t.nn.BatchNorm1d(2).eval(), t.nn.ReLU())
            x = t.ones(2, 2, requires_grad=True)
            m[1](x * 2).sum().backward()
            seen.append(("grad", x.grad.tolist()))
        finally:
            for h in handles:
                h.remove()
        return seen

    agree(run)


def backward_run(prepare, inputs=2):
    """Gradients and what hooks saw, for a module ``(a, b) → (a * b, a + b)``."""

    def run(t):
        class Both(t.nn.Module):
            def forward(self, a, b, flag=None):
                return a * b, a + b

        seen = []
        m = Both()
        prepare(t, m, seen)
        a = t.tensor([1.0, 2.0], requires_grad=inputs > 0)
        b = t.tensor([3.0, 4.0], requires_grad=inputs > 1)
        w = t.tensor(2.0, requires_grad=True)
        x, y = m(a, b, "text")
        (x * w + y * 2).sum().backward()
        return seen, a.grad, b.grad, w.grad

    return run


BACKWARD = {
    "sees": lambda t, m, seen: m.register_full_backward_hook(
        lambda mod, gi, go: seen.append((plain(gi, t), plain(go, t)))
    ),
    "replaces": lambda t, m, seen: m.register_full_backward_hook(
        lambda mod, gi, go: tuple(None if g is None else g * 10 for g in gi)
    ),
    "pre_replaces": lambda t, m, seen: (
        m.register_full_backward_pre_hook(lambda mod, go: tuple(g + 1 for g in go)),
        m.register_full_backward_hook(lambda mod, gi, go: seen.append(plain(go, t))),
    ),
    "order": lambda t, m, seen: [
        m.register_full_backward_hook(lambda mod, gi, go, i=i: seen.append(i), prepend=bool(i % 2))
        for i in range(4)
    ],
}


@pytest.mark.parametrize("name", BACKWARD)
@pytest.mark.parametrize("inputs", [2, 1])
def test_full_backward_hooks(name, inputs):
    """Full backward hooks see and replace gradients at a module's ends."""
    agree(backward_run(BACKWARD[name], inputs))


def test_backward_hook_without_inputs_that_want_gradients():
    """A module fed with data fires its hook from the outputs, with a warning."""

    def run(t):
        seen = []
        m = t.nn.Linear(2, 2)
        with t.no_grad():
            m.weight.fill_(1.0)
            m.bias.fill_(0.5)
        m.register_full_backward_hook(lambda mod, gi, go: seen.append((plain(gi, t), plain(go, t))))
        m(t.ones(1, 2)).sum().backward()
        return seen, m.weight.grad

    agree(run)


BACKWARD_ERRORS = [
    lambda t, m: (m.register_full_backward_hook(print), m.register_backward_hook(print)),
    lambda t, m: (m.register_backward_hook(print), m.register_full_backward_hook(print)),
    lambda t, m: (
        m.register_full_backward_hook(lambda mod, gi, go: (gi[0],) * 3),
        m(t.ones(2, requires_grad=True)).sum().backward(),
    ),
    lambda t, m: (
        m.register_full_backward_pre_hook(lambda mod, go: (go[0],) * 3),
        m(t.ones(2, requires_grad=True)).sum().backward(),
    ),
    lambda t, m: (
        m.register_full_backward_hook(lambda mod, gi, go: (go[0],)),
        m(t.ones(2)).sum().backward(),
    ),
]


@pytest.mark.parametrize("case", range(len(BACKWARD_ERRORS)))
def test_backward_hook_errors(case):
    """Kinds that do not mix, and results of the wrong length."""
    refuse(lambda t: BACKWARD_ERRORS[case](t, t.nn.Linear(2, 2)))


def test_old_backward_hook_sees_the_last_op():
    """The old kind still runs, and warns where it cannot see everything."""

    def run(t):
        class Chain(t.nn.Module):
            def forward(self, x):
                return (x * 2).relu()

        seen = []
        m = Chain()
        m.register_backward_hook(lambda mod, gi, go: seen.append((plain(gi, t), plain(go, t))))
        x = t.tensor([1.0, -1.0], requires_grad=True)
        m(x).sum().backward()
        return seen, x.grad

    agree(run)


def test_other_dictionaries_of_hooks_for_all_modules_take_effect():
    """Names of ``torch.nn.modules.module`` that are bound anew are those that calls look at."""

    def run(t):
        home, seen = t.nn.modules.module, []
        names = ("_global_forward_hooks", "_global_forward_pre_hooks", "_global_backward_hooks")
        before = {name: getattr(home, name) for name in names}
        try:
            home.register_module_forward_hook(lambda *args: seen.append("old"))
            for name in names:
                setattr(home, name, OrderedDict())
            layer = t.nn.Identity()
            layer(t.ones(1))
            home.register_module_forward_hook(lambda *args: seen.append("new"))
            home.register_module_forward_pre_hook(lambda *args: seen.append("before"))
            layer(t.ones(1))
            return seen, [len(getattr(home, name)) for name in names]
        finally:
            for name, value in before.items():
                setattr(home, name, value)
                value.clear()

    assert run(ours) == run(torch)


@pytest.mark.parametrize(
    "where", ["register_full_backward_hook", "register_full_backward_pre_hook"]
)
@pytest.mark.parametrize(
    "changed",
    [
        lambda t, g: (),
        lambda t, g: (g, g),
        lambda t, g: 3,
        lambda t, g: ("a",),
        lambda t, g: (g.double(),),
        lambda t, g: (t.ones(7),),
    ],
)
def test_a_backward_hook_that_gives_what_does_not_fit_is_refused(where, changed):
    """By the name that the hook of the module's node has in torch."""

    def run(t):
        m = t.nn.Linear(2, 2)
        getattr(m, where)(lambda mod, *grads: changed(t, grads[-1][0]))
        m(t.ones(1, 2, requires_grad=True)).sum().backward()

    refuse(run)
