"""Derivatives of what a function changes in place, in samples too, and below excluded keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .helpers import assert_same_value, both

Function = Callable[[Any, Any], Any]


def _put(z: Any, index: Any, value: Any) -> Any:
    z[index] = value
    return z


#: Functions of a vector of three numbers: the framework, the vector.
FUNCTIONS: dict[str, Function] = {
    "copy_ into a clone": lambda t, y: y.clone().copy_(y * 2),
    "copy_ into a constant": lambda t, y: t.ones(3).copy_(y),
    "copy_ into new zeros": lambda t, y: y.new_zeros(3).copy_(y),
    "add_": lambda t, y: y.clone().add_(y),
    "mul_": lambda t, y: y.clone().mul_(y),
    "a number": lambda t, y: _put(y.clone(), 0, 5.0),
    "an element": lambda t, y: _put(y.clone(), 0, y[1]),
    "a slice": lambda t, y: _put(y.clone(), slice(0, 2), y[1:3]),
    "a slice of zeros": lambda t, y: _put(y.new_zeros(3), slice(1, 3), y[:2] * 2),
    "by index": lambda t, y: y.clone().index_put_((t.tensor([0]),), y[1:2]),
    "by mask": lambda t, y: y.clone().masked_fill_(t.tensor([True, False, True]), 0.0),
    "twice": lambda t, y: _put(_put(y.new_zeros(3), 0, y[1]), 2, y[0] * y[1]),
    "the argument": lambda t, y: y.add_(1) * y,
    "a view of the argument": lambda t, y: (y[1:].mul_(2), y * 3)[1],
}

#: Transforms of such a function, called with a matrix of samples: rows or columns.
TRANSFORMS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "jvp": lambda t, f, y, v: t.func.jvp(f, (y[0],), (v[0],)),
    "samples of jvp": lambda t, f, y, v: t.vmap(lambda y, v: t.func.jvp(f, (y,), (v,)))(y, v),
    "columns of jvp": lambda t, f, y, v: t.vmap(
        lambda y, v: t.func.jvp(f, (y,), (v,)), in_dims=1, out_dims=1
    )(y.T.contiguous(), v.T.contiguous()),
    "jacfwd": lambda t, f, y, v: t.func.jacfwd(f)(y[0]),
    "jacrev": lambda t, f, y, v: t.func.jacrev(f)(y[0]),
    "samples of grad": lambda t, f, y, v: t.vmap(t.func.grad(lambda y: (f(y) * f(y)).sum()))(y),
    "hessian": lambda t, f, y, v: t.func.hessian(lambda y: (f(y) ** 2).sum())(y[0]),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_changes_in_place_are_differentiated(name: str, transform: str) -> None:
    """The result, the derivatives, and what the caller's tensor holds afterwards."""

    def work(t: Any) -> Any:
        y = t.arange(6.0).view(2, 3)
        try:
            out = TRANSFORMS[transform](t, lambda y: FUNCTIONS[name](t, y), y, y + 10)
        except RuntimeError as error:
            return str(error).partition("\n")[0]
        return out, y

    assert_same_value(*both(work), strides=False)


EXCLUDED: dict[str, Callable[[Any], Any]] = {
    "grad": lambda t: t.func.grad(t.sin),
    "vjp": lambda t: lambda x: t.func.vjp(t.sin, x)[1](t.ones(()))[0],
    "jvp": lambda t: lambda x: t.func.jvp(t.sin, (x,), (t.ones(()),)),
    "twice": lambda t: t.func.grad(t.func.grad(t.sin)),
    "samples": lambda t: lambda x: t.vmap(t.func.grad(t.sin))(x.expand(2)),
    "hessian": lambda t: t.func.hessian(t.sin),
    "in place": lambda t: t.func.grad(lambda x: x.clone().mul_(x)),
}


@pytest.mark.parametrize("name", EXCLUDED)
def test_transforms_record_where_the_caller_excluded_autograd(name: str) -> None:
    """Their levels need the keys; afterwards the caller's are excluded again."""

    def work(t: Any) -> Any:
        with t._C._AutoDispatchBelowAutograd():
            out = EXCLUDED[name](t)(t.tensor(0.5))
            recorded = t.ones(1, requires_grad=True).sin().requires_grad
        return out, recorded, t.ones(1, requires_grad=True).sin().requires_grad

    assert_same_value(*both(work))


#: Functions of a vector that change it in place.
CHANGES: dict[str, Function] = {
    "all of it": lambda t, y: y.mul_(2) * 3,
    "a part": lambda t, y: y[0].add_(1),
    "its shape": lambda t, y: y.unsqueeze_(0),
    "by itself": lambda t, y: y.copy_(y * 3),
}
#: How the vector *y* and a direction meet under ``vmap``: which of both are samples.
SAMPLED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "directions": lambda t, f, y: t.vmap(lambda d: t.func.jvp(f, (y[0],), (d,)))(t.eye(3)),
    "directions of directions": lambda t, f, y: t.vmap(
        lambda e: t.vmap(lambda d: t.func.jvp(f, (y[0],), (d * e,))[1])(t.eye(3))
    )(t.eye(3)),
    "columns": lambda t, f, y: t.vmap(lambda y, d: t.func.jvp(f, (y,), (d,)), in_dims=(1, 0))(
        y, t.eye(3)
    ),
    "jacfwd": lambda t, f, y: t.func.jacfwd(f)(y[0]),
    "jacfwd after a look": lambda t, f, y: t.func.jacfwd(
        lambda y: f(y) if bool((y > -1).all()) else y
    )(y[0]),
    "jacfwd of two": lambda t, f, y: t.func.jacfwd(lambda y, z: f(y) * z, (0, 1))(y[0], y[1]),
    "jacfwd with aux": lambda t, f, y: t.func.jacfwd(lambda y: (f(y), y * 2), has_aux=True)(y[0]),
    "of other numbers": lambda t, f, y: t.vmap(
        lambda d, k: t.func.jvp(lambda y: f(y.mul_(k)), (y[0],), (d,))
    )(t.eye(3), t.arange(3.0)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("how", SAMPLED)
@pytest.mark.parametrize("name", CHANGES)
def test_a_primal_that_all_samples_share_is_changed_once(name: str, how: str) -> None:
    """The caller's tensor holds what the function made of it, or the call is refused."""

    def work(t: Any) -> Any:
        y = t.arange(9.0).view(3, 3)
        try:
            out = SAMPLED[how](t, lambda y: CHANGES[name](t, y), y)
        except RuntimeError as error:
            return type(error).__name__
        return out, y

    assert_same_value(*both(work), strides=False)
