"""Distinct elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindtorch.aten.derivatives import no_formula_for
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
    starts[1:] = different if different.ndim == 1 else different.reshape(len(different), -1).any(1)
    return starts


def _lengths(starts: Any) -> Any:
    """How long the runs are that begin there."""
    begins = np.append(starts.nonzero()[0], len(starts))
    return begins[1:] - begins[:-1]


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
    inverse = none
    if return_inverse:
        inverse = np.empty(flat.size, np.int64)
        inverse[order] = np.add.accumulate(starts, dtype=np.int64) - 1
        inverse = inverse.reshape(shape)
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
    tags=("data_dependent_output", "not_on_meta"),
    tangent="not implemented",
)


op(
    "_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)",
    kernel=lambda self, sorted, return_inverse: _unique(self, sorted, return_inverse, False)[:2],
    half=False,
    variants="function",
    grad=no_formula_for("_unique", "self"),
    samples="unique_inverse",
    tags=("data_dependent_output", "not_on_meta"),
    tangent="not implemented",
)


def _outermost(a: Any, dim: int) -> Any:
    """A copy in which *dim* is the slowest in memory, as torch lays out its unique rows."""
    return np.moveaxis(np.moveaxis(a, dim, 0).copy("C"), 0, dim)


def _unique_dim(
    self: Any, dim: int, sorted: bool, return_inverse: bool, return_counts: bool
) -> tuple[Any, Any, Any]:
    if not self.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    d = wrap_dim(dim, self.ndim)
    if not self.size and self.shape.count(0) > 1:
        raise RuntimeError(
            "Number of zero sized dimensions is more than one, so unique cannot be applied "
        )
    _refuse_complex(self, "unique_dim")
    none = np.empty(0, np.int64)
    if not self.size:
        return self.copy("C"), none, none.copy()
    values, inverse, counts = np.unique(
        _sortable(self), return_inverse=True, return_counts=True, axis=d
    )
    return (
        _outermost(values.astype(self.dtype), d),
        inverse.reshape(-1).astype(np.int64) if return_inverse else none,
        counts.astype(np.int64) if return_counts else none.copy(),
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
    tags=("data_dependent_output", "not_on_meta"),
    tangent="not implemented",
)


def _unique_consecutive(
    self: Any, return_inverse: bool, return_counts: bool, dim: int | None
) -> tuple[Any, Any, Any]:
    _refuse_complex(self, "unique" if dim is None else "unique_dim")
    rows = self.reshape(-1) if dim is None else np.moveaxis(self, wrap_dim(dim, self.ndim), 0)
    none = np.empty(0, np.int64)
    n = len(rows)
    starts = _starts(rows)
    kept = np.array(rows[starts], order="C")
    if dim is not None:
        kept = np.moveaxis(kept, 0, dim)
    shape = self.shape if dim is None else (n,)
    inverse = none
    if return_inverse:
        inverse = (np.add.accumulate(starts, dtype=np.int64) - 1).reshape(shape)
    return kept, inverse, _lengths(starts) if return_counts else none.copy()


op(
    "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, "
    "int? dim=None) -> (Tensor, Tensor, Tensor)",
    says="Drop repetitions that follow each other.",
    kernel=_unique_consecutive,
    half=False,
    grad=no_formula_for("unique_consecutive", "self"),
    samples="unique_consecutive",
    tags=("data_dependent_output", "not_on_meta"),
    tangent="not implemented",
)
