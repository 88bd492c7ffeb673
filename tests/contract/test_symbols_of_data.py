"""Symbols that depend on data in fake tensors, in graphs of make_fx and in environments."""

from __future__ import annotations

import importlib
import warnings

import pytest

from .rows import report


def drawn(t):
    """By what is particular to it: a function that is drawn with symbols, and its arguments."""
    one, mixed = t.tensor(1), t.tensor([1.0, -1.0, 2.0])

    def checked(x, y):
        n = x.item()
        t._check(n == y.shape[0])
        return t.ones(n) + y

    return {
        "number": (lambda x: t.ones(x.item()), (t.tensor(4),)),
        "number as index": (lambda x, y: y[x.item()], (one, t.ones(3))),
        "number as end": (lambda x, y: y[: x.item()], (one, t.ones(3))),
        "numbers joined": (
            lambda x, y: t.cat([t.zeros(x.item()), t.ones(y.item())]),
            (one, t.tensor(2)),
        ),
        "number checked": (checked, (t.tensor(3), t.ones(3))),
        "number of a float": (lambda x: x * x.sum().item(), (mixed,)),
        "truth": (lambda x: t.sym_not(x.any().item()), (t.tensor([True]),)),
        "list": (lambda x: x.tolist()[0] + 1, (t.tensor([1, 2]),)),
        "nonzero": (lambda x: x.new_zeros(x.shape[0], x.nonzero().shape[0]), (mixed,)),
        "mask": (lambda x: x[x > 0].view(-1, 1).expand(-1, 2), (mixed,)),
        "unique": (lambda x: t.unique(x)[0:1], (mixed,)),
        "repeat": (lambda x, y: y.repeat_interleave(x), (t.tensor([1, 2]), t.ones(2))),
        "tensor as index": (lambda x: x[x.argmax()], (mixed,)),
        "decision": (lambda x: x + 1 if x.sum() > 0 else x, (mixed,)),
    }


