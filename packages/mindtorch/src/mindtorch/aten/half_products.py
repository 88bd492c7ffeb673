"""Products of float16 and bfloat16, rounded after each step in the order of torch's kernel.

Source: torch aten/src/ATen/native/cpu/Reduce.h, vectorized_inner_reduction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["product"]

#: Halves in one register of the vector kernel, which takes four registers at a time.
_LANES = 16


def product(a: Any, axis: int | None) -> Any:
    """The product over *axis*, or over everything, in the dtype of *a*."""
    if axis is None:
        return _inner(a.reshape(1, -1)).reshape(())
    if axis != a.ndim - 1:
        return np.asarray(np.multiply.reduce(a, axis))
    return _inner(a.reshape(-1, a.shape[-1])).reshape(a.shape[:-1]) if a.size else _ones(a)


def _ones(a: Any) -> Any:
    return np.ones(a.shape[:-1], a.dtype)


def _in_turn(rows: Any) -> Any:
    """The product of each row, element by element.

    Over a first axis numpy rounds after each step; over a last one it keeps single precision.
    """
    if not rows.shape[1]:
        return _ones(rows)
    columns = np.ascontiguousarray(np.concatenate([rows, rows]).T)  # never just one
    return np.multiply.reduce(columns, 0)[: len(rows)]


def _inner(rows: Any) -> Any:
    m, n = rows.shape
    width = 4 * _LANES
    blocks = n // width
    if not blocks:
        return _in_turn(rows)
    lanes = rows[:, :width]
    if blocks > 1:
        lanes = np.multiply.reduce(rows[:, : blocks * width].reshape(m, blocks, width), 1)
    lanes = lanes.reshape(m, 4, _LANES)
    one = (lanes[:, 0] * lanes[:, 1]) * (lanes[:, 2] * lanes[:, 3])
    head = _in_turn(one)[:, None]
    return _in_turn(np.concatenate([head, rows[:, blocks * width :]], 1))
