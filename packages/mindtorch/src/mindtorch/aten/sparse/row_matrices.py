"""Sparse matrices by rows, as arrays, and their products by the compiled functions of scipy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core import constants
from ...core.half_precision import widened
from ...core.scipy_extensions import extension
from ...tensor import Tensor
from ...tensor.construction import wrap
from .compressing import compress, coo_coordinates, lines_of, to_coo
from .parts import array, coo_tensor

__all__ = [
    "Rows",
    "by_rows",
    "coo_of_rows",
    "csr_of_rows",
    "dense_of_array",
    "times_dense",
    "times_sparse",
]

Array = np.ndarray[Any, Any]


class Rows(NamedTuple):
    """A sparse matrix in the form that scipy's functions take."""

    shape: tuple[int, int]
    starts: Array
    columns: Array
    values: Array


def by_rows(t: Tensor) -> Rows:
    """A sparse matrix by rows; float16 and bfloat16 in float32."""
    if t.layout is not constants.sparse_csr:
        t = compress(t if t.is_sparse else to_coo(t), constants.sparse_csr)
    content = t._content_
    coo_coordinates(content, t._a_.shape)  # scipy does not look where it reads
    parts = [array(p).astype(np.int64, copy=False) for p in (content.compressed, content.plain)]
    values = np.ascontiguousarray(widened(array(content.values)))
    rows, columns = t._a_.shape
    return Rows((rows, columns), parts[0], parts[1], values)


def _tools() -> Any:
    return extension("sparse._sparsetools")


def times_dense(a: Rows, b: Array) -> Array:
    """The dense product of a sparse matrix and a dense one."""
    other = np.ascontiguousarray(widened(b))
    out = np.zeros((a.shape[0], other.shape[1]), a.values.dtype)
    if out.size and a.values.size:
        _tools().csr_matvecs(
            *a.shape, other.shape[1], a.starts, a.columns, a.values, other.reshape(-1),
            out.reshape(-1),
        )  # fmt: skip
    return out


def times_sparse(a: Rows, b: Rows) -> Rows:
    """The sparse product of two, its columns in order; with the elements that come out zero."""
    most = _tools().csr_matmat_maxnnz(
        a.shape[0], b.shape[1], a.starts, a.columns, b.starts, b.columns
    )
    product = _without_zeros(a, b, most)
    if len(product.values) == most:
        return product
    ones = _without_zeros(_filled(a), _filled(b), most)
    values = np.zeros(most, product.values.dtype)
    at = np.searchsorted(_places(ones), _places(product))
    values[at] = product.values
    return ones._replace(values=values)


def _without_zeros(a: Rows, b: Rows, most: int) -> Rows:
    """The same as scipy has it, which leaves elements out that come out zero."""
    tools, rows, columns = _tools(), a.shape[0], b.shape[1]
    starts, places = np.empty(rows + 1, np.int64), np.empty(most, np.int64)
    values = np.empty(most, a.values.dtype)
    tools.csr_matmat(
        rows, columns, a.starts, a.columns, a.values, b.starts, b.columns, b.values, starts,
        places, values,
    )  # fmt: skip
    tools.csr_sort_indices(rows, starts, places, values)
    count = starts[-1]
    return Rows((rows, columns), starts, places[:count], values[:count])


def _filled(a: Rows) -> Rows:
    return a._replace(values=np.ones(len(a.values), np.float64))


def _places(a: Rows) -> Array:
    return lines_of(a.starts) * a.shape[1] + a.columns


def coo_of_rows(a: Rows, dtype: Any) -> Tensor:
    lines = lines_of(a.starts)
    values = a.values.astype(dtype.np, copy=False)
    return coo_tensor(np.stack([lines, a.columns]), values, a.shape, True)


def csr_of_rows(a: Rows, dtype: Any) -> Tensor:
    return compress(coo_of_rows(a, dtype), constants.sparse_csr)


def dense_of_array(a: Array, dtype: Any) -> Tensor:
    return wrap(a.astype(dtype.np, copy=False))
