"""Steps of a chain: on tensors, on arrays, and back; of whole numbers, so that all is exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .world import Array, World

Rng = np.random.Generator


class Step(NamedTuple):
    """``apply(world, tensor)``, ``value(array)`` and ``back(gradient, array)``."""

    name: str
    apply: Callable[[World, Any], Any]
    value: Callable[[Array], Array]
    back: Callable[[Array, Array], Array]


MAKERS: list[Callable[[Rng, tuple[int, int]], Step]] = []
#: Those that observe the graph of a run: not for parts that are computed twice.
OBSERVERS: list[Callable[[Rng, tuple[int, int]], Step]] = []


def maker(make: Callable[[Rng, tuple[int, int]], Step]) -> Callable[..., Step]:
    MAKERS.append(make)
    return make


def observer(make: Callable[[Rng, tuple[int, int]], Step]) -> Callable[..., Step]:
    OBSERVERS.append(make)
    return make


def _factor(rng: Rng) -> float:
    return float(rng.choice([-2, -1, 2, 3]))


@maker
def scaled(rng: Rng, shape: tuple[int, int]) -> Step:
    c = _factor(rng)
    return Step("scaled", lambda w, v: v * c, lambda a: a * c, lambda g, a: g * c)


@maker
def moved(rng: Rng, shape: tuple[int, int]) -> Step:
    c = rng.integers(-3, 4, shape).astype(float)
    return Step("moved", lambda w, v: v + w.tensor(c), lambda a: a + c, lambda g, a: g)


@maker
def clipped(rng: Rng, shape: tuple[int, int]) -> Step:
    return Step(
        "clipped",
        lambda w, v: v.relu(),
        lambda a: np.maximum(a, 0),
        lambda g, a: np.where(a > 0, g, 0),
    )


@maker
def squared(rng: Rng, shape: tuple[int, int]) -> Step:
    return Step("squared", lambda w, v: v * v, lambda a: a * a, lambda g, a: 2 * g * a)


@maker
def turned(rng: Rng, shape: tuple[int, int]) -> Step:
    return Step("turned", lambda w, v: v.t(), lambda a: a.T, lambda g, a: g.T)


@maker
def flattened(rng: Rng, shape: tuple[int, int]) -> Step:
    return Step(
        "flattened",
        lambda w, v: v.reshape(1, -1),
        lambda a: a.reshape(1, -1),
        lambda g, a: g.reshape(a.shape),
    )


@maker
def picked(rng: Rng, shape: tuple[int, int]) -> Step:
    rows = rng.integers(0, shape[0], rng.integers(1, 5))

    def back(g: Array, a: Array) -> Array:
        out = np.zeros_like(a)
        np.add.at(out, rows, g)
        return out

    def apply(w: World, v: Any) -> Any:
        return v.index_select(0, w.t.tensor(rows.tolist(), device=w.device))

    return Step("picked", apply, lambda a: a[rows], back)


@maker
def multiplied(rng: Rng, shape: tuple[int, int]) -> Step:
    m = rng.integers(-1, 2, (shape[1], rng.integers(1, 5))).astype(float)
    return Step("multiplied", lambda w, v: v @ w.tensor(m), lambda a: a @ m, lambda g, a: g @ m.T)


@maker
def spread(rng: Rng, shape: tuple[int, int]) -> Step:
    return Step(
        "spread",
        lambda w, v: v.sum(1, keepdim=True).expand(v.shape),
        lambda a: np.broadcast_to(a.sum(1, keepdims=True), a.shape),
        lambda g, a: np.broadcast_to(g.sum(1, keepdims=True), a.shape),
    )


@maker
def changed_in_a_view(rng: Rng, shape: tuple[int, int]) -> Step:
    row, c = int(rng.integers(0, shape[0])), _factor(rng)

    def apply(w: World, v: Any) -> Any:
        v = v.clone()
        v[row].mul_(c)
        return v

    def change(a: Array) -> Array:
        a = a.copy()
        a[row] *= c
        return a

    return Step("changed in a view", apply, change, lambda g, a: change(g))


@maker
def overwritten(rng: Rng, shape: tuple[int, int]) -> Step:
    column = int(rng.integers(0, shape[1]))

    def apply(w: World, v: Any) -> Any:
        v = v * 1
        v[:, column] = 5.0
        return v

    def filled(a: Array, value: float) -> Array:
        a = a.copy()
        a[:, column] = value
        return a

    return Step("overwritten", apply, lambda a: filled(a, 5.0), lambda g, a: filled(g, 0.0))


@maker
def detoured(rng: Rng, shape: tuple[int, int]) -> Step:
    def apply(w: World, v: Any) -> Any:
        with w.t.no_grad():
            u = v * 2
        return v * 3 - u - v.detach()

    return Step("detoured", apply, lambda a: a * 0, lambda g, a: 3 * g)


@maker
def of_a_function(rng: Rng, shape: tuple[int, int]) -> Step:
    c = _factor(rng)

    def apply(w: World, v: Any) -> Any:
        class Scaled(w.t.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any, factor: float) -> Any:
                ctx.save_for_backward(x)
                ctx.factor = factor
                return x * x * factor

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                (x,) = ctx.saved_tensors
                return g * x * (2 * ctx.factor), None

        return Scaled.apply(v, c)

    return Step("of a function", apply, lambda a: a * a * c, lambda g, a: 2 * g * a * c)


@maker
def packed(rng: Rng, shape: tuple[int, int]) -> Step:
    def apply(w: World, v: Any) -> Any:
        def pack(x: Any) -> Any:
            return x.detach().cpu().numpy().copy()

        def unpack(a: Any) -> Any:
            return w.t.from_numpy(a).to(w.device)

        with w.t.autograd.graph.saved_tensors_hooks(pack, unpack):
            return v * v

    return Step("packed", apply, lambda a: a * a, lambda g, a: 2 * g * a)


@observer
def hooked(rng: Rng, shape: tuple[int, int]) -> Step:
    c = _factor(rng)

    def apply(w: World, v: Any) -> Any:
        v = v * 1
        v.register_hook(lambda g: g * c)
        v.register_hook(lambda g: g * 7).remove()
        return v

    return Step("hooked", apply, lambda a: a, lambda g, a: g * c)


@observer
def node_hooked(rng: Rng, shape: tuple[int, int]) -> Step:
    c = _factor(rng)

    def apply(w: World, v: Any) -> Any:
        v = v * 1
        v.grad_fn.register_prehook(lambda gs: (gs[0] * c,))
        v.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * c, *inputs[1:]))
        return v

    return Step("node hooked", apply, lambda a: a, lambda g, a: g * c * c)
