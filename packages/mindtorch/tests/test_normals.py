"""Numbers that are rounded as the processor's fused products round them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mindtorch  # noqa: F401  (numpy's warnings are off then)
import numpy as np
import pytest
from mindtorch.aten import box_muller, fma
from mindtorch.aten.few_normals import MOST_BLOCKS, few_normals


@pytest.fixture(params=["numpy's product", "steps"])
def product(request: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The product found on this processor, and the one for processors that fuse nothing."""
    if request.param == "steps":
        monkeypatch.setattr(fma, "complex_product", lambda: fma._product)
    return fma.complex_product()


def test_a_fused_sum_is_rounded_once(product: Any) -> None:
    """As the exact sum is, which fractions give; infinities and nan come through."""
    a, b, c = np.random.default_rng(3).standard_normal((3, 400))
    c[:200] = -a[:200] * b[:200]  # what is left is what the product lost
    exact = [float(Fraction(x) * Fraction(y) + Fraction(z)) for x, y, z in zip(a, b, c)]
    assert fma.fused(a, b, c).tolist() == exact
    assert fma.fused(a, 3.0, 0.1).tolist() == [float(Fraction(x) * 3 + Fraction(0.1)) for x in a]
    assert [fma.fused(a[i : i + 1], b[i], c[i]).item() for i in range(400)] == exact  # one each
    for i in range(100):  # one element alone, in any number of dimensions
        for shape in ((), (1,), (1, 1)):
            one = fma.fused(a[i].reshape(shape), b[i], c[i : i + 1].reshape(shape))
            assert one.shape == shape and one == exact[i]
    odd = fma.fused(np.array([np.inf, np.inf, np.nan]), 2.0, np.array([1.0, -np.inf, 0.0]))
    assert odd[0] == np.inf and np.isnan(odd[1:]).all()


def test_single_precision_is_rounded_once_too(product: Any) -> None:
    """The real part of a complex product whose other term is exact."""
    a, b, c = np.random.default_rng(4).standard_normal((3, 401)).astype(np.float32)
    x, y = a - 1j * c, b + 1j
    want = (a.astype(np.float64) * b + c).astype(np.float32)
    assert (product(x, y, np.empty_like(x)).real == want).all()
    assert (product(x, y, x).real == want).all()


@pytest.mark.parametrize(("mean", "std"), [(0.0, 1.0), (1.5, 0.25)])
def test_few_normal_numbers_are_the_bits_of_many(
    mean: float, std: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the number of blocks; both ends of the range of uniform numbers are among them."""
    drawn = np.random.default_rng(5).integers(0, 1 << 24, (4 * MOST_BLOCKS, 2, 8))
    drawn[0], drawn[1, 0], drawn[1, 1] = 0, (1 << 24) - 1, 1 << 23
    unit = (drawn * 2.0**-24).astype(np.float32)
    monkeypatch.setattr(box_muller, "MOST_BLOCKS", 0)
    many = box_muller.box_muller(unit.reshape(-1), mean, std).view(np.int32)
    start = 0
    for blocks in (1, 2, 3, 7, MOST_BLOCKS, 1):
        few = few_normals(unit[start : start + blocks], mean, std).view(np.int32)
        assert (few == many[16 * start : 16 * (start + blocks)]).all()
        start += blocks
