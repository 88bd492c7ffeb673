"""Between coordinates and compressed indices, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tensor import Tensor
from ...tensor.sparse_content import BLOCKS, BY_COLUMN, Compressed
from .coalescing import coalesced
from .parts import array, check_bounds, compressed_tensor, coo_tensor

__all__ = ["compress", "coo_coordinates", "lines_of", "to_coo"]

Array = np.ndarray[Any, Any]


def lines_of(compressed: Array) -> Array:
    """The line of each element, of matrices one after the other."""
    flat = compressed.reshape(-1, compressed.shape[-1])
    counts = flat[:, 1:] - flat[:, :-1]
    numbers = np.broadcast_to(np.arange(counts.shape[1]), counts.shape)
    return np.repeat(numbers.reshape(-1), counts.reshape(-1))


def coo_coordinates(content: Compressed, shape: Sequence[int]) -> Array:
    """The coordinates of the elements in the order of *values*, those of batches first.

    Raises RuntimeError for indices outside of *shape*.
    """
    compressed, plain = array(content.compressed), array(content.plain)
    line, other = lines_of(compressed).astype(np.int64), plain.reshape(-1).astype(np.int64)
    if len(line) != len(other):
        raise RuntimeError("`crow_indices[..., -1] == nnz` is not satisfied.")
    row, column = (other, line) if content.layout in BY_COLUMN else (line, other)
    batch = compressed.shape[:-1]
    numbers = np.repeat(np.arange(int(np.prod(batch))), plain.shape[-1])
    lead = list(np.unravel_index(numbers, batch)) if batch else []
    if content.layout in BLOCKS:
        high, wide = content.blocksize
        inner_row, inner_column = (x.reshape(-1) for x in np.indices((high, wide)))
        row = (row[:, None] * high + inner_row).reshape(-1)
        column = (column[:, None] * wide + inner_column).reshape(-1)
        lead = [np.repeat(x, high * wide) for x in lead]
    indices = np.stack([*lead, row, column]) if lead else np.stack([row, column])
    check_bounds(indices, shape)
    return indices


def to_coo(t: Tensor) -> Tensor:
    """A compressed tensor as a COO tensor, its elements in the order that they are in."""
    content = t._content_
    indices = coo_coordinates(content, t._a_.shape)
    values = array(content.values)
    dense = values.shape[values.ndim - content.dense_dim :]
    values = values.reshape(indices.shape[1], *dense)
    by_row = content.layout not in BY_COLUMN and content.blocksize[0] == 1
    if content.layout in BLOCKS and content.batch_dim:
        by_row = False
    ordered = by_row or content.nnz == 1 or 0 in t._a_.shape  # in torch, one block counts so, too
    return coo_tensor(indices, values, t._a_.shape, ordered)


def compress(t: Tensor, layout: Any, blocksize: Any = None) -> Tensor:
    """A COO tensor of two sparse dimensions, or three for a batch of matrices, as a compressed one.

    Matrices of a batch have to have equally many elements; raises RuntimeError.
    """
    t = coalesced(t)
    content, shape = t._content_, t._a_.shape
    indices, values = array(content.indices), array(content.values)
    batch = shape[: content.sparse_dim - 2]
    *lead, row, column = indices
    rows, columns = shape[len(batch) : len(batch) + 2]
    if layout in BLOCKS:
        lead, row, column, values = _blocks(lead, row, column, values, blocksize, batch)
        rows, columns = rows // blocksize[0], columns // blocksize[1]
    by_column = layout in BY_COLUMN
    line, other, lines = (column, row, columns) if by_column else (row, column, rows)
    matrix = np.ravel_multi_index(lead, batch) if lead else np.zeros(len(row), np.int64)
    if by_column:
        order = np.lexsort((other, line, matrix))
        line, other, matrix, values = line[order], other[order], matrix[order], values[order]
    matrices = int(np.prod(batch))
    if batch:
        counts = np.bincount(matrix, minlength=matrices)
        if len(counts) and (counts != counts[0]).any():
            raise RuntimeError("Expect the same number of specified elements per batch.")
    each = len(other) // matrices if matrices else 0
    per_line = np.bincount(matrix * lines + line, minlength=matrices * lines)
    compressed = np.zeros((*batch, lines + 1), np.int64)
    np.cumsum(per_line.reshape(*batch, lines), -1, out=compressed[..., 1:])
    plain = np.ascontiguousarray(other).reshape(*batch, each)
    values = np.ascontiguousarray(values).reshape(*batch, each, *values.shape[1:])
    return compressed_tensor(layout, compressed, plain, values, shape)


def _blocks(
    lead: list[Array], row: Array, column: Array, values: Array, blocksize: Any, batch: Any
) -> tuple[list[Array], Array, Array, Array]:
    """The blocks that hold an element: their places, and them."""
    high, wide = blocksize
    places = np.stack([*lead, row // high, column // wide])
    unique, at = np.unique(places, axis=1, return_inverse=True)
    out = np.zeros((unique.shape[1], high, wide, *values.shape[1:]), values.dtype)
    out[at.reshape(-1), row % high, column % wide] = values
    *lead, row, column = unique
    return lead, row, column, out
