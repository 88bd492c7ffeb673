"""Symbols of sizes: what is computed of them, what is known, and what becomes an assumption."""

from __future__ import annotations

import importlib

import pytest

from .helpers import assert_same_value, assert_torch_error, both

pytest.importorskip("sympy")


def environment(t, **settings):
    """An environment, a mode with it, and a fake tensor whose sizes are symbols of it."""
    shapes = importlib.import_module(f"{t.__name__}.fx.experimental.symbolic_shapes")
    fake = importlib.import_module(f"{t.__name__}._subclasses.fake_tensor")
    env = shapes.ShapeEnv(**settings)
    mode = fake.FakeTensorMode(shape_env=env)
    return shapes, env, mode, mode.from_tensor(t.ones(6, 4, 1))


COMPUTED = {
    "sums": lambda t, a, b: (a + 1, 1 + a, a - b, 10 - a, a + b - a),
    "products": lambda t, a, b: (a * 2, 2 * a, a * b, (a + b) * 3, (a + 1) * (b + 1)),
    "divisions": lambda t, a, b: (a // 2, (2 * a) // 2, (a - 1) // 2 + 1, a // 2 // 3, 7 // a),
    "remainders": lambda t, a, b: (a % 2, (4 * a) % 2, (2 * a) % 2, a % a),
    "floats": lambda t, a, b: (a / 2, t.sym_float(a), t.sym_int(a / 2)),
    "signs": lambda t, a, b: (-a, abs(a), +a),
    "choices": lambda t, a, b: (t.sym_max(a, 3), t.sym_min(a, b), t.sym_max(3, a)),
    "relations": lambda t, a, b: (a == b, a > b, a <= 3, a != 4),
    "truths": lambda t, a, b: (t.sym_not(a > 3), (a > 7) & (b > 9), (a > 7) | (b > 9)),
    "types": lambda t, a, b: [type(x).__name__ for x in (a, a / 2, a == 3, a * 2.0)],
}


@pytest.mark.parametrize("name", COMPUTED)
def test_expressions_are_the_oracles(name):
    """Their texts; nothing is assumed."""

    def program(t):
        _, env, _, fake = environment(t)
        a, b, one = fake.shape
        found = [str(x) for x in COMPUTED[name](t, a, b)]
        return found, one, len(env.guards), str(fake.shape), str(fake.stride())

    assert_same_value(*both(program))


ASKED = {
    "a number": lambda t, s, a, b: int(a),
    "a number's guard": lambda t, s, a, b: s.guard_int(a),
    "as an index": lambda t, s, a, b: list(range(10))[b],
    "a loop": lambda t, s, a, b: len(range(a)),
    "a condition": lambda t, s, a, b: bool(a > 4),
    "what ranges say": lambda t, s, a, b: (bool(a > 1), bool(a == 1), bool(a * b > 3)),
    "an equality": lambda t, s, a, b: bool(a == b + 2),
    "the other way": lambda t, s, a, b: bool(a == b),
    "known": lambda t, s, a, b: [
        s.statically_known_true(x) for x in (a > 1, a > 4, a == a, a * 2 >= 4)
    ],
    "false or not": lambda t, s, a, b: (s.guard_or_false(a > 4), s.guard_or_true(a > 9)),
    "free": lambda t, s, a, b: (
        sorted(map(str, s.free_symbols([a, b]))), s.has_free_symbols(3), s.is_symbolic(a),
    ),
    "conjunctions": lambda t, s, a, b: str(s.sym_and(a > 9, b > 9)),
    "lists": lambda t, s, a, b: str(s.sym_eq([a, 3], [a, 3])),
    "checked": lambda t, s, a, b: (t._check(a > 3), str(a)),
    "hints": lambda t, s, a, b: (
        s.optimization_hint(a), s.guarding_hint_or_throw(b), s.has_guarding_hint(a),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_of_them(name):
    """Answers, what sizes are afterwards, and which are ranges."""

    def program(t):
        shapes, env, _, fake = environment(t)
        a, b, _ = fake.shape
        answer = ASKED[name](t, shapes, a, b)
        ranges = sorted((str(s), str(r)) for s, r in env.var_to_range.items())
        return answer, str(fake.shape), ranges

    assert_same_value(*both(program))


@pytest.mark.parametrize(
    "call",
    [
        lambda t, a: hash(a),
        lambda t, a: {a: 1},
        lambda t, a: t._check(a > 9),
        lambda t, a: a // 0,
    ],
)
def test_what_they_refuse(call):
    """In the oracle's words."""

    def program(t):
        return call(t, environment(t)[3].shape[0])

    assert_torch_error(*both(program))


def test_graphs_of_functions_compute_sizes():
    """``make_fx`` with symbols, before autograd."""

    def program(t):
        make_fx = importlib.import_module(f"{t.__name__}.fx.experimental.proxy_tensor").make_fx

        def function(x, y):
            b, n = x.shape[0], x.shape[1]
            z = t.cat([x, y])
            parts = x.view(b * n, 2), x.transpose(0, 1).reshape(n * b, 2), z.view(-1, n)
            return *parts, t.zeros(z.shape[0] + 1), x * b, b * 3, b / 2

        made = make_fx(function, tracing_mode="symbolic", pre_dispatch=True)(
            t.ones(6, 4, 2), t.ones(5, 4, 2)
        )
        results = made(t.ones(3, 5, 2), t.ones(4, 5, 2))
        shown = [tuple(x.shape) if hasattr(x, "shape") else x for x in results]
        return made.code, shown

    assert_same_value(*both(program))
