"""Elements at the places of a sparse tensor: of a dense tensor, and of another sparse one."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage import can_cast

from ...call.row import op
from ...core import constants
from ...core.layout_names import layout_name
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.sparse_content import sparse_tensor
from .coalescing import coalesced
from .compressing import compress, coo_coordinates, to_coo
from .parts import (
    COMPRESSED,
    COO,
    array,
    by_number,
    coo_tensor,
    flat_indices,
    is_sparse,
    with_values,
)

__all__ = ["check_mask_size", "elements_at", "found_among", "values_at"]

Array = np.ndarray[Any, Any]


def elements_at(t: Tensor, indices: Array) -> Array:
    """The elements of a dense or COO tensor at coordinates; zero where a COO tensor has none."""
    if not is_sparse(t):
        numbers = array(t)
        if not len(indices):
            return np.repeat(numbers[None], indices.shape[1], 0)
        return numbers[tuple(indices)]
    t = coalesced(t)
    sizes = t._a_.shape[: t._content_.sparse_dim]
    return found_among(flat_indices(t), array(t._content_.values), by_number(indices, sizes))


def found_among(flat: Array, values: Array, wanted: Array) -> Array:
    """The *values* at the places *wanted*; *flat* are their places, sorted."""
    out = np.zeros((len(wanted), *values.shape[1:]), values.dtype)
    if len(flat):
        at = np.minimum(np.searchsorted(flat, wanted), len(flat) - 1)
        there = flat[at] == wanted
        out[there] = values[at[there]]
    return out


def values_at(g: Tensor, indices: Tensor) -> Tensor:
    """What of a gradient *g* stands at coordinates: the gradient of a COO tensor's elements."""
    if is_sparse(g) or not indices._a_.shape[0]:
        return wrap(elements_at(g, array(indices)))
    sizes = g.shape[: indices._a_.shape[0]]
    flat = wrap(by_number(array(indices), sizes))
    lines = g.reshape((-1, *g.shape[len(sizes) :]))
    made: Tensor = ops.index_select(lines, 0, flat)
    return made


def check_mask_size(self: Tensor, mask: Tensor) -> None:
    """Refuse a mask of another size than *self*. Raises RuntimeError."""
    if self._a_.shape != mask._a_.shape:
        raise RuntimeError(
            "sparse_mask(): operands have incompatible sizes; self has size "
            f"{list(self.shape)} but mask has size {list(mask.shape)}"
        )


def _by_coo(self: Tensor, mask: Tensor) -> Tensor:
    """*self*, dense or COO, at the places of a COO tensor."""
    check_mask_size(self, mask)
    content = mask._content_
    if is_sparse(self):
        if self is mask:
            return sparse_tensor(content, mask._a_.shape)
        if self._content_.sparse_dim != content.sparse_dim:
            raise RuntimeError(
                "sparse_mask(): the number of sparse dimensions in `self` should match that of the "
                f"`mask`. Got `self.sparse_dim() == {self._content_.sparse_dim}` != "
                f"`mask.sparse_dim() == {content.sparse_dim}`."
            )
        _check_dtype(self, mask)
    values = elements_at(self, array(content.indices))
    return coo_tensor(content.indices, values, mask._a_.shape, content.coalesced)


def _check_dtype(self: Tensor, mask: Tensor) -> None:
    """Refuse sparse tensors whose common dtype *self* cannot hold. Raises RuntimeError."""
    common = ops.result_type(self, mask)
    if not can_cast(common, self.dtype):
        raise RuntimeError(
            f"Can't convert result type {common.scalar_type} to output {self.dtype.scalar_type}"
        )


def _by_compressed(self: Tensor, mask: Tensor) -> Tensor:
    """*self* at the places of a compressed tensor; of one of its layout, those it has as well."""
    if is_sparse(mask) and not mask.is_sparse and self.layout is mask.layout:
        if self is mask:
            return sparse_tensor(mask._content_, mask._a_.shape)
        check_mask_size(self, mask)
        _check_dtype(self, mask)
        blocksize = mask._content_.blocksize
        return compress(_common_places(to_coo(self), to_coo(mask)), mask.layout, blocksize)
    if not is_sparse(mask) or mask.is_sparse or not (self.is_sparse or not is_sparse(self)):
        given = constants.sparse_coo if is_sparse(mask) else mask.layout
        raise RuntimeError(
            "sparse_mask_sparse_compressed expects mask to have sparse compressed layout, got "
            f"{layout_name(given)}"
        )
    check_mask_size(self, mask)
    content = mask._content_
    values = elements_at(self, coo_coordinates(content, mask._a_.shape))
    return with_values(mask, values.reshape(content.values._a_.shape))


def _common_places(self: Tensor, mask: Tensor) -> Tensor:
    """The elements of *self* at those places of *mask* at which it has one."""
    there = np.isin(flat_indices(mask), flat_indices(self))
    indices = array(mask._content_.indices)[:, there]
    return coo_tensor(indices, elements_at(self, indices), mask._a_.shape, mask._content_.coalesced)


def _mask_grad(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, sparse_mask_backward."""
    mask = c.mask
    if mask.is_sparse and not mask._content_.coalesced:  # a place counts as often as it is there
        values = mask._content_.values
        g = g * coo_tensor(mask._content_.indices, ops.ones_like(values), mask._a_.shape)
    if c.self.layout is constants.strided:
        return g.to_dense()
    return g.to_sparse(layout=c.self.layout) if g.layout is not c.self.layout else g


op(
    "sparse_mask(Tensor self, Tensor mask) -> Tensor",
    says="""Return the elements of a tensor at the places of a sparse one.

    >>> torch.ones(2, 2).sparse_mask(torch.eye(2).to_sparse()).values()
    tensor([1., 1.])
    """,
    variants="method",
    tangent="not implemented",
    grad={"self": _mask_grad},
    samples="sparse_mask",
)


@COO("sparse_mask")
def _coo_mask(self: Tensor, mask: Tensor) -> Tensor:
    if not is_sparse(mask):
        mask._nnz()  # refuses a dense one
    return _by_coo(self, mask)


COMPRESSED.register("sparse_mask", _by_compressed)
op(
    "_sparse_mask_projection(Tensor self, Tensor mask, bool accumulate_matches=False) -> Tensor",
    variants="method",
    samples="sparse_projection",
)


@COO("_sparse_mask_projection")
def _projection(self: Tensor, mask: Tensor, accumulate_matches: bool) -> Tensor:
    check_mask_size(self, mask)
    return _common_places(self, mask)
