"""Transforms inside of ``functionalize``: the numbers, strides and graphs are the oracle's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch as ours
import pytest

from .helpers import assert_same_value, both

Function = Callable[[Any, Any], Any]


def _in_place(t: Any, x: Any) -> Any:
    y = x.clone()
    y.mul_(2)
    return y.sin()


def _window(t: Any, x: Any) -> Any:
    y = x * 1
    y[..., 0] = 0
    return y * x


def _filled(t: Any, x: Any) -> Any:
    y = t.zeros_like(x)
    y.copy_(x)
    y.add_(x)
    return y


def _first_of_all(t: Any, x: Any) -> Any:
    y = x + 0
    y[0].view(-1)[0].mul_(3)
    return y.exp()


#: What is differentiated.
FUNCTIONS: dict[str, Function] = {
    "in place": _in_place,
    "window": _window,
    "filled": _filled,
    "first of all": _first_of_all,
    "elementwise": lambda t, x: x.sin() * x.cos() + x**3,
    "norm": lambda t, x: x.norm(),
    "softmax": lambda t, x: x.softmax(-1).log().mean(),
    "product": lambda t, x: x @ x.mT,
    "views": lambda t, x: x.unsqueeze(0).expand(2, *x.shape).sum(0).transpose(0, 1).reshape(-1),
    "window of windows": lambda t, x: x.reshape(-1).unfold(0, 2, 1).prod(-1).sum(),
    "joined": lambda t, x: t.cat([x, x.sin()], -1),
    "layer": lambda t, x: t.nn.functional.layer_norm(x, x.shape[-1:]),
    "saved result": lambda t, x: x.exp().sigmoid().tanh(),
}


def _jvp(t: Any, f: Any) -> Any:
    return lambda x: t.func.jvp(f, (x,), (t.ones_like(x) * 0.5,))


def _vjp(t: Any, f: Any) -> Any:
    def run(x: Any) -> Any:
        out, back = t.func.vjp(f, x)
        return out, back(t.ones_like(out))

    return run


TRANSFORMS: dict[str, Callable[[Any, Any], Any]] = {
    "grad": lambda t, f: t.func.grad(lambda x: f(x).sum()),
    "grad_and_value": lambda t, f: t.func.grad_and_value(lambda x: f(x).sum()),
    "vjp": _vjp,
    "jvp": _jvp,
    "jacrev": lambda t, f: t.func.jacrev(f),
    "jacfwd": lambda t, f: t.func.jacfwd(f),
    "vmap": lambda t, f: t.func.vmap(f, in_dims=1),
    "grad of grad": lambda t, f: t.func.grad(
        lambda x: t.func.grad(lambda y: f(y).sum())(x).pow(2).sum()
    ),
    "jvp of grad": lambda t, f: _jvp(t, t.func.grad(lambda x: f(x).sum())),
    "vmap of grad": lambda t, f: t.func.vmap(t.func.grad(lambda x: f(x).sum())),
}
#: Those that have tangents: there the oracle's own functionalization of changes fails its asserts.
_FORWARD = ("jvp", "jacfwd", "jvp of grad")
#: Those of samples, whose windows the oracle loses where views are copies.
_BATCHED = ("vmap", "vmap of grad")
_CHANGING = ("in place", "window", "filled", "first of all")
CASES = [
    (name, function)
    for name in TRANSFORMS
    for function in FUNCTIONS
    if function not in _CHANGING or name not in (*_FORWARD, *_BATCHED)
]


def argument(t: Any, name: str) -> Any:
    """A matrix, or two of them where there are samples of rank two."""
    shape = (2, 2, 3) if "vmap" in name else (2, 3)
    return t.arange(float(t.Size(shape).numel())).reshape(shape).mul(0.7).sin()


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
@pytest.mark.parametrize(("name", "function"), CASES)
def test_a_transform_inside_gives_the_oracles_numbers(name, function, remove):
    """What a level starts from stands for the value that the outside is functional in."""

    def run(t: Any) -> Any:
        inner = TRANSFORMS[name](t, lambda x: FUNCTIONS[function](t, x))
        return t.func.functionalize(inner, remove=remove)(argument(t, name))

    assert_same_value(*both(run), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("function", _CHANGING)
@pytest.mark.parametrize("name", [*_FORWARD, *_BATCHED])
def test_changes_inside_of_a_transform_are_those_without_functionalize(name, function):
    """A tangent and a batch follow what is changed."""
    inner = TRANSFORMS[name](ours, lambda x: FUNCTIONS[function](ours, x))
    got, want = (f(argument(ours, name)) for f in (ours.func.functionalize(inner), inner))
    for g, w in zip(ours.utils._pytree.tree_leaves(got), ours.utils._pytree.tree_leaves(want)):
        assert ours.allclose(g, w, atol=1e-5)
