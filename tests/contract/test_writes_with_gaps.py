"""Ufuncs that write into a window with gaps between its elements, in place and with ``out=``."""

from __future__ import annotations

import mindtorch
import numpy as np
import pytest
import torch
from mindtorch.call.row import ROWS

from .helpers import differences
from .rows import NAMES

#: Rows of which all that runs is a ufunc of one or two tensors.
UFUNCS = [n for n in NAMES if type(ROWS[n].ufunc) is np.ufunc and ROWS[n].module == ""]
#: Gaps in numbers of elements: numpy's loops are others for those of some widths in bytes.
GAPS = (2, 3, 4, 8)


def window(t, dtype, gap, first):
    """A column of a matrix of *gap* columns, and what lies beside it."""
    whole = (t.arange(9 * gap) + first).to(getattr(t, dtype)).reshape(9, gap) / 4
    whole = whole.to(getattr(t, dtype))
    return whole, whole[:, 1]


def changed(t, name, dtype, gap, form):
    """The matrix after the row has written into its column, or the error."""
    for _ in range(6):  # known calls come after the first ones
        whole, column = window(t, dtype, gap, 1)
        operands = [window(t, dtype, gap, 2)[1] for _ in range(ROWS[name].ufunc.nin - 1)]
        try:
            if form == "in place":
                getattr(column, f"{ROWS[name].base}_")(*operands)
            else:
                if form == "out of its own":
                    whole = column = t.empty_strided((9,), (gap,), dtype=getattr(t, dtype))
                other = t.empty_strided((9,), (gap,), dtype=getattr(t, dtype))
                other.copy_(window(t, dtype, gap, 3)[1])
                getattr(t, ROWS[name].base)(other, *operands, out=column)
        except (AttributeError, TypeError, RuntimeError) as e:
            return type(e).__name__
    return whole


@pytest.mark.parametrize("name", UFUNCS)
@pytest.mark.parametrize("form", ["in place", "out", "out of its own"])
def test_only_the_window_is_written_with_the_oracles_numbers(name, form):
    """Whatever the gap, the elements of the window get what the oracle gives them."""
    lines = []
    for dtype in ("float32", "float64", "int32", "int64"):
        for gap in GAPS:
            with np.errstate(all="ignore"):
                got = changed(mindtorch, name, dtype, gap, form)
            want = changed(torch, name, dtype, gap, form)
            both = isinstance(got, str) or isinstance(want, str)
            found = [f"{got!r} for {want!r}"] if both and got != want else []
            found = found if both else differences(got, want, rtol=1e-5, atol=1e-7)
            lines += [f"{dtype}, every {gap}th: {d}" for d in found]
    assert not lines, "\n".join(lines)
