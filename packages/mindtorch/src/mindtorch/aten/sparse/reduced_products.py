"""Products with a dense matrix whose terms are reduced another way: neighbours in a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_autograd import is_grad_enabled

from ...call.row import op
from ...core import signature as S
from ...core.constants import sparse_csr
from ...core.dims import expect_sizes, scalar_name
from ...core.half_precision import widened
from ...core.layout_names import layout_name
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.legacy import type_name
from .compressing import lines_of
from .parts import COMPRESSED, array, is_sparse, with_values
from .row_matrices import by_rows, dense_of_array

__all__: list[str] = []

op(
    "_sparse_mm.reduce(Tensor sparse, Tensor dense, str reduce) -> Tensor",
    composite=lambda sparse, dense, reduce: ops._sparse_mm_reduce_impl(sparse, dense, reduce)[0],
    module="sparse",
    variants="function",
    samples="sparse_mm_reduce",
)


def _reduce_grads(g: Any, c: Any) -> Any:
    return ops._sparse_mm_reduce_impl_backward(c.self, g[0], c.other, c.reduce, c.result1, c.mask)


op(
    "_sparse_mm_reduce_impl(Tensor self, Tensor other, str reduce) -> (Tensor, Tensor)",
    module="sparse",
    variants="function",
    grad={"self, other": _reduce_grads},
    tags=("one_gradient",),
    samples="sparse_mm_reduce",
)
op(
    "_sparse_mm_reduce_impl_backward(Tensor self, Tensor grad_out, Tensor weight, str reduce, "
    "Tensor arg_out, bool[2] output_mask) -> (Tensor, Tensor)",
    variants="",
    samples="sparse_mm_reduce_backward",
)


def _check(self: Tensor, other: Tensor, reduce: str) -> None:
    """Refuse layouts, sizes, dtypes and reductions that there are none of. Raises RuntimeError."""
    if self.layout is not sparse_csr:
        raise RuntimeError(
            f"sparse_mm_reduce: expect self to be SparseCsr, got {layout_name(self.layout)}"
        )
    if self._a_.ndim != 2:
        raise RuntimeError(
            f"sparse_mm_reduce: expected self to be a 2-D tensor, got {self._a_.ndim}-D tensor."
        )
    checking = "(while checking arguments for sparse_mm_reduce)"
    if is_sparse(other):
        raise RuntimeError(
            "Expected tensor to have Strided Layout, but got tensor with "
            f"{layout_name(other.layout)} Layout {checking}"
        )
    expect_sizes(other, 2, 0, self._a_.shape[1:])
    if other.dtype is not self.dtype:
        raise RuntimeError(
            "Expected tensor for argument #1 'other' to have scalar type "
            f"{scalar_name(self.dtype)}; but got {type_name(other)} instead {checking}"
        )
    if reduce == "prod":
        raise RuntimeError("sparse_mm_reduce: reduce type of prod has not been enabled.")
    if reduce not in ("sum", "mean", "amax", "amin"):
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )


@COMPRESSED("_sparse_mm_reduce_impl")
def _mm_reduce(self: Tensor, other: Tensor, reduce: str) -> tuple[Tensor, Tensor]:
    """The product with a reduction of its terms: ``sum``, ``mean``, ``amax``, ``amin``."""
    reduce = {"max": "amax", "min": "amin"}.get(reduce, reduce)
    _check(self, other, reduce)
    rows = by_rows(self)
    lines, terms = lines_of(rows.starts), rows.values[:, None] * widened(array(other))[rows.columns]
    shape = rows.shape[0], other._a_.shape[1]
    out = np.zeros(shape, terms.dtype)
    # Which term it was, for the gradient.
    recorded = (self._sig_ | other._sig_) & S.REQUIRES_GRAD and is_grad_enabled()
    kept = shape if recorded and reduce in ("amax", "amin") else (0,)
    arg = np.full(kept, len(terms), np.int64)
    if reduce in ("sum", "mean"):
        np.add.at(out, lines, terms)
        if reduce == "mean":
            out /= np.maximum(np.diff(rows.starts), 1)[:, None]
    else:
        pick = np.argmax if reduce == "amax" else np.argmin
        for line in range(shape[0]):
            part = terms[rows.starts[line] : rows.starts[line + 1]]
            if len(part):
                at = pick(part, 0)
                out[line] = part[at, np.arange(shape[1])]
                if recorded:
                    arg[line] = rows.starts[line] + at
    return dense_of_array(out, self.dtype), wrap(arg)


@COMPRESSED("_sparse_mm_reduce_impl_backward")
def _mm_reduce_backward(
    self: Tensor, grad_out: Tensor, weight: Tensor, reduce: str, arg_out: Tensor,
    output_mask: Sequence[bool],
) -> tuple[Any, Any]:  # fmt: skip
    rows, g, dense = by_rows(self), widened(array(grad_out)), widened(array(weight))
    lines = lines_of(rows.starts)
    if reduce in ("amax", "amin"):
        at = array(arg_out)
        share = np.zeros((len(lines), dense.shape[1]), g.dtype)
        line, column = np.nonzero(at < len(lines))
        share[at[line, column], column] = g[line, column]
    else:
        share = g[lines]
        if reduce == "mean":
            share = share / np.maximum(np.diff(rows.starts), 1)[lines][:, None]
    values = (share * dense[rows.columns]).sum(1)
    other = np.zeros(dense.shape, g.dtype)
    np.add.at(other, rows.columns, rows.values[:, None] * share)
    made = with_values(self, values.astype(self._a_.dtype, copy=False))
    return (
        made if output_mask[0] else None,
        dense_of_array(other, weight.dtype) if output_mask[1] else None,
    )
