"""Rules that follow from rows: of views, reductions, elementwise ops, ops along dimensions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...._ops import ops
from ....aten import torch
from ....call.row import Row
from .._dtensor_spec import DTensorSpec
from .._lines import here
from .._sharding import Call, Choice, Known, Plan, family, viewing
from ..placement_types import (
    Partial,
    Placement,
    Replicate,
    Shard,
    _NormPartial,
    _Parts,
    _StridedShard,
)

__all__ = ["along_dims", "as_it_lies", "pointwise", "reduced"]

_REPLICATE = Replicate()


@family
def _whole(call: Call) -> Known | None:
    """Rows that say that parts tell nothing of the result."""
    return Known(lambda c, i: ()) if call.row and "needs_whole" in call.row.tags else None


def _by_slice(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along the one dimension whose slices know nothing of each other."""
    for dim in call.dims() or ():
        yield call.same(Shard(dim))


@family
def _slices(call: Call) -> Known | None:
    """Rows that say that slices are independent."""
    tags = call.row.tags if call.row else ()
    return Known(_by_slice) if "independent_slices" in tags else None


# Elementwise --------------------------------------------------------------------------------------


def _own_dim(shape: Sequence[int], common: Sequence[int], dim: int) -> int | None:
    """Which dimension of *shape* is *dim* of the *common* shape; None where it is spread."""
    own = dim - (len(common) - len(shape))
    return own if own >= 0 and shape[own] == common[dim] else None


