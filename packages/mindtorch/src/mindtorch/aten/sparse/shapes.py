"""Sparse tensors of other shapes: turned, cut, joined, resized."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage import promote_types
from mindtorch_storage.layout import wrap_dim

from ...core import constants
from ...core.dims import size_at
from ...core.layout_names import layout_name
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.sparse_content import BLOCKS, BY_COLUMN, Compressed, become, sparse_tensor
from ..joining import check_equal_sizes
from ..slicing import selected_place
from .compressing import lines_of
from .parts import COMPRESSED, COO, array, coo_tensor, is_sparse

__all__: list[str] = []

_TURNED = {
    constants.sparse_csr: constants.sparse_csc,
    constants.sparse_csc: constants.sparse_csr,
    constants.sparse_bsr: constants.sparse_bsc,
    constants.sparse_bsc: constants.sparse_bsr,
}

# -- turning ---------------------------------------------------------------------------------------


def _permuted(t: Tensor, dims: Sequence[int]) -> Tensor:
    """Sparse dimensions among themselves, and dense ones."""
    content, n = t._content_, t._a_.ndim
    order = [wrap_dim(d, n) for d in dims]
    if len(order) != n:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {n} is not equal to "
            f"len(dims) = {len(order)}"
        )
    if len(set(order)) != n:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    sparse_dim = content.sparse_dim
    if any((d < sparse_dim) != (i < sparse_dim) for i, d in enumerate(order)):
        raise RuntimeError(
            "permute(sparse_coo): transpositions between sparse and dense dimensions are not "
            "allowed.Only transpositions within sparse and dense dimensions are supported."
        )
    rows, dense = order[:sparse_dim], [d - sparse_dim + 1 for d in order[sparse_dim:]]
    values = array(content.values)
    if dense != list(range(1, len(dense) + 1)):
        values = np.ascontiguousarray(values.transpose(0, *dense))
    shape = tuple([t._a_.shape[d] for d in order])
    kept = content.coalesced and rows == sorted(rows)
    return coo_tensor(array(content.indices)[rows], values.copy(), shape, kept)


COO.register("permute", _permuted)


@COO("transpose.int")
def _transposed(self: Tensor, dim0: int, dim1: int) -> Tensor:
    n, sparse_dim = self._a_.ndim, self._content_.sparse_dim
    one, two = wrap_dim(dim0, n), wrap_dim(dim1, n)
    if one != two and (one >= sparse_dim or two >= sparse_dim):
        raise RuntimeError(
            "sparse transpose: transposed dimensions must be sparse Got sparse_dim: "
            f"{sparse_dim}, d0: {one}, d1: {two}"
        )
    order = list(range(n))
    if n:
        order[one], order[two] = two, one
    return _turned(self, order)


def _turned(self: Tensor, order: Sequence[int]) -> Tensor:
    """The same as ``permute``; without elements there is no order to lose, which that forgets."""
    made = _permuted(self, order)
    if not self._content_.nnz:
        become(made, made._content_._replace(coalesced=True), made._a_.shape)
    return made


@COO("t")
def _t(self: Tensor) -> Tensor:
    content = self._content_
    if content.sparse_dim > 2 or content.dense_dim:
        raise RuntimeError(
            "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got "
            f"{content.sparse_dim} sparse and {content.dense_dim} dense dimensions"
        )
    return _turned(self, range(self._a_.ndim)[::-1])


def _kind_of_dim(content: Compressed, dim: int) -> str:
    """What a dimension of a compressed tensor numbers: matrices, lines of them, or dense parts."""
    batch = content.batch_dim
    return "Batch" if dim < batch else "Sparse" if dim < batch + 2 else "Dense"


def _transpose_compressed(self: Tensor, dim0: int, dim1: int) -> Tensor:
    content, n = self._content_, self._a_.ndim
    one, two = wrap_dim(dim0, n), wrap_dim(dim1, n)
    batch = content.batch_dim
    if one == two:
        return sparse_tensor(content, self._a_.shape)
    if content.dense_dim:
        raise RuntimeError(
            "transpose(): hybrid sparse compressed tensors with dense dimensions are not supported"
        )
    kinds = [_kind_of_dim(content, d) for d in (one, two)]
    if kinds[0] != kinds[1]:
        raise RuntimeError(
            "transpose(): can only transpose dimensions of the same type (Batch, Sparse, Dense), "
            f"got {one}({kinds[0]}) and {two}({kinds[1]})"
        )
    shape = list(self._a_.shape)
    shape[one], shape[two] = shape[two], shape[one]
    if kinds[0] == "Batch":
        parts = [t.transpose(one, two) for _, t in content.named_parts()]
        return sparse_tensor(type(content)(content.layout, *parts), tuple(shape))
    values = content.values
    if content.blocksize != (1, 1):
        values = values.transpose(batch + 1, batch + 2)
    return sparse_tensor(
        content._replace(layout=_TURNED[content.layout], values=values), tuple(shape)
    )


COMPRESSED.register("transpose.int", _transpose_compressed)


@COMPRESSED("t")
def _t_compressed(self: Tensor) -> Tensor:
    if self._a_.ndim > 2:
        raise RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {self._a_.ndim}D"
        )
    return _transpose_compressed(self, 0, 1)


# -- cutting ---------------------------------------------------------------------------------------


@COO("select.int")
def _select(self: Tensor, dim: int, index: int) -> Tensor:
    at, index = selected_place(self._a_.shape, dim, index)
    content = self._content_
    indices, values = array(content.indices), array(content.values)
    shape = (*self._a_.shape[:at], *self._a_.shape[at + 1 :])
    if at >= content.sparse_dim:
        values = values.take(index, at - content.sparse_dim + 1)
        return coo_tensor(indices, values, shape)
    there = indices[at] == index
    values = values[there]
    if content.sparse_dim == 1:
        return wrap(values.sum(0).astype(values.dtype, copy=False))
    rest = np.delete(indices, at, 0)[:, there]
    return coo_tensor(rest, values, shape)


def _line(content: Compressed, dim: int, index: int) -> tuple[np.ndarray[Any, Any], Tensor]:
    """Where the elements of a row (*dim* 0) or column of one matrix stand in it, and they.

    They are a view of the matrix's where they lie evenly spaced in memory: those of a compressed
    line stand side by side, and those of another one may happen to.
    """
    size, length = content.blocksize[dim], content.blocksize[1 - dim]
    lines, plain, values = array(content.compressed), array(content.plain), content.values
    if (content.layout in BY_COLUMN) is (dim == 1):
        start, stop = lines[index // size], lines[index // size + 1]
        places, values = plain[start:stop], ops.slice(values, 0, int(start), int(stop), 1)
    else:
        there = np.flatnonzero(plain == index // size)
        places, steps = lines_of(lines)[there], np.diff(there)
        if (steps == steps[:1]).all():
            start, step = int(there[:1].sum()), int(steps[:1].sum()) or 1
            values = ops.slice(values, 0, start, start + step * len(there), step)
        else:
            values = ops.index_select(values, 0, wrap(there))
    if content.layout in BLOCKS:
        places = (places[:, None] * length + np.arange(length)).reshape(-1)
        values = ops.flatten(ops.select(values, 1 + dim, index % size), 0, 1)
    return places, values


@COMPRESSED("select.int")
def _select_compressed(self: Tensor, dim: int, index: int) -> Tensor:
    made = _selected(self, dim, index)
    if made.is_sparse and not np.shares_memory(
        array(made._content_.values), array(self._content_.values)
    ):
        if made._content_.nnz:
            raise RuntimeError(
                "select(): no view exists for the given input, consider using torch.select_copy."
            )
    return made


@COMPRESSED("select_copy.int")
def _select_compressed_copy(self: Tensor, dim: int, index: int) -> Tensor:
    return _selected(self, dim, index).clone()


def _selected(self: Tensor, dim: int, index: int) -> Tensor:
    """What a compressed tensor has at one place of a dimension; of a row or column, a COO tensor.

    Raises RuntimeError for a row or column of a batch of matrices.
    """
    at, index = selected_place(self._a_.shape, dim, index)
    content = self._content_
    kind = _kind_of_dim(content, at)
    shape = (*self._a_.shape[:at], *self._a_.shape[at + 1 :])
    if kind == "Batch":
        parts = [ops.select(t, at, index) for _, t in content.named_parts()]
        return sparse_tensor(type(content)(content.layout, *parts), shape)
    if kind == "Dense":
        values = ops.select(content.values, content.values.dim() - (self._a_.ndim - at), index)
        return sparse_tensor(content._replace(values=values), shape)
    if content.batch_dim:
        raise RuntimeError(
            "select(): selecting sparse dimensions is not supported for batched sparse compressed "
            "tensors."
        )
    places, values = _line(content, at, index)
    return coo_tensor(places[None].astype(np.int64), values, shape, True)


@COO("index_select")
def _index_select(self: Tensor, dim: int, index: Tensor) -> Tensor:
    if not self._a_.ndim:
        raise IndexError("index_select() cannot be applied to a 0-dim tensor.")
    at = wrap_dim(dim, self._a_.ndim)
    if index.dim() != 1 or is_sparse(index) or index.dtype.name not in ("int64",):
        raise IndexError(
            "index_select() argument index must be 1-D strided (non-sparse) long-tensor."
        )
    size, wanted = self._a_.shape[at], array(index)
    for i in wanted[(wanted < -size) | (wanted >= size)][:1]:
        raise IndexError(
            f"index_select(): index contains {i} that is out of range for tensor of size "
            f"{list(self.shape)} at dimension {at}"
        )
    wanted = wanted % size if size else wanted
    shape = (*self._a_.shape[:at], len(wanted), *self._a_.shape[at + 1 :])
    content = self._content_
    if at >= content.sparse_dim:
        values = array(content.values).take(wanted, at - content.sparse_dim + 1)
        return coo_tensor(content.indices, values, shape)
    indices, values = array(content.indices), array(content.values)
    which, new = _places(indices[at], wanted, size)
    if content.nnz < len(wanted):  # torch runs through the shorter of the two lists
        order = np.argsort(which, kind="stable")
        which, new = which[order], new[order]
    indices = indices[:, which].copy()
    indices[at] = new
    return coo_tensor(indices, values[which], shape)


def _places(
    row: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], size: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Which elements a selection takes, once for each place that wants them; and these places."""
    order = np.argsort(row, kind="stable")
    starts = np.searchsorted(row[order], np.arange(size + 1))
    begin, count = starts[wanted], starts[wanted + 1] - starts[wanted]
    new = np.repeat(np.arange(len(wanted)), count)
    offset = np.arange(len(new)) - np.repeat(np.cumsum(count) - count, count)
    return order[np.repeat(begin, count) + offset], new


