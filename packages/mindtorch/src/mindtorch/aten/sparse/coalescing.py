"""Sorting coordinates, and adding up the elements of equal ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...call.row import op
from ...core.constants import sparse_coo
from ...core.half_precision import widened
from ...core.layout_names import layout_name
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.sparse_content import become
from .parts import COO, array, coo_tensor, flat_indices

__all__ = ["coalesced", "segment_sums", "sorted_anew"]


def segment_sums(values: np.ndarray[Any, Any], starts: np.ndarray[Any, Any]) -> Any:
    """The sums of runs of *values* along the first dimension, which begin at *starts*."""
    if not len(starts):
        return values[:0]
    wide = widened(values)
    with np.errstate(all="ignore"):
        return np.add.reduceat(wide, starts, 0).astype(values.dtype, copy=False)


def coalesced(t: Tensor) -> Tensor:
    """A COO tensor with sorted coordinates of which no two are equal; itself if it is one."""
    return t if t._content_.coalesced else sorted_anew(t)


def sorted_anew(t: Tensor) -> Tensor:
    """The same with sorted coordinates and sums; the coordinates are looked at in any case."""
    content = t._content_
    flat, values = flat_indices(t), array(content.values)
    order = np.argsort(flat, kind="stable")
    flat = flat[order]
    first = np.ones(len(flat), np.bool_)
    np.not_equal(flat[1:], flat[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    values = values.take(order, 0)
    if len(starts) < len(flat):
        values = segment_sums(values, starts)
    indices = array(content.indices).take(order[starts], 1)
    return coo_tensor(indices, values, t._a_.shape, True)


def _coalesce(self: Tensor) -> Tensor:
    if self.layout is not sparse_coo:
        raise RuntimeError(
            f"coalesce expected sparse coordinate tensor layout but got {layout_name(self.layout)}"
        )
    return self if self._content_.coalesced else ops._coalesce(self)


op(
    "coalesce(Tensor(a) self) -> Tensor(a)",
    says="""Return a COO tensor with sorted coordinates; elements of equal ones are added up.
    A tensor that is coalesced comes back itself.

    >>> torch.sparse_coo_tensor([[1, 0, 1]], [1., 2., 3.]).coalesce().values()
    tensor([2., 4.])
    """,
    composite=_coalesce,
    variants="method",
    samples="coalesce",
)
op(
    "_coalesce(Tensor self) -> Tensor",
    variants="function",
    grad={"self": lambda g, c: g},
    samples="repeated_operand",
)
COO.register("_coalesce", sorted_anew)


def _is_coalesced(self: Tensor) -> bool:
    raise RuntimeError(
        f"is_coalesced expected sparse coordinate tensor layout but got {layout_name(self.layout)}"
    )


op(
    "is_coalesced(Tensor self) -> bool",
    says="Return whether the coordinates of a COO tensor are known to be sorted and unique.",
    composite=_is_coalesced,
    kinds={"functional": "explicit"},
    variants="method",
    samples="coo_operand",
)
COO.register("is_coalesced", lambda self: self._content_.coalesced)

op(
    "_coalesced_(Tensor(a!) self, bool coalesced) -> Tensor(a!)",
    variants="method",
    samples="mark_coalesced",
)


@COO("_coalesced_")
def _mark(self: Tensor, coalesced: bool) -> Tensor:
    return become(self, self._content_._replace(coalesced=coalesced), self._a_.shape)
