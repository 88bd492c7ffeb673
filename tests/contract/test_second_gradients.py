"""Gradients of gradients of layers, losses and matrices, and what a second backward leaves out.

Each case is a function of a framework and the tensors that take part, in both frameworks.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import mindtorch
import torch

BOTH: tuple[Any, Any] = (mindtorch, torch)
Case = Callable[..., Any]


def _tensor(t: Any, shape: tuple[int, ...], dtype: str = "float64", lead: float = 0.0) -> Any:
    numbers = [math.sin(lead + 1.7 * i) for i in range(math.prod(shape))]
    return t.tensor(numbers, dtype=getattr(t, dtype)).reshape(shape)


def _told(x: Any) -> Any:
    if x is None:
        return None
    values = x.detach().double().flatten().tolist()
    return (
        tuple(x.shape),
        x.stride(),
        str(x.dtype).split(".")[1],
        [round(v, 5) + 0.0 for v in values],
    )


def _second(t: Any, case: Case, shapes: Any, wanted: Any, dtypes: Any = None) -> Any:
    """What the gradients of the gradients are, by the tensors wanted and the gradient given."""
    given = [
        _tensor(t, s, d, lead=i)
        for i, (s, d) in enumerate(zip(shapes, dtypes or ["float64"] * len(shapes), strict=True))
    ]
    try:
        asked = [x.requires_grad_() for x, w in zip(given, wanted, strict=True) if w]
        out = case(t, *given)
        pull = _tensor(t, tuple(out.shape), "float64").to(out.dtype).requires_grad_()
        first = t.autograd.grad(out, asked, pull, create_graph=True)
        again = [g for g in first if g.requires_grad]
        ones = [t.ones_like(g) for g in again]
        found = t.autograd.grad(again, [*asked, pull], ones, allow_unused=True)
    except RuntimeError as error:
        return type(error).__name__, str(error).split("\n")[0]
    return [_told(x) for x in found]


def _check(name: str, case: Case, shapes: Any, wanted: Any, dtypes: Any = None) -> None:
    ours, theirs = (_second(t, case, shapes, wanted, dtypes) for t in BOTH)
    assert ours == theirs, (name, wanted, ours, theirs)


def test_second_gradients_of_norms_for_all_arguments_that_may_be_wanted() -> None:
    def batch(t: Any, train: bool, by: str) -> Case:
        zeros, twos = t.zeros(2, dtype=t.float64), t.ones(2, dtype=t.float64) * 2
        norm = getattr(t.nn.functional, by)
        return lambda x, w=None, b=None: norm(x, zeros, twos, w, b, train)

    cases: dict[str, tuple[Case, tuple[int, ...]]] = {
        f"{by} {train}": (lambda t, *a, b=by, r=train: batch(t, r, b)(*a), (2,))
        for by in ("batch_norm", "instance_norm")
        for train in (False, True)
    }
    cases["layer_norm"] = (lambda t, x, *rest: t.nn.functional.layer_norm(x, (3,), *rest), (3,))
    cases["group_norm"] = (lambda t, x, *rest: t.nn.functional.group_norm(x, 1, *rest), (2,))
    for name, (case, own) in cases.items():
        for wanted in itertools.product((True, False), repeat=3):
            if any(wanted):
                _check(name, case, [(2, 2, 3), own, own], wanted)
        _check(name, case, [(2, 2, 3)], [True])
        without = lambda t, x, b, case=case: case(t, x, None, b)  # noqa: E731
        _check(f"{name}, no weight", without, [(2, 2, 3), own], (False, True))


def test_second_gradients_of_losses_have_the_dtypes_of_their_arguments() -> None:
    for name in ("mse_loss", "smooth_l1_loss", "huber_loss"):
        for reduction in ("none", "sum", "mean"):
            for dtypes in (("float64", "float32"), ("float32", "float64")):

                def case(t: Any, a: Any, b: Any, name: str = name, how: str = reduction) -> Any:
                    return getattr(t.nn.functional, name)(a, b, reduction=how)

                if name != "huber_loss":  # which casts nothing
                    _check(name, case, [(2, 3), (2, 3)], (True, True), dtypes)
                _check(name, case, [(2, 3), (2, 3)], (True, True))


def test_second_gradients_of_prelu_take_zero_for_positive() -> None:
    def case(t: Any, x: Any, slope: Any) -> Any:
        at = t.tensor([[1.0, -1.0], [0.0, 2.0], [-3.0, 0.0]], dtype=t.float64)
        return t.nn.functional.prelu(x - x.detach() + at, slope)

    for wanted in ((True, True), (True, False), (False, True)):
        _check("prelu", case, [(3, 2), (2,)], wanted)


def test_second_gradients_of_convolutions_of_no_images() -> None:
    for name in ("conv1d", "conv2d", "conv_transpose1d"):
        n = 2 if "2" in name else 1
        for bias in (True, False):
            shapes = [(0, 2, *(5,) * n), (2, 2, *(2,) * n), *[(2,)] * bias]

            def case(t: Any, *given: Any, name: str = name) -> Any:
                return getattr(t.nn.functional, name)(*given)

            _check(name, case, shapes, [True] * len(shapes))


def test_a_grid_of_nearest_elements_has_no_second_gradient() -> None:
    def second(t: Any) -> Any:
        x, grid = (_tensor(t, s).requires_grad_() for s in ((1, 1, 3, 3), (1, 2, 2, 2)))
        out = t.nn.functional.grid_sample(x, grid, "nearest", align_corners=False)
        pull = t.ones_like(out).requires_grad_()
        by_x, by_grid = t.autograd.grad(out, (x, grid), pull, create_graph=True)
        again = [
            t.autograd.grad(g.sum(), (x, grid, pull), allow_unused=True, retain_graph=True)
            for g in (by_x, by_grid)
        ]
        return [[_told(g) for g in row] for row in again]

    ours, theirs = map(second, BOTH)
    assert ours == theirs


def test_tangents_of_gradients_of_matrices_and_norms() -> None:
    """Forward mode over reverse mode: ``hessian``, where gradients use what a forward kept."""
    cases: dict[str, Case] = {
        "solve": lambda t, a: t.linalg.solve(a, a.mT * a).sum(),
        "solve from the right": lambda t, a: t.linalg.solve(a, a * a, left=False).sum(),
        "det": lambda t, a: t.linalg.det(a),
        "slogdet": lambda t, a: t.linalg.slogdet(a)[1],
        "inv": lambda t, a: (t.linalg.inv(a) * a).sum(),
        "prod": lambda t, a: a.prod(),
        "prod of zeros": lambda t, a: (a * t.eye(2, dtype=a.dtype)).prod(),
        "group_norm": lambda t, a: (t.nn.functional.group_norm(a[None], 1) ** 3).sum(),
        "layer_norm": lambda t, a: (t.nn.functional.layer_norm(a, (2,)) ** 3).sum(),
        "rms_norm": lambda t, a: (t.nn.functional.rms_norm(a, (2,)) ** 3).sum(),
        "logits": lambda t, a: t.nn.functional.binary_cross_entropy_with_logits(a, a.cos().abs()),
    }
    for name, case in cases.items():
        found = []
        for t in BOTH:
            a = t.tensor([[3.0, 1.0], [0.5, 2.0]], dtype=t.float64)
            gradient = t.func.grad(lambda a, t=t, case=case: case(t, a))
            tangent = t.tensor([[1.0, -0.5], [0.25, 2.0]], dtype=t.float64)
            found.append(t.func.jvp(gradient, (a,), (tangent,))[1].flatten().tolist())
        near = [
            math.isclose(x, y, rel_tol=1e-8, abs_tol=1e-10) for x, y in zip(*found, strict=True)
        ]
        assert all(near), (name, found)


def test_tangents_of_what_a_level_returns_have_no_history_of_it() -> None:
    found = []
    for t in BOTH:
        func, a = t.func, t.tensor([[1.0, 2.0]], dtype=t.float64)
        inner: dict[str, Case] = {
            "plain": lambda x: x.erf().sum(),
            "of a Jacobian": lambda x, f=func: f.jacfwd(lambda y: y.sin())(x).sum(),
            "of a product": lambda x, f=func, a=a: f.jvp(lambda y: y.sin(), (x,), (a,))[1].sum(),
        }
        for name, case in inner.items():
            for level in (func.grad_and_value(case), lambda x, c=case, f=func: f.vjp(c, x)[0]):
                given = func.jvp(level, (a,), (a,))
                tensors = [x for part in given for x in (part if type(part) is tuple else (part,))]
                found.append((t.__name__, name, [(_told(x), x.requires_grad) for x in tensors]))
    ours, theirs = found[: len(found) // 2], found[len(found) // 2 :]
    assert [row[1:] for row in ours] == [row[1:] for row in theirs]