@COO("narrow_copy")
def _narrow_copy(self: Tensor, dim: int, start: int, length: int) -> Tensor:
    if not self._a_.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    at = wrap_dim(dim, self._a_.ndim)
    size = self._a_.shape[at]
    if start < 0 or start + length > size:
        raise RuntimeError(
            "Invalid range to narrow. range(start, start+length) must be a subset of range(0, "
            f"{size})."
        )
    content = self._content_
    shape = (*self._a_.shape[:at], length, *self._a_.shape[at + 1 :])
    indices, values = array(content.indices), array(content.values)
    if at >= content.sparse_dim:
        part = [slice(None)] * values.ndim
        part[at - content.sparse_dim + 1] = slice(start, start + length)
        return coo_tensor(indices, values[tuple(part)].copy(), shape, content.coalesced)
    there = (indices[at] >= start) & (indices[at] < start + length)
    indices = indices[:, there].copy()
    indices[at] -= start
    return coo_tensor(indices, values[there], shape, content.coalesced)


@COO("unbind.int", forms=False)
def _unbind(self: Tensor, dim: int) -> list[Tensor]:
    return [ops.select(self, dim, i) for i in range(size_at(self, dim))]


COMPRESSED.register("unbind.int", _unbind, forms=False)

# -- joining ---------------------------------------------------------------------------------------


