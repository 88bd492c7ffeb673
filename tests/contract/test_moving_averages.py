"""Ranges that follow the numbers that are rounded by them: what is written, and when."""

from __future__ import annotations

import itertools

import pytest

from .both_frameworks import agree


@pytest.mark.parametrize(
    ("observing", "rounding", "rows", "symmetric"),
    list(itertools.product((0, 1), (0, 1), (False, True), (False, True))),
)
@pytest.mark.parametrize("known", [False, True], ids=["new", "known"])
def test_ranges_follow_and_scales_are_chosen(observing, rounding, rows, symmetric, known):
    """Scales are chosen where numbers are rounded, whether or not the range followed."""

    def program(t):
        x = t.tensor([[-1.0, 2.0, 0.3], [0.5, -0.2, 4.0]])
        on, off = t.tensor([observing]), t.tensor([rounding])
        size = 2 if rows else 1
        ends = (-0.5, 3.0) if known else (float("inf"), -float("inf"))
        least, most = (t.full((size,), end) for end in ends)
        scale, zero = t.ones(size), t.zeros(size, dtype=t.int32)
        given = (least, most, scale, zero, 0.25, -128, 127, 0, rows, symmetric)
        out = []
        for factor in (1, 2):
            out += t._fused_moving_avg_obs_fq_helper(x * factor, on, off, *given)
            out += [v.clone() for v in given[:4]]
        functional = t.ops.aten._fused_moving_avg_obs_fq_helper_functional
        return [*out, *functional(x * 3, on, off, *given), *given[:4]]

    agree(program)


def test_the_gradient_is_that_of_the_numbers_within():
    def program(t):
        x = t.tensor([[-1.0, 2.0, 9.0]], requires_grad=True)
        one, zero = t.tensor([1]), t.tensor([0])
        given = (t.tensor([-1.0]), t.tensor([3.0]), t.ones(1), t.zeros(1, dtype=t.int32))
        y = t.fused_moving_avg_obs_fake_quant(x, zero, one, *given, 0.1, 0, 255, -1)
        (g,) = t.autograd.grad(y.sum(), x)
        return y, g, type(y.grad_fn).__name__

    agree(program)


@pytest.mark.parametrize("numbers", [[1.0, float("nan")], [1.0, float("inf")], [0.0, 0.0], []])
def test_numbers_without_a_range(numbers):
    def program(t):
        one = t.tensor([1])
        given = (t.tensor([float("inf")]), t.tensor([-float("inf")]), t.ones(1), t.tensor([0]))
        y = t.fused_moving_avg_obs_fake_quant(t.tensor(numbers), one, one, *given, 0.1, 0, 255, -1)
        return [v.nan_to_num(-7.0, 7.0) for v in (y, *given)]

    agree(program)
