"""``checkpoint``: how often and when the function runs again, nested or inside ``backward``."""

from __future__ import annotations

import functools
import gc
import weakref

from tests.contract.programs import ones, submodule, suite

program, test_same_program_same_notes = suite(digits=4)


def lib(torch):
    return submodule(torch, "utils.checkpoint")


@program
def runs_are_counted(torch, ns, note):
    c = lib(torch)
    for early in (True, False):
        for reentrant in (True, False):
            n = []

            def f(x):
                n.append(torch.is_grad_enabled())
                y = x.sin()
                z = y.exp()
                n.append("mid")
                w = z + 1
                n.append("end")
                return w

            a = ones(torch)
            y = (
                c.checkpoint(f, a, use_reentrant=reentrant)
                if reentrant
                else c.checkpoint(f, a, use_reentrant=False, early_stop=early)
            )
            note(list(n))
            n.clear()
            y.sum().backward()
            note(n)
            note(a.grad)
    with c.set_checkpoint_early_stop(False):
        n.clear()
        y = c.checkpoint(f, a, use_reentrant=False)
    y.sum().backward()
    note(n)
    n.clear()
    with c.set_checkpoint_early_stop(True):
        y = c.checkpoint(f, a, use_reentrant=False, early_stop=False)
    y.sum().backward()
    note(n)


@program
def retained_graphs(torch, ns, note):
    c = lib(torch)
    n = []

    def f(x):
        n.append(1)
        return x.sin().exp()

    a = ones(torch)
    y = c.checkpoint(f, a, use_reentrant=False)
    y.sum().backward(retain_graph=True)
    y.sum().backward(retain_graph=True)
    note((len(n), a.grad))
    y.sum().backward()
    note(len(n))
    y = c.checkpoint(f, a, use_reentrant=True)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    note((len(n), a.grad))
    y = c.checkpoint(f, a, use_reentrant=False)
    (g,) = torch.autograd.grad(y.sum(), a, create_graph=True)
    note((g, len(n)))
    (h,) = torch.autograd.grad(g.sum(), a)
    note((h, len(n)))
    y = c.checkpoint(f, a, use_reentrant=False)
    note(lambda: y.grad_fn._saved_result)
    note(lambda: y.grad_fn._saved_result)
    note(len(n))
    y = c.checkpoint(f, a, use_reentrant=False)
    note(lambda: torch.autograd.grad(y.sum(), a))


@program
def nested(torch, ns, note):
    c = lib(torch)
    ck = functools.partial(c.checkpoint, use_reentrant=False)
    n = []

    def sin(x):
        n.append("sin")
        return x.sin()

    def exp(x):
        n.append("exp")
        return x.exp()

    def inner(x):
        return ck(exp, ck(sin, x))

    def outer(x):
        return ck(sin, ck(inner, ck(exp, x)))

    a = ones(torch)
    for f in (
        inner,
        outer,
        lambda x: ck(outer, x),
        lambda x: ck(lambda y: ck(lambda z: ck(sin, z), y), x).exp(),
    ):
        a.grad = None
        n.clear()
        y = f(a)
        y.sum().backward(retain_graph=True)
        note((a.grad, len(n)))
        y.sum().backward()
        note((a.grad, len(n), n))
    (g,) = torch.autograd.grad(outer(a).sum(), a, create_graph=True)
    note(torch.autograd.grad(g.sum(), a))
    n.clear()
    with c.set_checkpoint_early_stop(False):
        y = outer(a)
    y.sum().backward()
    note(n)

    def mixed(x):
        return c.checkpoint(sin, ck(exp, x), use_reentrant=True)

    a.grad = None
    ck(mixed, a).sum().backward() if False else mixed(a).sum().backward()
    note(a.grad)
    n.clear()
    y = c.checkpoint(lambda x: ck(sin, x) * 2, a, use_reentrant=True)
    y.sum().backward()
    note((a.grad, n))