@COO("cat")
def _cat(tensors: Sequence[Tensor], dim: int) -> Tensor:
    first = tensors[0]
    for i, t in enumerate(tensors):
        if not is_sparse(t):
            raise RuntimeError(
                f"Concatenating sparse tensors, but a dense tensor was found at position {i}."
            )
    one = first._content_
    at = wrap_dim(dim, first._a_.ndim)
    for i, t in enumerate(tensors):
        want, shape = list(first.shape), list(t.shape)
        if len(shape) != len(want) or shape[:at] != want[:at] or shape[at + 1 :] != want[at + 1 :]:
            raise RuntimeError(
                f"All tensors must have the same shape: {want} (except in the concatenating "
                f"dimension), but found shape: {shape} at position {i}."
            )
        own = t._content_
        if (own.sparse_dim, own.dense_dim) != (one.sparse_dim, one.dense_dim):
            raise RuntimeError(
                "All tensors must have the same sparse_dim and dense_dim: "
                f"{one.sparse_dim}, {one.dense_dim}, but tensor at position {i} has "
                f"{own.sparse_dim}, {own.dense_dim}."
            )
    total = sum(t._a_.shape[at] for t in tensors)
    whole = (*first._a_.shape[:at], total, *first._a_.shape[at + 1 :])
    dtype = first.dtype
    for t in tensors[1:]:
        dtype = promote_types(dtype, t.dtype)
    indices, values, start = [], [], 0
    for t in tensors:
        own, numbers = array(t._content_.indices), array(t._content_.values._to_(None, dtype))
        size = t._a_.shape[at]
        if at < one.sparse_dim:
            own = own.copy()
            own[at] += start
        else:
            room = np.zeros((len(numbers), *whole[one.sparse_dim :]), numbers.dtype)
            part = [slice(None)] * room.ndim
            part[at - one.sparse_dim + 1] = slice(start, start + size)
            room[tuple(part)] = numbers
            numbers = room
        indices.append(own)
        values.append(numbers)
        start += size
    return coo_tensor(np.concatenate(indices, 1), np.concatenate(values), whole)


@COO("stack")
def _stack(tensors: Sequence[Tensor], dim: int) -> Tensor:
    check_equal_sizes(tensors)
    return ops.cat([ops.unsqueeze(t, dim) for t in tensors], dim)


@COO("unsqueeze")
def _unsqueeze(self: Tensor, dim: int) -> Tensor:
    at = wrap_dim(dim, self._a_.ndim + 1)
    content = self._content_
    shape = (*self._a_.shape[:at], 1, *self._a_.shape[at:])
    if at > content.sparse_dim:
        values = ops.unsqueeze(content.values, at - content.sparse_dim + 1)
        return coo_tensor(content.indices, values.clone(), shape)
    indices = np.insert(array(content.indices), at, 0, 0)
    return coo_tensor(indices, content.values, shape)


def _expand(self: Tensor, size: Any, implicit: bool) -> Tensor:
    raise RuntimeError(f"expand is unsupported for {layout_name(self.layout)} tensors")


for _kernels in (COO, COMPRESSED):
    _kernels.register("expand", _expand, forms=False)
