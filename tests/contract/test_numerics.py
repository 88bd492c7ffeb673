"""Errors of sums over many numbers, and numbers that must not count."""

from __future__ import annotations

from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import assert_same_value, assert_torch_error, both


@pytest.mark.parametrize("step", [1, 3])
def test_square_roots_are_rounded_correctly(step: int) -> None:
    """As the root of wider numbers, rounded: what IEEE 754 asks for. The oracle's may be off."""
    numbers = np.random.default_rng(0).random(9999, np.float32)[::step] * 4
    want = np.sqrt(numbers.astype(np.float64)).astype(np.float32)
    x = mindtorch.from_numpy(numbers)
    out = mindtorch.empty(3 * len(want))[::3]
    for found in (mindtorch.sqrt(x), mindtorch.sqrt(x, out=out), x.clone().sqrt_()):
        assert (found.numpy() == want).all()


def _noise(*shape: int) -> np.ndarray[Any, Any]:
    return (np.random.default_rng(0).standard_normal(shape) * 3 + 100).astype(np.float32)


MEANS = {
    "layer_norm": lambda t, x: t.nn.functional.layer_norm(x, x.shape[1:]),
    "group_norm": lambda t, x: t.nn.functional.group_norm(x.view(1, 2, -1), 2),
    "instance_norm": lambda t, x: t.nn.functional.instance_norm(x[None]),
    "var": lambda t, x: x.var(1) / 9,
    "std": lambda t, x: x.std(1) / 3,
    "mean": lambda t, x: x.mean(1) / 100,
    "sum": lambda t, x: x.sum(1) / (100 * x.shape[1]),
    "sum of columns": lambda t, x: x.T.contiguous().sum(0) / (100 * x.shape[1]),
    "norm": lambda t, x: x.norm(dim=1) / (100 * x.shape[1] ** 0.5),
}


@pytest.mark.parametrize("name", MEANS)
@pytest.mark.parametrize("n", [1000, 20_001, 1_000_000])
def test_errors_of_means_do_not_grow_with_their_length(name: str, n: int) -> None:
    """Against float64: a unit in the last place of the mean, which is thirty times the spread."""
    x = mindtorch.from_numpy(_noise(2, n))
    error = (MEANS[name](mindtorch, x) - MEANS[name](mindtorch, x.double())).abs().max().item()
    assert error < (1.2e-5 if "norm" in name and name != "norm" else 5e-7), error