@program
def backward_inside(torch, ns, note):
    c = lib(torch)
    a = ones(torch)

    def f(x):
        y = x * 2
        z = y.detach().requires_grad_()
        w = z.exp()
        w.sum().backward()
        return y.sin() * z.grad

    for early in (True, False):
        a.grad = None
        y = c.checkpoint(f, a, use_reentrant=False, early_stop=early)
        note(y)
        note(lambda: y.sum().backward())
        note(a.grad)

    def g(x):
        y = x.exp()
        (gr,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        return gr * x

    a.grad = None
    y = c.checkpoint(g, a, use_reentrant=False)
    note(lambda: y.sum().backward())
    note(a.grad)

    def h(x):
        s = x.sin()
        s.sum().backward(retain_graph=True)
        return s

    a.grad = None
    y = c.checkpoint(h, a, use_reentrant=False)
    note(lambda: y.sum().backward())
    note(a.grad)


@program
def differing_runs(torch, ns, note):
    c = lib(torch)
    a = ones(torch)

    def varying(kinds):
        state = {"n": 0}

        def f(x):
            k = kinds[min(state["n"], len(kinds) - 1)]
            state["n"] += 1
            return k(x)

        return f

    def one(x):
        return x.sin()

    cases = [
        [lambda x: x.sin().exp(), one],
        [one, lambda x: x.sin().exp()],
        [lambda x: x.sin(), lambda x: torch.cat([x, x]).sin()[:2]],
        [lambda x: x.sin(), lambda x: x.double().sin().float()],
        [lambda x: x.sin(), lambda x: x],
        [lambda x: x.sin() * x, lambda x: x.sin() * x.detach()],
    ]
    for kinds in cases:
        for opts in (
            dict(),
            dict(determinism_check="none"),
            dict(early_stop=False),
            dict(early_stop=False, determinism_check="none"),
        ):
            y = c.checkpoint(varying(kinds), a, use_reentrant=False, **opts)
            note(lambda: y.sum().backward())
    y = c.checkpoint(varying(cases[0]), a, use_reentrant=False, debug=True)

    def first(f):
        try:
            f()
        except Exception as e:
            return (
                type(e).__name__,
                [
                    l
                    for l in str(e).splitlines()
                    if "site-packages" not in l and "/tmp" not in l and ":" in l
                ][:0],
                type(e.__cause__).__name__,
            )

    note(lambda: first(lambda: y.sum().backward()))
    note(issubclass(c.CheckpointError, RuntimeError))
    with c.set_checkpoint_debug_enabled(True):
        y = c.checkpoint(varying(cases[0]), a, use_reentrant=False)
    note(lambda: first(lambda: y.sum().backward()))
    with c.set_checkpoint_debug_enabled(False):
        y = c.checkpoint(varying(cases[0]), a, use_reentrant=False, debug=True)
    note(lambda: y.sum().backward())
    note(lambda: c.set_checkpoint_debug_enabled(3).__enter__())
    note(lambda: c.set_checkpoint_debug_enabled(None).__enter__())


@program
def memory_is_given_back(torch, ns, note):
    c = lib(torch)

    class Obj:
        pass

    refs = []

    def f(x):
        y = x.sin()
        refs.append(weakref.ref(y))
        return y.exp()

    a = ones(torch)
    y = c.checkpoint(f, a, use_reentrant=False)
    note(refs[0]() is None)
    y.sum().backward()
    note([r() is None for r in refs])
    o = Obj()
    r = weakref.ref(o)
    y = c.checkpoint(lambda x, o: x.sin(), a, o, use_reentrant=False)
    del o
    note(r() is None)
    y.sum().backward()
    del y
    gc.collect(1)
    note(r() is None)


@program
def errors_inside_nested(torch, ns, note):
    c = lib(torch)
    ck = functools.partial(c.checkpoint, use_reentrant=False)
    a = ones(torch)
    n = []

    def bad(x):
        n.append(1)
        if len(n) > 1:
            raise RuntimeError("later")
        return x.sin()

    y = ck(lambda x: ck(bad, x).exp(), a)
    note(lambda: y.sum().backward())
    note(len(n))
    note(a.grad)
    y = ck(lambda x: x.sin(), a)
    note(lambda: y.sum().backward())
    note(a.grad)
