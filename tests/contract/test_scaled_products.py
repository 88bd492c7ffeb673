"""Products of 8-bit floats with scales, large ones and those that are scaled back among them."""

from __future__ import annotations

import itertools
import math

import pytest

from tests.contract.both_frameworks import ours, torch
from tests.contract.known import ELSEWHERE

pytestmark = pytest.mark.skipif("_scaled_mm" in ELSEWHERE, reason="oneDNN's products are others")

KINDS = ["float8_e4m3fn", "float8_e5m2"]
RESULTS = [None, "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e8m0fnu"]
RESULTS += ["float16", "bfloat16", "float32", "float64", "int32", "complex64"]
VALUES = [0.0, 1.0, 28.0, 29.0, 448.0, -448.0, math.inf, math.nan]
SCALES = [1.0, 1e-3, 2e6, math.inf, math.nan]


def products(t, kinds, result, call):
    """What *call* gives for every value, scale and scale of the result."""
    found = []
    for value, scale, back in itertools.product(VALUES, SCALES, (None, 0.01)):
        a = t.full((2, 16), value).to(getattr(t, kinds[0]))
        b = t.ones(3, 16).to(getattr(t, kinds[1])).t()
        dtype = None if result is None else getattr(t, result)
        found.append(call(t, a, b, scale, back, dtype))
    return [(r.dtype, r.to(t.complex128).tolist()) for r in found]


def whole(t, a, b, scale, back, dtype):
    """A scale for each matrix."""
    back = None if back is None else t.tensor(back)
    return t._scaled_mm(a, b, t.tensor(scale), t.tensor(0.5), scale_result=back, out_dtype=dtype)


def rows(t, a, b, scale, back, dtype):
    """A scale for each row, and a bias."""
    scales = t.full((2, 1), scale), t.full((1, 3), 0.5)
    return t._scaled_mm(a, b, *scales, bias=t.full((3,), back or 0.0), out_dtype=dtype)


def second(t, a, b, scale, back, dtype):
    """The other operator."""
    scales = [t.tensor(scale)], [0], [], [t.tensor(0.5)], [0], []
    return t._scaled_mm_v2(a, b, *scales, None, dtype)


@pytest.mark.parametrize("call", [whole, rows, second])
@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("kinds", itertools.product(KINDS, KINDS), ids=str)
def test_large_products_are_the_oracles(kinds, result, call):
    """8-bit floats without infinity end at their largest number."""
    got, want = (products(t, kinds, result, call) for t in (ours, torch))
    for mine, theirs in zip(got, want, strict=True):
        assert str(mine[0]).rpartition(".")[2] == str(theirs[0]).rpartition(".")[2]
        assert repr(mine[1]) == repr(theirs[1])


@pytest.mark.parametrize("kind", ["float64", "float16", "int32"])
@pytest.mark.parametrize("which", ["scale", "result", "two"])
def test_scales_that_are_refused(which, kind):
    """Of other dtypes, and a scale of the result that is no number."""

    def said(t):
        a = t.ones(16, 16).to(t.float8_e4m3fn)
        scale, back = t.tensor(1.0), t.ones(2) if which == "two" else t.tensor(1.0)
        if which == "scale":
            scale = scale.to(getattr(t, kind))
        if which == "result":
            back = back.to(getattr(t, kind))
        with pytest.raises((RuntimeError, ValueError)) as caught:
            t._scaled_mm(a, a.t(), scale, scale, scale_result=back)
        return caught.type, str(caught.value)

    assert said(ours) == said(torch)