def pointwise(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """All are cut along the same dimension; what is spread along it is not cut."""
    shapes = [spec.shape for spec in call.tensors]
    common = np.broadcast_shapes(*map(tuple, shapes))
    for dim in range(len(common)):
        owns = [_own_dim(shape, common, dim) for shape in shapes]
        inputs: list[Placement] = [_REPLICATE if own is None else Shard(own) for own in owns]
        if any(own is not None for own in owns):
            yield call.choice([Shard(dim)] * len(call.metas), inputs)


def _linear(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Elementwise and linear: it may run on what is to be summed."""
    yield from pointwise(call, mesh_dim)
    for name in Partial.LINEAR_REDUCE_OPS:
        yield call.same(Partial(name))


def as_it_lies(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """The results lie as the one argument, whatever that is."""
    yield call.same(call.now(mesh_dim)[0])


@family
def _parts(call: Call) -> Known | None:
    """Rows that say that they do with a part what they do with the whole."""
    return Known(as_it_lies) if call.row and "of_parts" in call.row.tags else None


# Views --------------------------------------------------------------------------------------------


def _contiguous(shape: Sequence[int]) -> list[int]:
    return [math.prod(shape[i + 1 :]) for i in range(len(shape))]


def _views(call: Call) -> list[tuple[Sequence[int], Sequence[int]]]:
    """Shapes and strides of the results, for a tensor in one piece of the same shape."""
    spec = call.tensors[0]
    meta = spec.tensor_meta
    assert meta is not None
    probe = torch.empty(tuple(spec.shape), dtype=meta.dtype, device="meta")
    given = {**call.given, call.names[0]: probe}
    row = viewing(call.row)
    func = call.func
    if row is not None and row is not call.row:
        func = getattr(getattr(ops.aten, row.base), row.overload or "default")
    made = func(**given) if not call.in_place else None
    if made is None:
        copy = probe.view(probe.shape)
        call.func(**{**call.given, call.names[0]: copy})
        made = copy
    results = made if isinstance(made, list | tuple) else [made]
    return [(tuple(r.shape), r.stride()) for r in results]


def _seen(
    p: _Parts,
    shape: Sequence[int],
    view: tuple[Sequence[int], Sequence[int]],
    call: Call,
    mesh_dim: int,
) -> Placement | None:
    """How the parts *p* of a tensor lie in a *view* of it; None where they are not parts of it.

    A dimension reaches over ``size * stride`` numbers of a tensor in one piece. Parts of it are
    parts of that dimension of the view which reaches as far, if it is cut into as many; and where a
    longer one has it inside, they are a part of each of its parts.
    """
    size, stride = shape[p.dim], _contiguous(shape)[p.dim]
    sizes, strides = view
    if tuple(sizes) == tuple(shape) and tuple(strides) == tuple(_contiguous(shape)):
        return p
    if size == 1:
        mine = _ones(shape, _contiguous(shape), stride).index(p.dim)
        theirs = _ones(sizes, strides, stride)
        return p.at(theirs[mine]) if mine < len(theirs) else None
    cuts = call.mesh.size(mesh_dim)
    inner = math.prod(
        call.mesh.size(i)
        for i, q in enumerate(call.tensors[0].placements[:mesh_dim])
        if isinstance(q, _Parts) and q.dim == p.dim
    )
    for dim, (n, step) in enumerate(zip(sizes, strides, strict=True)):
        if n == size and step == stride:
            return p.at(dim)
    if size == 0:
        return None
    even = size % (cuts * inner) == 0
    for dim, (n, step) in enumerate(zip(sizes, strides, strict=True)):
        if n <= 1 or step == 0:
            continue
        if isinstance(p, _StridedShard):
            # The parts are those of an inner dimension, if the outer ones are as many as the parts.
            fits = n % cuts == 0 or step == stride
            if size * stride == n * step * p.split_factor * inner and fits:
                return Shard(dim)
            continue
        if n * step == size * stride:
            if n % (cuts * inner) == 0 and even:
                return Shard(dim)
            return None
        # The dimension lies inside one that reaches further.
        reach = size * stride
        inside = stride % step == 0 and reach < n * step and n * step % reach == 0
        if inside and (even or step == stride) and inner == 1 and isinstance(p, Shard):
            outer = (n * step) // (size * stride)
            return _StridedShard(
                dim, split_factor=_local_outer(call, shape, p.dim, outer, mesh_dim)
            )
    return None


def _ones(sizes: Sequence[int], strides: Sequence[int], step: int) -> list[int]:
    """The dimensions of one element that lie between two neighbours *step* apart."""
    return [d for d, (n, s) in enumerate(zip(sizes, strides, strict=True)) if n == 1 and s == step]


def _local_outer(call: Call, shape: Sequence[int], dim: int, outer: int, mesh_dim: int) -> int:
    """How many rows this process has of the *outer* ones before dimension *dim*."""
    for i, q in enumerate(call.tensors[0].placements[:mesh_dim]):
        if isinstance(q, _Parts) and q.dim < dim:
            reach = math.prod(shape[q.dim : dim])
            if outer % reach == 0 and shape[q.dim] % call.mesh.size(i) == 0:
                outer //= call.mesh.size(i)
    return outer


def viewed(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Parts of a tensor are parts of its view, if no dimension that is cut is mixed with others.

    Raises RuntimeError where they are not, for the result would be no view: for ``view`` and in
    place.
    """
    p = call.now(mesh_dim)[0]
    if not isinstance(p, _Parts):
        yield call.same(p)
        return
    shape = call.tensors[0].shape
    views = _views(call)
    outputs = [_seen(p, shape, view, call, mesh_dim) for view in views]
    if all(o is not None for o in outputs):
        yield call.choice(outputs, [p])
    elif call.in_place or call.func._opname in ("view", "_unsafe_view"):
        _refuse_mixing(p.dim, shape, views[0][0], call, mesh_dim)


def _refuse_mixing(
    dim: int, shape: Sequence[int], target: Sequence[int], call: Call, mesh_dim: int
) -> None:
    """Refuse a view by which a dimension that is cut is mixed with others.

    The whole is gathered for it where dimensions are joined and split at once, the first one of
    them into as many as there are processes.
    """
    size = call.mesh.size(mesh_dim)
    uneven = (
        f"is not evenly divisible by mesh dimension {mesh_dim} (size {size}). Please redistribute "
        "the tensor before this operation."
    )
    joined, split = _mixed(dim, shape, target)
    if not joined or not split:
        raise RuntimeError(
            f"This operation would remove or reshape sharded dimension {dim}, which requires "
            "redistribution. Please redistribute the input first."
        )
    if dim != joined[-1] and shape[dim] % size:
        raise RuntimeError(
            f"Cannot flatten unevenly sharded tensor: dimension {dim} (size {shape[dim]}) {uneven}"
        )
    if split[0] % size:
        raise RuntimeError(
            f"Cannot unflatten unevenly sharded tensor: output dimension 0 (size {split[0]}) "
            f"{uneven}"
        )


def _mixed(dim: int, shape: Sequence[int], target: Sequence[int]) -> tuple[list[int], list[int]]:
    """The dimensions that a view to the shape *target* joins with *dim*, and sizes they become."""
    joined: list[int] = []
    split: list[int] = []
    have = want = 1
    rest = iter(n for n in target if n != 1)
    for d, n in enumerate(shape):
        if n == 1 and not joined:
            continue
        joined.append(d)
        have *= n
        while want < have:
            split.append(next(rest))
            want *= split[-1]
        if want == have:
            if dim in joined:
                return joined, split
            joined, split = [], []
    return [], []


@family
def _of_views(call: Call) -> Known | None:
    row = viewing(call.row)
    if row is not None and (row.view is not None or row.base == "_unsafe_view"):
        return Known(viewed) if len(call.tensors) == 1 else None
    return None


# Reductions ---------------------------------------------------------------------------------------


def even(spec: DTensorSpec, dim: int) -> bool:
    """Whether all processes have as much of a dimension."""
    cuts = [
        spec.mesh.size(i)
        for i, p in enumerate(spec.placements)
        if isinstance(p, _Parts) and p.dim == dim
    ]
    return bool(spec.shape[dim] % math.prod(cuts) == 0)


def reduced(
    call: Call,
    mesh_dim: int,
    dims: Sequence[int] | None,
    kind: Partial | None,
    commutes: bool = False,
) -> Choice:
    """What becomes of the first tensor when *dims* are reduced; all of them where None.

    :param kind: how results of parts are reduced to that of the whole; None where they cannot be.
    :param commutes: whether what is to be reduced by *kind* itself may stay so.
    """
    spec, p = call.tensors[0], call.now(mesh_dim)[0]
    if dims is None:  # an empty list means all dimensions to some ops, none to others
        meta = call.metas[0]
        none = call["dim"] == [] and meta is not None and tuple(meta.shape) == tuple(spec.shape)
        dims = () if none and spec.ndim and not call["keepdim"] else range(spec.ndim)
    keep = bool(call["keepdim"]) if "keepdim" in call else False
    if isinstance(p, Partial):
        return call.same(p if commutes and p == kind else _REPLICATE)
    if not isinstance(p, _Parts):
        return call.same(_REPLICATE)
    if p.dim in dims:
        if kind is None or (kind.reduce_op == "avg" and not even(spec, p.dim)):
            return call.same(_REPLICATE)
        return call.same(kind, p)
    return call.same(p if keep else p.at(p.dim - sum(d < p.dim for d in dims)), p)


_JOINED_BY = {
    np.add: "sum",
    np.multiply: "product",
    np.maximum: "max",
    np.minimum: "min",
    np.logical_and: "product",
    np.logical_or: "sum",
}


@family
def _reductions(call: Call) -> Known | None:
    """Rows that say by which function two elements are joined."""
    row = call.row
    if row is None or row.reduces is None or row.reduces not in _JOINED_BY:
        return None
    kind = Partial(_JOINED_BY[row.reduces])
    commutes = row.reduces not in (np.logical_and, np.logical_or)
    return Known(lambda c, i: [reduced(c, i, c.dims() if "dim" in c else None, kind, commutes)])


@family
def _joined(call: Call) -> Known | None:
    """Rows that say how results of parts are reduced to those of the whole."""
    kinds = [Partial(k) for k in call.row.said("joins").split(", ") if k] if call.row else []
    if not kinds:
        return None

    def rule(c: Call, mesh_dim: int) -> Iterable[Choice]:
        dims = c.dims() if "dim" in c else None
        found = [reduced(c, mesh_dim, dims, kind) for kind in kinds]
        yield c.choice([choice.outputs[i] for i, choice in enumerate(found)], found[0].inputs)

    return Known(rule)


def norm_kind(order: Any) -> Partial:
    """How norms of parts are reduced to the norm of all."""
    if order in (math.inf, "inf"):
        return Partial("max")
    if order in (-math.inf, "-inf"):
        return Partial("min")
    return Partial("sum") if order == 0 else _NormPartial(order)


# The rest -----------------------------------------------------------------------------------------


def _drawn(plan: Plan, *args: Any, **kwargs: Any) -> Any:
    """Draw for the whole tensor and keep what is here, so that seeds mean the same on any mesh.

    All processes draw the same numbers, if their generators are alike.
    """
    call = plan.call
    local = args[0]
    whole = local.new_empty(tuple(plan.inputs[0].shape))
    drawn = call.func(whole, *args[1:], **kwargs)
    results = drawn if isinstance(drawn, tuple) else (drawn,)
    mine = [
        here(r, spec) for r, spec in zip(results, plan.outputs, strict=True) if spec is not None
    ]
    if call.in_place:
        return local.copy_(mine[0])
    return tuple(mine) if isinstance(drawn, tuple) else mine[0]


def _is_factory(row: Row) -> bool:
    """Whether the op makes a tensor after a model, whose numbers do not matter."""
    return row.base.endswith("_like") or row.base.startswith("new_")


@family
def _random(call: Call) -> Known | None:
    """Rows that draw numbers: each for itself, or from what the argument says."""
    row = call.row
    if row is None or not row.random or _is_factory(row):
        return None
    if call.in_place:
        return Known(pointwise, _drawn) if len(call.tensors) == 1 else None
    return Known(lambda c, i: ())


@family
def _elementwise(call: Call) -> Known | None:
    """Rows that promote or are tagged so; those whose tangent is the op of tangents are linear."""
    row = call.row
    if row is None or row.random:
        return None
    if "pointwise" not in row.tags and row.promote is None:
        return None
    wanted = [a for a in call.func._schema.arguments if str(a.type) == "Tensor"]
    whole = len(wanted) == len(call.tensors)
    return Known(_linear if row.tangent == "linear" and whole else pointwise)


@family
def _factories(call: Call) -> Known | None:
    """``zeros_like`` lies as its model, and ``new_zeros`` where it has its shape."""
    row = call.row
    if row is None or not _is_factory(row):
        return None

    def rule(c: Call, mesh_dim: int) -> Iterable[Choice]:
        p, meta = c.now(mesh_dim)[0], c.metas[0]
        same = meta is not None and tuple(meta.shape) == tuple(c.tensors[0].shape)
        yield c.same(p if same and isinstance(p, _Parts) else _REPLICATE, p)

    return Known(rule, _drawn if row.random else None)


def along_dims(call: Call, mesh_dim: int, dims: Sequence[int]) -> Iterable[Choice]:
    """Samples are independent along all dimensions but *dims*; there all tensors have one shape.

    Follows the tensor that is in most parts. A result has the dimensions of the arguments, or all
    but *dims*.
    """
    lead = max(call.tensors, key=lambda spec: spec.num_shards)
    p = lead.placements[mesh_dim]
    if not isinstance(p, _Parts) or p.dim in dims:
        return
    outputs = []
    for meta in call.metas:
        shape = lead.shape if meta is None else meta.shape
        if len(shape) not in (lead.ndim, lead.ndim - len(dims)):
            return
        own = p if len(shape) == lead.ndim else p.at(p.dim - sum(d < p.dim for d in dims))
        if shape[own.dim] != lead.shape[p.dim]:
            return
        outputs.append(own)
    yield call.choice(outputs, [p] * len(call.tensors))


@family
def _along(call: Call) -> Known | None:
    """Ops whose schema names dimensions, of tensors that are alike along all others."""
    row = call.row
    name = next((n for n in ("dim", "dims") if n in call), None)
    if row is None or name is None or row.view is not None:
        return None
    moved = call.dims(name) or ()
    rests = {tuple(n for d, n in enumerate(spec.shape) if d not in moved) for spec in call.tensors}
    if len(rests) != 1 or len({spec.ndim for spec in call.tensors}) != 1 or call.in_place:
        return None
    if any(isinstance(call[n], list | tuple) and n in call.places for n in call.names):
        return None

    def rule(c: Call, mesh_dim: int) -> Iterable[Choice]:
        dims = c.dims(name)
        return along_dims(c, mesh_dim, range(c.tensors[0].ndim) if dims is None else dims)

    return Known(rule)
