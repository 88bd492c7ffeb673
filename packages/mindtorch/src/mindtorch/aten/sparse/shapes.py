"""Sparse tensors of other shapes: turned, cut, joined, resized."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage.layout import wrap_dim

from ...call.row import op
from ...core import constants
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.sparse_content import become, layout_name, sparse_tensor
from ..derivatives import not_implemented_for
from .compressing import compress, to_coo
from .construction import empty_coo
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
    content, n = t._content, t._a.ndim
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
    shape = tuple([t._a.shape[d] for d in order])
    kept = not content.nnz or content.coalesced and rows == sorted(rows)
    return coo_tensor(array(content.indices)[rows], values.copy(), shape, kept)


COO.register("permute", _permuted)


@COO("transpose.int")
def _transposed(self: Tensor, dim0: int, dim1: int) -> Tensor:
    n, sparse_dim = self._a.ndim, self._content.sparse_dim
    one, two = wrap_dim(dim0, n), wrap_dim(dim1, n)
    if one != two and (one >= sparse_dim or two >= sparse_dim):
        raise RuntimeError(
            "sparse transpose: transposed dimensions must be sparse Got sparse_dim: "
            f"{sparse_dim}, d0: {one}, d1: {two}"
        )
    order = list(range(n))
    if n:
        order[one], order[two] = two, one
    return _permuted(self, order)


@COO("t")
def _t(self: Tensor) -> Tensor:
    content = self._content
    if content.sparse_dim > 2 or content.dense_dim:
        raise RuntimeError(
            "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got "
            f"{content.sparse_dim} sparse and {content.dense_dim} dense dimensions"
        )
    return _permuted(self, range(self._a.ndim)[::-1])


def _transpose_compressed(self: Tensor, dim0: int, dim1: int) -> Tensor:
    content, n = self._content, self._a.ndim
    one, two = wrap_dim(dim0, n), wrap_dim(dim1, n)
    batch = content.batch_dim
    if one == two:
        return sparse_tensor(content, self._a.shape)
    if {one, two} != {batch, batch + 1}:
        if max(one, two) < batch:
            parts = [t.transpose(one, two) for _, t in content.named_parts()]
            shape = list(self._a.shape)
            shape[one], shape[two] = shape[two], shape[one]
            return sparse_tensor(type(content)(content.layout, *parts), tuple(shape))
        raise RuntimeError(
            "transpose(): can only transpose row and column dimensions of compressed sparse tensors"
        )
    shape = list(self._a.shape)
    shape[one], shape[two] = shape[two], shape[one]
    values = content.values
    if content.blocksize != (1, 1):
        values = values.transpose(batch + 1, batch + 2)
    return sparse_tensor(
        content._replace(layout=_TURNED[content.layout], values=values), tuple(shape)
    )


COMPRESSED.register("transpose.int", _transpose_compressed)


@COMPRESSED("t")
def _t_compressed(self: Tensor) -> Tensor:
    return _transpose_compressed(self, 0, 1)


# -- cutting ---------------------------------------------------------------------------------------


def _checked_index(t: Tensor, dim: int, index: int) -> tuple[int, int]:
    at = wrap_dim(dim, t._a.ndim)
    size = t._a.shape[at]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(t.shape)} at "
            f"dimension {at}"
        )
    return at, index % size if size else index


@COO("select.int")
def _select(self: Tensor, dim: int, index: int) -> Tensor:
    at, index = _checked_index(self, dim, index)
    content = self._content
    indices, values = array(content.indices), array(content.values)
    shape = (*self._a.shape[:at], *self._a.shape[at + 1 :])
    if at >= content.sparse_dim:
        values = values.take(index, at - content.sparse_dim + 1)
        return coo_tensor(indices, values, shape)
    there = indices[at] == index
    values = values[there]
    if content.sparse_dim == 1:
        return wrap(values.sum(0).astype(values.dtype, copy=False))
    rest = np.delete(indices, at, 0)[:, there]
    return coo_tensor(rest, values, shape)


@COMPRESSED("select.int")
def _select_compressed(self: Tensor, dim: int, index: int) -> Tensor:
    at, index = _checked_index(self, dim, index)
    content = self._content
    batch = content.batch_dim
    if at < batch:
        parts = [ops.select(t, at, index) for _, t in content.named_parts()]
        shape = (*self._a.shape[:at], *self._a.shape[at + 1 :])
        return sparse_tensor(type(content)(content.layout, *parts), shape)
    return ops.select(to_coo(self), at, index)


@COO("index_select")
def _index_select(self: Tensor, dim: int, index: Tensor) -> Tensor:
    at = wrap_dim(dim, self._a.ndim)
    if index.dim() != 1 or is_sparse(index) or index.dtype.name not in ("int64",):
        raise IndexError(
            "index_select() argument index must be 1-D strided (non-sparse) long-tensor."
        )
    size, wanted = self._a.shape[at], array(index)
    for i in wanted[(wanted < -size) | (wanted >= size)][:1]:
        raise IndexError(
            f"index_select(): index contains {i} that is out of range for tensor of size "
            f"{list(self.shape)} at dimension {at}"
        )
    wanted = wanted % size if size else wanted
    shape = (*self._a.shape[:at], len(wanted), *self._a.shape[at + 1 :])
    content = self._content
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
    at = wrap_dim(dim, self._a.ndim)
    size = self._a.shape[at]
    start = start + size if start < 0 else start
    if length < 0 or start + length > size:
        raise RuntimeError(
            "Invalid range to narrow. range(start, start+length) must be a subset of range(0, "
            f"{size})."
        )
    content = self._content
    shape = (*self._a.shape[:at], length, *self._a.shape[at + 1 :])
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
    return [ops.select(self, dim, i) for i in range(self._a.shape[dim])]


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
    one = first._content
    at = wrap_dim(dim, first._a.ndim)
    for i, t in enumerate(tensors):
        own = t._content
        if (own.sparse_dim, own.dense_dim) != (one.sparse_dim, one.dense_dim):
            raise RuntimeError(
                "All tensors must have the same sparse_dim and dense_dim: "
                f"{one.sparse_dim}, {one.dense_dim}, but tensor at position {i} has "
                f"{own.sparse_dim}, {own.dense_dim}."
            )
        rest, want = list(t.shape), list(first.shape)
        del rest[at], want[at]
        if rest != want:
            raise RuntimeError(
                f"All tensors must have the same shape: {list(first.shape)} (except in the "
                f"concatenating dimension), but found shape: {list(t.shape)} at position {i}."
            )
    total = sum(t._a.shape[at] for t in tensors)
    shape = (*first._a.shape[:at], total, *first._a.shape[at + 1 :])
    dtype = first.dtype
    for t in tensors[1:]:
        dtype = ops.promote_types(dtype, t.dtype)
    indices, values, start = [], [], 0
    for t in tensors:
        own, numbers = array(t._content.indices), array(t._content.values._to(None, dtype))
        size = t._a.shape[at]
        if at < one.sparse_dim:
            own = own.copy()
            own[at] += start
        else:
            room = np.zeros((len(numbers), *shape[one.sparse_dim :]), numbers.dtype)
            part = [slice(None)] * room.ndim
            part[at - one.sparse_dim + 1] = slice(start, start + size)
            room[tuple(part)] = numbers
            numbers = room
        indices.append(own)
        values.append(numbers)
        start += size
    return coo_tensor(np.concatenate(indices, 1), np.concatenate(values), shape)


@COO("stack")
def _stack(tensors: Sequence[Tensor], dim: int) -> Tensor:
    return ops.cat([ops.unsqueeze(t, dim) for t in tensors], dim)


@COO("unsqueeze")
def _unsqueeze(self: Tensor, dim: int) -> Tensor:
    at = wrap_dim(dim, self._a.ndim + 1)
    content = self._content
    shape = (*self._a.shape[:at], 1, *self._a.shape[at:])
    if at > content.sparse_dim:
        values = ops.unsqueeze(content.values, at - content.sparse_dim + 1)
        return coo_tensor(content.indices, values.clone(), shape)
    indices = np.insert(array(content.indices), at, 0, 0)
    return coo_tensor(indices, content.values, shape)


for _kernels, _layout in ((COO, "Sparse"), (COMPRESSED, "SparseCsr")):

    def _expand(self: Tensor, size: Any, implicit: bool) -> Tensor:
        raise RuntimeError(f"expand is unsupported for {layout_name(self.layout)} tensors")

    _kernels.register("expand", _expand, forms=False)


# -- resizing --------------------------------------------------------------------------------------


def _check_dims(size: Sequence[int], sparse_dim: int, dense_dim: int) -> None:
    if len(size) != sparse_dim + dense_dim:
        raise RuntimeError(
            "'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
            f"{len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )


for _name in ("sparse_resize_", "sparse_resize_and_clear_"):
    op(
        f"{_name}(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> Tensor(a!)",
        says="Give a COO tensor another size"
        + ("." if _name == "sparse_resize_" else ", and no elements."),
        variants="method",
        samples="sparse_resize",
    )


@COO("sparse_resize_")
def _resize(self: Tensor, size: Sequence[int], sparse_dim: int, dense_dim: int) -> Tensor:
    _check_dims(size, sparse_dim, dense_dim)
    content, old, new = self._content, list(self.shape), list(size)
    if content.nnz:
        tail = "on a non-empty sparse tensor is not supported."
        for kind, was, wanted in (
            ("sparse", content.sparse_dim, sparse_dim),
            ("dense", content.dense_dim, dense_dim),
        ):
            if was != wanted:
                raise RuntimeError(
                    f"changing the number of {kind} dimensions (from {was} to {wanted}) {tail}"
                )
        for kind, part in (("sparse", slice(0, sparse_dim)), ("dense", slice(sparse_dim, None))):
            if any(n < m for n, m in zip(new[part], old[part], strict=True)):
                raise RuntimeError(
                    f"shrinking the size of {kind} dimensions (from {old[part]} to {new[part]}) "
                    f"{tail}"
                )
    else:
        return _clear(self, size, sparse_dim, dense_dim)
    values = array(content.values)
    if new[sparse_dim:] != old[sparse_dim:]:
        room = np.zeros((len(values), *new[sparse_dim:]), values.dtype)
        room[tuple([slice(n) for n in values.shape])] = values
        values = room
    made = coo_tensor(content.indices, values, tuple(new), content.coalesced)
    return become(self, made._content, tuple(new))


@COO("sparse_resize_and_clear_")
def _clear(self: Tensor, size: Sequence[int], sparse_dim: int, dense_dim: int) -> Tensor:
    _check_dims(size, sparse_dim, dense_dim)
    made = empty_coo(tuple(size), self.dtype, sparse_dim, dense_dim)
    return become(self, made._content, tuple(size))


op(
    "resize_as_sparse_(Tensor(a!) self, Tensor the_template) -> Tensor(a!)",
    variants="function, method",
    samples="two_coo",
)


@COO("resize_as_sparse_")
def _resize_as(self: Tensor, the_template: Tensor) -> Tensor:
    like = the_template._content
    return _resize(self, the_template.shape, like.sparse_dim, like.dense_dim)


op(
    "_spdiags(Tensor diagonals, Tensor offsets, int[] shape, Layout? layout=None) -> Tensor",
    says="""Return a sparse matrix of diagonals; the columns of *diagonals* are those of the matrix.

    >>> torch.sparse.spdiags(torch.ones(1, 2), torch.tensor([1]), (2, 2)).to_dense()
    tensor([[0., 1.],
            [0., 0.]])
    """,
    module="sparse",
    variants="function",
    composite=lambda *args: spdiags(*args),
    kinds={"functional": "explicit"},
    grad=not_implemented_for("_spdiags", "diagonals"),
    samples="spdiags",
)


def _diagonal_places(width: int, offsets: Any, shape: Sequence[int]) -> Any:
    """The coordinates that diagonals of *width* numbers come to, and which of them lie inside."""
    columns = np.broadcast_to(np.arange(width), (len(offsets), width))
    rows = columns - offsets[:, None]
    inside = (rows >= 0) & (rows < shape[0]) & (columns < shape[1])
    return rows, columns, inside


def spdiags(diagonals: Tensor, offsets: Tensor, shape: Sequence[int], layout: Any) -> Tensor:
    """A sparse matrix of diagonals: the columns of *diagonals* are those of the matrix."""
    lines = diagonals if diagonals.dim() == 2 else diagonals.unsqueeze(0)
    if diagonals.dim() not in (1, 2):
        raise RuntimeError("Diagonals must be vector or matrix")
    if len(shape) != 2:
        raise RuntimeError("Output shape must be 2d")
    places = offsets if offsets.dim() == 1 else offsets.unsqueeze(0)
    if offsets.dim() > 1:
        raise RuntimeError("Offsets must be scalar or vector")
    if offsets.dtype.name != "int64":
        raise RuntimeError(
            f"Offset Tensor must have dtype Long but got {offsets.dtype.scalar_type}"
        )
    if lines._a.shape[0] != places._a.shape[0]:
        raise RuntimeError(
            f"Number of diagonals ({lines._a.shape[0]}) does not match the number of offsets "
            f"({places._a.shape[0]})"
        )
    if layout not in (None, constants.sparse_coo, constants.sparse_csc, constants.sparse_csr):
        raise RuntimeError(
            "Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got "
            f"{layout_name(layout)}"
        )
    numbers = array(places)
    if len(np.unique(numbers)) != len(numbers):
        raise RuntimeError("Offset tensor contains duplicate values")
    rows, columns, inside = _diagonal_places(lines._a.shape[1], numbers, shape)
    indices = np.stack([rows[inside], columns[inside]])
    made = coo_tensor(indices, array(lines)[inside], shape)
    return made if layout in (None, constants.sparse_coo) else compress(made, layout)
