"""Gradients of pooling: torch refuses those that do not fit the result, in the same words."""

import importlib

import pytest
import torch

ours = importlib.import_module("mindtorch")


def gradient(t, name, n, batch, shape):
    """The shape of the gradient of windows of 2 in a cube of 4 with 3 channels, or the error."""
    x, g = t.ones((*batch, 3, *(4,) * n)), t.ones(shape)
    at = [[2] * n, [2] * n, [0] * n]
    try:
        if name == "avg":
            op = getattr(t.ops.aten, f"avg_pool{n}d_backward")
            return tuple(op(g, x, *at, False, True, None).shape)
        op = getattr(t.ops.aten, f"max_pool{n}d_with_indices_backward")
        places = t.zeros((*batch, 3, *(2,) * n), dtype=t.int64)
        return tuple(op(g, x, *at, [1] * n, False, places).shape)
    except (RuntimeError, IndexError) as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("batch", [(), (2,)], ids=["image", "batch"])
@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("name", ["avg", "max"])
def test_a_gradient_of_another_shape_than_the_result_is_refused(name, n, batch):
    two, three = (2,) * n, (3,) * n
    cubes = [two, three, (1, *two[1:]), (*two[1:], 1), two[1:], (*two, 2)]
    shapes = [(*b, c, *cube) for b in ((), (2,), (2, 1)) for c in (3, 2, 1) for cube in cubes]
    for shape in [*shapes, (2,), ()]:
        args = (name, n, batch, shape)
        assert gradient(ours, *args) == gradient(torch, *args), args
