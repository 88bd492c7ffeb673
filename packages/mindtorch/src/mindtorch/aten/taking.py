"""Elements by position in the flattened tensor, or along a dimension: take, put, take_along_dim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindtorch.aten.index_bounds import bounds
from mindtorch.aten.indexing import cloned
from mindtorch.aten.reflected import zeros_of
from mindtorch.call.elementwise_meta import UNSIGNED, broadcast_shapes, refuse
from mindtorch.call.forms import InplaceForm, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import preserved_strides, same_place, scalar_name, size_at, wrap_dim
from mindtorch.core.operators import of, ops

from ..call.forms import DeviceRule
from . import device_rules

__all__: list[str] = []


def _take_meta(self: Any, index: Any) -> Out:
    if index.dtype.name != "int64":
        raise RuntimeError(
            f"take(): Expected a long tensor for index, but got {scalar_name(index.dtype)}"
        )
    if self.numel() == 0 and index.numel():
        raise IndexError("take(): tried to take from an empty tensor")
    if index.numel():
        refuse(self.dtype, {"take_cpu": UNSIGNED}, self)
    return Out(tuple(index.shape), self.dtype)


def _check_flat(size: int, count: int) -> Callable[[Any], None]:
    """What refuses indices, *count* of them, beyond *size* elements."""
    find = bounds(count)

    def check(index: Any) -> None:
        lowest, highest = find(index)
        if lowest < -size or highest >= size:
            bad = index[(index < -size) | (index >= size)].reshape(-1)[0]
            raise IndexError(
                f"out of range: tried to access index {bad} on a tensor of {size} elements."
            )

    return check


def _prepare_take(self: Any, index: Any) -> Callable[..., Any]:
    check, shape, dtype = _check_flat(self.size, index.size), index.shape, self.dtype
    empty = np.empty
    dense = index.flags.c_contiguous

    def kernel(self: Any, index: Any) -> Any:
        check(index)
        # Into memory of its own: of one index numpy would give a scalar.
        out = empty(shape, dtype)
        return self.take(index if dense else index.copy(), None, out, "wrap")

    return kernel


op(
    "take(Tensor self, Tensor index) -> Tensor",
    says="""Return the elements at indices into the flattened tensor.

    >>> torch.take(torch.tensor([[1, 2], [3, 4]]), torch.tensor([0, 3]))
    tensor([1, 4])
    """,
    meta=_take_meta,
    prepare=_prepare_take,
    half=False,
    out=OutForm(
        text="take(): self and out expected to have the same dtype, but got "
        "self.dtype = {result} and out.dtype = {out}",
        overlap="first: apart",
    ),
    grad={"self": lambda g, c: ops.zeros_like(c.self).put(c.index, g, True)},
    samples="take",
    tangent="linear",
    batch="whole_loop",
    tags=("loops: functional",),
)


def _put_meta(self: Any, index: Any, source: Any, accumulate: bool) -> Out:
    if self.dtype != source.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{scalar_name(self.dtype)} and source.dtype = {scalar_name(source.dtype)}"
        )
    if index.dtype.name != "int64":
        raise RuntimeError(
            f"put_(): Expected a long tensor for index, but got {scalar_name(index.dtype)}"
        )
    if source.numel() != index.numel():
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got "
            f"source.numel() = {source.numel()}, index.numel() = {index.numel()}"
        )
    if index.numel():
        if not self.numel():
            raise IndexError("put_(): Tried to put elements into an empty tensor")
        refuse(self.dtype, {"take_put_cpu": UNSIGNED}, self)
    return Out(
        tuple(self.shape), self.dtype, preserved_strides(tuple(self.shape), tuple(self.stride()))
    )


def _prepare_put(self: Any, index: Any, source: Any, accumulate: bool) -> Callable[..., Any]:
    check, shape, count = _check_flat(self.size, index.size), self.shape, index.size
    add = (np.logical_or if self.dtype.kind == "b" else np.add).at
    plain = self.flags.c_contiguous

    def kernel(self: Any, index: Any, source: Any, accumulate: bool) -> Any:
        check(index)
        whole = self.copy()
        flat = whole.reshape(-1)
        if accumulate:
            add(flat, index.reshape(count), source.reshape(count))
        else:
            flat[index.reshape(count)] = source.reshape(count)
        if plain:
            return whole
        out = cloned(self)
        out[...] = flat.reshape(shape)
        return out

    return kernel


op(
    "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
    says="Return a copy with elements replaced at indices into the flattened tensor.",
    meta=_put_meta,
    prepare=_prepare_put,
    half=False,
    inplace=InplaceForm(overlap="indexed", writes=True),
    out=OutForm(function=False, meta="native"),
    grad={
        "self": lambda g, c: (
            g if c.accumulate else g.put(c.index, zeros_of(g, c.source_facts.shape), False)
        ),
        "source": lambda g, c: g.take(c.index).reshape_as(c.source),
    },
    samples="put",
    batch="whole_loop",
    devices=DeviceRule(meta=device_rules.of_memory),
    tags=(
        "nondeterministic: put_ unless accumulate or meta",
        "loops: functional",
        "loops: inplace",
        "needs_whole",
    ),
)


def _take_along_dim(self: Any, indices: Any, dim: int | None, **out: Any) -> Any:
    same_place(self, indices, "Device", "torch.take_along_dim():")
    if dim is None:
        return ops.gather(self.view((-1,)), 0, indices.view((-1,)), **out)
    return ops.gather(*_along_dim(self, indices, dim), **out)


def _take_along_dim_onto(target: Any, self: Any, indices: Any, dim: int | None) -> None:
    same_place(self, target, "Device", "torch.take_along_dim():")
    _take_along_dim(self, indices, dim, out=target)


def _along_dim(self: Any, indices: Any, dim: int) -> tuple[Any, int, Any]:
    """What ``gather`` is given for ``take_along_dim``: both broadcast, but along *dim*."""
    n, m = self.dim(), indices.dim()
    if n != m:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of "
            f"dimensions, but got {n} dimensions for input, and {m} dimensions for indices"
        )
    if indices.dtype.name != "int64":
        raise RuntimeError(
            "torch.take_along_dim(): dtype of indices should be Long but got "
            f"{scalar_name(indices.dtype)}"
        )
    d = wrap_dim(dim, n)
    mine, other = list(self.shape), list(indices.shape)
    if n:
        mine[d] = other[d]
    common = tuple(broadcast_shapes(tuple(mine), tuple(other))) if n else ()
    indices = indices.expand(common)
    self = self.expand((*common[:d], self.shape[d], *common[d + 1 :]) if n else ())
    return self, d, of("remainder.Scalar")(indices, size_at(self, d))


op(
    "take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
    says="""Pick elements along a dimension by index; the other dimensions broadcast.

    >>> torch.take_along_dim(torch.tensor([[3, 1], [2, 4]]), torch.tensor([[1], [0]]),
    ...     dim=1)
    tensor([[1],
            [2]])
    """,
    composite=_take_along_dim,
    out=True,
    out_kernel=_take_along_dim_onto,
    samples="take_along_dim",
)
