"""Batch norm of half precision: what is rounded where, which layout results have, what refuses."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.contract.both_frameworks import BOTH, outcome, part, same

LAYOUTS = ("contiguous_format", "channels_last")


def normalised(t: Any, kind: str, of_weights: str, layout: str, training: bool) -> Any:
    """Results, statistics that were moved and strides, of numbers far enough from zero."""
    numbers = t.arange(3 * 4 * 6 * 5, dtype=t.float64).reshape(3, 4, 6, 5)
    x = (numbers.mul(0.7).sin() * 3 + 1.5).to(getattr(t, kind))
    x = x.contiguous(memory_format=getattr(t, layout))
    made = [t.linspace(low, low + 1, 4).to(getattr(t, of_weights)) for low in (0.5, -0.2, 0.1, 0.6)]
    weight, bias, mean, var = made
    out, *saved = t.native_batch_norm(x, weight, bias, mean, var, training, 0.1, 1e-5)
    return out, saved, (mean, var), out.stride()


def test_statistics_of_halves_are_rounded_as_torchs():
    for of_weights, layout, training in product(("half", "bfloat16"), LAYOUTS, (True, False)):
        ours, theirs = (normalised(t, of_weights, of_weights, layout, training) for t in BOTH)
        where = (of_weights, layout, training)
        assert ours[3] == theirs[3], where
        for mine, its in zip((*ours[1], *ours[2]), (*theirs[1], *theirs[2]), strict=True):
            assert mine.tolist() == its.tolist(), where
        differ = [a != b for a, b in zip(ours[0].flatten().tolist(), theirs[0].flatten().tolist())]
        assert sum(differ) <= 2, where  # where a sum of float32 lies halfway


def test_squares_of_halves_do_not_overflow():
    for t in BOTH:
        x = (t.arange(40000.0).reshape(2, 1, 20000) % 7 * 100).half()
        layer = t.nn.BatchNorm1d(1).half()
        assert not layer(x).isinf().any() and layer.running_var.isfinite().all()


def test_results_lie_as_what_is_normalised():
    def run(t: Any) -> Any:
        x = t.arange(6.0).reshape(1, 3, 2, 1).permute(0, 2, 1, 3).requires_grad_()
        found = []
        for layer, training in product((t.nn.BatchNorm2d, t.nn.SyncBatchNorm), (True, False)):
            out = layer(2).train(training)(x)
            for grad in (t.ones(()).expand(1, 2, 3, 1), t.ones(1, 2, 3, 1), t.ones_like(out)):
                (of_x,) = t.autograd.grad(out, x, grad, retain_graph=True)
                found.append((out.stride(), of_x.stride()))
        return found

    same(run)


def test_running_statistics_have_no_tangents():
    def run(t: Any, at: tuple[int, ...], training: bool, of: str) -> Any:
        given = [t.linspace(0, 1, 30).reshape(3, 2, 5), t.zeros(2), t.ones(2), t.ones(2)]
        dual = part(t, "autograd.forward_ad")
        with dual.dual_level():
            for i in at:
                given[i] = dual.make_dual(given[i], t.ones_like(given[i]))
            x, mean, var, weight = given
            how = {"training": training} if of == "batch_norm" else {"use_input_stats": training}
            getattr(t.nn.functional, of)(x, mean, var, weight=weight, **how)

    for at, training, of in product(
        ((0,), (1,), (1, 2), (0, 1), (0, 2), (3,), (3, 1)),
        (True, False),
        ("batch_norm", "instance_norm"),
    ):
        mine, its = (outcome(lambda t: run(t, at, training, of), t)[0] for t in BOTH)
        assert mine == its, (at, training, of)
