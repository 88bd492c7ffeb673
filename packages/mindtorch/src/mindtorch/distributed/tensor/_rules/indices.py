"""Rules of ops that take or write elements by number, embeddings for one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._sharding import Call, Choice, Plan, sharding_rule
from .._utils import local_intervals
from ..placement_types import Partial, Placement, Replicate, Shard, _Parts

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


@sharding_rule("index.Tensor")
def _index(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along dimensions behind those that are indexed, which are the first ones."""
    yield from _taken(call)
    indices = call["indices"]
    count = len(indices)
    if any(i is None for i in indices):
        return
    spread = max(spec.ndim for spec in call.tensors[1:])
    if len({tuple(spec.shape) for spec in call.tensors[1:]}) == 1:
        for d in range(spread):
            yield call.choice([Shard(d)], [_REPLICATE, *[Shard(d)] * count])
    others: list[Placement] = [_REPLICATE] * count
    for d in range(count, call.tensors[0].ndim):
        yield call.choice([Shard(d - count + spread)], [Shard(d), *others])


@sharding_rule("index_put", "_index_put_impl_", "index_add", "index_copy", "index_fill")
def _whole(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Which elements are met is known where all are."""
    return ()
