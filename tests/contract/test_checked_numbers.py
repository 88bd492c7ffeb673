"""Numbers that must be in a range, or not zero, as compilers state it."""

from __future__ import annotations

import pytest

from tests.contract.both_frameworks import same


@pytest.mark.parametrize("size", [5, 5.5, True, -5, 5j, 5 + 0j, float("inf"), float("nan")])
@pytest.mark.parametrize("bounds", [(None, None), (6, None), (5, 5), (7, 6), (-7, 3), (-9, 2)])
@pytest.mark.parametrize("name", ["sym_constrain_range", "sym_constrain_range_for_size"])
def test_a_number_is_in_its_range(name, bounds, size):
    """The whole part of it."""
    low, high = bounds
    same(lambda t: getattr(t, name)(size, min=low, max=high))
    same(lambda t: getattr(t.ops.aten, name)(size, min=low, max=high))


@pytest.mark.parametrize(
    "program",
    [
        lambda t: t._assert_scalar(1, "unseen"),
        lambda t: t._assert_scalar(0, "told"),
        lambda t: t._assert_scalar(0.0, ""),
        lambda t: t._assert_scalar(False, "told"),
        lambda t: t._assert_scalar(t.ones(2), "told"),
        lambda t: t._assert_scalar(1),
        lambda t: t.ops.aten._assert_scalar(0, "told"),
        lambda t: t.ops.aten._assert_scalar.default(2, "unseen"),
        lambda t: t.sym_constrain_range("a"),
        lambda t: t.sym_constrain_range(t.tensor(3), min=7),
        lambda t: t._print(3),
    ],
)
def test_other_numbers(program):
    """Zero is refused, and so is what is no number."""
    same(program)


@pytest.mark.parametrize("through", ["function", "operator"])
def test_a_text_is_written_out(through, capfd):
    """To standard output, a line."""

    def run(t):
        (t._print if through == "function" else t.ops.aten._print)("some text")

    import mindtorch
    import torch

    for home in (mindtorch, torch):
        run(home)
    assert capfd.readouterr().out == "some text\n" * 2
