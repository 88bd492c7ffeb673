"""Elements at the places of a sparse tensor: of a dense tensor, and of another sparse one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...call.row import op
from ...core import constants
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from .coalescing import coalesced
from .compressing import coo_coordinates
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

__all__ = ["elements_at", "values_at"]

Array = np.ndarray[Any, Any]


def elements_at(t: Tensor, indices: Array) -> Array:
    """The elements of a dense or COO tensor at coordinates; zero where a COO tensor has none."""
    if not is_sparse(t):
        numbers = array(t)
        if not len(indices):
            return np.repeat(numbers[None], indices.shape[1], 0)
        return numbers[tuple(indices)]
    t = coalesced(t)
    sizes = t._a.shape[: t._content.sparse_dim]
    return found_among(flat_indices(t), array(t._content.values), by_number(indices, sizes))


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
    if is_sparse(g) or not indices._a.shape[0]:
        return wrap(elements_at(g, array(indices)))
    sizes = g.shape[: indices._a.shape[0]]
    flat = wrap(by_number(array(indices), sizes))
    lines = g.reshape((-1, *g.shape[len(sizes) :]))
    made: Tensor = ops.index_select(lines, 0, flat)
    return made


def _check_sizes(self: Tensor, mask: Tensor) -> None:
    if self._a.shape != mask._a.shape:
        raise RuntimeError(
            "sparse_mask(): operands have incompatible sizes; self has size "
            f"{list(self.shape)} but mask has size {list(mask.shape)}"
        )


def _by_coo(self: Tensor, mask: Tensor) -> Tensor:
    """*self*, dense or COO, at the places of a COO tensor."""
    _check_sizes(self, mask)
    content = mask._content
    values = elements_at(self, array(content.indices))
    return coo_tensor(content.indices, values, mask._a.shape, content.coalesced)


def _by_compressed(self: Tensor, mask: Tensor) -> Tensor:
    _check_sizes(self, mask)
    if is_sparse(self) and self.layout is mask.layout:
        self = self.to_sparse()
    elif is_sparse(self) and self.layout is not constants.sparse_coo:
        raise RuntimeError(
            f"sparse_mask_sparse_compressed expects self to be a strided or {mask.layout} tensor"
        )
    content = mask._content
    values = elements_at(self, coo_coordinates(content, mask._a.shape))
    return with_values(mask, values.reshape(content.values._a.shape))


def _sparse_mask(self: Tensor, mask: Tensor) -> Tensor:
    return _by_coo(self, mask) if mask.is_sparse else _by_compressed(self, mask)


def _mask_grad(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, sparse_mask_backward."""
    mask = c.mask
    if mask.is_sparse and not mask._content.coalesced:  # a place counts as often as it is there
        values = mask._content.values
        g = g * coo_tensor(mask._content.indices, ops.ones_like(values), mask._a.shape)
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
    grad={"self": _mask_grad},
    samples="sparse_mask",
)
for _kernels in (COO, COMPRESSED):
    _kernels.register("sparse_mask", _sparse_mask)


op(
    "_sparse_mask_projection(Tensor self, Tensor mask, bool accumulate_matches=False) -> Tensor",
    variants="method",
    samples="sparse_projection",
)


@COO("_sparse_mask_projection")
def _projection(self: Tensor, mask: Tensor, accumulate_matches: bool) -> Tensor:
    """The elements of *self* at those places of the mask at which it has one."""
    _check_sizes(self, mask)
    there = np.isin(flat_indices(mask), flat_indices(self))
    indices = array(mask._content.indices)[:, there]
    values = elements_at(self, indices)
    return coo_tensor(indices, values, mask._a.shape, mask._content.coalesced)