def test_gradients_of_norms_over_many_numbers() -> None:
    """The sums of their backward are as exact."""
    for name in ("layer_norm", "group_norm"):
        grads = []
        for dtype in (mindtorch.float32, mindtorch.float64):
            x = mindtorch.from_numpy(_noise(2, 1_000_000)).to(dtype).requires_grad_()
            g = mindtorch.from_numpy(_noise(2, 1_000_000) - 100).to(dtype)
            out = MEANS[name](mindtorch, x)
            out.backward(g.reshape(out.shape))
            grads.append(x.grad.double())
        assert (grads[0] - grads[1]).abs().max().item() < 1e-5


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int64"])
def test_a_sum_without_terms_ignores_nan_where_beta_is_zero(dtype: str) -> None:
    """And keeps what is multiplied otherwise."""

    def work(t: Any, beta: float) -> Any:
        x = t.full((2, 3), 3 if dtype == "int64" else float("nan")).to(getattr(t, dtype))
        ones = t.ones(0, 2, 4, dtype=x.dtype), t.ones(0, 4, 3, dtype=x.dtype)
        return t.addbmm(x, *ones, beta=beta)

    for beta in (0, 1, 2):
        assert_same_value(*both(lambda t, beta=beta: work(t, beta)))


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("shape", [(5,), (2, 5), (2, 5, 3), (2, 5, 3, 2), (2, 5, 2, 1, 2)])
def test_second_derivatives_of_likelihoods(reduction: str, shape: tuple[int, ...]) -> None:
    """Of inputs with any number of dims, with weights and an ignored class."""

    def work(t: Any) -> Any:
        t.manual_seed(0)
        x = t.randn(shape, dtype=t.float64, requires_grad=True)
        target = t.randint(0, 5, shape[:1] + shape[2:] if len(shape) > 1 else ())
        weight = t.linspace(0.5, 2, 5, dtype=t.float64)
        f = t.nn.functional
        logs = f.log_softmax(x, 1 if len(shape) > 1 else 0)
        loss = f.nll_loss(logs, target, weight, ignore_index=2, reduction=reduction)
        (first,) = t.autograd.grad(loss.pow(2).sum(), x, create_graph=True)
        (second,) = t.autograd.grad(first.pow(2).sum(), x)
        return first.detach(), second

    want = work(torch)
    for mine, its in zip(work(mindtorch), want, strict=True):
        np.testing.assert_allclose(mine.numpy(), its.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("images", [(2, 0, 4, 4), (0, 2, 4, 4), (2, 0, 4), (1, 0, 4, 4, 4)])
@pytest.mark.parametrize("transposed", [False, True])
def test_convolutions_of_nothing(images: tuple[int, ...], transposed: bool) -> None:
    """Images without channels give images without channels; no images give none."""
    n = len(images) - 2

    def work(t: Any) -> Any:
        x = t.ones(images, requires_grad=True)
        sizes = (images[1], 3) if transposed else (3, images[1])
        w, b = t.ones(*sizes, *[2] * n, requires_grad=True), t.ones(3, requires_grad=True)
        name = f"conv_transpose{n}d" if transposed else f"conv{n}d"
        y = getattr(t.nn.functional, name)(x, w, b)
        y.sum().backward()
        return y.detach(), x.grad, w.grad

    try:
        work(torch)
    except RuntimeError:
        assert_torch_error(*both(work))
    else:
        assert_same_value(*both(work))


@pytest.mark.parametrize("kind", ["avg", "max"])
@pytest.mark.parametrize("lead", [(1, 2), (2,), (0, 2)])
@pytest.mark.parametrize("sizes", [(0,), (0, 2), (2, 0), (0, 2, 2), (2, 2, 0)])
def test_pools_to_no_places_have_no_gradient(
    kind: str, lead: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    """The backward says which dim is empty."""

    def work(t: Any) -> Any:
        x = t.ones(*lead, *[4] * len(sizes), requires_grad=True)
        y = getattr(t.nn.functional, f"adaptive_{kind}_pool{len(sizes)}d")(x, sizes)
        y.sum().backward()

    assert_torch_error(*both(work))


@pytest.mark.parametrize("exponent", [0.5 + 0.2j, 2j, 1.0 + 0j])
@pytest.mark.parametrize("base", [-1.5, 2.0, -0.3])
@pytest.mark.parametrize("kinds", [("float64", "complex128"), ("float32", "complex64")])
def test_the_slope_of_a_complex_power_of_a_real_base(
    base: float, exponent: complex, kinds: tuple[str, str]
) -> None:
    """A negative base has a logarithm there; two backwards give the same numbers."""

    def work(t: Any) -> Any:
        x = t.tensor([base], dtype=getattr(t, kinds[0]), requires_grad=True)
        e = t.tensor([exponent], dtype=getattr(t, kinds[1]), requires_grad=True)
        y = t.pow(x, e)
        slopes = [t.autograd.grad(y, (x, e), y * 0 + (1 + 0.5j), True) for _ in range(2)]
        if kinds[0] == "float64":
            slopes.append(t.autograd.gradcheck(t.pow, (x, e)))
        return slopes

    assert_same_value(*both(work), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("out", [False, True])
@pytest.mark.parametrize("dtypes", [("complex64", "int32"), ("float32", "bool"), ("int64", "int8")])
@pytest.mark.parametrize(
    "shapes", [((), (3,)), ((3,), ()), ((), ()), ((3,), (2,)), ((2, 3), (3,)), ((3, 1), (3,))]
)
def test_inner_of_two_dtypes(
    shapes: tuple[tuple[int, ...], ...], dtypes: tuple[str, str], out: bool
) -> None:
    """A number times a tensor promotes; else sizes are compared before dtypes."""

    def work(t: Any) -> Any:
        a, b = (t.ones(s, dtype=getattr(t, d)) for s, d in zip(shapes, dtypes, strict=True))
        target = {"out": t.empty(0, dtype=t.complex64)} if out else {}
        try:
            return t.inner(a, b, **target)
        except RuntimeError as error:
            return str(error)

    assert_same_value(*both(work))
