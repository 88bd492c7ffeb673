"""Running sums and products, and distances, of many numbers are the oracle's, block by block."""

from __future__ import annotations

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import assert_same_value, both

SHAPES = [(40_000,), (16_385,), (3, 20_000), (200, 300), (40, 600), (6, 30, 600), (3, 40, 600, 1)]
NUMBERS = {
    "random": lambda rng, n: rng.standard_normal(n),
    "special": lambda rng, n: rng.choice([-0.0, 0.0, 1.0, -2.5, 1e-30], n),
    "not finite": lambda rng, n: np.where(
        rng.random(n) < 1e-3, rng.choice([np.inf, -np.inf, np.nan], n), rng.standard_normal(n)
    ),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_running_sums_have_the_oracles_bits(name, shape, numbers):
    """Along each dimension, also of what lies in another order."""
    found = NUMBERS[numbers](np.random.default_rng(1), int(np.prod(shape)))
    a = found.astype(np.float32).reshape(shape)

    def program(t):
        x = t.from_numpy(a)
        turned = t.from_numpy(np.ascontiguousarray(a.T)).permute(*reversed(range(a.ndim)))
        return [getattr(y, name)(d) for y in (x, turned) for d in range(a.ndim)]

    assert_same_value(*both(program))


#: Shapes of both operands, of which all differences are too many for one block.
DISTANCES = {
    "matrices": ((90, 40), (80, 40)),
    "spread batches": ((3, 1, 50, 30), (4, 60, 30)),
    "many small matrices": ((500, 5, 7), (500, 6, 7)),
    "one row": ((1, 2000), (300, 2000)),
}
REACH = {"float32": 4e-6, "float64": 1e-13}


def assert_near(call, dtype):
    """What both frameworks return is alike, give or take roundings of the largest."""
    for got, want in zip(call(mindtorch), call(torch), strict=True):
        assert got.stride() == want.stride()
        off = np.abs(got.numpy() - want.numpy()).max()
        assert off <= REACH[dtype] * np.abs(want.numpy()).max()


@pytest.mark.parametrize("dtype", REACH)
@pytest.mark.parametrize("p", [0.0, 1.0, 1.5, 2.0, 3.0, float("inf")])
@pytest.mark.parametrize("shapes", DISTANCES.values(), ids=DISTANCES)
def test_distances_of_many_rows(shapes, p, dtype):
    """Also their gradients, and those of rows that are equal."""
    rng = np.random.default_rng(2)
    a, b = (rng.standard_normal(shape).astype(dtype) for shape in shapes)
    a[..., 0, :] = b[..., 0, :] if a.shape[:-2] == b.shape[:-2] else 0

    def call(t):
        x, y = (t.from_numpy(z.copy()).requires_grad_() for z in (a, b))
        far = t.cdist(x, y, p, compute_mode="donot_use_mm_for_euclid_dist")
        (far * far).sum().backward()
        return far.detach(), x.grad, y.grad

    assert_near(call, dtype)


@pytest.mark.parametrize("dtype", REACH)
@pytest.mark.parametrize("p", [0.0, 1.0, 1.5, 2.0, 3.0, float("inf")])
@pytest.mark.parametrize("shape", [(90, 40), (400, 3), (600, 1)], ids=str)
def test_distances_of_pairs_of_many_rows(shape, p, dtype):
    """As each pair has them."""
    a = np.random.default_rng(3).standard_normal(shape).astype(dtype)
    a[7] = a[3]

    def call(t):
        x = t.from_numpy(a.copy()).requires_grad_()
        far = t.nn.functional.pdist(x, p)
        (far * far).sum().backward()
        return far.detach(), x.grad

    assert_near(call, dtype)
