"""Indexing for compilers, which promise that indices are good: here they are checked all the same.

An index of a masked op may lie anywhere where its mask is false.
"""

from __future__ import annotations

from typing import Any

from ..call.row import op
from ..core.dims import scalar_name
from ..core.operators import of, ops
from .reflected import new_zeros_in, zeros_of

__all__: list[str] = []

_EXPLICIT = {"functional": "explicit"}


def _refuse_masks(name: str, indices: Any) -> None:
    for index in indices:
        if index is not None and index.dtype.name not in ("int32", "int64"):
            raise RuntimeError(f"{name} found unexpected index type {scalar_name(index.dtype)}")


def _index(self: Any, indices: Any) -> Any:
    _refuse_masks("_unsafe_index", indices)
    return of("index.Tensor")(self, indices)


def _index_put(self: Any, indices: Any, values: Any, accumulate: bool) -> Any:
    return ops.index_put(self, indices, values, accumulate)


def _index_grad(g: Any, c: Any) -> Any:
    return ops._unsafe_index_put(new_zeros_in(g, c.self.shape), c.indices, g, True)


def _within(self: Any, indices: Any) -> list[Any]:
    """The indices, moved to the nearest place that *self* has."""
    sizes = tuple(self.shape)
    _refuse_masks("_unsafe_masked_index", indices)
    if len(indices) > len(sizes):
        raise IndexError(
            f"too many indices for tensor of dimension {len(sizes)} (got {len(indices)})"
        )
    pairs = zip(indices, sizes, strict=False)
    return [None if i is None else ops.clamp(i, -size, size - 1) for i, size in pairs]


def _masked_index(self: Any, mask: Any, indices: Any, fill: Any) -> Any:
    if not self.numel():  # nothing but what is filled in, as many as the indices of empty dims
        _within(self, indices)
        sizes = [0 if size or i is None else i.shape[0] for i, size in zip(indices, self.shape)]
        sizes += [0] * (self.dim() - len(sizes))
        return ops.full(tuple(sizes), fill, dtype=self.dtype, device=self.device)
    found = of("index.Tensor")(self, _within(self, indices))
    return of("masked_fill.Scalar")(found, ops.logical_not(mask), fill)


def _masked_index_put_accumulate(self: Any, mask: Any, indices: Any, values: Any) -> Any:
    if not self.numel():
        return self.clone()
    within = _within(self, indices)
    kept = of("masked_fill.Scalar")(values, ops.logical_not(mask), 0)
    return ops.index_put(self, within, kept, True)


op(
    "_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
    says="Return the elements that tensors of indices select, one per dimension.",
    composite=_index,
    kinds=_EXPLICIT,
    grad={"self": _index_grad},
    variants="function",
    samples="unsafe_index",
)
op(
    "_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False)"
    " -> Tensor",
    says="Return a copy in which the elements at the indices are replaced, or increased.",
    composite=_index_put,
    kinds=_EXPLICIT,
    grad={
        "self": lambda g, c: (
            g if c.accumulate else ops._unsafe_index_put(g, c.indices, zeros_of(c.values), False)
        ),
        "values": lambda g, c: of("_unsafe_index.Tensor")(g, c.indices),
    },
    variants="function",
    samples="unsafe_index_put",
)
op(
    "_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor",
    says="Return the elements that indices select where *mask* is true, *fill* elsewhere.",
    composite=_masked_index,
    kinds=_EXPLICIT,
    grad={
        "self": lambda g, c: ops._unsafe_masked_index_put_accumulate(
            new_zeros_in(g, c.self.shape), c.mask, c.indices, g
        )
    },
    variants="function",
    samples="unsafe_masked_index",
)
op(
    "_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, "
    "Tensor values) -> Tensor",
    says="Return a copy to whose elements at the indices values are added where *mask* is true.",
    composite=_masked_index_put_accumulate,
    kinds=_EXPLICIT,
    grad={
        "self": lambda g, c: g,
        "values": lambda g, c: ops._unsafe_masked_index(g, c.mask, c.indices, 0),
    },
    variants="function",
    samples="unsafe_masked_index_put",
)
