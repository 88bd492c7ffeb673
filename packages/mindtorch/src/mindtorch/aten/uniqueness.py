"""Distinct elements."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from mindtorch.aten.derivatives import no_formula_for
from mindtorch.call.forms import OutForm
from mindtorch.call.row import op
from mindtorch.core.dims import wrap_dim

__all__: list[str] = []


def _refuse_complex(a: Any, kernel: str = "unique") -> None:
    if a.dtype.kind == "c":
        name = "ComplexFloat" if a.dtype.char == "F" else "ComplexDouble"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def _sortable(a: Any) -> Any:
    return a.astype(np.float32) if a.dtype.itemsize == 2 and a.dtype.kind in "fV" else a


def _starts(rows: Any) -> Any:
    """Which of the rows differ from the one before them."""
    starts = np.empty(len(rows), bool)
    starts[:1] = True
    different = rows[1:] != rows[:-1]
    starts[1:] = different if rows.ndim == 1 else different.any(tuple(range(1, rows.ndim)))
    return starts


def _lengths(starts: Any) -> Any:
    """How long the runs are that begin there."""
    begins = starts.nonzero()[0]
    lengths = np.empty_like(begins)
    np.subtract(begins[1:], begins[:-1], lengths[:-1])
    lengths[-1:] = len(starts) - begins[-1:]
    return lengths


def _unique(
    self: Any, sorted: bool, return_inverse: bool, return_counts: bool
) -> tuple[Any, Any, Any]:
    _refuse_complex(self)
    none, shape = np.empty(0, np.int64), self.shape
    flat = _sortable(self).flatten()
    if return_inverse:
        order = flat.argsort(kind="stable")
        flat = flat[order]
    else:
        flat.sort()
    starts = _starts(flat)
    inverse = _inverse(order, starts).reshape(shape) if return_inverse else none
    counts = _lengths(starts) if return_counts else none.copy()
    return flat[starts].astype(self.dtype, copy=False), inverse, counts


op(
    "_unique2(Tensor self, bool sorted=True, bool return_inverse=False, "
    "bool return_counts=False) -> (Tensor, Tensor, Tensor)",
    kernel=_unique,
    half=False,
    variants="function",
    grad=no_formula_for("_unique2", "self"),
    samples="unique",
    tags=("symbols: unique2", "data_dependent_output", "not_on_meta"),
    tangent="not implemented",
)


op(
    "_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)",
    kernel=lambda self, sorted, return_inverse: _unique(self, sorted, return_inverse, False)[:2],
    half=False,
    variants="function",
    grad=no_formula_for("_unique", "self"),
    samples="unique_inverse",
    tags=("symbols: unique", "data_dependent_output", "not_on_meta", "loops: functional"),
    tangent="not implemented",
)


def _moved(a: Any, source: int, target: int) -> Any:
    """*a* with one dim elsewhere among the others."""
    if source == target:
        return a
    order = [d for d in range(a.ndim) if d != source]
    order.insert(target, source)
    return a.transpose(order)


@lru_cache(64)
def _of_rows(dtype: Any, width: int) -> Any:
    """A dtype of whole rows, which are compared number by number."""
    return np.dtype([("", dtype)] * width)


def _inverse(order: Any, starts: Any) -> Any:
    """The run of each of the elements that are in *order* in these runs."""
    inverse = np.empty(len(starts), np.int64)
    inverse[order] = np.add.accumulate(starts, dtype=np.int64) - 1
    return inverse


def _wrapped(a: Any, dim: int) -> int:
    """The *dim* of slices of *a*, which may be none, but not empty.

    Source: torch aten/src/ATen/native/Unique.cpp, _unique_dim_cpu_template.
    """
    if not a.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    d: int = wrap_dim(dim, a.ndim)
    if not a.size and a.shape[d]:
        raise RuntimeError(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
        )
    if a.shape.count(0) > 1:
        raise RuntimeError(
            "Number of zero sized dimensions is more than one, so unique cannot be applied "
        )
    return d


def _unique_dim(
    self: Any, dim: int, sorted: bool, return_inverse: bool, return_counts: bool
) -> tuple[Any, Any, Any]:
    d = _wrapped(self, dim)
    _refuse_complex(self, "unique_dim")
    none = np.empty(0, np.int64)
    if not self.size:
        return self.copy("C"), none, none.copy()
    outer = _moved(_sortable(self), d, 0)
    n = len(outer)
    rows = np.ascontiguousarray(outer).reshape(n, -1)
    order = rows.view(_of_rows(rows.dtype, rows.shape[1])).reshape(n).argsort()
    rows = rows.take(order, 0)
    starts = _starts(rows)
    kept = rows[starts].astype(self.dtype, copy=False)
    # The dim is the slowest in memory, as torch lays out its unique rows.
    return (
        _moved(kept.reshape(-1, *outer.shape[1:]), 0, d),
        _inverse(order, starts) if return_inverse else none,
        _lengths(starts) if return_counts else none.copy(),
    )


op(
    "unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, "
    "bool return_counts=False) -> (Tensor, Tensor, Tensor)",
    says="Return the distinct slices along a dimension, the place of each slice among "
    "them, and counts.",
    kernel=_unique_dim,
    half=False,
    variants="",
    grad=no_formula_for("unique_dim", "self"),
    samples="unique_dim",
    tags=("symbols: unique_dim", "data_dependent_output", "not_on_meta"),
    tangent="not implemented",
)


def _unique_consecutive(
    self: Any, return_inverse: bool, return_counts: bool, dim: int | None
) -> tuple[Any, Any, Any]:
    _refuse_complex(self, "unique" if dim is None else "unique_dim")
    d = 0 if dim is None else _wrapped(self, dim)
    rows = self.reshape(-1) if dim is None else _moved(self, d, 0)
    none = np.empty(0, np.int64)
    n = len(rows)
    starts = _starts(rows)
    kept = _moved(np.array(rows[starts], order="C"), 0, d)
    shape = self.shape if dim is None else (n,)
    inverse = none
    if return_inverse:
        inverse = (np.add.accumulate(starts, dtype=np.int64) - 1).reshape(shape)
    return kept, inverse, _lengths(starts) if return_counts else none.copy()


op(
    "unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, "
    "bool return_counts=False) -> (Tensor, Tensor, Tensor)",
    says="Drop slices that repeat the one before them.",
    kernel=lambda self, dim, *_: _unique_consecutive(self, True, True, dim),
    half=False,
    variants="",
    out=OutForm(function=False),
    grad=no_formula_for("unique_dim_consecutive", "self"),
    samples="unique_dim_consecutive",
    tags=("data_dependent_output", "not_on_meta"),
    tangent="not implemented",
)
op(
    "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, "
    "int? dim=None) -> (Tensor, Tensor, Tensor)",
    says="Drop repetitions that follow each other.",
    kernel=_unique_consecutive,
    half=False,
    grad=no_formula_for("unique_consecutive", "self"),
    samples="unique_consecutive",
    tags=("symbols: unique_consecutive", "data_dependent_output", "not_on_meta"),
    tangent="not implemented",
)
