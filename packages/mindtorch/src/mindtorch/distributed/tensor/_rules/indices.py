"""Rules of ops that take or write elements by number, embeddings for one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .._dtensor_spec import DTensorSpec
from .._sharding import Call, Choice, Plan, sharding_rule
from .._utils import local_intervals
from ..placement_types import Partial, Placement, Replicate, Shard, _Parts
from .families import _own_dim

__all__: list[str] = []

_REPLICATE = Replicate()


def _rows_here(plan: Plan, weight: Any, indices: Any, *rest: Any, **kwargs: Any) -> Any:
    """The rows of a table of which a part is here; zeros for those that are elsewhere."""
    func, spec = plan.call.func, plan.inputs[0]
    if not any(isinstance(p, _Parts) and p.dim == 0 for p in spec.placements):
        return func(weight, indices, *rest, **kwargs)
    here = local_intervals(spec.shape[0], 0, spec.mesh, spec.placements)
    start, n = here[0] if here else (0, 0)
    if n == 0:
        return weight.new_zeros((*indices.shape, weight.shape[1]))
    elsewhere = (indices < start) | (indices >= start + n)
    # padding_idx, the first of the rest, matters to the gradient alone.
    rows = func(weight, (indices - start).masked_fill(elsewhere, 0))
    return rows.masked_fill(elsewhere.unsqueeze(-1), 0)


@sharding_rule("embedding", local=_rows_here)
def _embedding(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along columns or rows of the table, or along indices."""
    ndim = call.tensors[1].ndim
    yield call.choice([Shard(ndim)], [Shard(1), _REPLICATE])
    table, indices = call.now(mesh_dim)
    if type(table) is Shard and indices == _REPLICATE:
        yield call.choice([Partial()], [Shard(0), _REPLICATE])
    for dim in range(ndim):
        yield call.choice([Shard(dim)], [_REPLICATE, Shard(dim)])


@sharding_rule("embedding_dense_backward")
def _embedding_backward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """The gradient of a table: cut along columns, or a sum over indices."""
    ndim = call.tensors[1].ndim
    if call["scale_grad_by_freq"]:
        return
    yield call.choice([Shard(1)], [Shard(ndim), _REPLICATE])
    for dim in range(ndim):
        yield call.choice([Partial()], [Shard(dim), Shard(dim)])
    yield call.choice([Partial()], [Partial(), _REPLICATE])


def _beside(call: Call, mesh_dim: int, moved: int) -> Iterable[Choice]:
    """Cut along dimensions other than *moved*, where all tensors are as long."""
    ndim = call.tensors[0].ndim
    if any(spec.ndim != ndim for spec in call.tensors):
        return
    for dim in range(ndim):
        if dim != moved and len({spec.shape[dim] for spec in call.tensors}) == 1:
            yield call.same(Shard(dim))


def _taken(call: Call) -> Iterable[Choice]:
    """Elements of what is to be reduced are to be reduced."""
    others = [_REPLICATE] * (len(call.tensors) - 1)
    for name in Partial.LINEAR_REDUCE_OPS:
        yield call.choice([Partial(name)], [Partial(name), *others])


@sharding_rule("gather", "scatter", "scatter_add", "scatter_reduce")
def _by_index(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Elements move along one dimension."""
    yield from _beside(call, mesh_dim, call.dims()[0])  # type: ignore[index]  # the schema names one
    if call.func._opname == "gather":
        yield from _taken(call)
        moved: Any = call.dims()
        yield call.choice([Shard(moved[0])], [_REPLICATE, Shard(moved[0])])


@sharding_rule("index_select")
def _index_select(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along another dimension, or along the index."""
    dim = call.dims()[0]  # type: ignore[index]  # the schema names one
    for d in range(call.tensors[0].ndim):
        if d != dim:
            yield call.choice([Shard(d)], [Shard(d), _REPLICATE])
    yield call.choice([Shard(dim)], [_REPLICATE, Shard(0)])
    yield from _taken(call)


def _met(call: Call) -> tuple[tuple[int, ...], dict[int, int], int] | None:
    """What a list of indices leaves as it is.

    Gives the shape to which the indices spread, where each dimension that has no index lies in the
    result, and where the spread ones begin; None where masks or plain tensors are among them.
    """
    indices = call["indices"]
    given = [d for d, i in enumerate(indices) if i is not None]
    if any(not isinstance(i, DTensorSpec) or _is_mask(i) for i in indices if i is not None):
        return None
    spread = np.broadcast_shapes(*[tuple(indices[d].shape) for d in given])
    first = given[0] if given == list(range(given[0], given[-1] + 1)) else 0
    left = [d for d in range(call["self"].ndim) if d not in given]
    places = {d: i + len(spread) * (i >= first) for i, d in enumerate(left)}
    return spread, places, first


def _is_mask(index: DTensorSpec) -> bool:
    meta = index.tensor_meta
    return meta is not None and str(meta.dtype) in ("torch.bool", "torch.uint8")


@sharding_rule("index.Tensor")
def _index(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along dimensions that are not indexed, or along the indices."""
    yield from _taken(call)
    met = _met(call)
    if met is None:
        return
    spread, places, first = met
    count = len(call.tensors) - 1
    if len({tuple(spec.shape) for spec in call.tensors[1:]}) == 1:
        for d in range(len(spread)):
            yield call.choice([Shard(first + d)], [_REPLICATE, *[Shard(d)] * count])
    for d, place in places.items():
        yield call.choice([Shard(place)], [Shard(d), *[_REPLICATE] * count])


@sharding_rule("index_add", "index_copy", "index_fill", "index_reduce")
def _by_row(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Rows along one dimension are met, whole ones: cut along the others."""
    target, moved = call["self"], call.dims()
    index = call.places["index"]
    for d in range(target.ndim):
        if moved is not None and d not in moved:
            inputs: list[Placement] = [
                _REPLICATE if i in index or spec.ndim != target.ndim else Shard(d)
                for i, spec in enumerate(call.tensors)
            ]
            yield call.choice([Shard(d)], inputs)
    if "source" in call and "reduce" not in call:  # a sum of rows is a row of the sum
        partial = Partial()
        yield call.choice([partial], [partial, _REPLICATE, partial])


@sharding_rule("index_put")
def _put(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along dimensions that are not indexed."""
    target, values, met = call["self"], call["values"], _met(call)
    if met is None or not isinstance(values, DTensorSpec):
        return
    spread, places, first = met
    whole: list[Placement] = [_REPLICATE] * (len(call.tensors) - 2)
    shape = [target.shape[d] for d in places]
    shape[first:first] = spread
    for d, place in places.items():
        own = _own_dim(values.shape, shape, place)
        yield call.choice([Shard(d)], [Shard(d), *whole, _REPLICATE if own is None else Shard(own)])
    yield call.choice([Partial()], [Partial(), *whole, Partial()])
