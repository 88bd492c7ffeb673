"""Indices, views and scattering in corners: sizes of one and of nothing, too few indices."""

import pytest
import torch

from tests.contract.both_frameworks import ours, outcome, same
from tests.contract.helpers import assert_same_value, both

BASES = [
    "t.arange(10.).as_strided((2, 5), (1, 2))",
    "t.arange(24.).view(2, 3, 4).permute(2, 1, 0)",
    "t.arange(24.).view(2, 3, 4).permute(1, 2, 0)[:1]",
    "t.ones(1).expand(4)",
    "t.ones(1, 3).expand(2, 3)",
    "t.ones(1, 1).expand(3, 2)",
    "t.arange(3.)",
]
SUBSCRIPTS = [
    "True, slice(-2, 2, 2)", "slice(0, 1), True", "slice(0, 1), 0, t.tensor(True)",
    "t.tensor(True)", "slice(0, 2), True, True", "True, slice(0, 1), slice(0, 1)", "slice(1, 1)",
    "slice(9, 2)", "slice(1, 1), -1", "slice(0, 0), None", "t.tensor([0])",
    "slice(0, 1), t.tensor([[1], [0]])",
    "None, t.tensor([0]), slice(0, 1)", "t.tensor([], dtype=t.int64)", "False",
]  # fmt: skip


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("subscript", SUBSCRIPTS)
def test_parts_lie_as_the_oracles_do(base, subscript):
    def program(t):
        x = eval(base, {"t": t})
        part = x[eval(f"({subscript},)", {"t": t})]
        return part.shape, part.stride(), part.storage_offset(), part.tolist()

    same(program)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize(
    "view", ["narrow(0, 0, 0)", "split(1)[0]", "unfold(0, 1, 5)", "chunk(2)[-1]", "flip(0)"]
)
def test_views_lie_as_the_oracles_do(base, view):
    def program(t):
        part = eval(f"x.{view}", {"x": eval(base, {"t": t})})
        return part.shape, part.stride(), part.storage_offset()

    same(program)


SCATTERING = [
    f"x.{call.format('t.tensor([1, 1])', 's')}"
    for call in ("scatter(0, {}, {})", "scatter_add(0, {}, {})", "clone().scatter_add_(0, {}, {})")
] + [
    f"x.scatter_reduce(0, t.tensor([1, 1]), s, '{how}', include_self={whole})"
    for how in ("sum", "mean")
    for whole in (True, False)
]


@pytest.mark.parametrize("call", SCATTERING)
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("watched", [True, False])
def test_sources_that_are_not_all_scattered_have_no_gradient(call, size, watched):
    def program(t):
        x, s = t.zeros(3, requires_grad=watched), t.ones(size, requires_grad=True)
        eval(call, {"t": t, "x": x, "s": s}).sum().backward()
        return s.grad, x.grad

    same(program)


CALLS = [
    *(
        f"t.zeros({shape}).index_reduce(0, t.tensor([0, 4]), t.ones((2, *{shape[1:]})), '{how}',"
        f" include_self={whole})"
        for shape in ((2, 3), (3,))
        for how in ("amin", "mean", "prod")
        for whole in (True, False)
    ),
    *(f"t.ones(2, 3).repeat_interleave(t.tensor([1, 2]), {dim})" for dim in (-1, 1, 0, -2)),
    *(f"t.tensor(True).take_along_dim(t.tensor(0), {dim})" for dim in (0, -1, 1, None)),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_place_is_refused(call):
    # Not their warnings: that of index_reduce names a C++ file.
    got, want = (outcome(lambda t: eval(call, {"t": t}), t)[0] for t in (ours, torch))
    assert got == want


@pytest.mark.parametrize("shape", [(2, 1, 3), (1, 4, 1), (2, 0, 3)])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
def test_a_copy_keeps_the_strides_of_sizes_of_one(shape, order):
    def program(t):
        x = t.ones(shape).permute(order)
        first = t.tensor([0] if x.shape[0] else [], dtype=t.int64)
        copies = x.clone(), x.double(), t.empty_like(x), x + 1, x[first], x.index_select(0, first)
        return [c.stride() for c in copies]

    assert_same_value(*both(program))
