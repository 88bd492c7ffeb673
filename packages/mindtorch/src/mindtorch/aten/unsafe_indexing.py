"""Indexing for compilers, which promise that indices are good: here they are checked all the same.

An index of a masked op may lie anywhere where its mask is false.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..call.forms import DeviceRule, InplaceForm, OutForm
from ..call.row import op
from ..core.dims import scalar_name
from ..core.operators import of, ops
from . import device_rules, looks
from .index_put import (
    gradient_of_self,
    index_put_meta,
    index_put_warns,
    prepare_index_put,
)
from .indexing import direct_call
from .reflected import new_zeros_in, zeros_of

__all__: list[str] = []


def _prepare_put(
    self: Any, indices: Any, values: Any, accumulate: bool, unsafe: bool
) -> Callable[..., Any]:
    put = prepare_index_put(self, indices, values, accumulate)
    return lambda self, indices, values, accumulate, unsafe: put(self, indices, values, accumulate)


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
    batch="whole_loop",
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


_PUT_GRAD: dict[str, Any] = {
    "self": gradient_of_self,
    "values": lambda g, c: direct_call("index.Tensor", g, c.indices),
}


def _put_impl(self: Any, indices: Any, values: Any, accumulate: bool, unsafe: bool) -> Any:
    return of("_index_put_impl_")(self.clone(), indices, values, accumulate, unsafe)


op(
    "_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, "
    "bool unsafe=False) -> Tensor(a!)",
    says="Replace the elements at the given indices by values, or increase them.",
    meta=lambda *args: index_put_meta(*args[:4]),
    prepare=_prepare_put,
    half=False,
    variants="function",
    grad=_PUT_GRAD,
    samples="index_put_impl",
    warns=lambda *args: index_put_warns(*args[:4]),
    warns_of=("uint8",),
    devices=DeviceRule(meta=device_rules.of_memory, indexed=True),
    looks=looks.indexed,
    inplace=InplaceForm(
        overlap="deprecated: This also applies to advanced indexing e.g. tensor[indices] = tensor"
    ),
    tags=("rounds",),
)
op(
    "_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, "
    "bool unsafe=False) -> Tensor",
    composite=_put_impl,
    batch="no_fallback",
    kinds={"functional": "explicit", "out": "explicit"},
    variants="",
    grad=_PUT_GRAD,
    out=OutForm(function=False, meta="native"),
    samples="index_put_impl",
    tags=("real_only",),
)
