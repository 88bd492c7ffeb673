"""Shape and stride arithmetic, against numpy and by its own rules."""

from __future__ import annotations

import numpy as np
import pytest
from mindtorch_storage import layout, output_layout

SHAPES = [(), (3,), (0,), (2, 3), (2, 0, 3), (1, 4, 1), (2, 3, 4, 5)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_contiguous_strides_are_numpys(shape):
    """Where nothing is empty, torch and numpy agree."""
    strides = layout.contiguous_strides(shape)
    assert layout.is_contiguous(shape, strides)
    if 0 not in shape:
        assert strides == tuple(s // 8 for s in np.empty(shape).strides)


def test_an_empty_dimension_counts_as_one_in_strides():
    """torch's rule; numpy's differs."""
    assert layout.contiguous_strides((2, 0, 3)) == (3, 3, 1)


def test_broadcast_agrees_with_numpy():
    """Every pair of shapes gives numpy's shape, or both refuse."""
    shapes = [*SHAPES, (1,), (3, 1), (4, 1, 3), (5, 1, 1, 1)]
    for a in shapes:
        for b in shapes:
            try:
                want = np.broadcast_shapes(a, b)
            except ValueError:
                with pytest.raises(RuntimeError, match="must match the size of tensor b"):
                    layout.broadcast_shapes(a, b)
            else:
                assert layout.broadcast_shapes(a, b) == want


@pytest.mark.parametrize(
    "shape, numel, result",
    [
        ((-1,), 6, (6,)),
        ((2, -1), 6, (2, 3)),
        ((3, 2), 6, (3, 2)),
        ((-1, 3), 0, (0, 3)),
        ((), 1, ()),
    ],
)
def test_infer_size_fills_the_gap(shape, numel, result):
    """The one -1 becomes what is missing."""
    assert layout.infer_size(shape, numel) == result


def test_view_needs_runs_that_tile_exactly():
    """A transposed matrix has no flat view; splitting its dimensions is fine."""
    assert layout.view_strides((2, 3), (1, 2), (6,)) is None
    assert layout.view_strides((4, 3), (1, 4), (2, 2, 3)) == (2, 1, 4)
    assert layout.view_strides((2, 3), (3, 1), (6,)) == (1,)


def test_view_strides_reach_the_same_elements():
    """Reading through the new strides gives the elements in the old order."""
    base = np.arange(240)
    old_shape, old_strides = (3, 4, 5), (80, 10, 2)
    step = base.itemsize
    old = np.lib.stride_tricks.as_strided(base, old_shape, [s * step for s in old_strides])
    for new_shape in [(12, 5), (3, 20), (3, 2, 2, 5), (60,), (1, 3, 4, 5, 1), (6, 2, 5)]:
        strides = layout.view_strides(old_shape, old_strides, new_shape)
        if strides is None:
            continue
        new = np.lib.stride_tricks.as_strided(base, new_shape, [s * step for s in strides])
        assert (new.ravel() == old.ravel()).all()


def test_wrap_dim_counts_from_either_end():
    """A scalar has one dimension, unless it must not."""
    assert [layout.wrap_dim(d, 3) for d in (-3, -1, 0, 2)] == [0, 2, 0, 2]
    assert layout.wrap_dim(-1, 0) == 0
    with pytest.raises(IndexError, match=r"in range of \[-1, 0\], but got 2"):
        layout.wrap_dim(2, 0)
    with pytest.raises(IndexError, match="Dimension specified as 0 but tensor has no dimensions"):
        layout.wrap_dim(0, 0, wrap_scalar=False)


def test_elementwise_output_keeps_a_common_permutation():
    """The sum of two transposed matrices is transposed."""
    transposed = ((2, 3), (1, 2))
    assert output_layout.elementwise_strides((2, 3), [transposed, transposed]) == (1, 2)
    assert output_layout.elementwise_strides((2, 3), [transposed, ((3,), (1,))]) == (1, 2)
    assert output_layout.elementwise_strides((2, 3), [((2, 3), (3, 1)), transposed]) == (3, 1)


def test_storage_bytes_reach_to_the_last_element():
    """Offset and strides count; an empty tensor needs nothing."""
    assert layout.storage_nbytes_needed((2, 3), (3, 1), 0, 4) == 24
    assert layout.storage_nbytes_needed((2, 3), (10, 2), 5, 4) == 80
    assert layout.storage_nbytes_needed((2, 0), (10, 2), 5, 4) == 0
    with pytest.raises(RuntimeError, match="Storage size calculation overflowed"):
        layout.storage_nbytes_needed((2**40, 2**40), (2**40, 1), 0, 4)