def facts_of_modes(t, shapes):
    """By what is asked of a mode or an environment: the answers."""
    Mode = importlib.import_module(f"{t.__name__}._subclasses.fake_tensor").FakeTensorMode
    Env = shapes.ShapeEnv
    three = t.tensor(3)

    def inside(ask, static=False, **flags):
        mode = Mode(shape_env=Env(**flags), static_shapes=static)
        with mode:
            return ask(mode, mode.shape_env)

    def number(mode, env):
        x = mode.from_tensor(three)
        first, again, now = x.item(), x.item(), x.add_(1).item()
        return first, again, now, type(first).__name__, dict(env.var_to_range)

    def of_known_numbers(mode, env):
        x = mode.from_tensor(t.ones(3, 4))
        counted = t.bincount(t.ones(3, dtype=t.long))
        found = x.nonzero(), x[x > 0], t.masked_select(x, x > 0), x.unique(), counted
        return [(f.shape, f.stride()) for f in found], dict(env.var_to_range), found[0].t().shape

    def of_nothing(mode, env):
        x = mode.from_tensor(t.ones(0, 4))
        return x.nonzero().shape, x.unique().shape, t.masked_select(x, x > 0).shape

    def checked(mode, env):
        n = mode.from_tensor(three).item()
        t._check(n >= 2)
        t._check(n < 7)
        t._check(n != 5)
        asked = bool(n > 1), shapes.statically_known_true(n < 9), shapes.guard_or_false(n == 3)
        return asked, dict(env.var_to_range), env.deferred_runtime_asserts

    def equal(mode, env):
        n, m = mode.from_tensor(three).item(), mode.from_tensor(t.tensor(4)).item()
        t._check(n == m)
        sizes = (t.ones(n) + t.ones(m)).shape, (t.ones(n) + t.ones(5)).shape
        return sizes, env.deferred_runtime_asserts, env.replacements, dict(env.var_to_range)

    def in_ranges(mode, env):
        n, m = mode.from_tensor(three).item(), mode.from_tensor(t.tensor(4)).item()
        t.sym_constrain_range(n, min=2, max=9)
        t.sym_constrain_range_for_size(m, max=8)
        return dict(env.var_to_range), env.size_like

    def bound(mode, env):
        found = mode.from_tensor(t.ones(3)).nonzero(), [mode.from_tensor(t.ones(2)).sum().item()]
        peeked = shapes.compute_unbacked_bindings(env, found, peek=True)
        return (
            peeked,
            shapes.compute_unbacked_bindings(env, found),
            env.pending_fresh_unbacked_symbols,
        )

    def in_order(mode, env):
        import sympy

        a, b = (env.create_unbacked_symint().node.expr for _ in range(2))
        asked = a > 3, a >= b, 2 * a <= 4 * b + 6, sympy.Eq(2 * a, 4), sympy.Ne(a, b - 1)
        several = sympy.And(a > 1, b < 2), sympy.Not(sympy.And(a > 1, b < 2)), -a <= 3, a * b > 3
        return [shapes.canonicalize_bool_expr(expr) for expr in (*asked, *several)]

    def gradient(mode, env):
        x = mode.from_tensor(t.ones(3, requires_grad=True))
        (x[x > 0] * 2).sum().backward()
        return x.grad

    def ignored(mode, env):
        with env.ignore_fresh_unbacked_symbols():
            env.create_unbacked_symint()
        return env.pending_fresh_unbacked_symbols

    def wrong(mode, env):
        n = mode.from_tensor(three).item()
        t._check(n >= 2)
        t._check(n < 1, lambda: "no")

    asked = {
        "number": lambda: inside(number),
        "float": lambda: inside(lambda m, e: (m.from_tensor(t.tensor(3.0)).item(), e.var_to_range)),
        "truth": lambda: inside(lambda m, e: m.from_tensor(t.tensor(True)).item()),
        "complex": lambda: inside(lambda m, e: m.from_tensor(t.tensor(3j)).item()),
        "found": lambda: inside(of_known_numbers, static=True),
        "nothing": lambda: inside(of_nothing, static=True),
        "checked": lambda: inside(checked),
        "equal": lambda: inside(equal),
        "ranges": lambda: inside(in_ranges),
        "bound": lambda: inside(bound),
        "in order": lambda: inside(in_order),
        "gradient": lambda: inside(gradient),
        "ignored": lambda: inside(ignored),
        "wrong": lambda: inside(wrong),
        "not found": lambda: inside(
            lambda m, e: shapes.compute_unbacked_bindings(e, [e.create_unbacked_symint()][:0])
        ),
        "int": lambda: inside(lambda m, e: int(m.from_tensor(three).item())),
    }
    refused = {
        "allow_scalar_outputs": lambda m, e: m.from_tensor(three).item(),
        "allow_dynamic_output_shape_ops": lambda m, e: m.from_tensor(t.ones(2)).nonzero(),
    }
    for flag, ask in refused.items():
        asked[flag] = lambda ask=ask, flag=flag: inside(ask, **{flag: False})
    return asked


def answers(name):
    """What one side answers, as text."""
    t = importlib.import_module(name)
    shapes = importlib.import_module(f"{name}.fx.experimental.symbolic_shapes")
    make_fx = importlib.import_module(f"{name}.fx.experimental.proxy_tensor").make_fx

    def graph(function, args):
        made = make_fx(function, tracing_mode="symbolic")(*args)
        nodes = made.graph.nodes
        values = [(n.meta.get("val"), n.meta.get("unbacked_bindings")) for n in nodes]
        return made.code, values, made(*args)

    asked = {what: lambda f=f, a=a: graph(f, a) for what, (f, a) in drawn(t).items()}
    asked |= {f"mode, {what}": ask for what, ask in facts_of_modes(t, shapes).items()}
    found = {}
    for what, ask in asked.items():
        try:
            found[what] = str(ask())
        except Exception as error:
            found[what] = f"{type(error).__name__}: {error}".partition("Caused by")[0]
        found[what] = found[what].replace("mindtorch", "torch")
    return found


def test_symbols_of_data_are_what_they_are_to_the_oracle():
    """Graphs, sizes, ranges, what is promised, and what is refused."""
    pytest.importorskip("sympy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = answers("mindtorch"), answers("torch")
    report(
        f"{what}:\nours  {ours[what]}\ntorch {text}"
        for what, text in theirs.items()
        if ours[what] != text
    )
