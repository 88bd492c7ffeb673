"""What kernels cost, in bytes that pass through memory in the same time; roughly."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from .plan import Plan

__all__ = ["cost_of"]

#: Multiply and add of so many pairs of numbers take the time of a byte. Products of matrices count
#: a quarter: to hand one over costs another pass over a large result.
_PER_BYTE = 10
_PRODUCT_PER_BYTE = 40
#: One pass over memory costs what the memory costs.
_CHEAP = {np.add, np.subtract, np.multiply, np.minimum, np.maximum, np.negative, np.absolute}
_CHEAP |= {np.positive, np.divide, np.equal, np.less, np.greater, np.square, np.sqrt}
#: An element of other kernels costs more than to read it.
_WEIGHT = 8


def cost_of(plan: Plan, values: Sequence[Any], results: Sequence[Any]) -> int:
    """Of *plan*'s kernel for these arguments; *results* are arrays, or layouts of them."""
    nbytes = sum([v.nbytes for v in values if isinstance(v, np.ndarray)])
    for i in plan.lists:
        nbytes += sum([v.nbytes for v in values[i] or () if v is not None])
    nbytes += sum([layout.nbytes for layout in results])
    row = plan.row
    if "product" in row.tags:
        first = values[row.base.startswith("add")]  # behind what is added to the product
        length = first.shape[-1] if first.ndim else 1
        size = prod(results[0].shape)
        return max(nbytes, 2 * size * length // _PRODUCT_PER_BYTE)
    if "convolution" in row.base or "conv" in row.base:
        kernel = values[1].size if isinstance(values[1], np.ndarray) else 1
        return nbytes + 2 * kernel * results[0].nbytes // _PER_BYTE
    if "moves" in row.tags:
        return 2 * nbytes
    if row.ufunc in _CHEAP:
        return nbytes if plan.takes_arrays else 3 * nbytes  # once more to cast
    return nbytes * _WEIGHT
